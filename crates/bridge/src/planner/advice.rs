//! A plan for people: the line of play, how it is valued, and what else was considered.

use counterplay_tasknet::agents::PlanNode;

use crate::card::Card;
use crate::planner::explain;
use crate::planner::infoset::Op;
use crate::planner::network::DeclarerNetwork;
use crate::planner::task::Method;

/// A card that the schemes offer.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub card: Card,
    /// What its best line is worth.
    pub value: f64,
    /// The methods of that line up to the card.
    pub methods: Vec<Method>,
}

/// A card that was considered, for people.
#[derive(Clone, Debug, PartialEq)]
pub struct AdvisedCard {
    pub card: Card,
    /// What it is for.
    pub why: String,
    /// The mean score that the schemes expect.
    pub score: f64,
    /// The schemes' valuation of making the contract. It is no chance: see [`crate::chance`].
    pub valuation: f64,
    /// The mean score by search; `None` where nothing was searched.
    pub searched: Option<f64>,
}

/// What to do and why.
#[derive(Clone, Debug)]
pub struct Advice {
    /// The card to play now.
    pub card: Card,
    /// Why, in a sentence.
    pub why: String,
    /// The mean score that the plan expects.
    pub score: f64,
    /// The planner's own valuation of making the contract with this card. It is no chance: see [`crate::chance`].
    pub valuation: f64,
    /// The line of play, as long as the defenders do what is most likely.
    pub line: Vec<String>,
    /// The cards that were considered, the best first.
    pub considered: Vec<AdvisedCard>,
    /// Operations in the decision tree, and positions of double-dummy search.
    pub moves: u64,
    /// How many layouts were considered, and whether these are all.
    pub layouts: (usize, bool),
}

/// The first cards of a tree's lines, each with its best line; the best first.
pub(crate) fn candidates(root: &PlanNode<DeclarerNetwork>) -> Vec<Candidate> {
    let mut found = Vec::new();
    collect(root, &mut Vec::new(), &mut found);
    found.sort_by(|a, b| b.value.total_cmp(&a.value));
    found
}

fn collect(node: &PlanNode<DeclarerNetwork>, methods: &mut Vec<Method>, found: &mut Vec<Candidate>) {
    match node {
        PlanNode::Choice { options, .. } => {
            for option in options {
                methods.push(option.method);
                collect(&option.node, methods, found);
                methods.pop();
            }
        }
        PlanNode::Move { op: Op::Ours(card), then, .. } => {
            let candidate = Candidate { card: *card, value: then.value(), methods: methods.clone() };
            match found.iter_mut().find(|known| known.card == *card) {
                Some(known) if known.value >= candidate.value => {}
                Some(known) => *known = candidate,
                None => found.push(candidate),
            }
        }
        _ => {}
    }
}

/// The card that a plan begins with.
pub(crate) fn first_card(root: &PlanNode<DeclarerNetwork>) -> Option<Card> {
    let mut node = root;
    while let PlanNode::Choice { options, chosen, .. } = node {
        node = &options.get(*chosen)?.node;
    }
    match node {
        PlanNode::Move { op: Op::Ours(card), .. } => Some(*card),
        _ => None,
    }
}

/// The best value of the lines below a node that begin with `card`.
fn value_of(node: &PlanNode<DeclarerNetwork>, card: Card) -> Option<f64> {
    match node {
        PlanNode::Choice { options, .. } => {
            options.iter().filter_map(|option| value_of(&option.node, card)).max_by(f64::total_cmp)
        }
        PlanNode::Move { op: Op::Ours(played), then, .. } if *played == card => Some(then.value()),
        _ => None,
    }
}

/// The line that begins with `first`: follows the most likely branches down the tree, a text a card.
pub(crate) fn tell(root: &PlanNode<DeclarerNetwork>, first: Card) -> Vec<String> {
    let mut line = Vec::new();
    let mut node = root;
    let mut methods: Vec<Method> = Vec::new();
    let mut theirs: Option<(Method, f64)> = None;
    loop {
        match node {
            PlanNode::Leaf { .. } => return line,
            PlanNode::Choice { options, chosen, .. } => {
                let rated = options
                    .iter()
                    .enumerate()
                    .filter_map(|(at, option)| Some((at, value_of(&option.node, first)?)));
                let best = rated.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|_| line.is_empty());
                let option = &options[best.map_or(*chosen, |(at, _)| at)];
                methods.push(option.method);
                node = &option.node;
            }
            PlanNode::Theirs { branches, .. } => {
                let Some(branch) = branches.iter().max_by(|a, b| a.weight.total_cmp(&b.weight)) else {
                    return line;
                };
                theirs = branch
                    .method
                    .map(|method| (method, theirs.map_or(1.0, |(_, weight)| weight) * branch.weight));
                node = &branch.node;
            }
            PlanNode::Move { op, then, .. } => {
                match op {
                    Op::Ours(card) => {
                        let why = explain::sentence(&methods);
                        line.push(if why.is_empty() {
                            format!("play {card}")
                        } else {
                            format!("{card}: {why}")
                        });
                        methods.clear();
                    }
                    Op::Theirs(cards) => {
                        let (did, weight) = theirs
                            .take()
                            .map_or(("follows", 1.0), |(method, weight)| (explain::deed(&method), weight));
                        let suit = cards.lowest().map_or("", |card| card.suit().name());
                        line.push(format!("    they play {suit}: {did} ({:.0} %)", 100.0 * weight));
                    }
                }
                node = then;
            }
        }
    }
}
