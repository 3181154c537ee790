//! The odds of each card that a person may play, and the par of a deal: what a player looks up after the board, or asks for during it.

use ::bridge::belief::Beliefs;
use ::bridge::belief::evidence::{Trust, sample};
use ::bridge::card::Card;
use ::bridge::double_dummy::DoubleDummy;
use ::bridge::seat::Seat;
use counterplay_base::{Budget, Evidence};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::boards::ReadyBoard;
use super::play::PlayRequest;
use super::table_view::follow;
use crate::error::{Error, Halt};

/// What each legal card is worth over layouts of the cards that the player on turn does not see.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OddsAnswer {
    /// The letter of the seat to play.
    pub seat: String,
    /// All legal cards, the best for this player first.
    pub cards: Vec<CardOdds>,
    /// How many layouts were solved.
    pub layouts: usize,
    /// Whether these are all that are possible.
    pub complete: bool,
    /// What the odds rest on.
    pub evidence: Evidence,
}

/// The odds of a card.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CardOdds {
    /// Suit and rank, such as `HQ`.
    pub card: String,
    /// The share of layouts, from 0 to 1, in which declarer makes the contract after it.
    pub makes: f64,
    /// Declarer's tricks on average.
    pub tricks: f64,
}

/// The best that both sides can reach on a deal with all hands open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ParAnswer {
    /// The score of north and south.
    pub score: i32,
    /// The contracts that reach it, such as `4S by N`.
    pub contracts: Vec<String>,
    /// The tricks that north, east, south and west take as declarer in clubs, diamonds, hearts, spades and notrump.
    pub tricks: [[u8; 5]; 4],
}

/// What each card is worth, by double dummy over `layouts` layouts that agree with all that the player on turn knows.
///
/// # Errors
/// Cards that cannot be played, the opening lead (nothing is seen before it), a board that is over, or the limit that was reached
/// before the first layout.
pub fn odds(
    board: &ReadyBoard,
    request: &PlayRequest,
    cards: &[Card],
    layouts: usize,
    budget: &Budget,
) -> Result<OddsAnswer, Halt> {
    let position = follow(board, cards)?;
    let refuse = |message: &str| Halt::from(Error::Request { message: message.to_owned(), help: None });
    if position.public().is_over() {
        return Err(refuse("the board is over"));
    }
    if cards.is_empty() {
        return Err(refuse("before the opening lead no dummy is seen"));
    }
    let view = position.view();
    let (public, context) = (view.public(), board.context(request.seed, budget));
    let beliefs = Beliefs::credible(&view, context.bounds);
    let mut rng = ChaCha8Rng::seed_from_u64(request.seed);
    let drawn = sample(&beliefs, &view, cards, Trust::NONE, layouts, &mut rng);
    let (won, target) = (public.declarer_tricks(), board.contract.target());
    let mut totals: Vec<(Card, f64, f64)> = view.legal().descending().map(|card| (card, 0.0, 0.0)).collect();
    let (mut solver, mut solved, mut mass) = (DoubleDummy::default(), 0, 0.0);
    for (layout, weight) in &drawn.layouts {
        if solved > 0 && budget.check().is_err() {
            break;
        }
        for (card, tricks) in solver.values(layout) {
            if let Some(total) = totals.iter_mut().find(|(known, ..)| *known == card) {
                let all = won + tricks;
                total.1 += weight * f64::from(u8::from(all >= target));
                total.2 += weight * f64::from(all);
            }
        }
        (solved, mass) = (solved + 1, mass + weight);
    }
    if solved == 0 {
        budget.check()?;
        return Err(refuse("no layout agrees with what is known"));
    }
    let side = if public.is_ours(public.turn()) { 1.0 } else { -1.0 };
    totals.sort_by(|a, b| (side * b.1).total_cmp(&(side * a.1)).then((side * b.2).total_cmp(&(side * a.2))));
    let card_odds = |&(card, makes, tricks): &(Card, f64, f64)| CardOdds {
        card: card.to_string(),
        makes: makes / mass,
        tricks: tricks / mass,
    };
    Ok(OddsAnswer {
        seat: public.turn().letter().to_string(),
        cards: totals.iter().map(card_odds).collect(),
        layouts: solved,
        complete: drawn.complete && solved == drawn.layouts.len(),
        evidence: Evidence::Sampled {
            engine: "double dummy".to_owned(),
            samples: solved as u64,
            error: None,
            about: "the share of layouts in which the contract is made if all see all cards from now on"
                .to_owned(),
        },
    })
}

/// The par of a board. Who deals matters on the few deals where both sides can make the same contract.
pub fn par(board: &ReadyBoard, dealer: Option<Seat>) -> ParAnswer {
    let mut solver = DoubleDummy::default();
    let tricks = solver.table(&board.deal);
    let par = DoubleDummy::par(&tricks, board.vulnerability, dealer.unwrap_or(Seat::North));
    ParAnswer { score: par.score, contracts: par.contracts, tricks }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::{BoardRequest, Declarer, Hands, read_pbn, select};

    /// Spades and hearts are solid for north and south: seven of either, or notrump, cannot be beaten.
    const PBN: &[u8] = b"[Board \"1\"]
[Deal \"N:AKQ.AKQ.AKQ.AKQJ 5432.432.432.432 JT98.JT98.JT9.T9 76.765.8765.8765\"]
[Declarer \"N\"]
[Contract \"6NT\"]
";

    fn board() -> ReadyBoard {
        select(&read_pbn(PBN), &BoardRequest::default(), Hands::All).unwrap().ready.remove(0)
    }

    #[test]
    fn par_is_the_grand_slam_that_cannot_be_beaten() {
        let par = par(&board(), None);
        assert_eq!(par.tricks[0][4], 13);
        assert_eq!(par.score, 1520, "{par:?}");
        assert!(par.contracts.iter().any(|contract| contract.starts_with("7NT by")), "{par:?}");
    }

    #[test]
    fn a_certain_contract_is_made_in_every_layout() {
        let request = PlayRequest { declarer: Declarer::You, ..PlayRequest::default() };
        let lead = "S5".parse().unwrap();
        let odds = odds(&board(), &request, &[lead], 8, &Budget::unlimited()).unwrap();
        assert_eq!(odds.layouts, 8);
        assert!(odds.cards.iter().all(|one| one.makes == 1.0), "{odds:?}");
        assert!(odds.cards.windows(2).all(|pair| pair[0].tricks >= pair[1].tricks), "best first: {odds:?}");
        assert!(
            super::odds(&board(), &request, &[], 8, &Budget::unlimited()).is_err(),
            "no dummy is seen yet"
        );
    }
}
