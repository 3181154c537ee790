//! The Derived Belief Strategy (Au and Nau, AAMAS 2006; section 4.4 of the survey).
//!
//! DBS models the other player by one probability of cooperation for each outcome of the last turn, tells accidents
//! from intentions with a [`NoiseFilter`], and plays the best response to its model by planning ahead as if the model
//! were true. It plans anew in each turn, and of a plan it plays the first move only.
//!
//! Where the descriptions leave a choice, it is a [`DbsSettings`]: whether planning begins at the outcome that was
//! observed (as in the Axelrod library, the default) or at the one the model predicted while evidence of a change is
//! still being collected (as the survey puts it); and whether the model is the filter of the 2006 paper or the simpler
//! window and threshold of the survey. Learning always uses what was observed. Both sides' executed moves are known.

mod plan;
mod variants;

use counterplay_base::Id;
use counterplay_opponent::{Class, Conditions, Estimator, Model, NoiseFilter, Reply, Standing, Thresholds};

pub use self::plan::best_move;
pub(crate) use self::variants::{ENTRIES, EXTRAS};
pub use self::variants::{Variant, variants};
use crate::chance::Chance;
use crate::moves::{History, Move, outcome};
use crate::strategy::{Belief, Beliefs, Setting, Strategy};

/// Which model of the other player is learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Learning {
    /// Deterministic, default and probabilistic rules.
    Symbolic(Thresholds),
    /// Frequencies within a window, rounded to certainty near 0 and 1.
    Window {
        /// How many turns are looked at.
        size: u32,
        /// How near is near.
        threshold: f64,
    },
}

/// Where planning begins while a deterministic rule is being violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanningStart {
    /// At what was observed.
    Observed,
    /// At what the rule predicted.
    Predicted,
}

/// The settings of the Derived Belief Strategy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DbsSettings {
    /// How the model of the other player is learned.
    pub learning: Learning,
    /// The outcome that planning starts from.
    pub start: PlanningStart,
    /// How many turns ahead it plans.
    pub depth: u32,
}

impl DbsSettings {
    /// The settings of the 2006 paper.
    pub const STANDARD: DbsSettings = DbsSettings {
        learning: Learning::Symbolic(Thresholds::STANDARD),
        start: PlanningStart::Observed,
        depth: 60,
    };
}

/// What is expected before anything is known: tit for tat, which repeats our own last move.
const EXPECTED: [bool; 4] = [true, true, false, false];

/// The outcomes, as names of conditions.
const OUTCOMES: [&str; 4] = ["CC", "CD", "DC", "DD"];

/// A player of one match.
#[derive(Debug)]
pub struct Dbs {
    settings: DbsSettings,
    payoffs: [f64; 4],
    model: Learned,
    /// The best moves under the present model, as far as they have been asked for.
    planned: [Option<Move>; 4],
}

#[derive(Debug)]
enum Learned {
    Symbolic(NoiseFilter<4>),
    Window { model: Box<Model>, predictions: [f64; 4] },
}

/// The condition after an outcome: memory-one conditions have the start before the four outcomes.
fn class_of(outcome: usize) -> Class {
    Class::new(outcome + 1)
}

impl Dbs {
    /// A player that has seen nothing yet.
    pub fn new(settings: DbsSettings, setting: &Setting) -> Dbs {
        let model = match settings.learning {
            Learning::Symbolic(thresholds) => Learned::Symbolic(NoiseFilter::new(EXPECTED, thresholds)),
            Learning::Window { size, threshold } => {
                let letters = ['C', 'D'];
                let conditions = Conditions::memory(1, &letters, &letters).expect("five conditions are few");
                let mut model = Model::new(&conditions, Estimator::Window { size, threshold });
                for (outcome, cooperates) in EXPECTED.into_iter().enumerate() {
                    let prior = if cooperates { [1.0, 0.0] } else { [0.0, 1.0] };
                    model = model.with_prior(class_of(outcome), &prior);
                }
                let predictions = EXPECTED.map(|cooperates| f64::from(u8::from(cooperates)));
                Learned::Window { model: Box::new(model), predictions }
            }
        };
        Dbs { settings, payoffs: setting.payoffs.by_outcome(), model, planned: [None; 4] }
    }

    /// How likely the other is believed to cooperate after each outcome, CC, CD, DC, DD.
    pub fn predictions(&self) -> &[f64; 4] {
        match &self.model {
            Learned::Symbolic(filter) => filter.predictions(),
            Learned::Window { predictions, .. } => predictions,
        }
    }

    /// The outcomes with a deterministic rule and those with a default rule.
    pub fn rules(&self) -> [Vec<usize>; 2] {
        let Learned::Symbolic(filter) = &self.model else { return [Vec::new(), Vec::new()] };
        let with = |rule: fn(&NoiseFilter<4>, usize) -> Option<bool>| {
            (0..4).filter(|&outcome| rule(filter, outcome).is_some()).collect()
        };
        [with(NoiseFilter::deterministic), with(NoiseFilter::default_rule)]
    }

    /// Learns from the last turn.
    fn learn(&mut self, before: usize, answer: Move) {
        let changed = match &mut self.model {
            Learned::Symbolic(filter) => filter.observe(before, answer == Move::C),
            Learned::Window { model, predictions } => {
                model.observe(class_of(before), Reply::new(answer.index()));
                let now = [0, 1, 2, 3].map(|outcome| model.predict(class_of(outcome), Reply::new(0)));
                std::mem::replace(predictions, now) != now
            }
        };
        if changed {
            self.planned = [None; 4];
        }
    }

    /// The other's last move as planning sees it.
    fn assumed(&self, before: usize, answer: Move) -> Move {
        match (&self.model, self.settings.start) {
            (Learned::Symbolic(filter), PlanningStart::Predicted) => {
                filter.deterministic(before).map_or(answer, Move::c_if)
            }
            _ => answer,
        }
    }
}

impl Strategy for Dbs {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        let Some((own, other)) = history.outcome_ago(1) else { return Move::C };
        let mut seen = other;
        if let Some((own_before, other_before)) = history.outcome_ago(2) {
            let before = outcome(own_before, other_before);
            self.learn(before, other);
            seen = self.assumed(before, other);
        }
        let now = outcome(own, seen);
        let model = *self.predictions();
        let (payoffs, depth) = (&self.payoffs, self.settings.depth);
        *self.planned[now].get_or_insert_with(|| best_move(&model, payoffs, now, depth))
    }

    fn beliefs(&self, history: &History<'_>) -> Option<Beliefs> {
        let holds = history.outcome_ago(1).map(|(own, other)| outcome(own, other));
        let because = |number: usize| match &self.model {
            Learned::Symbolic(filter) => match filter.standing(number) {
                Standing::Deterministic { violations: 0 } => "a rule it keeps".to_owned(),
                Standing::Deterministic { violations } => {
                    format!("a rule, broken {violations} times in a row: accident?")
                }
                Standing::Default => "assumed until contradicted".to_owned(),
                Standing::Frequency => "frequency, recent turns weigh more".to_owned(),
            },
            Learned::Window { .. } => "frequency in the window".to_owned(),
        };
        let line = |number: usize| Belief {
            condition: OUTCOMES[number].to_owned(),
            cooperates: self.predictions()[number],
            because: because(number),
            holds: holds == Some(number),
        };
        Some(Beliefs { lines: (0..4).map(line).collect() })
    }
}
