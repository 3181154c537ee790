//! Configurations of a decomposition (a state and the network that is left), and their successors.

use std::cell::Cell;

use counterplay_base::{Growth, Id};

use crate::dead_ends::DeadEndTest;
use crate::facts::{Facts, State};
use crate::lifted::UNBOUND;
use crate::plan::Decision;
use crate::prepared::{PreparedProblem, Task, least_costs};
use crate::unify::{Match, Matcher};
use counterplay_tasknet::network::{NetworkId, Networks};

/// A state, what is to be done in it, and the number of actions so far.
#[derive(Clone, Debug)]
pub(crate) struct Configuration {
    pub(crate) state: State,
    pub(crate) network: NetworkId,
    pub(crate) cost: u64,
}

/// The networks of a search, with the least number of actions that each will still take.
#[derive(Debug)]
pub(crate) struct SuccessorGenerator<'k> {
    pub(crate) known: &'k PreparedProblem<'k>,
    pub(crate) networks: Networks<Task>,
    /// By symbol.
    least: Vec<u64>,
    /// By network, as far as they have been asked for.
    ahead: Vec<u64>,
    dead_ends: DeadEndTest,
    /// Steps of unification so far.
    work: Cell<u64>,
}

/// The ways to go on, to be gone through one by one: for each task that is ready each method and binding.
#[derive(Clone, Debug)]
pub(crate) struct DecisionIter {
    position: usize,
    method: usize,
    matching: Option<Match>,
    /// Whether methods that may come cheaper are tried first.
    cheapest_first: bool,
    /// Whether a task is carried out to its end before the next one is begun.
    one_by_one: bool,
    /// The order of objects; zero for that of their numbers.
    seed: u64,
}

impl<'k> SuccessorGenerator<'k> {
    /// Bytes that `ahead` more networks would make the tables take, where they have to grow for them.
    pub(crate) fn growth(&self, ahead: usize) -> usize {
        self.networks.growth(ahead) + self.ahead.growth(ahead)
    }

