//! Layers: the states that are reached after so many joint moves.

use counterplay_base::{Id, Limit, Progress, Report};
use counterplay_ground::game::Game;
use counterplay_symbolic::{StateSet, union};

use super::measure::{self, Measure};
use super::store::Store;
use super::values::Values;
use super::{Halt, Refusal, Solver};
use crate::simultaneous::Simultaneous;

/// Ends of the game by their outcome.
pub(crate) type Ends = Vec<(Vec<u32>, StateSet)>;

/// The states of a layer.
#[derive(Clone)]
pub(crate) struct Layer {
    /// Those in which the game goes on.
    pub(crate) open: StateSet,
    /// The others.
    pub(crate) ends: Ends,
}

impl Layer {
    /// All states of the layer.
    pub(crate) fn states(&self) -> Result<StateSet, Limit> {
        self.ends.iter().try_fold(self.open.clone(), |all, (_, end)| all.union(end))
    }
}

/// Figures of all layers.
#[derive(Default)]
pub(crate) struct Forward {
    pub(crate) layer_states: Vec<u128>,
    /// Diagram nodes of each layer.
    pub(crate) layer_nodes: Vec<u64>,
    pub(crate) terminal: u128,
    pub(crate) stuck: u128,
    /// Ends with a role that has no reward, or several.
    pub(crate) odd_rewards: u128,
    /// What keeps the layers apart, if something is proved to.
    pub(crate) measure: Option<String>,
    /// All outcomes, sorted.
    pub(crate) outcomes: Vec<Vec<u32>>,
}

impl Forward {
    fn count(&mut self, solver: &Solver<'_>, states: &StateSet, parts: &Parts) -> Result<(), Halt> {
        self.layer_states.push(solver.count(states)?);
        self.layer_nodes.push(states.nodes() as u64);
        self.terminal += solver.count(&parts.terminal)?;
        self.stuck += solver.count(&parts.stuck)?;
        self.odd_rewards += solver.count(&parts.odd)?;
        self.outcomes.extend(parts.layer.ends.iter().map(|(rewards, _)| rewards.clone()));
        Ok(())
    }
}

/// A set of states taken apart.
struct Parts {
    layer: Layer,
    terminal: StateSet,
    /// Not over, but some role has no move; taken as ends.
    stuck: StateSet,
    /// Ends with a role that has no reward, or several.
    odd: StateSet,
}

