//! From a problem to an answer.

use counterplay_base::{Budget, Limit};

use crate::point::Move;
use crate::problem::Problem;
use crate::search::dfpn::{Answer, Dfpn, Numbers};
use crate::search::order::Suggest;
use crate::search::{Local, Side};
use crate::zone::{Reach, Zone};

/// How good a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Without a ko.
    Clean,
    /// Only by winning a ko.
    Ko,
    /// Not at all.
    None,
}

/// How sure an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Every reply in the zone is answered.
    Proved,
    /// The replies that knowledge suggests are answered.
    Knowledge,
    /// The best guess when the search had to stop.
    Guess,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The move.
    pub action: Option<Move>,
    /// What it achieves.
    pub class: Class,
    /// How sure that is.
    pub tier: Tier,
    /// Moves tried.
    pub tried: u64,
    /// Words about the stages.
    pub log: String,
}

const ALL: usize = usize::MAX;

/// Solves a problem.
pub fn solve(problem: &Problem, nodes: u64, budget: &Budget) -> Solution {
    let side = if problem.goal.is_defence() { Side::Defender } else { Side::Attacker };
    let zone = Zone::around(&problem.board, problem.target, Reach { steps: 4, weak: 2, most: 30 });
    let mut solution =
        Solution { action: None, class: Class::None, tier: Tier::Guess, tried: 0, log: String::new() };
    let mut guess: Option<Move> = None;
    for favoured in [side.other(), side] {
        let class = if favoured == side { Class::Ko } else { Class::Clean };
        let mut local = Local::new(problem, zone.clone(), favoured);
        let stages: &[([usize; 2], u64)] = if zone.is_closed() && zone.points().len() <= 16 {
            &[([ALL, ALL], 1)]
        } else {
            &[([5, 8], 8), ([8, 12], 4), ([12, ALL], 2), ([ALL, ALL], 1)]
        };
        let mut banned = Vec::new();
        for &(width, share) in stages {
            let width = if side == Side::Attacker { width } else { [width[1], width[0]] };
            'stage: loop {
                let mut search = Dfpn::new(&mut local, Suggest::new(width), nodes / share);
                search.banned.clone_from(&banned);
                let answer = search.run(budget);
                solution.tried += search.tried;
                let best = best_move(&search.known());
                solution.log += &format!(
                    "{class:?} {width:?} {} {} {};",
                    match answer {
                        Ok(Answer::Won) => "won",
                        Ok(Answer::Lost) => "lost",
                        Err(_) => "stop",
                    },
                    best.map_or(String::new(), |m| problem.board.grid().move_name(m)),
                    search.tried
                );
                match answer {
                    Ok(Answer::Won) => {
                        let action = best.expect("a won position has a winning move");
                        if width == [ALL, ALL] {
                            solution.action = Some(action);
                            (solution.class, solution.tier) = (class, Tier::Proved);
                            return solution;
                        }
                        let own = if side == Side::Attacker { [12, ALL] } else { [ALL, 12] };
                        let mut guard = Dfpn::new(&mut local, Suggest::new(own), nodes);
                        guard.only = Some(action);
                        let guarded = guard.run(budget);
                        solution.tried += guard.tried;
                        solution.log += &format!("guard {:?} {};", guarded.is_ok(), guard.tried);
                        match guarded {
                            Ok(Answer::Won) => {
                                solution.action = Some(action);
                                (solution.class, solution.tier) = (class, Tier::Proved);
                                return solution;
                            }
                            Ok(Answer::Lost) => {
                                banned.push(action);
                                if banned.len() > 6 {
                                    break 'stage;
                                }
                            }
                            Err(_) => {
                                solution.action = Some(action);
                                (solution.class, solution.tier) = (class, Tier::Knowledge);
                                return solution;
                            }
                        }
                    }
                    Ok(Answer::Lost) => break 'stage,
                    Err(_) => {
                        guess = guess.or(best);
                        break 'stage;
                    }
                }
            }
        }
    }
    solution.action = guess;
    solution
}

fn best_move(known: &[(Move, Option<Numbers>)]) -> Option<Move> {
    known
        .iter()
        .filter_map(|(action, numbers)| numbers.map(|n| (*action, n)))
        .min_by(|(_, a), (_, b)| {
            let ratio = |n: &Numbers| f64::from(n.delta) / f64::from(n.phi.max(1));
            ratio(a).total_cmp(&ratio(b))
        })
        .map(|(action, _)| action)
}

/// The limit of nodes as a limit.
pub fn limit(nodes: u64) -> Limit {
    Limit::Nodes(nodes)
}
