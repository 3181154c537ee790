//! Kriegspiel: chess in which each side sees only its own men.
//!
//! [`solve`] decides whether a plan mates in every position of a belief state, [`estimate`] tells the belief state after each
//! step of a history, [`Generator`] makes databases of problems, and a [`GameSession`] is a game with its referee. Answers have the JSON
//! forms that `counterplay kriegspiel` prints.
//!
//! ```
//! use counterplay::kriegspiel::{Problem, Request, solve};
//! use counterplay::{Budget, Silent};
//!
//! // The black king stands on one of two squares. A rook mates on the last rank either way.
//! let fens = ["1k6/7R/8/8/8/8/8/K5R1 w - - 0 1", "2k5/7R/8/8/8/8/8/K5R1 w - - 0 1"];
//! let problem = Problem::of_fens(&fens, 1)?;
//! let answer = solve(&problem, &Request::default(), &Budget::unlimited(), &Silent)?;
//! assert_eq!(answer.first_try.as_deref(), Some("g1g8"));
//! assert!(answer.evidence.is_some_and(|evidence| evidence.is_proof()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod certificate;
mod estimate;
mod generate;
mod import;
mod matches;
mod pictures;
mod play;
mod proof;
mod request;
mod solve;
mod walk;

pub use counterplay_belief::Algorithm;
pub use counterplay_kriegspiel::generator::{DatabaseRow, Generator};
pub use counterplay_kriegspiel::line::{Line, Problem, ProblemError, Source, is_depth};
pub use counterplay_kriegspiel::{Announcement, chess, contest, protocol};
pub use counterplay_kriegspiel::{Extras, KriegEvent, RuleSet, View};

pub use self::answer::Answer;
pub use self::certificate::{KriegspielValidity, check_proof_text, is_proof_text};
pub use self::estimate::{Estimate, EstimatedStep, History, HistoryError, estimate};
pub use self::generate::{GenerateRequest, Generation};
pub use self::import::{ImportedProblem, import};
pub use self::matches::{
    Contestants, MatchAnswer, MatchFault, MatchGame, MatchRequest, PLAYERS, SeatSetup, play_match,
    play_match_telling, seat,
};
pub use self::pictures::{Picture, belief_svg, picture, proof_svg};
pub use self::play::{
    Attempt, BeliefShares, Ending, GameRecord, GameRequest, GameSession, News, PlayerKind, RecordedTry,
    TryWanted, Turn,
};
pub use self::proof::{Proof, ProofAfter, ProofReply, ProofTree, RefutationText, proof_text};
pub use self::request::Request;
pub use self::solve::{positions, solve};
pub use self::walk::{BeliefTree, walk};
