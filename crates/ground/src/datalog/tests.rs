//! The engine against a naive twin, and against joins that must not be enumerated.

use std::collections::BTreeSet;
use std::time::Duration;

use counterplay_base::{Budget, Id, Limit};

use super::{Atom, Program, Query, RelationId, Rule, Symbol, Term, Test, evaluate};

/// Applies all rules to all combinations of facts until nothing changes.
fn naive(program: &Program) -> BTreeSet<(usize, Vec<Symbol>)> {
    let mut facts = BTreeSet::new();
    for (relation, &count) in program.counts.enumerate() {
        let arity = program.arities[relation];
        for number in 0..count {
            facts.insert((relation.index(), program.facts[relation][number * arity..][..arity].to_vec()));
        }
    }
    loop {
        let mut new = facts.clone();
        for rule in &program.rules {
            let mut bindings: Vec<Vec<Option<Symbol>>> = vec![vec![None; 16]];
            for atom in &rule.body {
                bindings = bindings.iter().flat_map(|binding| extend(binding, atom, &facts)).collect();
            }
            for binding in bindings {
                if rule.tests.iter().all(|test| passes(test, &binding, &facts)) {
                    new.insert((rule.head.relation.index(), instance(&rule.head, &binding)));
                }
            }
        }
        if new.len() == facts.len() {
            return facts;
        }
        facts = new;
    }
}

fn extend(
    binding: &[Option<Symbol>],
    atom: &Atom,
    facts: &BTreeSet<(usize, Vec<Symbol>)>,
) -> Vec<Vec<Option<Symbol>>> {
    let mut all = Vec::new();
    for (relation, tuple) in facts {
        let mut extended = binding.to_vec();
        let fits = *relation == atom.relation.index()
            && atom.terms.iter().zip(tuple).all(|(term, &symbol)| match *term {
                Term::Symbol(own) => own == symbol,
                Term::Variable(variable) => *extended[variable as usize].get_or_insert(symbol) == symbol,
            });
        if fits {
            all.push(extended);
        }
    }
    all
}

fn term(term: Term, binding: &[Option<Symbol>]) -> Symbol {
    match term {
        Term::Symbol(symbol) => symbol,
        Term::Variable(variable) => binding[variable as usize].expect("rules are safe"),
    }
}

fn instance(atom: &Atom, binding: &[Option<Symbol>]) -> Vec<Symbol> {
    atom.terms.iter().map(|&t| term(t, binding)).collect()
}

fn passes(test: &Test, binding: &[Option<Symbol>], facts: &BTreeSet<(usize, Vec<Symbol>)>) -> bool {
    match test {
        Test::Different(left, right) => term(*left, binding) != term(*right, binding),
        Test::Absent(atom) => !facts.contains(&(atom.relation.index(), instance(atom, binding))),
    }
}

/// A small generator of pseudo-random numbers (splitmix64): the tests need no more.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

/// Three input relations, four derived ones, random rules of up to four atoms.
fn random_program(dice: &mut Dice) -> Program {
    let symbols = 2 + dice.below(4);
    let mut program = Program::new(symbols);
    let relations: Vec<RelationId> = (0..7).map(|_| program.relation(dice.below(4))).collect();
    for _ in 0..12 {
        let relation = relations[dice.below(5)];
        let tuple: Vec<Symbol> =
            (0..program.arities[relation]).map(|_| dice.below(symbols) as Symbol).collect();
        program.fact(relation, &tuple);
    }
    for _ in 0..1 + dice.below(8) {
        let body: Vec<Atom> = (0..1 + dice.below(4))
            .map(|_| {
                let relation = relations[dice.below(7)];
                random_atom(dice, &program, relation, symbols, &[0, 1, 2, 3, 4, 5])
            })
            .collect();
        let bound: Vec<u32> = body.iter().flat_map(Atom::variables).collect();
        let relation = relations[3 + dice.below(4)];
        let head = random_atom(dice, &program, relation, symbols, &bound);
        let mut tests = Vec::new();
        if dice.below(3) == 0 {
            let relation = relations[dice.below(3)];
            tests.push(Test::Absent(random_atom(dice, &program, relation, symbols, &bound)));
        }
        if dice.below(3) == 0 && bound.len() >= 2 {
            let (left, right) = (bound[dice.below(bound.len())], bound[dice.below(bound.len())]);
            tests.push(Test::Different(Term::Variable(left), Term::Variable(right)));
        }
        program.rule(Rule { head, body, tests });
    }
    program
}

