//! A board in play, for callers that keep the cards and nothing else.
//!
//! [`play_until_person`] takes the cards played so far, lets programs play until a person has to, and tells all that this person may
//! see. Nothing is kept between two calls, so a card is taken back by leaving it out.

use ::bridge::card::{Card, Cards};
use ::bridge::double_dummy::DoubleDummy;
use ::bridge::play::Position;
use ::bridge::players::{Declarer, Defence, Planner, Player};
use ::bridge::seat::Seat;
use counterplay_base::{Budget, Evidence};
use serde::Serialize;

use super::boards::ReadyBoard;
use super::plan::Considered;
use super::play::PlayRequest;
use super::session::CardPlayed;
use crate::error::{Error, Halt};

/// A board in play as one person sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableView {
    /// The cards left in the hands of north, east, south and west, highest first; null for a hand that the person does not see.
    pub hands: [Option<Vec<String>>; 4],
    /// How many cards each of them holds.
    pub counts: [usize; 4],
    /// The letter of the seat to play; null at the end.
    pub turn: Option<String>,
    /// The cards that may be played now; empty at the end.
    pub legal: Vec<String>,
    /// The cards of the present trick with their seats, in the order of play.
    pub trick: Vec<TrickCard>,
    /// The last full trick.
    pub last_trick: Vec<TrickCard>,
    /// The letter of the seat that won the last full trick.
    pub last_winner: Option<String>,
    /// Tricks of declarer and of the defence.
    pub tricks: [u8; 2],
    /// All cards so far, the given ones included.
    pub play: Vec<String>,
    /// The cards that programs played in this call, with their reasons.
    pub news: Vec<CardPlayed>,
    /// How the board ended; null before.
    pub result: Option<BoardResult>,
}

/// A card of a trick.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrickCard {
    /// The letter of the seat.
    pub seat: String,
    pub card: String,
}

/// The result of a board, beside what both sides could reach with all hands open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoardResult {
    /// In words.
    pub text: String,
    /// Tricks of declarer.
    pub tricks: u8,
    /// Declarer's duplicate score.
    pub score: i32,
    /// Tricks of declarer in this contract if all four play perfectly with all hands open, after the opening lead that was made.
    pub double_dummy_tricks: u8,
    /// The score for these tricks.
    pub double_dummy_score: i32,
}

/// A hint for the person to play.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CardHint {
    /// The card that the program would play.
    pub card: String,
    /// The reason in a sentence.
    pub why: String,
    /// All cards that were considered, best score first; empty for defenders, who play by rule.
    pub considered: Vec<Considered>,
    /// The line of play, as long as the defenders do what is most likely.
    pub line: Vec<String>,
    /// What it rests on.
    pub evidence: Evidence,
}

fn letter(seat: Seat) -> String {
    seat.letter().to_string()
}

/// The position after some cards.
pub(super) fn follow(board: &ReadyBoard, cards: &[Card]) -> Result<Position, Error> {
    let mut position = Position::new(&board.deal, board.contract);
    for (number, &card) in cards.iter().enumerate() {
        position.play(card).map_err(|error| Error::Request {
            message: format!("card {} of the play, {card}: {error}", number + 1),
            help: None,
        })?;
    }
    Ok(position)
}

