//! Matches between players of any kind, and the position that they are about.

use std::thread;
use std::time::{Duration, Instant};

use counterplay_base::{Budget, Progress};
use counterplay_gdl::message::terms;
use counterplay_ggp::play::{PlayerKind, Referee};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::player::{GamePlayer, PlayRequest};
use super::rules::GameRules;
use super::solving::troubled;
use crate::effort::seconds;
use crate::error::{Error, Halt};

/// A position of a game, by the plain reading of its rules.
#[derive(Clone, Debug)]
pub struct GamePosition {
    referee: Referee,
}

impl GamePosition {
    /// The beginning of a game.
    ///
    /// # Errors
    /// Hidden moves or chance, rules that cannot be followed, or the limit that was reached.
    pub fn new(rules: &GameRules, budget: &Budget) -> Result<GamePosition, Halt> {
        rules.refuse_imperfect("followed move by move")?;
        Ok(GamePosition { referee: Referee::new(rules.rules.clone(), budget).map_err(troubled)? })
    }

    /// Whether the game is over, or cannot go on since a role has no move.
    pub fn is_over(&self) -> bool {
        self.referee.is_over()
    }

    /// The legal moves of each role.
    pub fn legal_moves(&self) -> Vec<Vec<String>> {
        let display = |role| self.referee.legal(role).iter().map(|&own| self.referee.display(own)).collect();
        (0..self.referee.roles()).map(display).collect()
    }

    /// The fluents that hold, sorted.
    pub fn fluents(&self) -> Vec<String> {
        self.referee.fluents()
    }

    /// What each role gets if the match ends here; `None` where the rules do not say.
    pub fn rewards(&self) -> Vec<Option<u32>> {
        self.referee.goals().to_vec()
    }

    /// The move of a role that a text stands for, as the rules write it; `None` if it is not legal here.
    fn find(&self, role: usize, text: &str) -> Option<String> {
        let term = terms(self.referee.rules(), text)?;
        self.referee.find(role, &term).map(|own| self.referee.display(own))
    }

    /// Makes a move for each role, in the order of the rules.
    ///
    /// # Errors
    /// A move that is not legal, or the limit that was reached. The position is the old one then.
    pub fn make<T: AsRef<str>>(&mut self, joint: &[T], budget: &Budget) -> Result<(), Halt> {
        let wrong = |message: String| Error::Request { message, help: None };
        let roles = self.referee.roles();
        if joint.len() != roles {
            return Err(wrong(format!("a joint move has {roles} moves, not {}", joint.len())).into());
        }
        let mut found = Vec::new();
        for (role, text) in joint.iter().enumerate() {
            let text = text.as_ref();
            let legal = terms(self.referee.rules(), text).and_then(|term| self.referee.find(role, &term));
            let name = self.referee.role_name(role);
            let refuse = || wrong(format!("`{text}` is not a legal move of {name} here"));
            found.push(legal.ok_or_else(refuse)?);
        }
        self.referee.make(&found, budget).map_err(troubled)
    }
}

/// How a match is played.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct MatchRequest {
    /// Seconds to prepare.
    pub start_clock: f64,
    /// Seconds for a move.
    pub play_clock: f64,
    /// Threads of each player of the library.
    pub threads: usize,
    /// A match ends after so many joint moves whatever the rules say.
    pub most_moves: usize,
    /// The seed of everything that is left to chance.
    pub seed: u64,
}

impl Default for MatchRequest {
    fn default() -> MatchRequest {
        MatchRequest { start_clock: 2.0, play_clock: 1.0, threads: 1, most_moves: 10_000, seed: 0 }
    }
}

/// What a contestant is told when it has to move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchTurn {
    /// The name of its role.
    pub role: String,
    /// Its legal moves.
    pub legal: Vec<String>,
    /// The fluents that hold.
    pub fluents: Vec<String>,
    /// The joint moves so far.
    pub moves: Vec<Vec<String>>,
    /// Seconds for the move.
    pub seconds: f64,
}

/// A player of a match that the caller brings along.
pub trait Contestant: Send {
    /// How it is called in the record.
    fn name(&self) -> String;

    /// The move it makes. A text that is no legal move is recorded as an error, and another move is made in its place.
    ///
    /// # Errors
    /// What ends the match.
    fn choose(&mut self, turn: &MatchTurn) -> Result<String, Halt>;
}

/// The player of a role.
pub enum Seat {
    /// A player of the library.
    BuiltIn(PlayerKind),
    /// A player of the caller's own.
    Own(Box<dyn Contestant>),
}

/// A match that was played.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchAnswer {
    /// The names of the roles.
    pub roles: Vec<String>,
    /// Who played each role.
    pub players: Vec<String>,
    /// Joint moves, a move for each role.
    pub moves: Vec<Vec<String>>,
    /// For each joint move and role, what went wrong: `IL` and the text for a move that is not legal, `TO` for one that came too
    /// late; empty if nothing did. Another legal move was made then.
    pub errors: Vec<Vec<String>>,
    /// The fluents that hold at the end.
    pub fluents: Vec<String>,
    /// For each role.
    pub rewards: Vec<u32>,
    /// Whether the game was played to its end.
    pub completed: bool,
    /// Seconds of wall time.
    pub seconds: f64,
}

