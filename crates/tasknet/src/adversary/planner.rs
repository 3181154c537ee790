//! The planner: control passes between two agents, and the one whose opponent has succeeded backtracks.

use counterplay_base::{Budget, BudgetPoll, Limit};
use rustc_hash::FxHashMap;

use super::tree::{NodeId, PlanChoice, PlanTree};
use super::{Agent, Arena, Level, Schema};
use crate::Agenda;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Whether critics may insert goals.
    pub critics: bool,
    /// Whether Alpha and Beta try every move when their plans have failed.
    pub guard: [bool; 2],
    /// At most so many moves are tried.
    pub moves: u64,
    /// No line gets longer than this; an agent that would have to go on gives up.
    pub depth: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { critics: true, guard: [false, false], moves: 4096, depth: 60 }
    }
}

/// What is known of worlds by their key: the winner, and a move by which it wins if it is its turn.
pub type Memory<M> = FxHashMap<u64, (Agent, Option<M>)>;

#[derive(Clone, Debug)]
pub struct Answer<G, M> {
    /// Who achieves its input goals.
    pub winner: Agent,
    /// Alpha's first move, if Alpha wins and is not done already.
    pub first: Option<M>,
    pub tree: PlanTree<G, M>,
    /// The worlds whose winner is known on every line.
    pub memory: Memory<M>,
    /// The winning moves by the key of the world, those that hold on one line only included.
    pub strategy: FxHashMap<u64, M>,
    /// Moves tried.
    pub tried: u64,
    /// Planning cycles: choices of a goal together with a schema for it, moves included.
    pub cycles: u64,
}

/// Planning that a limit ended.
#[derive(Clone, Debug)]
pub struct Stopped<G, M> {
    pub limit: Limit,
    /// The choices so far.
    pub tree: PlanTree<G, M>,
    /// Moves tried.
    pub tried: u64,
    /// Planning cycles.
    pub cycles: u64,
}

/// An answer, or where planning was stopped.
pub type Outcome<G, M> = Result<Answer<G, M>, Box<Stopped<G, M>>>;

/// Plans until one agent has refuted every plan of the other.
pub fn plan<A: Arena>(
    arena: &mut A,
    inputs: [Vec<A::Goal>; 2],
    settings: Settings,
    budget: &Budget,
) -> Outcome<A::Goal, A::Move> {
    let turn = arena.turn();
    let mut planner = Planner {
        tree: PlanTree::new(turn),
        arena,
        settings,
        budget,
        poll: BudgetPoll::every(16),
        inputs,
        memory: Memory::default(),
        strategy: FxHashMap::default(),
        path: Vec::new(),
        tried: 0,
        cycles: 0,
    };
    let root = planner.tree.root();
    let result = planner.position([Agenda::empty(), Agenda::empty()], root);
    let Planner { tree, memory, strategy, tried, cycles, .. } = planner;
    match result {
        Ok(found) => {
            Ok(Answer { winner: found.winner, first: found.action, tree, memory, strategy, tried, cycles })
        }
        Err(limit) => Err(Box::new(Stopped { limit, tree, tried, cycles })),
    }
}

/// Who wins a position, and by which move if it is the winner's turn.
#[derive(Clone, Copy)]
struct Found<M> {
    winner: Agent,
    action: Option<M>,
    /// The place on the line of the earliest position that a repetition referred to.
    leans_on: usize,
}

struct Planner<'a, A: Arena> {
    arena: &'a mut A,
    settings: Settings,
    budget: &'a Budget,
    poll: BudgetPoll,
    inputs: [Vec<A::Goal>; 2],
    tree: PlanTree<A::Goal, A::Move>,
    memory: Memory<A::Move>,
    strategy: FxHashMap<u64, A::Move>,
    path: Vec<u64>,
    tried: u64,
    cycles: u64,
}

/// What the agent in control has tried in one position.
struct Turn<M> {
    agent: Agent,
    /// Moves tried here; another reason for the same move leads to the same world.
    seen: Vec<M>,
    leans_on: usize,
}

type Agendas<G> = [Agenda<G>; 2];

