//! Games in GDL: random rule sheets, the network, the interpreter and all solvers against a slow twin.
//!
//! ```text
//! generate   random rule sheets
//! twin       what the rules say, from the definition
//! values     what positions are worth, from the definition
//! ```

mod claim;
mod generate;
mod twin;
mod values;

use std::collections::HashMap;
use std::sync::Arc;

use counterplay_base::{Budget, Id, Silent, Verdict};
use counterplay_check::{Scope, SolutionFlaw, check_solution, difference, own_reward};
use counterplay_gdl::Rules;
use counterplay_gdl::interpret::{self, Interpreter, TermId};
use counterplay_ggp::explicit::{self, Order};
use counterplay_ggp::play::Walker;
use counterplay_ggp::{layered, symbolic};
use counterplay_ground::game::{FluentId, Game, GameError, MoveId, Structure, ground_game, prove_structure};
use counterplay_syntax::Sources;
use rand_chacha::ChaCha8Rng;

use crate::{Area, Case, Outcome};
use claim::Claimed;
use twin::Twin;
use values::{Node, Preference, bounds, explore, is_simultaneous, values};

/// The areas of this module.
pub(super) const AREAS: &[&dyn Area] = &[&Games];

/// The twin gives up beyond so many positions.
const MOST: usize = 150;

struct Games;

/// A difference: who disagrees about what, and the details.
struct Difference {
    what: String,
    detail: String,
}

fn differ<T>(what: impl Into<String>, detail: impl Into<String>) -> Result<T, Difference> {
    Err(Difference { what: what.into(), detail: detail.into() })
}

impl Area for Games {
    fn name(&self) -> &'static str {
        "games"
    }

    fn about(&self) -> &'static str {
        "GDL: interpreter, network, explicit, symbolic and layered solver, bounds and checker against plain datalog"
    }

    fn sample(&self) -> u64 {
        1_500
    }

    fn generate(&self, rng: &mut ChaCha8Rng) -> Case {
        Case::new([("game.kif", generate::game(rng))])
    }

    fn examine(&self, case: &Case) -> Outcome {
        let text = case.text("game.kif");
        let mut twin = match Twin::new(text) {
            Ok(twin) => twin,
            Err(why) => return Outcome::Rejected(why.0),
        };
        let nodes = match explore(&mut twin, MOST) {
            Ok(Some(nodes)) => nodes,
            Ok(None) => return Outcome::Rejected("too many positions".to_owned()),
            Err(why) => return Outcome::Rejected(why.0),
        };
        let mut sources = Sources::default();
        let file = sources.add("game.kif", text);
        let rules = match counterplay_gdl::read(&sources, file) {
            Ok(rules) => rules,
            Err(errors) => {
                let detail: Vec<String> = errors.iter().map(ToString::to_string).collect();
                return Outcome::Disagreed { what: "reader: refused".to_owned(), detail: detail.join("; ") };
            }
        };
        match (Examination { twin, nodes, rules, answers: 0 }).run() {
            Ok(Some((answers, kind))) => Outcome::Agreed { answers, kind },
            Ok(None) => Outcome::Rejected("a role without moves or goals".to_owned()),
            Err(Difference { what, detail }) => Outcome::Disagreed { what, detail },
        }
    }
}

/// Everyone who answers about one game.
struct Examination {
    twin: Twin,
    nodes: Vec<Node>,
    rules: Rules,
    answers: u32,
}

impl Examination {
    fn run(mut self) -> Result<Option<(u32, &'static str)>, Difference> {
        self.interpreter()?;
        let game = match ground_game(&self.rules, &Budget::unlimited(), &Silent) {
            Ok(game) => game,
            Err(GameError::NoMoves { .. } | GameError::NoGoals { .. }) => return Ok(None),
            Err(other) => return differ("grounding: refused", other.to_string()),
        };
        self.network(&game)?;
        self.bounds(&game)?;
        let structure = match prove_structure(&game, &Budget::unlimited()) {
            Ok(structure) => structure,
            Err(limit) => return differ("structure: stopped", limit.to_string()),
        };
        let at_once = is_simultaneous(&self.nodes);
        self.structure(&game, &structure, at_once)?;
        for structure in [&structure, &Structure::unproved(&game)] {
            for (order, preference) in
                [(Order::Own, Preference::Own), (Order::Difference, Preference::Difference)]
            {
                let expected = if at_once { None } else { Some(values(&self.nodes, preference)) };
                self.explicit(&game, order, expected.as_deref())?;
                self.symbolic(&game, structure, order, expected.as_deref())?;
                self.layered(&game, structure, order, expected.as_deref())?;
            }
        }
        let kind = match (at_once, values(&self.nodes, Preference::Own)[0].is_some(), self.twin.roles.len()) {
            (true, ..) => "at once",
            (_, false, _) => "without a value",
            (_, true, 1) => "one role",
            (_, true, 2) => "two roles",
            (_, true, _) => "more roles",
        };
        Ok(Some((self.answers, kind)))
    }

