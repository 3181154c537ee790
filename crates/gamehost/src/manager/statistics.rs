//! What several matches come to: means with intervals.

use serde::Serialize;

use super::record::MatchRecord;

/// Several matches, as `game match --json` prints them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchSeries {
    pub matches: Vec<MatchRecord>,
    /// Mean rewards by role.
    pub rewards: Vec<f64>,
    /// One row for each player and role, in the order they first came up.
    pub table: Vec<Row>,
    /// Moves that were replaced.
    pub errors: usize,
}

impl MatchSeries {
    /// Matches of one game.
    pub fn new(matches: Vec<MatchRecord>) -> MatchSeries {
        let roles = matches.first().map_or(0, |record| record.roles.len());
        let mean = |role: usize| {
            matches.iter().map(|record| f64::from(record.rewards[role])).sum::<f64>() / matches.len() as f64
        };
        MatchSeries {
            rewards: (0..roles).map(mean).collect(),
            table: rows(&matches),
            errors: matches.iter().map(MatchRecord::error_count).sum(),
            matches,
        }
    }

    /// The table for people.
    pub fn text(&self) -> String {
        text(&self.table)
    }
}

/// What a player got in a role.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Row {
    pub player: String,
    pub role: String,
    pub matches: usize,
    /// The mean reward.
    pub mean: f64,
    /// Half of the 95 % interval.
    pub half: f64,
    /// Moves that were replaced.
    pub errors: usize,
}

/// The mean and half of its 95 % interval, by the normal approximation as in Kissmann 2012, Tables 11.3 and 11.4.
pub fn estimate(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    if values.is_empty() {
        return (0.0, 0.0);
    }
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let half = if values.len() > 1 { 1.96 * (squares / (count - 1.0) / count).sqrt() } else { 0.0 };
    (mean, half)
}

fn rows(records: &[MatchRecord]) -> Vec<Row> {
    let mut keys: Vec<(usize, String)> = Vec::new();
    for record in records {
        for (role, player) in record.players.iter().enumerate() {
            if !keys.iter().any(|(own, name)| *own == role && name == player) {
                keys.push((role, player.clone()));
            }
        }
    }
    keys.sort_by_key(|(role, _)| *role);
    let row = |(role, player): &(usize, String)| {
        let own: Vec<&MatchRecord> =
            records.iter().filter(|record| record.players[*role] == *player).collect();
        let rewards: Vec<f64> = own.iter().map(|record| f64::from(record.rewards[*role])).collect();
        let (mean, half) = estimate(&rewards);
        let errors =
            own.iter().flat_map(|record| &record.errors).filter(|step| !step[*role].is_empty()).count();
        Row {
            player: player.clone(),
            role: own[0].roles[*role].clone(),
            matches: own.len(),
            mean,
            half,
            errors,
        }
    };
    keys.iter().map(row).collect()
}

fn text(rows: &[Row]) -> String {
    let width = |name: fn(&Row) -> &str, title: &str| {
        rows.iter().map(|row| name(row).len()).chain([title.len()]).max().unwrap_or(0)
    };
    let role = width(|row| &row.role, "role");
    let player = width(|row| &row.player, "player");
    let mut text = format!("{:role$}  {:player$}  matches  mean reward (95 %)   errors\n", "role", "player");
    for row in rows {
        text.push_str(&format!(
            "{:role$}  {:player$}  {:>7}  {:>8.2} ± {:<8.2}  {:>6}\n",
            row.role, row.player, row.matches, row.mean, row.half, row.errors
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_intervals() {
        assert_eq!(estimate(&[100.0; 5]), (100.0, 0.0));
        // 53 wins of 100: the paper's Table 11.4 has 53.00 ± 9.83.
        let mut values = vec![100.0; 53];
        values.resize(100, 0.0);
        let (mean, half) = estimate(&values);
        assert_eq!(mean, 53.0);
        assert!((half - 9.83).abs() < 0.01, "{half}");
    }
}
