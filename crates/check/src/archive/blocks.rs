//! Layers as files of words: a reader of its own for archives that are written in parts.
//!
//! ```text
//! {"format":"counterplay layers 1","key":…,"kind":"states","layer":3,"part":2,"parts":16}\n
//! blocks: count, bytes, raw bytes (u32 each), first word, checksum (u64 each), content (LZ4)
//! a block of count 0
//! ```
//! Numbers are little-endian. Words ascend: the content of a block of words is the differences after the first one, seven bits to a byte, the least
//! significant first. Values have 1, 2, 4 or 8 bits, and where words have their first one, the block tells how many. The blocks of values are those of the words.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Seek};

use counterplay_base::Budget;

use super::{Shelf, ShelfError};

/// No block has more words.
const MOST_WORDS: usize = 1 << 16;
/// A word takes ten bytes at most.
const MOST_BYTES: usize = 10 * MOST_WORDS;
/// How files begin.
const FORMAT: &str = r#"{"format":"counterplay layers 1","key":"#;

/// Opens a file of states (`true`) or of values of a layer and a part; tells its name, too.
pub type ArchiveFile<'a, R> = Box<dyn FnMut(bool, usize, usize) -> io::Result<(R, String)> + 'a>;

/// An archive in files of words.
pub struct WordShelf<'a, R> {
    open: ArchiveFile<'a, R>,
    parts: usize,
    /// The part that a word would be in.
    part_of: Box<dyn Fn(u64) -> usize + 'a>,
    key: String,
    budget: Budget,
    /// Where reading goes on: the layer, the number of the next entry, and the files at this place.
    cursor: Option<Cursor<R>>,
    /// Where the blocks of a layer begin, by layer and part.
    places: HashMap<(usize, usize), Vec<BlockPlace>>,
}

struct Cursor<R> {
    layer: usize,
    next: u64,
    part: usize,
    files: Option<Pair<R>>,
    /// Entries that have been read and not been asked for.
    waiting: Vec<(u64, usize)>,
}

impl<'a, R: Read + Seek> WordShelf<'a, R> {
    /// An archive with so many parts in each layer. `key` is how the rules are called in its files.
    pub fn new(
        open: ArchiveFile<'a, R>,
        parts: usize,
        part_of: Box<dyn Fn(u64) -> usize + 'a>,
        key: &str,
        budget: &Budget,
    ) -> WordShelf<'a, R> {
        WordShelf {
            open,
            parts,
            part_of,
            key: key.to_owned(),
            budget: budget.clone(),
            cursor: None,
            places: HashMap::new(),
        }
    }

    fn pair(&mut self, layer: usize, part: usize) -> Result<Pair<R>, ShelfError> {
        let mut open = |is_states: bool| -> Result<Blocks<R>, ShelfError> {
            let (file, name) = (self.open)(is_states, layer, part)
                .map_err(|error| ShelfError::Damaged(error.to_string()))?;
            let kind = if is_states { "states" } else { "values" };
            let parts = self.parts;
            let place = format!(r#","kind":"{kind}","layer":{layer},"part":{part},"parts":{parts}}}"#);
            Blocks::new(file, name, &self.key, &place)
        };
        Ok(Pair { states: open(true)?, values: open(false)? })
    }
}

impl<R: Read + Seek> Shelf for WordShelf<'_, R> {
    type Key = u64;

    fn entries(&mut self, layer: usize, from: u64, most: usize) -> Result<Vec<(u64, usize)>, ShelfError> {
        let mut cursor = match self.cursor.take() {
            Some(cursor) if cursor.layer == layer && cursor.next == from => cursor,
            // A check that goes on somewhere counts what it does not look at.
            _ => {
                let mut start = Cursor { layer, next: 0, part: 0, files: None, waiting: Vec::new() };
                while start.next < from {
                    let left = usize::try_from(from - start.next).unwrap_or(usize::MAX);
                    let skipped = self.read(&mut start, left)?;
                    if skipped.is_empty() {
                        return Ok(Vec::new());
                    }
                }
                start
            }
        };
        let found = self.read(&mut cursor, most)?;
        self.cursor = Some(cursor);
        Ok(found)
    }

    fn outcomes(&mut self, layer: usize, keys: &[u64]) -> Result<Vec<Option<usize>>, ShelfError> {
        let mut found = vec![None; keys.len()];
        let mut by_part: Vec<Vec<usize>> = vec![Vec::new(); self.parts];
        for (at, &key) in keys.iter().enumerate() {
            if let Some(own) = by_part.get_mut((self.part_of)(key)) {
                own.push(at);
            }
        }
        for (part, own) in by_part.into_iter().enumerate().filter(|(_, own)| !own.is_empty()) {
            self.budget.check().map_err(ShelfError::Stopped)?;
            let mut pair = self.pair(layer, part)?;
            if !self.places.contains_key(&(layer, part)) {
                // One layer is asked about at a time.
                self.places.retain(|&(known, _), _| known == layer);
                let places = pair.places()?;
                self.places.insert((layer, part), places);
            }
            let places = &self.places[&(layer, part)];
            let mut own = own.into_iter().peekable();
            while let Some(&at) = own.peek() {
                let after = places.partition_point(|place| place.first <= keys[at]);
                let Some(place) = after.checked_sub(1).map(|number| &places[number]) else {
                    own.next();
                    continue;
                };
                let end = places.get(after).map(|place| place.first);
                let block = pair.block_at(place)?;
                while let Some(at) = own.next_if(|&at| end.is_none_or(|end| keys[at] < end)) {
                    let place = block.binary_search_by_key(&keys[at], |&(word, _)| word);
                    found[at] = place.ok().map(|place| block[place].1);
                }
            }
        }
        Ok(found)
    }
}

