#![no_main]

use counterplay_fuzz::readers::{mutate, named};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

const NAME: &str = "suit-strategy";

fuzz_target!(|data: &[u8]| (named(NAME).read)(data));

// Half of the inputs are made by libFuzzer itself, half by the mutator that knows the words of the format.
fuzz_mutator!(|data: &mut [u8], size: usize, most: usize, seed: u32| {
    match seed % 2 {
        0 => fuzzer_mutate(data, size, most),
        _ => mutate(data, size, most, named(NAME).words, seed),
    }
});
