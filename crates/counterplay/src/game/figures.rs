//! Numbers as texts show them.

/// A count with its digits in groups: `12,345,678`.
pub(super) fn grouped(count: u128) -> String {
    let digits = count.to_string();
    // More than this is out of all proportion, and is shown as it is.
    if u64::try_from(count).is_err() {
        return digits;
    }
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(123_456), "123,456");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(1 << 70), "1180591620717411303424");
    }
}
