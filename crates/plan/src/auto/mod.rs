//! A portfolio that is never much slower than its best member.
//!
//! Explicit A* with LM-cut is unbeatable where the heuristic is almost right, bidirectional symbolic search where
//! states come in masses, A* without a heuristic where states are few and estimates dear; which of them a task is, one learns
//! by trying. So all get work in turn, in growing slices, and they help each other: what one proves about the least cost, the others
//! may stop at, and a plan that is found early ([`Anytime`]) is the answer as soon as one of them has proved that none is cheaper. Several variable
//! orders race in the first rounds, and the one that got furthest goes on. Slices are measured in work and not in
//! seconds, so the same task takes the same course on every machine.

mod pace;

use std::cmp::Reverse;

use counterplay_base::{Budget, Limit, Progress, Verdict};
use counterplay_symbolic::{OrderSearch, causal_graph};
use counterplay_task::{OpId, Task, total_cost};

use self::pace::{ABSTRACTIONS_AFTER, EXPLICIT_PER_SYMBOLIC, GROWTH, LAGGARD, PACE, Pace};
use crate::compile::Compiled;
use crate::explicit::{self, ABSTRACTION_WORK, Anytime, Finding};
use crate::symbolic::{Costs, Engine, Uniform, has_few_layers};
use crate::{Answer, BEST_PLAN_WORK, Direction, Heuristic, Options, Plan, Quality, Statistics};

/// Finds a plan as good as is asked for, by explicit and symbolic searches in turn.
/// The explicit searches get soft goals compiled away; the symbolic one takes them as they are.
pub(crate) fn solve(
    task: &Task,
    compiled: &Compiled<'_>,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
    found: &dyn Fn(&Plan),
) -> Answer {
    solve_at(&PACE, task, compiled, options, budget, progress, found)
}

fn solve_at(
    pace: &Pace,
    task: &Task,
    compiled: &Compiled<'_>,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
    found: &dyn Fn(&Plan),
) -> Answer {
    let mut portfolio = Portfolio {
        task: if has_few_layers(task) { task } else { &compiled.task },
        compiled,
        quality: options.quality,
        lmcut: explicit::AStar::new(&compiled.task, Heuristic::LmCut),
        blind: Member::Waiting,
        abstractions: Member::Waiting,
        anytime: Anytime::new(&compiled.task),
        best: None,
        plans: Vec::new(),
        lower_bound: 0,
        statistics: Statistics::default(),
        budget,
        progress,
        found,
    };
    let answer = portfolio.begin(pace).and_then(|()| {
        let engine = portfolio.race(options.seed, pace.race)?;
        portfolio.alternate(&engine, pace.race)
    });
    match answer {
        Ok(never) => match never {},
        Err(end) => portfolio.answer(end),
    }
}

/// Why a portfolio ended.
enum End {
    /// A plan of least cost, and the search that found it.
    Optimal(Plan, String),
    /// The best plan is good enough: it is proved to be of least cost, or any plan was asked for.
    Best(String),
    NoPlan(String),
    Limit(Limit),
}

impl From<Limit> for End {
    fn from(limit: Limit) -> End {
        End::Limit(limit)
    }
}

/// A portfolio goes on until it ends.
enum Never {}

struct Portfolio<'t> {
    /// What the symbolic search works on.
    task: &'t Task,
    /// What the explicit ones do.
    compiled: &'t Compiled<'t>,
    quality: Quality,
    lmcut: explicit::AStar<'t>,
    blind: Member<'t>,
    abstractions: Member<'t>,
    anytime: Anytime<'t>,
    /// The best plan of all, without what settles soft goals.
    best: Option<Plan>,
    /// The best plans in the order in which they were found.
    plans: Vec<Plan>,
    /// What is proved about the least cost.
    lower_bound: u64,
    /// How far the symbolic search has come.
    statistics: Statistics,
    budget: &'t Budget,
    progress: &'t dyn Progress,
    /// Whom to tell of better plans.
    found: &'t dyn Fn(&Plan),
}

/// A search that joins later, and leaves when it needs too much memory.
enum Member<'t> {
    Waiting,
    Running(Box<explicit::AStar<'t>>),
    Over,
}