/// A seat during the match.
enum Seated {
    Random,
    Thinker(Box<GamePlayer>),
    Own(Box<dyn Contestant>),
}

/// Plays a match between players of the library and of the caller's own, one for each role. All are asked at the same time.
///
/// # Errors
/// Hidden moves or chance, too few or too many players, what a contestant ends the match with, or the limit that was reached.
pub fn play_match(
    rules: &GameRules,
    seats: Vec<Seat>,
    request: &MatchRequest,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<MatchAnswer, Halt> {
    let started = Instant::now();
    let roles: Vec<String> = rules.roles().into_iter().map(str::to_owned).collect();
    if seats.len() != roles.len() {
        let message = format!("the game has {} roles, but {} players are given", roles.len(), seats.len());
        return Err(
            Error::Request { message, help: Some(format!("the roles are {}", roles.join(", "))) }.into()
        );
    }
    let [start, play] = [request.clock(request.start_clock)?, request.clock(request.play_clock)?];
    progress.begin("starting");
    let mut position = GamePosition::new(rules, budget)?;
    let players = seats.iter().map(Seat::name).collect();
    let mut seated = sit_down(rules, &roles, seats, request, budget)?;
    if seated.iter().any(|seat| matches!(seat, Seated::Thinker(_))) {
        wait(start, budget)?;
    }
    progress.begin("playing");
    let mut random = ChaCha8Rng::seed_from_u64(request.seed);
    let (mut moves, mut errors) = (Vec::new(), Vec::new());
    while !position.is_over() && moves.len() < request.most_moves {
        budget.check()?;
        let legal = position.legal_moves();
        let answers = ask(&mut seated, &roles, &position, &moves, play, budget);
        budget.check()?;
        let mut joint = Vec::new();
        let mut wrong = Vec::new();
        for (role, answer) in answers.into_iter().enumerate() {
            let any = &legal[role][random.random_range(0..legal[role].len())];
            let (own, error) = match answer? {
                Answer::Any => (any.clone(), String::new()),
                Answer::Late => (any.clone(), "TO".to_owned()),
                Answer::Text(text) => match position.find(role, &text) {
                    Some(own) => (own, String::new()),
                    None => (any.clone(), format!("IL {}", text.trim())),
                },
            };
            joint.push(own);
            wrong.push(error);
        }
        position.make(&joint, budget)?;
        for seat in &mut seated {
            if let Seated::Thinker(player) = seat {
                player.make(&joint.iter().map(String::as_str).collect::<Vec<_>>())?;
            }
        }
        moves.push(joint);
        errors.push(wrong);
    }
    Ok(MatchAnswer {
        roles,
        players,
        moves,
        errors,
        fluents: position.fluents(),
        rewards: position.rewards().into_iter().map(Option::unwrap_or_default).collect(),
        completed: position.is_over(),
        seconds: seconds(started.elapsed()),
    })
}

impl MatchRequest {
    fn clock(&self, seconds: f64) -> Result<Duration, Error> {
        let wrong = |_| Error::Request { message: format!("`{seconds}` is no time in seconds"), help: None };
        Duration::try_from_secs_f64(seconds).map_err(wrong)
    }
}

impl Seat {
    fn name(&self) -> String {
        match self {
            Seat::BuiltIn(kind) => kind.name().to_owned(),
            Seat::Own(contestant) => contestant.name(),
        }
    }
}

fn sit_down(
    rules: &GameRules,
    roles: &[String],
    seats: Vec<Seat>,
    request: &MatchRequest,
    budget: &Budget,
) -> Result<Vec<Seated>, Halt> {
    let seated = seats.into_iter().zip(roles).enumerate().map(|(number, (seat, role))| match seat {
        Seat::Own(contestant) => Ok(Seated::Own(contestant)),
        Seat::BuiltIn(kind) if !kind.searches() => Ok(Seated::Random),
        Seat::BuiltIn(player) => {
            let seed = request.seed.wrapping_mul(31).wrapping_add(number as u64);
            let play =
                PlayRequest { player, threads: request.threads.max(1), seed, ..PlayRequest::default() };
            // A player cancels its budget when it is dropped, so it gets one of its own.
            let own =
                budget.remaining().map_or_else(Budget::unlimited, |left| Budget::unlimited().with_time(left));
            Ok(Seated::Thinker(Box::new(GamePlayer::new(rules, role, &play, own)?)))
        }
    });
    seated.collect()
}

/// Lets the players prepare.
fn wait(time: Duration, budget: &Budget) -> Result<(), Halt> {
    let end = Instant::now() + time;
    while Instant::now() < end {
        budget.check()?;
        thread::sleep(Duration::from_millis(10).min(end.saturating_duration_since(Instant::now())));
    }
    Ok(())
}

enum Answer {
    Text(String),
    Any,
    Late,
}

/// Asks all players at the same time.
fn ask(
    seated: &mut [Seated],
    roles: &[String],
    position: &GamePosition,
    moves: &[Vec<String>],
    clock: Duration,
    budget: &Budget,
) -> Vec<Result<Answer, Halt>> {
    let legal = position.legal_moves();
    let one = |(seat, (role, legal)): (&mut Seated, (&String, Vec<String>))| match seat {
        Seated::Random => Ok(Answer::Any),
        Seated::Thinker(player) => Ok(Answer::Text(player.best_move_within(clock, budget)?.text)),
        Seated::Own(contestant) => {
            if let [only] = &legal[..] {
                return Ok(Answer::Text(only.clone()));
            }
            let (fluents, moves) = (position.fluents(), moves.to_vec());
            let turn = MatchTurn { role: role.clone(), legal, fluents, moves, seconds: clock.as_secs_f64() };
            let asked = Instant::now();
            let text = contestant.choose(&turn)?;
            Ok(if asked.elapsed() > clock { Answer::Late } else { Answer::Text(text) })
        }
    };
    let seats = seated.iter_mut().zip(roles.iter().zip(legal));
    thread::scope(|scope| {
        let one = &one;
        let running: Vec<_> = seats.map(|seat| scope.spawn(move || one(seat))).collect();
        let lost = || Halt::from(Error::Internal { message: "a player of the match failed".to_owned() });
        running.into_iter().map(|one| one.join().unwrap_or_else(|_| Err(lost()))).collect()
    })
}

#[cfg(test)]
mod tests {
    use counterplay_base::Silent;

    use super::*;

    const LAMP: &str = "(role player) (init dark)
        (legal player wait) (legal player switch)
        (<= (next lit) (does player switch)) (<= (next dark) (does player wait))
        (<= terminal (true lit)) (<= (goal player 100) (true lit))";

    /// A hundred steps with a choice each: the tree of all moves has no end in sight.
    const LAMPS: &str = "(role player) (init (at 0 0))
        (digit 0 1) (digit 1 2) (digit 2 3) (digit 3 4) (digit 4 5) (digit 5 6) (digit 6 7) (digit 7 8) (digit 8 9)
        (legal player left) (legal player right)
        (<= (next (at ?a ?c)) (true (at ?a ?b)) (digit ?b ?c)) (<= (next (at ?b 0)) (true (at ?a 9)) (digit ?a ?b))
        (<= (next turned) (does player left)) (<= (next turned) (true turned))
        (<= terminal (true (at 9 9))) (<= (goal player 50) (true turned)) (<= (goal player 60) (not (true turned)))";

    struct Says(&'static str);

    impl Contestant for Says {
        fn name(&self) -> String {
            "says".to_owned()
        }

        fn choose(&mut self, turn: &MatchTurn) -> Result<String, Halt> {
            assert_eq!((&turn.role[..], turn.legal.len()), ("player", 2));
            Ok(self.0.to_owned())
        }
    }

    fn play(seat: Seat) -> MatchAnswer {
        let rules = GameRules::read("lamp", LAMP).expect("the rules are sound");
        let request = MatchRequest { start_clock: 0.05, play_clock: 5.0, ..MatchRequest::default() };
        play_match(&rules, vec![seat], &request, &Budget::unlimited(), &Silent).expect("no limit")
    }

    #[test]
    fn a_contestant_plays_and_wrong_moves_are_recorded() {
        let answer = play(Seat::Own(Box::new(Says("SWITCH"))));
        assert_eq!((answer.moves, answer.rewards), (vec![vec!["switch".to_owned()]], vec![100]));
        let answer = play(Seat::Own(Box::new(Says("jump"))));
        assert!(answer.completed && answer.errors.iter().all(|error| error[0] == "IL jump"), "{answer:?}");
    }

    #[test]
    fn a_player_of_the_library_plays() {
        let answer = play(Seat::BuiltIn(PlayerKind::Hybrid));
        assert_eq!((answer.moves.len(), answer.rewards[0], &answer.players[0][..]), (1, 100, "hybrid"));
    }

    #[test]
    fn a_limit_ends_a_match_while_a_player_thinks() {
        let rules = GameRules::read("lamps", LAMPS).expect("the rules are sound");
        let request = MatchRequest { start_clock: 0.0, play_clock: 1000.0, ..MatchRequest::default() };
        let (budget, seats) =
            (Budget::unlimited().with_time(Duration::from_millis(300)), vec![Seat::BuiltIn(PlayerKind::Uct)]);
        let halted = play_match(&rules, seats, &request, &budget, &Silent);
        assert!(matches!(halted, Err(Halt::Limit(_))), "{halted:?}");
    }

    #[test]
    fn players_and_roles_are_as_many() {
        let rules = GameRules::read("lamp", LAMP).expect("the rules are sound");
        let halted = play_match(&rules, Vec::new(), &MatchRequest::default(), &Budget::unlimited(), &Silent);
        assert!(matches!(halted, Err(Halt::Error(Error::Request { .. }))));
    }
}
