//! Symmetries of a game: ways of exchanging fluents and moves that change neither the rules nor the beginning.
//!
//! Candidates come from refining colours: two atoms can be exchanged only if they are used in the same way by rules
//! whose other atoms have the same colours. One atom after the other is held fast or sent to another one of its colour,
//! until every atom has a colour of its own (the scheme of McKay's nauty, without its pruning). A candidate counts only
//! if it is *checked*: each rule becomes a rule, rewards, end, legality and next state become themselves, each role keeps
//! its moves. If the network as it is has none, it is looked at once more without auxiliary atoms (`unfold`), where splitting rules has hidden
//! nothing. The states that a group of symmetries exchanges are an orbit, and all states of an orbit have the same value.

use std::hash::{Hash, Hasher};

use counterplay_base::{Budget, BudgetPoll, Id, IdVec, Limit};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::model::{AtomId, FluentId, Game, Literal, Signal};
use super::unfold::unfolded;

/// A symmetry: where each fluent goes.
pub type Symmetry = IdVec<FluentId, FluentId>;

/// So often atoms are sent to another one before giving up.
const MOST_TRIES: usize = 2_000;
/// Larger networks than this are not looked at: atoms and literals.
const MOST_SIZE: usize = 2_000_000;

/// A group of symmetries that keep the beginning and the fluents of `fixed`: at most so many, the one that changes
/// nothing first. If there are more, a smaller group of them is returned.
pub fn symmetries(
    game: &Game,
    fixed: &[FluentId],
    most: usize,
    budget: &Budget,
) -> Result<Vec<Symmetry>, Limit> {
    let found = symmetries_of(game, fixed, most, budget)?;
    if found.len() > 1 {
        return Ok(found);
    }
    match unfolded(game, budget)? {
        Some(game) => symmetries_of(&game, fixed, most, budget),
        None => Ok(found),
    }
}

/// Symmetries of a network as it is.
fn symmetries_of(
    game: &Game,
    fixed: &[FluentId],
    most: usize,
    budget: &Budget,
) -> Result<Vec<Symmetry>, Limit> {
    let identity: Vec<u32> = (0..game.atoms as u32).collect();
    let size = game.atoms + game.bodies.iter().map(<[Literal]>::len).sum::<usize>();
    let mut group = vec![identity];
    if size <= MOST_SIZE {
        let mut search = SymmetrySearch { graph: Graph::new(game, fixed), tries: 0, budget };
        let colours = search.graph.refine(search.graph.first.clone(), budget)?;
        for generator in search.generators(&colours)? {
            if !group.contains(&generator)
                && let Some(larger) = closed(&group, &generator, most)
            {
                group = larger;
            }
        }
    }
    let fluents =
        |all: &Vec<u32>| (0..game.fluents.len()).map(|at| FluentId::new(all[at] as usize)).collect();
    let mut found: Vec<Symmetry> = Vec::new();
    for own in group.iter().map(fluents) {
        if !found.contains(&own) {
            found.push(own);
        }
    }
    Ok(found)
}

/// The group that one more symmetry makes; `None` if it has more than so many.
fn closed(group: &[Vec<u32>], generator: &[u32], most: usize) -> Option<Vec<Vec<u32>>> {
    let mut generators: Vec<Vec<u32>> = group[1..].to_vec();
    generators.push(generator.to_vec());
    let mut all = vec![group[0].clone()];
    let mut known: FxHashSet<Vec<u32>> = all.iter().cloned().collect();
    let mut next = 0;
    while next < all.len() {
        for generator in &generators {
            let product: Vec<u32> = all[next].iter().map(|&at| generator[at as usize]).collect();
            if known.insert(product.clone()) {
                all.push(product);
                if all.len() > most {
                    return None;
                }
            }
        }
        next += 1;
    }
    Some(all)
}

/// Atoms and rules as nodes, and how they are connected.
struct Graph<'g> {
    game: &'g Game,
    /// For each node its neighbours, with the kind of the connection.
    near: Vec<Vec<(u32, u32)>>,
    /// Colours by what an atom is.
    first: Vec<u64>,
    rules: FxHashSet<(AtomId, Vec<Literal>)>,
}

/// What connects two nodes; the other direction is one more.
const HEAD: u32 = 0;
const BODY: u32 = 2;
const NEGATED: u32 = 4;
const NEXT: u32 = 6;
const LEGAL: u32 = 10;