impl<'t> Member<'t> {
    fn running(&self) -> Option<&explicit::AStar<'t>> {
        match self {
            Member::Running(search) => Some(search),
            Member::Waiting | Member::Over => None,
        }
    }

    fn lower_bound(&self) -> u64 {
        self.running().map_or(0, explicit::AStar::lower_bound)
    }

    fn expanded(&self) -> u64 {
        self.running().map_or(0, |search| search.figures().expanded)
    }
}

/// The explicit searches that prove bounds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prover {
    LmCut,
    Blind,
    Abstractions,
}

impl<'t> Portfolio<'t> {
    /// First slices: a task that one of the explicit searches solves needs no diagrams at all.
    fn begin(&mut self, pace: &Pace) -> Result<(), End> {
        match self.quality {
            Quality::Any => self.look_for_plans(pace.any)?,
            Quality::Improve => {
                self.run_explicit(Prover::LmCut, pace.taste)?;
                self.look_for_plans(pace.any)?;
            }
            Quality::Optimal => {
                self.run_explicit(Prover::LmCut, pace.taste)?;
                self.look_for_plans(pace.plan)?;
            }
        }
        self.run_explicit(Prover::LmCut, pace.first)?;
        self.run_explicit(Prover::Blind, pace.blind)?;
        match self.best {
            // What these searches have not solved is no small task: a plan is worth more than their next slice.
            None => self.look_for_plans(pace.plan.saturating_mul(4)),
            Some(_) => Ok(()),
        }
    }

    /// Gives a few promising orders a little work each; the one that got furthest is the winner.
    fn race(&mut self, seed: u64, work: u64) -> Result<Engine<'t>, End> {
        let arrangement = OrderSearch { seed, ..OrderSearch::default() };
        let orders = [
            arrangement.order(&causal_graph(self.task)),
            self.task.variables.ids().collect(),
            OrderSearch { seed: seed ^ 1, ..arrangement }.scattered(self.task),
        ];
        let mut best: Option<((u64, Reverse<usize>), Engine<'t>)> = None;
        for order in orders {
            let engine = Engine::with_order(self.task, Costs::Own, &order, self.budget)?;
            let mut search = Uniform::new(&engine, Direction::Both);
            self.run_symbolic(&mut search, work)?;
            // The highest proved bound wins; of equal ones, that with the smallest diagrams.
            let score = (search.own_lower_bound(), Reverse(search.frontier_nodes()));
            drop(search);
            let spent = engine.space().work();
            if best.as_ref().is_none_or(|(highest, _)| score > *highest) {
                best = Some((score, engine));
            }
            self.run_explicit(Prover::LmCut, spent.saturating_mul(EXPLICIT_PER_SYMBOLIC))?;
            self.beside(spent)?;
        }
        Ok(best.expect("there is an order").1)
    }

    /// Explicit and symbolic search in turn. What the winner of the race did is done again at first, but its
    /// results are still in the cache.
    fn alternate(&mut self, engine: &Engine<'t>, work: u64) -> Result<Never, End> {
        let mut search = Uniform::new(engine, Direction::Both);
        let mut slice = work.saturating_mul(GROWTH);
        loop {
            let result = self.round(&mut search, &mut slice);
            if let Err(end) = result {
                if matches!(end, End::Limit(_)) {
                    self.take_best_of(&search);
                }
                return Err(end);
            }
        }
    }

