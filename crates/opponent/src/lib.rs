//! Predictive models of the other agent, and best responses to them.
//!
//! A player that can predict the other agent need not reason about games any more: the prediction turns the game into a
//! Markov decision process (MDP), and that can be solved. The way of the data is
//!
//! ```text
//! what was seen ──► Model (probabilities by condition) ──► Mdp over conditions ──► Policy
//!                   learned by an Estimator                 respond                 horizon, discounted
//! ```
//!
//! Conditions are mutually exclusive and decided by a finite automaton ([`Conditions`]), so that they serve twice:
//! as the left sides of the model's rules, and as the equivalence classes that keep the decision process small.
//! [`NoiseFilter`] is the symbolic part of the Derived Belief Strategy: it tells an accident from a change of mind.
//! [`Predictor`] puts everything together for any game that is given by a payoff matrix.
//!
//! Matching pennies against a player that always shows heads:
//!
//! ```
//! use counterplay_base::Id;
//! use counterplay_opponent::{Act, Conditions, Estimator, Horizon, Joint, MatrixGame, Predictor, Reply};
//!
//! let (heads, tails) = (0, 1);
//! let game = MatrixGame::new(&[vec![1.0, -1.0], vec![-1.0, 1.0]]).expect("two moves each");
//! let conditions = Conditions::memory(1, &['h', 't'], &['h', 't']).expect("few conditions");
//! let estimator = Estimator::Discounted { discount: 0.9 };
//! let mut player = Predictor::new(game, conditions, estimator, Horizon::Rounds(1));
//! for _ in 0..10 {
//!     player.observe(Joint { act: Act::new(tails), reply: Reply::new(heads) });
//! }
//! assert_eq!(player.choose(), Act::new(heads));
//! ```
//!
//! Source: Nau and Au, section 4 of the survey on planning in multi-agent environments; Au and Nau, "Accident or
//! intention: that is the question (in the iterated prisoner's dilemma)" (AAMAS 2006).
//!
//! This crate knows no particular game.

mod conditions;
mod estimate;
mod filter;
mod game;
mod mdp;
mod model;
mod predictor;
mod respond;
mod solve;

pub use conditions::{Class, Conditions, ConditionsError};
pub use estimate::Estimator;
pub use filter::{NoiseFilter, Standing, Thresholds};
pub use game::{Act, Joint, MatrixGame, Reply};
pub use mdp::{ActionDescription, Mdp, MdpAction, MdpDescription, MdpError, Outcome, StateId};
pub use model::Model;
pub use predictor::{Horizon, Predictor};
pub use respond::respond;
pub use solve::{DiscountedPolicy, FiniteHorizonPolicy, solve_discounted, solve_truncated};
