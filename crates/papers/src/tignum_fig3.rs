//! Figures 3 and 4 of Smith, Nau and Throop: the decision tree of a finesse, KJ74 opposite A2.
//!
//! West is on lead at trick 3 and finesses the jack. The paper gives the tree's shape; the rest of the deal is ours. All
//! 128 divisions of the missing spades are in the information set, weighed exactly.

use bridge::belief::Beliefs;
use bridge::card::{Card, Suit};
use bridge::contract::{Contract, Strain};
use bridge::deal::Deal;
use bridge::planner::infoset::{Op, every_division};
use bridge::planner::network::DeclarerNetwork;
use bridge::planner::task::Task;
use bridge::planner::value::{Goal, Valuation};
use bridge::play::Position;
use bridge::seat::Seat;
use counterplay_draw::tree::{Look, TreeNode as Drawn, tree};
use counterplay_tasknet::agents::{PlanNode, Settings as Planning, plan};
use serde_json::json;

use super::{Product, Size};
use crate::settings::Settings;
use counterplay::Halt;

const DEAL: &str = "N:Q983.T842.T96.T3 KJ74.AQ5.K83.J52 T65.963.J752.984 A2.KJ7.AQ4.AKQ76";
/// South leads a heart to the ace; East leads a diamond to West's queen.
const PLAYED: [&str; 8] = ["H9", "H7", "H2", "HA", "D3", "D2", "DQ", "D6"];

/// Plans the finesse and shows the tree.
pub(crate) fn make(settings: &Settings, _: Size) -> Result<Product, Halt> {
    let deal = Deal::new(&DEAL.parse().expect("a layout")).expect("a deal");
    let mut position = Position::new(&deal, Contract::new(3, Strain::Notrump, Seat::East).expect("3NT"));
    for card in PLAYED {
        position.play(card.parse().expect("a card")).expect("legal");
    }
    let view = position.view();
    let beliefs = Beliefs::new(&view);
    let world = every_division(&beliefs, &view, Suit::Spades).expect("spades are missing");
    let network =
        DeclarerNetwork { tricks: 1, valuation: Valuation { goal: Goal::Tricks, vulnerable: false } };
    let jack: Card = "SJ".parse().expect("a card");
    let agenda = [Task::Finesse(jack)].into_iter().collect();
    let planned = plan(&network, world, agenda, Planning::default(), &settings.budget);
    let root = planned.plan.node().expect("a new plan has a root");
    let mut rows = Vec::new();
    walk(root, 0, &mut rows);
    let north = Seat::North;
    let queen = "SQ".parse().expect("a card");
    let exact = [
        ("EasyFinesse", beliefs.chance(north, Suit::Spades, |held| held.len() == 1 && held.has(queen))),
        ("BustedFinesse", beliefs.chance(north, Suit::Spades, |held| held.is_empty())),
    ];
    let mut text = String::from(
        "KJ74 (East, declarer) opposite A2 (West, dummy); spades QT98653 are out; West on lead at trick 3\n\n",
    );
    let mut csv = String::from("depth,what,weight,value\n");
    for (depth, what, weight, value) in &rows {
        text += &format!(
            "{}{what}{}  {value:.3} tricks\n",
            "  ".repeat(*depth),
            weight.map_or_else(String::new, |weight| format!("  {:.4} %", 100.0 * weight))
        );
        csv += &format!(
            "{depth},{what},{},{value:.6}\n",
            weight.map_or_else(String::new, |weight| format!("{weight:.9}"))
        );
    }
    text += "\nBy counting: ";
    text += &exact.map(|(name, chance)| format!("{name} {:.4} %", 100.0 * chance)).join(", ");
    text += &format!(", StandardFinesse {:.4} %\n", 100.0 * (1.0 - exact[0].1 - exact[1].1));
    let figures = json!({
        "easy": exact[0].1, "busted": exact[1].1, "standard": 1.0 - exact[0].1 - exact[1].1,
        "moves": planned.moves, "value": planned.value,
    });
    let svg = tree("Finesse: KJ74 opposite A2", &drawn(root, "LeadLow".to_owned()));
    Ok(Product { text, csv, svg: Some(svg), figures })
}

type Row = (usize, String, Option<f64>, f64);

fn op_words(op: &Op) -> String {
    match op {
        Op::Ours(card) => format!("we play {card}"),
        Op::Theirs(cards) => match (cards.lowest(), cards.len()) {
            (Some(card), 1) => format!("they play {card}"),
            (Some(card), _) if cards.of(card.suit()) == *cards => format!("they play {card} or an equal"),
            _ => "they discard".to_owned(),
        },
    }
}

/// The tree as rows with their depth.
fn walk(node: &PlanNode<DeclarerNetwork>, depth: usize, rows: &mut Vec<Row>) {
    match node {
        PlanNode::Leaf { .. } => {}
        PlanNode::Move { op, then, .. } => {
            rows.push((depth, op_words(op), None, then.value()));
            walk(then, depth + 1, rows);
        }
        PlanNode::Choice { options, chosen, .. } => {
            for (at, option) in options.iter().enumerate() {
                let mark = if at == *chosen && options.len() > 1 { " (chosen)" } else { "" };
                rows.push((depth, format!("{}{mark}", option.method.name), None, option.node.value()));
                walk(&option.node, depth + 1, rows);
            }
        }
        PlanNode::Theirs { branches, .. } => {
            for branch in branches {
                let name = branch.method.map_or("anything else", |method| method.name.as_str());
                rows.push((depth, name.to_owned(), Some(branch.weight), branch.node.value()));
                walk(&branch.node, depth + 1, rows);
            }
        }
    }
}

fn drawn(node: &PlanNode<DeclarerNetwork>, words: String) -> Drawn {
    let value = format!("{words} {:.2}", node.value());
    let (look, children) = match node {
        PlanNode::Leaf { .. } => (Look::Won, Vec::new()),
        PlanNode::Move { op, then, .. } => (Look::Own, vec![(op_words(op), drawn(then, String::new()))]),
        PlanNode::Choice { options, chosen, .. } => {
            let one = &options[*chosen];
            (Look::Own, vec![(one.method.name.to_string(), drawn(&one.node, String::new()))])
        }
        PlanNode::Theirs { branches, .. } => {
            let children = branches.iter().map(|branch| {
                let name = branch.method.map_or("other", |method| method.name.as_str());
                (format!("{name} {:.2} %", 100.0 * branch.weight), drawn(&branch.node, String::new()))
            });
            (Look::Other, children.collect())
        }
    };
    Drawn { words: value.trim().to_owned(), look, children }
}
