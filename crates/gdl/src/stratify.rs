//! Stratification by instances.
//!
//! GDL wants rules that are stratified: no relation depends on its own negation. Many rule sheets mean this of single
//! instances: `(goal a 0)` holds if `(goal a 100)` does not, and nothing depends on its own negation although `goal` does.
//! Where relations alone do not do, we give each pattern of heads (the head with its variables left open) a relation of
//! its own: the original one follows from all of them, and conditions within the cycle ask for those patterns only that
//! can match. If that is not enough, the rules of the cycle are first instantiated by the facts among their conditions, so
//! that `(<= (win ?x) (succ ?x ?y) (not (win ?y)))` becomes a chain. What then still depends on its own negation is
//! refused. The rules say the same as before: engines need not know of this.
//!
//! Local stratification: Przymusinski 1988.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::Error;
use crate::model::{Atom, Literal, Rule, Rules, Symbol, Term};

/// More rules than this are not made for one rule sheet.
const MOST_RULES: usize = 20_000;

/// Finds strata, and rewrites rules where only their instances have some.
pub(crate) fn stratify(rules: &mut Rules) -> Result<(), Error> {
    let Err(error) = number(rules) else { return Ok(()) };
    let cycle = cycle(&rules.rules);
    for instantiated in [false, true] {
        let mut attempt = rules.clone();
        if instantiated && !instantiate(&mut attempt, &cycle) {
            break;
        }
        if split(&mut attempt, &cycle) && number(&mut attempt).is_ok() {
            *rules = attempt;
            return Ok(());
        }
    }
    Err(error)
}

/// The relations and signs of the conditions of a rule.
fn conditions(rule: &Rule) -> impl Iterator<Item = (&Atom, bool)> {
    rule.body.iter().filter_map(|literal| match literal {
        Literal::Positive(atom) => Some((atom, true)),
        Literal::Negative(atom) => Some((atom, false)),
        Literal::Distinct(..) | Literal::Same(..) => None,
    })
}

/// Numbers the relations so that none uses a higher one, or negates one that is not lower.
fn number(rules: &mut Rules) -> Result<(), Error> {
    let graph = Dependencies::of(&rules.rules);
    if let Some((rule, atom)) = graph.negations(&rules.rules).next() {
        let name = rules.symbols.name(rule.head.name).to_owned();
        return Err(Error::Unstratified { name, at: atom.at });
    }
    // What a component uses lies in the same one or in one that was found before.
    let mut strata = vec![0; graph.count];
    for &relation in &graph.order {
        let component = graph.component[&relation];
        for &(used, is_positive) in &graph.uses[&relation] {
            let below = graph.component[&used];
            if below != component {
                strata[component] = strata[component].max(strata[below] + u32::from(!is_positive));
            }
        }
    }
    rules.strata =
        graph.component.iter().map(|(&relation, &component)| (relation, strata[component])).collect();
    Ok(())
}

/// All relations that lie on a cycle with a negation.
fn cycle(rules: &[Rule]) -> FxHashSet<Symbol> {
    let graph = Dependencies::of(rules);
    let circular: FxHashSet<usize> =
        graph.negations(rules).map(|(rule, _)| graph.component[&rule.head.name]).collect();
    graph.order.iter().copied().filter(|relation| circular.contains(&graph.component[relation])).collect()
}

/// Which relations with rules use which, and the strongly connected components of that graph.
struct Dependencies {
    /// For each relation, those that its rules use, and whether plainly (not negated).
    uses: FxHashMap<Symbol, Vec<(Symbol, bool)>>,
    /// The component of each relation: those that use each other share one, and others come after what they use.
    component: FxHashMap<Symbol, usize>,
    /// The number of components.
    count: usize,
    /// The relations by component.
    order: Vec<Symbol>,
}

