//! Semi-naive evaluation, one fact at a time.

use counterplay_base::{Budget, BudgetPoll, IdVec, Limit};

use super::join::{Join, Plan, fill};
use super::plan::plan;
use super::relation::Relation;
use super::{Atom, Program, RelationId, Rule, Symbol, Term, decompose, variable_count};

/// Everything that follows from a program.
#[derive(Clone, Debug)]
pub struct Database {
    pub(super) relations: IdVec<RelationId, Relation>,
}

impl Database {
    /// The contents of a relation.
    pub fn relation(&self, relation: RelationId) -> &Relation {
        &self.relations[relation]
    }
}

/// The facts of a program and all that follows from them by its rules.
///
/// The order of the tuples is the order of derivation: the same program gives the same order.
pub fn evaluate(mut program: Program, budget: &Budget) -> Result<Database, Limit> {
    decompose::decompose(&mut program, budget)?;
    let mut engine = Engine::new(program, budget)?;
    engine.run_input_rules(budget)?;
    engine.run(budget)?;
    Ok(Database { relations: engine.relations })
}

struct Engine {
    relations: IdVec<RelationId, Relation>,
    /// Relations that rules add to.
    derived: Vec<RelationId>,
    rules: Vec<Rule>,
    /// For each relation the places in rule bodies where its new tuples can stand.
    triggers: IdVec<RelationId, Vec<Trigger>>,
    join: Join,
    head: Vec<Symbol>,
    poll: BudgetPoll,
}

/// A new tuple of this atom's relation may complete the rule.
struct Trigger {
    rule: usize,
    position: usize,
    variables: usize,
    /// Columns whose symbol is fixed by the atom.
    fixed: Vec<(usize, Symbol)>,
    /// Columns that bind variables.
    bind: Vec<(usize, u32)>,
    /// Columns that must be equal.
    equal: Vec<(usize, usize)>,
    plan: Plan,
    /// How large the relations of the other atoms may get before another plan is due.
    good_until: usize,
}

impl Engine {
    fn new(program: Program, budget: &Budget) -> Result<Engine, Limit> {
        let Program { symbols, arities, facts, counts, rules } = program;
        let mut relations: IdVec<RelationId, Relation> =
            arities.iter().map(|&arity| Relation::new(arity, symbols)).collect();
        for (relation, &count) in counts.enumerate() {
            let arity = arities[relation];
            for number in 0..count {
                relations[relation].store(&facts[relation][number * arity..(number + 1) * arity], budget)?;
            }
        }
        let mut is_derived = IdVec::filled(false, arities.len());
        for rule in &rules {
            is_derived[rule.head.relation] = true;
        }
        for relation in arities.ids().filter(|&relation| !is_derived[relation]) {
            while relations[relation].activate().is_some() {}
        }
        let mut triggers: IdVec<RelationId, Vec<Trigger>> = arities.ids().map(|_| Vec::new()).collect();
        for (at, rule) in rules.iter().enumerate() {
            for (position, atom) in rule.body.iter().enumerate() {
                if is_derived[atom.relation] {
                    triggers[atom.relation].push(Trigger::new(at, position, rule));
                }
            }
        }
        Ok(Engine {
            relations,
            derived: arities.ids().filter(|&relation| is_derived[relation]).collect(),
            rules,
            triggers,
            join: Join::default(),
            head: Vec::new(),
            poll: BudgetPoll::every(1024),
        })
    }

    /// Rules whose body has input relations only are joined once.
    fn run_input_rules(&mut self, budget: &Budget) -> Result<(), Limit> {
        for at in 0..self.rules.len() {
            let rule = &self.rules[at];
            if rule.body.iter().any(|atom| self.derived.contains(&atom.relation)) {
                continue;
            }
            let variables = variable_count(&rule.body, &rule.tests);
            let body: Vec<&Atom> = rule.body.iter().collect();
            let wanted: Vec<u32> = rule.head.variables().collect();
            let mut bound = vec![false; variables];
            let plan = plan(&body, &rule.tests, &wanted, &mut bound, &mut self.relations, budget)?;
            self.join.restart(&plan, variables);
            while self.join.advance(&plan, &self.relations, &mut self.poll, budget)? {
                fill(&mut self.head, &rule.head.terms, &self.join.binding);
                self.relations[rule.head.relation].store(&self.head, budget)?;
            }
        }
        Ok(())
    }

