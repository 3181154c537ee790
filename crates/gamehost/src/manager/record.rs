//! What happened in a match.

use serde::Serialize;

/// The record of a match, as `game match --json` prints it. Errors are written as ggp-base's manager does: `TO` for a time-out, `CE` for
/// a broken connection, `IL` and the move for an illegal one; a legal move drawn at random stands in.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchRecord {
    /// The name of the match, as players are told it.
    #[serde(rename = "match")]
    pub id: String,
    pub roles: Vec<String>,
    pub players: Vec<String>,
    /// Seconds to prepare.
    pub start_clock: f64,
    /// Seconds for a move.
    pub play_clock: f64,
    pub seed: u64,
    /// Joint moves, a move for each role.
    pub moves: Vec<Vec<String>>,
    /// For each joint move and role, what went wrong; empty if nothing did.
    pub errors: Vec<Vec<String>>,
    /// What each player said about its moves: how they were found.
    pub ways: Vec<Vec<String>>,
    /// Positions, the first one included.
    pub states: Vec<Vec<String>>,
    /// For each role, what went wrong at START; empty if nothing did.
    pub start_errors: Vec<String>,
    /// For each role.
    pub rewards: Vec<u32>,
    /// Whether the match was played to its end.
    pub completed: bool,
    /// Seconds of wall time.
    pub seconds: f64,
}

impl MatchRecord {
    /// How many moves had to be replaced.
    pub fn error_count(&self) -> usize {
        self.errors.iter().flatten().chain(&self.start_errors).filter(|error| !error.is_empty()).count()
    }

    /// The end in words.
    pub fn ending(&self) -> String {
        let rewards: Vec<String> = self
            .roles
            .iter()
            .zip(&self.players)
            .zip(&self.rewards)
            .map(|((role, player), reward)| format!("{role} ({player}) {reward}"))
            .collect();
        let end = if self.completed { "the game is over" } else { "the match was given up" };
        let moves = match self.moves.len() {
            1 => "1 move".to_owned(),
            count => format!("{count} moves"),
        };
        let mut text = format!("{end} after {moves}: {}\n", rewards.join(", "));
        text.push_str(&match self.error_count() {
            0 => String::new(),
            1 => "1 move was late or illegal and was replaced\n".to_owned(),
            count => format!("{count} moves were late or illegal and were replaced\n"),
        });
        text
    }

    /// One move in words.
    pub fn step(&self, number: usize) -> String {
        let mut line = format!("{:>3}.", number + 1);
        for (role, text) in self.moves[number].iter().enumerate() {
            let error = &self.errors[number][role];
            let note = if error.is_empty() { String::new() } else { format!(" [{error}]") };
            line.push_str(&format!("  {} {text}{note}", self.roles[role]));
        }
        line + "\n"
    }
}
