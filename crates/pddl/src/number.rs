//! Decimal numbers, read exactly.

use crate::model::Number;

/// So many digits are read, before and after the point together. Products of two such numbers still fit.
pub(crate) const DIGIT_LIMIT: usize = 18;

/// What an atom is as a number.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Read {
    Number(Number),
    /// A number with more digits than we hold.
    TooLong,
    No,
}

/// Reads `12`, `-3`, `+0.25`, `.5`, `7.`.
pub(crate) fn read_number(text: &str) -> Read {
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if (whole.is_empty() && part.is_empty()) || !all_digits(whole) || !all_digits(part) {
        return Read::No;
    }
    let (whole, part) = (whole.trim_start_matches('0'), part.trim_end_matches('0'));
    if whole.len() + part.len() > DIGIT_LIMIT {
        return Read::TooLong;
    }
    let magnitude =
        whole.bytes().chain(part.bytes()).fold(0i128, |sum, digit| sum * 10 + i128::from(digit - b'0'));
    let value = if negative { -magnitude } else { magnitude };
    Read::Number(Number::new(value, 10i128.pow(part.len() as u32)))
}

/// Probabilities have so many digits at most, so that products of several still fit.
const FRACTION_DIGITS: usize = 9;

/// Reads a number, or a fraction such as `1/3`; `None` if it is neither or has too many digits.
pub(crate) fn read_fraction(text: &str) -> Option<Number> {
    let number = |text: &str| match read_number(text) {
        Read::Number(number) => Some(number),
        Read::TooLong | Read::No => None,
    };
    let value = match text.split_once('/') {
        None => number(text)?,
        Some((above, below)) => {
            let below = number(below).filter(|below| *below.numer() != 0)?;
            number(above)? / below
        }
    };
    (*value.denom() <= 10i128.pow(FRACTION_DIGITS as u32)).then_some(value)
}

/// A number as PDDL writes it where that is possible, else as a quotient `(/ 1 3)`.
pub fn number_text(number: Number) -> String {
    let (numerator, mut denominator) = (*number.numer(), *number.denom());
    let (mut twos, mut fives) = (0u32, 0u32);
    while denominator % 2 == 0 {
        denominator /= 2;
        twos += 1;
    }
    while denominator % 5 == 0 {
        denominator /= 5;
        fives += 1;
    }
    let places = twos.max(fives);
    // Twos and fives alone make a finite decimal.
    let scale = 10i128.checked_pow(places).filter(|_| denominator == 1);
    match scale.and_then(|scale| numerator.checked_mul(scale / number.denom())) {
        None => format!("(/ {numerator} {})", number.denom()),
        Some(scaled) if places == 0 => scaled.to_string(),
        Some(scaled) => {
            let digits = format!("{:0width$}", scaled.unsigned_abs(), width = places as usize + 1);
            let (whole, part) = digits.split_at(digits.len() - places as usize);
            format!("{}{whole}.{part}", if scaled < 0 { "-" } else { "" })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact() {
        for (text, numerator, denominator) in
            [("12", 12, 1), ("-3", -3, 1), ("+0.25", 1, 4), (".5", 1, 2), ("7.", 7, 1), ("-0.10", -1, 10)]
        {
            assert_eq!(read_number(text), Read::Number(Number::new(numerator, denominator)), "{text}");
        }
        for text in ["", "-", ".", "1e5", "a", "1.2.3", "--1", "0x1"] {
            assert_eq!(read_number(text), Read::No, "{text}");
        }
        assert_eq!(read_number("1234567890123456789"), Read::TooLong);
        assert_eq!(read_number("0000000000000000000000001"), Read::Number(Number::from(1)));
    }

    #[test]
    fn printed_numbers_read_back() {
        for text in ["0", "12", "-3", "0.25", "-0.001", "10.5", "123456789.123456789"] {
            let Read::Number(number) = read_number(text) else { panic!("{text} is a number") };
            assert_eq!(number_text(number), text);
        }
        assert_eq!(number_text(Number::new(1, 3)), "(/ 1 3)");
    }
}
