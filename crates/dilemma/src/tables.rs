//! The results of a tournament as text and as comma-separated values.

use std::fmt::Write;

use crate::ecology::Ecology;
use crate::tournament::Results;

impl Results {
    /// The ranking as a table for people, and the final shares of an ecology if there was one.
    pub fn text(&self, ecology: Option<&Ecology>) -> String {
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        // Own players may have names of any length.
        let width = width.clamp(8, 60);
        let mut text = format!("rank  {:width$}      mean       ±  cooperates\n", "strategy");
        for (rank, player) in self.ranking().into_iter().enumerate() {
            let estimate = self.means[player];
            let margin = estimate.margin.map_or(String::new(), |margin| format!("{margin:.2}"));
            let _ = writeln!(
                text,
                "{:>4}  {:width$}  {:>8.2}  {margin:>6}  {:>9.1}%",
                rank + 1,
                self.names[player],
                estimate.mean,
                100.0 * self.cooperation_rate(player)
            );
        }
        if let Some(ecology) = ecology {
            let generations = ecology.shares.len() - 1;
            let noun = if generations == 1 { "generation" } else { "generations" };
            let _ = writeln!(text, "\nshares after {generations} {noun}");
            let shares = ecology.ranking().into_iter().take(20).filter(|(_, share)| *share >= 0.0005);
            for (player, share) in shares {
                let _ = writeln!(text, "{:>6.1}%  {}", 100.0 * share, self.names[player]);
            }
        }
        text
    }

    /// The ranking: a row for each strategy, best first.
    pub fn ranking_csv(&self) -> String {
        let mut text = "rank,strategy,mean,low,high,cooperation\n".to_owned();
        for (rank, player) in self.ranking().into_iter().enumerate() {
            let estimate = self.means[player];
            let _ = writeln!(
                text,
                "{},{},{:.6},{},{},{:.6}",
                rank + 1,
                quoted(&self.names[player]),
                estimate.mean,
                cell(estimate.low()),
                cell(estimate.high()),
                self.cooperation_rate(player)
            );
        }
        text
    }

    /// Scores and cooperation: a row for each ordered pair of strategies, in the order of entry.
    pub fn pairs_csv(&self) -> String {
        let mut text = "strategy,against,score,cooperation\n".to_owned();
        for (one, name) in self.names.iter().enumerate() {
            for (two, other) in self.names.iter().enumerate() {
                let (score, cooperation) = (cell(self.scores[one][two]), cell(self.cooperation[one][two]));
                let _ = writeln!(text, "{},{},{score},{cooperation}", quoted(name), quoted(other));
            }
        }
        text
    }

    /// The shares of an ecology of these entrants: a row for each generation, a column for each strategy.
    pub fn ecology_csv(&self, ecology: &Ecology) -> String {
        let names: Vec<String> = self.names.iter().map(|name| quoted(name)).collect();
        let mut text = format!("generation,{}\n", names.join(","));
        for (generation, shares) in ecology.shares.iter().enumerate() {
            let shares: Vec<String> = shares.iter().map(|share| format!("{share:.9}")).collect();
            let _ = writeln!(text, "{generation},{}", shares.join(","));
        }
        text
    }
}

/// A field of a CSV file (RFC 4180): quoted if it has a comma, a quote or a line break.
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

/// An empty field if the value is not known.
fn cell(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| format!("{value:.6}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_commas_and_quotes_are_quoted() {
        assert_eq!(quoted("TitForTat"), "TitForTat");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
