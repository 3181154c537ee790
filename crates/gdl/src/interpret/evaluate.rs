//! Answering questions from the top down, each question once.
//!
//! A question is a relation with some known columns; its answers are kept in a table, as long as nothing they
//! depend on changes (tabling: Tamaki and Sato 1986; Chen and Warren 1996). Relations that do not depend on the one
//! at hand are answered completely before we go on, so negation is safe in stratified rules. Among relations that
//! depend on each other, a rule that asks an open question is put aside, and goes on once for each answer that comes.

use std::sync::Arc;

use counterplay_base::{Budget, BudgetPoll, Id, IdVec};
use rustc_hash::FxHashMap;

use super::InterpretError;
use super::compile::are_all;
use super::plan::{Lookup, Match, Pattern, Plan, QuestionId, Source, Step, StoreId};
use super::program::{Lifetime, Program, RelationId};
use super::rows::Rows;
use super::store::{Bucket, Columns, Store};
use super::terms::{TermId, Terms};
use crate::model::Symbol;

/// Relations may be based on others so many times; more would need more stack than a thread has.
const DEEPEST: usize = 400;

/// A question about a relation: all its calls have the same columns known.
#[derive(Clone, Debug)]
struct Question {
    relation: RelationId,
    columns: Columns,
    /// Whether everything is known, so that one answer is enough.
    is_test: bool,
    plans: Option<Arc<[Plan]>>,
    calls: Rows,
    tables: Vec<Table>,
}

/// One call of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Call {
    question: QuestionId,
    number: usize,
}

/// The answers to a call.
#[derive(Clone, Debug, Default)]
struct Table {
    answers: Rows,
    is_complete: bool,
    waiting: Vec<Waiting>,
}

/// A rule that was put aside.
#[derive(Clone, Debug)]
struct Waiting {
    caller: Call,
    plan: usize,
    step: usize,
    values: Box<[TermId]>,
    /// The next answer to go on with.
    next: usize,
    is_queued: bool,
}

/// Calls that are answered together.
#[derive(Default)]
struct Group {
    members: Vec<Call>,
    fresh: Vec<Call>,
    /// Rules that can go on: what they wait for, and their number there.
    agenda: Vec<(Call, usize)>,
}

/// Rows that are gone through.
struct Cursor {
    step: usize,
    rows: Found,
    next: usize,
}

#[derive(Clone, Copy)]
enum Found {
    Bucket(StoreId, Bucket),
    Answers(Call),
}

/// Facts, tables and what they were computed from.
#[derive(Clone, Debug)]
pub(super) struct Engine {
    pub(super) program: Arc<Program>,
    pub(super) terms: Terms,
    pub(super) stores: IdVec<StoreId, Store>,
    /// The facts of relations that have nothing else.
    pub(super) facts: IdVec<RelationId, Option<StoreId>>,
    /// All fluents, one column.
    pub(super) fluents: StoreId,
    /// Role and move.
    pub(super) does: StoreId,
    /// The arguments of fluents with the same name.
    named: FxHashMap<TermId, StoreId>,
    questions: IdVec<QuestionId, Question>,
    known: FxHashMap<(RelationId, Columns), QuestionId>,
    /// The state that the fluents are from.
    state: Vec<TermId>,
    depth: usize,
}

impl Engine {
    pub(super) fn new(program: Program) -> Result<Engine, InterpretError> {
        let mut stores: IdVec<StoreId, Store> = IdVec::new();
        let fluents = stores.push(Store::default());
        let does = stores.push(Store::default());
        let terms = Terms::new(program.rules.symbols.len());
        let mut engine = Engine {
            facts: IdVec::filled(None, program.relations.len()),
            program: Arc::new(program),
            terms,
            stores,
            fluents,
            does,
            named: FxHashMap::default(),
            questions: IdVec::new(),
            known: FxHashMap::default(),
            state: Vec::new(),
            depth: 0,
        };
        let program = Arc::clone(&engine.program);
        for (id, relation) in program.relations.enumerate().filter(|(_, relation)| relation.is_facts) {
            let mut store = Store::default();
            for rule in program.rules_of(id) {
                let plan = engine.plan(rule, 0)?;
                let row = engine.build_all(&plan.head, &[])?;
                store.insert(&row);
            }
            debug_assert!(relation.lifetime == Lifetime::Rules);
            engine.facts[id] = Some(engine.stores.push(store));
        }
        Ok(engine)
    }

