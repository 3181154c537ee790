//! The play of the cards: what all players see, and the full position.
//!
//! [`PublicState`] holds what all players know: the contract, the cards played and by whom, who has shown out of what, and
//! dummy's hand once the lead is made. A [`Position`] adds the hidden hands; only the table, the double-dummy solver
//! and a player's own imagination have one. What a player decides from is a [`PlayerView`]: the public part and one hand.

use crate::card::{Card, Cards, Suit};
use crate::contract::Contract;
use crate::deal::Deal;
use crate::seat::Seat;

/// The cards on the table, in playing order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trick {
    leader: Seat,
    cards: [Option<Card>; 4],
    count: u8,
}

impl Trick {
    fn new(leader: Seat) -> Trick {
        Trick { leader, cards: [None; 4], count: 0 }
    }

    /// Who led or is to lead.
    pub fn leader(&self) -> Seat {
        self.leader
    }

    /// How many cards lie.
    pub fn len(&self) -> usize {
        usize::from(self.count)
    }

    /// Whether the trick has no card yet.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The player on turn.
    pub fn turn(&self) -> Seat {
        self.leader.after(self.len())
    }

    /// The suit led; `None` before the lead.
    pub fn suit(&self) -> Option<Suit> {
        self.cards[0].map(Card::suit)
    }

    /// The card that `seat` has played to this trick.
    pub fn card_of(&self, seat: Seat) -> Option<Card> {
        self.cards[self.leader.steps_to(seat)]
    }

    /// The cards in playing order.
    pub fn cards(&self) -> impl Iterator<Item = Card> + '_ {
        self.cards.iter().flatten().copied()
    }

    /// The best card so far and who played it.
    pub fn best(&self, trump: Option<Suit>) -> Option<(Seat, Card)> {
        let mut best = (self.leader, self.cards[0]?);
        for steps in 1..self.len() {
            let card = self.cards[steps]?;
            if beats(card, best.1, trump) {
                best = (self.leader.after(steps), card);
            }
        }
        Some(best)
    }
}

/// Whether `card`, played later, beats `other`.
pub fn beats(card: Card, other: Card, trump: Option<Suit>) -> bool {
    if card.suit() == other.suit() { card.rank() > other.rank() } else { Some(card.suit()) == trump }
}

/// The public state: what all four players know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PublicState {
    contract: Contract,
    dummy: Cards,
    played: [Cards; 4],
    shown_out: [u8; 4],
    trick: Trick,
    won: [u8; 2],
    lead: Option<Card>,
}

impl PublicState {
    fn new(contract: Contract) -> PublicState {
        PublicState {
            contract,
            dummy: Cards::NONE,
            played: [Cards::NONE; 4],
            shown_out: [0; 4],
            trick: Trick::new(contract.declarer.next()),
            won: [0; 2],
            lead: None,
        }
    }

    pub fn contract(&self) -> Contract {
        self.contract
    }

    /// The trump suit, if there is one.
    pub fn trump(&self) -> Option<Suit> {
        self.contract.strain.trump()
    }

    /// The player of the contract.
    pub fn declarer(&self) -> Seat {
        self.contract.declarer
    }

    pub fn dummy(&self) -> Seat {
        self.contract.declarer.partner()
    }

    /// What dummy still holds; nothing before the opening lead.
    pub fn dummy_hand(&self) -> Cards {
        self.dummy
    }

    /// Whether `seat` is declarer or dummy.
    pub fn is_ours(&self, seat: Seat) -> bool {
        seat.is_with(self.contract.declarer)
    }

    /// The trick on the table.
    pub fn trick(&self) -> &Trick {
        &self.trick
    }

    /// Whose card is next.
    pub fn turn(&self) -> Seat {
        self.trick.turn()
    }

    /// Who decides on the next card: declarer decides for dummy.
    pub fn decider(&self) -> Seat {
        let turn = self.turn();
        if turn == self.dummy() { self.declarer() } else { turn }
    }

    /// What `seat` has played, the trick on the table included.
    pub fn played_by(&self, seat: Seat) -> Cards {
        self.played[seat as usize]
    }

    /// All cards played so far, the present trick included.
    pub fn played(&self) -> Cards {
        self.played.iter().fold(Cards::NONE, |all, &cards| all.and(cards))
    }

