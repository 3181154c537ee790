//! Plays games against another GTP engine: `arena GAMES LINES SECONDS FOLDER COMMAND...`, or `p5000` playouts instead of seconds.
//!
//! Colours alternate; komi is 7.5 by area. The other engine is the referee of the final score. Each game is written as SGF to the
//! folder. Example: `arena 40 9 2 games gnugo --mode gtp --level 10 --chinese-rules`.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use counterplay_base::Budget;
use counterplay_go::Suicide;
use counterplay_go::gtp::GtpEngine;
use counterplay_go::solve::Options;

struct Opponent {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Opponent {
    fn start(command: &[String]) -> Opponent {
        let mut child = Command::new(&command[0])
            .args(&command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the other engine starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Opponent { child, input, output }
    }

    fn ask(&mut self, line: &str) -> String {
        writeln!(self.input, "{line}").expect("the other engine listens");
        self.input.flush().expect("the other engine listens");
        let mut text = String::new();
        loop {
            let mut part = String::new();
            let read = self.output.read_line(&mut part).expect("the other engine answers");
            if read == 0 || part.trim().is_empty() {
                return text.trim_start_matches(['=', '?']).trim().to_owned();
            }
            text += &part;
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [games, lines, seconds, folder, command @ ..] = &arguments[..] else {
        panic!("arena GAMES LINES SECONDS FOLDER COMMAND...");
    };
    let games: usize = games.parse().expect("a number of games");
    let lines: usize = lines.parse().expect("a number of lines");
    let playouts = seconds.strip_prefix('p').map(str::to_owned);
    let each = match &playouts {
        Some(_) => Duration::from_secs(600),
        None => Duration::from_secs_f64(seconds.parse().expect("seconds")),
    };
    std::fs::create_dir_all(folder).expect("the folder can be made");
    let mut won = 0;
    for game in 0..games {
        let ours = if game % 2 == 0 { "B" } else { "W" };
        let (score, sgf, slowest) = play(lines, each, playouts.as_deref(), ours, game, command);
        let is_win = score.starts_with(ours);
        won += usize::from(is_win);
        std::fs::write(format!("{folder}/{game:03}.sgf"), sgf).expect("the record can be written");
        let word = if is_win { "won" } else { "lost" };
        println!("game {game} as {ours}: {score} {word}, slowest {slowest:.2} s; {won} of {}", game + 1);
    }
}

fn play(
    lines: usize,
    each: Duration,
    playouts: Option<&str>,
    ours: &str,
    game: usize,
    command: &[String],
) -> (String, String, f64) {
    let mut opponent = Opponent::start(command);
    let read = |_: &str| Err("no files".to_owned());
    let options = Options { seed: game as u64 + 1, ..Options::default() };
    let mut engine = GtpEngine::new(options, Suicide::Forbidden, &read);
    let set_up = [format!("boardsize {lines}"), "clear_board".to_owned(), "komi 7.5".to_owned()];
    let tell = |engine: &mut GtpEngine, line: &str| {
        engine
            .handle(line, &Budget::unlimited().with_time(each))
            .text
            .trim_start_matches(['=', '?'])
            .trim()
            .to_owned()
    };
    for line in &set_up {
        tell(&mut engine, line);
        opponent.ask(line);
    }
    if let Some(playouts) = playouts {
        tell(&mut engine, &format!("counterplay-playouts {playouts}"));
    }
    opponent.ask(&format!("set_random_seed {game}"));
    let mut sgf = format!("(;GM[1]FF[4]SZ[{lines}]KM[7.5]");
    let (mut turn, mut passes, mut slowest) = ("B", 0, 0.0f64);
    for _ in 0..lines * lines * 2 {
        let started = Instant::now();
        let action = if turn == ours {
            let action = tell(&mut engine, &format!("genmove {turn}"));
            slowest = slowest.max(started.elapsed().as_secs_f64());
            opponent.ask(&format!("play {turn} {action}"));
            action
        } else {
            let action = opponent.ask(&format!("genmove {turn}"));
            tell(&mut engine, &format!("play {turn} {action}"));
            action
        };
        if action.eq_ignore_ascii_case("resign") {
            let winner = if turn == "B" { "W" } else { "B" };
            return (format!("{winner}+R"), sgf + ")\n", slowest);
        }
        let _ = write!(sgf, ";{turn}[{}]", letters(&action, lines));
        passes = if action.eq_ignore_ascii_case("pass") { passes + 1 } else { 0 };
        if passes == 2 {
            break;
        }
        turn = if turn == "B" { "W" } else { "B" };
    }
    let score = opponent.ask("final_score");
    let own = tell(&mut engine, "final_score");
    if own != score {
        println!("  our count: {own}");
    }
    opponent.ask("quit");
    let _ = opponent.child.wait();
    (score.clone(), format!("{sgf}RE[{score}])\n").replacen(";GM", &format!(";RE[{score}]GM"), 1), slowest)
}

/// A vertex as SGF writes it.
fn letters(vertex: &str, lines: usize) -> String {
    let mut word = vertex.chars();
    let (Some(column), Ok(row)) = (word.next(), word.as_str().parse::<usize>()) else { return String::new() };
    let column = column.to_ascii_uppercase() as u8 - b'A';
    let column = column - u8::from(column > 8);
    [column, (lines - row) as u8].map(|i| char::from(b'a' + i)).iter().collect()
}