fn mix(parts: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    parts.hash(&mut hasher);
    // A last turn, so that sums of such numbers are not sums of what went in.
    hasher.finish().wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31)
}

impl<'g> Graph<'g> {
    fn new(game: &'g Game, fixed: &[FluentId]) -> Graph<'g> {
        let rules = game.heads.len();
        let mut near = vec![Vec::new(); game.atoms + rules];
        let mut connect = |from: usize, to: usize, kind: u32| {
            near[from].push((kind, to as u32));
            near[to].push((kind + 1, from as u32));
        };
        let mut rule_set = FxHashSet::default();
        for (rule, &head) in game.heads.enumerate() {
            let at = game.atoms + rule.index();
            connect(at, head.index(), HEAD);
            for literal in &game.bodies[rule] {
                connect(at, literal.atom().index(), if literal.is_positive() { BODY } else { NEGATED });
            }
            rule_set.insert((head, sorted(game.bodies[rule].to_vec())));
        }
        let mut marks: Vec<Vec<(u32, u32, u32)>> = vec![Vec::new(); game.atoms];
        let mut mark = |signal: Signal, what: (u32, u32)| {
            if let Signal::Literal(literal) = signal {
                marks[literal.atom().index()].push((what.0, what.1, literal.code() & 1));
            }
        };
        mark(game.terminal, (1, 0));
        for goal in &game.goals {
            mark(goal.when, (2 + goal.role.index() as u32, goal.value));
        }
        let results = game.next.enumerate().map(|(fluent, &signal)| (game.fluent(fluent), signal, NEXT));
        let legal = game.legal.enumerate().map(|(id, &signal)| (game.does(id), signal, LEGAL));
        let mut constant = vec![0u32; game.atoms];
        for (atom, signal, kind) in results.chain(legal) {
            match signal {
                Signal::Constant(value) => constant[atom.index()] = 1 + u32::from(value),
                Signal::Literal(literal) => {
                    let sign = if literal.is_positive() { 0 } else { 2 };
                    connect(atom.index(), literal.atom().index(), kind + sign);
                }
            }
        }
        let mut first: Vec<u64> = Vec::with_capacity(near.len());
        for (atom, marks) in marks.iter_mut().enumerate() {
            marks.sort_unstable();
            let kind = match atom.checked_sub(game.fluents.len()) {
                None => 0,
                Some(at) if at < game.moves.len() => 1 + game.moves.as_slice()[at].role.index() as u32,
                Some(_) => u32::MAX,
            };
            let fluent = (kind == 0).then(|| FluentId::new(atom));
            let begins = fluent.is_some_and(|fluent| game.initial.contains(&fluent));
            let held = fluent.filter(|fluent| fixed.contains(fluent)).map(Id::index);
            first.push(mix(&(kind, begins, held, constant[atom], &*marks)));
        }
        first.resize(near.len(), mix(&"rule"));
        Graph { game, near, first, rules: rule_set }
    }

    /// Colours that tell nodes apart by the colours around them, until nothing changes.
    fn refine(&self, mut colours: Vec<u64>, budget: &Budget) -> Result<Vec<u64>, Limit> {
        let count = |colours: &[u64]| colours.iter().collect::<FxHashSet<_>>().len();
        let mut before = count(&colours);
        loop {
            budget.check()?;
            let around = |(at, near): (usize, &Vec<(u32, u32)>)| {
                let sum = near.iter().map(|&(kind, to)| mix(&(kind, colours[to as usize])));
                mix(&(colours[at], sum.fold(0u64, u64::wrapping_add)))
            };
            let next: Vec<u64> = self.near.iter().enumerate().map(around).collect();
            colours = next;
            let after = count(&colours);
            if after == before {
                return Ok(colours);
            }
            before = after;
        }
    }

    /// Whether a way of exchanging atoms is a symmetry.
    fn is_symmetry(&self, to: &[u32]) -> bool {
        let game = self.game;
        let literal =
            |own: Literal| Literal::new(AtomId::new(to[own.atom().index()] as usize), own.is_positive());
        let signal = |own: Signal| match own {
            Signal::Literal(own) => Signal::Literal(literal(own)),
            constant => constant,
        };
        let fluents = game.fluents.len();
        let moves = game.moves.len();
        let keeps_kinds = to.iter().enumerate().all(|(from, &to)| {
            let to = to as usize;
            match from.checked_sub(fluents) {
                None => to < fluents,
                Some(at) if at < moves => {
                    let role = |at: usize| game.moves.as_slice()[at].role;
                    (fluents..fluents + moves).contains(&to) && role(at) == role(to - fluents)
                }
                Some(_) => to >= fluents + moves,
            }
        });
        let distinct = to.iter().collect::<FxHashSet<_>>().len() == to.len();
        keeps_kinds
            && distinct
            && game.initial.iter().all(|own| game.initial.contains(&FluentId::new(to[own.index()] as usize)))
            && game
                .next
                .enumerate()
                .all(|(own, &is)| game.next[FluentId::new(to[own.index()] as usize)] == signal(is))
            && game.legal.enumerate().all(|(own, &is)| {
                let other = to[fluents + own.index()] as usize - fluents;
                game.legal.as_slice()[other] == signal(is)
            })
            && signal(game.terminal) == game.terminal
            && game.goals.iter().all(|goal| {
                let moved = signal(goal.when);
                game.goals
                    .iter()
                    .any(|own| own.role == goal.role && own.value == goal.value && own.when == moved)
            })
            && game.heads.enumerate().all(|(rule, head)| {
                let body = sorted(game.bodies[rule].iter().map(|&own| literal(own)).collect());
                self.rules.contains(&(AtomId::new(to[head.index()] as usize), body))
            })
    }
}

fn sorted(mut body: Vec<Literal>) -> Vec<Literal> {
    body.sort_unstable();
    body.dedup();
    body
}

struct SymmetrySearch<'g> {
    graph: Graph<'g>,
    tries: usize,
    budget: &'g Budget,
}

