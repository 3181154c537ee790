//! One family of random problems and everything that answers them.

use rand_chacha::ChaCha8Rng;

use crate::smaller_expressions;

/// A problem as text: one or more files, each with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The files, in the order in which the command line takes them.
    pub files: Vec<(String, String)>,
}

impl Case {
    /// A case of several files.
    pub fn new<const N: usize>(files: [(&str, String); N]) -> Case {
        Case { files: files.into_iter().map(|(name, text)| (name.to_owned(), text)).collect() }
    }

    /// The text of the file of this name; empty if there is none.
    pub fn text(&self, name: &str) -> &str {
        self.files.iter().find(|(own, _)| own == name).map_or("", |(_, text)| text)
    }
}

/// What became of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every answer agreed with the twin; the number of answers that were compared, and a word for the kind of the answer
    /// (such as `solved` or `unsolvable`), so that a report shows whether the generator is balanced.
    Agreed {
        /// How many engines and options answered.
        answers: u32,
        /// What the answer was.
        kind: &'static str,
    },
    /// The text is not a problem, or the twin gave up because the case is too large. Shrinking makes many of these.
    Rejected(String),
    /// Two answers differ. `what` names the disagreement without details of the case, so that shrinking keeps to the same one.
    Disagreed {
        /// Who disagrees about what, such as `nd: unsolvable, twin: strong-cyclic`.
        what: String,
        /// The details.
        detail: String,
    },
}

/// One family of random problems and everything that answers them.
pub trait Area: Sync {
    /// The name on the command line, and the folder of the kept cases.
    fn name(&self) -> &'static str;

    /// What is generated and who answers, in one line.
    fn about(&self) -> &'static str;

    /// The number of problems that CI examines, chosen to take about half a minute.
    fn sample(&self) -> u64;

    /// A random case. The same generator state gives the same case on every machine.
    fn generate(&self, rng: &mut ChaCha8Rng) -> Case;

    /// Asks everyone and compares.
    fn examine(&self, case: &Case) -> Outcome;

    /// Smaller cases, the most drastic reductions first. By default every parenthesised expression of every file is removed in
    /// turn or replaced by one of its parts.
    fn shrink(&self, case: &Case) -> Vec<Case> {
        smaller_expressions(case)
    }
}
