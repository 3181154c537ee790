//! Proofs as SGF: one game for each claim, with the tree that proves it.
//!
//! Any viewer shows them. The root has the position (`AB`, `AW`), the colour to move (`PL`), a stone of the target (`MA`) and the region (`SL`); its comment
//! says what is claimed:
//!
//! ```text
//! counterplay go 1
//! result clean                        or: ko, seki, none
//! claim attacker defender capture     who wins, who is favoured in kos, and the stake: capture or eyes
//! suicide forbidden                   or: several
//! ```
//! Below are the moves: where the winner is to move, his answer; where the other side is, every move in the region. A node without moves is decided, or its
//! position has been dealt with elsewhere in the tree.

use counterplay_base::{Budget, Limit};
use sgf_parse::SgfNode;
use sgf_parse::go::{self, Prop};

use crate::board::Suicide;
use crate::claim::Claim;
use crate::point::{Color, Grid, Move, Point};
use crate::problem::Problem;
use crate::record::{node, point_list, set_up};
use crate::search::{Side, Stake};
use crate::sgf::{self, SgfError};
use crate::solve::{Class, Solution};
use crate::tree::Step;
use crate::verify::{Flaw, verify_claims};

/// How comments of such games begin.
const FORMAT: &str = "counterplay go 1";

/// A proof from a file: the problem, and what is claimed about it.
#[derive(Clone, Debug)]
pub struct GoProof {
    /// The position and the question.
    pub problem: Problem,
    /// What is achieved; `None` for no success.
    pub class: Option<Class>,
    /// The first move of the success.
    pub action: Option<Move>,
    region: Vec<Point>,
    claims: Vec<Claim>,
}

/// Why a file is no proof, or was not understood.
#[derive(Debug, thiserror::Error)]
pub enum GoProofError {
    /// The file is no SGF that can be read.
    #[error("{0}")]
    Sgf(#[from] SgfError),
    /// A game of it, counted from 1, is not as it should be.
    #[error("game {game}: {why}")]
    Game {
        /// Which one.
        game: usize,
        /// What is wrong.
        why: String,
    },
    /// A limit came first.
    #[error("{0}")]
    Stopped(Limit),
}

/// What a move of a file takes in memory until the proof is replayed, as measured on a million of them.
const BYTES_PER_MOVE: usize = 650;

/// Whether a text is such a file.
pub fn is_go_proof(text: &str) -> bool {
    text.trim_start().starts_with('(') && text.contains(FORMAT)
}

/// The proof of a solution as SGF; why there is none otherwise.
pub fn to_certificate(problem: &Problem, solution: &Solution) -> Result<String, &'static str> {
    if !solution.is_proof() {
        return Err("nothing is proved");
    }
    if problem.goal.friend().is_some() {
        return Err("proofs that strings are joined have no file of this kind");
    }
    if problem.board.ko().is_some() {
        return Err("positions with a ko that cannot be retaken have no file of this kind");
    }
    if solution.claims.iter().any(|claim| !claim.complete) {
        return Err("the tree is too long to be written in full");
    }
    let grid = problem.board.grid();
    let result = solution.class().map_or("none", Class::word);
    let games = solution.claims.iter().map(|claim| {
        let suicide = if problem.board.suicide() == Suicide::OfSeveral { "several" } else { "forbidden" };
        let (winner, favoured) = (side_word(claim.winner), side_word(claim.favoured));
        let stake = if claim.stake == Stake::Eyes { "eyes" } else { "capture" };
        let words =
            format!("{FORMAT}\nresult {result}\nclaim {winner} {favoured} {stake}\nsuicide {suicide}\n");
        let mut properties = set_up(problem);
        properties.push(point_list("SL", grid, &solution.region.points));
        properties.push(Prop::C(words.as_str().into()));
        let mut left = usize::MAX;
        let children = claim.tree.iter().map(|step| node(grid, step, &mut left)).collect();
        SgfNode::new(properties, children, true)
    });
    Ok(games.map(|game| game.serialize() + "\n").collect())
}

fn side_word(side: Side) -> &'static str {
    match side {
        Side::Attacker => "attacker",
        Side::Defender => "defender",
    }
}

