//! What is appended to an executable: named entries, an index and a footer.
//!
//! ```text
//! [executable][entries …][index][footer]           the runtime, with Node's modules
//! [the runtime][entries …][index][footer]          an application
//! index:  per entry: kind u8, name bytes u16, name, offset u64 (from the archive's start), bytes u64, checksum u64, modified u64 (ms);
//!         little-endian
//! footer: 48 bytes: magic 8, format u32, role u32, index bytes u64, archive bytes u64 (footer included), checksum u64, runtime u64
//! ```
//! The footer's checksum covers the index, each entry's the entry; an entry is checked when it is read.
//! `runtime` names the runtime: the checksum of its program and its own archive, and the same number in the
//! archives of applications built with it, so that bytecode never meets another version of QuickJS.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

use crate::mapping::Mapping;

pub(crate) const MAGIC: &[u8; 8] = b"FULMARAR";
/// Raised when the layout or QuickJS's bytecode changes.
pub(crate) const FORMAT: u32 = 2;
pub(crate) const FOOTER_BYTES: usize = 48;

/// Whose archive it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Runtime = 1,
    Application = 2,
}

/// What an entry holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Bytecode of a CommonJS module's function.
    Function = 1,
    /// Bytecode of an ES module.
    Module = 2,
    /// A file as it is.
    Raw = 3,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) kind: Kind,
    pub(crate) offset: u64,
    pub(crate) bytes: u64,
    checksum: u64,
    /// When the file was changed last, in ms since 1970; 0 for what is no file.
    pub(crate) modified_ms: u64,
}

/// An archive within a file, read entry by entry.
#[derive(Debug)]
pub(crate) struct Archive {
    file: File,
    pub(crate) entries: HashMap<Box<str>, Entry>,
    pub(crate) role: Role,
    pub(crate) runtime: u64,
    /// Where the archive starts in its file: everything before it is the executable it was appended to.
    pub(crate) start: u64,
}

/// FNV-1a over 64-bit words instead of bytes, with the bits of each word mixed: finds damage, not malice.
/// Eight bytes a step, for every module is checked at each start.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    checksum_more(CHECKSUM_START, bytes)
}

const CHECKSUM_START: u64 = 0xcbf2_9ce4_8422_2325;

