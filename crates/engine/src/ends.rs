//! The peer's end, in every state a connection may be in: read where something is read, looked for where
//! nothing is.

use crate::config::UNREAD_AT_END_MAX;
use crate::connection::Reading;
use crate::engine::Engine;
use crate::event::{AbortReason, EventKind};
use crate::slots::Id;

impl Engine {
    /// The peer has shut down its side.
    pub(crate) fn peer_ended(&mut self, id: Id) {
        let Some(connection) = self.connections.get_mut(id) else {
            return;
        };
        let half_open = self
            .listeners
            .get(connection.listener)
            .is_some_and(|l| l.config.allow_half_open);
        match &connection.reading {
            Reading::Raw => {
                connection.reading = Reading::Ended;
                connection.close_when_sent |= connection.ending;
                self.emit(EventKind::RawEnd, id);
                self.close_if_sent(id);
            }
            Reading::Lingering { .. } | Reading::Ended => self.close(id, AbortReason::None),
            Reading::Refused if !connection.exchanges.is_empty() => {
                connection.reading = Reading::Ended;
                self.abort_refused(id);
                self.close_if_sent(id);
            }
            Reading::Refused
                if connection.close_when_sent
                    || connection.refusal.is_some()
                    || !connection.out.is_empty() =>
            {
                connection.reading = Reading::Ended;
                connection.close_when_sent = true; // Nothing would be read or timed any more.
            }
            Reading::Refused | Reading::Undecided { .. } => self.close(id, AbortReason::PeerClosed),
            Reading::Head if connection.inbox.is_empty() => {
                self.end_between_requests(id, half_open);
            }
            Reading::Ignoring => self.end_between_requests(id, half_open),
            Reading::Head
            | Reading::Length { .. }
            | Reading::Chunked { .. }
            | Reading::Ending { .. } => self.truncated(id),
        }
    }

    /// Nothing is read, and the peer has ended or is gone: the end is looked at in the next turn, when the
    /// host has had its chance to ask for what has come.
    pub(crate) fn look_for_end(&mut self, id: Id) {
        let Some(connection) = self.connections.get(id) else {
            return;
        };
        let announced = connection.peer_closed || connection.failed;
        if !announced || connection.leaving || self.wants_bytes(id) {
            return;
        }
        if let Some(connection) = self.connections.get_mut(id) {
            connection.leaving = true;
            self.leaving.push(id);
        }
    }

    /// Looks at the ends that were announced before this turn.
    pub(crate) fn notice_ends(&mut self) {
        for id in std::mem::take(&mut self.leaving) {
            if let Some(connection) = self.connections.get_mut(id) {
                connection.leaving = false;
                if !self.wants_bytes(id) {
                    self.peer_left(id);
                }
            }
        }
    }

    /// The end of a peer from whom nothing is read. A reset is noticed whatever stands before it. An orderly
    /// end is noticed where a stream of Node's would have read up to it; content that is asked for and paused
    /// is still delivered first.
    fn peer_left(&mut self, id: Id) {
        let Some(connection) = self.connections.get(id) else {
            return;
        };
        if connection.failed {
            // The end of the peer was told already and nothing was on its way to it: that it is gone is no
            // error, as in Node.
            let is_told = matches!(connection.reading, Reading::Ended)
                && connection.exchanges.is_empty()
                && connection.out.is_empty();
            let reason = if is_told {
                AbortReason::None
            } else {
                AbortReason::PeerReset
            };
            return self.close(id, reason);
        }
        let half_open = self
            .listeners
            .get(connection.listener)
            .is_some_and(|l| l.config.allow_half_open);
        let unread = connection.stream.unread() + connection.inbox.len() as u64;
        if half_open || unread > UNREAD_AT_END_MAX {
            return;
        }
        match &connection.reading {
            Reading::Length { exchange, .. } | Reading::Chunked { exchange, .. }
                if self.exchanges.get(*exchange).is_some_and(|e| !e.taken) =>
            {
                let exchange = *exchange;
                self.left_content(id, exchange);
            }
            // A reply that goes out slowly goes out; the end is read when it is out.
            Reading::Head if connection.out.is_empty() => self.end_between_requests(id, false),
            Reading::Undecided { .. } => self.close(id, AbortReason::PeerClosed),
            _ => {}
        }
    }

    /// The peer has ended, and nobody has asked for the content that stands before its end. It is read away,
    /// so that the end of the connection is no reset.
    fn left_content(&mut self, id: Id, exchange: Id) {
        self.abort_with_content(id, exchange);
        if let Some(connection) = self.connections.get_mut(id) {
            connection.reading = Reading::Ignoring;
            connection.close_when_sent = true;
            connection.inbox = Vec::new();
            connection.unparsed = false;
        }
        self.close_if_sent(id);
    }

    /// An orderly end where a message may end: replies already given go out, open exchanges are over.
    pub(crate) fn end_between_requests(&mut self, id: Id, half_open: bool) {
        let Some(connection) = self.connections.get_mut(id) else {
            return;
        };
        connection.reading = Reading::Ended;
        connection.close_when_sent = true;
        if half_open && !connection.exchanges.is_empty() {
            return;
        }
        self.abort_unanswered(id, AbortReason::PeerClosed);
        self.close_if_sent(id);
    }
}
