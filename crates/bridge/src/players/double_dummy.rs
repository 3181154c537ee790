//! The player who sees all hands: what perfect play would do, for par and as the hardest defence.

use crate::card::Card;
use crate::double_dummy::DoubleDummy;
use crate::play::Position;
use crate::players::{Choice, PerfectInformationPlayer};

/// Plays the best card with all hands open; of equals the lowest, spades first.
#[derive(Default)]
pub struct DoubleDummyPlayer {
    solver: DoubleDummy,
}

impl PerfectInformationPlayer for DoubleDummyPlayer {
    fn play(&mut self, position: &Position) -> Choice {
        let public = position.public();
        let legal = position.legal();
        // Cards that no other part are worth the same, and the lowest of them would be chosen.
        let low = legal.lowest().expect("a player on turn has a card");
        let hand = position.hand(public.turn());
        if legal.minus(hand.touching(low, public.parting(hand))).is_empty() {
            return Choice::plain(low, "");
        }
        let before = self.solver.nodes();
        let values = self.solver.values(position);
        let ours = public.is_ours(public.turn());
        let key = |&(card, tricks): &(Card, u8)| {
            let gain = if ours { i32::from(tricks) } else { -i32::from(tricks) };
            (gain, std::cmp::Reverse(card.rank()), card.suit())
        };
        let &(card, tricks) = values.iter().max_by_key(|value| key(value)).expect("a legal card has a value");
        let total = public.declarer_tricks() + tricks;
        Choice {
            card,
            why: format!("double dummy: {total} tricks for declarer"),
            moves: self.solver.nodes() - before,
            replanned: false,
        }
    }
}
