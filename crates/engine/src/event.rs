//! What the engine tells its host: fixed-size records of sixteen 32-bit words with offsets into the slab.

use crate::slots::Id;

/// What happened. The value is the low byte of an event's first word. The kinds that are about an exchange
/// come first, up to [`Sent`]: hosts tell by the number whose id an event carries
/// (`EVENT_KIND_LAST_OF_EXCHANGE` of the batch).
///
/// [`Sent`]: EventKind::Sent
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum EventKind {
    /// A complete head; content as the flags say.
    Request = 1,
    /// An Upgrade or CONNECT head; the connection waits for the host's decision.
    Upgrade = 2,
    /// A piece of content.
    Content = 3,
    /// The end of streamed content, with the trailer section.
    ContentEnd = 4,
    /// The exchange is over before its reply was out. `head_start` holds the [`AbortReason`].
    Abort = 5,
    /// The reply's buffer has room again.
    Drain = 6,
    /// The reply is with the operating system (asked for by `notify_sent`).
    Sent = 7,
    /// A connection was accepted (`report_connections`).
    Connection = 8,
    /// A watched connection is closed. `head_start` holds the [`AbortReason`], the length words the bytes
    /// received and the content words those sent, low half first.
    ConnectionClosed = 9,
    /// Bytes of an upgraded connection.
    RawData = 10,
    /// The peer of an upgraded connection has shut down its side.
    RawEnd = 11,
    /// A watched connection's buffer has room again.
    ConnectionDrain = 12,
    /// A connection was inactive for its socket timeout.
    Timeout = 13,
    /// A head or framing was refused (`report_rejects`). `head_start`/`head_len`: raw bytes; `target_start`:
    /// index in `Reject::ALL`.
    Reject = 14,
    /// A connection beyond `connections_max` was closed.
    Drop = 15,
    /// A closed listener's last connection is gone.
    ListenerClosed = 16,
    /// A connection that is not watched is lost (`report_rejects`). `head_start` holds the [`AbortReason`].
    ConnectionLost = 17,
}

/// Bits in the upper half of an event's first word.
#[expect(
    missing_docs,
    reason = "named after the fields of Exchange in types.ts"
)]
pub mod event_flag {
    pub const KEEP_ALIVE: u32 = 1;
    pub const MINOR_1: u32 = 2;
    pub const CONDITIONAL: u32 = 4;
    pub const EXPECT_CONTINUE: u32 = 8;
    pub const EXPECT_OTHER: u32 = 16;
    pub const UPGRADE: u32 = 32;
    pub const CONTENT_INLINE: u32 = 64;
    pub const CONTENT_STREAMED: u32 = 128;
    pub const LIMIT_LAST: u32 = 256;
    pub const LIMIT_BEYOND: u32 = 512;
}

/// Why an exchange or a connection ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum AbortReason {
    /// An orderly end; not an error.
    None = 0,
    /// The peer closed or half-closed.
    PeerClosed = 1,
    /// The peer reset the connection.
    PeerReset = 2,
    /// The host asked for it.
    Host = 3,
    /// A timeout of the engine.
    Timeout = 4,
    /// Broken framing within the content.
    Framing = 5,
    /// The buffered reply passed its hard cap.
    Overflow = 6,
    /// The operating system reported another error.
    Io = 7,
    /// The host's program has given away memory that it wanted to be sent.
    ContentGone = 8,
}

/// One record. Fields that an event kind does not name are 0.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
#[expect(
    missing_docs,
    reason = "offsets and lengths into the slab, in bytes; described per kind at `EventKind`"
)]
pub struct Event {
    /// kind | method << 8 | flags << 16
    pub head: u32,
    pub slot: u32,
    pub generation: u32,
    pub listener: u32,
    pub head_start: u32,
    pub head_len: u32,
    pub target_start: u32,
    pub target_len: u32,
    pub fields_start: u32,
    pub fields_len: u32,
    pub content_start: u32,
    pub content_len: u32,
    pub length_low: u32,
    pub length_high: u32,
    pub connection_slot: u32,
    pub connection_generation: u32,
}

impl Event {
    /// An event about an exchange or a connection.
    #[must_use]
    pub fn new(kind: EventKind, id: Id) -> Self {
        Self {
            head: u32::from(kind as u8),
            slot: id.slot,
            generation: id.generation,
            ..Self::default()
        }
    }

    /// Bytes received and sent, of a connection that is closed.
    pub(crate) const fn set_totals(&mut self, received: u64, sent: u64) {
        (self.length_low, self.length_high) = (low(received), low(received >> 32));
        (self.content_start, self.content_len) = (low(sent), low(sent >> 32));
    }

    pub(crate) const fn totals(&self) -> (u64, u64) {
        (
            wide(self.length_low, self.length_high),
            wide(self.content_start, self.content_len),
        )
    }

    /// The record as the host reads it.
    #[must_use]
    pub const fn words(&self) -> [u32; 16] {
        [
            self.head,
            self.slot,
            self.generation,
            self.listener,
            self.head_start,
            self.head_len,
            self.target_start,
            self.target_len,
            self.fields_start,
            self.fields_len,
            self.content_start,
            self.content_len,
            self.length_low,
            self.length_high,
            self.connection_slot,
            self.connection_generation,
        ]
    }

    /// The low byte of the first word; compare with `EventKind::X as u8`.
    #[must_use]
    pub const fn kind(&self) -> u8 {
        (self.head & 0xff) as u8
    }

    /// The exchange (or connection, by kind) this is about.
    #[must_use]
    pub const fn id(&self) -> Id {
        Id {
            slot: self.slot,
            generation: self.generation,
        }
    }
}

/// Offsets are below the slab's size, which is far below 4 GiB.
#[expect(clippy::cast_possible_truncation, reason = "see above")]
pub(crate) const fn word(offset: usize) -> u32 {
    offset as u32
}

/// A number of two words.
const fn wide(low: u32, high: u32) -> u64 {
    ((high as u64) << 32) | low as u64
}

#[expect(clippy::cast_possible_truncation, reason = "the low half is wanted")]
pub(crate) const fn low(value: u64) -> u32 {
    value as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_connection_tells_more_than_four_gib() {
        let id = Id {
            slot: 0,
            generation: 0,
        };
        let mut event = Event::new(EventKind::ConnectionClosed, id);
        event.set_totals((3 << 32) + 5, (1 << 32) - 1);
        let words = event.words();
        assert_eq!([words[12], words[13]], [5, 3]);
        assert_eq!([words[10], words[11]], [u32::MAX, 0]);
        assert_eq!(event.totals(), ((3 << 32) + 5, (1 << 32) - 1));
    }
}
