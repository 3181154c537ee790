//! Successors of many states at once, in the lanes of the network.
//!
//! A move mostly changes the same bits wherever it is legal. So its successors are the states with these bits turned
//! over; that is looked at in all lanes, and where it is not so they are taken out of the lanes one by one.

use counterplay_base::Id;
use counterplay_ground::game::{FluentId, Game, RoleId};

use super::code::Code;
use super::{Halt, Refusal};
use crate::lanes::{Lanes, transpose};
use crate::propnet::{Part, Propnet};
use crate::simultaneous::Simultaneous;

const W: usize = 4;
/// States that are looked at together.
pub const LANES: usize = 64 * W;

/// Finds successors.
pub(super) struct Expander<'g> {
    game: &'g Game,
    pub(super) code: Code,
    network: Propnet<W>,
    /// The bits of the states, and those of their successors by one move.
    now: Vec<Lanes<W>>,
    next: Vec<Lanes<W>>,
    legal: Vec<Lanes<W>>,
    /// What the clock may show; empty if something else tells the layers apart.
    hands: Vec<FluentId>,
}

/// What the states in the lanes are.
pub struct Kinds {
    pub(super) over: Lanes<W>,
    /// Not over, but some role has no move.
    pub(super) stuck: Lanes<W>,
    /// Lanes of each role that has a choice there; the first also has those in which no role has one.
    pub(super) movers: Vec<Lanes<W>>,
}