    /// The facts of fluents with this name.
    pub(super) fn fluents_named(&mut self, name: Symbol) -> StoreId {
        let name = self.terms.constant(name);
        if let Some(&known) = self.named.get(&name) {
            return known;
        }
        let store = self.stores.push(Store::default());
        self.named.insert(name, store);
        for &fluent in &self.state {
            if let Some([own, args @ ..]) = self.terms.compound(fluent)
                && *own == name
            {
                self.stores[store].insert(args);
            }
        }
        store
    }

    pub(super) fn question(&mut self, relation: RelationId, columns: Columns) -> QuestionId {
        let arity = self.program.relations[relation].arity;
        let (questions, known) = (&mut self.questions, &mut self.known);
        *known.entry((relation, columns)).or_insert_with(|| {
            questions.push(Question {
                relation,
                columns,
                is_test: are_all(columns, arity),
                plans: None,
                calls: Rows::default(),
                tables: Vec::new(),
            })
        })
    }

    /// Makes these the fluents that hold.
    pub(super) fn load(&mut self, state: &[TermId]) {
        if self.state == state {
            return;
        }
        self.forget(Lifetime::State);
        self.stores[self.fluents].clear();
        for store in self.named.values() {
            self.stores[*store].clear();
        }
        self.state.clear();
        self.state.extend_from_slice(state);
        for &fluent in state {
            self.stores[self.fluents].insert(&[fluent]);
            if let Some([name, args @ ..]) = self.terms.compound(fluent)
                && let Some(&store) = self.named.get(name)
            {
                self.stores[store].insert(args);
            }
        }
    }

    /// Makes these the moves that are made.
    pub(super) fn set_moves(&mut self, roles: &[TermId], moves: &[TermId]) {
        self.forget(Lifetime::Moves);
        self.stores[self.does].clear();
        for (&role, &own) in roles.iter().zip(moves) {
            self.stores[self.does].insert(&[role, own]);
        }
    }

    /// Forgets answers that live no longer than this.
    fn forget(&mut self, lifetime: Lifetime) {
        for question in self.questions.iter_mut() {
            if self.program.relations[question.relation].lifetime >= lifetime {
                for table in question.tables.iter_mut().take(question.calls.len()) {
                    table.answers.clear();
                    table.waiting.clear();
                    table.is_complete = false;
                }
                question.calls.clear();
            }
        }
    }

    /// The answers to a question about a relation, as rows of all its columns.
    pub(super) fn ask(
        &mut self,
        relation: RelationId,
        columns: Columns,
        key: &[TermId],
        budget: &Budget,
    ) -> Result<Vec<Box<[TermId]>>, InterpretError> {
        let found = match self.facts[relation] {
            Some(store) => {
                let arity = self.program.relations[relation].arity;
                Found::Bucket(store, self.stores[store].select(columns, arity, key))
            }
            None => {
                let question = self.question(relation, columns);
                let call = self.call(question, key);
                let mut run = Run { engine: self, budget, poll: BudgetPoll::every(512) };
                if let Err(trouble) = run.complete(call) {
                    // Tables that were given up in the middle would look empty.
                    self.depth = 0;
                    self.forget(Lifetime::Rules);
                    return Err(trouble);
                }
                Found::Answers(call)
            }
        };
        Ok((0..).map_while(|n| self.row(found, n)).map(Box::from).collect())
    }

    fn call(&mut self, question: QuestionId, key: &[TermId]) -> Call {
        let asked = &mut self.questions[question];
        let (number, _) = asked.calls.insert(key);
        if number == asked.tables.len() {
            asked.tables.push(Table::default());
        }
        Call { question, number }
    }

    fn table(&mut self, call: Call) -> &mut Table {
        &mut self.questions[call.question].tables[call.number]
    }

    fn row(&self, found: Found, n: usize) -> Option<&[TermId]> {
        match found {
            Found::Bucket(store, bucket) => self.stores[store].row(bucket, n),
            Found::Answers(call) => {
                let answers = &self.questions[call.question].tables[call.number].answers;
                (n < answers.len()).then(|| answers.get(n))
            }
        }
    }

    fn plans(&mut self, question: QuestionId) -> Result<Arc<[Plan]>, InterpretError> {
        if let Some(plans) = &self.questions[question].plans {
            return Ok(Arc::clone(plans));
        }
        let (relation, columns) = (self.questions[question].relation, self.questions[question].columns);
        let program = Arc::clone(&self.program);
        let plans: Arc<[Plan]> =
            program.rules_of(relation).map(|rule| self.plan(rule, columns)).collect::<Result<_, _>>()?;
        self.questions[question].plans = Some(Arc::clone(&plans));
        Ok(plans)
    }