    fn round(&mut self, search: &mut Uniform<'_, 't>, slice: &mut u64) -> Result<(), End> {
        // To answer, an explicit search has to raise its bound to the least cost; if it has not even come to where
        // the symbolic one is already, it will most likely not do so first.
        let leads = |bound: u64| bound >= search.own_lower_bound();
        let share = |leads: bool| if leads { *slice } else { *slice / LAGGARD };
        let by_lmcut = share(leads(self.lmcut.lower_bound()));
        let blind = self.blind.lower_bound();
        let by_blind = share(leads(blind) && blind >= self.lmcut.lower_bound());
        self.run_explicit(Prover::LmCut, by_lmcut.saturating_mul(EXPLICIT_PER_SYMBOLIC))?;
        self.run_explicit(Prover::Blind, by_blind.saturating_mul(EXPLICIT_PER_SYMBOLIC))?;
        let by_abstractions = share(leads(self.build_abstractions(*slice)?));
        self.run_explicit(Prover::Abstractions, by_abstractions.saturating_mul(EXPLICIT_PER_SYMBOLIC))?;
        *slice = slice.saturating_mul(GROWTH);
        self.run_symbolic(search, *slice)?;
        if self.quality != Quality::Optimal {
            self.take_best_of(search);
            self.conclude(&self.statistics.ran.clone())?;
        }
        self.beside(*slice)
    }

    /// Builds the abstraction heuristics once the slices are long enough to pay for that; the bound of their search.
    fn build_abstractions(&mut self, slice: u64) -> Result<u64, Limit> {
        if matches!(self.abstractions, Member::Waiting) && slice >= ABSTRACTIONS_AFTER {
            let search =
                explicit::AStar::with_abstractions(&self.compiled.task, ABSTRACTION_WORK, self.budget)?;
            self.abstractions = search.map_or(Member::Over, |search| Member::Running(Box::new(search)));
        }
        Ok(self.abstractions.lower_bound())
    }

    /// Gives the search for plans its share beside so much symbolic work.
    fn beside(&mut self, work: u64) -> Result<(), End> {
        let work = work.saturating_mul(EXPLICIT_PER_SYMBOLIC);
        self.look_for_plans(match (self.quality, &self.best) {
            (Quality::Any, _) => work.saturating_mul(4),
            (Quality::Improve, _) => work.saturating_mul(3),
            (Quality::Optimal, None) => work,
            (Quality::Optimal, Some(_)) => work / 8,
        })
    }

    /// Looks for a plan, or for a better one.
    fn look_for_plans(&mut self, work: u64) -> Result<(), End> {
        let result = match (self.quality, &self.best) {
            (Quality::Any, _) | (_, None) => self.anytime.find_first(work, self.budget, self.progress),
            (Quality::Improve | Quality::Optimal, Some(_)) => {
                self.anytime.improve(work, self.budget, self.progress)
            }
        };
        if let Some(plan) = self.anytime.best() {
            let plan = self.compiled.strip(plan.clone());
            self.take(plan);
        }
        result?;
        match self.anytime.finding() {
            Finding::Open => self.conclude(LAZY),
            Finding::NoPlan => Err(End::NoPlan(LAZY.to_owned())),
            Finding::Optimal => {
                self.lower_bound = self.anytime.best().map_or(0, |best| best.cost).max(self.lower_bound);
                self.conclude(LAZY)
            }
        }
    }

    /// Takes a plan, if it is better than what is known.
    fn take(&mut self, plan: Plan) {
        if self.best.as_ref().is_none_or(|best| plan.cost < best.cost) {
            (self.found)(&plan);
            self.plans.push(plan.clone());
            self.best = Some(plan);
        }
    }

    /// Ends if the best plan is good enough.
    fn conclude(&mut self, ran: &str) -> Result<(), End> {
        let Some(best) = &self.best else { return Ok(()) };
        match best.cost <= self.lower_bound || self.quality == Quality::Any {
            true => Err(End::Best(ran.to_owned())),
            false => Ok(()),
        }
    }

