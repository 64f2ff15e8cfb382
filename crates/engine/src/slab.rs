//! The host's receive memory: bytes are received into it, events hold offsets into it.

use fulmar_http1::head::FieldSpan;

/// Bytes that must be free for another receive to be worth while.
pub(crate) const RECEIVE_MIN: usize = 8 * 1024;
/// The most one receive takes, so that one connection cannot fill a slab for all.
pub(crate) const RECEIVE_MAX: usize = 64 * 1024;
/// Size of a [`FieldSpan`] in the slab: four 32-bit words.
const SPAN_BYTES: usize = 16;

/// A region of host memory that is filled from front to back and never rewritten while an event refers to it.
#[derive(Debug)]
pub struct Slab<'a> {
    bytes: &'a mut [u8],
    cursor: usize,
    full: bool,
}

impl<'a> Slab<'a> {
    /// `cursor`: how much of `bytes` is in use already, in bytes.
    pub fn new(bytes: &'a mut [u8], cursor: usize) -> Self {
        let cursor = cursor.min(bytes.len());
        Self {
            bytes,
            cursor,
            full: false,
        }
    }

    /// How much is in use.
    #[must_use]
    pub const fn cursor(&self) -> usize {
        self.cursor
    }

    /// True when the engine had to stop for want of room: the host provides a fresh slab before the next turn.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.full
    }

    pub(crate) fn mark_full(&mut self) {
        self.full = true;
    }

    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.cursor
    }

    /// The free part, at most [`RECEIVE_MAX`] bytes.
    pub(crate) fn spare(&mut self) -> &mut [u8] {
        let end = self.bytes.len().min(self.cursor + RECEIVE_MAX);
        self.bytes.get_mut(self.cursor..end).unwrap_or_default()
    }

    /// Takes `len` bytes of what `spare()` returned into use; tells where they start. The cursor stays a multiple of 4.
    pub(crate) fn take(&mut self, len: usize) -> usize {
        let start = self.cursor;
        self.cursor = (start + len).next_multiple_of(4).min(self.bytes.len());
        start
    }

    pub(crate) fn get(&self, start: usize, end: usize) -> &[u8] {
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// Copies `bytes` in; `None` when there is no room.
    pub(crate) fn put(&mut self, bytes: &[u8]) -> Option<usize> {
        let target = self.bytes.get_mut(self.cursor..self.cursor + bytes.len())?;
        target.copy_from_slice(bytes);
        Some(self.take(bytes.len()))
    }

    /// Moves a range to the front by overwriting what precedes it (dechunking in place).
    pub(crate) fn move_down(&mut self, from: core::ops::Range<usize>, to: usize) {
        if from.start != to && from.end <= self.bytes.len() && to <= from.start {
            self.bytes.copy_within(from, to);
        }
    }

    /// Writes the table of field lines; `None` when there is no room.
    pub(crate) fn put_spans(&mut self, spans: &[FieldSpan]) -> Option<usize> {
        let len = spans.len() * SPAN_BYTES;
        let target = self.bytes.get_mut(self.cursor..self.cursor + len)?;
        for (out, span) in target.chunks_exact_mut(SPAN_BYTES).zip(spans) {
            let words = [
                span.name_start,
                span.name_len,
                span.value_start,
                span.value_len,
            ];
            for (to, word) in out.chunks_exact_mut(4).zip(words) {
                to.copy_from_slice(&word.to_ne_bytes());
            }
        }
        Some(self.take(len))
    }
}
