//! Files of blocks: sorted words as differences, values as few bits, both compressed (LZ4), each block with a checksum.
//!
//! ```text
//! {"format":"counterplay layers 1","key":…,"kind":"states","layer":3,"part":2,"parts":16}\n
//! blocks: count, bytes, raw bytes (u32 each), first word, checksum (u64 each), content
//! a block of count 0
//! {…}                         what is known at the end, such as the number of words
//! length of that (u32), "cplayend"
//! ```
//! Numbers are little-endian. A file is written beside its place and moved there when it is whole.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::ClusterError;

/// Words or values of a block.
pub(crate) const BLOCK: usize = 1 << 16;
const FORMAT: &str = "counterplay layers 1";
const END: &[u8; 8] = b"cplayend";
const HEAD_BYTES: usize = 28;
/// No sound block takes more: ten bytes for each word.
const MOST_RAW: usize = 10 * BLOCK;
/// What is known at the end is a few numbers for each outcome.
const LONGEST_END: i64 = 1 << 24;

/// How a file begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Head {
    format: String,
    key: String,
    kind: String,
    layer: usize,
    part: usize,
    parts: usize,
}

impl Head {
    pub(crate) fn new(key: &str, kind: &str, layer: usize, part: usize, parts: usize) -> Head {
        Head { format: FORMAT.to_owned(), key: key.to_owned(), kind: kind.to_owned(), layer, part, parts }
    }
}

/// Writes a file.
pub(crate) struct BlockWriter {
    path: PathBuf,
    beside: PathBuf,
    file: BufWriter<File>,
    bytes: u64,
}

impl BlockWriter {
    pub(crate) fn create(path: &Path, head: &Head) -> Result<BlockWriter, ClusterError> {
        let beside = path.with_extension("unfinished");
        let file =
            File::create(&beside).map_err(|error| ClusterError::file("cannot write", &beside, error))?;
        let mut writer = BlockWriter { path: path.to_owned(), beside, file: BufWriter::new(file), bytes: 0 };
        let mut line = serde_json::to_vec(head).expect("heads have a JSON form");
        line.push(b'\n');
        writer.put(&line)?;
        Ok(writer)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), ClusterError> {
        self.bytes += bytes.len() as u64;
        self.file.write_all(bytes).map_err(|error| ClusterError::file("cannot write", &self.beside, error))
    }

    pub(crate) fn block(&mut self, count: usize, first: u64, raw: &[u8]) -> Result<(), ClusterError> {
        let content = lz4_flex::block::compress(raw);
        let mut head = [0; HEAD_BYTES];
        head[..4].copy_from_slice(&(count as u32).to_le_bytes());
        head[4..8].copy_from_slice(&(content.len() as u32).to_le_bytes());
        head[8..12].copy_from_slice(&(raw.len() as u32).to_le_bytes());
        head[12..20].copy_from_slice(&first.to_le_bytes());
        head[20..].copy_from_slice(&block_sum(&content, count, first).to_le_bytes());
        self.put(&head)?;
        self.put(&content)
    }

    /// Ends the file and moves it to its place. Returns its size.
    pub(crate) fn finish(mut self, tail: &impl Serialize) -> Result<u64, ClusterError> {
        let tail = serde_json::to_vec(tail).expect("tails have a JSON form");
        self.put(&[0; HEAD_BYTES])?;
        self.put(&tail)?;
        self.put(&(tail.len() as u32).to_le_bytes())?;
        self.put(END)?;
        let failed = |error| ClusterError::file("cannot write", &self.path, error);
        let file = self.file.into_inner().map_err(|error| failed(error.into_error()))?;
        file.sync_all().map_err(failed)?;
        fs::rename(&self.beside, &self.path).map_err(failed)?;
        Ok(self.bytes)
    }
}

/// Reads a file.
pub(crate) struct BlockReader {
    path: PathBuf,
    file: BufReader<File>,
    content: Vec<u8>,
}

/// The head of a block.
pub(crate) struct BlockHead {
    pub(crate) count: usize,
    pub(crate) first: u64,
    bytes: usize,
    raw: usize,
    sum: u64,
}

