//! Eye spaces of up to seven points: plans, proof-number search, knowledge and the checker agree.

use counterplay_base::{Budget, Limit, Verdict};
use counterplay_go::book::exercises;
use counterplay_go::claim::Claim;
use counterplay_go::solve::{Class, Method, Options, Solution, Success, Tier, solve};
use counterplay_go::verify::{Flaw, replay, verify};
use counterplay_go::{Board, Cell, Color, Goal, Grid, Move, Point, Problem, Suicide, diagram};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn options(method: Method) -> Options {
    Options { method, plan_moves: 20_000, search_nodes: 300_000, ..Options::default() }
}

fn solved(problem: &Problem, method: Method) -> Solution {
    solve(problem, &options(method), &Budget::unlimited())
}

/// Whether the slow rules accept the proof in full.
fn checked(problem: &Problem, solution: &Solution) -> Result<bool, Flaw> {
    verify(problem, solution, &Budget::unlimited())
}

#[test]
fn the_book_is_solved_and_checked() {
    for exercise in exercises() {
        for method in [Method::Auto, Method::Dfpn] {
            let solution = solved(&exercise.problem, method);
            let found = solution.action().unwrap_or_else(|| panic!("{}: no answer", exercise.name));
            assert!(exercise.answers.contains(&found), "{}: {found:?}", exercise.name);
            assert_eq!(solution.class(), Some(Class::Clean), "{}", exercise.name);
            let checked = checked(&exercise.problem, &solution);
            assert_eq!(checked, Ok(true), "{}", exercise.name);
        }
    }
}

#[test]
fn plans_alone_solve_most_of_the_book() {
    let right = exercises()
        .iter()
        .filter(|exercise| {
            let solution = solved(&exercise.problem, Method::Plan);
            solution.tier == Tier::Knowledge
                && solution.action().is_some_and(|m| exercise.answers.contains(&m))
        })
        .count();
    assert!(right * 10 >= exercises().len() * 8, "{right} of {}", exercises().len());
}

/// A random eye space at the edge, in a thick wall, with some stones of the attacker inside.
fn random_space(rng: &mut ChaCha8Rng) -> Option<Problem> {
    let grid = Grid::new(9, 9).unwrap();
    let size = rng.random_range(2..=7);
    let mut space = vec![(rng.random_range(0..4), rng.random_range(0..3))];
    while space.len() < size {
        let (x, y): (usize, usize) = space[rng.random_range(0..space.len())];
        let (dx, dy) = [(0, 1), (1, 0), (0, -1), (-1, 0)][rng.random_range(0..4)];
        let (x, y) = (x as i32 + dx, y as i32 + dy);
        if (0..5).contains(&x) && (0..4).contains(&y) && !space.contains(&(x as usize, y as usize)) {
            space.push((x as usize, y as usize));
        }
    }
    let near = |x: usize, y: usize, far: usize| {
        space.iter().map(|&(a, b)| a.abs_diff(x).max(b.abs_diff(y))).min().unwrap() <= far
    };
    let mut stones: Vec<(Point, Color)> = Vec::new();
    let mut target = None;
    for p in grid.points() {
        let (x, y) = grid.place(p);
        if space.contains(&(x, y)) {
            if rng.random_range(0..6) == 0 {
                stones.push((p, Color::Black));
            }
        } else if near(x, y, 1) {
            stones.push((p, Color::White));
            target = Some(p);
        } else if near(x, y, 2) {
            stones.push((p, Color::Black));
        }
    }
    let board = Board::with_stones(grid, &stones).ok()?;
    let mover = if rng.random_range(0..2) == 0 { Color::Black } else { Color::White };
    Problem::about(board, mover, target?)
}

#[test]
fn both_searches_agree_on_small_eye_spaces() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let (mut done, mut kos, mut none, mut proofs) = (0, 0, 0, 0);
    while done < 60 {
        let Some(problem) = random_space(&mut rng) else { continue };
        done += 1;
        let auto = solved(&problem, Method::Auto);
        let plain = solved(&problem, Method::Dfpn);
        let shown = diagram::diagram(&problem.board, &[(problem.target, '@')]);
        let class = |solution: &Solution| match solution.class() {
            Some(Class::Seki) => Some(Class::Clean),
            other => other,
        };
        assert_eq!(class(&auto), class(&plain), "{} moves\n{shown}", problem.to_move);
        kos += usize::from(auto.class() == Some(Class::Ko));
        none += usize::from(auto.success().is_none());
        for solution in [&auto, &plain] {
            proofs += usize::from(solution.is_proof());
            if solution.is_proof() {
                let checked = checked(&problem, solution);
                assert_eq!(checked, Ok(true), "{:?} by {:?}\n{shown}", solution.action(), solution.tier);
            }
        }
    }
    // Taking a large eye space needs many moves, and the defender may use the time against the wall.
    assert!(proofs >= 100, "{proofs} proofs");
    assert!(none > 5, "{none} without an answer, {kos} kos");
}

