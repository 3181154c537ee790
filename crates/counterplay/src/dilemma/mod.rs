//! Repeated games of two players with two moves each, with noise: matches, tournaments and ecologies.
//!
//! Strategies are called by name ([`strategies`] lists them). Strategies of the caller's own implement [`Strategy`] and join
//! through [`Players`]. The JSON forms of the answers are what `counterplay dilemma … --json` prints.
//!
//! ```
//! use counterplay::dilemma::{MatchRules, Players, TournamentRequest, tournament};
//! use counterplay::{Budget, Silent};
//!
//! let request = TournamentRequest {
//!     players: ["TitForTat", "Defector", "Cooperator"].map(str::to_owned).to_vec(),
//!     rules: MatchRules { turns: 100, ..MatchRules::default() },
//!     ..TournamentRequest::default()
//! };
//! let answer = tournament(&Players::default(), &request, &Budget::unlimited(), &Silent)?;
//! assert_eq!(answer.ranking[0].strategy, "Defector");
//! assert!(answer.evidence.is_some_and(|evidence| evidence.is_proof()), "without noise the scores are exact");
//! # Ok::<(), counterplay::Halt>(())
//! ```

mod list;
mod one_match;
mod pictures;
mod players;
mod roshambo;
mod rules;
mod session;
mod stepped;
mod tournament;

pub use counterplay_dilemma::roshambo::{RoshamboPlayer, UnknownPlayer};
pub use counterplay_dilemma::tournament::{Entrant, Herald, Standing};
pub use counterplay_dilemma::{
    Belief, Beliefs, Chance, Fault, Game, History, Move, Payoffs, Rules, Session, Setting, Strategy,
    TurnResult,
};

pub use self::list::{StrategyInfo, StrategyList, strategies};
pub use self::one_match::{MatchAnswer, MatchFault, MatchRequest, play_match};
pub use self::players::Players;
pub use self::roshambo::{RoshamboAnswer, RoshamboRequest, RoshamboResult, play_roshambo};
pub use self::rules::{MatchRules, positive};
pub use self::session::{SessionAnswer, fixed_turns};
pub use self::stepped::SteppedStrategy;
pub use self::tournament::{
    Rank, Share, TournamentAnswer, TournamentFault, TournamentRequest, tournament, tournament_telling,
};