/// Reads a file.
///
/// # Errors
/// What is wrong with it, or the limit on memory: the parser of SGF knows none, so it is asked before.
pub fn read_go_proof(text: &str, budget: &Budget) -> Result<GoProof, GoProofError> {
    sgf::measure(text)?;
    let moves = text.bytes().filter(|&c| c == b';').count();
    budget.allow_bytes(moves.saturating_mul(BYTES_PER_MOVE)).map_err(GoProofError::Stopped)?;
    let games = sgf::read(text)?;
    let mut proof: Option<GoProof> = None;
    for (number, root) in (1..).zip(&games) {
        let wrong = |why: &str| GoProofError::Game { game: number, why: why.to_owned() };
        let (result, claim, suicide) = said(root).ok_or_else(|| {
            wrong(
                "its comment does not say result, claim and suicide in this order, or is of another version",
            )
        })?;
        let (problem, region) = question(root, suicide).map_err(|error| match error {
            GoProofError::Game { why, .. } => wrong(&why),
            other => other,
        })?;
        let grid = problem.board.grid();
        let tree = root.children().map(|child| steps(grid, child)).collect::<Result<Vec<_>, _>>()?;
        let (winner, favoured, stake) = claim;
        let claim = Claim { winner, favoured, stake, tree, complete: true };
        match &mut proof {
            None => {
                proof = Some(GoProof { problem, class: result, action: None, region, claims: vec![claim] })
            }
            Some(first) => {
                if !is_same(&first.problem, &problem) || first.region != region || first.class != result {
                    return Err(wrong("it is about another position, region or result than the first"));
                }
                first.claims.push(claim);
            }
        }
    }
    let mut proof = proof.ok_or(GoProofError::Game { game: 1, why: "there is none".to_owned() })?;
    if proof.class.is_some() {
        proof.action = proof.claims[0].tree.first().map(|step| step.action);
        if proof.action.is_none() {
            return Err(GoProofError::Game { game: 1, why: "there is no first move".to_owned() });
        }
    }
    Ok(proof)
}

impl GoProof {
    /// Replays the proof by the slow rules; `false` if it is too long for them.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn verify(&self, budget: &Budget) -> Result<bool, Flaw> {
        let success = self.action.zip(self.class);
        verify_claims(&self.problem, success, &self.region, &self.claims, budget)
    }

    /// Whether it is about this problem.
    pub fn is_about(&self, problem: &Problem) -> bool {
        is_same(&self.problem, problem)
    }

    /// Moves in all its trees.
    pub fn moves(&self) -> usize {
        self.claims.iter().flat_map(|claim| &claim.tree).map(Step::len).sum()
    }

    /// Points of the region.
    pub fn region(&self) -> usize {
        self.region.len()
    }
}

/// The same stones, the same colour to move, the same group and the same wish.
fn is_same(one: &Problem, other: &Problem) -> bool {
    let (grid, others) = (one.board.grid(), other.board.grid());
    (grid.width(), grid.height()) == (others.width(), others.height())
        && grid.points().all(|p| one.board.cell(p) == other.board.cell(p))
        && (one.to_move, one.goal) == (other.to_move, other.goal)
        && one.board.head(one.target) == one.board.head(other.target)
}

type ClaimWords = (Side, Side, Stake);

/// What a root says.
fn said(root: &SgfNode<Prop>) -> Option<(Option<Class>, ClaimWords, Suicide)> {
    let Some(Prop::C(words)) = root.get_property("C") else { return None };
    let mut lines = words.text.lines();
    if lines.next()? != FORMAT {
        return None;
    }
    let result = lines.next()?.strip_prefix("result ")?;
    let classes = [Class::Clean, Class::Ko, Class::Seki];
    let class = match result {
        "none" => None,
        word => Some(classes.into_iter().find(|class| class.word() == word)?),
    };
    let claim: Vec<&str> = lines.next()?.strip_prefix("claim ")?.split(' ').collect();
    let side =
        |word: &str| [Side::Attacker, Side::Defender].into_iter().find(|&side| side_word(side) == word);
    let [winner, favoured, stake] = claim[..] else { return None };
    let stake = match stake {
        "capture" => Stake::Capture,
        "eyes" => Stake::Eyes,
        _ => return None,
    };
    let suicide = match lines.next()?.strip_prefix("suicide ")? {
        "forbidden" => Suicide::default(),
        "several" => Suicide::OfSeveral,
        _ => return None,
    };
    lines.next().is_none().then_some((class, (side(winner)?, side(favoured)?, stake), suicide))
}

