//! A game manager: one match from START to STOP.
//!
//! ```text
//! participant   who plays a role: built in, over the network, or a person
//! record        what happened, as JSON and text
//! statistics    several matches: means with intervals
//! board         a position for people
//! ```

pub mod board;
mod participant;
mod record;
mod statistics;

use std::io::{self, ErrorKind};
use std::thread;
use std::time::{Duration, Instant};

use counterplay_base::{Budget, Limit};
use counterplay_gdl::Rules;
use counterplay_gdl::interpret::InterpretError;
use counterplay_gdl::message::{Message, terms};
use counterplay_ggp::play::{Player, Referee};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub use participant::{Participant, SeatError, need_perfect_information, seat_players};
pub use record::MatchRecord;
pub use statistics::{MatchSeries, Row, estimate};

use crate::http::send;
use crate::options::PlayerOptions;

/// The clocks of a match.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    pub start: Duration,
    pub play: Duration,
}

/// What is shown of a match, and the place where a person plays.
///
/// What cannot be shown ends the match.
pub trait Console: Sync {
    /// The match begins.
    fn begin(&self, referee: &Referee) -> io::Result<()>;
    /// The last joint move of the record was made.
    fn moved(&self, record: &MatchRecord, referee: &Referee) -> io::Result<()>;
    /// The game is over, or has too many moves.
    fn end(&self, record: &MatchRecord, referee: &Referee) -> io::Result<()>;
    /// Asks a person for one of several legal moves; `None` if the person wants to stop.
    fn ask(&self, role: usize, record: &MatchRecord, referee: &Referee) -> Option<String>;
}

/// No console: nothing is shown, and there is no person to ask.
#[derive(Clone, Copy, Debug)]
pub struct Unattended;

impl Console for Unattended {
    fn begin(&self, _: &Referee) -> io::Result<()> {
        Ok(())
    }
    fn moved(&self, _: &MatchRecord, _: &Referee) -> io::Result<()> {
        Ok(())
    }
    fn end(&self, _: &MatchRecord, _: &Referee) -> io::Result<()> {
        Ok(())
    }
    fn ask(&self, _: usize, _: &MatchRecord, _: &Referee) -> Option<String> {
        None
    }
}

/// Why a match could not be played to its end.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    #[error("{0}")]
    Stopped(Limit),
    /// The rules cannot be followed.
    #[error("{0}")]
    Rules(InterpretError),
    #[error("{0}")]
    Console(#[from] io::Error),
}

impl From<Limit> for MatchError {
    fn from(limit: Limit) -> MatchError {
        MatchError::Stopped(limit)
    }
}

impl From<InterpretError> for MatchError {
    fn from(trouble: InterpretError) -> MatchError {
        match trouble {
            InterpretError::Stopped(limit) => MatchError::Stopped(limit),
            other => MatchError::Rules(other),
        }
    }
}

/// A match that is to be played.
#[derive(Clone, Debug)]
pub struct Match<'a> {
    pub rules: &'a Rules,
    /// The text of the rules, for players at other hosts.
    pub text: &'a str,
    /// One for each role.
    pub players: &'a [Participant],
    pub clocks: Clocks,
    pub options: PlayerOptions,
    pub seed: u64,
}

/// Why there is no move.
enum NoMove {
    Late,
    /// The connection did not work.
    Broken,
    /// A person wants to stop.
    Leaves,
}

/// A move, and how it was found.
struct Answer {
    text: String,
    way: String,
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

impl Match<'_> {
    fn roles(&self) -> Vec<&str> {
        self.rules.roles.iter().map(|&role| self.rules.symbols.name(role)).collect()
    }

