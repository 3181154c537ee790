//! New inputs from old ones: flipped bytes, spliced parts, words of the format, moved expressions, long and deep inputs.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// An input made from `seed` by a few changes, at most `most` bytes long. Parts of `other` and `words` may appear in it.
pub fn mutated(seed: &[u8], other: &[u8], words: &[&str], most: usize, rng: &mut impl Rng) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..rng.random_range(1..=5) {
        change(&mut bytes, other, words, most, rng);
        bytes.truncate(most);
    }
    bytes
}

/// Changes the first `size` bytes of `data` in place, as libFuzzer asks for it; the new size.
pub fn mutate(data: &mut [u8], size: usize, most: usize, words: &[&str], seed: u32) -> usize {
    let mut rng = ChaCha8Rng::seed_from_u64(u64::from(seed));
    let most = most.min(data.len());
    let found = mutated(&data[..size.min(most)], &[], words, most, &mut rng);
    data[..found.len()].copy_from_slice(&found);
    found.len()
}

/// Numbers at the edges of what types hold.
const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "1",
    "127",
    "255",
    "256",
    "65536",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "1e308",
    "0.0000000000000000001",
    "-0",
];

fn change(bytes: &mut Vec<u8>, other: &[u8], words: &[&str], most: usize, rng: &mut impl Rng) {
    let place = |rng: &mut dyn FnMut(usize) -> usize, length: usize| rng(length + 1);
    let mut below = |end: usize| if end == 0 { 0 } else { rng.random_range(0..end) };
    let length = bytes.len();
    match below(16) {
        0 if length > 0 => {
            let at = below(length);
            bytes[at] ^= 1 << below(8);
        }
        1 if length > 0 => {
            let at = below(length);
            bytes[at] = below(256) as u8;
        }
        2 => {
            let at = place(&mut below, length);
            bytes.insert(at, below(256) as u8);
        }
        // Remove a part, short ones more often.
        3 | 4 if length > 0 => {
            let at = below(length);
            let most = if below(2) == 0 { 8 } else { length };
            let end = at + 1 + below((length - at).min(most));
            bytes.drain(at..end.min(length));
        }
        // Double a part.
        5 if length > 0 => {
            let at = below(length);
            let end = at + 1 + below((length - at).min(200));
            let part = bytes[at..end.min(length)].to_vec();
            let to = place(&mut below, length);
            bytes.splice(to..to, part);
        }
        // A part of another input.
        6 if !other.is_empty() => {
            let from = below(other.len());
            let end = from + 1 + below(other.len() - from);
            let to = place(&mut below, length);
            bytes.splice(to..to, other[from..end.min(other.len())].iter().copied());
        }
        7..=9 if !words.is_empty() => {
            let word = words[below(words.len())];
            let to = place(&mut below, length);
            bytes.splice(to..to, word.bytes());
        }
        // Another number in the place of one.
        10 => {
            let digits: Vec<usize> = (0..length).filter(|&at| bytes[at].is_ascii_digit()).collect();
            let number = NUMBERS[below(NUMBERS.len())];
            match digits.is_empty() {
                true => bytes.extend(number.bytes()),
                false => {
                    let at = digits[below(digits.len())];
                    let end = at + bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                    bytes.splice(at..end, number.bytes());
                }
            }
        }
        // One expression in the place of another, which may be around it: deeper and deeper inputs.
        11 | 12 => {
            let lists = lists(bytes);
            if !lists.is_empty() {
                let (from, to) = (lists[below(lists.len())], lists[below(lists.len())]);
                let part = bytes[from.0..from.1].to_vec();
                match below(3) {
                    0 => bytes.splice(to.0..to.1, part),
                    1 => bytes.splice(to.0..to.0, part),
                    _ => bytes.splice(to.0..to.1, Vec::new()),
                };
            }
        }
        // A word or a part many times, side by side or nested.
        13 if below(4) == 0 => {
            let part: Vec<u8> = match (below(3), words.is_empty()) {
                (0, false) => words[below(words.len())].bytes().collect(),
                (1, _) if length > 0 => {
                    let at = below(length);
                    bytes[at..(at + 1 + below(40)).min(length)].to_vec()
                }
                _ => b"([{(;"[below(5)..][..1].to_vec(),
            };
            let room = most.saturating_sub(length) / part.len().max(1);
            let times = if below(3) == 0 { room } else { below(room.min(1000) + 1) };
            let to = place(&mut below, length);
            bytes.splice(to..to, part.repeat(times));
        }
        14 => {
            let lines: Vec<usize> = (0..length).filter(|&at| bytes[at] == b'\n').collect();
            if lines.len() > 2 {
                // A line somewhere else.
                let which = below(lines.len() - 1);
                let line = bytes[lines[which] + 1..=lines[which + 1]].to_vec();
                let to = lines[below(lines.len())] + 1;
                bytes.splice(to..to, line);
            }
        }
        15 if length > 0 => bytes.truncate(below(length)),
        _ => {}
    }
}

/// Where parenthesised parts begin and end.
fn lists(bytes: &[u8]) -> Vec<(usize, usize)> {
    let (mut open, mut found) = (Vec::new(), Vec::new());
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => open.push(at),
            b')' | b']' | b'}' => found.extend(open.pop().map(|start| (start, at + 1))),
            _ => {}
        }
    }
    found
}