    fn texts(&self, terms: impl IntoIterator<Item = twin::Term>) -> Vec<String> {
        let mut texts: Vec<String> = terms.into_iter().map(|term| self.twin.show(term)).collect();
        texts.sort();
        texts
    }

    fn place(&self, node: &Node) -> String {
        format!("in {}", self.texts(node.state.iter().copied()).join(" "))
    }

    /// The interpreter in every position.
    fn interpreter(&mut self) -> Result<(), Difference> {
        let budget = Budget::unlimited();
        let trouble = |trouble: interpret::InterpretError| Difference {
            what: "interpreter: trouble".to_owned(),
            detail: trouble.to_string(),
        };
        let mut interpreter = Interpreter::new(self.rules.clone()).map_err(trouble)?;
        let mut known: HashMap<usize, interpret::State> = HashMap::new();
        known.insert(0, interpreter.initial(&budget).map_err(trouble)?);
        for (number, node) in self.nodes.iter().enumerate() {
            let show = |interpreter: &Interpreter, terms: &[TermId]| {
                let mut texts: Vec<String> =
                    terms.iter().map(|&term| interpreter.display(term).to_lowercase()).collect();
                texts.sort();
                texts
            };
            let state = known[&number].clone();
            let fluents = show(&interpreter, state.fluents());
            if fluents != self.texts(node.state.iter().copied()) {
                return differ("interpreter: another state", format!("{} {fluents:?}", self.place(node)));
            }
            if interpreter.is_terminal(&state, &budget).map_err(trouble)? != node.is_terminal {
                return differ("interpreter: another end", self.place(node));
            }
            let mut legal = Vec::new();
            for role in 0..self.twin.roles.len() {
                let moves = interpreter.legal(&state, role, &budget).map_err(trouble)?;
                let texts = show(&interpreter, &moves);
                if texts != self.texts(node.legal[role].iter().copied()) {
                    return differ("interpreter: other moves", format!("{} {texts:?}", self.place(node)));
                }
                let goal = interpreter.goal(&state, role, &budget).map_err(trouble)?;
                if goal != node.goals[role] {
                    return differ(
                        "interpreter: another reward",
                        format!("{} {goal:?} {:?}", self.place(node), node.goals[role]),
                    );
                }
                legal.push(moves);
            }
            for (moves, next) in &node.next {
                let joint: Vec<TermId> = moves
                    .iter()
                    .zip(&legal)
                    .map(|(&own, legal)| {
                        let text = self.twin.show(own);
                        let found =
                            legal.iter().find(|&&other| interpreter.display(other).to_lowercase() == text);
                        *found.expect("the same moves")
                    })
                    .collect();
                let after = interpreter.next(&state, &joint, &budget).map_err(trouble)?;
                let texts = show(&interpreter, after.fluents());
                if texts != self.texts(self.nodes[*next].state.iter().copied()) {
                    let moves = self.texts(moves.iter().copied());
                    return differ(
                        "interpreter: another next state",
                        format!("{} by {moves:?}: {texts:?}", self.place(node)),
                    );
                }
                known.entry(*next).or_insert(after);
            }
        }
        self.answers += 1;
        Ok(())
    }

    /// The position of the network for a node; `None` if it lacks a fluent.
    fn row(&self, game: &Game, node: &Node) -> Option<Vec<u64>> {
        let mut row = vec![0u64; game.fluents.len().div_ceil(64).max(1)];
        for fluent in self.fluents(game, node)? {
            row[fluent.index() / 64] |= 1 << (fluent.index() % 64);
        }
        Some(row)
    }

    fn fluents(&self, game: &Game, node: &Node) -> Option<Vec<FluentId>> {
        let find = |&fluent: &twin::Term| {
            let text = self.twin.show(fluent);
            game.fluents.enumerate().find(|(_, name)| name.to_lowercase() == text).map(|(id, _)| id)
        };
        let mut fluents: Vec<FluentId> = node.state.iter().map(find).collect::<Option<_>>()?;
        fluents.sort_unstable();
        Some(fluents)
    }