impl SymmetrySearch<'_> {
    /// Symmetries that all others are made of, as far as the tries go: for one atom after the other, held fast in the end,
    /// one symmetry for each place that it can go to.
    fn generators(&mut self, colours: &[u64]) -> Result<Vec<Vec<u32>>, Limit> {
        let mut found = Vec::new();
        let mut colours = colours.to_vec();
        while let Some(class) = self.smallest(&colours) {
            let base = class[0];
            for &other in &class[1..] {
                let both = [self.coloured(&colours, base)?, self.coloured(&colours, other)?];
                found.extend(self.complete(&both[0], &both[1])?);
                if self.tries > MOST_TRIES {
                    return Ok(found);
                }
            }
            colours = self.coloured(&colours, base)?;
        }
        Ok(found)
    }

    /// The smallest set of atoms that share a colour, fluents before others.
    fn smallest(&self, colours: &[u64]) -> Option<Vec<usize>> {
        let mut classes: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        for (atom, &colour) in colours[..self.graph.game.atoms].iter().enumerate() {
            classes.entry(colour).or_default().push(atom);
        }
        let several = classes.into_values().filter(|class| class.len() > 1);
        several.min_by_key(|class| (class[0] >= self.graph.game.fluents.len(), class.len(), class[0]))
    }

    /// Colours after one atom got its own.
    fn coloured(&mut self, colours: &[u64], atom: usize) -> Result<Vec<u64>, Limit> {
        self.tries += 1;
        let mut own = colours.to_vec();
        own[atom] = mix(&(own[atom], "held"));
        self.graph.refine(own, self.budget)
    }

    /// A symmetry that takes atoms to atoms of the same colour, if one is found.
    fn complete(&mut self, from: &[u64], to: &[u64]) -> Result<Option<Vec<u32>>, Limit> {
        let mut poll = BudgetPoll::every(1);
        let (mut from, mut to) = (from.to_vec(), to.to_vec());
        loop {
            poll.step(self.budget)?;
            let (mut one, mut other) = (from.clone(), to.clone());
            one.sort_unstable();
            other.sort_unstable();
            if one != other {
                return Ok(None);
            }
            let Some(class) = self.smallest(&from) else { break };
            // The first choice nearly always does: what is alike this far is alike for good. If not, none is found.
            let colour = from[class[0]];
            let atoms = self.graph.game.atoms;
            let Some(image) = to[..atoms].iter().position(|&own| own == colour) else { return Ok(None) };
            from = self.coloured(&from, class[0])?;
            to = self.coloured(&to, image)?;
            if self.tries > MOST_TRIES {
                return Ok(None);
            }
        }
        let atoms = self.graph.game.atoms;
        let place: FxHashMap<u64, u32> = (0..).zip(&to[..atoms]).map(|(at, &colour)| (colour, at)).collect();
        let exchanged: Option<Vec<u32>> =
            from[..atoms].iter().map(|colour| place.get(colour).copied()).collect();
        Ok(exchanged.filter(|exchanged| self.graph.is_symmetry(exchanged)))
    }
}