/// Lets programs play on from the cards given until a person has to play or the board is over.
///
/// # Errors
/// Cards that cannot be played, or the limit that was reached.
pub fn play_until_person(
    board: &ReadyBoard,
    request: &PlayRequest,
    cards: &[Card],
    budget: &Budget,
) -> Result<TableView, Halt> {
    let mut position = follow(board, cards)?;
    let context = board.context(request.seed, budget);
    let mut chairs = [
        request.declarer.chair(request.effort(), request.seed),
        request.defence.chair(request.effort(), request.seed),
    ];
    for chair in chairs.iter_mut().flatten() {
        chair.begin(&context);
    }
    let mut history = cards.to_vec();
    let mut news = Vec::new();
    while !position.public().is_over() {
        let seat = position.public().turn();
        let side = usize::from(!position.public().is_ours(seat));
        let (card, why) = match (board.lead.filter(|_| history.is_empty()), &mut chairs[side]) {
            (Some(lead), _) => (lead, "the lead of the board".to_owned()),
            (None, Some(chair)) => {
                let choice = chair.play(&position, &history);
                budget.check()?;
                (choice.card, choice.why)
            }
            (None, None) => break,
        };
        news.push(CardPlayed::new(seat, card, why));
        position.put(card);
        history.push(card);
    }
    Ok(view(board, request, &position, &history, news))
}

fn view(
    board: &ReadyBoard,
    request: &PlayRequest,
    position: &Position,
    history: &[Card],
    news: Vec<CardPlayed>,
) -> TableView {
    let public = position.public();
    let over = public.is_over();
    let declares = request.declarer == Declarer::You;
    let defends = request.defence == Defence::You;
    let is_seen = |seat: Seat| {
        let is_dummy = seat == public.dummy() && public.lead().is_some();
        let ours = if public.is_ours(seat) {
            declares && seat == public.declarer()
        } else {
            // A person who plays both defenders sees the one whose turn it is.
            defends && (seat == public.turn() || seat == board.contract.declarer.next())
        };
        over || is_dummy || ours
    };
    let names = |cards: Cards| cards.descending().map(|card| card.to_string()).collect();
    // At the end the hands as they were dealt say more than empty ones.
    let hand = |seat: Seat| if over { board.deal.hand(seat) } else { position.hand(seat) };
    let (trick, last_trick, last_winner) = tricks(board, history);
    TableView {
        hands: Seat::ALL.map(|seat| is_seen(seat).then(|| names(hand(seat)))),
        counts: Seat::ALL.map(|seat| position.hand(seat).len()),
        turn: (!over).then(|| letter(public.turn())),
        legal: if over { Vec::new() } else { names(position.legal()) },
        trick,
        last_trick,
        last_winner: last_winner.map(letter),
        tricks: [public.declarer_tricks(), public.defence_tricks()],
        play: history.iter().map(ToString::to_string).collect(),
        news,
        result: over.then(|| result(board, public.declarer_tricks(), history)),
    }
}

/// The cards of the present trick, those of the last full one, and who won that.
fn tricks(board: &ReadyBoard, history: &[Card]) -> (Vec<TrickCard>, Vec<TrickCard>, Option<Seat>) {
    let mut position = Position::new(&board.deal, board.contract);
    let (mut open, mut last, mut winner) = (Vec::new(), Vec::new(), None);
    for &card in history {
        open.push(TrickCard { seat: letter(position.public().turn()), card: card.to_string() });
        position.put(card);
        if position.public().trick().is_empty() {
            winner = Some(position.public().trick().leader());
            last = std::mem::take(&mut open);
        }
    }
    (open, last, winner)
}

fn result(board: &ReadyBoard, tricks: u8, history: &[Card]) -> BoardResult {
    let mut position = Position::new(&board.deal, board.contract);
    if let Some(&lead) = history.first() {
        position.put(lead);
    }
    let double_dummy_tricks = DoubleDummy::default().tricks(&position);
    BoardResult {
        text: board.contract.result(tricks, board.is_vulnerable()),
        tricks,
        score: board.score(tricks),
        double_dummy_tricks,
        double_dummy_score: board.score(double_dummy_tricks),
    }
}

