//! A connection's state between turns. An idle one owns no buffer.

use std::collections::VecDeque;

use fulmar_http1::chunked::ChunkedDecoder;
use fulmar_http1::head::HeadScanner;

use crate::config::{HIGH_WATER, LOOK_AHEAD_FIRST, PIPELINE_MAX, PIPELINE_OF_LARGE};
use crate::out::OutQueue;
use crate::slab::{HEAD_RECEIVE_MAX, RECEIVE_MAX};
use crate::slots::Id;
use crate::stream::Stream;

/// The least that a system's send buffer begins with, in bytes: so much it takes at once, unless the peer
/// reads nothing.
const FORESEEN_MAX: u64 = 16 * 1024;

/// How a refused request is answered.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Refusal {
    /// With status line and `Connection: close`, as Node answers what its parser refuses.
    Status(u16),
    /// As Node answers HTTP/1.1 without `Host`, which its parser lets through. `content`: the method is not
    /// HEAD.
    HostMissing { content: bool },
}

/// What the next received byte means.
#[derive(Debug)]
pub(crate) enum Reading {
    /// Part of a head.
    Head,
    /// Content with a declared length; `left` bytes are missing.
    Length { exchange: Id, left: u64 },
    /// Chunked content.
    Chunked {
        exchange: Id,
        decoder: Box<ChunkedDecoder>,
    },
    /// Chunked content has ended; the batch had no room left for its trailer section.
    Ending {
        exchange: Id,
        decoder: Box<ChunkedDecoder>,
    },
    /// Nothing is read until the host has decided about an upgrade.
    Undecided { exchange: Id },
    /// Raw bytes of an upgraded connection.
    Raw,
    /// A framing error: nothing is parsed any more; the reply to it is on its way.
    Refused,
    /// Our side is shut down; bytes are thrown away until the peer ends.
    Lingering { bytes: u64 },
    /// The last exchange is decided (`Connection: close`); later bytes are thrown away.
    Ignoring,
    /// The peer has ended.
    Ended,
}

impl Reading {
    /// Bytes that the host copies when it is told of them.
    pub(crate) const fn is_content(&self) -> bool {
        matches!(self, Self::Length { .. } | Self::Chunked { .. } | Self::Raw)
    }

    /// The most that one receive takes.
    pub(crate) const fn receive_max(&self) -> usize {
        match self {
            Self::Head => HEAD_RECEIVE_MAX,
            _ => RECEIVE_MAX,
        }
    }
}

#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts of one connection"
)]
pub(crate) struct Connection {
    pub(crate) stream: Stream,
    pub(crate) listener: Id,
    pub(crate) reading: Reading,
    pub(crate) scanner: HeadScanner,
    /// Bytes received and not parsed: the beginning of a head, or what came while parsing was held back.
    pub(crate) inbox: Vec<u8>,
    /// The inbox may hold complete messages: parse before receiving.
    pub(crate) unparsed: bool,
    /// Exchanges in order of arrival that are not completely answered. The first one writes to `out`
    /// directly.
    pub(crate) exchanges: VecDeque<Id>,
    pub(crate) out: OutQueue,
    /// Positions in the byte stream where exchanges end whose host wants `Sent`.
    pub(crate) marks: VecDeque<(u64, Id)>,
    /// Bytes ever sent; compare with `out.appended()`.
    pub(crate) sent_total: u64,
    pub(crate) received_total: u64,
    pub(crate) requests: u32,
    /// Requests that may begin in one turn.
    pub(crate) look_ahead: u8,
    /// Requests begun in the turn `begun_turn`.
    pub(crate) begun: u8,
    pub(crate) begun_turn: u32,
    /// `out.appended()` when the first of them began.
    pub(crate) begun_at: u64,
    /// The socket may have bytes.
    pub(crate) readable: bool,
    /// The peer's end has been announced: it is seen only by reading up to it.
    pub(crate) peer_closed: bool,
    /// The system has reported an error: the peer has reset the connection, or the network gave up.
    pub(crate) failed: bool,
    /// The peer's end is looked at in the next turn, when the host has had its chance to ask for content.
    pub(crate) leaving: bool,
    /// The socket may take bytes.
    pub(crate) writable: bool,
    /// Stands in the engine's ready queue.
    pub(crate) queued: bool,
    /// Stands in the engine's dirty list.
    pub(crate) dirty: bool,
    /// Close when `out` is empty.
    pub(crate) close_when_sent: bool,
    /// A refusal to send when all exchanges are answered.
    pub(crate) refusal: Option<Refusal>,
    /// The host has an object for this connection and wants its end.
    pub(crate) watched: bool,
    /// Raw mode: the host has paused the flow.
    pub(crate) raw_paused: bool,
    /// Raw mode: `write` returned "wait".
    pub(crate) owes_drain: bool,
    /// The turn in which it did.
    pub(crate) full_turn: u32,
    /// The host has shut down our side.
    pub(crate) ending: bool,
    /// Our side is shut down after everything was sent.
    pub(crate) shut: bool,
    /// This connection's socket timeout, ms; 0 = off.
    pub(crate) socket_timeout_ms: u64,
    /// Keep the host's event loop alive.
    pub(crate) referenced: bool,
    // Times in ms of the engine's clock.
    /// Last byte in or out.
    pub(crate) active_at: u64,
    /// The `active_at` of the inactivity that the host was told of; `u64::MAX`: of none.
    pub(crate) told_inactive: u64,
    /// When the current head or request began (first byte; before it, when the connection was made); `None`
    /// when idle between exchanges.
    pub(crate) request_since: Option<u64>,
    pub(crate) content_since: u64,
    pub(crate) content_bytes: u64,
    /// Last progress of sending, or when it was first held up; `None` while nothing waits to be sent.
    pub(crate) write_since: Option<u64>,
    pub(crate) linger_since: u64,
    /// When the peer was last looked for.
    pub(crate) present_at: u64,
    /// When the wheel reminds of this connection.
    pub(crate) reminder_at: u64,
}