    /// Whether `seat` has failed to follow to `suit`.
    pub fn has_shown_out(&self, seat: Seat, suit: Suit) -> bool {
        self.shown_out[seat as usize] >> suit as u8 & 1 == 1
    }

    /// Tricks taken by declarer's side.
    pub fn declarer_tricks(&self) -> u8 {
        self.won[0]
    }

    /// Tricks taken by the defenders.
    pub fn defence_tricks(&self) -> u8 {
        self.won[1]
    }

    /// How many tricks are complete.
    pub fn tricks_played(&self) -> u8 {
        self.won[0] + self.won[1]
    }

    /// How many more tricks declarer wants.
    pub fn needed(&self) -> u8 {
        self.contract.target().saturating_sub(self.won[0])
    }

    /// How many more tricks the defenders need to defeat the contract.
    pub fn to_set(&self) -> u8 {
        (14 - self.contract.target()).saturating_sub(self.won[1])
    }

    /// How many cards `seat` still holds.
    pub fn held_by(&self, seat: Seat) -> usize {
        13 - self.played[seat as usize].len()
    }

    /// The cards that part two cards of `hand`: those in other hands and those of the trick on the table. Cards of
    /// earlier tricks part nothing any more.
    pub fn parting(&self, hand: Cards) -> Cards {
        let gone = self.played().minus(self.trick.cards().collect());
        Cards::PACK.minus(hand).minus(gone)
    }

    /// The opening lead; `None` before it is made.
    pub fn lead(&self) -> Option<Card> {
        self.lead
    }

    /// Whether all thirteen tricks are played.
    pub fn is_over(&self) -> bool {
        self.tricks_played() == 13
    }

    /// The cards among `hand` that may be played now.
    pub fn legal(&self, hand: Cards) -> Cards {
        match self.trick.suit() {
            Some(suit) if !hand.is_void(suit) => hand.of(suit),
            _ => hand,
        }
    }

    /// Puts the next card on the table; `dummy` is dummy's hand, shown after the first card.
    fn put(&mut self, card: Card, dummy: Cards) {
        let seat = self.turn();
        if let Some(suit) = self.trick.suit()
            && card.suit() != suit
        {
            self.shown_out[seat as usize] |= 1 << suit as u8;
        }
        self.lead.get_or_insert(card);
        self.played[seat as usize] = self.played[seat as usize].with(card);
        self.dummy = dummy;
        self.trick.cards[self.trick.len()] = Some(card);
        self.trick.count += 1;
        if self.trick.count == 4 {
            let (winner, _) = self.trick.best(self.trump()).expect("a full trick has a best card");
            self.won[usize::from(!self.is_ours(winner))] += 1;
            self.trick = Trick::new(winner);
        }
    }
}

/// A card that may not be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The player does not have it.
    #[error("{seat} does not hold {}", card.words())]
    NotHeld {
        /// The player on turn.
        seat: Seat,
        card: Card,
    },
    /// The player could follow suit.
    #[error("{seat} plays {} but has a {} left: a revoke", card.words(), suit.name().trim_end_matches('s'))]
    Revoke {
        /// The player on turn.
        seat: Seat,
        card: Card,
        suit: Suit,
    },
    /// There is no card left to play.
    #[error("all 13 tricks are played")]
    Over,
}

/// The play with all hands open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    public: PublicState,
    hands: [Cards; 4],
}

impl Position {
    /// Before the opening lead.
    pub fn new(deal: &Deal, contract: Contract) -> Position {
        Position { public: PublicState::new(contract), hands: deal.hands() }
    }

    /// What a player imagines: the public part, and hands that agree with it.
    pub(crate) fn imagined(public: PublicState, hands: [Cards; 4]) -> Position {
        debug_assert!(Seat::ALL.iter().all(|&seat| hands[seat as usize].len() == public.held_by(seat)));
        Position { public, hands }
    }

    /// What all four players know.
    pub fn public(&self) -> &PublicState {
        &self.public
    }

    /// What a player still holds.
    pub fn hand(&self, seat: Seat) -> Cards {
        self.hands[seat as usize]
    }