fn random_atom(
    dice: &mut Dice,
    program: &Program,
    relation: RelationId,
    symbols: usize,
    variables: &[u32],
) -> Atom {
    let terms = (0..program.arities[relation])
        .map(|_| {
            if variables.is_empty() || dice.below(8) == 0 {
                Term::Symbol(dice.below(symbols) as Symbol)
            } else {
                Term::Variable(variables[dice.below(variables.len())])
            }
        })
        .collect();
    Atom { relation, terms }
}

#[test]
fn agrees_with_naive_evaluation() {
    for seed in 0..1500 {
        let program = random_program(&mut Dice(seed));
        let expected = naive(&program);
        let own: Vec<RelationId> = program.arities.ids().collect();
        let database = evaluate(program, &Budget::unlimited()).expect("no limit");
        let mut found = BTreeSet::new();
        for &relation in &own {
            for tuple in database.relation(relation).tuples() {
                assert!(found.insert((relation.index(), tuple.to_vec())), "seed {seed}: a tuple twice");
            }
        }
        assert_eq!(found, expected, "seed {seed}");
    }
}

fn atom(relation: RelationId, variables: &[u32]) -> Atom {
    Atom { relation, terms: variables.iter().map(|&variable| Term::Variable(variable)).collect() }
}

#[test]
fn queries_find_what_a_rule_would() {
    let mut program = Program::new(50);
    let edge = program.relation(2);
    for i in 0..49 {
        program.fact(edge, &[i, i + 1]);
        program.fact(edge, &[i, (i * 7) % 50]);
    }
    let two = program.relation(2);
    program.rule(Rule {
        head: atom(two, &[0, 2]),
        body: vec![atom(edge, &[0, 1]), atom(edge, &[1, 2])],
        tests: vec![Test::Different(Term::Variable(0), Term::Variable(2))],
    });
    let budget = Budget::unlimited();
    let mut database = evaluate(program, &budget).expect("no limit");
    let body = [atom(edge, &[0, 1]), atom(edge, &[1, 2])];
    let tests = [Test::Different(Term::Variable(0), Term::Variable(2))];
    let mut query = Query::new(&mut database, &body, &tests, &[0], &[2], &budget).expect("no limit");
    let mut pairs = BTreeSet::new();
    for start in 0..50 {
        query.ask(&[start]);
        while let Some(answer) = query.next(&database, &budget).expect("no limit") {
            pairs.insert((answer[0], answer[2]));
        }
    }
    let expected: BTreeSet<_> = database.relation(two).tuples().map(|t| (t[0], t[1])).collect();
    assert_eq!(pairs, expected);
}

#[test]
fn a_chain_of_twelve_is_projected_not_enumerated() {
    // Twelve layers of 60 symbols, fully connected: 60^12 paths, but each start has one.
    let mut program = Program::new(60);
    let edge = program.relation(2);
    for i in 0..60 {
        for j in 0..60 {
            program.fact(edge, &[i, j]);
        }
    }
    let start = program.relation(1);
    let body = (0..11).map(|i| atom(edge, &[i, i + 1])).collect();
    program.rule(Rule { head: atom(start, &[0]), body, tests: vec![] });
    let database = evaluate(program, &Budget::unlimited()).expect("no limit");
    assert_eq!(database.relation(start).len(), 60);
}

#[test]
fn a_product_of_twelve_stops_in_time() {
    let mut program = Program::new(2000);
    let object = program.relation(1);
    for i in 0..2000 {
        program.fact(object, &[i]);
    }
    let all = program.relation(12);
    let variables: Vec<u32> = (0..12).collect();
    program.rule(Rule {
        head: atom(all, &variables),
        body: variables.iter().map(|&variable| atom(object, &[variable])).collect(),
        tests: vec![],
    });
    let budget = Budget::unlimited().with_time(Duration::from_millis(50));
    assert!(matches!(evaluate(program, &budget), Err(Limit::Time(_))));
    assert!(budget.elapsed() < Duration::from_secs(30));
}

#[test]
fn memory_is_asked_for_before_it_is_taken() {
    let mut program = Program::new(100);
    let object = program.relation(1);
    for i in 0..100 {
        program.fact(object, &[i]);
    }
    let all = program.relation(6);
    let variables: Vec<u32> = (0..6).collect();
    program.rule(Rule {
        head: atom(all, &variables),
        body: variables.iter().map(|&variable| atom(object, &[variable])).collect(),
        tests: vec![],
    });
    let budget = Budget::unlimited().with_memory(1 << 20, || None);
    assert_eq!(evaluate(program, &budget).err(), Some(Limit::Bytes(1 << 20)));
}
