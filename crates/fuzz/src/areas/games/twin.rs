//! The slow twin: GDL read and evaluated from its definition.
//!
//! Rules are read from the text once more, with `and`, `or` and `not` as they stand. What follows from them is computed
//! bottom-up: all rules, again and again, until nothing is new. Negation is that of the well-founded model (alternating
//! fixpoint: Van Gelder 1989), which for rules that are stratified, by relation or by instance, is the intended model and
//! leaves nothing undefined. Nothing here knows strata, plans, indices or networks.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A ground term or atom, by number.
pub(super) type Term = u32;

/// A set of fluents.
pub(super) type State = BTreeSet<Term>;

/// An expression as it was written, in lower case; variables begin with `?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expr {
    Word(String),
    List(Vec<Expr>),
}

/// Reads all expressions of a text.
pub(super) fn read(text: &str) -> Option<Vec<Expr>> {
    let bare: String =
        text.lines().map(|line| line.split(';').next().unwrap_or("").to_owned() + " ").collect();
    let spaced = bare.replace('(', " ( ").replace(')', " ) ").to_lowercase();
    let mut open: Vec<Vec<Expr>> = vec![Vec::new()];
    for word in spaced.split_whitespace() {
        match word {
            "(" => open.push(Vec::new()),
            ")" => {
                let list = open.pop()?;
                // `(p)` says the same as `p`.
                let expr = match <[Expr; 1]>::try_from(list) {
                    Ok([Expr::Word(word)]) => Expr::Word(word),
                    Ok([only]) => Expr::List(vec![only]),
                    Err(list) => Expr::List(list),
                };
                open.last_mut()?.push(expr);
            }
            word => open.last_mut()?.push(Expr::Word(word.to_owned())),
        }
    }
    (open.len() == 1).then(|| open.remove(0))
}

/// A rule as it was written.
struct Rule {
    head: Expr,
    body: Vec<Expr>,
    /// For how long what it says stays: 0 for ever, 1 with the state, 2 with the moves.
    level: u8,
}

/// Why the twin has no answer.
#[derive(Debug)]
pub(super) struct Unclear(pub(super) String);

/// What holds: atoms by their first word.
type Model = HashMap<String, BTreeSet<Term>>;

type Binding = HashMap<String, Term>;

/// The rules of a game.
pub(super) struct Twin {
    rules: Vec<Rule>,
    terms: Vec<Vec<Term>>,
    words: Vec<String>,
    number: HashMap<(String, Vec<Term>), Term>,
    /// What holds in every state.
    always: Model,
    pub(super) roles: Vec<Term>,
}

const CONNECTIVES: [&str; 4] = ["and", "or", "not", "distinct"];

impl Twin {
    pub(super) fn new(text: &str) -> Result<Twin, Unclear> {
        let exprs = read(text).ok_or_else(|| Unclear("brackets".to_owned()))?;
        let mut rules = Vec::new();
        for expr in exprs {
            let rule = match expr {
                Expr::List(list) if list.first() == Some(&Expr::Word("<=".to_owned())) => {
                    let mut list = list.into_iter().skip(1);
                    let head = list.next().ok_or_else(|| Unclear("a rule without a head".to_owned()))?;
                    Rule { head, body: list.collect(), level: 0 }
                }
                head => Rule { head, body: Vec::new(), level: 0 },
            };
            rules.push(rule);
        }
        let mut level: HashMap<String, u8> = HashMap::from([("true".to_owned(), 1), ("does".to_owned(), 2)]);
        for _ in 0..=rules.len() {
            for rule in &mut rules {
                let mut words = Vec::new();
                rule.body.iter().for_each(|condition| relations(condition, &mut words));
                let needs = words.iter().filter_map(|word| level.get(word)).max().copied().unwrap_or(0);
                let own = level.entry(word_of(&rule.head)).or_insert(0);
                *own = needs.max(*own);
            }
        }
        for rule in &mut rules {
            rule.level = level[&word_of(&rule.head)];
        }
        let (terms, words, number) = (Vec::new(), Vec::new(), HashMap::new());
        let mut twin = Twin { rules, terms, words, number, always: Model::new(), roles: Vec::new() };
        twin.always = twin.model(0, Model::new())?;
        // Roles in the order of the text.
        for at in 0..twin.rules.len() {
            let head = twin.rules[at].head.clone();
            if word_of(&head) == "role" {
                let Expr::List(list) = head else { return Err(Unclear("role".to_owned())) };
                let role = twin.ground(&list[1], &Binding::new())?;
                if !twin.roles.contains(&role) {
                    twin.roles.push(role);
                }
            }
        }
        Ok(twin)
    }

