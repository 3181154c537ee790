//! Durations and sizes as people write them: `60s`, `1m30s`, `500ms`, `4GiB`, `300MB`.

use std::time::Duration;

/// Reads a duration: one or more numbers with a unit (`ms`, `s`, `m`, `h`), largest first or not; a bare number
/// is in seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a duration; write `60s`, `1m30s`, `500ms` or `2h`");
    let mut total = Duration::ZERO;
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(wrong());
    }
    while !rest.is_empty() {
        let (number, unit, after) = number_and_unit(rest).ok_or_else(wrong)?;
        let seconds = match unit {
            "ms" => number / 1000.0,
            "s" | "sec" => number,
            "m" | "min" => number * 60.0,
            "h" => number * 3600.0,
            "" if after.is_empty() => number,
            _ => return Err(wrong()),
        };
        let part = Duration::try_from_secs_f64(seconds).map_err(|_| wrong())?;
        total = total.checked_add(part).ok_or_else(wrong)?;
        rest = after;
    }
    Ok(total)
}

/// Reads a number of bytes with an optional unit: `4GiB`, `512M` (as `MiB`), `300MB`, `1048576`.
pub fn bytes(text: &str) -> Result<usize, String> {
    let wrong = || format!("`{text}` is not a size; write `4GiB`, `512MiB` or `300MB`");
    let (number, unit, after) = number_and_unit(text.trim()).ok_or_else(wrong)?;
    let unit_bytes: f64 = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "tb" => 1e12,
        "k" | "kib" => 1024.0,
        "m" | "mib" => 1024.0 * 1024.0,
        "g" | "gib" => 1024.0 * 1024.0 * 1024.0,
        "t" | "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return Err(wrong()),
    };
    let total = number * unit_bytes;
    // Beyond 2^53 a float no longer counts single bytes, and no machine has that many.
    if !after.is_empty() || !(1.0..9.0e15).contains(&total) {
        return Err(wrong());
    }
    Ok(total as usize)
}

/// Splits `1.5GiB rest` into the number, the letters after it, and what follows.
fn number_and_unit(text: &str) -> Option<(f64, &str, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..digits].parse().ok()?;
    let after = text[digits..].trim_start();
    let letters = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
    Some((number, &after[..letters], after[letters..].trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_as_written() {
        let cases =
            [("60s", 60.0), ("1m30s", 90.0), ("500ms", 0.5), ("2h", 7200.0), ("1.5", 1.5), ("0s", 0.0)];
        for (text, seconds) in cases {
            assert_eq!(duration(text), Ok(Duration::from_secs_f64(seconds)), "{text}");
        }
        for text in ["", "s", "-1s", "1x", "1e9s", "10 20", "99999999999999999999h", "é"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_as_written() {
        let cases =
            [("4GiB", 4 << 30), ("512M", 512 << 20), ("300MB", 300_000_000), ("1 k", 1024), ("77", 77)];
        for (text, count) in cases {
            assert_eq!(bytes(text), Ok(count), "{text}");
        }
        for text in ["", "0", "GiB", "-4GiB", "4XB", "1e30", "99999999TiB", "4GiB4"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
