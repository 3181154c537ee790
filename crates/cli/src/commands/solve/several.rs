//! The options for several plans.

use clap::Args;
use counterplay::planning::{Plans, Which};

use crate::failure::Failure;

/// The heading of these options. It is not set by `next_help_heading`, which would also hold for the options that follow.
const SEVERAL: &str = "Several plans";

/// Several plans instead of one.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct SeveralArguments {
    /// So many of the cheapest plans, or `all-optimal`
    #[arg(long, value_name = "K", value_parser = which, help_heading = SEVERAL)]
    plans: Option<Which>,

    /// All plans that cost at most so many times the least cost, such as 1.1
    #[arg(long, value_name = "FACTOR", value_parser = factor, conflicts_with = "plans", help_heading = SEVERAL)]
    within: Option<u64>,

    /// Leave out plans that visit a state twice
    #[arg(long, help_heading = SEVERAL)]
    loopless: bool,

    /// Of plans with the same actions in another order, only one
    #[arg(long, help_heading = SEVERAL)]
    unordered: bool,

    /// Only count the plans, with `--plans all-optimal` or `--within`
    #[arg(long, help_heading = SEVERAL)]
    count: bool,
}

impl SeveralArguments {
    /// What was asked for; `None` for one plan.
    pub(super) fn decide(&self) -> Result<Option<Plans>, Failure> {
        let &SeveralArguments { plans, within, loopless, unordered, count } = self;
        match plans.or(within.map(Which::Within)) {
            Some(which) => Ok(Some(Plans { which, loopless, unordered, count })),
            None if loopless || unordered || count => Err(Failure::Usage {
                message: "`--loopless`, `--unordered` and `--count` are for several plans".to_owned(),
                help: Some("add `--plans K`, `--plans all-optimal` or `--within FACTOR`".to_owned()),
            }),
            None => Ok(None),
        }
    }
}

/// Optimal plans cost this many millionths of the least cost.
const OPTIMAL: u64 = 1_000_000;

fn which(text: &str) -> Result<Which, String> {
    match text {
        "all-optimal" => Ok(Which::Within(OPTIMAL)),
        _ => match text.parse() {
            Ok(0) | Err(_) => Err("a number of plans above zero, or `all-optimal`".to_owned()),
            Ok(count) => Ok(Which::Cheapest(count)),
        },
    }
}

/// A decimal number of at least one, in millionths: with at most six decimals nothing is rounded.
fn factor(text: &str) -> Result<u64, String> {
    let wrong = || "a factor of at least 1 with at most six decimals, such as 1.1".to_owned();
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || decimals.len() > 6 || !are_digits(whole) || !are_digits(decimals) {
        return Err(wrong());
    }
    let millionths: u64 = format!("{decimals:0<6}").parse().map_err(|_| wrong())?;
    let whole: u64 = whole.parse().map_err(|_| wrong())?;
    let factor =
        whole.checked_mul(OPTIMAL).and_then(|whole| whole.checked_add(millionths)).ok_or_else(wrong)?;
    if factor < OPTIMAL { Err(wrong()) } else { Ok(factor) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_exact() {
        assert_eq!(factor("1"), Ok(1_000_000));
        assert_eq!(factor("1.1"), Ok(1_100_000));
        assert_eq!(factor("2.000001"), Ok(2_000_001));
        for wrong in ["0.9", "", ".5", "1.0000001", "-1", "1e3", "99999999999999999999"] {
            assert!(factor(wrong).is_err(), "{wrong}");
        }
        assert_eq!(which("3"), Ok(Which::Cheapest(3)));
        assert_eq!(which("all-optimal"), Ok(Which::Within(OPTIMAL)));
        assert!(which("0").is_err() && which("all").is_err());
    }
}