    fn build(&mut self, pattern: &Pattern, values: &[TermId]) -> Result<TermId, InterpretError> {
        match pattern {
            Pattern::Ground(term) => Ok(*term),
            Pattern::Bound(variable) => Ok(values[*variable]),
            Pattern::Function(name, args) => {
                let mut row = Vec::with_capacity(args.len() + 1);
                row.push(*name);
                for arg in args {
                    row.push(self.build(arg, values)?);
                }
                self.terms.make(&row)
            }
        }
    }

    fn build_all(&mut self, patterns: &[Pattern], values: &[TermId]) -> Result<Vec<TermId>, InterpretError> {
        patterns.iter().map(|pattern| self.build(pattern, values)).collect()
    }
}

/// Whether a term fits; binds variables on the way.
fn fits(terms: &Terms, pattern: &Match, term: TermId, values: &mut [TermId]) -> bool {
    match pattern {
        Match::Equal(own) => *own == term,
        Match::Check(variable) => values[*variable] == term,
        Match::Bind(variable) => {
            values[*variable] = term;
            true
        }
        Match::Function(name, args) => match terms.compound(term) {
            Some([own, rest @ ..]) if own == name && rest.len() == args.len() => {
                args.iter().zip(rest).all(|(arg, &term)| fits(terms, arg, term, values))
            }
            _ => false,
        },
    }
}

/// Answering, under a budget.
struct Run<'a> {
    engine: &'a mut Engine,
    budget: &'a Budget,
    poll: BudgetPoll,
}