/// A position from a diagram, with a question about the stone in a column and a row.
fn ask(rows: &str, mover: Color, at: (usize, usize)) -> Problem {
    let picture = diagram::parse(rows).unwrap();
    let board = Board::with_stones(picture.grid, &picture.stones).unwrap();
    Problem::about(board, mover, picture.grid.point(at.0, at.1).unwrap()).unwrap()
}

/// Three stones inside share two liberties with the group around them: who fills the first one loses. The wall has two eyes.
const SEKI: &str = "
    . X X X . O X . .
    O O O O O O X . .
    X X X X X X X . .
    . X . X . . . . .
    X X X X . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .";

#[test]
fn seki_is_life_for_the_defender_and_failure_for_the_attacker() {
    for method in [Method::Auto, Method::Dfpn] {
        let save = ask(SEKI, Color::White, (0, 1));
        let saved = solved(&save, method);
        assert_eq!(saved.success(), Some(Success { action: Move::Pass, class: Class::Seki }), "{method:?}");
        assert!(saved.is_proof());
        assert_eq!(checked(&save, &saved), Ok(true));
        let kill = solved(&ask(SEKI, Color::Black, (0, 1)), method);
        assert_eq!(kill.verdict, Verdict::Unsolvable, "{method:?}");
    }
}

#[test]
fn seki_holds_where_several_stones_may_take_themselves_off() {
    for method in [Method::Auto, Method::Dfpn] {
        let mut save = ask(SEKI, Color::White, (0, 1));
        save.board = save.board.under(Suicide::OfSeveral);
        let saved = solved(&save, method);
        assert!(matches!(saved.class(), Some(Class::Seki | Class::Clean)), "{method:?}: {:?}", saved.class());
        assert_eq!(checked(&save, &saved), Ok(true), "{method:?}");
    }
}

#[test]
fn strings_are_joined_and_kept_apart() {
    let gap = "
        . . . . . . .
        X X X . X X X
        X O O . O O X
        X X X X X X X
        . . . . . . .
        . . . . . . .
        . . . . . . .";
    let bamboo = "
        . . . . . . .
        X X X X X X X
        X . O . O . X
        X . O . O . X
        X X X X X X X
        . . . . . . .
        . . . . . . .";
    let grid = Grid::new(7, 7).unwrap();
    // Where the strings are, and whether they can be kept apart by moving first.
    for (rows, one, other, apart) in [(gap, (1, 2), (4, 2), true), (bamboo, (2, 2), (4, 2), false)] {
        let friend = grid.point(other.0, other.1).unwrap();
        for method in [Method::Auto, Method::Dfpn, Method::Plan] {
            let mut join = ask(rows, Color::White, one);
            join.goal = Goal::Connect(friend);
            let joined = solved(&join, method);
            assert_eq!(joined.class(), Some(Class::Clean), "{method:?} joins\n{rows}");
            let mut cut = ask(rows, Color::Black, one);
            cut.goal = Goal::Separate(friend);
            let kept = solved(&cut, method);
            let expected = apart.then_some(Class::Clean);
            assert_eq!(kept.class(), expected, "{method:?} keeps apart\n{rows}");
            if method != Method::Plan {
                assert_eq!(checked(&join, &joined), Ok(true));
                assert_eq!(checked(&cut, &kept), Ok(true));
            }
        }
    }
}

#[test]
fn a_proof_with_a_hole_is_refused() {
    let exercise = exercises().into_iter().find(|e| e.name.starts_with("rabbity")).unwrap();
    let mut solution = solved(&exercise.problem, Method::Auto);
    assert_eq!(checked(&exercise.problem, &solution), Ok(true));
    // Without its continuation the winner has no answer in a position that is still open.
    solution.claims[0].tree[0].replies.clear();
    let flaw = checked(&exercise.problem, &solution);
    assert!(matches!(flaw, Err(Flaw::NoAnswer(_))), "{flaw:?}");
    // A wrong first move is found out as well.
    let mut wrong = solved(&exercise.problem, Method::Auto);
    let grid = exercise.problem.board.grid();
    wrong.claims[0].tree[0].action = Move::Play(grid.point(2, 0).unwrap());
    assert_eq!(checked(&exercise.problem, &wrong), Err(Flaw::Claims));
    let action = wrong.claims[0].tree[0].action;
    wrong.verdict = Verdict::Solved(Success { action, class: Class::Clean });
    assert!(matches!(
        verify(&exercise.problem, &wrong, &Budget::unlimited()),
        Err(Flaw::NoAnswer(_) | Flaw::Open(_))
    ));
}

/// What is left to trying everything is tried: the loser of a proved position is not believed, however little is left to play.
#[test]
fn the_other_side_does_not_win_as_well() {
    let mut refused = 0;
    for exercise in exercises() {
        let solution = solved(&exercise.problem, Method::Auto);
        for claim in &solution.claims {
            let (winner, favoured) = (claim.winner.other(), claim.favoured.other());
            let swapped = Claim { winner, favoured, tree: Vec::new(), complete: true, ..claim.clone() };
            let points = &solution.region.points;
            let replayed = replay(&exercise.problem, points, &swapped, &Budget::unlimited());
            assert_ne!(replayed, Ok(true), "{}", exercise.name);
            let board = &exercise.problem.board;
            refused +=
                usize::from(points.iter().filter(|&&point| board.cell(point) == Cell::Empty).count() <= 4);
        }
    }
    assert!(refused > 3, "{refused} positions are small enough to be tried");
}