impl Dependencies {
    /// Tarjan's algorithm, with a stack of its own: rule sheets may be deep.
    fn of(rules: &[Rule]) -> Dependencies {
        let mut uses: FxHashMap<Symbol, Vec<(Symbol, bool)>> =
            rules.iter().map(|rule| (rule.head.name, Vec::new())).collect();
        for rule in rules {
            for (atom, is_positive) in conditions(rule) {
                if uses.contains_key(&atom.name) {
                    uses.get_mut(&rule.head.name).expect("it has rules").push((atom.name, is_positive));
                }
            }
        }
        let mut found = Dependencies { uses, component: FxHashMap::default(), count: 0, order: Vec::new() };
        let mut number: FxHashMap<Symbol, usize> = FxHashMap::default();
        let mut lowest: FxHashMap<Symbol, usize> = FxHashMap::default();
        let mut open: Vec<Symbol> = Vec::new();
        for rule in rules {
            if number.contains_key(&rule.head.name) {
                continue;
            }
            let mut path = vec![(rule.head.name, 0)];
            while let Some((relation, next)) = path.last_mut() {
                let relation = *relation;
                if *next == 0 {
                    let index = number.len();
                    number.insert(relation, index);
                    lowest.insert(relation, index);
                    open.push(relation);
                }
                let used = found.uses[&relation].get(*next).map(|&(used, _)| used);
                *next += 1;
                match used {
                    Some(used) if !number.contains_key(&used) => path.push((used, 0)),
                    Some(used) => {
                        if !found.component.contains_key(&used) {
                            let least = lowest[&relation].min(number[&used]);
                            lowest.insert(relation, least);
                        }
                    }
                    None => {
                        path.pop();
                        let own = lowest[&relation];
                        if let Some((parent, _)) = path.last() {
                            let least = lowest[parent].min(own);
                            lowest.insert(*parent, least);
                        }
                        if own == number[&relation] {
                            found.close(relation, &mut open);
                        }
                    }
                }
            }
        }
        found
    }

    /// Takes a whole component off the stack of open relations.
    fn close(&mut self, root: Symbol, open: &mut Vec<Symbol>) {
        while let Some(member) = open.pop() {
            self.component.insert(member, self.count);
            self.order.push(member);
            if member == root {
                break;
            }
        }
        self.count += 1;
    }

    /// The negations that lie on a cycle of relations, with the rules they stand in.
    fn negations<'r>(&self, rules: &'r [Rule]) -> impl Iterator<Item = (&'r Rule, &'r Atom)> {
        let all = rules.iter().flat_map(|rule| conditions(rule).map(move |condition| (rule, condition)));
        all.filter_map(|(rule, (atom, is_positive))| {
            let is_circular = self.component.get(&atom.name) == self.component.get(&rule.head.name);
            (!is_positive && is_circular).then_some((rule, atom))
        })
    }
}

/// A term with all variables left open.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Pattern {
    Open,
    Symbol(Symbol),
    Function(Symbol, Vec<Pattern>),
}

impl Pattern {
    fn of(term: &Term) -> Pattern {
        match term {
            Term::Variable(_) => Pattern::Open,
            Term::Symbol(name) => Pattern::Symbol(*name),
            Term::Function(name, args) => Pattern::Function(*name, args.iter().map(Pattern::of).collect()),
        }
    }

    /// Whether some term may be an instance of both.
    fn meets(&self, other: &Pattern) -> bool {
        match (self, other) {
            (Pattern::Open, _) | (_, Pattern::Open) => true,
            (Pattern::Symbol(own), Pattern::Symbol(other)) => own == other,
            (Pattern::Function(own, args), Pattern::Function(other, others)) => {
                own == other
                    && args.len() == others.len()
                    && args.iter().zip(others).all(|(own, other)| own.meets(other))
            }
            _ => false,
        }
    }

    /// A term with a new variable in each open place.
    fn term(&self, variables: &mut Vec<String>) -> Term {
        match self {
            Pattern::Open => {
                variables.push(format!("?{}", variables.len()));
                Term::Variable(variables.len() as u32 - 1)
            }
            Pattern::Symbol(name) => Term::Symbol(*name),
            Pattern::Function(name, args) => {
                Term::Function(*name, args.iter().map(|arg| arg.term(variables)).collect())
            }
        }
    }
}