    /// The network in every position.
    fn network(&mut self, game: &Game) -> Result<(), Difference> {
        let game = Arc::new(game.clone());
        let mut walker = Walker::new(&game);
        let number: HashMap<(usize, String), u32> = game
            .moves
            .enumerate()
            .map(|(id, own)| ((own.role.index(), own.name.to_lowercase()), id.index() as u32))
            .collect();
        for node in &self.nodes {
            let Some(row) = self.row(&game, node) else {
                return differ("network: a fluent is missing", self.place(node));
            };
            let view = walker.view(&row);
            let is_over = node.next.is_empty();
            if view.is_over != is_over {
                return differ("network: another end", self.place(node));
            }
            for role in 0..self.twin.roles.len() {
                let mut texts: Vec<String> = view.legal[role]
                    .iter()
                    .map(|&own| game.moves.as_slice()[own as usize].name.to_lowercase())
                    .collect();
                texts.sort();
                if texts != self.texts(node.legal[role].iter().copied()) {
                    return differ("network: other moves", format!("{} {texts:?}", self.place(node)));
                }
                let reward = (view.rewards[role] * 100.0).round() as u32;
                if is_over && reward != node.goals[role].unwrap_or(0) {
                    return differ("network: another reward", format!("{} {reward}", self.place(node)));
                }
            }
            for (moves, next) in &node.next {
                let joint: Vec<u32> = moves
                    .iter()
                    .enumerate()
                    .map(|(role, &own)| number[&(role, self.twin.show(own))])
                    .collect();
                let after = walker.next(&row, &joint);
                if Some(after.to_vec()) != self.row(&game, &self.nodes[*next]) {
                    let moves = self.texts(moves.iter().copied());
                    return differ(
                        "network: another next state",
                        format!("{} by {moves:?}", self.place(node)),
                    );
                }
            }
        }
        self.answers += 1;
        Ok(())
    }

    fn bounds(&mut self, game: &Game) -> Result<(), Difference> {
        let found = match explicit::bounds(game, usize::MAX, &Budget::unlimited()) {
            Verdict::Solved(found) => found,
            other => return differ("bounds: refused", other.word().to_owned()),
        };
        for (role, own) in found.roles.iter().enumerate() {
            let expected = bounds(&self.nodes, role);
            if (own.sure, own.held_to) != expected {
                return differ("bounds: others", format!("role {role}: {own:?}, twin {expected:?}"));
            }
        }
        self.answers += 1;
        Ok(())
    }

    /// What is proved about the game must hold in every position.
    fn structure(&mut self, game: &Game, structure: &Structure, at_once: bool) -> Result<(), Difference> {
        if structure.takes_turns && at_once {
            return differ("structure: turns that are none", "");
        }
        for node in &self.nodes {
            let held = self.fluents(game, node).unwrap_or_default();
            let is_wrong = |group: &&Vec<FluentId>| held.iter().filter(|own| group.contains(own)).count() > 1;
            if let Some(group) = structure.groups.iter().find(is_wrong) {
                return differ("structure: two of a group", format!("{} {group:?}", self.place(node)));
            }
            if node.next.is_empty() {
                let sum: Option<u32> = node.goals.iter().copied().sum();
                if node.is_terminal
                    && let (Some(sum), Some(proved)) = (sum, structure.constant_sum)
                    && sum != proved
                {
                    return differ("structure: another sum", format!("{} {sum} {proved}", self.place(node)));
                }
                continue;
            }
            for (role, noops) in structure.noops.enumerate() {
                let legal = self.texts(node.legal[role.index()].iter().copied());
                let is_legal = |noop: &MoveId| legal.contains(&game.moves[*noop].name.to_lowercase());
                if noops.iter().any(is_legal) && legal.len() > 1 {
                    return differ("structure: not the only move", format!("{} {legal:?}", self.place(node)));
                }
            }
        }
        self.answers += 1;
        Ok(())
    }

    /// Compares the value of every position.
    fn compare(
        &self,
        engine: &str,
        expected: &[Option<Vec<u32>>],
        mut value: impl FnMut(&Node) -> Option<Vec<u32>>,
    ) -> Result<(), Difference> {
        for (node, expected) in self.nodes.iter().zip(expected) {
            let found = value(node);
            if found != *expected {
                let detail = format!("{}: {found:?}, twin {expected:?}", self.place(node));
                return differ(format!("{engine}: another value"), detail);
            }
        }
        Ok(())
    }