#[test]
fn limits_are_answers() {
    let exercise = &exercises()[7];
    let budget = Budget::unlimited();
    budget.cancel();
    let solution = solve(&exercise.problem, &Options::default(), &budget);
    assert_eq!(solution.verdict, Verdict::Stopped(Limit::Cancelled));
    assert!(!solution.is_proof());
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    let text =
        "(;SZ[19]PL[B]AB[qr][mq][qq][mp][qp][no][oo][po]AW[kr][mr][lq][nq][rq][op][pp][rp][qo][qn]MA[pp])";
    let problem = counterplay_go::sgf::read_problem(text, 0).unwrap().problem;
    let quick = Options { samples: 300, search_nodes: 5000, ..Options::default() };
    let (a, b) =
        (solve(&problem, &quick, &Budget::unlimited()), solve(&problem, &quick, &Budget::unlimited()));
    assert_eq!((a.action(), a.statistics, &a.line), (b.action(), b.statistics, &b.line));
}

/// A stone behind the attacker's stone on the edge has a liberty that the region used to leave out: the capture that joins it with the target
/// was then called life, because the target seemed to have got out. White takes that liberty and kills.
#[test]
fn a_liberty_behind_a_capture_is_no_way_out() {
    let closed = "
        . O . . . . . . .
        X O . . . . . . .
        O X O . . . . . .
        . X O . . . . . .
        O X O . . . . . .
        . X O . . . . . .
        . X O . . . . . .";
    let open = "
        . . . . . . . . .
        . O . . . . . . .
        X O . . . . . . .
        O X O . . . . . .
        . X O . . . . . .
        O X O . . . . . .
        . X O . . . . . .
        . X O . . . . . .";
    for method in [Method::Auto, Method::Dfpn] {
        // The liberty leads nowhere: the whole corner belongs to the region, and the eye has to be made first.
        let problem = ask(closed, Color::Black, (1, 6));
        let action = Move::Play(problem.board.grid().parse("A2").unwrap());
        let solution = solved(&problem, method);
        assert_eq!(solution.verdict, Verdict::Solved(Success { action, class: Class::Clean }), "{method:?}");
        assert_eq!(checked(&problem, &solution), Ok(true));
        // The liberty leads into the open: whatever is answered, it is not called a proof.
        let problem = ask(open, Color::Black, (1, 7));
        let answer = problem.board.grid().parse("A2").map(Move::Play);
        let solution = solved(&problem, method);
        assert_eq!((solution.tier, solution.action()), (Tier::Region, answer), "{method:?}");
        assert!(!solution.is_proof() && !solution.evidence(false).is_proof());
    }
}

const THREE: &str = "
    . . . O X . .
    O O O O X . .
    X X X X X . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .";

#[test]
fn a_region_that_leaves_something_out_is_refused() {
    let problem = ask(THREE, Color::Black, (0, 1));
    let mut solution = solved(&problem, Method::Auto);
    assert_eq!(checked(&problem, &solution), Ok(true));
    let left_out = problem.board.grid().point(2, 0).unwrap();
    solution.region.points.retain(|&p| p != left_out);
    let flaw = checked(&problem, &solution);
    assert!(matches!(flaw, Err(Flaw::Leak(_))), "{flaw:?}");
}

/// The same corner with a wall that has a single liberty left outside: the defender takes it as soon as he can pass inside.
#[test]
fn walls_that_fall_from_outside_are_counted() {
    let thin = "
        . . . O X O .
        O O O O X O .
        X X X X X O .
        O O O O . O .
        . . . O O O .
        . . . . . . .
        . . . . . . .";
    let roomy = ask(THREE, Color::Black, (0, 1));
    let solution = solved(&roomy, Method::Auto);
    assert!(matches!(solution.verdict, Verdict::Solved(Success { class: Class::Clean, .. })));
    let problem = ask(thin, Color::Black, (0, 1));
    let flaw = checked(&problem, &solution);
    assert!(matches!(flaw, Err(Flaw::Open(_))), "{flaw:?}");
    for method in [Method::Auto, Method::Dfpn] {
        let found = solved(&problem, method);
        assert!(!found.is_proof() || found.class() != Some(Class::Clean), "{method:?}: {:?}", found.tier);
    }
}

/// Where several stones may take themselves off, stones in an eye space may vanish and leave more room than the group around them can
/// cover: such a group was called alive whatever happens.
#[test]
fn life_is_stricter_where_suicide_is_allowed() {
    let rows = "
        X X X X X . O O O
        . X X X X X . O O";
    let problem = ask(rows, Color::White, (3, 1));
    for (suicide, alive) in [(Suicide::Forbidden, true), (Suicide::OfSeveral, false)] {
        let board = problem.board.clone().under(suicide);
        let mut benson = counterplay_go::benson::Benson::default();
        assert_eq!(benson.is_alive(&board, problem.target), alive, "{suicide:?}");
    }
}
