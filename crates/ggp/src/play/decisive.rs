//! Rules that tell which moves win at once.
//!
//! For each move, the conditions of the end and of the greatest reward are regressed through it: what they need of the
//! next state is written in terms of this one. What the move does not touch stays as it is, and is known not to end the game
//! since it has not ended it yet; so a few gates are left for each move, and the network evaluates them for all lanes
//! together with everything else. Conditions that would become too large are left out: what the rules call a win is one, but
//! not the other way round.
//!
//! The other roles are taken to make the move that they make when it is not their turn. A game in which that is wrong would make
//! the rules wrong, so players check what they say.
//!
//! Decisive moves in playouts: Teytaud and Teytaud 2010. Regression: Waldinger 1977; Reiter 1991.

use std::sync::Arc;

use counterplay_base::{Budget, BudgetPoll, Id, Limit};
use counterplay_ground::game::{AtomId, Game, Literal, MoveId, RuleId, Signal};
use rustc_hash::FxHashMap;

use super::walk::Walker;

/// A condition with more literals than this is left out.
const LARGEST: usize = 32;
/// And with more than this, if all that is left of it is what the move changes.
const LARGEST_CHANGE: usize = 200;
/// The rules may make the network so many times larger, in percent.
const GROWTH: usize = 150;
/// Games with more rules times moves than this are left alone.
const LONGEST: usize = 400_000_000;

/// A game with rules for moves that win at once.
#[derive(Clone, Debug)]
pub struct DecisiveRules {
    /// The game, with more atoms.
    pub game: Game,
    /// The first of them.
    pub first: usize,
    /// For some moves: when they win, if they are legal and the game is not over.
    pub wins: Vec<(MoveId, Signal)>,
}

/// A literal or a constant.
type Value = Signal;

const FALSE: Value = Signal::Constant(false);
const TRUE: Value = Signal::Constant(true);

fn not(value: Value) -> Value {
    match value {
        Signal::Constant(value) => Signal::Constant(!value),
        Signal::Literal(literal) => Signal::Literal(literal.negated()),
    }
}

/// What an atom comes to after a move: at least the first and at most the second.
#[derive(Clone, Copy, PartialEq)]
struct Range {
    least: Value,
    most: Value,
    /// Whether it may differ from the atom itself.
    is_changed: bool,
}

/// A disjunction of conjunctions, sorted.
type Gate = Vec<Vec<Literal>>;

struct Regression<'g> {
    game: &'g Game,
    /// The rules of each derived atom.
    rules: Vec<std::ops::Range<usize>>,
    /// Whether a derived atom depends on moves.
    on_moves: Vec<bool>,
    /// What is certain of an atom as long as the game is not over.
    known: Vec<Option<bool>>,
    gates: Vec<Gate>,
    gate_of: FxHashMap<Gate, AtomId>,
    literals: usize,
}

impl DecisiveRules {
    /// The rules of a game, if they say anything and are found within the budget.
    pub fn find(game: &Arc<Game>, seed: u64, budget: &Budget) -> Option<DecisiveRules> {
        let idle = Walker::new(game).idle_moves(seed);
        DecisiveRules::new(game, &idle, budget).ok().flatten()
    }

    /// The rules of a game, if they say anything; `idle` are the moves that roles make when it is not their turn.
    pub fn new(
        game: &Game,
        idle: &[Option<MoveId>],
        budget: &Budget,
    ) -> Result<Option<DecisiveRules>, Limit> {
        if game.bodies.len().saturating_mul(game.moves.len()) > LONGEST {
            return Ok(None);
        }
        let mut regression = Regression::new(game);
        let mut poll = BudgetPoll::every(1);
        let most = 1000 + game.bodies.iter().map(<[Literal]>::len).sum::<usize>() * GROWTH / 100;
        let mut wins = Vec::new();
        for (a_move, own) in game.moves.enumerate() {
            poll.step(budget)?;
            if game.legal[a_move] == FALSE {
                continue;
            }
            let best = game.goals.iter().filter(|goal| goal.role == own.role).map(|goal| goal.value).max();
            let mut made = vec![false; game.moves.len()];
            made[a_move.index()] = true;
            for (role, idle) in idle.iter().enumerate() {
                if let Some(idle) = idle.filter(|_| role != own.role.index()) {
                    made[idle.index()] = true;
                }
            }
            let after = regression.after(&made);
            let goals = game.goals.iter().filter(|goal| goal.role == own.role && Some(goal.value) == best);
            for goal in goals {
                let won = regression.ends_with(&after, goal.when);
                if won != FALSE {
                    wins.push((a_move, won));
                }
            }
            if regression.literals > most {
                return Ok(None);
            }
        }
        if wins.is_empty() {
            return Ok(None);
        }
        let first = game.atoms;
        Ok(Some(DecisiveRules { game: regression.extended(&wins), first, wins }))
    }
}