impl<'g> Expander<'g> {
    pub(super) fn new(game: &'g Game, code: Code, hands: Vec<FluentId>) -> Expander<'g> {
        let empty = vec![[0; W]; code.bits];
        let legal = vec![[0; W]; game.moves.len()];
        Expander { game, code, network: Propnet::new(game), now: empty.clone(), next: empty, legal, hands }
    }

    /// Number of moves of all roles.
    pub(super) fn moves(&self) -> usize {
        self.legal.len()
    }

    /// Puts states into the lanes, at a time that the clock shows, if there is one.
    pub(super) fn load(&mut self, states: &[u64], hand: Option<FluentId>) -> Result<Kinds, Halt> {
        for (word, own) in states.chunks(64).enumerate() {
            let mut block = [0u64; 64];
            block[..own.len()].copy_from_slice(own);
            // Lanes without a state repeat the last one, so that they hold a state at all.
            block[own.len()..].fill(own[own.len() - 1]);
            transpose(&mut block);
            self.now.iter_mut().zip(block).for_each(|(bit, lanes)| bit[word] = lanes);
        }
        let network = &mut self.network;
        self.code.read(&self.now, |fluent, lanes| network.set_fluent(fluent, lanes));
        for &other in &self.hands {
            network.set_fluent(other, [if Some(other) == hand { !0 } else { 0 }; W]);
        }
        network.evaluate(Part::State);
        let used: Lanes<W> = std::array::from_fn(|word| match states.len().saturating_sub(64 * word) {
            0 => 0,
            count if count >= 64 => !0,
            count => (1 << count) - 1,
        });
        let over = and(network.terminal(), used);
        let open = minus(used, over);
        let mut stuck = [0; W];
        let mut choosing = Vec::with_capacity(self.game.roles.len());
        for role in self.game.roles.ids() {
            let (mut one, mut two) = ([0u64; W], [0u64; W]);
            for id in self.game.moves_of(role) {
                let legal = network.legal(id);
                self.legal[id.index()] = legal;
                for word in 0..W {
                    two[word] |= one[word] & legal[word];
                    one[word] |= legal[word];
                }
            }
            (0..W).for_each(|word| stuck[word] |= open[word] & !one[word]);
            choosing.push(two);
        }
        let mut left = minus(open, stuck);
        let mut movers = vec![[0; W]; choosing.len()];
        for (role, &own) in choosing.iter().enumerate().rev() {
            movers[role] = and(own, minus(open, stuck));
            if let Some(lane) = first_lane(minus(movers[role], left)) {
                return Err(Refusal::Simultaneous(self.simultaneous(lane, &choosing)).into());
            }
            left = minus(left, movers[role]);
        }
        (0..W).for_each(|word| movers[0][word] |= left[word]);
        Ok(Kinds { over, stuck, movers })
    }

    /// The state in a lane and the roles that have several moves there.
    fn simultaneous(&self, lane: usize, choosing: &[Lanes<W>]) -> Simultaneous {
        let is_on = |lanes: Lanes<W>| lanes[lane / 64] >> (lane % 64) & 1 == 1;
        let holds = |fluent: &FluentId| is_on(self.network.fluent(*fluent));
        let chooses = |role: &RoleId| is_on(choosing[role.index()]);
        Simultaneous {
            state: self.game.fluents.ids().filter(holds).collect(),
            roles: self.game.roles.ids().filter(chooses).collect(),
        }
    }

    /// The rewards in a lane, each role has the greatest that is given, or 0; and whether some role has none, or several.
    pub(super) fn rewards(&mut self, lane: usize) -> (Vec<u32>, bool) {
        self.network.evaluate(Part::Goals);
        self.network.rewards(self.game, lane)
    }

    /// Tells for each role with a choice, each of its moves and each lane where that is legal what the state becomes.
    /// The clock must show `hand` then, or if that is not yet known, the same everywhere.
    pub(super) fn successors(
        &mut self,
        states: &[u64],
        movers: &[Lanes<W>],
        hand: &mut Option<FluentId>,
        mut tell: impl FnMut(usize, usize, usize, u64),
    ) -> Result<(), Halt> {
        for (role, &lanes) in movers.iter().enumerate().filter(|(_, lanes)| lanes.iter().any(|&own| own != 0))
        {
            self.make_others(role, lanes, true);
            for a_move in self.game.moves_of(RoleId::new(role)) {
                let used = and(self.legal[a_move.index()], lanes);
                if used == [0; W] {
                    continue;
                }
                self.network.set_move(a_move, used);
                self.network.evaluate(Part::Moves);
                self.successors_by(states, used, hand, |lane, state| {
                    tell(role, a_move.index(), lane, state);
                })?;
                self.network.set_move(a_move, [0; W]);
            }
            self.make_others(role, lanes, false);
        }
        Ok(())
    }

    /// The only moves of all other roles.
    fn make_others(&mut self, role: usize, lanes: Lanes<W>, is_made: bool) {
        for (id, _) in self.game.moves.enumerate().filter(|(_, other)| other.role.index() != role) {
            let made = if is_made { and(self.legal[id.index()], lanes) } else { [0; W] };
            self.network.set_move(id, made);
        }
    }

    fn successors_by(
        &mut self,
        states: &[u64],
        used: Lanes<W>,
        hand: &mut Option<FluentId>,
        mut tell: impl FnMut(usize, u64),
    ) -> Result<(), Halt> {
        let network = &self.network;
        let shows = |hand: FluentId| minus(used, network.next(hand)) == [0; W];
        // At most one hand of the clock shows, so that looking at one is enough.
        let known = match *hand {
            Some(known) => Some(known).filter(|&known| shows(known)),
            None => self.hands.iter().copied().find(|&own| shows(own)),
        };
        if known.is_none() && !self.hands.is_empty() {
            return Err(Refusal::NotApart.into());
        }
        *hand = known;
        let written = self.code.write(|fluent| network.next(fluent), used, &mut self.next);
        written.ok_or(Refusal::Uncovered)?;
        let mut turned = 0u64;
        let mut is_uniform = true;
        for (bit, (now, next)) in self.now.iter().zip(&self.next).enumerate() {
            let changed: Lanes<W> = std::array::from_fn(|word| (now[word] ^ next[word]) & used[word]);
            if changed == used {
                turned |= 1 << bit;
            } else if changed != [0; W] {
                is_uniform = false;
                break;
            }
        }
        for (word, mut lanes) in used.into_iter().enumerate().filter(|(_, lanes)| *lanes != 0) {
            let mut block = [0u64; 64];
            if !is_uniform {
                self.next.iter().zip(&mut block).for_each(|(bit, row)| *row = bit[word]);
                transpose(&mut block);
            }
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let at = 64 * word + lane;
                tell(at, if is_uniform { states[at] ^ turned } else { block[lane] });
            }
        }
        Ok(())
    }
}

fn and(a: Lanes<W>, b: Lanes<W>) -> Lanes<W> {
    std::array::from_fn(|word| a[word] & b[word])
}

fn minus(a: Lanes<W>, b: Lanes<W>) -> Lanes<W> {
    std::array::from_fn(|word| a[word] & !b[word])
}

/// The first lane that is on.
fn first_lane(lanes: Lanes<W>) -> Option<usize> {
    let (word, bits) = lanes.into_iter().enumerate().find(|(_, bits)| *bits != 0)?;
    Some(64 * word + bits.trailing_zeros() as usize)
}

/// Calls for each lane that is on.
pub(super) fn for_each_lane(lanes: Lanes<W>, mut each: impl FnMut(usize)) {
    for (word, mut bits) in lanes.into_iter().enumerate() {
        while bits != 0 {
            each(64 * word + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}
