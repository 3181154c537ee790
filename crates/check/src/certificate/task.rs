//! A reader of finite tasks in the translator format, for the checker alone.

use std::str::FromStr;

use counterplay_base::{Budget, BudgetPoll};

use super::{CertificateFile, CertificateFlaw};

/// A variable and a value.
pub(super) type Fact = (u32, u32);

/// A finite task without axioms.
#[derive(Debug)]
pub(super) struct FiniteTask {
    /// How many values each variable has.
    pub(super) domains: Vec<u32>,
    /// What each value of each variable means, for people and for the comparison with the problem.
    pub(super) names: Vec<Vec<String>>,
    pub(super) initial: Vec<u32>,
    pub(super) goal: Vec<Fact>,
    pub(super) operators: Vec<Operator>,
}

#[derive(Debug)]
pub(super) struct Operator {
    pub(super) name: String,
    pub(super) precondition: Vec<Fact>,
    /// Conditions, and the fact that becomes true.
    pub(super) effects: Vec<(Vec<Fact>, Fact)>,
    pub(super) cost: u64,
}

impl Operator {
    pub(super) fn is_applicable(&self, state: &[u32]) -> bool {
        holds(&self.precondition, state)
    }

    /// The state afterwards; `None` if two effects contradict each other.
    pub(super) fn apply(&self, state: &[u32]) -> Option<Vec<u32>> {
        let mut after = state.to_vec();
        let mut is_set = vec![false; state.len()];
        for (_, (var, value)) in self.effects.iter().filter(|(condition, _)| holds(condition, state)) {
            let at = *var as usize;
            if is_set[at] && after[at] != *value {
                return None;
            }
            is_set[at] = true;
            after[at] = *value;
        }
        Some(after)
    }
}

pub(super) fn holds(facts: &[Fact], state: &[u32]) -> bool {
    facts.iter().all(|&(var, value)| state[var as usize] == value)
}

/// Reads a task.
pub(super) fn read(text: &str, budget: &Budget) -> Result<FiniteTask, CertificateFlaw> {
    let mut lines = Lines { lines: text.lines(), line: 0, poll: BudgetPoll::every(1024), budget };
    lines.expect("begin_version")?;
    lines.expect("3")?;
    lines.expect("end_version")?;
    lines.expect("begin_metric")?;
    let has_metric: u8 = lines.number()?;
    lines.expect("end_metric")?;
    let names = lines.many(Lines::variable)?;
    let domains: Vec<u32> = names.iter().map(|names| names.len() as u32).collect();
    lines.many(|lines| {
        lines.expect("begin_mutex_group")?;
        lines.many(|lines| lines.next().map(drop))?;
        lines.expect("end_mutex_group")
    })?;
    lines.expect("begin_state")?;
    let mut initial = Vec::new();
    for (var, &size) in domains.iter().enumerate() {
        let value: u32 = lines.number()?;
        if value >= size {
            return Err(lines.wrong(&format!("variable {var} has no value {value}")));
        }
        initial.push(value);
    }
    lines.expect("end_state")?;
    lines.expect("begin_goal")?;
    let goal = lines.many(|lines| lines.fact_line(&domains))?;
    lines.expect("end_goal")?;
    let mut operators = lines.many(|lines| lines.operator(&domains))?;
    if has_metric == 0 {
        operators.iter_mut().for_each(|operator| operator.cost = 1);
    }
    let axioms: u32 = lines.number()?;
    if axioms > 0 {
        return Err(lines.wrong("certificates do not cover axioms"));
    }
    Ok(FiniteTask { domains, names, initial, goal, operators })
}

struct Lines<'a> {
    lines: std::str::Lines<'a>,
    line: usize,
    poll: BudgetPoll,
    budget: &'a Budget,
}

impl<'a> Lines<'a> {
    fn wrong(&self, what: &str) -> CertificateFlaw {
        CertificateFlaw::Malformed { file: CertificateFile::Task, line: self.line, what: what.to_owned() }
    }

