//! Contract bridge: declarer's plan for a deal, boards played out, duplicate matches, and single suits.
//!
//! Boards are read from PBN or LIN ([`read_pbn`], [`read_lin`]), from one deal ([`read_deal`]) or drawn at random ([`draw`]);
//! [`select`] makes them ready to be planned and played. The JSON forms of the answers are what `counterplay bridge … --json`
//! prints.
//!
//! ```
//! use counterplay::bridge::{BoardRequest, Hands, PlanRequest, plan, read_pbn, select};
//! use counterplay::{Budget, Silent};
//!
//! let pbn = br#"[Board "1"]
//! [Deal "N:A752.KJ4.953.A64 - KQ4.A72.AK84.K75 -"]
//! [Declarer "S"]
//! [Contract "3NT"]
//! "#;
//! let request = BoardRequest { lead: Some("HQ".parse().expect("a card")), ..BoardRequest::default() };
//! let boards = select(&read_pbn(pbn), &request, Hands::DeclarersOnly)?;
//! let request = PlanRequest { layouts: 20, samples: 0, ..PlanRequest::default() };
//! let answer = plan(&boards.ready[0], &request, &Budget::unlimited(), &Silent)?;
//! assert!(["HK", "HJ", "H4"].contains(&answer.card.as_str()), "dummy plays to the lead");
//! assert!(!answer.explanation.is_empty());
//! # Ok::<(), counterplay::Halt>(())
//! ```

mod boards;
mod calibrate;
mod deal;
mod duplicate;
mod odds;
mod plan;
mod play;
mod session;
mod show;
mod suit;
mod suit_check;
mod table_view;

pub use ::bridge::auction::Auction;
pub use ::bridge::card::{Card, Cards, Suit};
pub use ::bridge::contract::{Bid, Contract, Strain, Vulnerability};
pub use ::bridge::deal::{Deal, Layout};
pub use ::bridge::double_dummy::DoubleDummy;
pub use ::bridge::formats::{Board, Boards, file_to_lin, file_to_pbn, read_lin, read_pbn};
pub use ::bridge::generate::DealKind;
pub use ::bridge::play::PlayerView;
pub use ::bridge::players::{Declarer, Defence, Effort};
pub use ::bridge::seat::Seat;
pub use ::bridge::table::{BoardSession, SessionState};

pub use self::boards::{
    BoardError, BoardNumbers, BoardRequest, BoardTextError, Hands, KnownHand, ReadyBoard, RefusedBoard,
    Selection, draw, read_deal, select,
};
pub use self::calibrate::{
    AgreementAnswer, CalibrateAnswer, CalibrateRequest, CalibrationRow, PerDefence, TrialAnswer, calibrate,
};
pub use self::deal::{DealAnswer, DealRequest, deal};
pub use self::duplicate::{
    BoardPair, DeclarerResult, DuplicateAnswer, DuplicateMatch, DuplicateRequest, play_match,
};
pub use self::odds::{CardOdds, OddsAnswer, ParAnswer, odds, par};
pub use self::plan::{ChanceAnswer, Considered, PlanAnswer, PlanCriterion, PlanRequest, plan};
pub use self::play::{BoardName, PlayAnswer, PlayAnswers, PlayRequest, Table, play};
pub use self::session::{CardPlayed, CardPrompt, SessionEnd, visible_hands};
pub use self::show::{ShowAnswer, picture, show};
pub use self::suit::{SuitAnswer, SuitLine, SuitLines, SuitRequest, suit, suit_with_strategies};
pub use self::suit_check::{SuitClaim, SuitValidity, check_suit_text, is_suit_text};
pub use self::table_view::{BoardResult, CardHint, TableView, TrickCard, hint, play_until_person};
