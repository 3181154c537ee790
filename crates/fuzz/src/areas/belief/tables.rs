//! An abstract belief world as tables, in text and for the engines.
//!
//! `(act STATE ATTEMPT OUTCOME)` and `(reply STATE OUTCOME)`, where an outcome is `won`, `lost` or `open PERCEPT STATE`. An attempt without a
//! line is rejected. `(belief STATE…)` are the states held possible, `(depth N)` the number of steps of both sides. `(try ATTEMPT HEARD)` and `(step
//! REJECTIONS PERCEPT)` are what happened before, for estimation; `HEARD` is `rejected` or a percept.

use std::fmt::Write;

use counterplay_belief::{After, Event, HiddenWorld, Observed};
use counterplay_check::{Referee, Ruling};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A world of a case.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    pub(super) acts: Vec<(u8, u8, After<u8, u8>)>,
    pub(super) replies: Vec<(u8, After<u8, u8>)>,
    pub(super) belief: Vec<u8>,
    pub(super) depth: usize,
    pub(super) history: Vec<Event<u8, u8>>,
}

impl Tables {
    /// Reads the text; `None` if it is not such a world.
    pub(super) fn read(text: &str) -> Option<Tables> {
        let mut tables = Tables::default();
        for line in text.split(['(', ')']).map(str::trim).filter(|line| !line.is_empty()) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let number = |at: usize| words.get(at).and_then(|word| word.parse::<u8>().ok());
            match *words.first()? {
                "act" => tables.acts.push((number(1)?, number(2)?, outcome(words.get(3..)?)?)),
                "reply" => tables.replies.push((number(1)?, outcome(words.get(2..)?)?)),
                "belief" => {
                    tables.belief = words[1..].iter().map(|word| word.parse().ok()).collect::<Option<_>>()?;
                }
                "depth" => tables.depth = usize::from(number(1)?),
                "try" => {
                    let heard = if *words.get(2)? == "rejected" { None } else { Some(number(2)?) };
                    tables.history.push(Event::Own { attempt: number(1)?, heard });
                }
                "step" => {
                    tables
                        .history
                        .push(Event::Other { rejections: usize::from(number(1)?), heard: number(2)? });
                }
                _ => return None,
            }
        }
        // Two outcomes of one attempt in one state would be chance, which is the other side's part here.
        let unique = tables.acts.iter().enumerate().all(|(at, (state, attempt, _))| {
            tables.acts[..at].iter().all(|(known, tried, _)| (known, tried) != (state, attempt))
        });
        (unique && !tables.belief.is_empty() && tables.depth % 2 == 1 && tables.depth < 8).then_some(tables)
    }

    /// A random world as text, with a history of `events` that can have happened.
    pub(super) fn random(rng: &mut ChaCha8Rng, events: usize) -> String {
        let states = rng.random_range(2..11u8);
        let attempts = rng.random_range(1..6u8);
        let percepts = rng.random_range(1..4u8);
        let (wins, loses) = (rng.random_range(0.05..0.6), rng.random_range(0.0..0.25));
        let rejects = rng.random_range(0.0..0.7);
        let most_replies = rng.random_range(1..4u8);
        let outcome = |rng: &mut ChaCha8Rng, wins: f64, loses: f64| {
            let roll: f64 = rng.random();
            match roll {
                roll if roll < wins => "won".to_owned(),
                roll if roll < wins + loses => "lost".to_owned(),
                _ => format!("open {} {}", rng.random_range(0..percepts), rng.random_range(0..states)),
            }
        };
        let mut text = String::new();
        for state in 0..states {
            for attempt in 0..attempts {
                if !rng.random_bool(rejects) {
                    let _ = writeln!(text, "(act {state} {attempt} {})", outcome(rng, wins, loses));
                }
            }
            for _ in 0..rng.random_range(0..=most_replies) {
                let _ = writeln!(text, "(reply {state} {})", outcome(rng, 0.1, 0.05));
            }
        }
        let size = rng.random_range(1..=states.min(5));
        let belief: Vec<String> = (0..size).map(|_| rng.random_range(0..states).to_string()).collect();
        let depth = [1, 3, 3, 3, 5][rng.random_range(0..5)];
        let _ = writeln!(text, "(belief {})\n(depth {depth})", belief.join(" "));
        if let Some(world) = Tables::read(&text) {
            world.invent_history(rng, events, attempts, &mut text);
        }
        text
    }

    /// Follows one true course and writes down what was heard of it.
    fn invent_history(&self, rng: &mut ChaCha8Rng, events: usize, attempts: u8, text: &mut String) {
        let mut state = self.belief[rng.random_range(0..self.belief.len())];
        for _ in 0..events {
            let attempt = rng.random_range(0..attempts);
            match self.act_of(state, attempt) {
                None => {
                    let _ = writeln!(text, "(try {attempt} rejected)");
                    continue;
                }
                Some(After::Open(percept, next)) => {
                    let _ = writeln!(text, "(try {attempt} {percept})");
                    state = next;
                }
                Some(_) => return,
            }
            let open: Vec<(u8, u8)> = self
                .replies_of(state)
                .filter_map(|reply| match reply {
                    After::Open(percept, next) => Some((percept, next)),
                    _ => None,
                })
                .collect();
            if open.is_empty() {
                return;
            }
            let (percept, next) = open[rng.random_range(0..open.len())];
            let rejections = rng.random_range(0..=self.rejectable_in(state));
            let _ = writeln!(text, "(step {rejections} {percept})");
            state = next;
        }
    }

    pub(super) fn act_of(&self, state: u8, attempt: u8) -> Option<After<u8, u8>> {
        let found = self.acts.iter().find(|(of, tried, _)| *of == state && *tried == attempt);
        found.map(|(_, _, outcome)| *outcome)
    }

    pub(super) fn replies_of(&self, state: u8) -> impl Iterator<Item = After<u8, u8>> + '_ {
        self.replies.iter().filter(move |(of, _)| *of == state).map(|(_, outcome)| *outcome)
    }

    /// How many attempts of the other side are rejected: a number that differs between states, and means nothing else.
    pub(super) fn rejectable_in(&self, state: u8) -> usize {
        usize::from(state % 3)
    }

    fn last_attempt(&self) -> u8 {
        self.acts.iter().map(|(_, attempt, _)| *attempt).max().unwrap_or(0)
    }
}

