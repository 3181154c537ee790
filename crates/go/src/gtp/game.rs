//! The commands for playing games: moves, clocks, the end.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use counterplay_base::Budget;

use super::{GtpEngine, Outcome, color};
use crate::player::{self, Clock, Count, Effort, FinalStatus, Outlook, Situation};
use crate::point::{Color, Move, Point};

/// Without a clock a move takes so long, unless the caller allows less.
const UNTIMED: Duration = Duration::from_secs(2);

/// What is dead at the end is found out in so many playouts.
const ENDING: u32 = 2000;

/// The playouts of one search at most.
const MOST: u32 = 2_000_000;

/// The interval of an analysis, if none is given.
const INTERVAL: Duration = Duration::from_secs(1);

/// Moves that an analysis lists.
const LISTED: usize = 10;

impl GtpEngine<'_> {
    /// The position of the game for a side.
    fn situation(&self, to_move: Color) -> Situation<'_> {
        let stone = |back: usize| {
            let at = self.moves.len().checked_sub(back)?;
            match self.moves[at].1 {
                Move::Play(point) => Some(point),
                Move::Pass => None,
            }
        };
        Situation {
            board: &self.board,
            to_move,
            komi: self.komi,
            last: [stone(1), stone(2)],
            passed: self.moves.last().is_some_and(|&(by, action)| by != to_move && action == Move::Pass),
            history: &self.history,
        }
    }

    fn effort(&self, clean_up: bool) -> Effort {
        let playouts = self.playouts.unwrap_or(MOST);
        Effort { playouts, seed: self.options.seed.wrapping_add(self.moves.len() as u64), clean_up }
    }

    /// The budget for a move of a side.
    fn thinking_time(&self, color: Color, budget: &Budget) -> Budget {
        if self.playouts.is_some() {
            return budget.clone();
        }
        let empty = self.board.grid().points().filter(|&p| self.board.is_empty(p)).count();
        let time = self.clocks[color as usize].map_or(UNTIMED, |clock| clock.share(empty));
        budget.slice(budget.remaining().map_or(time, |left| left.min(time)))
    }

    pub(super) fn generate(&mut self, arguments: &[&str], command: &str, budget: &Budget) -> Outcome {
        let color = color(arguments.first())?;
        let started = Instant::now();
        let clean_up = command == "kgs-genmove_cleanup";
        let time = self.thinking_time(color, budget);
        let (action, _) = player::choose(&self.situation(color), self.effort(clean_up), &time);
        let clock = &mut self.clocks[color as usize];
        *clock = clock.map(|clock| clock.after(started.elapsed()));
        if command != "reg_genmove" {
            self.make(color, action);
        }
        Ok(self.board.grid().move_name(action).replace("pass", "PASS"))
    }

    /// `time_settings main byo_yomi stones`, all for both sides.
    pub(super) fn time_settings(&mut self, arguments: &[&str]) -> Outcome {
        let numbers: Vec<u64> = arguments.iter().map_while(|word| word.parse().ok()).collect();
        let [main, period, stones] = numbers[..] else {
            return Err("three integers expected: main time, byo-yomi time, byo-yomi stones".to_owned());
        };
        // A period without stones is no limit at all, as the protocol says.
        let unlimited = period > 0 && stones == 0;
        let clock = Clock::new(
            Duration::from_secs(main),
            Duration::from_secs(period),
            u32::try_from(stones).map_err(|_| "too many stones")?,
        );
        self.clocks = [(!unlimited).then_some(clock); 2];
        Ok(String::new())
    }

    /// `time_left color seconds stones`.
    pub(super) fn time_left(&mut self, arguments: &[&str]) -> Outcome {
        let color = color(arguments.first())?;
        let number = |i: usize| arguments.get(i).and_then(|word| word.parse::<f64>().ok());
        let (Some(left), Some(stones)) = (number(1), number(2)) else {
            return Err("a time and a number of stones expected".to_owned());
        };
        let left = Duration::try_from_secs_f64(left.clamp(0.0, 1e9)).unwrap_or_default();
        let known = self.clocks[color as usize].unwrap_or(Clock::new(left, Duration::ZERO, 0));
        self.clocks[color as usize] = Some(Clock { left, stones: stones.max(0.0) as u32, ..known });
        Ok(String::new())
    }

    /// What playouts say of the end of the game.
    fn ending(&self, budget: &Budget) -> Outlook {
        let effort = Effort { playouts: ENDING, ..self.effort(false) };
        player::look(&self.situation(self.turn), effort, budget, &mut |_| true)
    }

    pub(super) fn final_score(&mut self, budget: &Budget) -> Outcome {
        Ok(Count::of(&self.board, &self.ending(budget), self.komi).name())
    }

    /// `final_status_list alive|seki|dead`: the strings of a status, a line each.
    pub(super) fn final_status_list(&mut self, arguments: &[&str], budget: &Budget) -> Outcome {
        let wanted = match arguments.first() {
            Some(&"alive") => FinalStatus::Alive,
            Some(&"dead") => FinalStatus::Dead,
            Some(&"seki") => FinalStatus::Seki,
            _ => return Err("alive, seki or dead expected".to_owned()),
        };
        let outlook = self.ending(budget);
        let grid = self.board.grid();
        let lines: Vec<String> = grid
            .points()
            .filter(|&p| self.board.cell(p).color().is_some() && self.board.head(p) == p)
            .filter(|&p| outlook.status(&self.board, p) == wanted)
            .map(|head| {
                let mut stones: Vec<Point> = self.board.stones(head).collect();
                stones.sort_unstable();
                stones.into_iter().map(|p| grid.name(p)).collect::<Vec<_>>().join(" ")
            })
            .collect();
        Ok(lines.join("\n"))
    }

    /// `lz-analyze [color] [centiseconds]`: what is known, again and again, until the time for a command is over or a line comes in.
    pub(super) fn analyze(
        &mut self,
        arguments: &[&str],
        command: &str,
        budget: &Budget,
        hear: &mut dyn FnMut(&str) -> bool,
    ) -> Outcome {
        let mut words = arguments.iter();
        let mut word = words.next();
        let by = match color(word) {
            Ok(by) => {
                word = words.next();
                by
            }
            Err(_) => self.turn,
        };
        let interval = match word.map(|word| word.parse::<u64>()) {
            None => INTERVAL,
            Some(Ok(centiseconds)) => Duration::from_millis(centiseconds.clamp(1, 100_000) * 10),
            Some(Err(_)) => return Err("an interval in hundredths of a second expected".to_owned()),
        };
        let plays = command == "lz-genmove_analyze";
        let time = if plays { self.thinking_time(by, budget) } else { budget.clone() };
        let grid = self.board.grid();
        let started = Instant::now();
        let mut next = interval;
        let outlook = player::look(&self.situation(by), self.effort(false), &time, &mut |outlook| {
            if started.elapsed() < next {
                return hear("");
            }
            next = started.elapsed() + interval;
            hear(&described(grid, outlook))
        });
        if !plays {
            return Ok(described(grid, &outlook).trim_end().to_owned());
        }
        let action = player::decide(&self.situation(by), &outlook, false);
        self.make(by, action);
        let name = grid.move_name(action);
        Ok(format!("{}play {name}", described(grid, &outlook)))
    }
}

/// The best moves in the form that viewers read.
fn described(grid: crate::point::Grid, outlook: &Outlook) -> String {
    let mut text = String::new();
    for (order, choice) in outlook.choices.iter().filter(|choice| choice.visits > 0).take(LISTED).enumerate()
    {
        let line: Vec<String> = choice.line.iter().map(|&action| grid.move_name(action)).collect();
        let _ = write!(
            text,
            "{}info move {} visits {} winrate {} order {order} pv {}",
            if order > 0 { " " } else { "" },
            grid.move_name(choice.action),
            choice.visits,
            (choice.value * 10_000.0) as u32,
            line.join(" ")
        );
    }
    text.push('\n');
    text
}