impl BlockReader {
    /// Opens a file of which the head is known; `None` if there is none.
    pub(crate) fn open(path: &Path, head: &Head) -> Result<Option<BlockReader>, ClusterError> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(ClusterError::file("cannot read", path, error)),
        };
        let mut reader =
            BlockReader { path: path.to_owned(), file: BufReader::new(file), content: Vec::new() };
        let mut line = Vec::new();
        let read = reader.file.by_ref().take(4096).read_until(b'\n', &mut line);
        read.map_err(|error| reader.failed(error))?;
        match serde_json::from_slice::<Head>(&line) {
            Ok(found) if found == *head => Ok(Some(reader)),
            Ok(found) if found.format != FORMAT => Err(reader.damaged("another version wrote it")),
            Ok(_) => Err(ClusterError::Foreign { name: path.display().to_string() }),
            Err(_) => Err(reader.damaged("it is no part of a layer")),
        }
    }

    fn failed(&self, error: std::io::Error) -> ClusterError {
        match error.kind() {
            std::io::ErrorKind::UnexpectedEof => self.damaged("it is cut off"),
            _ => ClusterError::file("cannot read", &self.path, error),
        }
    }

    pub(crate) fn damaged(&self, why: &str) -> ClusterError {
        ClusterError::damaged(&self.path, why)
    }

    /// What is known at the end.
    pub(crate) fn tail<T: DeserializeOwned>(&mut self) -> Result<T, ClusterError> {
        let mut last = [0; 12];
        self.file.seek(SeekFrom::End(-12)).map_err(|_| self.damaged("it is cut off"))?;
        self.file.read_exact(&mut last).map_err(|error| self.failed(error))?;
        if last[4..] != *END {
            return Err(self.damaged("it is cut off"));
        }
        let length = i64::from(u32::from_le_bytes([last[0], last[1], last[2], last[3]]));
        if length > LONGEST_END {
            return Err(self.damaged("its end is longer than any can be"));
        }
        self.file.seek(SeekFrom::End(-12 - length)).map_err(|_| self.damaged("its end is not readable"))?;
        let mut text = vec![0; length as usize];
        self.file.read_exact(&mut text).map_err(|error| self.failed(error))?;
        serde_json::from_slice(&text).map_err(|_| self.damaged("its end is not readable"))
    }

    /// The head of the next block; `None` at the end.
    pub(crate) fn head(&mut self) -> Result<Option<BlockHead>, ClusterError> {
        let mut head = [0; HEAD_BYTES];
        self.file.read_exact(&mut head).map_err(|error| self.failed(error))?;
        let word = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().expect("four bytes")) as usize;
        let long = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().expect("eight bytes"));
        let own = BlockHead { count: word(0), bytes: word(4), raw: word(8), first: long(12), sum: long(20) };
        if own.count == 0 {
            return Ok(None);
        }
        let most = lz4_flex::block::get_maximum_output_size(MOST_RAW);
        if own.count > BLOCK || own.raw > MOST_RAW || own.bytes > most {
            return Err(self.damaged("a block is larger than any can be"));
        }
        Ok(Some(own))
    }

    /// The content after a head.
    pub(crate) fn content(&mut self, head: &BlockHead) -> Result<Vec<u8>, ClusterError> {
        self.content.resize(head.bytes, 0);
        let read = self.file.read_exact(&mut self.content);
        read.map_err(|error| self.failed(error))?;
        if block_sum(&self.content, head.count, head.first) != head.sum {
            return Err(self.damaged("a checksum is wrong"));
        }
        let raw = lz4_flex::block::decompress(&self.content, head.raw);
        raw.map_err(|_| self.damaged("a block cannot be unpacked"))
    }

    /// Goes on behind the content of a block. Returns where the content begins.
    pub(crate) fn skip(&mut self, head: &BlockHead) -> Result<u64, ClusterError> {
        let at = self.file.stream_position().map_err(|error| self.failed(error))?;
        self.file.seek_relative(head.bytes as i64).map_err(|error| self.failed(error))?;
        Ok(at - HEAD_BYTES as u64)
    }

    /// Goes to the head of a block.
    pub(crate) fn seek(&mut self, at: u64) -> Result<(), ClusterError> {
        self.file.seek(SeekFrom::Start(at)).map_err(|error| self.failed(error)).map(|_| ())
    }

    /// The words of the next block; `false` at the end.
    pub(crate) fn words(&mut self, words: &mut Vec<u64>) -> Result<bool, ClusterError> {
        let Some(head) = self.head()? else { return Ok(false) };
        let raw = self.content(&head)?;
        words.clear();
        words.push(head.first);
        let mut rest = raw.as_slice();
        let mut last = head.first;
        while words.len() < head.count {
            let step = take(&mut rest).ok_or_else(|| self.damaged("a block is too short"))?;
            last = last.checked_add(step).ok_or_else(|| self.damaged("words do not ascend"))?;
            words.push(last);
        }
        if rest.is_empty() { Ok(true) } else { Err(self.damaged("a block is too long")) }
    }

    /// The values of the next block; `false` at the end.
    pub(crate) fn values(&mut self, values: &mut Vec<u8>) -> Result<bool, ClusterError> {
        let Some(head) = self.head()? else { return Ok(false) };
        let raw = self.content(&head)?;
        let width = head.first as usize;
        if ![1, 2, 4, 8].contains(&width) || raw.len() != (head.count * width).div_ceil(8) {
            return Err(self.damaged("a block of values has a wrong size"));
        }
        let per_byte = 8 / width;
        let mask = (0xffu16 >> (8 - width)) as u8;
        values.clear();
        values.extend((0..head.count).map(|at| raw[at / per_byte] >> (at % per_byte * width) & mask));
        Ok(true)
    }
}

/// Sorted words to a file, a block at a time.
pub(crate) struct WordWriter {
    writer: BlockWriter,
    pending: Vec<u64>,
    block: usize,
    raw: Vec<u8>,
}

