//! Figure 1 of Russell and Wolfe (2005): a least proof tree of a 3-ply checkmate on a board of 4 × 4.
//!
//! The drawing is not in the text of the paper, but its strategy is, move by move and announcement by announcement; these
//! positions were found by looking for all that the strategy says.

use counterplay::kriegspiel::{ProofTree, proof_svg, proof_text};
use counterplay_base::Verdict;
use counterplay_belief::{Algorithm, solve};
use counterplay_kriegspiel::chess::Board;
use counterplay_kriegspiel::{Kriegspiel, check_plan};
use serde_json::json;

use super::{Product, Size};
use crate::settings::Settings;
use counterplay::{Error, Halt};

/// Two in which a man on a3 is in the way of Qa4, and one in which Qa4 mates.
const POSITIONS: [&str; 3] =
    ["4/p3/1PBk/QK1n w - - 0 1", "1k1b/p3/1PB1/QK2 w - - 0 1", "1k2/2p1/1PBp/QK2 w - - 0 1"];

const PAPER: &str = "Paper: Qa4; if illegal, Qa3. Heard a capture on a3: after a capture on b2 Qb4, after a knight check Qxc3. \
    Heard a check as well: Qb3.";

/// Solves the problem by all algorithms; the first one's proof is shown.
pub(crate) fn make(settings: &Settings, _: Size) -> Result<Product, Halt> {
    let belief: Vec<Board> = POSITIONS.iter().map(|fen| fen.parse().expect("a sound position")).collect();
    let world = Kriegspiel::default();
    let bug = |message: String| Error::Internal { message };
    let answer = solve(&world, &belief, 3, Algorithm::GlDbu, &settings.budget);
    let plan = match answer.verdict {
        Verdict::Solved(plan) => plan,
        Verdict::Unsolvable => return Err(bug("the mate of Figure 1 was not found".to_owned()).into()),
        Verdict::Stopped(limit) => return Err(limit.into()),
    };
    let moves = check_plan(&world, &belief, &plan, 3, &settings.budget);
    let moves = moves.map_err(|flaw| bug(format!("the plan does not pass the referee: {flaw:?}")))?;
    let mut text = "Figure 1: a 3-ply checkmate on 4 x 4, three positions that may be\n\n".to_owned();
    POSITIONS.iter().for_each(|fen| text.push_str(&format!("  {fen}\n")));
    text.push_str(&format!(
        "\n{}\nThe referee followed all of it, {moves} moves.\n{PAPER}\n",
        proof_text(&plan)
    ));
    let figures = json!({"positions": POSITIONS, "proof": ProofTree::new(&plan), "moves_checked": moves});
    let csv = format!("positions,depth,moves_checked\n{},3,{moves}\n", POSITIONS.len());
    let svg = proof_svg("Figure 1: proof tree of a 3-ply checkmate", &plan);
    Ok(Product { text, csv, svg: Some(svg), figures })
}
