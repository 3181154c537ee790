//! What an answer rests on, in the words that all answers share.

use counterplay_base::Evidence;

use super::{Solution, Tier};

/// The name of the checker.
const CHECKER: &str = "independent rules";

impl Solution {
    /// What the answer rests on; `checked` if the proof was replayed in full.
    pub fn evidence(&self, checked: bool) -> Evidence {
        match self.tier {
            Tier::Plan => Evidence::proved("adversarial planning", checked.then_some(CHECKER)),
            Tier::Search => Evidence::proved("proof-number search", checked.then_some(CHECKER)),
            Tier::Region => {
                let mut assumes = format!("nobody plays outside a region of {} points", self.zone.len());
                if !self.framed.is_empty() {
                    assumes += &format!(" and the attacker owns what is next to it ({})", self.framed.len());
                }
                Evidence::Planned { engine: "a search of a region".to_owned(), assumes }
            }
            Tier::Knowledge => Evidence::Planned {
                engine: "adversarial planning".to_owned(),
                assumes: "no reply outside the knowledge base helps".to_owned(),
            },
            Tier::Guess => Evidence::Sampled {
                engine: "random continuations".to_owned(),
                samples: self.sampled,
                error: None,
                about: "the move that succeeds most often".to_owned(),
            },
        }
    }
}