    /// Plays it.
    ///
    /// # Errors
    /// A limit, rules that cannot be followed, or a console that cannot be written to.
    pub fn run(&self, budget: &Budget, console: &dyn Console) -> Result<MatchRecord, MatchError> {
        let started = Instant::now();
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let mut referee = Referee::new(self.rules.clone(), budget)?;
        let id = format!("counterplay.{}.{:08x}", self.seed, random.next_u32());
        let mut record = MatchRecord {
            id: id.clone(),
            roles: self.roles().iter().map(|&role| role.to_owned()).collect(),
            players: self.players.iter().map(Participant::name).collect(),
            start_clock: self.clocks.start.as_secs_f64(),
            play_clock: self.clocks.play.as_secs_f64(),
            seed: self.seed,
            moves: Vec::new(),
            errors: Vec::new(),
            ways: Vec::new(),
            states: vec![referee.fluents()],
            start_errors: vec![String::new(); self.players.len()],
            rewards: Vec::new(),
            completed: false,
            seconds: 0.0,
        };
        let seats = self.seats();
        self.start(&id, &seats, &mut record);
        console.begin(&referee)?;
        let mut last: Option<Vec<String>> = None;
        while !referee.is_over() && record.moves.len() < LONGEST {
            budget.check()?;
            let answers = self.ask(&id, &seats, &last, &referee, &record, console);
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
                    Err(NoMove::Late) => (None, "TO".to_owned(), String::new()),
                    Err(NoMove::Broken) => (None, "CE".to_owned(), String::new()),
                    Err(NoMove::Leaves) => {
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
            referee.make(&joint, budget)?;
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
            console.moved(&record, &referee)?;
        }
        record.completed = referee.is_over();
        console.end(&record, &referee)?;
        self.end(&seats, &Message::Stop { id, moves: last });
        Ok(finish(record, &referee, started))
    }

    fn seats(&self) -> Vec<Seat> {
        let seat = |(role, participant): (usize, &Participant)| match participant {
            Participant::BuiltIn(kind) if !kind.searches() => Seat::Chance,
            Participant::BuiltIn(kind) => {
                let mut search = self.options.search.clone();
                search.seed = search.seed.wrapping_mul(31).wrapping_add(role as u64);
                Seat::Thinker(Player::start(self.rules, role, *kind, &search, self.options.budget()))
            }
            Participant::Remote(host) => Seat::Remote { host: host.clone() },
            Participant::Person => Seat::Person,
        };
        self.players.iter().enumerate().map(seat).collect()
    }

    /// START for all players; built-in players use the start clock to think.
    fn start(&self, id: &str, seats: &[Seat], record: &mut MatchRecord) {
        let deadline = Instant::now() + self.clocks.start;
        let rules = &on_one_line(self.text);
        let roles = &self.roles();
        let errors: Vec<String> = thread::scope(|scope| {
            let running: Vec<_> = seats
                .iter()
                .zip(roles)
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

    /// PLAY for all players at the same time.
    fn ask(
        &self,
        id: &str,
        seats: &[Seat],
        last: &Option<Vec<String>>,
        referee: &Referee,
        record: &MatchRecord,
        console: &dyn Console,
    ) -> Vec<Result<Answer, NoMove>> {
        let ply = record.moves.len();
        let roles = &self.roles();
        let clock = self.clocks.play;
        let deadline = Instant::now() + clock.saturating_sub(self.options.margin.min(clock / 10));
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
                            match send(host, roles[role], &message.write(), clock + GRACE) {
                                Ok(text) => Ok(Answer { text, way: "remote".to_owned() }),
                                Err(error) if code(&error) == "TO" => Err(NoMove::Late),
                                Err(_) => Err(NoMove::Broken),
                            }
                        }
                        Seat::Person => {
                            if let [only] = referee.legal(role) {
                                return Ok(Answer { text: referee.display(*only), way: "Forced".to_owned() });
                            }
                            let text = console.ask(role, record, referee).ok_or(NoMove::Leaves)?;
                            Ok(Answer { text, way: "person".to_owned() })
                        }
                    })
                })
                .collect();
            running.into_iter().map(|one| one.join().unwrap_or(Err(NoMove::Broken))).collect()
        })
    }

    /// Any legal move.
    fn any(&self, ply: usize, role: usize, referee: &Referee) -> Answer {
        let seed = self.seed ^ ((ply * 64 + role + 1) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let legal = referee.legal(role);
        let place = ChaCha8Rng::seed_from_u64(seed).next_u64() % legal.len() as u64;
        Answer { text: referee.display(legal[place as usize]), way: "Random".to_owned() }
    }

    /// STOP or ABORT; the replies do not matter.
    fn end(&self, seats: &[Seat], message: &Message) {
        let roles = &self.roles();
        let patience = self.clocks.play.clamp(GRACE, Duration::from_secs(5));
        thread::scope(|scope| {
            for (seat, role) in seats.iter().zip(roles) {
                if let Seat::Remote { host } = seat {
                    scope.spawn(move || send(host, role, &message.write(), patience));
                }
            }
        });
    }
}

fn finish(mut record: MatchRecord, referee: &Referee, started: Instant) -> MatchRecord {
    record.rewards = referee.goals().iter().map(|goal| goal.unwrap_or(0)).collect();
    record.seconds = started.elapsed().as_secs_f64();
    record
}

fn code(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::TimedOut | ErrorKind::WouldBlock => "TO",
        _ => "CE",
    }
}

/// The rules on one line, without comments: as managers send them.
fn on_one_line(text: &str) -> String {
    let bare = text.lines().flat_map(|line| line.split(';').next()).flat_map(str::split_whitespace);
    bare.collect::<Vec<_>>().join(" ")
}
