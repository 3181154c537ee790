//! Strong solutions with sets of states as decision diagrams.
//!
//! Layers of states are computed forwards, one relation for each joint move; rewards are then computed backwards, layer
//! by layer (Kissmann 2012, chapter 10). If the number of fluents of one kind changes by exactly one with each
//! layer, the layers are disjoint and need not be compared with each other: a measure of progress. It is guessed from
//! two states and *proved* on every layer by inclusion in the set of states with that many fluents; where the proof
//! fails, or nothing is found, each layer is freed of the states before it. With such a measure all successors of a
//! layer lie in the next one, so the best outcome is found by pre-images in order of preference. Without it, a state
//! is decided as soon as all its successors are (strong pre-image).
//!
//! Roles that both have a choice in one state are refused: see [`Refusal`].

use counterplay_base::{Budget, Id, IdVec, Limit, Progress, Report};
use counterplay_ground::game::{FluentId, Game, MoveId, RuleId, Signal};
use counterplay_symbolic::{Relation, Space, StateSet, union};
use counterplay_task::{Fact, VarId};

use crate::explicit::{Order, ranks};

/// Values of all reachable states, as sets.
pub struct Solution {
    /// The space that the sets live in.
    pub space: Space,
    /// For each layer, the states of it with each outcome.
    pub layers: Vec<Vec<StateSet>>,
    /// The outcomes: a reward for each role.
    pub outcomes: Vec<Vec<u32>>,
    /// The outcome of the initial state, if it is decided.
    pub value: Option<usize>,
    /// Number of states in each layer.
    pub layer_states: Vec<u128>,
    /// Number of states with each outcome.
    pub outcome_states: Vec<u128>,
    /// States that are not decided: play can go on for ever.
    pub endless: u128,
    /// States in which the game is over.
    pub terminal: u128,
    /// Whether layers are disjoint by a proved measure of progress.
    pub progress: bool,
    /// Most diagram nodes at once.
    pub peak_nodes: usize,
}

/// Why there is no symbolic solution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A limit came first.
    #[error("{0}")]
    Stopped(Limit),
    /// Several roles have a choice at the same time.
    #[error("several roles have a choice in the same state; the symbolic solver needs turns")]
    Simultaneous,
    /// Rules that depend on each other in a circle.
    #[error("the symbolic solver does not know recursive ground rules")]
    Recursive,
    /// More joint moves than can be written down.
    #[error("{0} joint moves are more than the symbolic solver writes down")]
    JointMoves(usize),
}

impl From<Limit> for Refusal {
    fn from(limit: Limit) -> Refusal {
        Refusal::Stopped(limit)
    }
}

const MOST_JOINT_MOVES: usize = 2_000_000;

/// Solves a game.
pub fn solve(
    game: &Game,
    order: Order,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Solution, Refusal> {
    let mut solver = Solver::new(game, budget)?;
    let (layers, disjoint) = solver.layers(progress)?;
    solver.values(layers, disjoint, order, progress)
}

/// A joint move as a relation, and the role that chose it.
struct Step {
    relation: Relation,
    legal: StateSet,
}

struct Solver<'g> {
    game: &'g Game,
    space: Space,
    steps: Vec<Step>,
    /// States in which a role has a choice.
    choosing: Vec<StateSet>,
    /// States in which every role has a move.
    movable: StateSet,
    terminal: StateSet,
    /// Where each reward is given.
    goals: Vec<StateSet>,
}

