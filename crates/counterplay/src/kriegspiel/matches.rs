//! Matches: many games between two contestants, with what they say about the difference in strength.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use counterplay_base::{Budget, Limit, Progress, Report};
use counterplay_kriegspiel::chess::{Board, Color};
use counterplay_kriegspiel::contest::{
    Contestant, Elo, Evader, Outcome, PlayedGame, Tally, Terms, play_game,
};
use counterplay_kriegspiel::{Careful, Expert, Greedy, RandomPlayer, Rash, RuleSet};
use serde::{Deserialize, Serialize};

use super::play::START;
use crate::effort::seconds;
use crate::error::Error;
use crate::figures::count;

/// Who plays, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct MatchRequest {
    /// The first player: expert, careful, rash, greedy, random, evader (who sees the board), or the name of a program
    #[cfg_attr(feature = "clap", arg(value_name = "A"))]
    pub first: String,

    /// The second player
    #[cfg_attr(feature = "clap", arg(value_name = "B"))]
    pub second: String,

    /// How many games; the players change colours from game to game
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = MatchRequest::default().games,
        value_parser = clap::value_parser!(u32).range(1..)))]
    pub games: u32,

    /// What the referee announces: paper, wild16, cincinnati or rand
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", default_value_t = MatchRequest::default().rules))]
    pub rules: String,

    /// Where to begin; both players know it
    #[cfg_attr(feature = "clap", arg(long, value_name = "FEN", default_value_t = MatchRequest::default().fen))]
    pub fen: String,

    /// A game is drawn after so many moves of each side; rejected tries do not count
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = MatchRequest::default().moves))]
    pub moves: usize,

    /// The first player has White in every game
    #[cfg_attr(feature = "clap", arg(long))]
    pub keep_colours: bool,

    /// The seed of everything that is left to chance.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub seed: u64,

    /// How many games are played at the same time; as many as there are cores if it is left open. The answer does not depend on it.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub threads: Option<NonZero<usize>>,
}

impl Default for MatchRequest {
    fn default() -> MatchRequest {
        MatchRequest {
            first: "expert".to_owned(),
            second: "careful".to_owned(),
            games: 20,
            rules: RuleSet::Paper.name().to_owned(),
            fen: START.to_owned(),
            moves: 200,
            keep_colours: false,
            seed: 0,
            threads: None,
        }
    }
}

/// The result of a match, from the first player's side. Its JSON form is what `counterplay kriegspiel match --json` prints.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchAnswer {
    /// `stopped` if a limit ended the match: the games finished by then count. Left out otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<&'static str>,
    /// The name of the limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    /// The names of the players.
    pub players: [String; 2],
    /// The rule set.
    pub rules: String,
    /// Games that were finished.
    pub games: u32,
    /// Games that the first player won.
    pub wins: u32,
    /// Drawn games, those that reached the largest number of moves among them.
    pub draws: u32,
    /// Games that the first player lost.
    pub losses: u32,
    /// The first player's share of the points; null without a game.
    pub score: Option<f64>,
    /// The difference in rating points at which that score is expected; null if it is without bound or there is no game.
    pub elo: Option<f64>,
    /// The lower end of its 95 % confidence interval (Wilson); null if it is without bound.
    pub elo_low: Option<f64>,
    /// The upper end.
    pub elo_high: Option<f64>,
    /// The chance of so many wins or more among the decided games if both were equal (sign test, one-sided).
    pub p_value: f64,
    /// The finished games, in their order.
    pub results: Vec<MatchGame>,
    /// Games in which a player failed; they count as lost.
    pub faults: Vec<MatchFault>,
    /// Seconds of wall time.
    pub seconds: f64,
}

/// One game of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchGame {
    /// Its number, from 1.
    pub game: usize,
    /// The name of the player with White.
    pub white: String,
    /// `w` or `b`; null for a draw.
    pub winner: Option<String>,
    /// How it ended: `checkmate`, `stalemate`, `insufficient`, `unfinished`, `resigned` or `forfeited`.
    pub end: &'static str,
    /// Accepted moves of both sides.
    pub plies: usize,
    /// Rejected tries of White and of Black.
    pub rejected: [usize; 2],
    /// The last position.
    pub position: String,
}

/// A player that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchFault {
    /// The name of the player.
    pub player: String,
    /// The number of the game, from 1.
    pub game: usize,
    /// What it did wrong, in a sentence.
    pub why: String,
}