impl Connection {
    pub(crate) fn new(stream: Stream, listener: Id, now_ms: u64) -> Self {
        Self {
            stream,
            listener,
            reading: Reading::Head,
            scanner: HeadScanner::default(),
            inbox: Vec::new(),
            unparsed: false,
            exchanges: VecDeque::new(),
            out: OutQueue::default(),
            marks: VecDeque::new(),
            sent_total: 0,
            received_total: 0,
            requests: 0,
            readable: true,
            peer_closed: false,
            failed: false,
            leaving: false,
            look_ahead: LOOK_AHEAD_FIRST,
            begun: 0,
            begun_turn: 0,
            begun_at: 0,
            writable: true,
            queued: false,
            dirty: false,
            close_when_sent: false,
            refusal: None,
            watched: false,
            raw_paused: false,
            owes_drain: false,
            full_turn: 0,
            ending: false,
            shut: false,
            socket_timeout_ms: 0,
            referenced: true,
            active_at: now_ms,
            told_inactive: u64::MAX,
            request_since: Some(now_ms),
            content_since: now_ms,
            content_bytes: 0,
            write_since: None,
            linger_since: now_ms,
            present_at: now_ms,
            reminder_at: u64::MAX,
        }
    }

    /// Between exchanges: nothing received of a next head, nothing to answer, nothing to send.
    pub(crate) fn is_idle(&self) -> bool {
        matches!(self.reading, Reading::Head)
            && self.inbox.is_empty()
            && self.exchanges.is_empty()
            && self.out.is_empty()
    }

    /// Everything that was asked is answered and sent, and the head of another request has not come.
    pub(crate) fn is_between(&self) -> bool {
        self.requests > 0
            && matches!(self.reading, Reading::Head)
            && self.exchanges.is_empty()
            && self.out.is_empty()
    }

    /// Will the system take all that is queued at once? Nobody knows: it has taken all so far, and this is
    /// little, and in memory.
    pub(crate) fn will_be_sent(&self) -> bool {
        let unsent = self.unsent();
        self.writable && unsent <= FORESEEN_MAX && unsent == self.out.bytes() as u64
    }

    /// Bytes given and not sent, those of files included.
    pub(crate) fn unsent(&self) -> u64 {
        self.out.appended().saturating_sub(self.sent_total)
    }

    /// More of the reply waits than the system takes: requests behind it wait, too.
    pub(crate) fn reply_waits(&mut self) {
        if self.unsent() > HIGH_WATER as u64 {
            self.look_ahead = 1;
        }
    }

    /// Everything that was given is sent: more requests may be begun at once, unless their replies are large.
    pub(crate) fn reply_fitted(&mut self) {
        if self.out.appended() - self.begun_at > HIGH_WATER as u64 {
            self.look_ahead = 1;
        } else if usize::from(self.look_ahead) < PIPELINE_MAX {
            self.look_ahead *= 2;
        }
    }

    /// One more request has begun in this turn.
    pub(crate) fn count_begun(&mut self, turn: u32) {
        if self.begun_turn != turn {
            self.begun_turn = turn;
            self.begun = 0;
            self.begun_at = self.out.appended();
        }
        self.begun += 1;
    }

    /// May another request begin, with so many bytes of replies held back at exchanges?
    pub(crate) fn may_begin(&self, turn: u32, held: u64) -> bool {
        let open_max = if self.look_ahead == 1 {
            PIPELINE_OF_LARGE
        } else {
            PIPELINE_MAX
        };
        let burst_left = self.begun_turn != turn || self.begun < self.look_ahead;
        let waiting = self.unsent() + held;
        burst_left && self.exchanges.len() < open_max && waiting <= HIGH_WATER as u64
    }

    /// Puts unparsed bytes into the inbox, before those that came after them.
    pub(crate) fn put_back(&mut self, bytes: &[u8]) {
        if self.inbox.is_empty() {
            self.inbox.extend_from_slice(bytes);
        } else {
            self.inbox.splice(0..0, bytes.iter().copied());
        }
    }

    /// The exchange whose content is being received.
    pub(crate) fn content_exchange(&self) -> Option<Id> {
        match &self.reading {
            Reading::Length { exchange, .. }
            | Reading::Chunked { exchange, .. }
            | Reading::Ending { exchange, .. } => Some(*exchange),
            _ => None,
        }
    }

    /// Is this exchange the one whose reply goes out now?
    pub(crate) fn is_first(&self, exchange: Id) -> bool {
        self.exchanges.front() == Some(&exchange)
    }

    /// Has no other request been begun behind this one?
    pub(crate) fn is_last(&self, exchange: Id) -> bool {
        self.exchanges.back() == Some(&exchange)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes an idle connection may cost beside the system's socket; 10,000 of them are 5 MB.
    const IDLE_BYTES_MAX: usize = 512;

    #[test]
    fn an_idle_connection_is_small() {
        let size = size_of::<Connection>();
        assert!(size <= IDLE_BYTES_MAX, "{size}");
    }
}
