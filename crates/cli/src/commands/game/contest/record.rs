//! What happened in a match.

use serde::Serialize;

/// A match, as `game match --json` prints it. Errors are told as ggp-base's manager does: `TO` for a time-out, `CE` for
/// a broken connection, `IL` and the move for an illegal one; a legal move drawn at random stands in.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Record {
    #[serde(rename = "match")]
    pub(crate) id: String,
    pub(crate) roles: Vec<String>,
    pub(crate) players: Vec<String>,
    pub(crate) start_clock: f64,
    pub(crate) play_clock: f64,
    pub(crate) seed: u64,
    /// Joint moves.
    pub(crate) moves: Vec<Vec<String>>,
    /// For each joint move and role, what went wrong; empty if nothing did.
    pub(crate) errors: Vec<Vec<String>>,
    /// What each player said about its moves: how they were found.
    pub(crate) ways: Vec<Vec<String>>,
    /// Positions, the first one included.
    pub(crate) states: Vec<Vec<String>>,
    /// Problems at START.
    pub(crate) start_errors: Vec<String>,
    pub(crate) rewards: Vec<u32>,
    pub(crate) completed: bool,
    pub(crate) seconds: f64,
}

impl Record {
    /// How many moves had to be replaced.
    pub(crate) fn error_count(&self) -> usize {
        self.errors.iter().flatten().chain(&self.start_errors).filter(|error| !error.is_empty()).count()
    }

    /// The end in words.
    pub(crate) fn ending(&self) -> String {
        let rewards: Vec<String> = self
            .roles
            .iter()
            .zip(&self.players)
            .zip(&self.rewards)
            .map(|((role, player), reward)| format!("{role} ({player}) {reward}"))
            .collect();
        let end = if self.completed { "the game is over" } else { "the match was given up" };
        let mut text = format!("{end} after {} moves: {}\n", self.moves.len(), rewards.join(", "));
        let errors = self.error_count();
        if errors > 0 {
            text.push_str(&format!("{errors} moves were late or illegal and were replaced\n"));
        }
        text
    }

    /// One move in words.
    pub(crate) fn step(&self, number: usize) -> String {
        let mut line = format!("{:>3}.", number + 1);
        for (role, text) in self.moves[number].iter().enumerate() {
            let error = &self.errors[number][role];
            let note = if error.is_empty() { String::new() } else { format!(" [{error}]") };
            line.push_str(&format!("  {} {text}{note}", self.roles[role]));
        }
        line + "\n"
    }
}
