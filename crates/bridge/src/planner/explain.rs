//! Methods in the words of the bridge table.

use crate::card::Card;
use crate::planner::task::{Method, MethodName};

/// What a method is for; `None` for steps that need no words.
fn purpose(method: &Method) -> Option<String> {
    let suit = method.suit.map_or("the suit", |suit| suit.name());
    let card = method.card.map_or_else(|| "the card".to_owned(), Card::words);
    Some(match method.name {
        MethodName::CashHand => format!("cash {suit}"),
        MethodName::CashWinner | MethodName::CashDummyWinner => format!("take a trick with {card}"),
        MethodName::SimpleCross => format!("cross to the other hand in {suit}"),
        MethodName::Finesse => format!("finesse {card}: it wins if the missing card lies in front of it"),
        MethodName::MarkedStandardFinesse => format!("take the marked finesse of {card}"),
        MethodName::AutomaticFinesse => format!("run {card} through the missing card"),
        MethodName::StandardFinesseThree => format!("finesse with {card}"),
        MethodName::PlaySetCard => format!("drive out what is higher and set up {suit}"),
        MethodName::ConsiderLength => format!("play {suit} from the top and hope that the suit breaks"),
        MethodName::ConsiderHard => format!("set up length in {suit} by giving up a trick"),
        MethodName::HardDuck => format!("duck a round of {suit} to keep the high cards as entries"),
        MethodName::DrawTrump => "draw trumps".to_owned(),
        MethodName::CashTrumps => "run the trumps".to_owned(),
        MethodName::RuffOut | MethodName::RuffLow => format!("ruff {suit}"),
        MethodName::ConsiderRuff | MethodName::SetUpRuff => format!("prepare a ruff in {suit}"),
        MethodName::ForceThemRuff => format!("cash {suit}; a defender may ruff"),
        MethodName::HoldUp => "hold up: let them have this trick".to_owned(),
        MethodName::WinNow | MethodName::WinCheaply => format!("win with {card}"),
        MethodName::FreeFinesse => format!("play {card}: it may win for nothing"),
        MethodName::FollowSuit | MethodName::ThirdHandLow => "play low".to_owned(),
        MethodName::ThirdHandHigh => format!("play high: {card}"),
        MethodName::ThirdHandCover => format!("beat what lies with {card}"),
        MethodName::ThirdHandEquiv => format!("play {card}, which is worth the same later"),
        MethodName::LoseFollowed => "lose this trick".to_owned(),
        MethodName::ThirdHandRuff | MethodName::RuffIn => "ruff".to_owned(),
        MethodName::RuffHigh => "ruff high, against an overruff".to_owned(),
        MethodName::DiscardLow | MethodName::DiscardDuringCash => format!("discard from {suit}"),
        MethodName::BustedFinesse
        | MethodName::CashDummyFollowed
        | MethodName::CashDummyRuffed
        | MethodName::CashFollowed
        | MethodName::CashOut
        | MethodName::CashRuffed
        | MethodName::CashTrump
        | MethodName::ConsiderCross
        | MethodName::DrawHigh
        | MethodName::DrawLow
        | MethodName::DuckOneRound
        | MethodName::EasyFinesse
        | MethodName::Everything
        | MethodName::FinesseFour
        | MethodName::Follow
        | MethodName::FollowThird
        | MethodName::FollowVoid
        | MethodName::FreeFinesseThree
        | MethodName::HardCash
        | MethodName::HardDummyFollowed
        | MethodName::HardDummyWinner
        | MethodName::HardFollowed
        | MethodName::HardLose
        | MethodName::HardWinner
        | MethodName::LeadLow
        | MethodName::LengthWinner
        | MethodName::MarkedFinesseFour
        | MethodName::MarkedFinesseTwo
        | MethodName::PlaySetFollowed
        | MethodName::RuffRuffed
        | MethodName::StandardFinesseTwo
        | MethodName::Stop
        | MethodName::ThemAny
        | MethodName::ThemAnyLow
        | MethodName::ThemFinesse
        | MethodName::ThemLead
        | MethodName::ThemNotWinner
        | MethodName::ThemOverruff
        | MethodName::ThemRuff
        | MethodName::ThemSuit
        | MethodName::ThemSuitLess
        | MethodName::ThemVoid
        | MethodName::ThemWin
        | MethodName::ThirteenthTrick
        | MethodName::TopOfSequence
        | MethodName::WaitForControl => return None,
    })
}

/// Why a card is played: the scheme first, then what the card does in it.
pub fn sentence(methods: &[Method]) -> String {
    let mut said: Vec<String> = Vec::new();
    for purpose in methods.iter().filter_map(purpose) {
        if !said.contains(&purpose) {
            said.push(purpose);
        }
    }
    said.join("; ")
}

/// What an opponent does, seen from declarer: `follows low`, `shows out`.
pub fn deed(method: &Method) -> &'static str {
    match method.name {
        MethodName::EasyFinesse => "plays the card finessed against",
        MethodName::BustedFinesse | MethodName::ThemVoid => "shows out",
        MethodName::ThemWin => "beats it",
        MethodName::ThemRuff => "ruffs",
        MethodName::ThemOverruff => "overruffs",
        MethodName::ThemLead | MethodName::ThemFinesse => "leads",
        _ => "follows",
    }
}
