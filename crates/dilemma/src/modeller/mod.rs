//! The general predictive player in the dilemma: any conditions, learned probabilities, the best response.
//!
//! Unlike DBS it has no rules and no filter; it shows what the model machinery of `counterplay-opponent` does with
//! conditions of any kind, also with those that a user wrote down ([`read_conditions`]).

mod text;

use counterplay_base::Id;
use counterplay_opponent::{
    Act, Class, Conditions, Estimator, Horizon, Joint, MatrixGame, Model, Predictor, Reply,
};

pub use self::text::{ConditionSet, TextError, read_conditions};
use crate::chance::Chance;
use crate::moves::{History, Move};
use crate::strategy::{Belief, Beliefs, Setting, Strategy};

/// What an observation weighs one turn later.
const DISCOUNT: f64 = 0.95;
/// What a point is worth one turn later, in planning.
const PATIENCE: f64 = 0.95;

/// A player of one match.
#[derive(Debug)]
pub struct Modeller {
    predictor: Predictor,
}

impl Modeller {
    /// A player with these conditions and priors.
    pub fn new(set: &ConditionSet, setting: &Setting) -> Modeller {
        let [cc, cd, dc, dd] = setting.payoffs.by_outcome();
        let game = MatrixGame::new(&[vec![cc, cd], vec![dc, dd]]).expect("payoffs are numbers");
        let mut model = Model::new(&set.conditions, Estimator::Discounted { discount: DISCOUNT });
        for (class, &prior) in set.conditions.classes().zip(&set.priors) {
            model = model.with_prior(class, &[prior, 1.0 - prior]);
        }
        let horizon = Horizon::Discounted(PATIENCE);
        Modeller { predictor: Predictor::with_model(game, set.conditions.clone(), model, horizon) }
    }

    /// A player whose conditions are the last so many turns, at most three. It expects tit for tat: without a belief
    /// that cooperation is answered, a player that plans would never try it.
    pub(crate) fn remembering(turns: u32, setting: &Setting) -> Modeller {
        let letters = ['C', 'D'];
        let conditions = Conditions::memory(turns.min(3), &letters, &letters).expect("few conditions");
        let expected = |class: Class| {
            let last = conditions.name(class).rsplit(' ').next().unwrap_or_default();
            if last.starts_with('D') { 0.0 } else { 1.0 }
        };
        let priors = conditions.classes().map(expected).collect();
        Modeller::new(&ConditionSet { conditions, priors }, setting)
    }
}

impl Strategy for Modeller {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        if let Some((own, other)) = history.outcome_ago(1) {
            self.predictor.observe(Joint { act: Act::new(own.index()), reply: Reply::new(other.index()) });
        }
        Move::d_if(self.predictor.choose().index() == 1)
    }

    fn beliefs(&self, _: &History<'_>) -> Option<Beliefs> {
        let conditions = self.predictor.conditions();
        let lines = conditions.classes().map(|class| Belief {
            condition: conditions.name(class).to_owned(),
            cooperates: self.predictor.model().predict(class, Reply::new(0)),
            because: "frequency, recent turns weigh more".to_owned(),
            holds: class == self.predictor.class(),
        });
        Some(Beliefs { lines: lines.collect() })
    }
}