impl<'g> Regression<'g> {
    fn new(game: &'g Game) -> Regression<'g> {
        let mut rules = vec![0..0; game.atoms];
        for (rule, head) in game.heads.enumerate() {
            let own: &mut std::ops::Range<usize> = &mut rules[head.index()];
            if own.start == own.end {
                own.start = rule.index();
            }
            own.end = rule.index() + 1;
        }
        let mut regression = Regression {
            game,
            rules,
            on_moves: vec![false; game.atoms],
            known: vec![None; game.atoms],
            gates: Vec::new(),
            gate_of: FxHashMap::default(),
            literals: 0,
        };
        for at in game.fluents.len()..game.first_derived() {
            regression.on_moves[at] = true;
        }
        for component in &game.components {
            let depends = component.iter().any(|&atom| {
                regression.bodies(atom).flatten().any(|literal| regression.on_moves[literal.atom().index()])
            });
            component.iter().for_each(|atom| regression.on_moves[atom.index()] = depends);
        }
        if let Signal::Literal(terminal) = game.terminal {
            regression.learn(terminal.negated());
        }
        regression
    }

    fn bodies(&self, atom: AtomId) -> impl Iterator<Item = &'g [Literal]> + use<'g> {
        let game = self.game;
        self.rules[atom.index()].clone().map(move |rule| &game.bodies[RuleId::new(rule)])
    }

    /// Follows what must hold if a literal does.
    fn learn(&mut self, literal: Literal) {
        let mut open = vec![literal];
        while let Some(literal) = open.pop() {
            let atom = literal.atom();
            if self.known[atom.index()].is_some() {
                continue;
            }
            self.known[atom.index()] = Some(literal.is_positive());
            let bodies: Vec<&[Literal]> = self.bodies(atom).collect();
            match (literal.is_positive(), &bodies[..]) {
                (true, [only]) => open.extend(only.iter().copied()),
                (true, _) => {}
                (false, several) => {
                    open.extend(several.iter().filter(|body| body.len() == 1).map(|body| body[0].negated()));
                }
            }
        }
    }

    fn itself(&self, atom: usize) -> Range {
        let value = match self.known[atom] {
            Some(value) => Signal::Constant(value),
            None => Signal::Literal(Literal::new(AtomId::new(atom), true)),
        };
        Range { least: value, most: value, is_changed: false }
    }

    /// All atoms of the next state, in terms of this one; those that depend on moves are left as they are.
    fn after(&mut self, made: &[bool]) -> Vec<Range> {
        let game = self.game;
        let mut now: Vec<Range> = (0..game.atoms).map(|atom| self.itself(atom)).collect();
        for (at, &made) in made.iter().enumerate() {
            let value = Signal::Constant(made);
            now[game.fluents.len() + at] = Range { least: value, most: value, is_changed: true };
        }
        for component in &game.components {
            if self.on_moves[component[0].index()] {
                self.evaluate(component, &mut now);
            }
        }
        let mut next = now.clone();
        for (fluent, &signal) in game.next.enumerate() {
            let range = self.read(&now, signal);
            let itself = Signal::Literal(Literal::new(game.fluent(fluent), true));
            next[fluent.index()] =
                Range { is_changed: range.least != itself || range.most != itself, ..range };
        }
        for component in &game.components {
            if !self.on_moves[component[0].index()] {
                self.evaluate(component, &mut next);
            }
        }
        next
    }

    fn read(&self, values: &[Range], signal: Signal) -> Range {
        match signal {
            Signal::Constant(_) => Range { least: signal, most: signal, is_changed: false },
            Signal::Literal(literal) => {
                let own = values[literal.atom().index()];
                match literal.is_positive() {
                    true => own,
                    false => Range { least: not(own.most), most: not(own.least), ..own },
                }
            }
        }
    }

    /// The atoms of a component from those before them.
    fn evaluate(&mut self, component: &[AtomId], values: &mut [Range]) {
        let is_own = |literal: &Literal| component.binary_search(&literal.atom()).is_ok();
        let is_changed = component.iter().any(|&atom| {
            let literals = self.bodies(atom).flatten();
            literals.filter(|literal| !is_own(literal)).any(|own| values[own.atom().index()].is_changed)
        });
        for &atom in component {
            let at = atom.index();
            if !is_changed {
                values[at] = self.itself(at);
            } else if component.len() > 1 {
                // What depends on itself is not followed.
                values[at] = Range { least: FALSE, most: TRUE, is_changed: true };
            } else {
                let least = self.gate(atom, values, true);
                let same = self.bodies(atom).flatten().all(|&literal| {
                    let own = values[literal.atom().index()];
                    own.least == own.most
                });
                let most = match (same, least) {
                    (true, Some(value)) => value,
                    _ => self.gate(atom, values, false).unwrap_or(TRUE),
                };
                values[at] = Range { least: least.unwrap_or(FALSE), most, is_changed: true };
            }
        }
    }

    /// What an atom comes to at least or at most; `None` if that is too large.
    fn gate(&mut self, atom: AtomId, values: &[Range], least: bool) -> Option<Value> {
        let is_false = self.known[atom.index()] == Some(false);
        let mut gate: Gate = Vec::new();
        let mut literals = 0;
        for body in self.bodies(atom) {
            // What the move does not touch has not made the atom true before.
            if is_false && body.iter().all(|literal| !values[literal.atom().index()].is_changed) {
                continue;
            }
            let mut all = Vec::with_capacity(body.len());
            let mut holds = true;
            for &literal in body {
                let range = self.read(values, Signal::Literal(literal));
                match if least { range.least } else { range.most } {
                    Signal::Constant(value) => holds &= value,
                    Signal::Literal(literal) => all.push(literal),
                }
            }
            all.sort_unstable();
            all.dedup();
            // A conjunction with both an atom and its negation is false: their codes follow each other.
            holds &= all.windows(2).all(|pair| pair[0].atom() != pair[1].atom());
            if !holds {
                continue;
            }
            if all.is_empty() {
                return Some(TRUE);
            }
            literals += all.len();
            gate.push(all);
        }
        if literals > if is_false { LARGEST_CHANGE } else { LARGEST } {
            return None;
        }
        Some(self.name(gate))
    }

    /// A literal for a disjunction.
    fn name(&mut self, mut gate: Gate) -> Value {
        gate.sort_unstable();
        gate.dedup();
        match &gate[..] {
            [] => return FALSE,
            [only] if only.len() == 1 => return Signal::Literal(only[0]),
            _ => {}
        }
        let known = self.gate_of.get(&gate).copied();
        let atom = known.unwrap_or_else(|| {
            let atom = AtomId::new(self.game.atoms + self.gates.len());
            self.literals += gate.iter().map(Vec::len).sum::<usize>();
            self.gates.push(gate.clone());
            self.gate_of.insert(gate, atom);
            atom
        });
        Signal::Literal(Literal::new(atom, true))
    }

    /// When the next state is over with a reward.
    fn ends_with(&mut self, after: &[Range], reward: Signal) -> Value {
        let [over, won] = [self.game.terminal, reward].map(|signal| self.read(after, signal).least);
        match (over, won) {
            (FALSE, _) | (_, FALSE) => FALSE,
            (TRUE, other) | (other, TRUE) => other,
            (Signal::Literal(over), Signal::Literal(won)) => {
                // Often the reward is one of the reasons for the end.
                let gate = over.atom().index().checked_sub(self.game.atoms).filter(|_| over.is_positive());
                if over == won
                    || gate.is_some_and(|gate| self.gates[gate].iter().any(|body| body[..] == [won]))
                {
                    return Signal::Literal(won);
                }
                let mut both = vec![over, won];
                both.sort_unstable();
                self.name(vec![both])
            }
        }
    }

    /// The game with the gates that the wins need.
    fn extended(self, wins: &[(MoveId, Signal)]) -> Game {
        let mut game = self.game.clone();
        let mut is_needed = vec![false; self.gates.len()];
        let gate = |literal: &Literal| literal.atom().index().checked_sub(self.game.atoms);
        for (_, won) in wins {
            if let Signal::Literal(literal) = won
                && let Some(number) = gate(literal)
            {
                is_needed[number] = true;
            }
        }
        // Gates need earlier ones only.
        for number in (0..self.gates.len()).rev() {
            if is_needed[number] {
                let below = self.gates[number].iter().flatten().filter_map(gate);
                below.for_each(|needed| is_needed[needed] = true);
            }
        }
        for number in (0..self.gates.len()).filter(|&number| is_needed[number]) {
            let atom = AtomId::new(self.game.atoms + number);
            for body in &self.gates[number] {
                game.heads.push(atom);
                game.bodies.push(body.iter().copied());
            }
            game.components.push(vec![atom]);
        }
        game.atoms += self.gates.len();
        game
    }
}
