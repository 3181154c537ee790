//! Numbers as texts show them.

use std::fmt;

/// A whole number with its digits in groups: `12,345,678`.
pub fn grouped(count: impl fmt::Display) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A whole number and its noun: `1 move`, `2,000 moves`.
pub fn count(number: impl fmt::Display, noun: &str) -> String {
    let digits = grouped(number);
    if digits == "1" { format!("1 {noun}") } else { format!("{digits} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(123_456), "123,456");
        assert_eq!(grouped(1_234_567_u64), "1,234,567");
        assert_eq!(grouped(1_u128 << 70), "1,180,591,620,717,411,303,424");
    }

    #[test]
    fn nouns_agree_with_their_number() {
        assert_eq!([0, 1, 2000].map(|number| count(number, "move")), ["0 moves", "1 move", "2,000 moves"]);
    }
}
