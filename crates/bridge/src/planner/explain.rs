//! Methods in the words of the bridge table.

use crate::card::Card;
use crate::planner::task::Method;

/// What a method is for; `None` for steps that need no words.
fn purpose(method: &Method) -> Option<String> {
    let suit = method.suit.map_or("the suit", |suit| suit.name());
    let card = method.card.map_or_else(|| "the card".to_owned(), Card::words);
    Some(match method.name {
        "CashHand" => format!("cash {suit}"),
        "CashWinner" | "CashDummyWinner" => format!("take a trick with {card}"),
        "SimpleCross" => format!("cross to the other hand in {suit}"),
        "Finesse" => format!("finesse {card}: it wins if the missing card lies in front of it"),
        "MarkedStandardFinesse" => format!("take the marked finesse of {card}"),
        "AutomaticFinesse" => format!("run {card} through the missing card"),
        "StandardFinesseThree" => format!("finesse with {card}"),
        "PlaySetCard" => format!("drive out what is higher and set up {suit}"),
        "ConsiderLength" => format!("play {suit} from the top and hope that the suit breaks"),
        "ConsiderHard" => format!("set up length in {suit} by giving up a trick"),
        "HardDuck" => format!("duck a round of {suit} to keep the high cards as entries"),
        "DrawTrump" => "draw trumps".to_owned(),
        "CashTrumps" => "run the trumps".to_owned(),
        "RuffOut" | "RuffLow" => format!("ruff {suit}"),
        "ConsiderRuff" | "SetUpRuff" => format!("prepare a ruff in {suit}"),
        "ForceThemRuff" => format!("cash {suit}; a defender may ruff"),
        "HoldUp" => "hold up: let them have this trick".to_owned(),
        "WinNow" | "WinCheaply" => format!("win with {card}"),
        "FreeFinesse" => format!("play {card}: it may win for nothing"),
        "FollowSuit" | "ThirdHandLow" => "play low".to_owned(),
        "ThirdHandHigh" => format!("play high: {card}"),
        "ThirdHandCover" => format!("beat what lies with {card}"),
        "ThirdHandEquiv" => format!("play {card}, which is worth the same later"),
        "LoseFollowed" => "lose this trick".to_owned(),
        "ThirdHandRuff" | "RuffIn" => "ruff".to_owned(),
        "RuffHigh" => "ruff high, against an overruff".to_owned(),
        "DiscardLow" | "DiscardDuringCash" => format!("discard from {suit}"),
        _ => return None,
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
        "EasyFinesse" => "plays the card finessed against",
        "BustedFinesse" | "ThemVoid" => "shows out",
        "ThemWin" => "beats it",
        "ThemRuff" => "ruffs",
        "ThemOverruff" => "overruffs",
        "ThemLead" | "ThemFinesse" => "leads",
        _ => "follows",
    }
}
