//! A connection's state between turns. An idle one owns no buffer.

use std::collections::VecDeque;

use fulmar_http1::chunked::ChunkedDecoder;
use fulmar_http1::head::HeadScanner;

use crate::out::OutQueue;
use crate::slots::Id;
use crate::stream::Stream;

/// How a refused request is answered.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Refusal {
    /// With status line and `Connection: close`, as Node answers what its parser refuses.
    Status(u16),
    /// As Node answers HTTP/1.1 without `Host`, which its parser lets through. `content`: the method is not HEAD.
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
    /// Exchanges in order of arrival that are not completely answered. The first one writes to `out` directly.
    pub(crate) exchanges: VecDeque<Id>,
    pub(crate) out: OutQueue,
    /// Positions in the byte stream where exchanges end whose host wants `Sent`.
    pub(crate) marks: VecDeque<(u64, Id)>,
    /// Bytes ever sent; compare with `out.appended()`.
    pub(crate) sent_total: u64,
    pub(crate) received_total: u64,
    pub(crate) requests: u32,
    /// The socket may have bytes.
    pub(crate) readable: bool,
    /// The peer's end has been announced: it is seen only by reading up to it.
    pub(crate) peer_closed: bool,
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
    /// When the current head or request began (first byte; before it, when the connection was made); `None` when idle between exchanges.
    pub(crate) request_since: Option<u64>,
    pub(crate) content_since: u64,
    pub(crate) content_bytes: u64,
    /// Last progress of sending, or when it was first held up; `None` while nothing waits to be sent.
    pub(crate) write_since: Option<u64>,
    pub(crate) linger_since: u64,
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
            writable: true,
            queued: false,
            dirty: false,
            close_when_sent: false,
            refusal: None,
            watched: false,
            raw_paused: false,
            owes_drain: false,
            ending: false,
            shut: false,
            socket_timeout_ms: 0,
            referenced: true,
            active_at: now_ms,
            request_since: Some(now_ms),
            content_since: now_ms,
            content_bytes: 0,
            write_since: None,
            linger_since: now_ms,
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
            Reading::Length { exchange, .. } | Reading::Chunked { exchange, .. } => Some(*exchange),
            _ => None,
        }
    }

    /// Is this exchange the one whose reply goes out now?
    pub(crate) fn is_first(&self, exchange: Id) -> bool {
        self.exchanges.front() == Some(&exchange)
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