    fn next(&mut self) -> Result<&'a str, CertificateFlaw> {
        self.poll.step(self.budget)?;
        self.line += 1;
        match self.lines.next() {
            Some(line) => Ok(line.trim()),
            None => Err(self.wrong("the file ends too early")),
        }
    }

    fn expect(&mut self, word: &str) -> Result<(), CertificateFlaw> {
        match self.next()? {
            line if line == word => Ok(()),
            _ => Err(self.wrong(&format!("expected `{word}`"))),
        }
    }

    fn number<N: FromStr>(&mut self) -> Result<N, CertificateFlaw> {
        let line = self.next()?;
        line.parse().map_err(|_| self.wrong("expected a number"))
    }

    /// A count, and as many parts. Nothing is reserved: the count may be a lie.
    fn many<T>(
        &mut self,
        mut part: impl FnMut(&mut Self) -> Result<T, CertificateFlaw>,
    ) -> Result<Vec<T>, CertificateFlaw> {
        let count: u32 = self.number()?;
        let mut parts = Vec::new();
        for _ in 0..count {
            parts.push(part(self)?);
        }
        Ok(parts)
    }

    fn variable(&mut self) -> Result<Vec<String>, CertificateFlaw> {
        self.expect("begin_variable")?;
        self.next()?;
        let layer: i64 = self.number()?;
        if layer != -1 {
            return Err(self.wrong("certificates do not cover derived variables"));
        }
        let values = self.many(|lines| lines.next().map(str::to_owned))?;
        self.expect("end_variable")?;
        Ok(values)
    }

    fn numbers(&mut self) -> Result<Vec<i64>, CertificateFlaw> {
        let line = self.next()?;
        let numbers = line.split_whitespace().map(str::parse).collect::<Result<Vec<i64>, _>>();
        numbers.map_err(|_| self.wrong("expected numbers"))
    }

    fn fact(&self, var: i64, value: i64, domains: &[u32]) -> Result<Fact, CertificateFlaw> {
        let size = usize::try_from(var).ok().and_then(|var| domains.get(var)).copied();
        match (size, u32::try_from(value)) {
            (Some(size), Ok(value)) if value < size => Ok((var as u32, value)),
            _ => Err(self.wrong(&format!("there is no value {value} of a variable {var}"))),
        }
    }

    fn fact_line(&mut self, domains: &[u32]) -> Result<Fact, CertificateFlaw> {
        match self.numbers()?[..] {
            [var, value] => self.fact(var, value, domains),
            _ => Err(self.wrong("expected a variable and a value")),
        }
    }

    fn operator(&mut self, domains: &[u32]) -> Result<Operator, CertificateFlaw> {
        self.expect("begin_operator")?;
        let name = self.next()?.to_owned();
        let mut precondition = self.many(|lines| lines.fact_line(domains))?;
        let effects = self.many(|lines| {
            let numbers = lines.numbers()?;
            let bad =
                || lines.wrong("expected an effect: count, conditions, variable, value before, value after");
            let (&count, rest) = numbers.split_first().ok_or_else(bad)?;
            let count = usize::try_from(count)
                .ok()
                .filter(|&count| rest.len() == count.saturating_mul(2).saturating_add(3));
            let (conditions, change) = rest.split_at(2 * count.ok_or_else(bad)?);
            let condition = conditions
                .chunks_exact(2)
                .map(|pair| lines.fact(pair[0], pair[1], domains))
                .collect::<Result<Vec<Fact>, _>>()?;
            if change[1] != -1 {
                let before = lines.fact(change[0], change[1], domains)?;
                if !precondition.contains(&before) {
                    precondition.push(before);
                }
            }
            Ok((condition, lines.fact(change[0], change[2], domains)?))
        })?;
        let cost = self.number()?;
        self.expect("end_operator")?;
        Ok(Operator { name, precondition, effects, cost })
    }
}