fn outcome(words: &[&str]) -> Option<After<u8, u8>> {
    match words {
        ["won"] => Some(After::Won),
        ["lost"] => Some(After::Lost),
        ["open", percept, state] => Some(After::Open(percept.parse().ok()?, state.parse().ok()?)),
        _ => None,
    }
}

impl HiddenWorld for Tables {
    type State = u8;
    type Attempt = u8;
    type Percept = u8;

    fn key(&self, state: &u8) -> u64 {
        (u64::from(*state) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn attempts(&self, _: &u8, out: &mut Vec<u8>) {
        out.extend(0..=self.last_attempt());
    }

    fn feasible(&self, state: &u8, out: &mut Vec<u8>) {
        out.extend((0..=self.last_attempt()).filter(|&attempt| self.is_feasible(state, attempt)));
    }

    fn is_feasible(&self, state: &u8, attempt: u8) -> bool {
        self.act_of(*state, attempt).is_some()
    }

    fn act(&self, state: &u8, attempt: u8) -> After<u8, u8> {
        self.act_of(*state, attempt).expect("a feasible attempt")
    }

    fn replies(&self, state: &u8, out: &mut Vec<After<u8, u8>>) {
        out.extend(self.replies_of(*state));
    }
}

impl Observed for Tables {
    type Heard = u8;

    fn hear_attempt(&self, state: &u8, attempt: u8) -> Option<(u8, u8)> {
        self.act_of(*state, attempt).map(heard)
    }

    fn hear_replies(&self, state: &u8, out: &mut Vec<(u8, u8)>) {
        out.extend(self.replies_of(*state).map(heard));
    }

    fn rejectable(&self, state: &u8) -> usize {
        self.rejectable_in(*state)
    }
}

/// What is heard of an outcome; an end is heard as itself.
fn heard(outcome: After<u8, u8>) -> (u8, u8) {
    match outcome {
        After::Won => (u8::MAX, 0),
        After::Lost => (u8::MAX - 1, 0),
        After::Open(percept, state) => (percept, state),
    }
}

impl Referee for Tables {
    type State = u8;
    type Attempt = u8;
    type Percept = u8;

    fn attempt(&self, state: &u8, attempt: u8) -> Ruling<u8, u8> {
        self.act_of(*state, attempt).map_or(Ruling::Rejected, ruling)
    }

    fn replies(&self, state: &u8) -> Vec<Ruling<u8, u8>> {
        self.replies_of(*state).map(ruling).collect()
    }
}

fn ruling(outcome: After<u8, u8>) -> Ruling<u8, u8> {
    match outcome {
        After::Won => Ruling::Won,
        After::Lost => Ruling::Over,
        After::Open(percept, state) => Ruling::Open(percept, state),
    }
}
