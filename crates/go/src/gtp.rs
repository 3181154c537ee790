//! A GTP 2 engine: one line in, one reply out.
//!
//! G. Farnebäck, Specification of the Go Text Protocol, version 2 (2002). The engine solves life-and-death questions; `genmove`
//! is the business of [`player`](crate::player).

mod game;

use std::collections::HashSet;
use std::fmt::Write as _;

use counterplay_base::Budget;

use crate::board::{Board, Illegal, Suicide};
use crate::diagram::diagram;
use crate::player::Clock;
use crate::point::{Color, Grid, Move, Point};
use crate::problem::{Problem, candidates};
use crate::record;
use crate::sgf;
use crate::solve::{Class, Options, Solution, Tier, solve};
use crate::tactics::{self, TacticalResult};
use crate::verify;

/// Reads a file for `loadsgf`.
pub type ReadFile<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, String>;

/// What the engine says, and whether it goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The whole reply with the empty line at its end; empty for lines that are no command.
    pub text: String,
    /// Whether this was the last command.
    pub quit: bool,
}

const COMMANDS: &[&str] = &[
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "undo",
    "genmove",
    "reg_genmove",
    "kgs-genmove_cleanup",
    "lz-analyze",
    "lz-genmove_analyze",
    "time_settings",
    "time_left",
    "final_score",
    "final_status_list",
    "loadsgf",
    "showboard",
    "is_legal",
    "all_legal",
    "list_stones",
    "countlib",
    "attack",
    "defend",
    "owl_attack",
    "owl_defend",
    "dragon_status",
    "counterplay-solve",
    "counterplay-kill",
    "counterplay-save",
    "counterplay-why",
    "counterplay-evidence",
    "counterplay-tree",
    "counterplay-playouts",
    "gogui-analyze_commands",
];

/// The state of a session.
pub struct GtpEngine<'a> {
    board: Board,
    komi: f64,
    turn: Color,
    /// Hashes of all positions of the game.
    history: Vec<u64>,
    /// The moves since the beginning or the last set-up.
    moves: Vec<(Color, Move)>,
    /// A move takes so many playouts instead of a time, so that games can be repeated.
    playouts: Option<u32>,
    /// The clocks of black and white, if there are any.
    clocks: [Option<Clock>; 2],
    last: Option<(Problem, Solution)>,
    read: ReadFile<'a>,
    options: Options,
}

type Outcome = Result<String, String>;