impl<'g> Solver<'g> {
    fn new(game: &'g Game, budget: &Budget) -> Result<Solver<'g>, Refusal> {
        if game.components.iter().any(|component| component.len() > 1) {
            return Err(Refusal::Recursive);
        }
        let space = Space::new(IdVec::filled(2, game.fluents.len()), &order(game), budget)?;
        let mut values = Values::new(game, &space)?;
        let terminal = values.signal(game.terminal);
        let legal: Vec<StateSet> = game.legal.iter().map(|&signal| values.signal(signal)).collect();
        let goals = game.goals.iter().map(|goal| values.signal(goal.when)).collect();
        let mut choosing = Vec::new();
        for role in game.roles.ids() {
            let (mut one, mut two) = (space.none(), space.none());
            for a_move in game.moves_of(role) {
                two = two.union(&one.intersect(&legal[a_move.index()])?)?;
                one = one.union(&legal[a_move.index()])?;
            }
            choosing.push(two);
        }
        // Relations do not say that the game is not over: steps are taken from such states only, and the end is often
        // much harder to tell than a move.
        let mut joint: Vec<(Vec<MoveId>, StateSet)> = vec![(Vec::new(), space.all())];
        for role in game.roles.ids() {
            let mut more = Vec::new();
            for (moves, guard) in &joint {
                for a_move in game.moves_of(role) {
                    let guard = guard.intersect(&legal[a_move.index()])?;
                    if !guard.is_empty() {
                        more.push(([moves.as_slice(), &[a_move]].concat(), guard));
                    }
                }
                if more.len() > MOST_JOINT_MOVES {
                    return Err(Refusal::JointMoves(more.len()));
                }
            }
            joint = more;
        }
        let guards = joint.iter().map(|(_, guard)| guard.clone()).collect();
        let movable = union(guards)?.unwrap_or_else(|| space.none());
        let mut steps = Vec::with_capacity(joint.len());
        for (moves, guard) in joint {
            budget.check()?;
            let next = values.next(&moves)?;
            let mut updates = Vec::new();
            for (fluent, next) in game.fluents.ids().zip(next) {
                let now = values.fluent(fluent);
                let same = now.intersect(&guard)? == next.intersect(&guard)?;
                if !same {
                    updates.push((VarId::new(fluent.index()), next));
                }
            }
            let relation = Relation::from_updates(&space, &guard, &updates)?;
            steps.push(Step { relation, legal: guard });
        }
        Ok(Solver { game, space, steps, choosing, movable, terminal, goals })
    }

    fn image(&self, set: &StateSet) -> Result<StateSet, Limit> {
        let mut images = Vec::new();
        for step in &self.steps {
            let image = step.relation.image(&self.space, set)?;
            if !image.is_empty() {
                images.push(image);
            }
        }
        Ok(union(images)?.unwrap_or_else(|| self.space.none()))
    }

    fn pre_image(&self, set: &StateSet, from: &StateSet) -> Result<StateSet, Limit> {
        let mut images = Vec::new();
        for step in &self.steps {
            if !step.legal.intersect(from)?.is_empty() {
                images.push(step.relation.pre_image(&self.space, set)?.intersect(from)?);
            }
        }
        Ok(union(images)?.unwrap_or_else(|| self.space.none()))
    }

    /// All layers, and whether a measure of progress keeps them apart.
    fn layers(&mut self, progress: &dyn Progress) -> Result<(Vec<StateSet>, bool), Refusal> {
        let game = self.game;
        let mut facts: Vec<Fact> =
            game.fluents.ids().map(|fluent| Fact { var: VarId::new(fluent.index()), value: 0 }).collect();
        game.initial.iter().for_each(|fluent| facts[fluent.index()].value = 1);
        let mut layers = vec![self.space.facts(&facts)?];
        let mut measure: Option<Measure> = None;
        // The states of all layers, kept only while no measure is proved.
        let mut reached: Option<StateSet> = None;
        loop {
            let last = layers.last().expect("there is a first layer");
            let mut next = self.image(&last.minus(&self.terminal)?)?;
            if layers.len() == 1 {
                measure = Measure::guess(game, &self.space, &layers[0], &next);
            }
            let number = layers.len();
            let proved = match &measure {
                Some(measure) => next.is_subset(&measure.layer(game, &self.space, number)?)?,
                None => false,
            };
            if !proved {
                measure = None;
                let before = match reached.take() {
                    Some(before) => before.union(last)?,
                    None => union(layers.clone())?.expect("there is a first layer"),
                };
                next = next.minus(&before)?;
                reached = Some(before);
            }
            if next.is_empty() {
                break;
            }
            let counts = [("layer", number as f64), ("nodes", self.space.nodes() as f64)];
            progress.report(Report { phase: "forward", counts: &counts });
            layers.push(next);
        }
        Ok((layers, measure.is_some()))
    }

    /// Ends of the game by their outcome.
    fn ends(&self, reached: &StateSet) -> Result<Vec<(Vec<u32>, StateSet)>, Limit> {
        let mut parts = vec![(vec![0u32; self.game.roles.len()], self.terminal.intersect(reached)?)];
        // Goals are sorted by value, so the greatest one that is given stands in the end.
        for (goal, given) in self.game.goals.iter().zip(&self.goals) {
            let mut split: Vec<(Vec<u32>, StateSet)> = Vec::new();
            for (rewards, set) in parts {
                let with = set.intersect(given)?;
                let without = set.minus(given)?;
                let mut better = rewards.clone();
                better[goal.role.index()] = goal.value;
                for (rewards, set) in [(better, with), (rewards, without)] {
                    if set.is_empty() {
                        continue;
                    }
                    match split.iter_mut().find(|(known, _)| *known == rewards) {
                        Some((_, known)) => *known = known.union(&set)?,
                        None => split.push((rewards, set)),
                    }
                }
            }
            parts = split;
        }
        Ok(parts)
    }

    fn values(
        self,
        layers: Vec<StateSet>,
        disjoint: bool,
        order: Order,
        progress: &dyn Progress,
    ) -> Result<Solution, Refusal> {
        let roles = self.game.roles.len();
        let mut ends: Vec<Vec<(Vec<u32>, StateSet)>> = Vec::new();
        let mut outcomes: Vec<Vec<u32>> = Vec::new();
        for layer in &layers {
            for role in 0..roles {
                for other in 0..role {
                    let both = self.choosing[role].intersect(&self.choosing[other])?;
                    if !both.intersect(layer)?.minus(&self.terminal)?.is_empty() {
                        return Err(Refusal::Simultaneous);
                    }
                }
            }
            ends.push(self.ends(layer)?);
            outcomes.extend(ends.last().expect("just pushed").iter().map(|(rewards, _)| rewards.clone()));
        }
        outcomes.sort_unstable();
        outcomes.dedup();
        // For each role the outcomes from best to worst.
        let preferences: Vec<Vec<usize>> = (0..roles)
            .map(|role| {
                let ranks = ranks(&outcomes, role, order);
                let mut list: Vec<usize> = (0..outcomes.len()).collect();
                list.sort_by_key(|&outcome| std::cmp::Reverse(ranks[outcome]));
                list
            })
            .collect();
        let empty = || vec![self.space.none(); outcomes.len()];
        let mut decided: Vec<Vec<StateSet>> = Vec::with_capacity(layers.len());
        for own in &ends {
            let mut sets = empty();
            for (rewards, set) in own {
                sets[outcomes.binary_search(rewards).expect("listed")] = set.clone();
            }
            decided.push(sets);
        }
        if disjoint {
            for number in (0..layers.len().saturating_sub(1)).rev() {
                let counts = [("layer", number as f64), ("nodes", self.space.nodes() as f64)];
                progress.report(Report { phase: "backward", counts: &counts });
                let mut rest = layers[number].minus(&self.terminal)?;
                for (role, own) in self.movers(&rest)? {
                    let mut own = own;
                    let (worst, others) = preferences[role].split_last().expect("there is an outcome");
                    for &outcome in others.iter().chain([worst]) {
                        // All successors lie in the next layer and are decided: what is left gets the worst outcome.
                        let better = match outcome == *worst {
                            true => own.intersect(&self.movable)?,
                            false => self.pre_image(&decided[number + 1][outcome], &own)?,
                        };
                        own = own.minus(&better)?;
                        decided[number][outcome] = decided[number][outcome].union(&better)?;
                    }
                    rest = rest.minus(&own)?;
                }
            }
        } else {
            self.fixpoint(&layers, &mut decided, &preferences)?;
        }
        let count = |set: &StateSet| self.space.count(set).unwrap_or(self.space.count_about(set) as u128);
        let layer_states: Vec<u128> = layers.iter().map(count).collect();
        let outcome_states: Vec<u128> = (0..outcomes.len())
            .map(|outcome| decided.iter().map(|sets| count(&sets[outcome])).sum())
            .collect();
        let mut terminal = 0;
        for layer in &layers {
            terminal += count(&layer.intersect(&self.terminal)?);
        }
        let endless = layer_states.iter().sum::<u128>() - outcome_states.iter().sum::<u128>();
        let value = decided[0].iter().position(|set| !set.is_empty());
        let peak_nodes = self.space.peak_nodes();
        Ok(Solution {
            space: self.space,
            layers: decided,
            outcomes,
            value,
            layer_states,
            outcome_states,
            endless,
            terminal,
            progress: disjoint,
            peak_nodes,
        })
    }

    /// The states of each role that has a choice; the first role takes those in which nobody has.
    fn movers(&self, states: &StateSet) -> Result<Vec<(usize, StateSet)>, Limit> {
        let mut rest = states.clone();
        let mut movers = Vec::new();
        for role in (1..self.choosing.len()).rev() {
            let own = rest.intersect(&self.choosing[role])?;
            rest = rest.minus(&own)?;
            movers.push((role, own));
        }
        movers.push((0, rest));
        Ok(movers)
    }

    /// Decides states whose successors are all decided, until there are no more; a single player takes the best
    /// outcome that can be reached at all.
    fn fixpoint(
        &self,
        layers: &[StateSet],
        decided: &mut [Vec<StateSet>],
        preferences: &[Vec<usize>],
    ) -> Result<(), Limit> {
        let all = union(layers.to_vec())?.unwrap_or_else(|| self.space.none());
        let mut open = all.minus(&self.terminal)?;
        let mut sets: Vec<StateSet> = Vec::new();
        for outcome in 0..decided[0].len() {
            let own = decided.iter().map(|layer| layer[outcome].clone()).collect();
            sets.push(union(own)?.unwrap_or_else(|| self.space.none()));
        }
        if let [preference] = preferences {
            for &outcome in preference {
                let mut new = sets[outcome].clone();
                while !new.is_empty() {
                    new = self.pre_image(&new, &open)?;
                    open = open.minus(&new)?;
                    sets[outcome] = sets[outcome].union(&new)?;
                }
            }
        } else {
            loop {
                let ready = open.minus(&self.pre_image(&open, &open)?)?;
                if ready.is_empty() {
                    break;
                }
                for (role, mut own) in self.movers(&ready)? {
                    for &outcome in &preferences[role] {
                        let better = self.pre_image(&sets[outcome], &own)?;
                        own = own.minus(&better)?;
                        sets[outcome] = sets[outcome].union(&better)?;
                    }
                }
                open = open.minus(&ready)?;
            }
        }
        for (layer, decided) in layers.iter().zip(decided) {
            for (place, set) in decided.iter_mut().zip(&sets) {
                *place = set.intersect(layer)?;
            }
        }
        Ok(())
    }
}

/// Fluents in the order of their names, numbers by value: neighbours on a board tend to stay neighbours.
fn order(game: &Game) -> Vec<VarId> {
    let key = |name: &String| -> Vec<(u64, String)> {
        let words =
            name.split(|c: char| c.is_whitespace() || c == '(' || c == ')').filter(|word| !word.is_empty());
        words.map(|word| (word.parse().unwrap_or(u64::MAX), word.to_lowercase())).collect()
    };
    let mut order: Vec<VarId> = game.fluents.ids().map(|fluent| VarId::new(fluent.index())).collect();
    order.sort_by_cached_key(|var| key(&game.fluents[FluentId::new(var.index())]));
    order
}

/// Where atoms hold, as sets of states.
struct Values<'a> {
    game: &'a Game,
    space: &'a Space,
    /// Of fluents, moves (no state until they are made) and derived atoms.
    sets: Vec<StateSet>,
    /// Derived atoms that depend on moves, in order.
    on_moves: Vec<usize>,
    rules: Vec<Vec<RuleId>>,
}