    /// Gives an explicit search so much work.
    fn run_explicit(&mut self, prover: Prover, work: u64) -> Result<(), End> {
        let task: &'t Task = &self.compiled.task;
        let search = match prover {
            Prover::LmCut => &mut self.lmcut,
            Prover::Blind => {
                if matches!(self.blind, Member::Waiting) {
                    self.blind = Member::Running(Box::new(explicit::AStar::new(task, Heuristic::Blind)));
                }
                let Member::Running(search) = &mut self.blind else { return Ok(()) };
                search.as_mut()
            }
            Prover::Abstractions => {
                let Member::Running(search) = &mut self.abstractions else { return Ok(()) };
                search.as_mut()
            }
        };
        if let Some(best) = &self.best {
            search.give_up_at(best.cost);
        }
        let verdict = search.run_for(work, self.budget, self.progress);
        self.lower_bound = self.lower_bound.max(search.lower_bound());
        let (ran, is_large) = (search.statistics().ran, search.is_large(self.budget));
        match verdict {
            // The others may still get further with the memory that this one holds.
            Verdict::Stopped(Limit::Nodes(_) | Limit::Bytes(_)) if is_large && prover != Prover::LmCut => {
                match prover {
                    Prover::Blind => self.blind = Member::Over,
                    Prover::Abstractions | Prover::LmCut => self.abstractions = Member::Over,
                }
                self.conclude(&ran)
            }
            Verdict::Solved(plan) => Err(End::Optimal(self.compiled.strip(plan), ran)),
            // It gave up at the cost of the best plan.
            Verdict::Unsolvable if self.best.is_some() => Err(End::Best(ran)),
            Verdict::Unsolvable => Err(End::NoPlan(ran)),
            Verdict::Stopped(Limit::Nodes(_)) => self.conclude(&ran),
            Verdict::Stopped(limit) => Err(End::Limit(limit)),
        }
    }

    /// Gives a symbolic search some work.
    fn run_symbolic(&mut self, search: &mut Uniform<'_, '_>, work: u64) -> Result<(), End> {
        search.raise_lower_bound(self.lower_bound);
        if let Some(best) = &self.best {
            search.stop_at(best.cost);
        }
        let verdict = search.run_for(work, self.budget, self.progress);
        self.statistics = Statistics {
            ran: format!("{}, beside A* with LM-cut", search.statistics().ran),
            ..search.statistics()
        };
        self.lower_bound = self.lower_bound.max(search.statistics().lower_bound);
        let ran = self.statistics.ran.clone();
        match verdict {
            Verdict::Solved(operators) => Err(End::Optimal(self.plan(operators), ran)),
            Verdict::Unsolvable => Err(End::NoPlan(ran)),
            Verdict::Stopped(Limit::Nodes(_)) => self.conclude(&ran),
            Verdict::Stopped(limit) => {
                self.take_best_of(search);
                Err(End::Limit(limit))
            }
        }
    }

    /// Takes over the best plan of a symbolic search, if it is better than what is known.
    fn take_best_of(&mut self, search: &Uniform<'_, '_>) {
        let known = self.best.as_ref().map_or(u64::MAX, |best| best.cost);
        if search.upper_bound().is_some_and(|cost| cost < known)
            && let Some(operators) = search.best_so_far(BEST_PLAN_WORK)
        {
            let plan = self.plan(operators);
            if self.compiled.is_same() {
                self.anytime.found(plan.clone(), self.budget, self.progress);
            }
            self.take(plan);
        }
    }

    /// A plan of the symbolic search.
    fn plan(&self, operators: Vec<OpId>) -> Plan {
        let cost = total_cost(self.task, &operators).expect("the search has added these up");
        Plan { cost, operators: self.compiled.strip_operators(operators) }
    }

    fn answer(self, end: End) -> Answer {
        let members = self.blind.expanded() + self.abstractions.expanded() + self.anytime.expanded();
        let expanded = self.lmcut.figures().expanded + members;
        let Statistics { layers, peak_nodes, .. } = self.statistics;
        let statistics = |ran: String, lower_bound: u64, upper_bound: Option<u64>| Statistics {
            ran,
            layers,
            expanded,
            peak_nodes,
            lower_bound,
            upper_bound,
        };
        let (lower_bound, plans) = (self.lower_bound, self.plans);
        match (end, self.best) {
            (End::Optimal(plan, ran), best) => {
                let mut plans = plans;
                if !plans.is_empty() && best.is_none_or(|best| plan.cost < best.cost) {
                    plans.push(plan.clone());
                }
                let statistics = statistics(ran, plan.cost, Some(plan.cost));
                Answer { verdict: Verdict::Solved(plan), best: None, plans, statistics }
            }
            (End::Best(ran), Some(best)) => {
                let ran = if ran == LAZY { ran } else { format!("{ran}, beside {LAZY}") };
                let statistics = statistics(ran, lower_bound.min(best.cost), Some(best.cost));
                Answer { verdict: Verdict::Solved(best), best: None, plans, statistics }
            }
            (End::Best(ran) | End::NoPlan(ran), _) => Answer {
                verdict: Verdict::Unsolvable,
                best: None,
                plans: Vec::new(),
                statistics: statistics(ran, lower_bound, None),
            },
            (End::Limit(limit), best) => {
                let upper = best.as_ref().map(|best| best.cost);
                let ran = match self.statistics.ran.is_empty() {
                    true => format!("A* with LM-cut, beside {LAZY}"),
                    false => self.statistics.ran,
                };
                let lower = upper.map_or(lower_bound, |upper| upper.min(lower_bound));
                let statistics = statistics(ran, lower, upper);
                Answer { verdict: Verdict::Stopped(limit), best, plans, statistics }
            }
        }
    }
}