/// The problem and the region of a root.
fn question(root: &SgfNode<Prop>, suicide: Suicide) -> Result<(Problem, Vec<Point>), GoProofError> {
    let wrong = |why: &str| GoProofError::Game { game: 0, why: why.to_owned() };
    let board = sgf::set_up(root)?.under(suicide);
    let grid = board.grid();
    let to_move = match root.get_property("PL") {
        Some(Prop::PL(sgf_parse::Color::Black)) => Color::Black,
        Some(Prop::PL(sgf_parse::Color::White)) => Color::White,
        _ => return Err(wrong("it does not say who is to move (PL)")),
    };
    let place = |at: &go::Point| grid.point(at.x.into(), at.y.into());
    let target = match root.get_property("MA") {
        Some(Prop::MA(points)) if points.len() == 1 => points.iter().next().and_then(place),
        _ => None,
    };
    let target = target.ok_or_else(|| wrong("it does not mark one stone (MA)"))?;
    let problem =
        Problem::about(board, to_move, target).ok_or_else(|| wrong("no stone is where it is marked"))?;
    let region = match root.get_property("SL") {
        Some(Prop::SL(points)) => points.iter().map(place).collect::<Option<Vec<Point>>>(),
        _ => None,
    };
    let mut region = region.ok_or_else(|| wrong("it does not tell the region (SL)"))?;
    region.sort_unstable();
    Ok((problem, region))
}

/// The moves from a node on.
fn steps(grid: Grid, at: &SgfNode<Prop>) -> Result<Step, GoProofError> {
    let Some((color, action)) = sgf::node_move(grid, at)? else {
        return Err(GoProofError::Game { game: 1, why: "a node has no move".to_owned() });
    };
    let replies = at.children().map(|child| steps(grid, child)).collect::<Result<_, _>>()?;
    Ok(Step { color, action, wins: None, why: Vec::new(), replies })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::{Options, solve};

    #[test]
    fn proofs_are_replayed_from_their_files_and_damage_is_noticed() {
        let text = "(;SZ[7]PL[B]AW[ab][bb][cb][db][da]AB[ac][bc][cc][dc][ec][eb][ea]MA[bb])";
        let problem = sgf::read_problem(text, 0).expect("it is one").problem;
        let budget = Budget::unlimited();
        let solution = solve(&problem, &Options::default(), &budget);
        let certificate = to_certificate(&problem, &solution).expect("it is proved");
        assert!(is_go_proof(&certificate));
        assert_eq!(
            to_certificate(&problem, &solve(&problem, &Options::default(), &budget)),
            Ok(certificate.clone())
        );
        assert!(certificate.contains("AW[da][ab][bb][cb][db]"), "{certificate}");
        let proof = read_go_proof(&certificate, &budget).expect("it was written");
        assert_eq!(proof.verify(&budget), Ok(true));
        assert!(proof.is_about(&problem) && proof.class == Some(Class::Clean));
        let check =
            |text: &str| read_go_proof(text, &budget).map(|proof| proof.verify(&budget)).map_err(|_| ());
        for (from, to) in [
            ("result clean", "result ko"),
            ("result clean", "result none"),
            ("claim attacker defender capture", "claim defender attacker capture"),
            ("claim attacker defender capture", "claim attacker attacker capture"),
            ("PL[B]", "PL[W]"),
            ("MA[bb]", "MA[bc]"),
            ("AB[", "AB[gg]AB["),
        ] {
            let damaged = certificate.replacen(from, to, 1);
            assert_ne!(damaged, certificate, "{from}");
            let outcome = check(&damaged);
            // A stone far away changes nothing about what is proved.
            assert!(from == "AB[" || outcome != Ok(Ok(true)), "{from}: {outcome:?}");
        }
        // The first move elsewhere.
        let first = certificate.find(";B[").expect("Black moves first");
        let moved = certificate[..first].to_owned() + &certificate[first..].replacen(";B[ba]", ";B[ca]", 1);
        assert_ne!(check(&moved), Ok(Ok(true)));
        assert!(check(&certificate[..certificate.len() / 2]).is_err());
        assert!(check("(;C[counterplay go 1])").is_err());
    }
}