/// What a program would play in the place of the person whose turn it is, from what this person sees.
///
/// # Errors
/// Cards that cannot be played, a board that is over, or the limit that was reached.
pub fn hint(
    board: &ReadyBoard,
    request: &PlayRequest,
    cards: &[Card],
    budget: &Budget,
) -> Result<CardHint, Halt> {
    let position = follow(board, cards)?;
    if position.public().is_over() {
        return Err(Error::Request { message: "the board is over".to_owned(), help: None }.into());
    }
    if position.public().is_ours(position.public().turn()) && !cards.is_empty() {
        let mut planner = Planner::new(request.effort().layouts, request.seed);
        planner.begin(&board.context(request.seed, budget));
        if let Some(advice) = planner.advise(&position.view(), cards) {
            let considered = advice.considered.iter().map(Considered::new);
            return Ok(CardHint {
                card: advice.card.to_string(),
                why: advice.why.clone(),
                considered: considered.collect(),
                line: advice.line.clone(),
                evidence: planned(
                    "the planner's schemes",
                    "the defenders play by rule and declarer plays by rule after the plan",
                ),
            });
        }
        budget.check()?;
    }
    let by_rule = if position.public().is_ours(position.public().turn()) {
        Declarer::Rules.chair(request.effort(), request.seed)
    } else {
        Defence::Rules.chair(request.effort(), request.seed)
    };
    let Some(mut chair) = by_rule else {
        return Err(Error::Internal { message: "the rules have no chair".to_owned() }.into());
    };
    chair.begin(&board.context(request.seed, budget));
    let choice = chair.play(&position, cards);
    budget.check()?;
    Ok(CardHint {
        card: choice.card.to_string(),
        why: choice.why,
        considered: Vec::new(),
        line: Vec::new(),
        evidence: planned("play by rule", "rules of thumb hold"),
    })
}

fn planned(engine: &str, assumes: &str) -> Evidence {
    Evidence::Planned { engine: engine.to_owned(), assumes: assumes.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::{BoardRequest, Hands, read_pbn, select};

    const PBN: &[u8] = b"[Board \"1\"]
[Deal \"N:5.AJT3.AQ3.A7532 K42.Q985.JT987.Q AJT8.K.642.KJ984 Q9763.7642.K5.T6\"]
[Declarer \"S\"]
[Contract \"3NT\"]
";

    fn board() -> ReadyBoard {
        select(&read_pbn(PBN), &BoardRequest::default(), Hands::All).unwrap().ready.remove(0)
    }

    fn cards(texts: &[String]) -> Vec<Card> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn a_person_declares_a_whole_board_and_sees_no_defender() {
        let board = board();
        let request = PlayRequest { declarer: Declarer::You, ..PlayRequest::default() };
        let budget = Budget::unlimited();
        let mut table = play_until_person(&board, &request, &[], &budget).unwrap();
        assert_eq!((table.news.len(), table.turn.as_deref()), (1, Some("N")), "west has led, dummy plays");
        while table.result.is_none() {
            assert!(table.hands[1].is_none() && table.hands[3].is_none());
            assert!(table.hands[0].is_some() && table.hands[2].is_some());
            let mut play = cards(&table.play);
            play.push(table.legal[0].parse().unwrap());
            table = play_until_person(&board, &request, &play, &budget).unwrap();
        }
        let result = table.result.unwrap();
        assert_eq!((table.play.len(), table.tricks[0] + table.tricks[1]), (52, 13));
        assert_eq!(result.score, board.score(result.tricks));
        assert!(result.double_dummy_tricks <= 13 && table.hands[1].is_some());
    }

    #[test]
    fn a_hint_is_a_legal_card_with_a_reason() {
        let board = board();
        let request = PlayRequest { declarer: Declarer::You, layouts: 20, ..PlayRequest::default() };
        let table = play_until_person(&board, &request, &[], &Budget::unlimited()).unwrap();
        let hint = hint(&board, &request, &cards(&table.play), &Budget::unlimited()).unwrap();
        assert!(table.legal.contains(&hint.card) && !hint.why.is_empty());
        assert!(
            play_until_person(&board, &request, &cards(&["CA".to_owned()]), &Budget::unlimited()).is_err()
        );
    }
}