impl Run<'_> {
    /// Finds all answers to a call.
    fn complete(&mut self, call: Call) -> Result<(), InterpretError> {
        if self.engine.table(call).is_complete {
            return Ok(());
        }
        if self.engine.depth == DEEPEST {
            return Err(InterpretError::Nested);
        }
        self.engine.depth += 1;
        let mut group = Group { members: vec![call], fresh: vec![call], agenda: Vec::new() };
        loop {
            if let Some(call) = group.fresh.pop() {
                self.begin(call, &mut group)?;
            } else if let Some((call, number)) = group.agenda.pop() {
                self.go_on(call, number, &mut group)?;
            } else {
                break;
            }
        }
        for call in group.members {
            let table = self.engine.table(call);
            table.is_complete = true;
            table.waiting.clear();
        }
        self.engine.depth -= 1;
        Ok(())
    }

    /// Applies all rules to a new call.
    fn begin(&mut self, call: Call, group: &mut Group) -> Result<(), InterpretError> {
        let plans = self.engine.plans(call.question)?;
        for (number, plan) in plans.iter().enumerate() {
            if self.is_answered(call) {
                break;
            }
            let mut values = vec![TermId::new(0); plan.variables];
            let question = &self.engine.questions[call.question];
            let key = question.calls.get(call.number);
            let terms = &self.engine.terms;
            if plan.open.iter().zip(key).all(|(open, &term)| fits(terms, open, term, &mut values)) {
                self.join(call, number, plan, 0, values, group)?;
            }
        }
        Ok(())
    }

    /// Goes on with a rule that was put aside, for all answers that it has not seen.
    fn go_on(&mut self, call: Call, number: usize, group: &mut Group) -> Result<(), InterpretError> {
        self.engine.table(call).waiting[number].is_queued = false;
        loop {
            let table = self.engine.table(call);
            let answers = table.answers.len();
            let waiting = &mut table.waiting[number];
            if waiting.next == answers {
                return Ok(());
            }
            let answer = waiting.next;
            waiting.next += 1;
            let (caller, plan, step) = (waiting.caller, waiting.plan, waiting.step);
            let mut values = waiting.values.to_vec();
            let plans = self.engine.plans(caller.question)?;
            let Step::Holds(lookup) = &plans[plan].steps[step] else {
                unreachable!("rules wait at conditions that have answers")
            };
            let row = self.engine.row(Found::Answers(call), answer).expect("counted above");
            if accepts(&self.engine.terms, lookup, row, &mut values) {
                self.join(caller, plan, &plans[plan], step + 1, values, group)?;
            }
        }
    }

    fn is_answered(&mut self, call: Call) -> bool {
        let question = &self.engine.questions[call.question];
        question.is_test && question.tables[call.number].answers.len() > 0
    }

    /// Goes through all ways to satisfy the conditions of a rule from `first` on.
    fn join(
        &mut self,
        call: Call,
        number: usize,
        plan: &Plan,
        first: usize,
        mut values: Vec<TermId>,
        group: &mut Group,
    ) -> Result<(), InterpretError> {
        let mut cursors: Vec<Cursor> = Vec::new();
        let mut at = first;
        loop {
            let holds = match plan.steps.get(at) {
                None => {
                    self.answer(call, plan, &values, group)?;
                    if self.is_answered(call) {
                        return Ok(());
                    }
                    false
                }
                Some(Step::Differ(one, other)) => {
                    self.engine.build(one, &values)? != self.engine.build(other, &values)?
                }
                Some(Step::Same(known, open)) => {
                    let term = self.engine.build(known, &values)?;
                    fits(&self.engine.terms, open, term, &mut values)
                }
                Some(Step::HoldsNot(lookup)) => {
                    let found = self.open(lookup, &values)?;
                    let mut n = 0;
                    let mut any = false;
                    while let Some(row) = self.engine.row(found, n) {
                        any |= accepts(&self.engine.terms, lookup, row, &mut values);
                        n += 1;
                    }
                    !any
                }
                Some(Step::Holds(lookup)) => {
                    if let Some(asked) = self.same_group(call, lookup, &values, group)? {
                        let waiting = Waiting {
                            caller: call,
                            plan: number,
                            step: at,
                            values: values.clone().into(),
                            next: 0,
                            is_queued: true,
                        };
                        let table = self.engine.table(asked);
                        table.waiting.push(waiting);
                        group.agenda.push((asked, table.waiting.len() - 1));
                    } else {
                        let rows = self.open(lookup, &values)?;
                        cursors.push(Cursor { step: at, rows, next: 0 });
                    }
                    false
                }
            };
            if holds {
                at += 1;
                continue;
            }
            let Some(step) = self.advance(&mut cursors, plan, &mut values)? else { return Ok(()) };
            at = step + 1;
        }
    }

    /// Takes the next row of the last condition that has one, and says which condition that was.
    fn advance(
        &mut self,
        cursors: &mut Vec<Cursor>,
        plan: &Plan,
        values: &mut [TermId],
    ) -> Result<Option<usize>, InterpretError> {
        while let Some(cursor) = cursors.last_mut() {
            let Step::Holds(lookup) = &plan.steps[cursor.step] else {
                unreachable!("only these have rows to go through")
            };
            while let Some(row) = self.engine.row(cursor.rows, cursor.next) {
                self.poll.step(self.budget).map_err(InterpretError::Stopped)?;
                cursor.next += 1;
                if accepts(&self.engine.terms, lookup, row, values) {
                    return Ok(Some(cursor.step));
                }
            }
            cursors.pop();
        }
        Ok(None)
    }

    /// The rows that a condition selects, all of them known.
    fn open(&mut self, lookup: &Lookup, values: &[TermId]) -> Result<Found, InterpretError> {
        let key = self.engine.build_all(&lookup.key, values)?;
        match lookup.source {
            Source::Store(store) => {
                let bucket = self.engine.stores[store].select(lookup.columns, lookup.arity, &key);
                Ok(Found::Bucket(store, bucket))
            }
            Source::Question(question) => {
                let call = self.engine.call(question, &key);
                self.complete(call)?;
                Ok(Found::Answers(call))
            }
        }
    }

    /// The call that a condition makes, if it is still open and depends on the one at hand.
    fn same_group(
        &mut self,
        caller: Call,
        lookup: &Lookup,
        values: &[TermId],
        group: &mut Group,
    ) -> Result<Option<Call>, InterpretError> {
        let Source::Question(question) = lookup.source else { return Ok(None) };
        let engine = &*self.engine;
        let component =
            |question: QuestionId| engine.program.relations[engine.questions[question].relation].component;
        if component(question) != component(caller.question) {
            return Ok(None);
        }
        let key = self.engine.build_all(&lookup.key, values)?;
        let is_new = self.engine.questions[question].calls.find(&key).is_none();
        let call = self.engine.call(question, &key);
        if self.engine.table(call).is_complete {
            return Ok(None);
        }
        if is_new {
            group.fresh.push(call);
            group.members.push(call);
        }
        Ok(Some(call))
    }

    /// Adds the head of a rule to the answers; all that wait for it go on.
    fn answer(
        &mut self,
        call: Call,
        plan: &Plan,
        values: &[TermId],
        group: &mut Group,
    ) -> Result<(), InterpretError> {
        let row = self.engine.build_all(&plan.head, values)?;
        let table = self.engine.table(call);
        if table.answers.insert(&row).1 {
            for (number, waiting) in table.waiting.iter_mut().enumerate() {
                if !std::mem::replace(&mut waiting.is_queued, true) {
                    group.agenda.push((call, number));
                }
            }
        }
        Ok(())
    }
}

/// Whether a row satisfies what a condition asks of the columns that were not known.
fn accepts(terms: &Terms, lookup: &Lookup, row: &[TermId], values: &mut [TermId]) -> bool {
    lookup.rest.iter().all(|(column, open)| fits(terms, open, row[*column], values))
}
