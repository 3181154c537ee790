//! Strong solutions with sets of states as decision diagrams.
//!
//! Layers of states are computed forwards with relations for joint moves; rewards are then computed backwards, layer
//! by layer (Kissmann 2012, chapter 10). If a measure of progress is proved to keep the layers apart, they need not be
//! compared with each other, all successors of a layer lie in the next one, and one pre-image of ranked states finds the
//! best outcome of each. Without it, a state is decided as soon as all its successors are (strong pre-image). A layer with
//! a state in which several roles choose at once ends the search: such a game has no pure values.
//!
//! We depart from the thesis in four ways: values of a layer are one diagram, not one for each outcome; variables come
//! from groups that are proved and not guessed, with a code that spends no node on bits without a meaning; joint moves
//! are merged into few relations; and the end of the game is never one diagram, if that would be large.
//!
//! ```text
//! layout   fluents as variables          forward   layers
//! values   where atoms hold              measure   what keeps layers apart
//! steps    joint moves as relations      backward  values
//! store    layers and values, in memory or in an archive
//! ```

mod backward;
mod codebook;
mod forward;
mod layout;
mod measure;
mod steps;
mod store;
mod values;

use std::rc::Rc;

use counterplay_base::{Budget, Progress, Verdict};
use counterplay_ground::game::{FluentId, Game, Structure};
use counterplay_symbolic::{Space, StateSet};
use counterplay_task::VarId;

use crate::archive::{Archive, ArchiveError, Kind, Records};
use crate::explicit::Order;
use crate::halt::verdict;
use crate::rules_hash::{hash, rules_hash};
use crate::simultaneous::Simultaneous;
pub use codebook::Codebook;
use layout::Layout;
pub(crate) use measure::kinds;
use steps::Steps;
use store::{Solved, Store};
use values::Values;

/// Values of all reachable states, as sets.
pub struct Solution<'g> {
    solver: Solver<'g>,
    /// Under which records are kept.
    key: String,
    /// The values of each layer, if they are in memory and not in an archive.
    layers: Vec<Option<Solved>>,
    /// The outcomes: a reward for each role.
    pub outcomes: Vec<Vec<u32>>,
    /// The outcome of the initial state, if it is decided.
    pub value: Option<usize>,
    /// Number of states in each layer.
    pub layer_states: Vec<u128>,
    /// Number of diagram nodes that hold the states of each layer.
    pub layer_nodes: Vec<u64>,
    /// Number of states with each outcome.
    pub outcome_states: Vec<u128>,
    /// States that are not decided: play can go on for ever.
    pub endless: u128,
    /// States in which the game is over.
    pub terminal: u128,
    /// States that are not over and in which some role has no move; they are taken as ends.
    pub stuck: u128,
    /// Ends at which some role has no reward, or several; the greatest counts, and none counts as 0.
    pub odd_rewards: u128,
    /// What is proved to keep the layers apart.
    pub measure: Option<String>,
    /// Most diagram nodes at once.
    pub peak_nodes: usize,
    /// Nodes looked up or made: what it took, the same on every machine.
    pub work: u64,
}

/// Why there is no symbolic solution.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Several roles choose at once.
    #[error("{0}")]
    Simultaneous(Simultaneous),
    /// More joint moves than can be written down.
    #[error("{0} joint moves are more than the symbolic solver writes down")]
    JointMoves(usize),
    /// More states than can be counted.
    #[error("there are more states than can be counted")]
    Uncountable,
    /// Layers could not be kept or are not what they should be.
    #[error("{0}")]
    Archive(#[from] ArchiveError),
}

type Halt = crate::halt::Halt<Refusal>;

impl From<Refusal> for Halt {
    fn from(refusal: Refusal) -> Halt {
        Halt::Refused(refusal)
    }
}

impl From<ArchiveError> for Halt {
    fn from(error: ArchiveError) -> Halt {
        Refusal::Archive(error).into()
    }
}

/// What is needed of a game: variables, and joint moves over them.
pub(crate) struct Solver<'g> {
    game: &'g Game,
    layout: Layout,
    space: Rc<Space>,
    steps: Steps,
}

impl Solver<'_> {
    fn count(&self, set: &StateSet) -> Result<u128, Refusal> {
        self.space.count(set).ok_or(Refusal::Uncountable)
    }
}

/// Solves a game. With an archive, layers and values are kept there, and work goes on from what it has. The verdict is
/// about all reachable states together, so it is never `Unsolvable`.
///
/// # Errors
/// What this way of solving cannot do, or an archive that does not fit.
pub fn solve<'g>(
    game: &'g Game,
    structure: &Structure,
    order: Order,
    archive: Option<&mut dyn Archive>,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Verdict<Solution<'g>>, Refusal> {
    verdict(find(game, structure, order, archive, budget, progress))
}

