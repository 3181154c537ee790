//! Double dummy: the best play when all hands are open, by the `pons-dds` solver.

use contract_bridge::deal::Builder;
use contract_bridge::{Hand, Seat as DdsSeat, Strain as DdsStrain, Suit as DdsSuit};
use pons_dds::{
    Board, CurrentTrick, Objective, Solver, Target, TrickCount, TrickCountRow, TrickCountTable, calculate_par,
};

use crate::card::{Card, Cards, Rank, Suit};
use crate::contract::{Contract, Strain, Vulnerability};
use crate::deal::Deal;
use crate::play::Position;
use crate::seat::Seat;

/// The best score that both sides can hold each other to, with all hands open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Par {
    /// The score of north and south.
    pub score: i32,
    /// The contracts that reach it, such as `4SX by E`.
    pub contracts: Vec<String>,
}

/// A solver with its memory. It sees all hands, so a player who must not see them gives it imagined positions only.
pub struct DoubleDummy {
    solver: Solver,
    nodes: u64,
}

impl Default for DoubleDummy {
    fn default() -> DoubleDummy {
        DoubleDummy { solver: Solver::with_memory(DdsStrain::Notrump, 64, 96), nodes: 0 }
    }
}

impl DoubleDummy {
    /// Positions searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// For every card that may be played, how many of the remaining tricks declarer's side takes after it.
    pub fn values(&mut self, position: &Position) -> Vec<(Card, u8)> {
        self.solve(position, Target::Legal)
    }

    /// How many of the remaining tricks declarer's side takes.
    pub fn tricks(&mut self, position: &Position) -> u8 {
        if position.public().is_over() {
            return 0;
        }
        self.solve(position, Target::Any(None)).first().map_or(0, |&(_, tricks)| tricks)
    }

    /// The cards after which the side on turn takes at least `wanted` of the remaining tricks. This is several times
    /// cheaper than [`DoubleDummy::values`].
    pub fn reaching(&mut self, position: &Position, wanted: u8) -> Cards {
        let public = position.public();
        let left = 13 - public.tricks_played();
        if wanted == 0 {
            return position.legal();
        }
        if wanted > left {
            return Cards::NONE;
        }
        let ours = public.is_ours(public.turn());
        let found = self.solve(position, Target::All(Some(TrickCount::new(wanted))));
        let reached = |tricks: u8| if ours { tricks } else { left - tricks } >= wanted;
        found.into_iter().filter(|&(_, tricks)| reached(tricks)).map(|(card, _)| card).collect()
    }

    fn solve(&mut self, position: &Position, target: Target) -> Vec<(Card, u8)> {
        let public = position.public();
        let hand = |seat: Seat| Hand::from_bits_retain(position.hand(seat).bits());
        let builder = Builder::new()
            .north(hand(Seat::North))
            .east(hand(Seat::East))
            .south(hand(Seat::South))
            .west(hand(Seat::West));
        let remaining = builder.build_partial().expect("the hands of a position are disjoint");
        let mut trick = CurrentTrick::new(strain(public.contract().strain), seat(public.trick().leader()));
        for card in public.trick().cards() {
            trick.try_push(card_out(card)).expect("at most three different cards lie");
        }
        let board = Board::try_new(remaining, trick).expect("a position is a sound board");
        let found = self.solver.solve_board(&Objective { board, target });
        self.nodes += u64::from(found.nodes);
        let left = 13 - public.tricks_played();
        let ours = public.is_ours(public.turn());
        let mut values = Vec::new();
        for play in &found.plays {
            let score = play.score.get();
            let tricks = if ours { score } else { left - score };
            let card = card_in(play.card);
            values.push((card, tricks));
            let equals = u64::from(play.equals.to_bits()) << (16 * card.suit() as u32);
            values.extend(
                Cards::from_bits(equals).iter().filter(|&equal| equal != card).map(|equal| (equal, tricks)),
            );
        }
        values
    }

    /// The tricks that each of the four players takes as declarer in each strain: north, east, south, west by clubs,
    /// diamonds, hearts, spades, notrump.
    pub fn table(&mut self, deal: &Deal) -> [[u8; 5]; 4] {
        let strains = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades].map(Strain::Trump);
        let strains = [strains[0], strains[1], strains[2], strains[3], Strain::Notrump];
        Seat::ALL.map(|declarer| {
            strains.map(|strain| {
                let contract = Contract::new(1, strain, declarer).expect("level one exists");
                self.tricks(&Position::new(deal, contract))
            })
        })
    }
}

impl DoubleDummy {
    /// The par score by the tricks of [`DoubleDummy::table`]: no side can do better by bidding on or by doubling.
    pub fn par(tricks: &[[u8; 5]; 4], vulnerability: Vulnerability, dealer: Seat) -> Par {
        let row = |strain: usize| {
            let [north, east, south, west] = [0, 1, 2, 3].map(|seat: usize| tricks[seat][strain]);
            TrickCountRow::new(north, east, south, west)
        };
        let mut vulnerable = pons_dds::Vulnerability::empty();
        vulnerable.set(pons_dds::Vulnerability::NS, vulnerability.north_south);
        vulnerable.set(pons_dds::Vulnerability::EW, vulnerability.east_west);
        let par = calculate_par(TrickCountTable([0, 1, 2, 3, 4].map(row)), vulnerable, seat(dealer));
        let contract = |found: &pons_dds::ParContract| {
            let text = found.contract.to_string();
            let plain: String = text.chars().map(plain_suit).collect();
            let by = Seat::ALL.into_iter().find(|&own| seat(own) == found.declarer).map_or('?', Seat::letter);
            format!("{} by {by}", plain.replace('x', "X"))
        };
        let mut contracts: Vec<String> = par.contracts.iter().map(contract).collect();
        contracts.dedup();
        Par { score: par.score, contracts }
    }
}

/// Letters in the place of the signs of suits.
fn plain_suit(letter: char) -> char {
    match letter {
        '♠' => 'S',
        '♥' => 'H',
        '♦' => 'D',
        '♣' => 'C',
        other => other,
    }
}

fn seat(seat: Seat) -> DdsSeat {
    [DdsSeat::North, DdsSeat::East, DdsSeat::South, DdsSeat::West][seat as usize]
}

fn strain(strain: Strain) -> DdsStrain {
    match strain {
        Strain::Trump(Suit::Clubs) => DdsStrain::Clubs,
        Strain::Trump(Suit::Diamonds) => DdsStrain::Diamonds,
        Strain::Trump(Suit::Hearts) => DdsStrain::Hearts,
        Strain::Trump(Suit::Spades) => DdsStrain::Spades,
        Strain::Notrump => DdsStrain::Notrump,
    }
}

fn card_out(card: Card) -> contract_bridge::Card {
    let suit = [DdsSuit::Clubs, DdsSuit::Diamonds, DdsSuit::Hearts, DdsSuit::Spades][card.suit() as usize];
    contract_bridge::Card { suit, rank: contract_bridge::Rank::new(card.rank().number()) }
}

fn card_in(card: contract_bridge::Card) -> Card {
    let suit = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades][card.suit as usize];
    Card::new(suit, Rank::from_letter(card.rank.letter()).expect("a rank has a letter"))
}