    fn explicit(
        &mut self,
        game: &Game,
        order: Order,
        expected: Option<&[Option<Vec<u32>>]>,
    ) -> Result<(), Difference> {
        self.answers += 1;
        let found = explicit::solve(game, order, usize::MAX, &Budget::unlimited());
        let (solution, expected) = match (found, expected) {
            (Err(_), None) => return Ok(()),
            (Ok(Verdict::Solved(solution)), Some(expected)) => (solution, expected),
            (found, _) => return differ("explicit: refusal", format!("{:?}", found.err())),
        };
        if solution.len() != self.nodes.len() {
            return differ("explicit: states", format!("{} {}", solution.len(), self.nodes.len()));
        }
        let odd = |node: &&Node| node.next.is_empty() && node.goals.contains(&None);
        let odd = self.nodes.iter().filter(odd).count();
        if solution.odd_rewards < odd {
            return differ("explicit: odd rewards", format!("{} {odd}", solution.odd_rewards));
        }
        self.compare("explicit", expected, |node| {
            let row = self.row(game, node)?;
            solution.value(solution.find(&row)?).map(<[u32]>::to_vec)
        })?;
        // And the checker must agree.
        let likes = if order == Order::Own { own_reward } else { difference };
        let mut claim = match Claimed::new(&self.rules, game, &solution) {
            Ok(claim) => claim,
            Err(trouble) => return differ("checker: trouble", trouble.to_string()),
        };
        match check_solution(&mut claim, likes, Scope::All, &Budget::unlimited()) {
            Ok(count) if count == self.nodes.len() => Ok(()),
            Ok(count) => differ("checker: states", count.to_string()),
            Err(SolutionFlaw::Wrong { claimed, expected, .. }) => {
                differ("checker: wrong", format!("{claimed:?} {expected:?}"))
            }
            Err(other) => differ("checker: refused", format!("{other:?}")),
        }
    }

    fn symbolic(
        &mut self,
        game: &Game,
        structure: &Structure,
        order: Order,
        expected: Option<&[Option<Vec<u32>>]>,
    ) -> Result<(), Difference> {
        self.answers += 1;
        let budget = Budget::unlimited();
        let found = symbolic::solve(game, structure, order, None, &budget, &Silent);
        let (mut solution, expected) = match (found, expected) {
            (Err(symbolic::Refusal::Simultaneous(_)), None) => return Ok(()),
            (Ok(Verdict::Solved(solution)), Some(expected)) => (solution, expected),
            (found, _) => return differ("symbolic: refusal", format!("{:?}", found.err())),
        };
        let states: u128 = solution.layer_states.iter().sum();
        if solution.measure.is_none() && states != self.nodes.len() as u128 {
            return differ("symbolic: states", format!("{states} {}", self.nodes.len()));
        }
        let first = solution.value.map(|outcome| solution.outcomes[outcome].clone());
        if first != expected[0] {
            return differ("symbolic: another first value", format!("{first:?}, twin {:?}", expected[0]));
        }
        self.compare("symbolic", expected, |node| {
            let fluents = self.fluents(game, node)?;
            let outcome = solution.outcome(&fluents, node.made, None).ok()?.solved()?;
            Some(solution.outcomes[outcome].clone())
        })
    }

    fn layered(
        &mut self,
        game: &Game,
        structure: &Structure,
        order: Order,
        expected: Option<&[Option<Vec<u32>>]>,
    ) -> Result<(), Difference> {
        let found = layered::solve(game, structure, order, u64::MAX, &Budget::unlimited(), &Silent);
        let (solution, expected) = match (found, expected) {
            (
                Err(
                    layered::Refusal::NotApart
                    | layered::Refusal::Uncovered
                    | layered::Refusal::Wide { .. }
                    | layered::Refusal::Outcomes,
                ),
                _,
            ) => return Ok(()),
            (Err(layered::Refusal::Simultaneous(_)), None) => {
                self.answers += 1;
                return Ok(());
            }
            (Ok(Verdict::Solved(solution)), Some(expected)) => (solution, expected),
            (found, _) => return differ("layered: refusal", format!("{:?}", found.err())),
        };
        self.answers += 1;
        let states: u64 = solution.layer_states.iter().sum();
        if states != self.nodes.len() as u64 {
            return differ("layered: states", format!("{states} {}", self.nodes.len()));
        }
        self.compare("layered", expected, |node| {
            let fluents = self.fluents(game, node)?;
            let outcome = solution.outcome(&fluents, node.made)?;
            Some(solution.outcomes[outcome].clone())
        })
    }
}