/// Continues a checksum; the parts' lengths are part of it.
pub(crate) fn checksum_more(start: u64, bytes: &[u8]) -> u64 {
    let step =
        |hash: u64, word: u64| (hash.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words
        .iter()
        .fold(start, |hash, word| step(hash, u64::from_le_bytes(*word)));
    let hash = rest
        .iter()
        .fold(hash, |hash, byte| step(hash, u64::from(*byte)));
    step(hash, bytes.len() as u64)
}

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes
        .get(at..at + 8)
        .and_then(|b| b.try_into().ok())
        .map_or(0, u64::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes
        .get(at..at + 4)
        .and_then(|b| b.try_into().ok())
        .map_or(0, u32::from_le_bytes)
}

impl Archive {
    /// The archive that ends at `end`; `None` when there is none. Fails on one that is damaged.
    pub(crate) fn open(file: File, end: u64) -> io::Result<Option<Self>> {
        let Some(footer_at) = end.checked_sub(FOOTER_BYTES as u64) else {
            return Ok(None);
        };
        let mut footer = [0; FOOTER_BYTES];
        file.read_exact_at(&mut footer, footer_at)?;
        if !footer.starts_with(MAGIC) {
            return Ok(None);
        }
        let format = u32_at(&footer, 8);
        if format != FORMAT {
            return Err(broken(&format!(
                "archive format {FORMAT} expected, {format} found: it was made by another version of Fulmar, or is damaged; build it again"
            )));
        }
        let role = match u32_at(&footer, 12) {
            1 => Role::Runtime,
            2 => Role::Application,
            other => return Err(broken(&format!("an unknown kind of archive ({other})"))),
        };
        let (index_bytes, archive_bytes) = (u64_at(&footer, 16), u64_at(&footer, 24));
        let start = end.checked_sub(archive_bytes).ok_or_else(|| {
            broken("it is shorter than its archive: the file is damaged; build or copy it again")
        })?;
        let index_at = footer_at
            .checked_sub(index_bytes)
            .filter(|at| *at >= start)
            .ok_or_else(|| {
                broken("its index does not fit: the file is damaged; build or copy it again")
            })?;
        let mut index =
            vec![0; usize::try_from(index_bytes).map_err(|_| broken("the index is too large"))?];
        file.read_exact_at(&mut index, index_at)?;
        if checksum(&index) != u64_at(&footer, 32) {
            return Err(broken(
                "its index's checksum differs: the file is damaged; build or copy it again",
            ));
        }
        let entries = read_index(&index, index_at - start)?;
        Ok(Some(Self {
            file,
            entries,
            role,
            runtime: u64_at(&footer, 40),
            start,
        }))
    }

    pub(crate) fn read(&self, entry: Entry) -> io::Result<Mapping> {
        let bytes = usize::try_from(entry.bytes).map_err(|_| broken("the entry is too large"))?;
        let bytes = Mapping::new(&self.file, self.start + entry.offset, bytes)?;
        if checksum(&bytes) != entry.checksum {
            return Err(broken(
                "a part's checksum differs: the file is damaged; build or copy it again",
            ));
        }
        Ok(bytes)
    }

    /// Reads a part of an entry; how many bytes it gave.
    pub(crate) fn read_at(&self, entry: Entry, into: &mut [u8], from: u64) -> io::Result<usize> {
        let rest = usize::try_from(entry.bytes.saturating_sub(from)).unwrap_or(usize::MAX);
        let count = rest.min(into.len());
        let part = into.get_mut(..count).unwrap_or_default();
        self.file
            .read_exact_at(part, self.start + entry.offset + from)?;
        Ok(count)
    }
}

fn read_index(mut index: &[u8], entries_bytes: u64) -> io::Result<HashMap<Box<str>, Entry>> {
    let damaged = || broken("its index is damaged; build or copy it again");
    let mut entries = HashMap::new();
    while !index.is_empty() {
        let (head, rest) = index.split_at_checked(3).ok_or_else(damaged)?;
        let name_bytes = usize::from(u16::from_le_bytes([head[1], head[2]]));
        let (name, rest) = rest.split_at_checked(name_bytes).ok_or_else(damaged)?;
        let (place, rest) = rest.split_at_checked(32).ok_or_else(damaged)?;
        let kind = match head[0] {
            1 => Kind::Function,
            2 => Kind::Module,
            3 => Kind::Raw,
            _ => return Err(damaged()),
        };
        let entry = Entry {
            kind,
            offset: u64_at(place, 0),
            bytes: u64_at(place, 8),
            checksum: u64_at(place, 16),
            modified_ms: u64_at(place, 24),
        };
        if entry
            .offset
            .checked_add(entry.bytes)
            .is_none_or(|end| end > entries_bytes)
        {
            return Err(damaged());
        }
        entries.insert(
            std::str::from_utf8(name).map_err(|_| damaged())?.into(),
            entry,
        );
        index = rest;
    }
    Ok(entries)
}

/// Collects entries and writes them as an archive.
#[derive(Default)]
pub(crate) struct Writer {
    body: Vec<u8>,
    index: Vec<u8>,
}

impl Writer {
    pub(crate) fn add(
        &mut self,
        name: &str,
        kind: Kind,
        bytes: &[u8],
        modified_ms: u64,
    ) -> io::Result<()> {
        let name_bytes =
            u16::try_from(name.len()).map_err(|_| broken("an entry's name is too long"))?;
        self.index.push(kind as u8);
        self.index.extend(name_bytes.to_le_bytes());
        self.index.extend(name.as_bytes());
        self.index.extend((self.body.len() as u64).to_le_bytes());
        self.index.extend((bytes.len() as u64).to_le_bytes());
        self.index.extend(checksum(bytes).to_le_bytes());
        self.index.extend(modified_ms.to_le_bytes());
        self.body.extend(bytes);
        Ok(())
    }

    /// A number for the runtime that consists of `program` and what was added.
    pub(crate) fn number(&self, program: &[u8]) -> u64 {
        checksum_more(checksum(program), &self.body)
    }

    /// The archive's bytes. `runtime` is the runtime's number.
    pub(crate) fn finish(mut self, role: Role, runtime: u64) -> Vec<u8> {
        let index_sum = checksum(&self.index);
        let total = self.body.len() + self.index.len() + FOOTER_BYTES;
        let index_bytes = self.index.len() as u64;
        self.body.append(&mut self.index);
        self.body.extend(MAGIC);
        self.body.extend(FORMAT.to_le_bytes());
        self.body.extend((role as u32).to_le_bytes());
        self.body.extend(index_bytes.to_le_bytes());
        self.body.extend((total as u64).to_le_bytes());
        self.body.extend(index_sum.to_le_bytes());
        self.body.extend(runtime.to_le_bytes());
        self.body
    }
}
