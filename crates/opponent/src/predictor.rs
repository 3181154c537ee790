//! A player for any matrix game: it learns what the other does under each condition and plays the best response.

use counterplay_base::{Budget, Id, Verdict};

use crate::conditions::{Class, Conditions};
use crate::estimate::Estimator;
use crate::game::{Act, Joint, MatrixGame};
use crate::mdp::StateId;
use crate::model::Model;
use crate::respond::respond;
use crate::solve::{solve_discounted, solve_truncated};

/// How far ahead the predictor plans.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Horizon {
    /// So many rounds, all counting the same.
    Rounds(usize),
    /// For ever, a round counting `discount` times as much as the one before it.
    Discounted(f64),
}

/// Learns, predicts, and plans, anew in each round: the model is an approximation, so only the first move of a plan
/// is ever played.
#[derive(Clone, Debug)]
pub struct Predictor {
    game: MatrixGame,
    conditions: Conditions,
    model: Model,
    horizon: Horizon,
    class: Class,
    /// The moves of the last plan by condition, as long as the model has not changed.
    plan: Option<Vec<Act>>,
}

impl Predictor {
    /// A player that has seen nothing yet.
    ///
    /// # Panics
    /// If the conditions speak of other moves than the game has.
    pub fn new(
        game: MatrixGame,
        conditions: Conditions,
        estimator: Estimator,
        horizon: Horizon,
    ) -> Predictor {
        let model = Model::new(&conditions, estimator);
        Predictor::with_model(game, conditions, model, horizon)
    }

    /// A player that begins with a model.
    ///
    /// # Panics
    /// If the conditions speak of other moves than the game has.
    pub fn with_model(game: MatrixGame, conditions: Conditions, model: Model, horizon: Horizon) -> Predictor {
        let moves = (game.acts().len(), game.replies().len());
        assert_eq!(moves, conditions.moves(), "game and conditions have the same moves");
        let class = conditions.start();
        Predictor { game, conditions, model, horizon, class, plan: None }
    }

    /// The best move now, against what the model predicts.
    pub fn choose(&mut self) -> Act {
        if self.plan.is_none() {
            self.plan = Some(self.replan());
        }
        self.plan.as_ref().map_or(Act::new(0), |plan| plan[self.class.index()])
    }

    /// Takes note of a round.
    pub fn observe(&mut self, joint: Joint) {
        self.model.observe(self.class, joint.reply);
        self.class = self.conditions.next(self.class, joint);
        self.plan = None;
    }

    /// What is believed of the other.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The conditions of the model.
    pub fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    /// The condition that holds now.
    pub fn class(&self) -> Class {
        self.class
    }

    fn replan(&self) -> Vec<Act> {
        let mdp = respond(&self.game, &self.conditions, &self.model);
        let unlimited = Budget::unlimited();
        let policy = match self.horizon {
            Horizon::Rounds(depth) => match solve_truncated(&mdp, depth, &unlimited) {
                Verdict::Solved(mut solution) => solution.policy.pop(),
                _ => None,
            },
            Horizon::Discounted(discount) => match solve_discounted(&mdp, discount, &unlimited) {
                Verdict::Solved(solution) => Some(solution.policy),
                _ => None,
            },
        };
        let policy = policy.expect("without a limit every decision process is solved");
        let best = |class: Class| policy[StateId::new(class.index())].unwrap_or(0);
        self.conditions.classes().map(|class| Act::new(best(class))).collect()
    }
}