impl<R: Read + Seek> WordShelf<'_, R> {
    /// Reads on.
    fn read(&mut self, cursor: &mut Cursor<R>, most: usize) -> Result<Vec<(u64, usize)>, ShelfError> {
        while cursor.waiting.is_empty() {
            self.budget.check().map_err(ShelfError::Stopped)?;
            let mut files = match cursor.files.take() {
                Some(files) => files,
                None if cursor.part == self.parts => return Ok(Vec::new()),
                None => self.pair(cursor.layer, cursor.part)?,
            };
            match files.next()? {
                Some(mut block) => {
                    block.reverse();
                    cursor.waiting = block;
                    cursor.files = Some(files);
                }
                None => cursor.part += 1,
            }
        }
        let kept = cursor.waiting.len().saturating_sub(most);
        let mut found = cursor.waiting.split_off(kept);
        found.reverse();
        cursor.next += found.len() as u64;
        Ok(found)
    }
}

/// The files of words and of values of a part.
struct Pair<R> {
    states: Blocks<R>,
    values: Blocks<R>,
}

/// Words with the numbers of their outcomes.
type WordBlock = Vec<(u64, usize)>;

/// Where a block begins: its first word, and its places in the files of states and of values.
struct BlockPlace {
    first: u64,
    states: u64,
    values: u64,
}

impl<R: Read + Seek> Pair<R> {
    /// The heads of the next block in both files.
    fn heads(&mut self) -> Result<Option<(BlockHead, BlockHead)>, ShelfError> {
        let (states, values) = match (self.states.head()?, self.values.head()?) {
            (None, None) => return Ok(None),
            (Some(states), Some(values)) if states.count == values.count => (states, values),
            _ => return Err(self.values.damaged("its blocks are not those of the states")),
        };
        // Words ascend from block to block, too.
        if self.states.last.is_some_and(|last| states.first <= last) {
            return Err(self.states.damaged("words do not ascend"));
        }
        Ok(Some((states, values)))
    }

    /// The content of a block whose heads have been read.
    fn content(&mut self, states: &BlockHead, values: &BlockHead) -> Result<WordBlock, ShelfError> {
        let words = self.states.content(states)?;
        let words = self.states.words(states, &words)?;
        self.states.last = words.last().copied();
        let numbers = self.values.content(values)?;
        let numbers = self.values.numbers(values, &numbers)?;
        Ok(words.into_iter().zip(numbers).collect())
    }

    /// The next block.
    fn next(&mut self) -> Result<Option<WordBlock>, ShelfError> {
        match self.heads()? {
            Some((states, values)) => self.content(&states, &values).map(Some),
            None => Ok(None),
        }
    }

    /// Where all blocks begin.
    fn places(&mut self) -> Result<Vec<BlockPlace>, ShelfError> {
        let mut places = Vec::new();
        loop {
            let (at_states, at_values) = (self.states.place()?, self.values.place()?);
            let Some((states, values)) = self.heads()? else { return Ok(places) };
            self.states.skip(&states)?;
            self.values.skip(&values)?;
            self.states.last = Some(states.first);
            places.push(BlockPlace { first: states.first, states: at_states, values: at_values });
        }
    }

    /// The block at a place.
    fn block_at(&mut self, place: &BlockPlace) -> Result<WordBlock, ShelfError> {
        self.states.last = None;
        self.states.go(place.states)?;
        self.values.go(place.values)?;
        self.next()?.ok_or_else(|| self.states.damaged("it has changed"))
    }
}

struct Blocks<R> {
    reader: BufReader<R>,
    name: String,
    /// The last word that was met.
    last: Option<u64>,
}

struct BlockHead {
    count: usize,
    bytes: usize,
    raw: usize,
    first: u64,
    sum: u64,
}