impl<'a> GtpEngine<'a> {
    /// A session on an empty board of 19 lines.
    pub fn new(options: Options, suicide: Suicide, read: ReadFile<'a>) -> GtpEngine<'a> {
        let board = Board::new(Grid::new(19, 19).expect("19 lines are supported")).under(suicide);
        let history = vec![board.hash()];
        GtpEngine {
            board,
            komi: 0.0,
            turn: Color::Black,
            history,
            moves: Vec::new(),
            playouts: None,
            clocks: [None; 2],
            last: None,
            read,
            options,
        }
    }

    /// Answers a line.
    pub fn handle(&mut self, line: &str, budget: &Budget) -> Reply {
        let mut said = String::new();
        let reply = self.handle_aloud(line, budget, &mut |part| {
            said.push_str(part);
            true
        });
        Reply { text: said + &reply.text, ..reply }
    }

    /// Answers a line; `hear` is told what commands say before their end, and says whether they should go on.
    pub fn handle_aloud(&mut self, line: &str, budget: &Budget, hear: &mut dyn FnMut(&str) -> bool) -> Reply {
        let clean: String = line
            .chars()
            .map(|c| if c == '\t' { ' ' } else { c })
            .filter(|c| !c.is_control())
            .take_while(|&c| c != '#')
            .collect();
        let mut words: Vec<&str> = clean.split_whitespace().collect();
        let id = match words.first() {
            Some(word) if word.bytes().all(|b| b.is_ascii_digit()) => words.remove(0).to_owned(),
            _ => String::new(),
        };
        let Some((&command, arguments)) = words.split_first() else {
            return Reply { text: String::new(), quit: false };
        };
        let streams = command == "lz-analyze" || command == "lz-genmove_analyze";
        let mut begun = false;
        let mut aloud = |said: &str| {
            let first = !begun && !said.is_empty();
            begun |= first;
            if first { hear(&format!("={id}\n{said}")) } else { hear(said) }
        };
        let outcome = self.command(command, arguments, budget, &mut aloud);
        let text = match outcome {
            Ok(said) if begun => format!("{said}\n\n"),
            Ok(said) if streams => format!("={id}\n{said}\n\n"),
            Ok(said) => format!("={id} {said}\n\n"),
            Err(said) => format!("?{id} {said}\n\n"),
        };
        Reply { text, quit: command == "quit" }
    }

    fn command(
        &mut self,
        command: &str,
        arguments: &[&str],
        budget: &Budget,
        hear: &mut dyn FnMut(&str) -> bool,
    ) -> Outcome {
        match command {
            "protocol_version" => Ok("2".to_owned()),
            "name" => Ok("Counterplay".to_owned()),
            "version" => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            "known_command" => Ok(arguments.first().is_some_and(|name| COMMANDS.contains(name)).to_string()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "quit" => Ok(String::new()),
            "boardsize" => self.board_size(arguments),
            "clear_board" => {
                self.start(Board::new(self.board.grid()).under(self.board.suicide()), Color::Black);
                Ok(String::new())
            }
            "komi" => {
                let komi: Option<f64> = arguments.first().and_then(|word| word.parse().ok());
                self.komi = komi.filter(|komi| komi.is_finite()).ok_or("komi not a float")?;
                Ok(String::new())
            }
            "play" => self.play(arguments),
            "undo" => {
                if self.history.len() < 2 {
                    return Err("cannot undo".to_owned());
                }
                self.board.undo();
                self.history.pop();
                self.moves.pop();
                self.turn = self.turn.other();
                Ok(String::new())
            }
            "genmove" | "reg_genmove" | "kgs-genmove_cleanup" => self.generate(arguments, command, budget),
            "time_settings" => self.time_settings(arguments),
            "time_left" => self.time_left(arguments),
            "final_score" => self.final_score(budget),
            "final_status_list" => self.final_status_list(arguments, budget),
            "counterplay-playouts" => {
                let count = arguments.first().and_then(|word| word.parse().ok()).filter(|&count| count > 0);
                self.playouts = Some(count.ok_or("a number of playouts expected")?);
                Ok(String::new())
            }
            "lz-analyze" | "lz-genmove_analyze" => self.analyze(arguments, command, budget, hear),
            "loadsgf" => self.load(arguments),
            "showboard" => Ok(format!("\n{}", diagram(&self.board, &[]).trim_end())),
            "is_legal" => {
                let color = color(arguments.first())?;
                let legal = match self.vertex(arguments.get(1))? {
                    Move::Pass => true,
                    Move::Play(point) => self.check(color, point).is_ok(),
                };
                Ok(u8::from(legal).to_string())
            }
            "all_legal" => {
                let color = color(arguments.first())?;
                let grid = self.board.grid();
                let legal: Vec<String> =
                    grid.points().filter(|&p| self.check(color, p).is_ok()).map(|p| grid.name(p)).collect();
                Ok(legal.join(" "))
            }
            "list_stones" => {
                let color = color(arguments.first())?;
                let grid = self.board.grid();
                let stones: Vec<String> = grid
                    .points()
                    .filter(|&p| self.board.cell(p).color() == Some(color))
                    .map(|p| grid.name(p))
                    .collect();
                Ok(stones.join(" "))
            }
            "countlib" => {
                let stone = self.stone(arguments.first())?;
                Ok(self.board.liberty_count(stone).to_string())
            }
            "attack" | "defend" => self.tactics(command == "attack", arguments),
            "owl_attack" | "counterplay-kill" => self.ask(arguments, true, command, budget),
            "owl_defend" | "counterplay-save" => self.ask(arguments, false, command, budget),
            "dragon_status" => self.status(arguments, budget),
            "counterplay-solve" => self.solve_marked(arguments, budget),
            "counterplay-why" => match &self.last {
                Some((_, solution)) if !solution.why.is_empty() => Ok(solution.why.join("\n")),
                Some(_) => Ok("no plan: the answer comes from search".to_owned()),
                None => Err("nothing has been solved yet".to_owned()),
            },
            "counterplay-evidence" => match &self.last {
                Some((problem, solution)) => {
                    let checked = verify::verify(problem, solution, budget) == Ok(true);
                    Ok(solution.evidence(checked).sentence())
                }
                None => Err("nothing has been solved yet".to_owned()),
            },
            "counterplay-tree" => match &self.last {
                Some((problem, solution)) => Ok(record::to_sgf(problem, solution, "")),
                None => Err("nothing has been solved yet".to_owned()),
            },
            "gogui-analyze_commands" => {
                Ok("string/Kill/counterplay-kill %p\nstring/Save/counterplay-save %p\n\
                 string/Status/dragon_status %p\nstring/Why/counterplay-why"
                    .to_owned())
            }
            _ => Err("unknown command".to_owned()),
        }
    }

    fn start(&mut self, board: Board, turn: Color) {
        self.history = vec![board.hash()];
        self.moves.clear();
        self.board = board;
        self.turn = turn;
        self.last = None;
    }

    fn board_size(&mut self, arguments: &[&str]) -> Outcome {
        let size: usize =
            arguments.first().and_then(|word| word.parse().ok()).ok_or("boardsize not an integer")?;
        let grid = Grid::new(size, size).ok_or("unacceptable size")?;
        self.start(Board::new(grid).under(self.board.suicide()), Color::Black);
        Ok(String::new())
    }

    fn vertex(&self, word: Option<&&str>) -> Result<Move, String> {
        let word = word.ok_or("vertex missing")?;
        if word.eq_ignore_ascii_case("pass") {
            return Ok(Move::Pass);
        }
        let point = self.board.grid().parse(word).ok_or_else(|| format!("invalid vertex {word}"))?;
        Ok(Move::Play(point))
    }

    fn stone(&self, word: Option<&&str>) -> Result<Point, String> {
        match self.vertex(word)? {
            Move::Play(point) if self.board.cell(point).color().is_some() => Ok(point),
            _ => Err("vertex must hold a stone".to_owned()),
        }
    }

    /// The rules: no suicide that is forbidden, no immediate retaking of a ko, no repeated position.
    fn check(&self, color: Color, point: Point) -> Result<(), Illegal> {
        self.board.check(color, point)?;
        let mut after = self.board.clone();
        after.play(color, Move::Play(point));
        if self.history.contains(&after.hash()) { Err(Illegal::Superko) } else { Ok(()) }
    }

    fn make(&mut self, color: Color, action: Move) {
        self.board.play(color, action);
        self.history.push(self.board.hash());
        self.moves.push((color, action));
        self.turn = color.other();
    }

    fn play(&mut self, arguments: &[&str]) -> Outcome {
        let color = color(arguments.first())?;
        let action = self.vertex(arguments.get(1))?;
        if let Move::Play(point) = action {
            self.check(color, point).map_err(|why| format!("illegal move: {why}"))?;
        }
        self.make(color, action);
        Ok(String::new())
    }

    /// Loads the position before a move, or the end of the main line.
    fn load(&mut self, arguments: &[&str]) -> Outcome {
        let name = arguments.first().ok_or("file name missing")?;
        let before = match arguments.get(1) {
            None => None,
            Some(word) => Some(word.parse::<usize>().map_err(|_| "move number not an integer")?),
        };
        let bytes = (self.read)(name).map_err(|why| format!("cannot load file: {why}"))?;
        let text = sgf::decode(bytes).map_err(|error| format!("cannot load file: {error}"))?;
        let games = sgf::read(&text).map_err(|error| format!("cannot load file: {error}"))?;
        let root = games.first().ok_or("cannot load file: it is empty")?;
        let (board, turn) =
            sgf::replay(root, before.map(|number| number.saturating_sub(1)), self.board.suicide())
                .map_err(|error| format!("cannot load file: {error}"))?;
        let turn = turn.unwrap_or(Color::Black);
        // The moves of the file cannot be taken back: its position is the beginning.
        let stones: Vec<(Point, Color)> =
            board.grid().points().filter_map(|p| board.cell(p).color().map(|c| (p, c))).collect();
        let fresh = Board::with_stones(board.grid(), &stones).map_err(|_| "a string has no liberty")?;
        self.start(fresh.under(self.board.suicide()), turn);
        Ok(if turn == Color::Black { "black" } else { "white" }.to_owned())
    }

    fn tactics(&mut self, attack: bool, arguments: &[&str]) -> Outcome {
        let stone = self.stone(arguments.first())?;
        let grid = self.board.grid();
        let verdict = if attack {
            tactics::attack(&mut self.board, stone)
        } else {
            tactics::defend(&mut self.board, stone)
        };
        Ok(match verdict {
            TacticalResult::Yes(point) if point == stone => "1".to_owned(),
            TacticalResult::Yes(point) => format!("1 {}", grid.name(point)),
            TacticalResult::No | TacticalResult::Unknown => "0".to_owned(),
        })
    }

    fn solve_for(&mut self, stone: Point, mover: Color, budget: &Budget) -> Result<Solution, String> {
        let problem = Problem::about(self.board.clone(), mover, stone).ok_or("vertex must hold a stone")?;
        let solution = solve(&problem, &self.options, budget);
        self.last = Some((problem, solution.clone()));
        Ok(solution)
    }

    /// A question about a group, answered in GNU Go's coding: 1 clean, 3 by a ko, 0 not. As with GNU Go the code is the best answer
    /// that was found; our own commands add what it rests on.
    fn ask(&mut self, arguments: &[&str], kill: bool, command: &str, budget: &Budget) -> Outcome {
        let stone = self.stone(arguments.first())?;
        let owner = self.board.cell(stone).color().expect("a stone has a colour");
        let mover = if kill { owner.other() } else { owner };
        let solution = self.solve_for(stone, mover, budget)?;
        let grid = self.board.grid();
        let code = match solution.class() {
            Some(Class::Clean | Class::Seki) => 1,
            Some(Class::Ko) => 3,
            None => 0,
        };
        let name = solution.action().map(|action| grid.move_name(action)).unwrap_or_default();
        if command.starts_with("counterplay") {
            let line: Vec<String> = solution.line.iter().map(|&m| grid.move_name(m)).collect();
            return Ok(format!(
                "{} {} {} {}",
                solution.class().map_or("none", Class::word),
                solution.tier.word(),
                if name.is_empty() { "none" } else { &name },
                line.join(" ")
            )
            .trim_end()
            .to_owned());
        }
        Ok(if code == 0 || name.is_empty() { code.to_string() } else { format!("{code} {name}") })
    }

    fn status(&mut self, arguments: &[&str], budget: &Budget) -> Outcome {
        let stone = self.stone(arguments.first())?;
        let owner = self.board.cell(stone).color().expect("a stone has a colour");
        let kill = self.solve_for(stone, owner.other(), budget)?;
        // What sampling does not find may still be there.
        let open = |solution: &Solution| solution.success().is_none() && solution.tier == Tier::Guess;
        if open(&kill) {
            return Ok("unknown".to_owned());
        }
        if kill.success().is_none() {
            return Ok("alive".to_owned());
        }
        let save = self.solve_for(stone, owner, budget)?;
        if open(&save) {
            return Ok("unknown".to_owned());
        }
        let grid = self.board.grid();
        let name = |solution: &Solution| solution.action().map(|m| grid.move_name(m)).unwrap_or_default();
        Ok(if save.success().is_none() {
            "dead".to_owned()
        } else {
            format!("critical {} {}", name(&kill), name(&save))
        })
    }

    fn solve_marked(&mut self, arguments: &[&str], budget: &Budget) -> Outcome {
        let mover = color(arguments.first())?;
        let stone = match arguments.get(1) {
            Some(_) => self.stone(arguments.get(1))?,
            None => match candidates(&self.board)[..] {
                [only] => only,
                ref several => {
                    let grid = self.board.grid();
                    let names: Vec<String> = several.iter().map(|&p| grid.name(p)).collect();
                    return Err(format!("which group? {}", names.join(" ")));
                }
            },
        };
        let owner = self.board.cell(stone).color().expect("a stone has a colour");
        self.ask(&[&self.board.grid().name(stone)], owner != mover, "counterplay-solve", budget)
    }

    /// The board as text, for a log.
    pub fn show(&self) -> String {
        let mut text = diagram(&self.board, &[]);
        let distinct: HashSet<u64> = self.history.iter().copied().collect();
        let _ = writeln!(text, "{} to move, komi {}, {} positions", self.turn, self.komi, distinct.len());
        text
    }
}

fn color(word: Option<&&str>) -> Result<Color, String> {
    match word.map(|word| word.to_ascii_lowercase()).as_deref() {
        Some("b" | "black") => Ok(Color::Black),
        Some("w" | "white") => Ok(Color::White),
        Some(_) => Err("invalid color".to_owned()),
        None => Err("color missing".to_owned()),
    }
}
