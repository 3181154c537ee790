//! One match from START to STOP.

use std::io::{self, BufRead, ErrorKind};
use std::thread;
use std::time::{Duration, Instant};

use counterplay_base::Budget;
use counterplay_gdl::interpret::Trouble;
use counterplay_ggp::play::{Player, Referee};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use super::board;
use super::participant::Participant;
use super::record::Record;
use super::talk;
use crate::commands::game::Sheet;
use crate::commands::game::protocol::{Message, send, terms};
use crate::commands::game::station::Manner;
use crate::failure::{Failure, Halt};
use crate::output;

/// The clocks of a match.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clocks {
    pub(crate) start: Duration,
    pub(crate) play: Duration,
}

/// What is told while a match is played.
pub(crate) struct Stage {
    /// Whether moves are told.
    pub(crate) speaks: bool,
    /// Whether positions are shown.
    pub(crate) is_shown: bool,
    /// Whether a program sits in the place of a person.
    pub(crate) lines: bool,
}

/// A match that is to be played.
pub(crate) struct Course<'a> {
    pub(crate) sheet: &'a Sheet,
    pub(crate) roles: &'a [&'a str],
    pub(crate) players: &'a [Participant],
    pub(crate) clocks: Clocks,
    pub(crate) manner: Manner,
    pub(crate) seed: u64,
}

/// Why there is no move.
pub(super) enum Problem {
    /// Too late.
    Late,
    /// The connection did not work.
    Broken,
    /// A person wants to stop.
    Leaves,
}

/// A move, and how it was found.
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) way: String,
}

/// A manager waits so much longer than the clock, as ggp-base's does.
const GRACE: Duration = Duration::from_secs(1);
/// Matches end after so many moves whatever the rules say.
const LONGEST: usize = 10_000;

/// A role's player during a match.
enum Seat {
    Chance,
    Thinker(Player),
    Remote { host: String },
    Person,
}