    fn make(&mut self, word: &str, args: Vec<Term>) -> Term {
        let next = self.terms.len() as Term;
        let key = (word.to_owned(), args);
        if let Some(&known) = self.number.get(&key) {
            return known;
        }
        self.words.push(key.0.clone());
        self.terms.push(key.1.clone());
        self.number.insert(key, next);
        next
    }

    /// A term as it is written.
    pub(super) fn show(&self, term: Term) -> String {
        let args: Vec<String> = self.terms[term as usize].iter().map(|&arg| self.show(arg)).collect();
        let word = &self.words[term as usize];
        if args.is_empty() { word.clone() } else { format!("({word} {})", args.join(" ")) }
    }

    /// The term of an expression whose variables are bound.
    fn ground(&mut self, expr: &Expr, binding: &Binding) -> Result<Term, Unclear> {
        match expr {
            Expr::Word(word) if word.starts_with('?') => {
                binding.get(word).copied().ok_or_else(|| Unclear(format!("{word} is not bound")))
            }
            Expr::Word(word) => Ok(self.make(word, Vec::new())),
            Expr::List(list) => {
                let args = list[1..].iter().map(|arg| self.ground(arg, binding)).collect::<Result<_, _>>()?;
                Ok(self.make(&word_of(expr), args))
            }
        }
    }

    /// Whether an expression can be this term; binds variables.
    fn fits(&self, expr: &Expr, term: Term, binding: &mut Binding) -> bool {
        match expr {
            Expr::Word(word) if word.starts_with('?') => *binding.entry(word.clone()).or_insert(term) == term,
            Expr::Word(word) => self.words[term as usize] == *word && self.terms[term as usize].is_empty(),
            Expr::List(list) => {
                let args = &self.terms[term as usize];
                self.words[term as usize] == word_of(expr)
                    && args.len() + 1 == list.len()
                    && list[1..].iter().zip(args).all(|(arg, &term)| self.fits(arg, term, binding))
            }
        }
    }

    /// All ways to satisfy conditions: what is left of them is tried in an order in which variables are bound.
    fn ways(
        &mut self,
        mut left: Vec<Expr>,
        binding: Binding,
        holds: &Model,
        denied: &Model,
        out: &mut Vec<Binding>,
    ) -> Result<(), Unclear> {
        if left.is_empty() {
            out.push(binding);
            return Ok(());
        }
        let is_test = |expr: &Expr| matches!(word_of(expr).as_str(), "not" | "distinct");
        let is_bound = |expr: &Expr| variables(expr).iter().all(|own| binding.contains_key(own));
        let ready = left
            .iter()
            .position(|expr| is_test(expr) && is_bound(expr))
            .or_else(|| left.iter().position(|expr| !is_test(expr)))
            // `(not (distinct ?x a))` binds, and `(not (or p q))` is two conditions.
            .unwrap_or(0);
        let condition = left.remove(ready);
        let Expr::List(list) = &condition else {
            if holds.get(&word_of(&condition)).is_some_and(|atoms| !atoms.is_empty()) {
                return self.ways(left, binding, holds, denied, out);
            }
            return Ok(());
        };
        match word_of(&condition).as_str() {
            "and" => {
                left.extend(list[1..].iter().cloned());
                self.ways(left, binding, holds, denied, out)
            }
            "or" => {
                for part in &list[1..] {
                    let with = [left.as_slice(), std::slice::from_ref(part)].concat();
                    self.ways(with, binding.clone(), holds, denied, out)?;
                }
                Ok(())
            }
            "distinct" => match self.ground(&list[1], &binding)? == self.ground(&list[2], &binding)? {
                true => Ok(()),
                false => self.ways(left, binding, holds, denied, out),
            },
            "not" => match word_of(&list[1]).as_str() {
                connective @ ("and" | "or" | "not") => {
                    let Expr::List(inner) = &list[1] else { return Err(Unclear("not".to_owned())) };
                    let negate = |part: &Expr| Expr::List(vec![Expr::Word("not".to_owned()), part.clone()]);
                    let condition = match connective {
                        "not" => inner[1].clone(),
                        other => {
                            let other = if other == "and" { "or" } else { "and" };
                            let parts = inner[1..].iter().map(negate);
                            Expr::List(std::iter::once(Expr::Word(other.to_owned())).chain(parts).collect())
                        }
                    };
                    left.push(condition);
                    self.ways(left, binding, holds, denied, out)
                }
                "distinct" => {
                    let Expr::List(inner) = &list[1] else { return Err(Unclear("distinct".to_owned())) };
                    let same = self.ground(&inner[1], &binding)? == self.ground(&inner[2], &binding)?;
                    if same { self.ways(left, binding, holds, denied, out) } else { Ok(()) }
                }
                word => {
                    let atom = self.ground(&list[1], &binding)?;
                    match denied.get(word).is_some_and(|atoms| atoms.contains(&atom)) {
                        true => Ok(()),
                        false => self.ways(left, binding, holds, denied, out),
                    }
                }
            },
            word => {
                for atom in holds.get(word).cloned().unwrap_or_default() {
                    let mut bound = binding.clone();
                    if self.fits(&condition, atom, &mut bound) {
                        self.ways(left.clone(), bound, holds, denied, out)?;
                    }
                }
                Ok(())
            }
        }
    }

