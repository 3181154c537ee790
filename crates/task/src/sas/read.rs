//! From text to a task.

use std::str::{FromStr, Lines, SplitWhitespace};

use counterplay_base::{Id, IdVec};
use num_rational::Ratio;

use super::{Error, Problem};
use crate::{Axiom, Derived, Effect, Fact, Operator, Task, Value, VarId, Variable};

/// Reads a task in the translator's format.
pub fn read(text: &str) -> Result<Task, Error> {
    let mut lines = SasParser { lines: text.lines(), line: 0 };
    lines.marker("begin_version")?;
    match lines.number("the version")? {
        3u64 => lines.marker("end_version")?,
        other => return lines.fail(Problem::Version(other)),
    }
    lines.marker("begin_metric")?;
    let has_metric = match lines.number("0 or 1")? {
        0u64 => false,
        1 => true,
        other => return lines.fail(Problem::Number { expected: "0 or 1", found: other.to_string() }),
    };
    lines.marker("end_metric")?;

    let mut variables = IdVec::new();
    for _ in 0..lines.count("the number of variables")? {
        let _: VarId = variables.push(read_variable(&mut lines)?);
    }
    let mut mutex_groups = Vec::new();
    for _ in 0..lines.count("the number of mutex groups")? {
        lines.marker("begin_mutex_group")?;
        mutex_groups.push(read_facts(&mut lines, &variables)?);
        lines.marker("end_mutex_group")?;
    }

    let mut initial: IdVec<VarId, Value> = IdVec::new();
    lines.marker("begin_state")?;
    for var in variables.ids() {
        let value = lines.number("the initial value of a variable")?;
        initial.push(lines.fact(&variables, var.index() as u64, value)?.value);
    }
    lines.marker("end_state")?;
    for (variable, &value) in variables.iter_mut().zip(&initial) {
        if let Some(derived) = &mut variable.derived {
            derived.default = value;
        }
    }

    lines.marker("begin_goal")?;
    let goal = read_facts(&mut lines, &variables)?;
    let goal = lines.condition(goal)?;
    lines.marker("end_goal")?;

    let mut operators = IdVec::new();
    for _ in 0..lines.count("the number of operators")? {
        operators.push(read_operator(&mut lines, &variables, has_metric)?);
    }
    let mut axioms = Vec::new();
    for _ in 0..lines.count("the number of axioms")? {
        axioms.push(read_axiom(&mut lines, &variables)?);
    }
    lines.end()?;
    Ok(Task {
        variables,
        initial,
        goal,
        operators,
        axioms,
        mutex_groups,
        mutex_pairs: Vec::new(),
        soft: Vec::new(),
        has_metric,
        cost_unit: Ratio::from_integer(1),
    })
}

type Variables = IdVec<VarId, Variable>;

/// A variable; the default of a derived one follows only with the initial state.
fn read_variable(lines: &mut SasParser<'_>) -> Result<Variable, Error> {
    lines.marker("begin_variable")?;
    let name = lines.name("the name of a variable")?;
    let layer: i64 = lines.number("an axiom layer")?;
    let derived = match u32::try_from(layer) {
        Ok(layer) => Some(Derived { layer, default: 0 }),
        Err(_) if layer == -1 => None,
        Err(_) => {
            return lines.fail(Problem::Number { expected: "an axiom layer", found: layer.to_string() });
        }
    };
    let size: u32 = lines.number("the number of values")?;
    if size == 0 {
        return lines.fail(Problem::EmptyDomain);
    }
    let mut values = Vec::new();
    for _ in 0..size {
        values.push(lines.name("the name of a value")?);
    }
    lines.marker("end_variable")?;
    Ok(Variable { name, values, derived })
}

/// A count and so many lines `variable value`.
fn read_facts(lines: &mut SasParser<'_>, variables: &Variables) -> Result<Vec<Fact>, Error> {
    let mut facts = Vec::new();
    for _ in 0..lines.count("a number of facts")? {
        let [var, value] = lines.numbers("a fact")?;
        facts.push(lines.fact(variables, var, value)?);
    }
    Ok(facts)
}

fn read_operator(
    lines: &mut SasParser<'_>,
    variables: &Variables,
    has_metric: bool,
) -> Result<Operator, Error> {
    lines.marker("begin_operator")?;
    let name = lines.name("the name of an operator")?;
    let mut precondition = read_facts(lines, variables)?;
    let mut effects = Vec::new();
    for _ in 0..lines.count("the number of effects")? {
        let mut words = Words::new(lines.line("an effect")?, lines.line);
        let mut condition = Vec::new();
        for _ in 0..words.number::<u64>("the number of effect conditions")? {
            let (var, value) = (words.number("a variable")?, words.number("a value")?);
            condition.push(lines.fact(variables, var, value)?);
        }
        let var = words.number("a variable")?;
        let before: i64 = words.number("a value or -1")?;
        let fact = lines.fact(variables, var, words.number("a value")?)?;
        words.end()?;
        if variables[fact.var].derived.is_some() {
            return lines.fail(Problem::DerivedEffect(var));
        }
        if before != -1 {
            let Ok(before) = u64::try_from(before) else {
                return lines.fail(Problem::Number { expected: "a value or -1", found: before.to_string() });
            };
            precondition.push(lines.fact(variables, var, before)?);
        }
        effects.push(Effect { condition: lines.condition(condition)?, fact });
    }
    let precondition = lines.condition(precondition)?;
    let cost: u64 = lines.number("the cost of an operator")?;
    lines.marker("end_operator")?;
    // Without a metric the cost line means nothing.
    Ok(Operator { name, precondition, effects, cost: if has_metric { cost } else { 1 } })
}