impl Course<'_> {
    /// Plays it.
    pub(crate) fn run(&self, budget: &Budget, stage: &mut Stage) -> Result<Record, Halt> {
        let started = Instant::now();
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let mut referee = Referee::new(self.sheet.rules.clone(), budget).map_err(halt)?;
        let id = format!("counterplay.{}.{:08x}", self.seed, random.next_u32());
        let mut record = Record {
            id: id.clone(),
            roles: self.roles.iter().map(|&role| role.to_owned()).collect(),
            players: self.players.iter().map(Participant::name).collect(),
            start_clock: self.clocks.start.as_secs_f64(),
            play_clock: self.clocks.play.as_secs_f64(),
            seed: self.seed,
            moves: Vec::new(),
            errors: Vec::new(),
            ways: Vec::new(),
            states: vec![referee.fluents()],
            start_errors: vec![String::new(); self.roles.len()],
            rewards: Vec::new(),
            completed: false,
            seconds: 0.0,
        };
        let seats = self.seats();
        self.start(&id, &seats, &mut record);
        if stage.is_shown {
            output::answer(&board::show(&referee.fluents()))?;
        }
        let mut last: Option<Vec<String>> = None;
        while !referee.is_over() && record.moves.len() < LONGEST {
            budget.check()?;
            let ply = record.moves.len();
            let talk = stage.lines.then_some(&record);
            let answers = self.ask(&id, &seats, ply, &last, &referee, talk);
            let mut joint = Vec::new();
            let mut errors = Vec::new();
            let mut ways = Vec::new();
            for (role, answer) in answers.into_iter().enumerate() {
                let legal = referee.legal(role);
                let (own, error, way) = match answer {
                    Ok(answer) => {
                        let found =
                            terms(referee.rules(), &answer.text).and_then(|term| referee.find(role, &term));
                        let error = if found.is_none() {
                            format!("IL {}", answer.text.trim())
                        } else {
                            String::new()
                        };
                        (found, error, answer.way)
                    }
                    Err(Problem::Late) => (None, "TO".to_owned(), String::new()),
                    Err(Problem::Broken) => (None, "CE".to_owned(), String::new()),
                    Err(Problem::Leaves) => {
                        self.end(&seats, &Message::Abort { id: id.clone() });
                        return Ok(finish(record, &referee, started));
                    }
                };
                let any = legal[((u64::from(random.next_u32()) * legal.len() as u64) >> 32) as usize];
                joint.push(own.unwrap_or(any));
                errors.push(error);
                ways.push(way);
            }
            let texts: Vec<String> = joint.iter().map(|&own| referee.display(own)).collect();
            referee.make(&joint, budget).map_err(halt)?;
            for seat in &seats {
                if let Seat::Thinker(player) = seat {
                    player.make(&texts);
                }
            }
            record.moves.push(texts.clone());
            record.errors.push(errors);
            record.ways.push(ways);
            record.states.push(referee.fluents());
            last = Some(texts);
            if stage.speaks {
                output::answer(&record.step(ply))?;
            }
            if stage.is_shown {
                output::answer(&board::show(&referee.fluents()))?;
            }
        }
        record.completed = referee.is_over();
        if stage.lines {
            let rewards: Vec<_> = referee.goals().iter().map(|goal| goal.unwrap_or(0)).collect();
            let mut news = talk::position(&record, &referee);
            news["rewards"] = json!(rewards);
            output::json(&news)?;
        }
        self.end(&seats, &Message::Stop { id, moves: last });
        Ok(finish(record, &referee, started))
    }

    fn seats(&self) -> Vec<Seat> {
        let seat = |(role, participant): (usize, &Participant)| match participant {
            Participant::BuiltIn(built_in) => match built_in.kind() {
                None => Seat::Chance,
                Some(kind) => {
                    let mut search = self.manner.search.clone();
                    search.seed = search.seed.wrapping_mul(31).wrapping_add(role as u64);
                    Seat::Thinker(Player::start(&self.sheet.rules, role, kind, &search, self.manner.budget()))
                }
            },
            Participant::Remote(host) => Seat::Remote { host: host.clone() },
            Participant::Person => Seat::Person,
        };
        self.players.iter().enumerate().map(seat).collect()
    }

    /// START for everybody; built-in players use the start clock to think.
    fn start(&self, id: &str, seats: &[Seat], record: &mut Record) {
        let deadline = Instant::now() + self.clocks.start;
        let rules = &self.sheet.on_one_line();
        let errors: Vec<String> = thread::scope(|scope| {
            let running: Vec<_> = seats
                .iter()
                .zip(self.roles)
                .map(|(seat, role)| {
                    scope.spawn(move || match seat {
                        Seat::Chance | Seat::Person => String::new(),
                        Seat::Thinker(player) => {
                            player.prepare(0, deadline);
                            String::new()
                        }
                        Seat::Remote { host } => {
                            let message = Message::Start {
                                id: id.to_owned(),
                                role: (*role).to_owned(),
                                rules: rules.clone(),
                                start: self.clocks.start,
                                play: self.clocks.play,
                            };
                            match send(host, role, &message.write(), self.clocks.start + GRACE) {
                                Ok(reply) if reply.trim().eq_ignore_ascii_case("ready") => String::new(),
                                Ok(reply) => format!("said `{}` at START", reply.trim()),
                                Err(error) => code(&error).to_owned(),
                            }
                        }
                    })
                })
                .collect();
            running.into_iter().map(|one| one.join().unwrap_or_else(|_| "CE".to_owned())).collect()
        });
        record.start_errors = errors;
    }

    /// PLAY for everybody at the same time.
    fn ask(
        &self,
        id: &str,
        seats: &[Seat],
        ply: usize,
        last: &Option<Vec<String>>,
        referee: &Referee,
        talk: Option<&Record>,
    ) -> Vec<Result<Answer, Problem>> {
        let clock = self.clocks.play;
        let deadline = Instant::now() + clock.saturating_sub(self.manner.margin.min(clock / 10));
        thread::scope(|scope| {
            let running: Vec<_> = seats
                .iter()
                .enumerate()
                .map(|(role, seat)| {
                    scope.spawn(move || match seat {
                        Seat::Chance => Ok(self.any(ply, role, referee)),
                        Seat::Thinker(player) => {
                            let legal = referee.legal(role);
                            if let [only] = legal {
                                return Ok(Answer { text: referee.display(*only), way: "Forced".to_owned() });
                            }
                            // A player that has nothing yet, on a busy machine, makes any legal move in time.
                            Ok(match player.choose(ply, deadline) {
                                Some(choice) => {
                                    Answer { way: format!("{:?}", choice.way), text: choice.text }
                                }
                                None => self.any(ply, role, referee),
                            })
                        }
                        Seat::Remote { host } => {
                            let message = Message::Play { id: id.to_owned(), moves: last.clone() };
                            match send(host, self.roles[role], &message.write(), clock + GRACE) {
                                Ok(text) => Ok(Answer { text, way: "remote".to_owned() }),
                                Err(error) if code(&error) == "TO" => Err(Problem::Late),
                                Err(_) => Err(Problem::Broken),
                            }
                        }
                        Seat::Person => match talk {
                            Some(record) => talk::ask(role, record, referee),
                            None => person(role, self.roles[role], referee),
                        },
                    })
                })
                .collect();
            running.into_iter().map(|one| one.join().unwrap_or(Err(Problem::Broken))).collect()
        })
    }

    /// Any legal move.
    fn any(&self, ply: usize, role: usize, referee: &Referee) -> Answer {
        let seed = self.seed ^ ((ply * 64 + role + 1) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let legal = referee.legal(role);
        let place = ChaCha8Rng::seed_from_u64(seed).next_u64() % legal.len() as u64;
        Answer { text: referee.display(legal[place as usize]), way: "Random".to_owned() }
    }

    /// STOP or ABORT; nobody cares what the players say to that.
    fn end(&self, seats: &[Seat], message: &Message) {
        let patience = self.clocks.play.clamp(GRACE, Duration::from_secs(5));
        thread::scope(|scope| {
            for (seat, role) in seats.iter().zip(self.roles) {
                if let Seat::Remote { host } = seat {
                    scope.spawn(move || send(host, role, &message.write(), patience));
                }
            }
        });
    }
}