/// What a contestant is told before a game.
#[derive(Clone, Copy, Debug)]
pub struct SeatSetup {
    /// The side it plays.
    pub color: Color,
    /// The terms of the game.
    pub terms: Terms,
    /// The same seed gives the same game.
    pub seed: u64,
}

/// A player of the caller's own.
type Maker<'a> = Box<dyn Fn(&SeatSetup) -> Contestant + Sync + 'a>;

/// The players that a match may name.
#[derive(Default)]
pub struct Contestants<'a> {
    own: Vec<(String, Maker<'a>)>,
}

/// The names of the players of the library.
pub const PLAYERS: [&str; 6] = ["expert", "careful", "rash", "greedy", "random", "evader"];

impl<'a> Contestants<'a> {
    /// Adds a player of the caller's own.
    #[must_use]
    pub fn with(
        mut self,
        name: impl Into<String>,
        make: impl Fn(&SeatSetup) -> Contestant + Sync + 'a,
    ) -> Contestants<'a> {
        self.own.push((name.into(), Box::new(make)));
        self
    }

    fn check(&self, name: &str) -> Result<(), Error> {
        if PLAYERS.contains(&name) || self.own.iter().any(|(own, _)| own == name) {
            return Ok(());
        }
        let message = format!("there is no player `{name}`");
        Err(Error::Request { message, help: Some(format!("the players are {}", PLAYERS.join(", "))) })
    }

    fn seat(&self, name: &str, setup: &SeatSetup) -> Contestant {
        if let Some((_, make)) = self.own.iter().find(|(own, _)| own == name) {
            return make(setup);
        }
        seat(name, setup).unwrap_or_else(|| Contestant::Player(Box::new(RandomPlayer::new(setup.seed))))
    }
}

/// A player of the library by its name.
pub fn seat(name: &str, setup: &SeatSetup) -> Option<Contestant> {
    let SeatSetup { color, terms: Terms { root, rules, .. }, seed } = *setup;
    Some(match name {
        "expert" => Contestant::Player(Box::new(Expert::new(root, color, rules, seed))),
        "careful" => Contestant::Player(Box::new(Careful::new(root, color, seed))),
        "rash" => Contestant::Player(Box::new(Rash::new(root, color, seed))),
        "greedy" => Contestant::Player(Box::new(Greedy::new(root, color, seed))),
        "random" => Contestant::Player(Box::new(RandomPlayer::new(seed))),
        "evader" => Contestant::Seer(Box::new(Evader)),
        _ => return None,
    })
}

/// A match that knows its games so far.
struct Standing {
    games: Vec<Option<PlayedGame>>,
    stopped: Option<Limit>,
    /// Games with a failure. After some of them no more games are begun.
    faults: usize,
}

/// A match ends when its players have failed so often.
const MOST_FAULTS: usize = 3;

