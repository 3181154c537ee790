//! The table: two sides play a deal to its end.

use counterplay_base::{Budget, Limit};

use crate::belief::HandBounds;
use crate::card::{Card, Cards};
use crate::contract::Contract;
use crate::deal::Deal;
use crate::play::{PlayerView, Position, PublicState};
use crate::players::{Chair, Choice};

/// A deal as it was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// All 52 cards in playing order, with the reasons given.
    pub choices: Vec<Choice>,
    /// Tricks of declarer's side.
    pub tricks: u8,
    /// Moves that declarer searched.
    pub moves: u64,
    /// How often declarer made a new plan.
    pub replans: u32,
}

impl Played {
    /// The cards in playing order.
    pub fn cards(&self) -> Vec<Card> {
        self.choices.iter().map(|choice| choice.card).collect()
    }
}

/// What every player learns before a deal.
#[derive(Clone, Debug)]
pub struct DealContext {
    /// For everything that is left to chance.
    pub seed: u64,
    /// Whether declarer's side is vulnerable.
    pub vulnerable: bool,
    /// What the auction told about each hand, by seat.
    pub bounds: [HandBounds; 4],
    /// How long the deal may take; a player whose time is up plays what it has.
    pub budget: Budget,
}

impl DealContext {
    /// No side is vulnerable, the auction told nothing, and there is no limit.
    pub fn seeded(seed: u64) -> DealContext {
        DealContext { seed, vulnerable: false, bounds: Default::default(), budget: Budget::unlimited() }
    }
}

/// The seed of a deal's play. It is made from what every player sees, dummy's hand and the contract, so a deal is played in the
/// same way wherever it stands in a list, and chance tells no player anything about a hidden hand.
pub fn deal_seed(dummy: Cards, contract: Contract, seed: u64) -> u64 {
    // FNV-1a over the bytes of all three.
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    let bytes = dummy.bits().to_le_bytes().into_iter().chain(seed.to_le_bytes());
    bytes.chain(contract.to_string().into_bytes()).fold(0xCBF2_9CE4_8422_2325, fold)
}

/// Plays a deal; the opening lead may be given.
///
/// # Errors
/// The limit that was reached before the deal was over.
///
/// # Panics
/// When a player plays a card that is not legal, which is a bug of that player.
pub fn play_deal(
    deal: &Deal,
    contract: Contract,
    lead: Option<Card>,
    declarer: &mut Chair,
    defence: &mut Chair,
    context: &DealContext,
) -> Result<Played, Limit> {
    play_on(deal, contract, lead.as_slice(), declarer, defence, context)
}

/// Plays a deal whose first cards are given, for both sides.
///
/// # Errors
/// The limit that was reached before the deal was over.
///
/// # Panics
/// When a card that is given or played is not legal, which is a bug of the caller or of that player.
pub fn play_on(
    deal: &Deal,
    contract: Contract,
    given: &[Card],
    declarer: &mut Chair,
    defence: &mut Chair,
    context: &DealContext,
) -> Result<Played, Limit> {
    declarer.begin(context);
    defence.begin(context);
    let mut position = Position::new(deal, contract);
    let mut history = Vec::with_capacity(52);
    let mut played = Played { choices: Vec::with_capacity(52), tricks: 0, moves: 0, replans: 0 };
    while !position.public().is_over() {
        let ours = position.public().is_ours(position.public().turn());
        let choice = match given.get(history.len()) {
            Some(&card) => {
                Choice::plain(card, if history.is_empty() { "the lead as given" } else { "as given" })
            }
            None if ours => declarer.play(&position, &history),
            None => defence.play(&position, &history),
        };
        // What a player chose after its time was up does not count.
        context.budget.check()?;
        position.play(choice.card).expect("players play legal cards");
        if ours {
            played.moves += choice.moves;
            played.replans += u32::from(choice.replanned);
        }
        history.push(choice.card);
        played.choices.push(choice);
    }
    played.tricks = position.public().declarer_tricks();
    Ok(played)
}

/// A board in progress, in which a person or another program may play one side or both.
pub struct BoardSession {
    position: Position,
    history: Vec<Card>,
    lead: Option<Card>,
    /// Declarer's chair and that of the defence; `None` if the caller plays that side.
    chairs: [Option<Chair>; 2],
}

/// What happens next in a session.
#[derive(Debug)]
pub enum SessionState {
    /// A player of ours played this card, or it was given as the lead.
    Played(Choice),
    /// The caller has to play; this is all that may be shown to the player.
    Waiting(PlayerView),
    /// All 52 cards are played.
    Over,
}

impl BoardSession {
    /// A session with the chairs of declarer and of the defence; the caller plays a side without a chair. The opening lead may be
    /// given.
    pub fn new(
        deal: &Deal,
        contract: Contract,
        lead: Option<Card>,
        mut chairs: [Option<Chair>; 2],
        context: &DealContext,
    ) -> BoardSession {
        for chair in chairs.iter_mut().flatten() {
            chair.begin(context);
        }
        BoardSession { position: Position::new(deal, contract), history: Vec::new(), lead, chairs }
    }

    /// What everyone at the table sees.
    pub fn public(&self) -> &PublicState {
        self.position.public()
    }

    /// Lets a player of ours play the next card, or says that the caller has to.
    pub fn advance(&mut self) -> SessionState {
        let public = self.position.public();
        if public.is_over() {
            return SessionState::Over;
        }
        let side = usize::from(!public.is_ours(public.turn()));
        let given = self.lead.filter(|_| self.history.is_empty());
        let choice = match (given, &mut self.chairs[side]) {
            (Some(lead), _) => Choice::plain(lead, ""),
            (None, Some(chair)) => chair.play(&self.position, &self.history),
            (None, None) => return SessionState::Waiting(self.position.view()),
        };
        self.put(choice.card);
        SessionState::Played(choice)
    }

    /// Plays the caller's card.
    ///
    /// # Panics
    /// When the card is not legal; [`PlayerView::legal`] tells which are.
    pub fn play(&mut self, card: Card) -> Choice {
        assert!(self.position.legal().has(card), "the caller plays legal cards");
        self.put(card);
        Choice::plain(card, "")
    }

    fn put(&mut self, card: Card) {
        self.position.put(card);
        self.history.push(card);
    }
}
