//! The host's receive memory: bytes are received into it, events hold offsets into it.

use fulmar_http1::head::FieldSpan;

use crate::event::{Event, word};

/// Bytes that must be free for another receive to be worth while.
pub(crate) const RECEIVE_MIN: usize = 4 * 1024;
/// The most one receive takes, so that one connection cannot fill a slab for all.
pub(crate) const RECEIVE_MAX: usize = 64 * 1024;
/// The most one receive takes while a head is expected: content beyond it is received where it need not be
/// kept.
pub(crate) const HEAD_RECEIVE_MAX: usize = 16 * 1024;
/// A slab of this size takes four of the largest receives: asked for while content streams.
const STREAMING_SLAB: usize = 4 * RECEIVE_MAX;
/// Size of a [`FieldSpan`] in the slab: four 32-bit words.
const SPAN_BYTES: usize = 16;
/// Size of what precedes the table of field lines: five 32-bit words. See [`Slab::put_record`].
const RECORD_BYTES: usize = 20;

/// A region of host memory that is filled from front to back. What heads refer to (see [`Slab::keep`]) is
/// never rewritten; the rest is free again as soon as the host has handled the events.
#[derive(Debug)]
pub struct Slab<'a> {
    bytes: &'a mut [u8],
    cursor: usize,
    kept: usize,
    full: bool,
    /// Room that is missing, in bytes: for a large head, or for content that streams.
    needed: usize,
}

/// What a host does about its slab after a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextSlab {
    /// Where the next turn begins to write, if the slab stays.
    pub cursor: usize,
    /// Bytes that another slab must have at the least, at most 4 GiB; 0: this one stays.
    pub bytes: u32,
}

impl NextSlab {
    /// `delivered`: the host has all events of the turn. If not, those left refer to the slab, and all of it
    /// stays as it is.
    #[must_use]
    pub fn after(slab: &Slab<'_>, delivered: bool) -> Self {
        if !delivered {
            return Self {
                cursor: slab.cursor,
                bytes: 0,
            };
        }
        let needed = slab.needed.max(RECEIVE_MIN);
        let has_room = slab.bytes.len() - slab.kept >= needed;
        let bytes = if has_room { 0 } else { needed };
        Self {
            cursor: slab.kept,
            bytes: word(bytes),
        }
    }
}

impl<'a> Slab<'a> {
    /// `cursor`: how much of `bytes` is in use already, in bytes.
    pub fn new(bytes: &'a mut [u8], cursor: usize) -> Self {
        let cursor = cursor.min(bytes.len());
        Self {
            bytes,
            cursor,
            kept: cursor,
            full: false,
            needed: 0,
        }
    }

    /// How much is in use.
    #[must_use]
    pub const fn cursor(&self) -> usize {
        self.cursor
    }

    /// True when the engine had to stop for want of room.
    pub(crate) const fn is_full(&self) -> bool {
        self.full
    }

    /// There is no room for `needed` bytes.
    pub(crate) fn mark_full(&mut self, needed: usize) {
        self.full = true;
        self.needed = self.needed.max(needed + RECEIVE_MIN);
    }

    /// Bytes that must be free for a receive of content: in a slab for streaming a whole one, as small pieces
    /// cost as much each.
    pub(crate) fn content_min(&self) -> usize {
        if self.bytes.len() < STREAMING_SLAB {
            RECEIVE_MIN
        } else {
            RECEIVE_MAX
        }
    }

    /// More content is coming than this slab has room for.
    pub(crate) fn want_streaming(&mut self) {
        if self.bytes.len() < STREAMING_SLAB {
            self.needed = STREAMING_SLAB.max(self.needed);
        }
    }

    /// An event refers to what has been taken so far, for as long as the host likes.
    pub(crate) fn keep(&mut self) {
        self.kept = self.cursor;
    }

    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.cursor
    }

    /// The free part, at most `max` bytes.
    pub(crate) fn spare(&mut self, max: usize) -> &mut [u8] {
        let end = self.bytes.len().min(self.cursor + max);
        self.bytes.get_mut(self.cursor..end).unwrap_or_default()
    }

    /// Takes `len` bytes of what `spare()` returned into use; tells where they start. The cursor stays a
    /// multiple of 4.
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

    /// Bytes that a head's record and its table of field lines take.
    pub(crate) fn record_bytes(spans: &[FieldSpan]) -> usize {
        RECORD_BYTES + spans.len() * SPAN_BYTES
    }

    /// The most that the record of a head takes which has not been parsed yet: a field line for each line.
    pub(crate) fn record_bytes_max(head: &[u8]) -> usize {
        let lines = head.split(|byte| *byte == b'\n').count();
        RECORD_BYTES + lines * SPAN_BYTES
    }

    /// Writes what the host needs to read a head later: where the head starts, its length, where its content
    /// starts, its length, the number of field lines, and behind these words their table. `None` when there
    /// is no room.
    pub(crate) fn put_record(
        &mut self,
        head: core::ops::Range<usize>,
        spans: &[FieldSpan],
    ) -> Option<usize> {
        if self.remaining() < Self::record_bytes(spans) {
            return None;
        }
        let mut record = [0; RECORD_BYTES];
        let lines = word(spans.len());
        let words = [word(head.start), word(head.end - head.start), 0, 0, lines];
        for (to, word) in record.chunks_exact_mut(4).zip(words) {
            to.copy_from_slice(&word.to_ne_bytes());
        }
        let start = self.put(&record)?;
        self.put_spans(spans)?;
        Some(start)
    }

    /// Notes the content that came with a head in its record.
    pub(crate) fn note_content(&mut self, record: usize, start: usize, len: usize) {
        for (at, value) in [(record + 8, start), (record + 12, len)] {
            if let Some(place) = self.bytes.get_mut(at..at + 4) {
                place.copy_from_slice(&word(value).to_ne_bytes());
            }
        }
    }

    /// Writes a trailer section and its table, and where they are into the event. False, and full, when there
    /// is no room.
    pub(crate) fn put_section(
        &mut self,
        bytes: &[u8],
        spans: &[FieldSpan],
        event: &mut Event,
    ) -> bool {
        let needed = bytes.len() + 4 + spans.len() * SPAN_BYTES;
        if self.remaining() < needed {
            self.mark_full(needed);
            return false;
        }
        event.head_start = word(self.put(bytes).unwrap_or_default());
        event.head_len = word(bytes.len());
        event.fields_start = word(self.put_spans(spans).unwrap_or_default());
        event.fields_len = word(spans.len());
        true
    }

    /// Writes a table of field lines; `None` when there is no room.
    fn put_spans(&mut self, spans: &[FieldSpan]) -> Option<usize> {
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
