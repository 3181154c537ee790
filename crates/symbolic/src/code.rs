//! How the values of a variable are written as bits.

use counterplay_task::Value;

/// Which words of bits stand for the values of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// Every value is a number of full width. Words beyond the last value stand for nothing, so that each state is
    /// one word, and sets have to keep such words out.
    Numbers,
    /// A prefix code without spare words: the first values get words that are one bit shorter, and do not look at
    /// the last bit. Every word is a state, and diagrams need no nodes to say what the last bit is.
    Prefixes,
}

/// The words of one variable.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    /// Its bits, the most significant first.
    pub(crate) bits: Vec<u32>,
    size: Value,
    /// Values below this have words without the last bit.
    short: Value,
}

impl Code {
    /// Words for `size` values, on bits from `first` on.
    pub(crate) fn new(size: Value, first: u32, coding: Coding) -> Code {
        let width = Value::BITS - size.saturating_sub(1).leading_zeros();
        let short = match coding {
            Coding::Numbers => 0,
            Coding::Prefixes => 1u64.checked_shl(width).unwrap_or(0).saturating_sub(u64::from(size)) as Value,
        };
        Code { bits: (first..first + width).collect(), size, short }
    }

    /// A code without bits, for a variable that is not encoded.
    pub(crate) fn none(size: Value) -> Code {
        Code { bits: Vec::new(), size, short: 0 }
    }

    pub(crate) fn size(&self) -> Value {
        self.size
    }

    /// Whether some values have several words.
    pub(crate) fn short_values(&self) -> std::ops::Range<Value> {
        0..if self.bits.is_empty() { 0 } else { self.short }
    }

    /// The bits that a value looks at, and what they are.
    pub(crate) fn word(&self, value: Value) -> impl Iterator<Item = (u32, bool)> + '_ {
        let (width, number) = match value < self.short {
            true => (self.bits.len().saturating_sub(1), value),
            false => (self.bits.len(), value + self.short),
        };
        let bits = self.bits.iter().take(width).enumerate();
        bits.map(move |(i, &bit)| (bit, number >> (width - 1 - i) & 1 == 1))
    }

    /// The value that bits stand for; beyond the last value if they stand for nothing.
    pub(crate) fn value(&self, bit: impl Fn(u32) -> bool) -> Value {
        let number = self.bits.iter().fold(0, |number, &own| number << 1 | Value::from(bit(own)));
        if number >> 1 < self.short { number >> 1 } else { number - self.short }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_values_are_inverse_and_prefixes_waste_nothing() {
        for size in 1..40 {
            for coding in [Coding::Numbers, Coding::Prefixes] {
                let code = Code::new(size, 3, coding);
                let width = code.bits.len();
                let mut words = 0u64;
                for value in 0..size {
                    let word: Vec<(u32, bool)> = code.word(value).collect();
                    words += 1 << (width - word.len());
                    for rest in [false, true] {
                        let bit =
                            |own: u32| word.iter().find(|(at, _)| *at == own).map_or(rest, |found| found.1);
                        assert_eq!(code.value(bit), value, "{size} values, {coding:?}");
                    }
                }
                if coding == Coding::Prefixes {
                    assert_eq!(words, 1 << width, "{size} values");
                }
            }
        }
    }
}