impl<'a> Values<'a> {
    fn new(game: &'a Game, space: &'a Space) -> Result<Values<'a>, Limit> {
        let mut rules = vec![Vec::new(); game.atoms];
        for (rule, head) in game.heads.enumerate() {
            rules[head.index()].push(rule);
        }
        let mut values = Values { game, space, sets: Vec::new(), on_moves: Vec::new(), rules };
        for fluent in game.fluents.ids() {
            values.sets.push(space.facts(&[Fact { var: VarId::new(fluent.index()), value: 1 }])?);
        }
        values.sets.resize(game.atoms, space.none());
        let mut depends: Vec<bool> =
            (0..game.atoms).map(|atom| (game.fluents.len()..game.first_derived()).contains(&atom)).collect();
        for component in &game.components {
            let atom = component[0].index();
            let body = values.rules[atom].iter().flat_map(|&rule| &game.bodies[rule]);
            depends[atom] = body.clone().any(|literal| depends[literal.atom().index()]);
            if depends[atom] {
                values.on_moves.push(atom);
            } else {
                values.sets[atom] = values.compute(atom)?;
            }
        }
        Ok(values)
    }

    fn compute(&self, atom: usize) -> Result<StateSet, Limit> {
        let mut parts = Vec::new();
        for &rule in &self.rules[atom] {
            let mut all = self.space.all();
            for literal in &self.game.bodies[rule] {
                let set = &self.sets[literal.atom().index()];
                all = if literal.is_positive() { all.intersect(set)? } else { all.minus(set)? };
                if all.is_empty() {
                    break;
                }
            }
            parts.push(all);
        }
        Ok(union(parts)?.unwrap_or_else(|| self.space.none()))
    }

    fn fluent(&self, fluent: FluentId) -> StateSet {
        self.sets[fluent.index()].clone()
    }

    fn signal(&self, signal: Signal) -> StateSet {
        match signal {
            Signal::Constant(true) => self.space.all(),
            Signal::Constant(false) => self.space.none(),
            Signal::Literal(literal) => {
                let set = &self.sets[literal.atom().index()];
                if literal.is_positive() { set.clone() } else { self.space.complement(set) }
            }
        }
    }

    /// The next state's fluents when moves are made.
    fn next(&mut self, moves: &[MoveId]) -> Result<Vec<StateSet>, Limit> {
        for &a_move in moves {
            self.sets[self.game.does(a_move).index()] = self.space.all();
        }
        for at in 0..self.on_moves.len() {
            let atom = self.on_moves[at];
            self.sets[atom] = self.compute(atom)?;
        }
        let next = self.game.next.iter().map(|&signal| self.signal(signal)).collect();
        for &a_move in moves {
            self.sets[self.game.does(a_move).index()] = self.space.none();
        }
        Ok(next)
    }
}

