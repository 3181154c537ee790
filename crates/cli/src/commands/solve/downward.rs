//! The exit codes of Fast Downward's driver.

use counterplay::Answer;
use counterplay_base::{Limit, Verdict};

use crate::failure::Failure;

/// The code for an answer. A plan that is there when a limit is reached counts as found.
pub(super) fn of_answer(answer: &Answer) -> u8 {
    let has_plan = answer.plan.is_some();
    let is_grounding = answer.phases.search.is_none();
    match (&answer.verdict, answer.limit) {
        (Verdict::Unsolvable, _) => 11,
        (Verdict::Solved(()), None) => 0,
        (_, Some("memory")) if has_plan => 1,
        (_, Some(_)) if has_plan => 2,
        (Verdict::Solved(()), Some(_)) => 0,
        (Verdict::Stopped(Limit::Nodes(_)), _) => 12,
        (Verdict::Stopped(Limit::Bytes(_)), _) => {
            if is_grounding {
                20
            } else {
                22
            }
        }
        (Verdict::Stopped(_), _) => {
            if is_grounding {
                21
            } else {
                23
            }
        }
    }
}

/// The code for what is wrong.
pub(super) fn of_failure(failure: &Failure) -> u8 {
    match failure {
        Failure::Input { diagnostics, .. } if diagnostics.iter().any(|it| is_refusal(it.code)) => 34,
        Failure::Input { .. } | Failure::Read { .. } | Failure::NotText { .. } | Failure::TooLarge { .. } => {
            31
        }
        Failure::Usage { .. } => 33,
        Failure::Bug { .. } => 32,
        Failure::Write { .. } => 35,
    }
}

/// Whether a diagnostic says that a feature is not supported.
fn is_refusal(code: &str) -> bool {
    code.ends_with("unsupported") || code.starts_with("ground::")
}

#[cfg(test)]
mod tests {
    use counterplay::planning::Kind;

    use super::*;

    #[test]
    fn codes_are_those_of_the_driver() {
        let stopped = |limit| of_answer(&Answer::stopped(Kind::Plan, limit));
        assert_eq!(stopped(Limit::Bytes(1)), 20);
        assert_eq!(stopped(Limit::Cancelled), 21);
        let mut searching = Answer::stopped(Kind::Plan, Limit::Bytes(1));
        searching.phases.search = Some(1.0);
        assert_eq!(of_answer(&searching), 22);
        searching.plan = Some(Vec::new());
        assert_eq!(of_answer(&searching), 1);
        searching.verdict = Verdict::Unsolvable;
        assert_eq!(of_answer(&searching), 11);
        let usage = Failure::Usage { message: String::new(), help: None };
        assert_eq!(of_failure(&usage), 33);
        assert!(is_refusal("ground::preference") && is_refusal("pddl::unsupported"));
        assert!(!is_refusal("pddl::unknown-predicate"));
    }
}
