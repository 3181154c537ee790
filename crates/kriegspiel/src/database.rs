//! Problems from games: guaranteed mates and near misses (Russell and Wolfe 2005, section 3).
//!
//! A careful White plays a rash Black. White's belief state is exact; before each of White's turns a few tries that the
//! referee would reject are added as hints, those that tell White most, so that belief states stay small. When White's
//! belief state has at most 100 positions, it is a *mate* if a plan mates in all of them within the depth, and a *near
//! miss* if a plan mates in at least half of them, but none in all. Games whose belief state grows beyond
//! 10,000 positions are dropped.

use counterplay_base::{Budget, Limit, Verdict};
use counterplay_belief::{Algorithm, Event, solve, update};

use crate::chess::{Board, Color, Move};
use crate::history::KriegEvent;
use crate::percept::Announcement;
use crate::player::{Careful, Player, Rash};
use crate::referee::Game;
use crate::world::Kriegspiel;

/// How problems are looked for.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// The number of plies within which to mate.
    pub depth: usize,
    /// Belief states up to this size are looked at.
    pub largest: usize,
    /// Games with larger belief states on the way are dropped.
    pub most: usize,
    /// Games end after so many moves of each side.
    pub moves: usize,
    /// At most so many rejected tries are added on each of White's turns.
    pub hints: usize,
    /// Whether known material wins count.
    pub material_wins: bool,
}

impl Default for Recipe {
    fn default() -> Recipe {
        Recipe { depth: 3, largest: 100, most: 10_000, moves: 80, hints: 6, material_wins: false }
    }
}

/// How hard a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A plan mates in all positions.
    Mate { first_try: Move },
    /// A plan mates in this many positions, at least half of them, but none in all.
    NearMiss {
        /// The largest part that was found with a plan.
        winnable: usize,
    },
}

/// A problem with the history that leads to it.
#[derive(Clone, Debug)]
pub struct Instance {
    pub kind: Kind,
    /// White's tries, and what White heard.
    pub events: Vec<KriegEvent>,
    pub belief: Vec<Board>,
    /// The position that only the referee sees.
    pub truth: Board,
}

/// Plays one game and returns the first problems of each kind in it. The seed and the recipe decide everything.
pub fn play_game(root: Board, recipe: &Recipe, seed: u64, budget: &Budget) -> Result<Vec<Instance>, Limit> {
    let mut game = Game::new(root);
    let mut white = Careful::new(root, Color::White, seed.wrapping_mul(2));
    let mut black = Rash::new(root, Color::Black, seed.wrapping_mul(2) + 1);
    let mut found: Vec<Instance> = Vec::new();
    for _ in 0..2 * recipe.moves {
        budget.check()?;
        if game.turn() == Color::White {
            give_hints(&mut game, &mut white, recipe);
            let knowledge = white.knowledge();
            if !knowledge.is_exact() || knowledge.positions().len() > recipe.most {
                break;
            }
            if knowledge.positions().len() <= recipe.largest {
                let kind = classify(knowledge.positions(), recipe, budget)?;
                let known = |kind: &Kind| {
                    let same = |other: &Instance| {
                        matches!(
                            (&other.kind, kind),
                            (Kind::Mate { .. }, Kind::Mate { .. })
                                | (Kind::NearMiss { .. }, Kind::NearMiss { .. })
                        )
                    };
                    found.iter().any(same)
                };
                if let Some(kind) = kind.filter(|kind| !known(kind)) {
                    found.push(Instance {
                        kind,
                        events: knowledge.events().to_vec(),
                        belief: knowledge.positions().to_vec(),
                        truth: *game.board(),
                    });
                    if matches!(kind, Kind::Mate { .. }) {
                        break;
                    }
                }
            }
            take_turn(&mut game, &mut white, &mut black, budget);
        } else {
            take_turn(&mut game, &mut black, &mut white, budget);
        }
        if game.end().is_some() {
            break;
        }
    }
    Ok(found)
}

/// Lets one side try until a move is legal; both sides hear of it.
pub fn take_turn(game: &mut Game, mover: &mut dyn Player, other: &mut dyn Player, budget: &Budget) {
    loop {
        let rejections = game.rejections();
        let attempt = mover.choose(&game.tries(), budget);
        match game.attempt(attempt) {
            Announcement::Legal { percept, end } => {
                mover.hear(Event::Own { attempt, heard: Some((percept, end)) });
                other.hear(Event::Other { rejections, heard: (percept, end) });
                return;
            }
            Announcement::Illegal => mover.hear(Event::Own { attempt, heard: None }),
            Announcement::Nonsense => unreachable!("players choose among the tries that are left"),
        }
    }
}

/// Adds rejected tries that leave White the fewest positions.
fn give_hints(game: &mut Game, white: &mut Careful, recipe: &Recipe) {
    for _ in 0..recipe.hints {
        let positions = white.knowledge().positions();
        if positions.len() <= 2 {
            return;
        }
        let tries = game.tries();
        let rejected = tries.iter().filter(|&&mv| !game.board().is_legal(mv));
        let left = |mv: Move| positions.iter().filter(|board| !board.is_legal(mv)).count();
        let Some((count, &best)) = rejected.map(|mv| (left(*mv), mv)).min() else { return };
        if count * 10 > positions.len() * 9 {
            return;
        }
        game.attempt(best);
        white.hear(Event::Own { attempt: best, heard: None });
    }
}

/// What a belief state is, if it is a problem at all.
pub fn classify(belief: &[Board], recipe: &Recipe, budget: &Budget) -> Result<Option<Kind>, Limit> {
    let world = Kriegspiel { material_wins: recipe.material_wins };
    let plan = |states: &[Board]| match solve(&world, states, recipe.depth, Algorithm::Auto, budget).verdict {
        Verdict::Solved(plan) => Ok(Some(plan)),
        Verdict::Unsolvable => Ok(None),
        Verdict::Stopped(limit) => Err(limit),
    };
    if belief.is_empty() {
        return Ok(None);
    }
    if let Some(plan) = plan(belief)? {
        return Ok(Some(Kind::Mate { first_try: plan.attempt }));
    }
    let mut alone = Vec::new();
    for &state in belief {
        if plan(&[state])?.is_some() {
            alone.push(state);
        }
    }
    if 2 * alone.len() < belief.len() {
        return Ok(None);
    }
    // A large part with a plan, grown from different beginnings. It need not be the largest.
    let mut winnable = 0;
    for start in 0..alone.len().min(8) {
        alone.rotate_left(start);
        let mut part: Vec<Board> = Vec::new();
        for &state in &alone {
            part.push(state);
            if plan(&part)?.is_none() {
                part.pop();
            }
        }
        winnable = winnable.max(part.len());
        if 2 * winnable >= belief.len() {
            return Ok(Some(Kind::NearMiss { winnable }));
        }
    }
    Ok(None)
}

/// Replays a history; none at the index of the first event that no position explains.
pub fn replay(root: Board, events: &[KriegEvent]) -> Result<Vec<Board>, usize> {
    let mut belief = vec![root];
    for (index, event) in events.iter().enumerate() {
        belief = update(&Kriegspiel::default(), &belief, event);
        if belief.is_empty() {
            return Err(index);
        }
    }
    Ok(belief)
}