impl WordWriter {
    pub(crate) fn new(writer: BlockWriter, block: usize) -> WordWriter {
        WordWriter { writer, pending: Vec::with_capacity(block), block, raw: Vec::new() }
    }

    #[inline]
    pub(crate) fn push(&mut self, word: u64) -> Result<(), ClusterError> {
        self.pending.push(word);
        if self.pending.len() == self.block { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), ClusterError> {
        let Some(&first) = self.pending.first() else { return Ok(()) };
        self.raw.clear();
        self.pending.windows(2).for_each(|pair| put(&mut self.raw, pair[1] - pair[0]));
        self.writer.block(self.pending.len(), first, &self.raw)?;
        self.pending.clear();
        Ok(())
    }

    pub(crate) fn finish(mut self, tail: &impl Serialize) -> Result<u64, ClusterError> {
        self.flush()?;
        self.writer.finish(tail)
    }
}

/// Values to a file, in blocks like those of the words they belong to.
pub(crate) struct ValueWriter {
    writer: BlockWriter,
    width: usize,
}

impl ValueWriter {
    /// For values up to `most`.
    pub(crate) fn new(writer: BlockWriter, most: usize) -> ValueWriter {
        let width = match most {
            0..2 => 1,
            2..4 => 2,
            4..16 => 4,
            _ => 8,
        };
        ValueWriter { writer, width }
    }

    /// Writes a block.
    pub(crate) fn block(&mut self, values: &[u8]) -> Result<(), ClusterError> {
        let per_byte = 8 / self.width;
        let pack =
            |bytes: &[u8]| (0..).zip(bytes).fold(0, |all, (at, &value)| all | value << (at * self.width));
        let raw: Vec<u8> = values.chunks(per_byte).map(pack).collect();
        self.writer.block(values.len(), self.width as u64, &raw)
    }

    pub(crate) fn finish(self, tail: &impl Serialize) -> Result<u64, ClusterError> {
        self.writer.finish(tail)
    }
}

/// Appends a number, seven bits to a byte.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number off the front.
#[inline]
fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// The checksum of a block, its head included.
fn block_sum(content: &[u8], count: usize, first: u64) -> u64 {
    let head = [checksum(content), first, count as u64].map(u64::to_le_bytes);
    checksum(head.as_flattened())
}

/// A checksum eight bytes at a time, after Fowler, Noll and Vo.
fn checksum(bytes: &[u8]) -> u64 {
    let mut chunks = bytes.chunks_exact(8);
    let mut sum = 0xcbf2_9ce4_8422_2325u64 ^ bytes.len() as u64;
    let mut add = |word: u64| sum = (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    for chunk in &mut chunks {
        add(u64::from_le_bytes(chunk.try_into().expect("eight bytes")));
    }
    chunks.remainder().iter().for_each(|&byte| add(u64::from(byte)));
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_values_come_back_and_damage_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let head = Head::new("game", "states", 1, 2, 4);
        let path = folder.path().join("states");
        let words: Vec<u64> =
            (0..3000u64).map(|n| n * n * 0x0101_0101).chain([u64::MAX - 1, u64::MAX]).collect();
        let mut writer = WordWriter::new(BlockWriter::create(&path, &head).expect("writable"), 1000);
        words.iter().try_for_each(|&word| writer.push(word)).expect("writable");
        writer.finish(&words.len()).expect("writable");
        let read = |head: &Head| -> Result<Vec<u64>, ClusterError> {
            let mut reader = BlockReader::open(&path, head)?.expect("it is there");
            let (mut all, mut block) = (Vec::new(), Vec::new());
            while reader.words(&mut block)? {
                all.extend(&block);
            }
            assert_eq!(reader.tail::<usize>()?, all.len());
            Ok(all)
        };
        assert_eq!(read(&head).expect("whole"), words);
        assert!(matches!(read(&Head::new("other", "states", 1, 2, 4)), Err(ClusterError::Foreign { .. })));
        let whole = fs::read(&path).expect("readable");
        for at in (0..whole.len()).step_by(37) {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            fs::write(&path, &bytes).expect("writable");
            assert!(read(&head).map_or(true, |read| read == words), "byte {at}");
            fs::write(&path, &whole[..at]).expect("writable");
            assert!(read(&head).is_err(), "cut at {at}");
        }
        for most in [1, 3, 7, 200] {
            let path = folder.path().join(format!("values-{most}"));
            let head = Head::new("game", "values", 1, 2, 4);
            let values: Vec<u8> = (0..1001usize).map(|n| (n * n % (most + 1)) as u8).collect();
            let mut writer = ValueWriter::new(BlockWriter::create(&path, &head).expect("writable"), most);
            writer.block(&values).expect("writable");
            writer.finish(&()).expect("writable");
            let mut back = Vec::new();
            let mut reader = BlockReader::open(&path, &head).expect("readable").expect("it is there");
            assert!(reader.values(&mut back).expect("whole"));
            assert_eq!(back, values);
        }
    }
}