    pub(crate) fn new(known: &'k PreparedProblem<'k>) -> SuccessorGenerator<'k> {
        let least = least_costs(known.lifted, 1, 1);
        SuccessorGenerator {
            known,
            networks: Networks::new(),
            least,
            ahead: vec![0],
            dead_ends: DeadEndTest::new(known.lifted),
            work: Cell::new(0),
        }
    }

    /// The starts: one for each binding of the initial network's variables.
    pub(crate) fn starts(&mut self) -> Vec<(Vec<u32>, Configuration)> {
        let known = self.known;
        let initial = &known.lifted.initial;
        let state = State::initial(known.lifted);
        let matcher = Matcher {
            rule: &initial.rule,
            extents: &known.lifted.extents,
            steps: &known.initial_steps,
            packing: &known.lifted.packing,
        };
        let mut matching = Match::new(vec![UNBOUND; initial.rule.types.len()]);
        let mut starts = Vec::new();
        while matching.advance(matcher, &known.now(&state)) {
            let tasks: Vec<Task> = known.subtasks(initial, &matching.binding).collect();
            let nothing = self.networks.empty();
            let network = self.networks.before(tasks, initial.network.after.as_deref(), nothing);
            starts.push((matching.binding.clone(), Configuration { state: state.clone(), network, cost: 0 }));
        }
        starts
    }

    /// At least so many actions are still to come.
    pub(crate) fn ahead(&mut self, network: NetworkId) -> u64 {
        while self.ahead.len() <= network.index() {
            let next = NetworkId::new(self.ahead.len());
            let rest = self.ahead[self.networks.rest(next).index()];
            let front = self.networks.front(next).map(|task| self.least[task.symbol as usize]);
            self.ahead.push(front.fold(rest, u64::saturating_add));
        }
        self.ahead[network.index()]
    }

    /// Steps of unification that went into offering decisions so far.
    pub(crate) fn work(&self) -> u64 {
        self.work.get()
    }

    /// Whether the goal is out of reach for sure.
    pub(crate) fn is_dead_end(&mut self, configuration: &Configuration) -> bool {
        self.dead_ends.is_dead_end(&configuration.state, &self.networks, configuration.network)
    }

    fn advance(&self, matching: &mut Match, method: usize, now: &impl Facts) -> bool {
        let before = matching.work;
        let is_found = matching.advance(self.known.matcher(method), now);
        self.work.set(self.work.get() + matching.work - before);
        is_found
    }

    /// The ways to go on from a network.
    pub(crate) fn ways(&self, cheapest_first: bool) -> DecisionIter {
        DecisionIter { position: 0, method: 0, matching: None, cheapest_first, one_by_one: false, seed: 0 }
    }

    /// The ways to go on in a certain order; `one_by_one` carries a task out to its end before the next one is begun.
    pub(crate) fn ordered_ways(&self, cheapest_first: bool, one_by_one: bool, seed: u64) -> DecisionIter {
        DecisionIter { one_by_one, seed, ..self.ways(cheapest_first) }
    }

    /// The states and networks that a decision that was offered may lead to.
    pub(crate) fn outcomes(
        &mut self,
        configuration: &Configuration,
        decision: &Decision,
    ) -> Vec<Configuration> {
        let Decision::Do(position) = decision else { return vec![self.take(configuration, decision)] };
        let task = *self.networks.ready(configuration.network, *position).expect("the task is ready");
        let network = self.networks.done(configuration.network, *position);
        let count = self.known.lifted.actions[task.symbol as usize].outcomes.len();
        let after = |outcome| Configuration {
            state: self.known.successor(&configuration.state, task, outcome),
            network,
            cost: configuration.cost + 1,
        };
        (0..count).map(after).collect()
    }

    /// The state and network after a decision that was offered; for actions their first outcome.
    pub(crate) fn take(&mut self, configuration: &Configuration, decision: &Decision) -> Configuration {
        match decision {
            Decision::Do(position) => {
                let task = *self.networks.ready(configuration.network, *position).expect("the task is ready");
                Configuration {
                    state: self.known.successor(&configuration.state, task, 0),
                    network: self.networks.done(configuration.network, *position),
                    cost: configuration.cost + 1,
                }
            }
            Decision::Select(position) => {
                let network = self.networks.selected(configuration.network, *position);
                Configuration { network, ..configuration.clone() }
            }
            Decision::Refine(position, method, binding) => {
                let method = &self.known.lifted.methods[*method];
                let subtasks = self.known.subtasks(method, binding).collect();
                let after = method.network.after.as_deref();
                let network = self.networks.refined(configuration.network, *position, subtasks, after);
                Configuration { state: configuration.state.clone(), network, cost: configuration.cost }
            }
        }
    }
}

impl DecisionIter {
    /// The next way, or `None`.
    pub(crate) fn next(
        &mut self,
        generator: &SuccessorGenerator<'_>,
        configuration: &Configuration,
    ) -> Option<Decision> {
        let known = generator.known;
        let now = known.now(&configuration.state);
        let count = generator.networks.front(configuration.network).count();
        if self.one_by_one && !generator.networks.is_forced(configuration.network) {
            let ready =
                |position: &usize| generator.networks.ready(configuration.network, *position).is_some();
            let position = (self.position..count).find(ready)?;
            self.position = position + 1;
            return Some(Decision::Select(position));
        }
        while self.position < count {
            let Some(&task) = generator.networks.ready(configuration.network, self.position) else {
                self.position += 1;
                continue;
            };
            let symbol = task.symbol as usize;
            if known.lifted.is_primitive(symbol) {
                self.position += 1;
                if known.is_applicable(&now, task) {
                    return Some(Decision::Do(self.position - 1));
                }
                continue;
            }
            let methods = if self.cheapest_first { &known.cheapest } else { &known.lifted.methods_of };
            while let Some(&method) = methods[symbol].get(self.method) {
                if self.matching.is_none() {
                    self.matching = known.open(method, task).map(|matching| matching.shuffled(self.seed));
                }
                if let Some(matching) = &mut self.matching
                    && generator.advance(matching, method, &now)
                {
                    let mut binding = matching.binding.clone();
                    binding.truncate(known.lifted.methods[method].parameters);
                    return Some(Decision::Refine(self.position, method, binding));
                }
                self.matching = None;
                self.method += 1;
            }
            self.method = 0;
            self.position += 1;
        }
        None
    }
}