/// Plays a match. A limit ends it early; the games that were finished by then are answered.
///
/// # Errors
/// An unknown player or rule set, or a position that cannot be read or is over.
pub fn play_match(
    contestants: &Contestants<'_>,
    request: &MatchRequest,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<MatchAnswer, Error> {
    play_match_telling(contestants, request, budget, progress, &|_| {})
}

/// The same; `tell` hears the standing after each game.
///
/// # Errors
/// As above.
pub fn play_match_telling(
    contestants: &Contestants<'_>,
    request: &MatchRequest,
    budget: &Budget,
    progress: &dyn Progress,
    tell: &(dyn Fn(MatchAnswer) + Sync),
) -> Result<MatchAnswer, Error> {
    let started = Instant::now();
    let wrong = |message: String| Error::Request { message, help: None };
    contestants.check(&request.first)?;
    contestants.check(&request.second)?;
    let root = Board::from_fen(&request.fen).map_err(|error| wrong(format!("`fen`: {error}")))?;
    let rules: RuleSet = request.rules.parse().map_err(|error| wrong(format!("`rules`: {error}")))?;
    let terms = Terms { root, rules, moves: request.moves };
    let games = request.games as usize;
    let standing = Mutex::new(Standing { games: vec![None; games], stopped: None, faults: 0 });
    let next = AtomicUsize::new(0);
    let cores = request.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get);
    progress.begin("playing");
    let one_after_the_other = || {
        loop {
            let game = next.fetch_add(1, Ordering::Relaxed);
            if game >= games {
                return;
            }
            {
                let standing = standing.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                if standing.stopped.is_some() || standing.faults >= MOST_FAULTS {
                    return;
                }
            }
            let names = request.names(game);
            let seed = request.seed.wrapping_mul(0x1_0000).wrapping_add(game as u64).wrapping_mul(2);
            let setup = |color: Color| SeatSetup { color, terms, seed: seed + color as u64 };
            let mut seats = [
                contestants.seat(names[0], &setup(Color::White)),
                contestants.seat(names[1], &setup(Color::Black)),
            ];
            let played = play_game(&terms, &mut seats, budget);
            drop(seats);
            let mut standing = standing.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            match played {
                Ok(played) => {
                    standing.faults += usize::from(matches!(played.outcome, Outcome::Forfeited(_)));
                    standing.games[game] = Some(played);
                    let done = standing.games.iter().flatten().count() as f64;
                    progress.report(Report { phase: "playing", counts: &[("games", done)] });
                    tell(answer(request, rules, &standing, started));
                }
                Err(limit) => {
                    standing.stopped.get_or_insert(limit);
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..cores.min(games) {
            scope.spawn(one_after_the_other);
        }
        one_after_the_other();
    });
    let standing = standing.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    Ok(answer(request, rules, &standing, started))
}

impl MatchRequest {
    /// Who has White and Black in a game, counted from 0.
    fn names(&self, game: usize) -> [&str; 2] {
        match self.keep_colours || game.is_multiple_of(2) {
            true => [&self.first, &self.second],
            false => [&self.second, &self.first],
        }
    }
}

fn answer(request: &MatchRequest, rules: RuleSet, standing: &Standing, started: Instant) -> MatchAnswer {
    let mut tally = Tally::default();
    let (mut results, mut faults) = (Vec::new(), Vec::new());
    for (index, played) in standing.games.iter().enumerate() {
        let Some(played) = played else { continue };
        let names = request.names(index);
        let first = if request.keep_colours || index % 2 == 0 { Color::White } else { Color::Black };
        match played.winner {
            Some(winner) if winner == first => tally.wins += 1,
            Some(_) => tally.losses += 1,
            None => tally.draws += 1,
        }
        if let (Outcome::Forfeited(why), Some(winner)) = (&played.outcome, played.winner) {
            let player = names[winner.other() as usize].to_owned();
            faults.push(MatchFault { player, game: index + 1, why: why.clone() });
        }
        results.push(MatchGame {
            game: index + 1,
            white: names[0].to_owned(),
            winner: played.winner.map(|color| color.letter().to_string()),
            end: played.outcome.name(),
            plies: played.moves.len(),
            rejected: played.rejected,
            position: played.position.to_string(),
        });
    }
    let elo = tally.elo().unwrap_or(Elo { difference: None, low: None, high: None });
    MatchAnswer {
        verdict: standing.stopped.map(|_| "stopped"),
        limit: standing.stopped.map(Limit::name),
        players: [request.first.clone(), request.second.clone()],
        rules: rules.name().to_owned(),
        games: tally.games(),
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        score: (tally.games() > 0).then(|| tally.score()),
        elo: elo.difference,
        elo_low: elo.low,
        elo_high: elo.high,
        p_value: tally.p_value(),
        results,
        faults,
        seconds: seconds(started.elapsed()),
    }
}

impl MatchAnswer {
    /// The same answer of a match that a limit ended.
    #[must_use]
    pub fn stopped(self, limit: Limit) -> MatchAnswer {
        MatchAnswer { verdict: Some("stopped"), limit: Some(limit.name()), ..self }
    }

    /// The result for people.
    pub fn text(&self) -> String {
        let [first, second] = &self.players;
        let mut text = format!(
            "{first} against {second}: {}, {} won, {} drawn, {} lost\n",
            count(self.games as usize, "game"),
            self.wins,
            self.draws,
            self.losses
        );
        let end = |points: Option<f64>, none: &str| {
            points.map_or(none.to_owned(), |points| format!("{points:+.0}"))
        };
        if let Some(score) = self.score {
            text += &format!(
                "score {:.1} %, Elo {} (95 %: {} to {})\n",
                100.0 * score,
                end(self.elo, "without bound"),
                end(self.elo_low, "without bound"),
                end(self.elo_high, "without bound"),
            );
        }
        let mut ends: Vec<&str> = self.results.iter().map(|game| game.end).collect();
        ends.sort_unstable();
        let kinds = ends.chunk_by(|a, b| a == b).map(|same| format!("{} {}", same.len(), same[0]));
        text + &kinds.collect::<Vec<_>>().join(", ") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use counterplay_base::Silent;
    use counterplay_kriegspiel::Extras;
    use counterplay_kriegspiel::KriegEvent;
    use counterplay_kriegspiel::chess::Move;
    use counterplay_kriegspiel::contest::{Choice, Outsider};

    use super::*;

    fn played(request: &MatchRequest, contestants: &Contestants<'_>, budget: &Budget) -> MatchAnswer {
        play_match(contestants, request, budget, &Silent).expect("a sound request")
    }

    #[test]
    fn the_answer_does_not_depend_on_the_threads() {
        let request = MatchRequest {
            first: "greedy".to_owned(),
            second: "random".to_owned(),
            games: 4,
            moves: 12,
            ..MatchRequest::default()
        };
        let one = MatchRequest { threads: NonZero::new(1), ..request.clone() };
        let two = MatchRequest { threads: NonZero::new(2), ..request };
        let budget = Budget::unlimited();
        let own = Contestants::default();
        let (one, two) = (played(&one, &own, &budget), played(&two, &own, &budget));
        assert_eq!(one.results, two.results);
        assert_eq!((one.games, one.results[1].white.as_str()), (4, "random"));
    }

    #[test]
    fn endings_are_won_in_every_game() {
        for fen in ["8/8/8/3k4/8/8/8/KQ6 w - - 0 1", "8/8/8/3k4/8/8/8/KR6 w - - 0 1"] {
            for second in ["evader", "random"] {
                let request = MatchRequest {
                    second: second.to_owned(),
                    games: 8,
                    moves: 50,
                    fen: fen.to_owned(),
                    keep_colours: true,
                    ..MatchRequest::default()
                };
                let answer = played(&request, &Contestants::default(), &Budget::unlimited());
                assert_eq!((answer.wins, answer.elo), (8, None), "{}", answer.text());
            }
        }
    }

    /// A contestant that always answers the same.
    struct Stubborn(Choice);

    impl Outsider for Stubborn {
        fn choose(&mut self, _: &Budget) -> Choice {
            self.0.clone()
        }
        fn nonsense(&mut self, _: Move) {}
        fn hear(&mut self, _: KriegEvent, _: Extras) {}
        fn over(&mut self, won: Option<bool>, _: &str) {
            assert_eq!(won, Some(false));
        }
    }

    #[test]
    fn contestants_that_fail_lose_and_are_named() {
        let nonsense = Choice::Try("e2e5".parse().unwrap());
        for (choice, end) in [
            (Choice::Fault("it hangs".to_owned()), "forfeited"),
            (Choice::Resign, "resigned"),
            (nonsense, "forfeited"),
        ] {
            let own = Contestants::default()
                .with("me", move |_: &SeatSetup| Contestant::Outsider(Box::new(Stubborn(choice.clone()))));
            let request = MatchRequest {
                first: "me".to_owned(),
                second: "random".to_owned(),
                games: 2,
                threads: NonZero::new(1),
                ..MatchRequest::default()
            };
            let answer = played(&request, &own, &Budget::unlimited());
            assert_eq!((answer.losses, answer.results[0].end), (2, end), "{answer:?}");
            assert_eq!(answer.faults.len(), if end == "forfeited" { 2 } else { 0 });
        }
    }

    #[test]
    fn a_limit_keeps_what_was_finished() {
        let budget = Budget::unlimited();
        budget.cancel();
        let answer = played(&MatchRequest::default(), &Contestants::default(), &budget);
        assert_eq!((answer.verdict, answer.limit, answer.games), (Some("stopped"), Some("interrupt"), 0));
        assert_eq!((answer.score, answer.elo_low), (None, None));
    }

    #[test]
    fn wrong_requests_are_told() {
        let wrong = |request: MatchRequest| {
            play_match(&Contestants::default(), &request, &Budget::unlimited(), &Silent)
                .unwrap_err()
                .to_string()
        };
        let base = MatchRequest::default;
        assert!(wrong(MatchRequest { first: "deep".to_owned(), ..base() }).contains("`deep`"));
        assert!(wrong(MatchRequest { rules: "icc".to_owned(), ..base() }).contains("wild16"));
        assert!(wrong(MatchRequest { fen: "8/8".to_owned(), ..base() }).contains("`fen`"));
    }
}