/// A pattern of heads, and the relation that holds for its instances.
struct Class {
    pattern: Vec<Pattern>,
    relation: Symbol,
}

/// Gives each pattern of heads of the relations on a cycle its own relation; `false` if that makes too many rules.
fn split(rules: &mut Rules, cycle: &FxHashSet<Symbol>) -> bool {
    let mut classes: FxHashMap<Symbol, Vec<Class>> = FxHashMap::default();
    let mut known: FxHashMap<(Symbol, Vec<Pattern>), Symbol> = FxHashMap::default();
    let old = std::mem::take(&mut rules.rules);
    let mut made: Vec<Rule> = Vec::with_capacity(old.len());
    for rule in old.iter().filter(|rule| cycle.contains(&rule.head.name)) {
        let pattern: Vec<Pattern> = rule.head.args.iter().map(Pattern::of).collect();
        let key = (rule.head.name, pattern);
        if known.contains_key(&key) {
            continue;
        }
        let mut variables = Vec::new();
        let args: Vec<Term> = key.1.iter().map(|own| own.term(&mut variables)).collect();
        let shown: Vec<String> = args.iter().map(|arg| arg.display(&rules.symbols)).collect();
        // A word with parentheses and blanks is none that a rule sheet could have.
        let text = format!("({} {})", rules.symbols.name(rule.head.name), shown.join(" "));
        let relation = rules.symbols.intern(&text);
        let atom = |name| Atom { name, args: args.clone(), at: rule.head.at };
        made.push(Rule {
            head: atom(rule.head.name),
            body: vec![Literal::Positive(atom(relation))],
            variables,
            at: rule.at,
        });
        let class = Class { pattern: key.1.clone(), relation };
        classes.entry(rule.head.name).or_default().push(class);
        known.insert(key, relation);
    }
    for mut rule in old {
        if !cycle.contains(&rule.head.name) {
            made.push(rule);
            continue;
        }
        let pattern: Vec<Pattern> = rule.head.args.iter().map(Pattern::of).collect();
        rule.head.name = known[&(rule.head.name, pattern)];
        let mut variants = vec![Rule { body: Vec::new(), ..rule.clone() }];
        for literal in &rule.body {
            let (atom, is_positive) = match literal {
                Literal::Positive(atom) => (atom, true),
                Literal::Negative(atom) => (atom, false),
                Literal::Distinct(..) | Literal::Same(..) => {
                    variants.iter_mut().for_each(|variant| variant.body.push(literal.clone()));
                    continue;
                }
            };
            if !cycle.contains(&atom.name) {
                variants.iter_mut().for_each(|variant| variant.body.push(literal.clone()));
                continue;
            }
            let own: Vec<Pattern> = atom.args.iter().map(Pattern::of).collect();
            let meets = |class: &&Class| class.pattern.iter().zip(&own).all(|(one, two)| one.meets(two));
            let asked = classes.get(&atom.name).into_iter().flatten().filter(meets);
            let asked: Vec<Atom> = asked.map(|class| Atom { name: class.relation, ..atom.clone() }).collect();
            if is_positive {
                // It holds if one of them does.
                variants = variants
                    .iter()
                    .flat_map(|variant| {
                        asked.iter().map(|atom| {
                            let mut variant = variant.clone();
                            variant.body.push(Literal::Positive(atom.clone()));
                            variant
                        })
                    })
                    .collect();
            } else {
                for variant in &mut variants {
                    variant.body.extend(asked.iter().cloned().map(Literal::Negative));
                }
            }
            if made.len() + variants.len() > MOST_RULES {
                return false;
            }
        }
        made.extend(variants);
    }
    rules.rules = made;
    true
}

