//! The reply bytes of a connection that are not with the operating system yet, in order.

use std::collections::VecDeque;
use std::fs::File;

use bytes::Bytes;

use crate::pool::Pool;
use crate::reply::Body;

/// Bodies up to this size are copied next to their head; larger ones are kept by reference, in bytes.
pub const COPY_MAX: usize = 16 * 1024;

/// Content in memory of the host's program, which may do with it what it likes while the content waits to be
/// sent. So it is asked for each time it is read, and no address outlives the call.
pub trait LentContent: std::fmt::Debug {
    /// The bytes as they are now; empty when the program has given the memory away.
    fn bytes(&self) -> &[u8];
}

/// A large body that stays the program's until it is sent.
#[derive(Debug)]
pub(crate) struct Lent {
    content: Box<dyn LentContent>,
    /// Bytes promised when it was given; of more, only so many are sent.
    len: usize,
}

impl Lent {
    /// `None`: there is less than was promised.
    fn bytes(&self) -> Option<&[u8]> {
        self.content.bytes().get(..self.len)
    }
}

#[derive(Debug)]
pub(crate) enum Chunk {
    /// Encoded heads and small bodies; from the pool.
    Owned(Vec<u8>),
    /// A large body that is nobody's else.
    Shared(Bytes),
    /// A large body that is the program's.
    Lent(Lent),
    /// A part of a file, sent with `sendfile`.
    File { file: File, offset: u64, left: u64 },
}

impl Chunk {
    fn len(&self) -> usize {
        match self {
            Self::Owned(bytes) => bytes.len(),
            Self::Shared(bytes) => bytes.len(),
            Self::Lent(lent) => lent.len,
            Self::File { .. } => 0,
        }
    }
}

/// Chunks in sending order. `sent` counts into the first chunk.
#[derive(Debug, Default)]
pub(crate) struct OutQueue {
    chunks: VecDeque<Chunk>,
    sent: usize,
    /// Bytes in memory not sent; files do not count.
    bytes: usize,
    /// Bytes ever appended, files included.
    appended: u64,
}

impl OutQueue {
    pub(crate) fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Bytes ever appended, files included.
    pub(crate) fn appended(&self) -> u64 {
        self.appended
    }

    /// Bytes held in memory.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Appends through a buffer that `write` extends. The queue's last owned chunk is extended in place.
    pub(crate) fn append_with(&mut self, pool: &mut Pool, write: impl FnOnce(&mut Vec<u8>)) {
        if !matches!(self.chunks.back(), Some(Chunk::Owned(_))) {
            self.chunks.push_back(Chunk::Owned(pool.take()));
        }
        if let Some(Chunk::Owned(buffer)) = self.chunks.back_mut() {
            let before = buffer.len();
            write(buffer);
            self.bytes += buffer.len() - before;
            self.appended += (buffer.len() - before) as u64;
        }
    }

    /// Appends the first `len` bytes of `content`.
    pub(crate) fn push(&mut self, pool: &mut Pool, content: Body<'_>, len: usize) {
        match content {
            Body::None => {}
            Body::Copy(bytes) => {
                let bytes = bytes.get(..len).unwrap_or(bytes);
                self.append_with(pool, |out| out.extend_from_slice(bytes));
            }
            Body::Shared(mut bytes) => {
                bytes.truncate(len);
                self.push_shared(pool, bytes);
            }
            Body::Lent(content) => self.push_lent(content, len),
        }
    }

    /// Appends bytes: small ones are copied, large ones kept.
    fn push_shared(&mut self, pool: &mut Pool, bytes: Bytes) {
        if bytes.is_empty() {
            return;
        }
        if bytes.len() <= COPY_MAX {
            self.append_with(pool, |out| out.extend_from_slice(&bytes));
        } else {
            self.bytes += bytes.len();
            self.appended += bytes.len() as u64;
            self.chunks.push_back(Chunk::Shared(bytes));
        }
    }

    /// Appends the first `len` bytes of a body that stays where it is.
    fn push_lent(&mut self, content: Box<dyn LentContent>, len: usize) {
        if len > 0 {
            self.bytes += len;
            self.appended += len as u64;
            self.chunks.push_back(Chunk::Lent(Lent { content, len }));
        }
    }

    pub(crate) fn push_file(&mut self, file: File, offset: u64, left: u64) {
        if left > 0 {
            self.appended += left;
            self.chunks.push_back(Chunk::File { file, offset, left });
        }
    }

    /// Takes out the file whose last byte is byte `end` of all that were ever appended, and everything behind
    /// it. False: there is none, or it is sent.
    pub(crate) fn cut_file(&mut self, end: u64) -> bool {
        let mut at = self.appended;
        for index in (0..self.chunks.len()).rev() {
            let begin = match self.chunks.get(index) {
                Some(Chunk::File { left, .. }) if at == end => at - left,
                Some(Chunk::File { left, .. }) => {
                    at -= left;
                    continue;
                }
                Some(chunk) => {
                    let sent = if index == 0 { self.sent } else { 0 };
                    at -= (chunk.len() - sent) as u64;
                    continue;
                }
                None => return false,
            };
            let behind = self.chunks.split_off(index);
            self.bytes -= behind.iter().map(Chunk::len).sum::<usize>();
            self.appended = begin;
            return true;
        }
        false
    }

    /// Moves everything of `other` behind what is here.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.bytes += other.bytes;
        self.appended += other.appended;
        self.chunks.append(&mut other.chunks);
    }

    /// The unsent parts of the leading memory chunks. It ends before a file, and before a body that is not
    /// there any more.
    pub(crate) fn leading_slices(&self) -> impl Iterator<Item = &[u8]> {
        let mut skip = self.sent;
        self.chunks.iter().map_while(move |chunk| {
            let bytes: &[u8] = match chunk {
                Chunk::Owned(bytes) => bytes,
                Chunk::Shared(bytes) => bytes,
                Chunk::Lent(lent) => lent.bytes()?,
                Chunk::File { .. } => return None,
            };
            let rest = bytes.get(skip..).unwrap_or_default();
            skip = 0;
            Some(rest)
        })
    }

    /// The file to send next, when one is first in line.
    pub(crate) fn leading_file(&mut self) -> Option<(&File, &mut u64, &mut u64)> {
        match self.chunks.front_mut() {
            Some(Chunk::File { file, offset, left }) => Some((file, offset, left)),
            _ => None,
        }
    }

    /// Bytes left of the file that is chunk `index`, when that is one.
    pub(crate) fn file_at(&self, index: usize) -> Option<u64> {
        match self.chunks.get(index) {
            Some(Chunk::File { left, .. }) => Some(*left),
            _ => None,
        }
    }

    /// Drops a file that has been sent in full.
    pub(crate) fn finish_file(&mut self) {
        if matches!(self.chunks.front(), Some(Chunk::File { left: 0, .. })) {
            self.chunks.pop_front();
        }
    }

    /// Marks `count` bytes of memory chunks as sent and recycles what is done.
    pub(crate) fn advance(&mut self, count: usize, pool: &mut Pool) {
        self.bytes = self.bytes.saturating_sub(count);
        self.sent += count;
        while let Some(front) = self.chunks.front() {
            if matches!(front, Chunk::File { .. }) || self.sent < front.len() {
                break;
            }
            self.sent -= front.len();
            if let Some(Chunk::Owned(buffer)) = self.chunks.pop_front() {
                pool.give(buffer);
            }
        }
        if self.chunks.is_empty() && self.chunks.capacity() > 8 {
            self.chunks = VecDeque::new();
        }
    }
}
