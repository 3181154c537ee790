//! The network: which schemes may carry out which task.

use counterplay_tasknet::agents::{Agents, Mover};
use counterplay_tasknet::{Agenda, Explanation, Knowledge, Refinement, Way};

use crate::card::Card;
use crate::planner::infoset::{Guard, InfoSet, Op};
use crate::planner::schemes;
use crate::planner::task::{Method, MethodName, Task};
use crate::planner::value::Valuation;

/// Declarer's know-how, with how far to look and how to value what is not looked at.
#[derive(Clone, Debug)]
pub struct DeclarerNetwork {
    /// How many tricks a plan covers before it is valued.
    pub tricks: u8,
    /// How leaves are valued.
    pub valuation: Valuation,
}

/// The ways to carry out one task.
pub type Ways = Vec<Way<DeclarerNetwork>>;

/// A way to carry out a task by subtasks.
pub fn way(method: Method, subtasks: impl Into<Vec<Task>>) -> Way<DeclarerNetwork> {
    Way { method, guard: None, subtasks: subtasks.into() }
}

/// A way that the opponents go where the guard holds.
pub fn if_they(method: Method, guard: Guard, subtasks: impl Into<Vec<Task>>) -> Way<DeclarerNetwork> {
    Way { method, guard: Some(guard), subtasks: subtasks.into() }
}

impl Knowledge for DeclarerNetwork {
    type World = InfoSet;
    type Task = Task;
    type Method = Method;
    type Ways = std::vec::IntoIter<Way<DeclarerNetwork>>;

    fn refine(&self, world: &InfoSet, task: &Task) -> Refinement<DeclarerNetwork> {
        let ours = world.ours();
        let ways = match *task {
            Task::Play(card) => return Refinement::Do(Op::Ours(card)),
            Task::Them(cards) => return Refinement::Do(Op::Theirs(cards)),
            Task::Everything => self.everything(world),
            Task::Something => schemes::something(world),
            Task::CashOut => schemes::cash::cash_out(&ours),
            // Nothing more is known: what is left is valued as it stands.
            Task::Stop => Vec::new(),
            Task::CashFollowed => schemes::cash::followed(&ours),
            Task::CashWinner(suit) => schemes::cash::cash_winner(&ours, suit),
            Task::ConsiderCross => schemes::cross::consider(&ours),
            Task::SimpleCross(suit) => schemes::cross::simple(&ours, suit),
            Task::LeadLow(suit) => schemes::lead_low(&ours, suit),
            Task::Finesse(card) => schemes::finesse::finesse(&ours, card),
            Task::MarkedStandardFinesse(card) => schemes::finesse::marked(&ours, card),
            Task::StandardFinesseThree(card) => schemes::finesse::three(&ours, card),
            Task::FinesseTwo(card) => schemes::finesse::two(&ours, card),
            Task::FinesseFour => schemes::them::split(&ours, MethodName::FinesseFour),
            Task::MarkedFinesseTwo(card) => schemes::finesse::marked_two(&ours, card),
            Task::MarkedFinesseFour => schemes::them::split(&ours, MethodName::MarkedFinesseFour),
            Task::FreeFinesseThree => schemes::them::third(&ours),
            Task::PlaySetCard(suit) => schemes::sequence::play_set_card(&ours, suit),
            Task::PlaySetFollowed => schemes::sequence::followed(),
            Task::LengthWinner(suit) => schemes::length::length_winner(&ours, suit),
            Task::HardLengthWinner(suit) => schemes::length::hard_length_winner(&ours, suit),
            Task::HardCash(suit) => schemes::length::hard_cash(&ours, suit),
            Task::HardFollowed => schemes::length::hard_followed(&ours),
            Task::HardDuck(suit) => schemes::length::hard_duck(&ours, suit),
            Task::LoseTrick(suit) => schemes::length::lose_trick(&ours, suit),
            Task::DrawTrump => schemes::trumps::draw(&ours),
            Task::ConsiderRuff(suit) => schemes::trumps::ruff(&ours, suit),
            Task::CashTrumps => schemes::trumps::cash(&ours),
            Task::ForceThemRuff(suit) => schemes::trumps::force(&ours, suit),
            Task::FollowSecond => schemes::follow::second(&ours),
            Task::FollowThird => schemes::follow::third(&ours),
            Task::FollowFourth => schemes::follow::fourth(&ours),
            Task::FollowVoid => schemes::follow::void(&ours),
            Task::ThemSplitLess => schemes::them::split(&ours, MethodName::ThemSuitLess),
            Task::ThemSplit => schemes::them::split(&ours, MethodName::ThemSuit),
            Task::ThemLead => schemes::them::lead(&ours),
        };
        Refinement::By(ways.into_iter())
    }

    fn explain(&self, method: &Method) -> Explanation {
        let mut binding = Vec::new();
        binding.extend(method.suit.map(|suit| ("suit".into(), suit.name().into())));
        binding.extend(method.card.map(|card| ("card".into(), card.to_string())));
        Explanation { method: method.name.to_string(), binding, because: Vec::new() }
    }
}

impl DeclarerNetwork {
    fn everything(&self, world: &InfoSet) -> Ways {
        // Beyond the tricks it covers, or with hardly a layout left, a plan stops.
        if world.tricks_ahead() >= self.tricks || world.tricks_ahead() > 0 && world.len() < 8 {
            return vec![way(Method::plain(MethodName::Stop), [Task::Stop])];
        }
        vec![way(Method::plain(MethodName::Everything), [Task::Something, Task::Everything])]
    }
}

impl Agents for DeclarerNetwork {
    type Seen = Card;

    fn mover(&self, world: &InfoSet) -> Mover {
        let public = world.public();
        if public.is_over() {
            Mover::Over
        } else if public.is_ours(public.turn()) {
            Mover::Ours
        } else {
            Mover::Theirs
        }
    }

    fn mass(&self, world: &InfoSet) -> f64 {
        world.mass()
    }

    fn utility(&self, world: &InfoSet, _: &Agenda<Task>) -> f64 {
        self.valuation.utility(world)
    }

    fn accepts(&self, planned: &Op, seen: &Card) -> bool {
        match planned {
            Op::Theirs(cards) => cards.has(*seen),
            Op::Ours(card) => card == seen,
        }
    }
}
