//! Showing that some things cannot hold together in a state of a game.
//!
//! A derived atom holds exactly if one of its rules does, a move is made only if it is legal, and a role makes one
//! move: from assumptions, unit propagation over these constraints draws conclusions, and a few case distinctions over
//! the rules of an atom lead to a contradiction or give up. Giving up says nothing; a contradiction is a proof. Facts
//! about states that are to be proved by induction come in as groups of fluents of which at most one holds.

use counterplay_base::{Id, IdLists, id};

use super::model::{FluentId, Game, Literal, MoveId, RoleId, RuleId, Signal};

id! {
    /// A literal by its code.
    pub struct CodeId;
    /// A group of fluents.
    pub struct GroupId;
}

/// Case distinctions that one contradiction may take.
const MOST_CASES: u32 = 1000;

pub(super) struct Refuter<'g> {
    game: &'g Game,
    /// By literal code, whether the literal is known to hold.
    holds: Vec<bool>,
    /// The rules of each derived atom.
    rules_of: Vec<(u32, u32)>,
    occurrences: IdLists<CodeId, RuleId>,
    /// The moves whose legality is this literal.
    legality: IdLists<CodeId, MoveId>,
    first_move: Vec<usize>,
    trues: Vec<u32>,
    falses: Vec<u32>,
    /// Rules of each atom that cannot hold.
    dead: Vec<u32>,
    groups: Vec<Vec<FluentId>>,
    groups_of: IdLists<FluentId, GroupId>,
    alive: Vec<bool>,
    trail: Vec<u32>,
    /// Conclusions that have been propagated.
    done: usize,
    /// Literals looked at: what it costs, the same on every machine.
    pub(super) work: u64,
    /// Where it gives up.
    pub(super) limit: u64,
}

