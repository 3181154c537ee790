//! `counterplay dilemma play`: a person against a strategy, with a look at what models believe.

use std::io::{self, BufRead};
use std::sync::Arc;

use clap::Args;
use counterplay_dilemma::dbs::{Dbs, DbsSettings};
use counterplay_dilemma::tournament::Entrant;
use counterplay_dilemma::{Beliefs, Dice, Length, Move, Moves, Past, Rules, Strategy};
use serde::Serialize;

use super::field::ProgramArguments;
use super::rules::RulesArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::progress::Display;
use crate::sentinel;
use crate::settings::{Settings, Verbosity};

/// Play against a strategy in the terminal, and see what it believes about you
///
/// Example: counterplay dilemma play DBS --turns 20 --noise 0.1
#[derive(Debug, Args)]
pub(crate) struct PlayArguments {
    /// Whom to play against
    #[arg(value_name = "STRATEGY")]
    other: String,

    #[command(flatten)]
    rules: RulesArguments,

    #[command(flatten)]
    programs: ProgramArguments,
}

/// The documented shape of `dilemma play --json`, printed at the end.
#[derive(Serialize)]
struct Json {
    strategies: [String; 2],
    moves: [String; 2],
    scores: [f64; 2],
}

const HELP: &str =
    "c: cooperate   d: defect   ?: what a model makes of the other, and its advice   q: stop\n";

/// Reads moves from standard input until the match is over.
pub(crate) fn run(arguments: &PlayArguments, settings: &Settings) -> Result<Exit, Failure> {
    let rules = arguments.rules.decide();
    let entrant = arguments.programs.find(&arguments.other)?;
    let turns = match rules.length {
        Length::Known(turns) | Length::Unknown(turns) => turns,
        Length::Geometric { .. } => {
            let message = "a match with a person has a fixed number of turns".to_owned();
            return Err(Failure::Usage { message, help: Some("use `--turns`".to_owned()) });
        }
    };
    // Nobody can look at a budget while a person thinks; the guard does.
    let floor = sentinel::watch_command(settings, &Arc::new(Display::new(settings)));
    let mut table = Table::new(&entrant, rules, settings);
    table.say(HELP)?;
    for turn in 0..turns {
        let Some(mine) = table.ask(turn)? else { break };
        table.turn(mine)?;
    }
    floor.take_or_wait();
    table.end(&entrant)?;
    Ok(Exit::Found)
}

/// A match in progress.
struct Table<'a> {
    rules: Rules,
    settings: &'a Settings,
    other: Box<dyn Strategy>,
    /// A model of the other, kept for the person.
    adviser: Dbs,
    advice: Move,
    dice: Dice,
    mine: Moves,
    theirs: Moves,
    scores: [f64; 2],
}

impl<'a> Table<'a> {
    fn new(entrant: &Entrant, rules: Rules, settings: &'a Settings) -> Table<'a> {
        let mut table = Table {
            rules,
            settings,
            other: entrant.player(&rules.setting(1)),
            adviser: Dbs::new(DbsSettings::STANDARD, &rules.setting(0)),
            advice: Move::C,
            dice: Dice::new(settings.seed, &[]),
            mine: Moves::new(),
            theirs: Moves::new(),
            scores: [0.0; 2],
        };
        table.consult();
        table
    }

    /// Everything but the final object is for people.
    fn say(&self, text: &str) -> Result<(), Failure> {
        if self.settings.json || self.settings.verbosity == Verbosity::Quiet {
            Ok(())
        } else {
            output::answer(text)
        }
    }

    /// What the person wants to do; `None` to stop.
    fn ask(&mut self, turn: u32) -> Result<Option<Move>, Failure> {
        loop {
            self.say(&format!("turn {}: ", turn + 1))?;
            let mut line = String::new();
            let read = io::stdin().lock().read_line(&mut line);
            match read {
                Ok(0) => return Ok(None),
                Ok(_) => {}
                Err(error) => return Err(Failure::Read { name: "standard input".to_owned(), error }),
            }
            match line.trim() {
                "c" | "C" => return Ok(Some(Move::C)),
                "d" | "D" => return Ok(Some(Move::D)),
                "q" | "Q" => return Ok(None),
                "?" => {
                    let past = Past { own: &self.mine, other: &self.theirs };
                    let beliefs = self.adviser.beliefs(&past);
                    self.say(&told("a model of the other", beliefs.as_ref()))?;
                    self.say(&format!("  it advises {}\n", self.advice))?;
                }
                _ => self.say(HELP)?,
            }
        }
    }

    /// One turn: both intend, chance decides, both see.
    fn turn(&mut self, mine: Move) -> Result<(), Failure> {
        let past = Past { own: &self.theirs, other: &self.mine };
        let theirs = self.other.choose(&past, self.dice.player(1));
        if let Some(fault) = self.other.fault() {
            let message = format!("the program failed in turn {}: {}", fault.turn, fault.why);
            return Err(Failure::Usage { message, help: None });
        }
        let [executed, replied] = self.dice.execute([mine, theirs], self.rules.noise);
        self.mine.push(executed);
        self.theirs.push(replied);
        let gained =
            [self.rules.game.first.of(executed, replied), self.rules.game.second.of(replied, executed)];
        for (score, gain) in self.scores.iter_mut().zip(gained) {
            *score += gain;
        }
        let accident = if executed == mine { "" } else { " (an accident: you meant the opposite)" };
        self.say(&format!(
            "  you {executed}{accident}, it {replied}: {} and {}, together {} and {}\n",
            gained[0], gained[1], self.scores[0], self.scores[1]
        ))?;
        let past = Past { own: &self.theirs, other: &self.mine };
        let beliefs = self.other.beliefs(&past);
        self.say(&told("it believes about you", beliefs.as_ref()))?;
        self.consult();
        Ok(())
    }

    fn consult(&mut self) {
        let past = Past { own: &self.mine, other: &self.theirs };
        self.advice = self.adviser.choose(&past, self.dice.player(0));
    }

    fn end(&self, entrant: &Entrant) -> Result<(), Failure> {
        if self.settings.json {
            return output::json(&Json {
                strategies: ["you".to_owned(), entrant.name.clone()],
                moves: [self.mine.to_string(), self.theirs.to_string()],
                scores: self.scores,
            });
        }
        output::answer(&format!(
            "\nyou {} {}\nit  {} {}\n",
            self.mine, self.scores[0], self.theirs, self.scores[1]
        ))
    }
}

/// Beliefs as lines; nothing if there are none.
fn told(title: &str, beliefs: Option<&Beliefs>) -> String {
    let Some(beliefs) = beliefs else { return String::new() };
    let mut text = format!("  {title} (conditions: its own last move, then the other's):\n");
    for line in &beliefs.lines {
        let mark = if line.holds { '>' } else { ' ' };
        text.push_str(&format!(
            "  {mark} after {:6} cooperates with {:>4.0}%  ({})\n",
            line.condition,
            100.0 * line.cooperates,
            line.because
        ));
    }
    text
}