    /// Activates tuple after tuple until no relation has a new one.
    fn run(&mut self, budget: &Budget) -> Result<(), Limit> {
        let mut quiet = false;
        while !quiet {
            quiet = true;
            for at in 0..self.derived.len() {
                let relation = self.derived[at];
                while let Some(number) = self.relations[relation].activate() {
                    quiet = false;
                    self.poll.step(budget)?;
                    for trigger in 0..self.triggers[relation].len() {
                        self.fire(relation, number, trigger, budget)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Joins one new tuple, at one place of one rule, with everything active.
    fn fire(
        &mut self,
        relation: RelationId,
        number: usize,
        trigger: usize,
        budget: &Budget,
    ) -> Result<(), Limit> {
        let trigger = &mut self.triggers[relation][trigger];
        let rule = &self.rules[trigger.rule];
        if !trigger.fits(self.relations[relation].tuple(number)) {
            return Ok(());
        }
        if trigger.is_outdated(rule, &self.relations) {
            trigger.replan(rule, &mut self.relations, budget)?;
        }
        self.join.restart(&trigger.plan, trigger.variables);
        let tuple = self.relations[relation].tuple(number);
        for &(column, variable) in &trigger.bind {
            self.join.binding[variable as usize] = tuple[column];
        }
        while self.join.advance(&trigger.plan, &self.relations, &mut self.poll, budget)? {
            fill(&mut self.head, &rule.head.terms, &self.join.binding);
            self.relations[rule.head.relation].store(&self.head, budget)?;
        }
        Ok(())
    }
}

impl Trigger {
    fn new(at: usize, position: usize, rule: &Rule) -> Trigger {
        let mut trigger = Trigger {
            rule: at,
            position,
            variables: variable_count(&rule.body, &rule.tests),
            fixed: Vec::new(),
            bind: Vec::new(),
            equal: Vec::new(),
            plan: Plan::default(),
            good_until: 0,
        };
        for (column, term) in rule.body[position].terms.iter().enumerate() {
            match *term {
                Term::Symbol(symbol) => trigger.fixed.push((column, symbol)),
                Term::Variable(variable) => match trigger.bind.iter().find(|&&(_, v)| v == variable) {
                    Some(&(first, _)) => trigger.equal.push((first, column)),
                    None => trigger.bind.push((column, variable)),
                },
            }
        }
        trigger
    }

    #[inline]
    fn fits(&self, tuple: &[Symbol]) -> bool {
        self.fixed.iter().all(|&(column, symbol)| tuple[column] == symbol)
            && self.equal.iter().all(|&(left, right)| tuple[left] == tuple[right])
    }

    /// Tuples in the relations of the rule's atoms.
    fn mass(rule: &Rule, relations: &IdVec<RelationId, Relation>) -> usize {
        rule.body.iter().map(|atom| relations[atom.relation].active()).sum()
    }

    #[inline]
    fn is_outdated(&self, rule: &Rule, relations: &IdVec<RelationId, Relation>) -> bool {
        Trigger::mass(rule, relations) > self.good_until
    }

    fn replan(
        &mut self,
        rule: &Rule,
        relations: &mut IdVec<RelationId, Relation>,
        budget: &Budget,
    ) -> Result<(), Limit> {
        let mut bound = vec![false; self.variables];
        for &(_, variable) in &self.bind {
            bound[variable as usize] = true;
        }
        let others = rule.body.iter().enumerate().filter(|&(position, _)| position != self.position);
        let body: Vec<&Atom> = others.map(|(_, atom)| atom).collect();
        let wanted: Vec<u32> = rule.head.variables().collect();
        self.plan = plan(&body, &rule.tests, &wanted, &mut bound, relations, budget)?;
        self.good_until = 3 * Trigger::mass(rule, relations) + 8;
        Ok(())
    }
}
