//! The rules against an independent engine: GNU Go over GTP replays random games, and says which moves it allows and which
//! stones it has. Without `gnugo` on this machine the test says that it skips.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use counterplay_go::{Board, Cell, Color, Grid, Move, Suicide};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Debian puts games outside the usual search path.
fn program() -> Option<&'static str> {
    let runs = |name: &&str| {
        let found = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        found.is_ok_and(|status| status.success())
    };
    ["gnugo", "/usr/games/gnugo"]
        .into_iter()
        .filter(|name| *name == "gnugo" || Path::new(name).exists())
        .find(runs)
}

/// Sends commands all at once and returns what each of them is answered.
fn session(program: &str, rule: &str, commands: &[String]) -> Vec<String> {
    let mut child = Command::new(program)
        .args(["--mode", "gtp", "--quiet", rule])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the engine has just run");
    let mut input = child.stdin.take().expect("it was asked for");
    let script = commands.join("\n") + "\nquit\n";
    // Both pipes are short: one side writes while the other reads.
    let writer = thread::spawn(move || input.write_all(script.as_bytes()));
    let mut said = String::new();
    child.stdout.take().expect("it was asked for").read_to_string(&mut said).expect("GTP is ASCII");
    writer.join().expect("writing does not panic").expect("the engine reads to the end");
    child.wait().expect("the engine ends after quit");
    let replies: Vec<String> = said.split("\n\n").map(|reply| reply.trim().to_owned()).collect();
    assert!(replies.len() > commands.len(), "{} replies to {} commands", replies.len(), commands.len());
    replies
}

fn words(reply: &str) -> BTreeSet<String> {
    let said = reply.strip_prefix('=').unwrap_or_else(|| panic!("refused: {reply}"));
    said.split_whitespace().map(str::to_owned).collect()
}

fn letter(color: Color) -> &'static str {
    if color == Color::Black { "black" } else { "white" }
}

/// What a game has to have seen to count.
#[derive(Default)]
struct Seen {
    taken: usize,
    kos: usize,
    suicides: usize,
}

/// Plays a random game on our board, and writes down what GNU Go is asked and what it should say.
fn game(
    size: usize,
    moves: usize,
    suicide: Suicide,
    seed: u64,
    seen: &mut Seen,
) -> Vec<(String, Option<BTreeSet<String>>)> {
    let grid = Grid::new(size, size).expect("a supported size");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut board = Board::new(grid);
    let mut color = Color::Black;
    let mut script = vec![(format!("boardsize {size}"), None), ("clear_board".to_owned(), None)];
    for _ in 0..moves {
        let legal: Vec<_> = grid.points().filter(|&p| board.check_under(color, p, suicide).is_ok()).collect();
        let names = legal.iter().map(|&p| grid.name(p)).collect();
        script.push((format!("all_legal {}", letter(color)), Some(names)));
        // A point where stones can be taken is chosen more often, so that there is something to see.
        let takes = |p: &&counterplay_go::Point| {
            board
                .neighbours(**p)
                .any(|n| board.cell(n) == Cell::of(color.other()) && board.liberty_count(n) == 1)
        };
        let sharp: Vec<_> = legal.iter().filter(takes).copied().collect();
        let choice = if rng.random_range(0..3) == 0 {
            sharp.choose(&mut rng).or(legal.choose(&mut rng))
        } else {
            legal.choose(&mut rng)
        };
        let action = choice.map_or(Move::Pass, |&p| Move::Play(p));
        let taken = board.play(color, action);
        seen.taken += taken;
        seen.kos += usize::from(board.ko().is_some());
        if let Move::Play(p) = action {
            seen.suicides += usize::from(board.is_empty(p));
        }
        script.push((format!("play {} {}", letter(color), grid.move_name(action)), None));
        for owner in [Color::Black, Color::White] {
            let stones = grid.points().filter(|&p| board.cell(p) == Cell::of(owner)).map(|p| grid.name(p));
            script.push((format!("list_stones {}", letter(owner)), Some(stones.collect())));
        }
        color = color.other();
    }
    script
}

#[test]
fn random_games_are_the_same_to_gnu_go() {
    let Some(program) = program() else {
        println!("skipped: there is no gnugo on this machine");
        return;
    };
    let mut seen = Seen::default();
    let games = [(3, 60, 1), (5, 120, 2), (5, 120, 3), (7, 160, 4), (9, 220, 5), (13, 300, 6), (19, 400, 7)];
    for (rule, suicide) in [("--forbid-suicide", Suicide::Forbidden), ("--allow-suicide", Suicide::OfSeveral)]
    {
        for (size, moves, seed) in games {
            let script = game(size, moves, suicide, seed, &mut seen);
            let commands: Vec<String> = script.iter().map(|(command, _)| command.clone()).collect();
            let replies = session(program, rule, &commands);
            for (i, ((command, expected), reply)) in script.iter().zip(&replies).enumerate() {
                let said = words(reply);
                if let Some(expected) = expected {
                    assert_eq!(&said, expected, "{rule}, {size} lines, line {i}: {command}");
                }
            }
        }
    }
    let Seen { taken, kos, suicides } = seen;
    assert!(taken > 200 && kos > 20 && suicides > 5, "{taken} taken, {kos} kos, {suicides} suicides");
}