    /// The least model of the rules of a level over what is given, where exactly the atoms of `denied` are not denied.
    fn least(&mut self, level: u8, given: &Model, denied: &Model) -> Result<Model, Unclear> {
        let mut holds = given.clone();
        loop {
            let mut grows = false;
            for at in 0..self.rules.len() {
                if self.rules[at].level != level {
                    continue;
                }
                let (head, body) = (self.rules[at].head.clone(), self.rules[at].body.clone());
                let mut ways = Vec::new();
                self.ways(body, Binding::new(), &holds, denied, &mut ways)?;
                for binding in ways {
                    let atom = self.ground(&head, &binding)?;
                    grows |= holds.entry(word_of(&head)).or_default().insert(atom);
                }
            }
            if !grows {
                return Ok(holds);
            }
        }
    }

    /// The well-founded model of the rules of a level over what is given; an error if it leaves something undefined.
    fn model(&mut self, level: u8, given: Model) -> Result<Model, Unclear> {
        let mut lower = given.clone();
        loop {
            let upper = self.least(level, &given, &lower)?;
            let next = self.least(level, &given, &upper)?;
            if next == upper {
                return Ok(next);
            }
            if next == lower {
                return Err(Unclear("something is neither true nor false".to_owned()));
            }
            lower = next;
        }
    }

    /// What holds in a state; `does` is not known.
    pub(super) fn in_state(&mut self, state: &State) -> Result<Model, Unclear> {
        let mut given = self.always.clone();
        let atoms = state.iter().map(|&fluent| self.make("true", vec![fluent])).collect();
        given.insert("true".to_owned(), atoms);
        self.model(1, given)
    }

    /// The state after a joint move in a state with this model.
    pub(super) fn next(&mut self, model: &Model, moves: &[Term]) -> Result<State, Unclear> {
        let mut given = model.clone();
        let roles = self.roles.clone();
        let atoms = roles.iter().zip(moves).map(|(&role, &own)| self.make("does", vec![role, own])).collect();
        given.insert("does".to_owned(), atoms);
        let model = self.model(2, given)?;
        Ok(self.arguments(&model, "next", 0))
    }

    fn arguments(&self, model: &Model, word: &str, column: usize) -> BTreeSet<Term> {
        let atoms = model.get(word).into_iter().flatten();
        atoms.map(|&atom| self.terms[atom as usize][column]).collect()
    }

    pub(super) fn initial(&self) -> State {
        self.arguments(&self.always, "init", 0)
    }

    pub(super) fn is_terminal(&self, model: &Model) -> bool {
        model.get("terminal").is_some_and(|atoms| !atoms.is_empty())
    }

    fn of_role(&self, model: &Model, word: &str, role: Term) -> Vec<Term> {
        let atoms = model.get(word).into_iter().flatten().map(|&atom| &self.terms[atom as usize]);
        atoms.filter(|args| args[0] == role).map(|args| args[1]).collect()
    }

    /// The legal moves of a role, sorted by their text.
    pub(super) fn legal(&self, model: &Model, role: usize) -> Vec<Term> {
        let by_text: BTreeMap<String, Term> = self
            .of_role(model, "legal", self.roles[role])
            .into_iter()
            .map(|own| (self.show(own), own))
            .collect();
        by_text.into_values().collect()
    }

    /// The greatest reward of a role, if it has one.
    pub(super) fn goal(&self, model: &Model, role: usize) -> Option<u32> {
        self.of_role(model, "goal", self.roles[role])
            .iter()
            .filter_map(|&own| self.show(own).parse().ok())
            .max()
    }
}

/// The first word of an expression.
fn word_of(expr: &Expr) -> String {
    match expr {
        Expr::Word(word) => word.clone(),
        Expr::List(list) => list.first().map(word_of).unwrap_or_default(),
    }
}

/// The relations of a condition.
fn relations(expr: &Expr, out: &mut Vec<String>) {
    let word = word_of(expr);
    match expr {
        Expr::List(list) if word == "distinct" => drop(list.len()),
        Expr::List(list) if CONNECTIVES.contains(&word.as_str()) => {
            list[1..].iter().for_each(|part| relations(part, out));
        }
        _ => out.push(word),
    }
}

fn variables(expr: &Expr) -> Vec<String> {
    match expr {
        Expr::Word(word) if word.starts_with('?') => vec![word.clone()],
        Expr::Word(_) => Vec::new(),
        Expr::List(list) => list.iter().flat_map(variables).collect(),
    }
}
