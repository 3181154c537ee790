//! Length: small cards become winners when the others have no more, with or without losing tricks on the way.

use crate::card::Suit;
use crate::planner::network::{Ways, way};
use crate::planner::schemes::{REST, lead};
use crate::planner::task::{Method, MethodName, Task};
use crate::rules::Ours;

/// Suits in which one of our hands is long enough to outlast them.
pub fn schemes(ours: &Ours<'_>, suit: Suit) -> Ways {
    let outlook = ours.outlook(suit);
    let mut ways = Vec::new();
    let out = ours.out.count(suit);
    if out == 0 || outlook.length < 2 {
        return ways;
    }
    if outlook.losers == 0 && outlook.promised > outlook.sure {
        ways.push(way(Method::suit(MethodName::ConsiderLength, suit), [Task::LengthWinner(suit)]));
    }
    if outlook.promised > outlook.sure || outlook.losers > 0 {
        ways.push(way(Method::suit(MethodName::ConsiderHard, suit), [Task::HardLengthWinner(suit)]));
    }
    if !ours.winners(ours.both(), suit).is_empty() && outlook.length >= 4 {
        ways.push(way(Method::suit(MethodName::HardDuck, suit), [Task::HardDuck(suit)]));
    }
    ways
}

/// Cash from the top, or lead to the top opposite.
pub fn length_winner(ours: &Ours<'_>, suit: Suit) -> Ways {
    let card = ours.winners(ours.here, suit).highest().or_else(|| ours.here.of(suit).lowest());
    card.map(|card| lead(Method::card(MethodName::LengthWinner, card), card)).into_iter().collect()
}

/// Lose a trick now, the hands opposite deciding how high to play.
pub fn hard_length_winner(ours: &Ours<'_>, suit: Suit) -> Ways {
    let low = ours.here.of(suit).lowest();
    let mut ways: Ways = Vec::new();
    let lose = |card| {
        way(Method::card(MethodName::HardLose, card), [Task::LeadLow(suit), REST[0], REST[1], REST[2]])
    };
    ways.extend(low.map(lose));
    let stranded = |other: &Suit| ours.here.count(*other) == 1 && !ours.winners(ours.here, *other).is_empty();
    let first = Suit::DOWN.into_iter().filter(|&other| other != suit).find(stranded);
    ways.extend(first.map(|other| way(Method::suit(MethodName::HardCash, other), [Task::HardCash(other)])));
    ways
}

/// A winner that has no small card left beside it: cash it before the lead is lost.
pub fn hard_cash(ours: &Ours<'_>, suit: Suit) -> Ways {
    let dummy = ours.public.turn() == ours.public.dummy();
    let name = if dummy { MethodName::HardDummyWinner } else { MethodName::HardWinner };
    let winner = ours.winners(ours.here, suit).highest();
    let through = |card| way(Method::card(name, card), [Task::Play(card), Task::HardFollowed]);
    winner.map(through).into_iter().collect()
}

/// They follow to such a winner or show out.
pub fn hard_followed(ours: &Ours<'_>) -> Ways {
    let dummy_led = ours.public.trick().leader() == ours.public.dummy();
    let name = if dummy_led { MethodName::HardDummyFollowed } else { MethodName::HardFollowed };
    vec![way(Method::plain(name), [Task::ThemSplitLess, Task::FollowThird, Task::ThemSplitLess])]
}

/// Low from both hands, so that the high cards stay as entries.
pub fn hard_duck(_: &Ours<'_>, suit: Suit) -> Ways {
    vec![way(
        Method::suit(MethodName::DuckOneRound, suit),
        [Task::LeadLow(suit), Task::ThemSplit, Task::LoseTrick(suit), Task::ThemSplit],
    )]
}

/// The lowest card of the hand on turn, whatever lies.
pub fn lose_trick(ours: &Ours<'_>, suit: Suit) -> Ways {
    match ours.here.of(suit).lowest() {
        Some(card) => vec![way(Method::card(MethodName::LoseFollowed, card), [Task::Play(card)])],
        None => super::follow::third(ours),
    }
}
