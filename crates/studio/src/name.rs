//! Names of runs and games.
//!
//! The page remembers the name of its run, also across a restart of the studio. A name that came back would show it the answer
//! to another problem, so a name is 128 random bits: it is never used twice and cannot be guessed.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// The name of a run or a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Name(u128);

impl Name {
    /// A new name; an error if the operating system gives no random bits.
    pub(crate) fn new() -> std::io::Result<Name> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        Ok(Name(u128::from_ne_bytes(bytes)))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for Name {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Name, Self::Err> {
        u128::from_str_radix(text, 16).map(Name)
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_read_back() {
        let (first, second) = (Name::new().unwrap(), Name::new().unwrap());
        assert_ne!(first, second);
        assert_eq!(first.to_string().parse(), Ok(first));
        assert_eq!(first.to_string().len(), 32);
        assert!("a run".parse::<Name>().is_err());
    }
}
