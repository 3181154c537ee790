//! The tasks of declarer play, by the names of the paper's Tables 2 and 3, and the methods that carry them out.

use std::fmt;

use crate::card::{Card, Cards, Suit};

/// Something to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Play the whole hand.
    Everything,
    /// Use one scheme for the trick to come or the trick on the table.
    Something,
    /// Stop planning; what is left is valued as it stands.
    Stop,
    /// Cash winners of the hand on lead.
    CashOut,
    /// Cash the winner of the hand on lead in a suit.
    CashWinner(Suit),
    /// See a winner through: they follow, and the hand opposite follows or discards.
    CashFollowed,
    /// Go to the hand opposite.
    ConsiderCross,
    /// Go to the hand opposite in this suit.
    SimpleCross(Suit),
    /// Lead a low card of a suit.
    LeadLow(Suit),
    /// Take a finesse with this card of the hand opposite.
    Finesse(Card),
    /// Take a finesse with this card of the hand opposite that is known to work.
    MarkedStandardFinesse(Card),
    /// Play this card of the hand opposite in a finesse, unless what came before it says otherwise.
    StandardFinesseThree(Card),
    /// Play a card in a sequence.
    PlaySetCard(Suit),
    /// See a card of a sequence through.
    PlaySetFollowed,
    /// Set up length by cashing.
    LengthWinner(Suit),
    /// Set up length by losing tricks.
    HardLengthWinner(Suit),
    /// Cash a winner that would be stranded, before losing tricks.
    HardCash(Suit),
    /// See such a winner through.
    HardFollowed,
    /// Lose a trick on purpose to keep the high cards as entries.
    HardDuck(Suit),
    /// Lose a trick in a suit.
    LoseTrick(Suit),
    /// Draw the defenders' trumps.
    DrawTrump,
    /// Take or prepare a ruff in this suit.
    ConsiderRuff(Suit),
    /// Lead trumps although none are out.
    CashTrumps,
    /// Cash a winner that a defender may ruff.
    ForceThemRuff(Suit),
    /// Follow to a trick that the opponents led, as second hand.
    FollowSecond,
    /// Play third to a trick that our side led, whichever card serves.
    FollowThird,
    /// Follow to a trick that the opponents led, as last hand.
    FollowFourth,
    /// Follow to a trick when void in the suit led.
    FollowVoid,
    /// Opponents: play second to a finesse with this card.
    FinesseTwo(Card),
    /// Opponents: play last to a finesse.
    FinesseFour,
    /// Opponents: play second to a marked finesse with this card.
    MarkedFinesseTwo(Card),
    /// Opponents: play last to a marked finesse.
    MarkedFinesseFour,
    /// Opponents: play third after our second hand, perhaps over a free finesse.
    FreeFinesseThree,
    /// Opponents: follow or show out.
    ThemSplit,
    /// Opponents: follow with what does not beat the winner that was led, or show out.
    ThemSplitLess,
    /// Opponents: lead a card of any suit.
    ThemLead,
    /// Play this card from the hand on turn.
    Play(Card),
    /// Opponents: play one of these cards.
    Them(Cards),
}

/// Declares the names of methods together with their texts.
macro_rules! method_names {
    ($($name:ident,)*) => {
        /// The methods, by the names of the paper's Tables 2 and 3 as far as they are there.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum MethodName {
            $($name,)*
        }

        impl MethodName {
            /// The name as the paper writes it.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(MethodName::$name => stringify!($name),)*
                }
            }
        }
    };
}

method_names! {
    AutomaticFinesse,
    CashDummyFollowed,
    CashDummyRuffed,
    CashDummyWinner,
    CashFollowed,
    CashHand,
    CashOut,
    CashRuffed,
    CashTrump,
    CashTrumps,
    CashWinner,
    ConsiderCross,
    ConsiderHard,
    ConsiderLength,
    ConsiderRuff,
    DiscardDuringCash,
    DiscardLow,
    DrawHigh,
    DrawLow,
    DrawTrump,
    DuckOneRound,
    Everything,
    Finesse,
    Follow,
    FollowSuit,
    FollowThird,
    FollowVoid,
    ForceThemRuff,
    FreeFinesse,
    HardCash,
    HardDuck,
    HardDummyFollowed,
    HardDummyWinner,
    HardFollowed,
    HardLose,
    HardWinner,
    HoldUp,
    LeadLow,
    LengthWinner,
    LoseFollowed,
    MarkedStandardFinesse,
    PlaySetCard,
    PlaySetFollowed,
    RuffHigh,
    RuffIn,
    RuffLow,
    RuffOut,
    RuffRuffed,
    SetUpRuff,
    SimpleCross,
    StandardFinesseThree,
    Stop,
    ThirdHandCover,
    ThirdHandEquiv,
    ThirdHandHigh,
    ThirdHandLow,
    ThirdHandRuff,
    ThirteenthTrick,
    TopOfSequence,
    WaitForControl,
    WinCheaply,
    WinNow,
    // What the opponents do.
    BustedFinesse,
    EasyFinesse,
    FinesseFour,
    FreeFinesseThree,
    MarkedFinesseFour,
    MarkedFinesseTwo,
    StandardFinesseTwo,
    ThemAny,
    ThemAnyLow,
    ThemFinesse,
    ThemLead,
    ThemNotWinner,
    ThemOverruff,
    ThemRuff,
    ThemSuit,
    ThemSuitLess,
    ThemVoid,
    ThemWin,
}

impl fmt::Display for MethodName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A method with its binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    pub name: MethodName,
    /// The suit it is about.
    pub suit: Option<Suit>,
    /// The card that matters: the one played, or the one finessed against.
    pub card: Option<Card>,
}

impl Method {
    /// A method without a binding.
    pub const fn plain(name: MethodName) -> Method {
        Method { name, suit: None, card: None }
    }

    /// A method for a suit.
    pub const fn suit(name: MethodName, suit: Suit) -> Method {
        Method { name, suit: Some(suit), card: None }
    }

    /// A method for a card.
    pub fn card(name: MethodName, card: Card) -> Method {
        Method { name, suit: Some(card.suit()), card: Some(card) }
    }
}
