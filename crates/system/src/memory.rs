//! How much memory this process holds, held, and may hold, as Linux tells it.
//!
//! On other systems every answer is `None`: the limits then rest on what the engines count themselves.

use std::fs;
use std::io::Read;
use std::sync::OnceLock;

/// Bytes resident now. Read often, so it allocates nothing.
pub fn resident() -> Option<usize> {
    let mut buffer = [0u8; 128];
    let length = fs::File::open("/proc/self/statm").ok()?.read(&mut buffer).ok()?;
    let text = std::str::from_utf8(&buffer[..length]).ok()?;
    let pages: usize = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
    pages.checked_mul(page_size())
}

/// Bytes of a page, in which `statm` counts. The kernel hands it to every process in its auxiliary vector, a list
/// of pairs of words; 4 KiB is right wherever that list cannot be read.
fn page_size() -> usize {
    static SIZE: OnceLock<usize> = OnceLock::new();
    *SIZE.get_or_init(|| {
        fs::read("/proc/self/auxv").ok().and_then(|words| page_size_of(&words)).unwrap_or(4096)
    })
}

fn page_size_of(auxiliary_vector: &[u8]) -> Option<usize> {
    const KEY_OF_PAGE_SIZE: usize = 6;
    let mut words = auxiliary_vector
        .chunks_exact(size_of::<usize>())
        .map(|word| usize::from_ne_bytes(word.try_into().expect("chunks are words")));
    while let (Some(key), Some(value)) = (words.next(), words.next()) {
        if key == KEY_OF_PAGE_SIZE && value.is_power_of_two() {
            return Some(value);
        }
    }
    None
}

/// Most bytes that were ever resident.
pub fn peak() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    kibibytes(&status, "VmHWM:")
}

/// The memory limit unless the user gives one: three quarters of what is available now, be it of the machine or
/// of the container that we run in.
pub fn default_limit() -> Option<usize> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| kibibytes(&text, "MemAvailable:"));
    let container =
        fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    let available = match (machine, container) {
        (Some(machine), Some(container)) => machine.min(container),
        (machine, container) => machine.or(container)?,
    };
    Some(available / 4 * 3)
}

/// The bytes that a line such as `VmHWM:   1234 kB` tells.
fn kibibytes(text: &str, key: &str) -> Option<usize> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let count: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    count.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_proc_are_read() {
        assert_eq!(kibibytes("VmPeak:\t 9 kB\nVmHWM:\t   12 kB\n", "VmHWM:"), Some(12 * 1024));
        assert_eq!(kibibytes("VmHWM:\t many\n", "VmHWM:"), None);
        assert_eq!(kibibytes("", "VmHWM:"), None);
    }

    #[test]
    fn the_page_size_stands_under_its_key() {
        let words = |words: &[usize]| words.iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<_>>();
        assert_eq!(page_size_of(&words(&[3, 6, 6, 16384, 0, 0])), Some(16384));
        assert_eq!(page_size_of(&words(&[6, 0, 6])), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_that_is_touched_is_seen() {
        let before = resident().expect("Linux tells");
        let held = std::hint::black_box(vec![1u8; 64 << 20]);
        let after = resident().expect("Linux tells");
        assert!(after >= before + (32 << 20), "{before} {after}");
        assert!(peak().expect("Linux tells") + (1 << 20) >= after);
        drop(held);
    }
}
