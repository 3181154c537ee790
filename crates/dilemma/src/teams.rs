//! Masters and slaves, as in the 2005 competition.
//!
//! A team recognizes its own by the first moves: the master plays one code, its slaves another, and since moves are
//! noisy a few wrong ones are forgiven. Then a slave feeds its master (the master defects, the slave cooperates) and
//! defects against strangers, to keep their scores low (section 4.4 of the survey). The survey does not say what
//! slaves do among themselves; ours defect, since nothing is gained for the master either way. Nor does it say how a
//! master plays with strangers; ours plays Omega tit for tat.

use std::sync::Arc;

use crate::chance::Chance;
use crate::moves::{History, Move};
use crate::strategies::Omega;
use crate::strategy::Strategy;
use crate::tournament::Entrant;

/// Length of a code.
const CODE: u32 = 16;
/// So many wrong moves are put down to noise.
const FORGIVEN: u32 = 4;
/// Codes differ in at least so many moves, so that they are told apart in spite of noise.
const DISTANCE: u32 = 7;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Master,
    Slave,
}

/// The codes of a team, as bits with the first move lowest.
#[derive(Clone, Copy, Debug)]
struct Codes {
    master: u16,
    slave: u16,
}

impl Codes {
    /// The codes of team number `team`, far from those of the teams before it.
    fn of(team: u32) -> Codes {
        let mut chance = Chance::new(2005, &[]);
        let mut codes: Vec<u16> = Vec::new();
        // Random words are far apart often enough for a handful of teams; the bound is for the hundredth.
        for _ in 0..100_000 {
            let word = chance.bits() as u16;
            let far = codes.iter().all(|code| (code ^ word).count_ones() >= DISTANCE);
            if far && (5..=11).contains(&word.count_ones()) {
                codes.push(word);
                if codes.len() as u32 == 2 * (team + 1) {
                    break;
                }
            }
        }
        let at = |index: u32| codes[(index as usize).min(codes.len() - 1)];
        Codes { master: at(2 * team), slave: at(2 * team + 1) }
    }
}

struct Member {
    role: Role,
    codes: Codes,
    /// Who the other is; known once the codes have been exchanged.
    other: Option<Option<Role>>,
    alone: Omega,
}

impl Member {
    fn own_code(&self) -> u16 {
        match self.role {
            Role::Master => self.codes.master,
            Role::Slave => self.codes.slave,
        }
    }

    /// Reads the first moves of the other.
    fn recognize(&self, history: &History<'_>) -> Option<Role> {
        let played = (0..CODE).fold(0u16, |word, turn| {
            word | u16::from(history.other.at(turn as usize) == Some(Move::D)) << turn
        });
        let near = |code: u16| (code ^ played).count_ones() <= FORGIVEN;
        if near(self.codes.master) {
            Some(Role::Master)
        } else if near(self.codes.slave) {
            Some(Role::Slave)
        } else {
            None
        }
    }
}

impl Strategy for Member {
    fn choose(&mut self, history: &History<'_>, chance: &mut Chance) -> Move {
        // The way to play with strangers needs to see every turn.
        let alone = self.alone.choose(history, chance);
        let turn = history.turns() as u32;
        if turn < CODE {
            return Move::d_if(self.own_code() >> turn & 1 == 1);
        }
        let other = match self.other {
            Some(known) => known,
            None => *self.other.insert(self.recognize(history)),
        };
        match (self.role, other) {
            (Role::Master, Some(Role::Slave)) | (Role::Slave, Some(Role::Slave) | None) => Move::D,
            (_, Some(Role::Master)) => Move::C,
            (Role::Master, None) => alone,
        }
    }
}

/// A team of `size` players: one master and its slaves. Teams are numbered from 0 and do not know each other.
pub fn team(number: u32, size: usize) -> Vec<Entrant> {
    let codes = Codes::of(number);
    let member = |role| {
        Arc::new(move |_: &crate::Setting| -> Box<dyn Strategy> {
            Box::new(Member { role, codes, other: None, alone: Omega::default() })
        })
    };
    let name = team_name(number);
    let mut entrants = Vec::new();
    for index in 0..size {
        let (role, title) = match index {
            0 => (Role::Master, format!("{name}-master")),
            _ => (Role::Slave, format!("{name}-slave{index}")),
        };
        entrants.push(Entrant::new(title, member(role)));
    }
    entrants
}

/// `TeamA`, `TeamB`, …, `TeamZ`, `Team27`, …
fn team_name(number: u32) -> String {
    match u8::try_from(number) {
        Ok(small) if small < 26 => format!("Team{}", char::from(b'A' + small)),
        _ => format!("Team{}", number + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_teams_are_far_apart() {
        let mut codes: Vec<u16> = Vec::new();
        for team in 0..4 {
            let own = Codes::of(team);
            codes.extend([own.master, own.slave]);
        }
        for (i, one) in codes.iter().enumerate() {
            for other in &codes[..i] {
                assert!((one ^ other).count_ones() >= DISTANCE);
            }
        }
    }
}