    /// All hands by seat.
    pub fn hands(&self) -> [Cards; 4] {
        self.hands
    }

    /// The cards that may be played now.
    pub fn legal(&self) -> Cards {
        if self.public.is_over() { Cards::NONE } else { self.public.legal(self.hand(self.public.turn())) }
    }

    /// What the one who decides on the next card sees.
    pub fn view(&self) -> PlayerView {
        let seat = self.public.decider();
        PlayerView { public: self.public, seat, hand: self.hand(seat) }
    }

    /// Plays a card that is known to be legal.
    pub fn put(&mut self, card: Card) {
        let seat = self.public.turn();
        debug_assert!(self.legal().has(card), "{card} is not legal for {seat}");
        self.hands[seat as usize] = self.hands[seat as usize].without(card);
        let dummy = self.hands[self.public.dummy() as usize];
        self.public.put(card, dummy);
    }

    /// Plays a card that may be anything.
    ///
    /// # Errors
    /// Why it may not be played.
    pub fn play(&mut self, card: Card) -> Result<(), PlayError> {
        if self.public.is_over() {
            return Err(PlayError::Over);
        }
        let seat = self.public.turn();
        if !self.hand(seat).has(card) {
            return Err(PlayError::NotHeld { seat, card });
        }
        match self.public.trick.suit() {
            Some(suit) if !self.legal().has(card) => Err(PlayError::Revoke { seat, card, suit }),
            _ => {
                self.put(card);
                Ok(())
            }
        }
    }
}

/// What one player decides from: the public part and the own hand. There is no way from here to a hidden hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayerView {
    public: PublicState,
    seat: Seat,
    hand: Cards,
}

impl PlayerView {
    /// What all four players know.
    pub fn public(&self) -> &PublicState {
        &self.public
    }

    /// The player who sees this.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    pub fn hand(&self) -> Cards {
        self.hand
    }

    /// The hand that is to play: the own one, or dummy's where declarer decides for dummy.
    pub fn playing(&self) -> Cards {
        if self.public.turn() == self.seat { self.hand } else { self.public.dummy_hand() }
    }

    /// The cards that may be played.
    pub fn legal(&self) -> Cards {
        self.public.legal(self.playing())
    }

    /// The cards this player has never seen.
    pub fn unseen(&self) -> Cards {
        Cards::PACK.minus(self.hand).minus(self.public.dummy_hand()).minus(self.public.played())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Strain;

    fn position() -> Position {
        let text = "N:J643.6.QJT42.AQ8 A7.9432.K73.T952 K98.AJ7.A986.K73 QT52.KQT85.5.J64";
        let deal = Deal::new(&text.parse().expect("a layout")).expect("a deal");
        Position::new(&deal, Contract::new(3, Strain::Notrump, Seat::South).expect("a contract"))
    }

    fn card(text: &str) -> Card {
        text.parse().expect("a card")
    }

    #[test]
    fn the_left_hand_opponent_leads_and_dummy_comes_down() {
        let mut position = position();
        assert_eq!(position.public().turn(), Seat::West);
        assert_eq!(position.view().unseen().len(), 39);
        position.play(card("HK")).expect("legal");
        assert_eq!(position.view().seat(), Seat::South);
        assert_eq!(position.view().unseen().len(), 25);
        assert_eq!(position.view().legal().len(), 1);
    }

    #[test]
    fn revokes_and_strange_cards_are_refused() {
        let mut position = position();
        assert_eq!(position.play(card("SA")), Err(PlayError::NotHeld { seat: Seat::West, card: card("SA") }));
        position.play(card("HK")).expect("legal");
        let revoke = position.play(card("S3")).expect_err("north has a heart");
        assert_eq!(revoke.to_string(), "North plays the three of spades but has a heart left: a revoke");
        for text in ["H6", "H2", "HA"] {
            position.play(card(text)).expect("legal");
        }
        assert_eq!((position.public().declarer_tricks(), position.public().turn()), (1, Seat::South));
    }

    #[test]
    fn a_trump_beats_a_higher_card_of_another_suit() {
        assert!(beats(card("S2"), card("HA"), Some(Suit::Spades)));
        assert!(!beats(card("S2"), card("HA"), None) && !beats(card("H3"), card("H4"), None));
    }
}