impl Solver<'_> {
    /// Computes all layers, or goes on where an archive ends.
    pub(crate) fn forward(
        &self,
        values: &mut Values<'_>,
        store: &mut Store<'_>,
        progress: &dyn Progress,
    ) -> Result<Forward, Halt> {
        if let Some(known) = store.ended(self)? {
            return Ok(known);
        }
        let mut figures = Forward::default();
        let mut states = self.layout.state(&self.space, &self.game.initial)?;
        let mut candidates: Option<Vec<Measure>> = None;
        // The states of all layers, kept only while no measure is proved.
        let mut reached: Option<StateSet> = None;
        loop {
            let number = figures.layer_states.len();
            let known = store.reached(self, number)?;
            let parts = match known {
                Some(layer) => {
                    states = layer.states()?;
                    self.parts_again(values, layer, &states)?
                }
                None => {
                    let parts = self.parts(values, &states)?;
                    self.refuse_simultaneous(&parts.layer.open)?;
                    store.reach(self, number, &parts.layer)?;
                    parts
                }
            };
            figures.count(self, &states, &parts)?;
            let counts = [
                ("layer", number as f64),
                ("states", figures.layer_states[number] as f64),
                ("layer nodes", figures.layer_nodes[number] as f64),
                ("nodes", self.space.nodes() as f64),
            ];
            progress.report(Report { phase: "forward", counts: &counts });
            let mut next = self.steps.merged.image(&self.space, &parts.layer.open)?;
            let list = candidates.get_or_insert_with(|| {
                measure::candidates(self.game, &self.layout, &self.space, &states, &next)
            });
            // The first one may fail where another still holds: that has to be shown for all layers.
            while let Some(first) = list.first_mut() {
                if first.fits(&self.space, &next, number + 1)? {
                    break;
                }
                list.remove(0);
                if let Some(other) = list.first_mut() {
                    for at in 0..=number {
                        let layer = store.layer(self, at)?.states()?;
                        if !other.fits(&self.space, &layer, at)? {
                            list.remove(0);
                            break;
                        }
                    }
                }
            }
            if list.is_empty() {
                let before = match reached.take() {
                    Some(before) => before.union(&states)?,
                    None => {
                        let mut all = Vec::new();
                        for at in 0..=number {
                            all.push(store.layer(self, at)?.states()?);
                        }
                        union(all)?.expect("there is a first layer")
                    }
                };
                next = next.minus(&before)?;
                reached = Some(before);
            }
            if next.is_empty() {
                break;
            }
            states = next;
        }
        figures.outcomes.sort_unstable();
        figures.outcomes.dedup();
        let measure = candidates.as_ref().and_then(|list| list.first());
        figures.measure = measure.map(|measure| measure.describe(self.game, &self.layout));
        store.end(&figures)?;
        Ok(figures)
    }

    /// Takes a set of states apart.
    fn parts(&self, values: &mut Values<'_>, states: &StateSet) -> Result<Parts, Limit> {
        let terminal = values.within(self.game.terminal, states)?;
        let open = states.minus(&terminal)?;
        let stuck = self.steps.stuck(&open)?;
        let open = open.minus(&stuck)?;
        let (ends, odd) = ends(self.game, values, terminal.union(&stuck)?)?;
        Ok(Parts { layer: Layer { open, ends }, terminal, stuck, odd })
    }

    /// Whether several roles choose at once in some of these states.
    fn refuse_simultaneous(&self, open: &StateSet) -> Result<(), Halt> {
        let (_, several) = self.steps.movers(open)?;
        let Some(values) = self.space.pick(&several) else { return Ok(()) };
        let state = self.layout.fluents(&values);
        let one = self.layout.state(&self.space, &state)?;
        let roles = self.steps.choosing_in(&one)?;
        Err(Refusal::Simultaneous(Simultaneous { state, roles }).into())
    }

    /// The same for a layer that was taken apart before.
    fn parts_again(&self, values: &mut Values<'_>, layer: Layer, states: &StateSet) -> Result<Parts, Limit> {
        let over = states.minus(&layer.open)?;
        let terminal = values.within(self.game.terminal, &over)?;
        let stuck = over.minus(&terminal)?;
        let (_, odd) = ends(self.game, values, over)?;
        Ok(Parts { layer, terminal, stuck, odd })
    }
}

/// Ends by their outcome; and those at which some role has no reward, or several.
fn ends(game: &Game, values: &mut Values<'_>, over: StateSet) -> Result<(Ends, StateSet), Limit> {
    let mut odd = over.minus(&over)?;
    let mut parts: Vec<(Vec<Option<u32>>, StateSet)> = vec![(vec![None; game.roles.len()], over)];
    // Goals are sorted by value, so the greatest one that is given stands in the end.
    for goal in &game.goals {
        let mut split: Vec<(Vec<Option<u32>>, StateSet)> = Vec::new();
        for (rewards, set) in parts {
            let with = values.within(goal.when, &set)?;
            let without = set.minus(&with)?;
            let mut better = rewards.clone();
            if better[goal.role.index()].replace(goal.value).is_some() {
                odd = odd.union(&with)?;
            }
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
    let mut ends: Ends = Vec::new();
    for (rewards, set) in parts.into_iter().filter(|(_, set)| !set.is_empty()) {
        if rewards.contains(&None) {
            odd = odd.union(&set)?;
        }
        let rewards: Vec<u32> = rewards.into_iter().map(|reward| reward.unwrap_or(0)).collect();
        match ends.iter_mut().find(|(known, _)| *known == rewards) {
            Some((_, known)) => *known = known.union(&set)?,
            None => ends.push((rewards, set)),
        }
    }
    ends.sort_by(|(one, _), (two, _)| one.cmp(two));
    Ok((ends, odd))
}