fn finish(mut record: Record, referee: &Referee, started: Instant) -> Record {
    record.rewards = referee.goals().iter().map(|goal| goal.unwrap_or(0)).collect();
    record.seconds = started.elapsed().as_secs_f64();
    record
}

fn halt(trouble: Trouble) -> Halt {
    match trouble {
        Trouble::Stopped(limit) => Halt::Limit(limit),
        other => Failure::Usage { message: other.to_string(), help: None }.into(),
    }
}

fn code(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::TimedOut | ErrorKind::WouldBlock => "TO",
        _ => "CE",
    }
}

/// Asks the person at the terminal.
fn person(role: usize, name: &str, referee: &Referee) -> Result<Answer, Problem> {
    let legal: Vec<String> = referee.legal(role).iter().map(|&own| referee.display(own)).collect();
    if let [only] = &legal[..] {
        return Ok(Answer { text: only.clone(), way: "Forced".to_owned() });
    }
    let list: Vec<String> =
        legal.iter().enumerate().map(|(at, text)| format!("{:>3} {text}", at + 1)).collect();
    let mut question = format!("{name}, your moves:\n{}\n", list.join("\n"));
    loop {
        question.push_str("number or move, q to stop: ");
        if output::answer(&question).is_err() {
            return Err(Problem::Leaves);
        }
        let mut line = String::new();
        match io::stdin().lock().read_line(&mut line) {
            Ok(0) | Err(_) => return Err(Problem::Leaves),
            Ok(_) => {}
        }
        let line = line.trim();
        if line.eq_ignore_ascii_case("q") {
            return Err(Problem::Leaves);
        }
        let by_number = line.parse::<usize>().ok().and_then(|at| legal.get(at.wrapping_sub(1)).cloned());
        let by_text = || {
            let term = terms(referee.rules(), line)?;
            referee.find(role, &term).map(|own| referee.display(own))
        };
        if let Some(text) = by_number.or_else(by_text) {
            return Ok(Answer { text, way: "person".to_owned() });
        }
        question = format!("`{line}` is not among your moves\n");
    }
}