#[cfg(test)]
mod tests {
    use counterplay_base::Silent;
    use counterplay_syntax::Sources;

    use super::*;
    use crate::game::ground_game;

    fn ground(text: &str) -> Game {
        let mut sources = Sources::default();
        let file = sources.add("game", text);
        let rules = counterplay_gdl::read(&sources, file).expect("sound rules");
        ground_game(&rules, &Budget::unlimited(), &Silent).expect("finite")
    }

    fn order(game: &Game, most: usize) -> usize {
        symmetries(game, &[], most, &Budget::unlimited()).expect("no limit").len()
    }

    #[test]
    fn a_square_has_eight() {
        let game = ground(include_str!("../../../../examples/games/tic-tac-toe.kif"));
        let all = symmetries(&game, &[], 100, &Budget::unlimited()).expect("no limit");
        assert_eq!(all.len(), 8);
        // The corner goes to the four corners, twice to each.
        let corner = game.fluents.enumerate().find(|(_, name)| name.contains("1 1 x")).expect("a corner").0;
        let mut places: Vec<&str> = all.iter().map(|own| game.fluents[own[corner]].as_str()).collect();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), 4, "{places:?}");
        assert_eq!(order(&game, 5), 2, "a smaller group where all are too many");
    }

    #[test]
    fn boards_have_theirs() {
        let peg = ground(include_str!("../../../../examples/games/peg-solitaire.kif"));
        assert_eq!(order(&peg, 100), 8);
        // The board is four by five, and the players begin on different squares.
        let clobber = ground(include_str!("../../../../examples/games/clobber-5x4.kif"));
        assert_eq!(order(&clobber, 100), 2);
    }

    #[test]
    fn split_rules_hide_nothing() {
        for text in [
            include_str!("../../../../examples/games/connect-four-4x4.kif"),
            include_str!("../../../../examples/games/connect-four-5x4.kif"),
            include_str!("../../../../examples/games/connect-four-7x6.kif"),
        ] {
            let game = ground(text);
            let all = symmetries(&game, &[], 100, &Budget::unlimited()).expect("no limit");
            assert_eq!(all.len(), 2, "the mirror");
            let columns = if text.contains("(column 7)") {
                7
            } else if text.contains("(column 5)") {
                5
            } else {
                4
            };
            for (fluent, name) in game.fluents.enumerate().filter(|(_, name)| name.contains("cell")) {
                let words: Vec<&str> = name.trim_matches(['(', ')']).split(' ').collect();
                let column: u32 = words[1].parse().expect("a column");
                let mirror = format!("(cell {} {} {})", columns + 1 - column, words[2], words[3]);
                assert_eq!(game.fluents[all[1][fluent]], mirror);
            }
        }
        // One row of the board does not count: no mirror.
        let text = include_str!("../../../../examples/games/connect-four-4x4.kif");
        let odd = text.replace(
            "(<= terminal (not someopen))",
            "(<= terminal (not someopen)) (<= terminal (true (cell 1 2 red)))",
        );
        assert_ne!(odd, text);
        assert_eq!(order(&ground(&odd), 100), 1);
    }

    #[test]
    fn what_differs_in_one_rule_has_none() {
        let rules = |last: &str| {
            format!(
                "(role a) (init (off 1)) (init (off 2))
                (<= (legal a (press ?x)) (true (off ?x))) (legal a wait)
                (<= (next (on ?x)) (does a (press ?x))) (<= (next (on ?x)) (true (on ?x)))
                (<= (next (off ?x)) (true (off ?x)) (not (does a (press ?x))))
                (<= terminal (true (on 1)) (true (on 2)))
                (<= (goal a 100) {last}) (<= (goal a 0) (not (true (on 1))))"
            )
        };
        assert_eq!(order(&ground(&rules("(true (on 1)) (true (on 2))")), 100), 1);
        let even = rules("(true (on 1)) (true (on 2))")
            .replace("(not (true (on 1)))", "(not (true (on 1))) (not (true (on 2)))");
        assert_eq!(order(&ground(&even), 100), 2);
    }
}