/// Instantiates the rules on a cycle by those of their conditions that only have facts; `false` if that makes too many.
fn instantiate(rules: &mut Rules, cycle: &FxHashSet<Symbol>) -> bool {
    let mut facts: FxHashMap<Symbol, Option<Vec<Vec<Term>>>> = FxHashMap::default();
    for rule in &rules.rules {
        let known = facts.entry(rule.head.name).or_insert_with(|| Some(Vec::new()));
        match known {
            Some(known) if rule.body.is_empty() => known.push(rule.head.args.clone()),
            _ => *known = None,
        }
    }
    let mut made = Vec::new();
    for rule in std::mem::take(&mut rules.rules) {
        if !cycle.contains(&rule.head.name) {
            made.push(rule);
            continue;
        }
        let mut variants = vec![rule];
        let mut at = 0;
        // Conditions with facts go away one by one, and leave their constants.
        while let Some(literal) = variants.first().and_then(|rule| rule.body.get(at)) {
            let given = match literal {
                Literal::Positive(atom) => facts.get(&atom.name).and_then(Option::as_ref),
                _ => None,
            };
            let Some(given) = given else {
                at += 1;
                continue;
            };
            let next = variants.iter().flat_map(|rule| {
                given.iter().filter_map(move |fact| {
                    let Literal::Positive(atom) = &rule.body[at] else {
                        unreachable!("all variants have the same conditions")
                    };
                    let mut binding = vec![None; rule.variables.len()];
                    let fits = atom.args.iter().zip(fact).all(|(arg, term)| bind(arg, term, &mut binding));
                    fits.then(|| applied(rule, at, &binding))
                })
            });
            variants = next.take(MOST_RULES + 1).collect();
            if made.len() + variants.len() > MOST_RULES {
                return false;
            }
        }
        made.extend(variants.into_iter().filter(|rule| !contradicts(rule)));
    }
    rules.rules = made;
    true
}

/// Matches a term with one that has no variables.
fn bind(term: &Term, fact: &Term, binding: &mut [Option<Term>]) -> bool {
    match (term, fact) {
        (Term::Variable(variable), _) => {
            let place = &mut binding[*variable as usize];
            match place {
                Some(known) => known == fact,
                None => {
                    *place = Some(fact.clone());
                    true
                }
            }
        }
        (Term::Symbol(own), Term::Symbol(other)) => own == other,
        (Term::Function(own, args), Term::Function(other, others)) => {
            own == other
                && args.len() == others.len()
                && args.iter().zip(others).all(|(arg, other)| bind(arg, other, binding))
        }
        _ => false,
    }
}

/// The rule without one of its conditions, and with variables replaced.
fn applied(rule: &Rule, without: usize, binding: &[Option<Term>]) -> Rule {
    fn replaced(term: &Term, binding: &[Option<Term>]) -> Term {
        match term {
            Term::Variable(variable) => binding[*variable as usize].clone().unwrap_or_else(|| term.clone()),
            Term::Symbol(_) => term.clone(),
            Term::Function(name, args) => {
                Term::Function(*name, args.iter().map(|arg| replaced(arg, binding)).collect())
            }
        }
    }
    let term = |term: &Term| replaced(term, binding);
    let atom = |atom: &Atom| Atom { args: atom.args.iter().map(term).collect(), ..atom.clone() };
    let rest = rule.body.iter().enumerate().filter(|&(number, _)| number != without);
    let body = rest.map(|(_, literal)| match literal {
        Literal::Positive(own) => Literal::Positive(atom(own)),
        Literal::Negative(own) => Literal::Negative(atom(own)),
        Literal::Distinct(one, two, at) => Literal::Distinct(term(one), term(two), *at),
        Literal::Same(one, two, at) => Literal::Same(term(one), term(two), *at),
    });
    Rule { head: atom(&rule.head), body: body.collect(), variables: rule.variables.clone(), at: rule.at }
}

/// Whether two equal terms must differ, or two different ones without variables be the same.
fn contradicts(rule: &Rule) -> bool {
    let is_ground = |term: &Term| {
        let mut variables = Vec::new();
        term.variables(&mut variables);
        variables.is_empty()
    };
    rule.body.iter().any(|literal| match literal {
        Literal::Distinct(one, two, _) => one == two,
        Literal::Same(one, two, _) => one != two && is_ground(one) && is_ground(two),
        _ => false,
    })
}
