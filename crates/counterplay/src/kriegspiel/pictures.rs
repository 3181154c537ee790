//! Belief states and proof trees as pictures.

use counterplay_base::{Budget, Verdict};
use counterplay_belief::{Algorithm, PlanOf, Stream, solve};
use counterplay_draw::board::{self, Square};
use counterplay_draw::tree::{Look, TreeNode, tree};
use counterplay_kriegspiel::Kriegspiel;
use counterplay_kriegspiel::chess::{self, Board, Color};
use counterplay_kriegspiel::line::{Problem, Source};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// What to draw of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Picture {
    /// The board: own men, and shades where men of the other side may stand.
    Board,
    /// The proof tree.
    Tree,
}

/// A picture of a problem as SVG. `Unsolvable` if there is no mate within its depth, and so no proof tree.
pub fn picture(title: &str, problem: &Problem, picture: Picture, budget: &Budget) -> Verdict<String> {
    let world = Kriegspiel::default();
    let belief = match &problem.source {
        Source::Belief(belief) => belief.clone(),
        Source::History(root, events) => {
            Stream::<_, ChaCha8Rng>::new(&world, std::slice::from_ref(root), events, None).collect()
        }
    };
    match picture {
        Picture::Board => Verdict::Solved(belief_svg(title, &belief)),
        Picture::Tree if belief.is_empty() => Verdict::Unsolvable,
        Picture::Tree => {
            let answer = solve(&world, &belief, problem.depth, Algorithm::Auto, budget);
            answer.verdict.map(|plan| proof_svg(title, &plan))
        }
    }
}

/// The board as SVG: the men of the side to move, and shades where men of the other side may stand. Empty without positions.
pub fn belief_svg(title: &str, belief: &[Board]) -> String {
    belief.first().map_or_else(String::new, |first| board::board(title, &shades(first, belief)))
}

/// A proof tree as SVG.
pub fn proof_svg(title: &str, plan: &PlanOf<Kriegspiel>) -> String {
    tree(title, &proof_nodes(plan))
}

/// Own men, and for each square how often a man of the other side stands there.
fn shades(first: &Board, belief: &[Board]) -> Vec<Vec<Square>> {
    let letter = |color: Color, piece: chess::Piece| match color {
        Color::White => piece.letter().to_ascii_uppercase(),
        Color::Black => piece.letter(),
    };
    let square = |at: chess::Square| {
        let man = first.at(at).filter(|(color, _)| *color == first.turn());
        let mut maybe: Vec<(char, f64)> = Vec::new();
        for board in belief {
            let Some((color, piece)) = board.at(at).filter(|(color, _)| *color != first.turn()) else {
                continue;
            };
            let part = 1.0 / belief.len() as f64;
            match maybe.iter_mut().find(|(known, _)| *known == letter(color, piece)) {
                Some((_, sum)) => *sum += part,
                None => maybe.push((letter(color, piece), part)),
            }
        }
        Square { man: man.map(|(color, piece)| letter(color, piece)), maybe }
    };
    (0..first.size())
        .rev()
        .map(|rank| (0..first.size()).map(|file| square(chess::Square::new(file, rank))).collect())
        .collect()
}

/// A proof tree as nodes of a picture.
fn proof_nodes(plan: &PlanOf<Kriegspiel>) -> TreeNode {
    let mut children = Vec::new();
    for (heard, replies) in &plan.after {
        let replies = replies.iter().map(|(heard, next)| (heard.to_string(), proof_nodes(next))).collect();
        children.push((
            heard.to_string(),
            TreeNode { words: "reply".to_owned(), look: Look::Other, children: replies },
        ));
    }
    if let Some(rejected) = &plan.rejected {
        children.push(("illegal".to_owned(), proof_nodes(rejected)));
    }
    let look = if plan.after.is_empty() { Look::Won } else { Look::Own };
    TreeNode { words: plan.attempt.to_string(), look, children }
}
