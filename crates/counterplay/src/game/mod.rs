//! General games, given by their rules in GDL: [`ground`], [`simulate`], [`solve`], and a [`GamePlayer`].
//!
//! ```
//! use counterplay::game::{GameRules, SolveRequest, solve};
//! use counterplay::{Budget, Silent};
//!
//! let rules = GameRules::read("lamp", "
//!     (role player) (init dark)
//!     (legal player wait) (legal player switch)
//!     (<= (next lit) (does player switch)) (<= (next dark) (does player wait))
//!     (<= terminal (true lit)) (<= (goal player 100) (true lit))")?;
//! let answer = solve(&rules, &SolveRequest::default(), None, &Budget::unlimited(), &Silent).unwrap();
//! assert_eq!(answer.value, [100]);
//! assert_eq!(answer.states, 2);
//! assert!(answer.evidence.is_proof());
//! # Ok::<(), counterplay::Error>(())
//! ```
//!
//! The JSON forms of the answers are what `counterplay game ground`, `game simulate` and `game solve` print with `--json`.

mod analysis;
mod answer;
mod archive_check;
mod contest;
mod exact;
mod expected;
mod folder;
mod grounding;
mod hidden;
mod playbook;
mod player;
mod position;
mod proof;
mod request;
mod rules;
mod simulation;
mod single;
mod solving;

pub use counterplay_cluster::{ClusterError, Hosts, PARTS, Plan};
pub use counterplay_ggp::archive::{Archive, ArchiveError};
pub use counterplay_ggp::explicit::Order;
pub use counterplay_ggp::mixed::Concept;
pub use counterplay_ggp::play::PlayerKind;

pub use analysis::{Analysis, GameOutline, MoveValue, PositionView, analyse, outline, position};
pub use answer::{
    Choice, DiskFigures, GameVerdict, OutcomeCount, Position, RoleBound, SecurityLevel, SolveAnswer,
};
pub use archive_check::{ArchiveValidity, check_archive_folder, is_archive};
pub use contest::{Contestant, GamePosition, MatchAnswer, MatchRequest, MatchTurn, Seat, play_match};
pub use counterplay_check::PositionList;
pub use counterplay_check::is_playbook;
pub use exact::Exact;
pub use folder::ArchiveFolder;
pub use grounding::{GroundAnswer, ground};
pub use hidden::{HiddenFigures, InformationSet, KnownRound, Lot};
pub use playbook::{StrategyValidity, SureReward, check_strategy_text};
pub use player::{ChosenMove, GamePlayer, PlayRequest};
pub use proof::ProofFigures;
pub use request::{Engine, SimulateRequest, SolveRequest};
pub use rules::GameRules;
pub use simulation::{RulesPace, SimulateAnswer, simulate};
pub use single::Line;
pub use solving::{refused, solve, solve_on_disk};