impl<'g> Refuter<'g> {
    pub(super) fn new(game: &'g Game, groups: Vec<Vec<FluentId>>) -> Refuter<'g> {
        let mut rules_of = vec![(0u32, 0u32); game.atoms];
        let mut pairs: Vec<(CodeId, RuleId)> = Vec::new();
        for (rule, head) in game.heads.enumerate() {
            let place = &mut rules_of[head.index()];
            if place.1 == 0 {
                place.0 = rule.index() as u32;
            }
            place.1 = rule.index() as u32 + 1;
            let body = game.bodies[rule].iter();
            pairs.extend(body.map(|literal| (CodeId::new(literal.code() as usize), rule)));
        }
        let codes = 2 * game.atoms;
        let legality: Vec<(CodeId, MoveId)> = game
            .legal
            .enumerate()
            .filter_map(|(a_move, &signal)| match signal {
                Signal::Literal(literal) => Some((CodeId::new(literal.code() as usize), a_move)),
                Signal::Constant(_) => None,
            })
            .collect();
        let mut first_move = vec![0; game.roles.len() + 1];
        for a_move in game.moves.iter() {
            first_move[a_move.role.index() + 1] += 1;
        }
        for role in 0..game.roles.len() {
            first_move[role + 1] += first_move[role];
        }
        let mut of: Vec<(FluentId, GroupId)> = Vec::new();
        for (number, group) in groups.iter().enumerate() {
            of.extend(group.iter().map(|&fluent| (fluent, GroupId::new(number))));
        }
        Refuter {
            game,
            holds: vec![false; codes],
            rules_of,
            occurrences: IdLists::from_pairs(codes, &pairs),
            legality: IdLists::from_pairs(codes, &legality),
            first_move,
            trues: vec![0; game.heads.len()],
            falses: vec![0; game.heads.len()],
            dead: vec![0; game.atoms],
            alive: vec![true; groups.len()],
            groups_of: IdLists::from_pairs(game.fluents.len(), &of),
            groups,
            trail: Vec::new(),
            done: 0,
            work: 0,
            limit: u64::MAX,
        }
    }

    /// The fluents of a group.
    pub(super) fn group(&self, number: usize) -> &[FluentId] {
        &self.groups[number]
    }

    /// No longer relies on a group. Conclusions may have: [`Refuter::reset`] takes them back.
    pub(super) fn drop_group(&mut self, number: usize) {
        self.alive[number] = false;
    }

    pub(super) fn is_alive(&self, number: usize) -> bool {
        self.alive[number]
    }

    /// Forgets all and begins with something that is given. `false` if that cannot be.
    pub(super) fn reset(&mut self, given: &[(Signal, bool)]) -> bool {
        self.undo(0);
        for rule in self.game.heads.ids() {
            if self.game.bodies[rule].is_empty() && !self.assign(Literal::new(self.game.heads[rule], true)) {
                return false;
            }
        }
        given.iter().all(|&(signal, value)| self.assume(signal, value)) && self.propagate()
    }

    /// How many conclusions there are: a mark to return to.
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Assumes something and draws conclusions; `false` if it cannot be.
    pub(super) fn suppose(&mut self, signal: Signal) -> bool {
        self.assume(signal, true) && self.propagate()
    }

    /// Whether a signal is known to be false.
    pub(super) fn is_false(&self, signal: Signal) -> bool {
        match signal {
            Signal::Constant(value) => !value,
            Signal::Literal(literal) => self.holds[literal.negated().code() as usize],
        }
    }

    /// Whether something is impossible, with case distinctions since `since`.
    pub(super) fn is_impossible(&mut self, signals: &[(Signal, bool)], since: usize) -> bool {
        let mut cases = MOST_CASES;
        let mark = self.mark();
        let possible = signals.iter().all(|&(signal, value)| self.assume(signal, value));
        let refuted = !possible || self.refute(since, &mut cases);
        self.undo(mark);
        refuted
    }

    fn refute(&mut self, since: usize, cases: &mut u32) -> bool {
        if !self.propagate() {
            return true;
        }
        if *cases == 0 || self.work > self.limit {
            return false;
        }
        let Some(atom) = self.unsupported(since) else { return false };
        let (from, to) = self.rules_of[atom];
        let mark = self.mark();
        for rule in from..to {
            if self.falses[rule as usize] > 0 {
                continue;
            }
            if *cases == 0 {
                return false;
            }
            *cases -= 1;
            let body = &self.game.bodies[RuleId::new(rule as usize)];
            let possible = body.iter().all(|&literal| self.assign(literal));
            let refuted = !possible || self.refute(since, cases);
            self.undo(mark);
            if !refuted {
                return false;
            }
        }
        true
    }

    /// A derived atom that holds although none of its rules does yet: the one with the fewest rules left.
    fn unsupported(&mut self, since: usize) -> Option<usize> {
        let first = self.game.first_derived() as u32;
        self.work += (self.trail.len() - since) as u64 / 4;
        let mut best: Option<(u32, usize)> = None;
        for at in since..self.trail.len() {
            let code = self.trail[at];
            let atom = (code >> 1) as usize;
            if code & 1 == 1 || code >> 1 < first {
                continue;
            }
            let (from, to) = self.rules_of[atom];
            let left = to - from - self.dead[atom];
            if best.is_some_and(|(least, _)| least <= left) {
                continue;
            }
            self.work += u64::from(to - from);
            let is_supported = (from..to).any(|rule| {
                self.trues[rule as usize] as usize == self.game.bodies[RuleId::new(rule as usize)].len()
            });
            if !is_supported {
                best = Some((left, atom));
            }
        }
        best.map(|(_, atom)| atom)
    }

    fn assume(&mut self, signal: Signal, value: bool) -> bool {
        match signal {
            Signal::Constant(constant) => constant == value,
            Signal::Literal(literal) => self.assign(if value { literal } else { literal.negated() }),
        }
    }

    /// Notes that a literal holds; `false` if its contrary is known.
    fn assign(&mut self, literal: Literal) -> bool {
        let code = literal.code();
        if self.holds[(code ^ 1) as usize] {
            return false;
        }
        if !self.holds[code as usize] {
            self.holds[code as usize] = true;
            self.trail.push(code);
        }
        true
    }

    /// Takes back all conclusions since a mark.
    pub(super) fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let code = self.trail.pop().expect("longer than the mark");
            self.holds[code as usize] = false;
            if self.trail.len() < self.done {
                self.done = self.trail.len();
                for &rule in &self.occurrences[CodeId::new(code as usize)] {
                    self.trues[rule.index()] -= 1;
                }
                for &rule in &self.occurrences[CodeId::new((code ^ 1) as usize)] {
                    self.falses[rule.index()] -= 1;
                    if self.falses[rule.index()] == 0 {
                        self.dead[self.game.heads[rule].index()] -= 1;
                    }
                }
            }
        }
    }

    fn propagate(&mut self) -> bool {
        while self.done < self.trail.len() && self.work <= self.limit {
            let code = self.trail[self.done];
            self.done += 1;
            for &rule in &self.occurrences[CodeId::new(code as usize)] {
                self.trues[rule.index()] += 1;
            }
            for &rule in &self.occurrences[CodeId::new((code ^ 1) as usize)] {
                self.falses[rule.index()] += 1;
                if self.falses[rule.index()] == 1 {
                    self.dead[self.game.heads[rule].index()] += 1;
                }
            }
            if !self.conclude(code) {
                return false;
            }
        }
        true
    }

    /// What follows from one more literal.
    fn conclude(&mut self, code: u32) -> bool {
        let mut possible = true;
        for at in 0..self.occurrences[CodeId::new(code as usize)].len() {
            let rule = self.occurrences[CodeId::new(code as usize)][at];
            self.work += 1;
            possible = possible && self.look_at_rule(rule);
        }
        for at in 0..self.occurrences[CodeId::new((code ^ 1) as usize)].len() {
            let rule = self.occurrences[CodeId::new((code ^ 1) as usize)][at];
            self.work += 1;
            possible = possible && self.look_at_head(self.game.heads[rule].index());
        }
        let atom = (code >> 1) as usize;
        let is_true = code & 1 == 0;
        if atom >= self.game.first_derived() {
            possible = possible && self.look_at_head(atom);
            if !is_true {
                let (from, to) = self.rules_of[atom];
                self.work += u64::from(to - from);
                possible = possible && (from..to).all(|rule| self.look_at_rule(RuleId::new(rule as usize)));
            }
        } else if is_true && atom < self.game.fluents.len() {
            possible = possible && self.exclude_fluents(FluentId::new(atom));
        } else if is_true {
            possible = possible && self.look_at_move(MoveId::new(atom - self.game.fluents.len()));
        }
        // Moves whose legality just failed are not made.
        for at in 0..self.legality[CodeId::new((code ^ 1) as usize)].len() {
            let a_move = self.legality[CodeId::new((code ^ 1) as usize)][at];
            possible = possible && self.assign(Literal::new(self.game.does(a_move), false));
        }
        possible
    }

    /// A rule whose conditions all hold makes its head hold; if the head does not, its last condition fails.
    fn look_at_rule(&mut self, rule: RuleId) -> bool {
        if self.falses[rule.index()] > 0 {
            return true;
        }
        let body = &self.game.bodies[rule];
        let left = body.len() - self.trues[rule.index()] as usize;
        let head = Literal::new(self.game.heads[rule], true);
        if left == 0 {
            return self.assign(head);
        }
        if left == 1 && self.holds[head.negated().code() as usize] {
            let last = body.iter().find(|literal| !self.holds[literal.code() as usize]);
            // It may have been concluded and not been counted yet.
            return last.is_none_or(|last| self.assign(last.negated()));
        }
        true
    }

    /// An atom without rules left fails; if it holds and one rule is left, that rule holds.
    fn look_at_head(&mut self, atom: usize) -> bool {
        let (from, to) = self.rules_of[atom];
        let left = to - from - self.dead[atom];
        let head = Literal::new(counterplay_base::Id::new(atom), true);
        if left == 0 {
            return self.assign(head.negated());
        }
        if left == 1 && self.holds[head.code() as usize] {
            self.work += u64::from(to - from);
            let rule = (from..to).find(|&rule| self.falses[rule as usize] == 0).expect("one is left");
            return self.game.bodies[RuleId::new(rule as usize)].iter().all(|&literal| self.assign(literal));
        }
        true
    }

    fn exclude_fluents(&mut self, fluent: FluentId) -> bool {
        for at in 0..self.groups_of[fluent].len() {
            let number = self.groups_of[fluent][at].index();
            if !self.alive[number] {
                continue;
            }
            for at in 0..self.groups[number].len() {
                let other = self.groups[number][at];
                self.work += 1;
                if other != fluent && !self.assign(Literal::new(self.game.fluent(other), false)) {
                    return false;
                }
            }
        }
        true
    }

    /// A move that is made is legal and the only one of its role.
    fn look_at_move(&mut self, a_move: MoveId) -> bool {
        let role: RoleId = self.game.moves[a_move].role;
        let own = self.first_move[role.index()]..self.first_move[role.index() + 1];
        self.work += own.len() as u64;
        self.assume(self.game.legal[a_move], true)
            && own
                .map(MoveId::new)
                .all(|other| other == a_move || self.assign(Literal::new(self.game.does(other), false)))
    }
}