/// The search for plans, in words.
const LAZY: &str = "lazy search with FF and landmarks, beside width search";

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_base::Silent;
    use counterplay_task::{apply, close_under_axioms, is_applicable, is_goal};
    use counterplay_testkit::{brute_force, random_task};

    fn tiny_pace(seed: u64) -> Pace {
        Pace {
            taste: 1 + seed % 7,
            plan: 1 + seed % 300,
            any: 1 + seed % 500,
            first: 1 + seed % 40,
            blind: if seed.is_multiple_of(5) { 1_000_000 } else { 1 + seed % 60 },
            race: 1 + seed % 97,
        }
    }

    /// With tiny slices every search is interrupted many times and all parts of the portfolio have a turn.
    #[test]
    fn interrupted_searches_agree_with_brute_force() {
        let mut by = std::collections::BTreeMap::<String, usize>::new();
        for seed in 0..600 {
            let task = random_task(seed);
            let pace = tiny_pace(seed);
            let compiled = Compiled::new(&task);
            let answer = solve_at(
                &pace,
                &task,
                &compiled,
                &Options::default(),
                &Budget::unlimited(),
                &Silent,
                &|_| (),
            );
            let cost = match answer.verdict {
                Verdict::Solved(plan) => {
                    assert_eq!(answer.statistics.lower_bound, plan.cost, "seed {seed}");
                    Some(plan.cost)
                }
                Verdict::Unsolvable => None,
                Verdict::Stopped(limit) => panic!("seed {seed}: {limit}"),
            };
            assert_eq!(cost, brute_force(&task), "seed {seed}");
            let first: String = answer.statistics.ran.split(' ').take(1).collect();
            *by.entry(first).or_default() += 1;
        }
        for member in ["symbolic", "A*", "blind", "lazy"] {
            assert!(by.get(member).is_some_and(|&count| count > 5), "{by:?}");
        }
    }

    /// Any plan is a plan, and improvement goes on to the optimum.
    #[test]
    fn every_quality_is_kept() {
        for seed in 0..300 {
            let task = random_task(seed);
            let (pace, compiled) = (tiny_pace(seed), Compiled::new(&task));
            let truth = brute_force(&task);
            for quality in [Quality::Any, Quality::Improve] {
                let options = Options { quality, ..Options::default() };
                let answer =
                    solve_at(&pace, &task, &compiled, &options, &Budget::unlimited(), &Silent, &|_| ());
                let Verdict::Solved(plan) = answer.verdict else {
                    assert_eq!((answer.verdict, truth), (Verdict::Unsolvable, None), "seed {seed}");
                    continue;
                };
                assert!(truth.is_some_and(|truth| truth <= plan.cost), "seed {seed}");
                assert!(answer.statistics.lower_bound <= truth.unwrap_or(u64::MAX), "seed {seed}");
                assert!(quality == Quality::Any || Some(plan.cost) == truth, "seed {seed}");
                let mut state = task.initial.clone();
                close_under_axioms(&task, &mut state);
                for &op in &plan.operators {
                    assert!(is_applicable(&task, &state, op), "seed {seed}");
                    state = apply(&task, &state, op);
                }
                assert!(is_goal(&task, &state), "seed {seed}");
            }
        }
    }
}