/// The number of fluents of one kind, which goes up or down by one with each layer.
struct Measure {
    /// The fluents of that kind.
    kind: Vec<VarId>,
    first: usize,
    grows: bool,
}

impl Measure {
    /// A kind of which a state of the second layer has one more or one less than the first state.
    fn guess(game: &Game, space: &Space, first: &StateSet, second: &StateSet) -> Option<Measure> {
        let (first, second) = (space.pick(first)?, space.pick(second)?);
        let functor = |name: &str| {
            let name = name.trim_start_matches('(');
            name.split(|c: char| c.is_whitespace() || c == ')').next().unwrap_or("").to_lowercase()
        };
        let mut kinds: Vec<(String, Vec<VarId>)> = Vec::new();
        for (fluent, name) in game.fluents.enumerate() {
            let (name, var) = (functor(name), VarId::new(fluent.index()));
            match kinds.iter_mut().find(|(known, _)| *known == name) {
                Some((_, kind)) => kind.push(var),
                None => kinds.push((name, vec![var])),
            }
        }
        kinds.into_iter().find_map(|(_, kind)| {
            let count = |state: &IdVec<VarId, u32>| kind.iter().filter(|&&var| state[var] == 1).count();
            let (before, after) = (count(&first), count(&second));
            let grows = after == before + 1;
            (kind.len() > 1 && (grows || after + 1 == before)).then_some(Measure {
                kind,
                first: before,
                grows,
            })
        })
    }

    /// States with as many such fluents as a layer must have.
    fn layer(&self, game: &Game, space: &Space, number: usize) -> Result<StateSet, Limit> {
        let wanted = if self.grows { self.first.checked_add(number) } else { self.first.checked_sub(number) };
        let Some(wanted) = wanted else { return Ok(space.none()) };
        // From the bottom of the order upwards: sets with exactly so many of the fluents passed so far.
        let own: Vec<VarId> = order(game).into_iter().filter(|var| self.kind.contains(var)).rev().collect();
        let mut exactly = vec![space.none(); wanted + 1];
        exactly[0] = space.all();
        for var in own {
            let on = space.facts(&[Fact { var, value: 1 }])?;
            for count in (0..=wanted).rev() {
                let fewer = if count > 0 { exactly[count - 1].intersect(&on)? } else { space.none() };
                exactly[count] = fewer.union(&exactly[count].minus(&on)?)?;
            }
        }
        Ok(exactly.swap_remove(wanted))
    }
}
