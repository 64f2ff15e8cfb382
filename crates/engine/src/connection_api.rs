//! What a host can do with a connection itself: raw bytes after an upgrade, ends, options.

use std::net::SocketAddr;

use crate::config::{BUFFERED_REPLY_MAX, HIGH_WATER};
use crate::connection::Reading;
use crate::engine::Engine;
use crate::event::{AbortReason, Event, EventKind};
use crate::exchange_api::WriteStatus;
use crate::reply::Body;
use crate::slots::Id;

impl Engine {
    /// The host has an object for this connection: `ConnectionClosed` will be reported.
    pub fn watch(&mut self, id: Id) -> bool {
        self.connections.get_mut(id).is_some_and(|connection| {
            connection.watched = true;
            true
        })
    }

    /// The peer's address; `None` for Unix sockets or when the connection is gone.
    #[must_use]
    pub fn peer_address(&self, id: Id) -> Option<SocketAddr> {
        self.connections.get(id)?.stream.peer_address()
    }

    /// Our address; `None` for Unix sockets or when the connection is gone.
    #[must_use]
    pub fn local_address(&self, id: Id) -> Option<SocketAddr> {
        self.connections.get(id)?.stream.local_address()
    }

    /// Bytes received, and given to be sent. Also of a connection whose end the host has not been told of
    /// yet.
    #[must_use]
    pub fn transferred(&self, id: Id) -> (u64, u64) {
        if let Some(connection) = self.connections.get(id) {
            return (connection.received_total, connection.out.appended());
        }
        let is_its_end =
            |event: &&Event| event.kind() == EventKind::ConnectionClosed as u8 && event.id() == id;
        self.events
            .iter()
            .find(is_its_end)
            .map_or((0, 0), Event::totals)
    }

    /// Queues raw bytes behind whatever is queued.
    pub fn write_raw(&mut self, id: Id, content: Body<'_>) -> WriteStatus {
        let Some(connection) = self.connections.get_mut(id) else {
            return WriteStatus::Gone;
        };
        if connection.ending {
            return WriteStatus::Gone;
        }
        let ignores_full = connection.owes_drain && connection.full_turn != self.turn;
        let len = content.bytes().len();
        let lent = matches!(content, Body::Lent(_));
        connection.out.push(&mut self.pool, content, len);
        self.mark_dirty(id);
        if lent {
            self.send_lent(id);
        }
        if self.connections.get(id).is_none() {
            return WriteStatus::Gone;
        }
        let buffered = self.buffered_raw(id);
        if ignores_full && buffered > BUFFERED_REPLY_MAX {
            self.stats.reply_overflow += 1;
            self.close(id, AbortReason::Overflow);
            return WriteStatus::Gone;
        }
        if buffered <= HIGH_WATER {
            return WriteStatus::Room;
        }
        let turn = self.turn;
        if let Some(connection) = self.connections.get_mut(id)
            && !std::mem::replace(&mut connection.owes_drain, true)
        {
            connection.full_turn = turn;
        }
        WriteStatus::Full
    }

    /// Bytes queued and not sent.
    #[must_use]
    pub fn buffered_raw(&self, id: Id) -> usize {
        self.connections.get(id).map_or(0, |c| c.out.bytes())
    }

    /// Sends what is queued, then shuts down our side. In raw mode the peer may go on sending; otherwise the
    /// connection closes.
    pub fn end_raw(&mut self, id: Id) {
        let Some(connection) = self.connections.get_mut(id) else {
            return;
        };
        connection.ending = true;
        if !matches!(connection.reading, Reading::Raw) {
            connection.close_when_sent = true;
            if matches!(connection.reading, Reading::Head) {
                connection.reading = Reading::Ignoring;
            }
        }
        self.mark_dirty(id);
    }

    /// Closes at once; queued bytes are lost. `reset` sends RST.
    pub fn destroy(&mut self, id: Id, reset: bool) {
        if let Some(connection) = self.connections.get(id) {
            if reset {
                connection.stream.set_reset_on_close();
            }
            self.close(id, AbortReason::Host);
        }
    }

    /// Raw mode: stops or resumes the flow of `RawData`.
    pub fn pause_raw(&mut self, id: Id, paused: bool) {
        if let Some(connection) = self.connections.get_mut(id) {
            connection.raw_paused = paused;
            if !paused {
                self.resume_reading(id);
            }
        }
    }

    /// Inactivity timeout of this connection in ms; 0 = off. A `Timeout` event is reported until something
    /// moves again, nothing is closed. As in Node it holds for what is open: between requests the keep-alive
    /// timeout is in its place, the next one has the listener's.
    pub fn set_socket_timeout(&mut self, id: Id, timeout_ms: u64) {
        let now = self.clock.now_ms;
        if let Some(connection) = self.connections.get_mut(id) {
            connection.socket_timeout_ms = timeout_ms;
            connection.active_at = now;
            connection.told_inactive = u64::MAX;
            self.remind(id);
        }
    }

    /// `TCP_NODELAY`.
    pub fn set_no_delay(&mut self, id: Id, on: bool) {
        if let Some(connection) = self.connections.get(id) {
            connection.stream.set_no_delay(on);
        }
    }

    /// `SO_KEEPALIVE`, with the idle time before the first probe in ms (0 = the system's).
    pub fn set_keep_alive(&mut self, id: Id, on: bool, idle_ms: u64) {
        if let Some(connection) = self.connections.get(id) {
            connection.stream.set_keep_alive(on, idle_ms);
        }
    }

    /// Should this connection keep the host's event loop alive?
    pub fn set_referenced(&mut self, id: Id, on: bool) {
        if let Some(connection) = self.connections.get_mut(id)
            && connection.referenced != on
        {
            connection.referenced = on;
            if on {
                self.referenced += 1;
            } else {
                self.referenced -= 1;
            }
        }
    }
}