fn find<'g>(
    game: &'g Game,
    structure: &Structure,
    order: Order,
    archive: Option<&mut dyn Archive>,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Solution<'g>, Halt> {
    let layout = Layout::new(game, structure);
    let key = key(game, &layout, order);
    let space = Rc::new(layout.space(budget)?);
    let mut values = Values::new(game, &layout, &space)?;
    let steps = Steps::new(game, structure, &layout, &space, &mut values, budget)?;
    values.prepare(game.goals.iter().map(|goal| goal.when).chain([game.terminal]))?;
    let solver = Solver { game, layout, space, steps };
    let mut store = Store::new(archive.map(|archive| Records { archive, game: &key }));
    let figures = solver.forward(&mut values, &mut store, progress)?;
    let preferences = steps::preferences(&figures.outcomes, game.roles.len(), order);
    let outcome_states = solver.backward(&figures, &preferences, &mut store, progress)?;
    let first = store.values(&solver, 0, &figures.outcomes)?;
    let value = first.counts.iter().position(|&count| count > 0);
    let (peak_nodes, work) = (solver.space.peak_nodes(), solver.space.work());
    let layers = store.solved;
    // States and decided states may come from different records of an archive.
    let all = figures.layer_states.iter().sum::<u128>();
    let endless = outcome_states.iter().try_fold(all, |left, &decided| left.checked_sub(decided));
    let endless = endless.ok_or_else(|| store::damaged(&Kind::End.name(0)))?;
    Ok(Solution {
        key,
        layers,
        outcomes: figures.outcomes,
        value,
        endless,
        layer_states: figures.layer_states,
        layer_nodes: figures.layer_nodes,
        outcome_states,
        terminal: figures.terminal,
        stuck: figures.stuck,
        odd_rewards: figures.odd_rewards,
        measure: figures.measure,
        peak_nodes,
        work,
        solver,
    })
}

impl Solution<'_> {
    /// The outcome from a state on, given how many joint moves were made; `Unsolvable` if it has none or cannot be
    /// reached. Layers that are not in memory come from the archive that the solution was made with.
    ///
    /// # Errors
    /// An archive that cannot be read.
    pub fn outcome(
        &mut self,
        state: &[FluentId],
        made: usize,
        archive: Option<&mut dyn Archive>,
    ) -> Result<Verdict<usize>, Refusal> {
        match self.look_up(state, made, archive) {
            Err(Halt::Refused(refusal)) => Err(refusal),
            Err(Halt::Stopped(limit)) => Ok(Verdict::Stopped(limit)),
            Ok(found) => Ok(found.map_or(Verdict::Unsolvable, Verdict::Solved)),
        }
    }

    fn look_up(
        &mut self,
        state: &[FluentId],
        made: usize,
        archive: Option<&mut dyn Archive>,
    ) -> Result<Option<usize>, Halt> {
        let layout = &self.solver.layout;
        if layout.clash(state) {
            return Ok(None);
        }
        let values = layout.values(state);
        let count = self.layer_states.len();
        let game = &self.key;
        let mut store = Store::new(archive.map(|archive| Records { archive, game }));
        store.solved = std::mem::take(&mut self.layers);
        // Without a measure of progress a state belongs to the layer in which it was met first.
        let numbers: Vec<usize> = match self.measure {
            Some(_) => vec![made],
            None => (0..=made.min(count.saturating_sub(1))).rev().collect(),
        };
        let mut found = None;
        for number in numbers.into_iter().filter(|&number| number < count) {
            let solved = store.values(&self.solver, number, &self.outcomes)?;
            found = (self.solver.space.rank(&solved.values, &values) as usize).checked_sub(1);
            if found.is_some() {
                break;
            }
        }
        self.layers = store.solved;
        Ok(found)
    }
}

/// What records of a game are kept under: the hash of its rules, and one of the variables that the diagrams are over and
/// of what players want.
fn key(game: &Game, layout: &Layout, order: Order) -> String {
    let names = |var: &VarId| {
        let names: Vec<&str> = layout.variables[*var].iter().map(|&own| &game.fluents[own][..]).collect();
        names.join(" ")
    };
    let variables: Vec<String> = layout.order.iter().map(names).collect();
    let order = match order {
        Order::Own => "own",
        Order::Difference => "difference",
    };
    format!("{}-{}", rules_hash(game), hash(&[order, "\n", &variables.join("\n")]))
}
