//! What is left: conditions of the dilemma's modellers, payoffs, durations and sizes.

use std::time::Duration;

use counterplay_base::limits::{bytes, duration};
use counterplay_dilemma::Game;
use counterplay_dilemma::modeller::read_conditions;
use counterplay_syntax::Sources;

use super::{Reader, check_diagnostic, text_of};

pub(super) const CONDITIONS: Reader = Reader {
    name: "conditions",
    about: "conditions of a modeller, and payoffs",
    read: conditions,
    words: &[
        "(conditions",
        "(calm 0.5",
        "(CC calm)",
        "(CD wary)",
        "(DC a)",
        "(dd b)",
        "(else wary)",
        "1.5",
        "nan",
        "-0",
        "3,0,5,1",
        "1e400,",
    ],
    sample: 3000,
};

fn conditions(input: &[u8]) {
    let text = text_of(input);
    let mut sources = Sources::default();
    let file = sources.add("conditions", text.as_str());
    match read_conditions(&sources, file) {
        Ok(set) => assert!(set.priors.iter().all(|prior| (0.0..=1.0).contains(prior))),
        Err(errors) => {
            assert!(!errors.is_empty(), "a failure has an error");
            errors.iter().for_each(|error| check_diagnostic(&sources, &error.diagnostic()));
        }
    }
    if let Ok(game) = text.parse::<Game>() {
        assert!(
            game.first.by_outcome().iter().chain(&game.second.by_outcome()).all(|payoff| payoff.is_finite())
        );
    }
}

pub(super) const LIMITS: Reader = Reader {
    name: "limits",
    about: "durations and sizes of arguments",
    read: limits,
    words: &[
        "60s",
        "1m30s",
        "500ms",
        "2h",
        "4GiB",
        "300MB",
        "1.5",
        "99999999999999999999999999",
        ".",
        "\u{2003}",
        "\u{e9}",
    ],
    sample: 5000,
};

fn limits(input: &[u8]) {
    let text = text_of(input);
    if let Ok(read) = duration(&text) {
        // Whole milliseconds can be written and read again, unless the time is too long for a float to hold them.
        if read < Duration::from_secs(1 << 20) && read.subsec_nanos() % 1_000_000 == 0 {
            assert_eq!(duration(&format!("{}ms", read.as_millis())), Ok(read));
        }
    }
    if let Ok(read) = bytes(&text) {
        assert!(read > 0);
        assert_eq!(bytes(&read.to_string()), Ok(read));
    }
}