impl<A: Arena> Planner<'_, A> {
    /// Lets the agent whose turn it is carry on with its agenda.
    fn position(&mut self, agendas: Agendas<A::Goal>, node: NodeId) -> Result<Found<A::Move>, Limit> {
        self.poll.step(self.budget)?;
        // At the beginning Alpha has to find a move, even where the end can be foreseen.
        if !self.path.is_empty()
            && let Some(winner) = self.arena.winner()
        {
            return Ok(Found { winner, action: None, leans_on: usize::MAX });
        }
        let key = self.arena.key();
        if let Some(&(winner, action)) = self.memory.get(&key) {
            return Ok(Found { winner, action, leans_on: usize::MAX });
        }
        let agent = self.arena.turn();
        if let Some(place) = self.path.iter().position(|&seen| seen == key) {
            return Ok(Found { winner: self.arena.repetition(), action: None, leans_on: place });
        }
        if self.path.len() >= self.settings.depth {
            return Ok(Found { winner: agent.other(), action: None, leans_on: 0 });
        }
        let place = self.path.len();
        self.path.push(key);
        let mut turn = Turn { agent, seen: Vec::new(), leans_on: usize::MAX };
        let win = self.options(&agendas, node, &mut turn);
        self.path.pop();
        let mut found =
            win?.unwrap_or(Found { winner: agent.other(), action: None, leans_on: turn.leans_on });
        if let Some(action) = found.action {
            self.strategy.insert(key, action);
        }
        // What leans on a repetition of an earlier position holds on this line only.
        if found.leans_on >= place {
            found.leans_on = usize::MAX;
            self.memory.insert(key, (found.winner, found.action));
        }
        Ok(found)
    }

    /// Tries one option after the other: critics' goals, the agenda, the input goals, and every move if a guard is wanted.
    fn options(
        &mut self,
        agendas: &Agendas<A::Goal>,
        node: NodeId,
        turn: &mut Turn<A::Move>,
    ) -> Result<Option<Found<A::Move>>, Limit> {
        let agent = turn.agent;
        let own = agendas[agent as usize].clone();
        if self.settings.critics {
            let mut urgent = Vec::new();
            self.arena.criticise(&mut urgent);
            for goal in urgent {
                let at = self.tree.add(node, agent, PlanChoice::Critic(goal.clone()));
                if let Some(win) = self.expand(&goal, own.clone(), agendas, at, turn)? {
                    return Ok(Some(win));
                }
            }
        }
        let inputs = self.inputs[agent as usize].clone();
        let open: Vec<A::Goal> = own.iter().cloned().collect();
        for (i, goal) in open.iter().chain(&inputs).enumerate() {
            // What is worked on leaves the agenda; input goals stay, they are the agent's purpose.
            let rest: Agenda<A::Goal> =
                open.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, goal)| goal.clone()).collect();
            let at = self.tree.add(node, agent, PlanChoice::Goal(goal.clone()));
            if let Some(win) = self.expand(goal, rest, agendas, at, turn)? {
                return Ok(Some(win));
            }
        }
        if self.settings.guard[agent as usize] {
            let mut moves = Vec::new();
            self.arena.every_move(&mut moves);
            for action in moves {
                if !turn.seen.contains(&action) {
                    let at = self.tree.add(node, agent, PlanChoice::Guard(action));
                    if let Some(win) = self.attempt(action, own.clone(), agendas, at, turn)? {
                        return Ok(Some(win));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Refines a goal until one of its descendants yields a move; what is left of the schemas goes on the agenda.
    fn expand(
        &mut self,
        goal: &A::Goal,
        rest: Agenda<A::Goal>,
        agendas: &Agendas<A::Goal>,
        node: NodeId,
        turn: &mut Turn<A::Move>,
    ) -> Result<Option<Found<A::Move>>, Limit> {
        self.poll.step(self.budget)?;
        if self.arena.is_achieved(goal) {
            return Ok(None);
        }
        if self.arena.level(goal) == Level::Move {
            let mut moves = Vec::new();
            self.arena.moves(goal, &mut moves);
            self.cycles += 1;
            for action in moves {
                if !turn.seen.contains(&action) {
                    let at = self.tree.add(node, turn.agent, PlanChoice::Move(action));
                    if let Some(win) = self.attempt(action, rest.clone(), agendas, at, turn)? {
                        return Ok(Some(win));
                    }
                }
            }
            return Ok(None);
        }
        let mut schemas: Vec<Schema<A::Goal>> = Vec::new();
        self.arena.schemas(goal, &mut schemas);
        for schema in schemas {
            self.cycles += 1;
            let by = self.tree.add(node, turn.agent, PlanChoice::Schema(schema.name));
            // Any subgoal may come first: all linearisations are allowed.
            for (i, subgoal) in schema.subgoals.iter().enumerate() {
                debug_assert!(
                    self.arena.level(subgoal) < self.arena.level(goal),
                    "{subgoal:?} below {goal:?}"
                );
                let others = schema.subgoals.iter().enumerate().filter(|&(j, _)| j != i);
                let left = rest.after(Vec::from_iter(others.map(|(_, other)| other.clone())));
                let at = self.tree.add(by, turn.agent, PlanChoice::Goal(subgoal.clone()));
                if let Some(win) = self.expand(subgoal, left, agendas, at, turn)? {
                    return Ok(Some(win));
                }
            }
        }
        Ok(None)
    }

    /// Makes a move and lets the other agent answer; `Some` if this wins.
    fn attempt(
        &mut self,
        action: A::Move,
        rest: Agenda<A::Goal>,
        agendas: &Agendas<A::Goal>,
        node: NodeId,
        turn: &mut Turn<A::Move>,
    ) -> Result<Option<Found<A::Move>>, Limit> {
        turn.seen.push(action);
        let mut next = agendas.clone();
        next[turn.agent as usize] = rest;
        self.arena.play(action);
        // A world whose winner is known costs nothing: it is no move tried.
        if !self.memory.contains_key(&self.arena.key()) {
            self.tried += 1;
        }
        let allowed = self.settings.moves;
        let found = if self.tried > allowed { Err(Limit::Nodes(allowed)) } else { self.position(next, node) };
        self.arena.undo();
        let found = found?;
        self.tree.decide(node, found.winner);
        if found.winner == turn.agent {
            self.arena.learn(action);
            return Ok(Some(Found { winner: turn.agent, action: Some(action), leans_on: found.leans_on }));
        }
        turn.leans_on = turn.leans_on.min(found.leans_on);
        Ok(None)
    }
}
