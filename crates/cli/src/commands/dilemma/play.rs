//! `counterplay dilemma play`: a person against a strategy, with a look at what models believe.

use std::io::{self, BufRead};
use std::sync::Arc;

use clap::Args;
use counterplay::dilemma::{Beliefs, MatchRules, Move, Session, SessionAnswer, TurnResult, fixed_turns};

use super::players::PlayerArguments;
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
    rules: MatchRules,

    #[command(flatten)]
    players: PlayerArguments,
}

const HELP: &str =
    "c: cooperate   d: defect   ?: what a model makes of the other, and its advice   q: stop\n";

/// Reads moves from standard input until the match is over.
pub(crate) fn run(arguments: &PlayArguments, settings: &Settings) -> Result<Exit, Failure> {
    let rules = arguments.rules.decide()?;
    let entrant = arguments.players.named(&[&arguments.other])?.find(&arguments.other)?;
    let turns = fixed_turns(&rules)?;
    // No engine looks at a budget while a person thinks; the guard does.
    let floor = sentinel::watch_command(settings, &Arc::new(Display::new(settings)));
    let mut table = Table { session: Session::new(&entrant, rules, settings.seed), settings };
    table.say(HELP)?;
    for turn in 0..turns {
        let Some(intended) = table.ask(turn)? else { break };
        table.turn(intended)?;
    }
    floor.take_or_wait();
    let answer = SessionAnswer::new(&table.session, &entrant.name);
    if settings.json {
        output::json(&answer)?;
    } else {
        output::answer(&format!("\n{}", answer.text()))?;
    }
    Ok(Exit::Found)
}

/// The session, shown on a terminal.
struct Table<'a> {
    session: Session,
    settings: &'a Settings,
}

impl Table<'_> {
    /// Everything but the final object is for people.
    fn say(&self, text: &str) -> Result<(), Failure> {
        if self.settings.json || self.settings.verbosity == Verbosity::Quiet {
            Ok(())
        } else {
            output::answer(text)
        }
    }

    /// What the person wants to do; `None` to stop.
    fn ask(&self, turn: u32) -> Result<Option<Move>, Failure> {
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
                    let (beliefs, advice) = self.session.advice();
                    self.say(&beliefs_text("a model of the other", beliefs.as_ref()))?;
                    self.say(&format!("  it advises {advice}\n"))?;
                }
                _ => self.say(HELP)?,
            }
        }
    }

    /// Plays one turn and says what came of it.
    fn turn(&mut self, intended: Move) -> Result<(), Failure> {
        let TurnResult { moves: [own, other], gains } = self.session.turn(intended).map_err(|fault| {
            let message = format!("the program failed in turn {}: {}", fault.turn, fault.why);
            Failure::Usage { message, help: None }
        })?;
        let accident = if own == intended { "" } else { " (an accident: you meant the opposite)" };
        let scores = self.session.scores;
        self.say(&format!(
            "  you {own}{accident}, it {other}: {} and {}, together {} and {}\n",
            gains[0], gains[1], scores[0], scores[1]
        ))?;
        let beliefs = self.session.opponent_beliefs();
        self.say(&beliefs_text("it believes about you", beliefs.as_ref()))
    }
}

/// Beliefs as lines; nothing if there are none.
fn beliefs_text(title: &str, beliefs: Option<&Beliefs>) -> String {
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