fn read_axiom(lines: &mut SasParser<'_>, variables: &Variables) -> Result<Axiom, Error> {
    lines.marker("begin_rule")?;
    let condition = read_facts(lines, variables)?;
    let condition = lines.condition(condition)?;
    let [var, before, after] = lines.numbers("the head of a rule")?;
    let head = lines.fact(variables, var, after)?;
    let Some(own) = variables[head.var].derived else {
        return lines.fail(Problem::RuleForPlainVariable(var));
    };
    if before != u64::from(own.default) {
        return lines.fail(Problem::RuleFromOther { variable: var, default: own.default.into() });
    }
    for fact in &condition {
        let Some(other) = variables[fact.var].derived else { continue };
        let computed_before = match fact.value == other.default {
            true => other.layer < own.layer,
            false => other.layer <= own.layer,
        };
        if !computed_before {
            return lines.fail(Problem::Stratum {
                layer: own.layer,
                variable: fact.var.index() as u64,
                other: other.layer,
            });
        }
    }
    lines.marker("end_rule")?;
    Ok(Axiom { condition, head })
}

/// The lines of the text, with the number of the one read last.
struct SasParser<'a> {
    lines: Lines<'a>,
    line: usize,
}

impl<'a> SasParser<'a> {
    fn fail<T>(&self, problem: Problem) -> Result<T, Error> {
        Err(Error { line: self.line, problem })
    }

    /// The next line as it stands, without the end of line of any system.
    fn line(&mut self, expected: &'static str) -> Result<&'a str, Error> {
        self.line += 1;
        match self.lines.next() {
            Some(line) => Ok(line.trim_end_matches('\r')),
            None => self.fail(Problem::EndOfText(expected)),
        }
    }

    /// A line that is a name. A carriage return inside of it is a blank, as it is when the name is written.
    fn name(&mut self, expected: &'static str) -> Result<String, Error> {
        Ok(self.line(expected)?.replace('\r', " "))
    }

    fn marker(&mut self, expected: &'static str) -> Result<(), Error> {
        let line = self.line(expected)?;
        match line.trim() == expected {
            true => Ok(()),
            false => self.fail(Problem::Marker { expected, found: beginning(line) }),
        }
    }

    /// A line with one number.
    fn number<N: FromStr>(&mut self, expected: &'static str) -> Result<N, Error> {
        let mut words = Words::new(self.line(expected)?, self.line);
        let number = words.number(expected)?;
        words.end()?;
        Ok(number)
    }

    /// A line with how many things follow. Each takes a line at least, so that a loop over them ends with the
    /// text however large the number is.
    fn count(&mut self, expected: &'static str) -> Result<u64, Error> {
        self.number(expected)
    }

    /// A line with `N` numbers.
    fn numbers<const N: usize>(&mut self, expected: &'static str) -> Result<[u64; N], Error> {
        let line = self.line(expected)?;
        let found = line.split_whitespace().count();
        if found != N {
            return self.fail(Problem::Width { expected: N, found });
        }
        let mut words = Words::new(line, self.line);
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = words.number(expected)?;
        }
        Ok(numbers)
    }

    /// The fact of a pair of numbers, if both are in range.
    fn fact(&self, variables: &Variables, var: u64, value: u64) -> Result<Fact, Error> {
        if var >= variables.len() as u64 {
            return self.fail(Problem::Variable(var));
        }
        let id = VarId::new(var as usize);
        if value >= variables[id].values.len() as u64 {
            return self.fail(Problem::Value { variable: var, value });
        }
        Ok(Fact { var: id, value: value as Value })
    }

    /// The facts as a condition: sorted, without repetition, one value per variable.
    fn condition(&self, mut facts: Vec<Fact>) -> Result<Vec<Fact>, Error> {
        facts.sort_unstable();
        facts.dedup();
        match facts.windows(2).find(|pair| pair[0].var == pair[1].var) {
            Some(pair) => self.fail(Problem::Contradiction(pair[0].var.index() as u64)),
            None => Ok(facts),
        }
    }

    /// Nothing but blank lines may follow.
    fn end(&mut self) -> Result<(), Error> {
        for line in self.lines.by_ref() {
            self.line += 1;
            if !line.trim().is_empty() {
                return Err(Error { line: self.line, problem: Problem::Trailing(beginning(line)) });
            }
        }
        Ok(())
    }
}

/// The numbers of one line.
struct Words<'a> {
    words: SplitWhitespace<'a>,
    line: usize,
    taken: usize,
}

impl<'a> Words<'a> {
    fn new(line: &'a str, number: usize) -> Words<'a> {
        Words { words: line.split_whitespace(), line: number, taken: 0 }
    }

    fn number<N: FromStr>(&mut self, expected: &'static str) -> Result<N, Error> {
        let word = self.words.next().unwrap_or("");
        self.taken += 1;
        word.parse().map_err(|_| Error {
            line: self.line,
            problem: Problem::Number { expected, found: beginning(word) },
        })
    }

    fn end(self) -> Result<(), Error> {
        match self.words.count() {
            0 => Ok(()),
            more => Err(Error {
                line: self.line,
                problem: Problem::Width { expected: self.taken, found: self.taken + more },
            }),
        }
    }
}

/// Enough of a text to recognise it in a message.
fn beginning(text: &str) -> String {
    text.chars().take(40).collect()
}
