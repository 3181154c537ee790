//! A plan for people: the line of play, how it is valued, and what else was considered.

use counterplay_base::Budget;
use counterplay_tasknet::agents::{Criterion, PlanNode, Settings, plan};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::belief::evidence::{Trust, sample};
use crate::belief::{Beliefs, HandBounds};
use crate::card::Card;
use crate::planner::explain;
use crate::planner::infoset::{InfoSet, Op};
use crate::planner::network::DeclarerNetwork;
use crate::planner::task::{Method, Task};
use crate::planner::value::{Goal, Valuation};
use crate::play::PlayerView;

/// How a plan is made.
#[derive(Clone, Copy, Debug)]
pub struct AdviceRequest {
    /// The most layouts of the unseen cards that are considered.
    pub layouts: usize,
    /// Tricks that the plan covers.
    pub tricks: u8,
    /// Conclusions from the defenders' cards.
    pub trust: Trust,
    /// What the auction told, by seat.
    pub bounds: [HandBounds; 4],
    /// How the defenders' possible plays are valued together.
    pub criterion: Criterion,
    /// Whether declarer's side is vulnerable.
    pub vulnerable: bool,
    /// The seed of the layouts that are drawn.
    pub seed: u64,
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
    /// The cards that were considered: each with what it is for, the mean score and the planner's valuation of making.
    pub considered: Vec<(Card, String, f64, f64)>,
    /// Operations in the decision tree.
    pub moves: u64,
    /// How many layouts were considered, and whether these are all.
    pub layouts: (usize, bool),
}

/// Advice for the moment; `None` if no layout agrees with what was seen or there is nothing to decide.
pub fn advise(
    view: &PlayerView,
    history: &[Card],
    inquiry: AdviceRequest,
    budget: &Budget,
) -> Option<Advice> {
    let beliefs = Beliefs::credible(view, inquiry.bounds);
    let mut rng = Pcg64Mcg::seed_from_u64(inquiry.seed);
    let sample = sample(&beliefs, view, history, inquiry.trust, inquiry.layouts, &mut rng);
    let layouts = (sample.layouts.len(), sample.complete);
    let world = InfoSet::new(sample.layouts)?;
    let settings = Settings { criterion: inquiry.criterion, ..Settings::default() };
    let make = |goal| {
        let valuation = Valuation { vulnerable: inquiry.vulnerable, goal };
        let network = DeclarerNetwork { tricks: inquiry.tricks, valuation };
        plan(&network, world.clone(), [Task::Everything].into_iter().collect(), settings, budget)
    };
    let by_score = make(Goal::Score);
    let by_chance = make(Goal::Contract);
    let root = by_score.plan.node()?;
    let mut scored = Vec::new();
    let mut valuations = Vec::new();
    collect(root, &mut Vec::new(), &mut scored);
    collect(by_chance.plan.node()?, &mut Vec::new(), &mut valuations);
    let valuation_of =
        |card| valuations.iter().find(|(known, ..)| *known == card).map_or(0.0, |&(_, _, value)| value);
    let mut considered: Vec<(Card, String, f64, f64)> = scored
        .iter()
        .map(|(card, methods, value)| (*card, explain::sentence(methods), *value, valuation_of(*card)))
        .collect();
    considered.sort_by(|a, b| b.2.total_cmp(&a.2));
    let mut line = Vec::new();
    tell(root, &mut line);
    let mut plan = by_score.plan;
    let (op, methods) = plan.advance()?;
    let Op::Ours(card) = op else { return None };
    Some(Advice {
        card,
        why: explain::sentence(&methods),
        score: by_score.value,
        valuation: valuation_of(card),
        line,
        considered,
        moves: by_score.moves,
        layouts,
    })
}

/// The first cards of a tree's lines with the methods of the best line for each.
fn collect(
    node: &PlanNode<DeclarerNetwork>,
    methods: &mut Vec<Method>,
    found: &mut Vec<(Card, Vec<Method>, f64)>,
) {
    match node {
        PlanNode::Choice { options, .. } => {
            for option in options {
                methods.push(option.method);
                collect(&option.node, methods, found);
                methods.pop();
            }
        }
        PlanNode::Move { op: Op::Ours(card), then, .. } => {
            let value = then.value();
            match found.iter_mut().find(|(known, ..)| known == card) {
                Some(known) if known.2 >= value => {}
                Some(known) => *known = (*card, methods.clone(), value),
                None => found.push((*card, methods.clone(), value)),
            }
        }
        _ => {}
    }
}

/// Follows the most likely branches down the tree, a line a card.
fn tell(root: &PlanNode<DeclarerNetwork>, line: &mut Vec<String>) {
    let mut node = root;
    let mut methods: Vec<Method> = Vec::new();
    let mut theirs: Option<(Method, f64)> = None;
    loop {
        match node {
            PlanNode::Leaf { .. } => return,
            PlanNode::Choice { options, chosen, .. } => {
                methods.push(options[*chosen].method);
                node = &options[*chosen].node;
            }
            PlanNode::Theirs { branches, .. } => {
                let Some(branch) = branches.iter().max_by(|a, b| a.weight.total_cmp(&b.weight)) else {
                    return;
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
