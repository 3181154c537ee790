//! The goals of the knowledge base, on five levels of abstraction.

use std::fmt;

use counterplay_tasknet::adversary::Level;

use crate::point::Point;

macro_rules! aims {
    ($($level:ident { $($name:ident $words:literal,)* })*) => {
        /// What is to be achieved.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Aim { $($(#[doc = $words] $name,)*)* }

        impl Aim {
            /// Its level of abstraction; schemas refine a goal into goals of lower levels.
            pub fn level(self) -> Level {
                match self { $($(Aim::$name => Level::$level,)*)* }
            }

            /// Its name in the words of the field.
            pub fn words(self) -> &'static str {
                match self { $($(Aim::$name => $words,)*)* }
            }

            pub const ALL: &'static [Aim] = &[$($(Aim::$name,)*)*];
        }
    };
}

aims! {
    Objective {
        KillGroup "kill-group",
        SaveGroup "save-group",
        CaptureString "capture-string",
        RescueString "rescue-string",
        ConnectGroups "connect-groups",
        SeparateGroups "separate-groups",
    }
    Strategy {
        SurroundGroup "surround-group",
        SqueezeSpace "squeeze-space",
        PreventEyes "prevent-eye-formation",
        BreakUpGroup "break-up-group",
        MakeEyeSpace "make-eye-space",
        MakeEyes "make-eyes",
        EscapeGroup "escape-group",
        ConnectOut "connect-out",
        CounterAttack "counter-attack",
        LiveBySeki "live-by-seki",
        KillByKo "kill-by-ko",
        LiveByKo "live-by-ko",
        RemoveWallStone "remove-wall-stone",
    }
    Plan {
        CloseExit "close-exit",
        BlockConnection "block-connection",
        ReduceFromEdge "reduce-from-edge",
        ReduceThroughGap "reduce-through-gap",
        ReduceFromInside "reduce-from-inside",
        OccupyVital "occupy-vital",
        TakeVital "take-vital",
        FalsifyEye "falsify-eye",
        TakeEyePoint "take-eye-point",
        SplitSpace "split-space",
        LargeExtend "large-extend",
        CreepExtend "creep-extend",
        ConsolidateSpace "consolidate-space",
        FormEye "form-eye",
        SecureEye "secure-eye",
        RunSequence "run-sequence",
        SecureEscape "secure-escape",
        LinkAt "link-at",
        KeepLink "keep-link",
        KeepCut "keep-cut",
        ShortenLiberties "shorten-liberties",
        GainLiberties "gain-liberties",
        CaptureOrGain "capture-or-gain",
        CaptureOrIsolate "capture-or-isolate",
        SqueezePlay "squeeze-play",
    }
    Tactic {
        AttackString "attack-string",
        DefendString "defend-string",
        Ladder "ladder",
        Net "net",
        CutAt "cut-at",
        ConnectAt "connect-at",
        LadderBreaker "ladder-breaker",
        TakeKo "take-ko",
        KoThreat "ko-threat",
    }
    Move {
        FillLiberty "fill-liberty",
        Capture "capture",
        Extend "extend",
        BlockAt "block-at",
        Hane "hane",
        Descend "descend",
        Placement "placement",
        ThrowIn "throw-in",
        EyeMove "eye-move",
        GuardDiagonal "guard-diagonal",
        HandMove "hand-move",
        Wait "wait",
    }
}

/// An aim with the point it is about: a stone of the group or string, or the point to play at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Goal {
    pub aim: Aim,
    pub at: Point,
}

impl Goal {
    /// An aim at a point: a stone of the string it is about, or where to play.
    pub fn new(aim: Aim, at: Point) -> Goal {
        Goal { aim, at }
    }
}

impl fmt::Display for Aim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}
