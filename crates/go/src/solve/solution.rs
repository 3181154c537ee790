//! The answer to a problem: what is proved, what is only believed, and what either rests on.

use counterplay_base::{Evidence, Verdict};
use serde::Serialize;

use crate::claim::Claim;
use crate::point::{Move, Point};
use crate::search::{Side, Stake};
use crate::tree::Step;

/// How good a success of the player to move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Without a ko; a target that is saved may have two eyes or not.
    Clean,
    /// Only by winning a ko.
    Ko,
    /// The target is saved without a ko, but two eyes cannot be forced.
    Seki,
}

impl Class {
    /// Its name: `clean`, `ko` or `seki`.
    pub fn word(self) -> &'static str {
        match self {
            Class::Clean => "clean",
            Class::Ko => "ko",
            Class::Seki => "seki",
        }
    }
}

/// What an answer rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// A plan that answers every reply: a proof.
    Plan,
    /// An exact search: a proof.
    Search,
    /// A plan or a search that answers every reply in a region, as if neither side played outside it.
    Region,
    /// A search of the moves that act on the target's string: its liberties, what is next to them, and strings that are short of them.
    Reading,
    /// A plan that answers the replies that the opponent's plans suggest.
    Knowledge,
    /// Sampling: a guess.
    #[default]
    Guess,
}

impl Tier {
    /// Its name: `plan`, `search`, `region`, `reading`, `knowledge` or `guess`.
    pub fn word(self) -> &'static str {
        match self {
            Tier::Plan => "plan",
            Tier::Knowledge => "knowledge",
            Tier::Search => "search",
            Tier::Region => "region",
            Tier::Reading => "reading",
            Tier::Guess => "guess",
        }
    }

    /// Whether the answer is proved: it holds on the whole board.
    pub fn is_proof(self) -> bool {
        matches!(self, Tier::Plan | Tier::Search)
    }
}

/// A move by which the player to move succeeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Success {
    /// The move to play now.
    pub action: Move,
    pub class: Class,
}

/// The part of the board that was searched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// Its points, the nearest to the target first.
    pub points: Vec<Point>,
    /// Points outside it that are taken to be the attacker's.
    pub framed: Vec<Point>,
    /// Whether the target cannot get out of it.
    pub closed: bool,
}

/// What the searches did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Moves that the planner or a search made on the board; positions of the transposition table count once.
    pub moves_tried: u64,
    /// Planning cycles: a goal or a schema is taken from an agenda.
    pub cycles: u64,
    /// Playouts of sampling.
    pub playouts: u64,
}

/// The answer to a problem.
#[derive(Clone, Debug)]
pub struct Solution {
    /// What is proved for the whole board: a success, that there is none, or nothing before the limit. A search that ends without
    /// a proof counts as stopped by the number of positions that it may look at.
    pub verdict: Verdict<Success>,
    /// The best success that is known without a proof, if the verdict is `Stopped`.
    pub best: Option<Success>,
    /// What the verdict rests on, or `best` if there is no proof.
    pub tier: Tier,
    pub line: Vec<Move>,
    /// The goals that the move serves, the most abstract first.
    pub why: Vec<String>,
    /// The contingency tree: the first move with the replies to it. Empty if there is no success.
    pub tree: Vec<Step>,
    /// What was proved; empty if the verdict is `Stopped`. The page of [`solve`](crate::solve) lists the claims of each class.
    pub claims: Vec<Claim>,
    /// The part of the board that was searched.
    pub region: Region,
    /// What the searches did.
    pub statistics: Statistics,
}

/// The name of the checker.
const CHECKER: &str = "independent rules";

impl Solution {
    /// The success, whether it is proved or not.
    pub fn success(&self) -> Option<Success> {
        self.verdict.clone().solved().or(self.best)
    }

    /// The move to play, whether it is proved to succeed or not.
    pub fn action(&self) -> Option<Move> {
        self.success().map(|success| success.action)
    }

    /// What the move achieves, whether that is proved or not.
    pub fn class(&self) -> Option<Class> {
        self.success().map(|success| success.class)
    }

    /// Whether a success, or that there is none, is proved.
    pub fn is_proof(&self) -> bool {
        !matches!(self.verdict, Verdict::Stopped(_))
    }

    /// Whether a search came to an end, be it in its region only.
    pub fn has_ended(&self) -> bool {
        self.is_proof() || self.tier == Tier::Region
    }

    /// Whether a target that is to be saved can be given two eyes without a ko, as far as that is proved.
    pub fn eyes(&self) -> Option<bool> {
        let about_eyes = self.claims.iter().find(|claim| claim.stake == Stake::Eyes)?;
        Some(about_eyes.winner == Side::Defender)
    }

    /// What the answer rests on; `checked` if the proof was replayed in full.
    pub fn evidence(&self, checked: bool) -> Evidence {
        match self.tier {
            Tier::Plan => Evidence::proved("adversarial planning", checked.then_some(CHECKER)),
            Tier::Search => Evidence::proved("proof-number search", checked.then_some(CHECKER)),
            Tier::Region => {
                let Region { points, framed, .. } = &self.region;
                let mut assumes = format!("no move outside a region of {} points", points.len());
                if !framed.is_empty() {
                    assumes += &format!(" and the attacker owns what is next to it ({})", framed.len());
                }
                Evidence::Planned { engine: "a search of a region".to_owned(), assumes }
            }
            Tier::Reading => Evidence::Planned {
                engine: "a search of the moves that act on the target".to_owned(),
                assumes: "no other move helps".to_owned(),
            },
            Tier::Knowledge => Evidence::Planned {
                engine: "adversarial planning".to_owned(),
                assumes: "no reply outside the knowledge base helps".to_owned(),
            },
            Tier::Guess => Evidence::Sampled {
                engine: "random continuations".to_owned(),
                samples: self.statistics.playouts,
                error: None,
                about: "the move that succeeds most often".to_owned(),
            },
        }
    }
}