impl<R: Read + Seek> Blocks<R> {
    /// Opens a file that must be of this game, and at this place in it.
    fn new(file: R, name: String, key: &str, place: &str) -> Result<Blocks<R>, ShelfError> {
        let mut blocks = Blocks { reader: BufReader::new(file), name, last: None };
        let mut line = Vec::new();
        let read = blocks.reader.by_ref().take(4096).read_until(b'\n', &mut line);
        read.map_err(|error| blocks.failed(&error))?;
        let line = String::from_utf8(line).unwrap_or_default();
        let Some(rest) = line.strip_prefix(FORMAT) else {
            return Err(blocks.damaged("it is no part of a layer, or another version wrote it"));
        };
        match rest.strip_prefix(&format!("\"{key}\"")).map(str::trim_end) {
            Some(rest) if rest == place => Ok(blocks),
            Some(_) => Err(blocks.damaged("it holds something else than its name says")),
            None => Err(blocks.damaged("it belongs to another game")),
        }
    }

    fn damaged(&self, why: &str) -> ShelfError {
        ShelfError::Damaged(format!("{}: {why}", self.name))
    }

    fn failed(&self, error: &io::Error) -> ShelfError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => self.damaged("it is cut off"),
            _ => self.damaged(&error.to_string()),
        }
    }

    fn head(&mut self) -> Result<Option<BlockHead>, ShelfError> {
        let mut bytes = [0; 28];
        self.reader.read_exact(&mut bytes).map_err(|error| self.failed(&error))?;
        let number = |from: usize, to: usize| {
            bytes[from..to].iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte))
        };
        let head = BlockHead {
            count: number(0, 4) as usize,
            bytes: number(4, 8) as usize,
            raw: number(8, 12) as usize,
            first: number(12, 20),
            sum: number(20, 28),
        };
        if head.count == 0 {
            return Ok(None);
        }
        if head.count > MOST_WORDS || head.raw > MOST_BYTES || head.bytes > 2 * MOST_BYTES {
            return Err(self.damaged("a block is larger than any can be"));
        }
        Ok(Some(head))
    }

    fn place(&mut self) -> Result<u64, ShelfError> {
        self.reader.stream_position().map_err(|error| self.failed(&error))
    }

    fn go(&mut self, place: u64) -> Result<(), ShelfError> {
        self.reader.seek(io::SeekFrom::Start(place)).map(drop).map_err(|error| self.failed(&error))
    }

    fn skip(&mut self, head: &BlockHead) -> Result<(), ShelfError> {
        self.reader.seek_relative(head.bytes as i64).map_err(|error| self.failed(&error))
    }

    fn content(&mut self, head: &BlockHead) -> Result<Vec<u8>, ShelfError> {
        let mut packed = vec![0; head.bytes];
        self.reader.read_exact(&mut packed).map_err(|error| self.failed(&error))?;
        let inner = sum(&packed);
        let mut outer = Vec::with_capacity(24);
        for part in [inner, head.first, head.count as u64] {
            outer.extend(part.to_le_bytes());
        }
        if sum(&outer) != head.sum {
            return Err(self.damaged("a checksum is wrong"));
        }
        lz4_flex::block::decompress(&packed, head.raw).map_err(|_| self.damaged("a block cannot be unpacked"))
    }

    /// The words of a block.
    fn words(&self, head: &BlockHead, raw: &[u8]) -> Result<Vec<u64>, ShelfError> {
        let mut words = vec![head.first];
        let mut bytes = raw.iter();
        while words.len() < head.count {
            let (mut step, mut shift) = (0u64, 0);
            loop {
                let &byte = bytes.next().ok_or_else(|| self.damaged("a block is too short"))?;
                if shift > 63 {
                    return Err(self.damaged("a difference is too long"));
                }
                step |= u64::from(byte & 127) << shift;
                shift += 7;
                if byte < 128 {
                    break;
                }
            }
            let last = words[words.len() - 1];
            let next = last.checked_add(step).filter(|_| step > 0);
            words.push(next.ok_or_else(|| self.damaged("words do not ascend"))?);
        }
        if bytes.next().is_some() { Err(self.damaged("a block is too long")) } else { Ok(words) }
    }

    /// The values of a block.
    fn numbers(&self, head: &BlockHead, raw: &[u8]) -> Result<Vec<usize>, ShelfError> {
        let width = match head.first {
            width @ (1 | 2 | 4 | 8) => width as usize,
            _ => return Err(self.damaged("values have a width that there is not")),
        };
        if raw.len() != (head.count * width).div_ceil(8) {
            return Err(self.damaged("a block of values has a wrong size"));
        }
        let bit = |at: usize| usize::from(raw[at / 8] >> (at % 8) & 1);
        let number = |at: usize| (0..width).map(|place| bit(at * width + place) << place).sum();
        Ok((0..head.count).map(number).collect())
    }
}

/// The checksum of the format: eight bytes at a time.
fn sum(bytes: &[u8]) -> u64 {
    let add = |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let (whole, rest) = bytes.split_at(bytes.len() / 8 * 8);
    let start = 0xcbf2_9ce4_8422_2325u64 ^ bytes.len() as u64;
    let word = |eight: &[u8]| eight.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    let sum = whole.chunks(8).fold(start, |sum, eight| add(sum, word(eight)));
    rest.iter().fold(sum, |sum, &byte| add(sum, u64::from(byte)))
}
