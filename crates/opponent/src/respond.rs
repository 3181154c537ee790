//! From a repeated game and a model of the other player to a decision process.
//!
//! The other's moves become outcomes of our own, with the model's probabilities (section 4.2 of the survey); the
//! states are the model's conditions, because histories under the same condition have the same future (section
//! 4.3). What a round pays is the negative cost of the action that leads to it.

use counterplay_base::Id;

use crate::conditions::Conditions;
use crate::game::{Joint, MatrixGame};
use crate::mdp::{ActionDescription, Mdp, MdpDescription};
use crate::model::Model;

/// The decision process of playing `game` again and again against what `model` predicts. State `i` is condition
/// `i`, and action `j` is our move `j`.
pub fn respond(game: &MatrixGame, conditions: &Conditions, model: &Model) -> Mdp {
    let states = conditions
        .classes()
        .map(|class| {
            let actions = game.acts().map(|act| {
                let mut pay = 0.0;
                let mut outcomes = Vec::new();
                for reply in game.replies() {
                    let joint = Joint { act, reply };
                    let probability = model.predict(class, reply);
                    pay += probability * game.payoff(joint);
                    outcomes.push((probability, conditions.next(class, joint).index()));
                }
                ActionDescription { cost: -pay, outcomes }
            });
            (0.0, actions.collect())
        })
        .collect();
    Mdp::new(&MdpDescription { states }).expect("a model's probabilities add up to one")
}
