//! Accepting: as many as there are, within the limits, without a busy loop when descriptors run out.

use std::io;
use std::net::SocketAddr;
use std::os::fd::{AsRawFd as _, BorrowedFd};

use mio::Token;

use crate::connection::Connection;
use crate::engine::Engine;
use crate::event::{Event, EventKind, word};
use crate::slots::Id;
use crate::stream::Stream;

/// Connections accepted from one listener before others get their turn.
const ACCEPTS_PER_TURN: usize = 256;
/// Connections accepted from a listener that is about to close: as many as the largest usual backlog.
const BACKLOG_MAX: usize = 4_096;
/// Time until the next try after the system had no descriptor or memory for a connection, in ms. Nothing
/// announces that the application has closed a file, so it is tried; a fresh connection of another client is
/// a try, too.
const RETRY_MS: u64 = 500;

impl Engine {
    pub(crate) fn accept_waiting(&mut self) {
        for _ in 0..self.accepting.len() {
            if let Some(listener) = self.accepting.pop_front() {
                self.accept_from(listener);
            }
        }
    }

    /// Accepts all that wait in the backlog, at most [`BACKLOG_MAX`].
    pub(crate) fn accept_backlog(&mut self, id: Id) {
        for _ in 0..BACKLOG_MAX / ACCEPTS_PER_TURN {
            self.accept_from(id);
            if self.listeners.get(id).is_none_or(|l| !l.acceptable) {
                return;
            }
        }
    }

    pub(crate) fn accept_from(&mut self, id: Id) {
        for _ in 0..ACCEPTS_PER_TURN {
            if self.connections.len() >= self.connections_max {
                self.stats.accept_paused += 1;
                return; // `acceptable` stays set; closing a connection resumes it.
            }
            let Some(listener) = self.listeners.get_mut(id) else {
                return;
            };
            match listener.accept() {
                Ok(stream) => {
                    let is_scarce = self.is_scarce(stream.as_fd());
                    self.admit(id, stream);
                    if is_scarce {
                        self.pause_accepting();
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    listener.acceptable = false;
                    return;
                }
                // The peer gave up while it waited, or a signal came: look at the next one.
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::ConnectionAborted | io::ErrorKind::Interrupted
                    ) => {}
                Err(_) => {
                    self.pause_accepting();
                    return;
                }
            }
        }
        self.accepting.push_back(id);
    }

    /// Out of descriptors or memory, or nearly: resumed when a connection closes, or by then.
    fn pause_accepting(&mut self) {
        self.stats.accept_paused += 1;
        self.accept_retry_ms = self.clock.now_ms + RETRY_MS;
    }

    /// Has this descriptor been taken from the last ones? The system gives the lowest that is free. The last
    /// are the application's: what it loads late, and its own files.
    fn is_scarce(&self, descriptor: BorrowedFd<'_>) -> bool {
        usize::try_from(descriptor.as_raw_fd()).unwrap_or(0) >= self.descriptors_ours
    }

    /// Descriptors that are not ours may be free again.
    pub(crate) fn retry_accepting(&mut self) {
        if self.clock.now_ms >= self.accept_retry_ms {
            self.accept_retry_ms = u64::MAX;
            self.resume_accepting();
        }
    }

    /// A closed connection has freed a descriptor: go on accepting where it was paused.
    pub(crate) fn resume_accepting(&mut self) {
        for id in self.listeners.ids() {
            if self
                .listeners
                .get(id)
                .is_some_and(|l| l.acceptable && l.is_open())
                && !self.accepting.contains(&id)
            {
                self.accepting.push_back(id);
            }
        }
    }

    fn admit(&mut self, listener_id: Id, stream: Stream) {
        let Some(listener) = self.listeners.get_mut(listener_id) else {
            return;
        };
        let config = &listener.config;
        if config
            .connections_max
            .is_some_and(|max| listener.connections >= max)
        {
            self.stats.dropped += 1;
            let (local, remote) = (stream.local_address(), stream.peer_address());
            self.report_drop(listener_id, local, remote);
            return;
        }
        if config.no_delay {
            stream.set_no_delay(true);
        }
        if config.keep_alive_probes {
            stream.set_keep_alive(true, config.keep_alive_initial_delay_ms);
        }
        let (report, socket_timeout) = (config.report_connections, config.socket_timeout_ms);
        let timed = config.headers_timeout_ms | config.request_timeout_ms | socket_timeout != 0;
        listener.connections += 1;
        let now = self.clock.now_ms;
        let mut connection = Connection::new(stream, listener_id, now);
        connection.socket_timeout_ms = socket_timeout;
        let id = self.connections.insert(connection);
        self.stats.accepted += 1;
        self.referenced += 1;
        let token = Token(usize::try_from(id.to_u64()).unwrap_or(usize::MAX));
        let registered = self
            .connections
            .get_mut(id)
            .is_some_and(|c| c.stream.register(self.poll.registry(), token).is_ok());
        if !registered {
            self.close(id, crate::event::AbortReason::Io);
            return;
        }
        if report {
            self.emit_for_connection(EventKind::Connection, id);
        }
        if timed {
            self.remind(id);
        }
        self.enqueue(id); // The first request is often there already.
    }

    /// An event about a connection that also names its listener.
    pub(crate) fn emit_for_connection(&mut self, kind: EventKind, id: Id) {
        let listener = self.connections.get(id).map_or(0, |c| c.listener.slot);
        self.emit(kind, id).listener = listener;
    }

    /// Ports travel in the event; the addresses are gone with the socket, so only IPv4 ones fit and are
    /// passed on.
    fn report_drop(&mut self, listener: Id, local: Option<SocketAddr>, remote: Option<SocketAddr>) {
        let v4 = |address: Option<SocketAddr>| match address
            .map(|a| (a.ip().to_canonical(), a.port()))
        {
            Some((std::net::IpAddr::V4(ip), port)) => (u32::from(ip), u32::from(port)),
            Some((_, port)) => (0, u32::from(port)),
            None => (0, 0),
        };
        let (local_ip, local_port) = v4(local);
        let (remote_ip, remote_port) = v4(remote);
        let mut event = Event::new(EventKind::Drop, listener);
        event.listener = listener.slot;
        event.head_start = local_ip;
        event.head_len = local_port;
        event.target_start = remote_ip;
        event.target_len = remote_port;
        event.content_len = word(usize::from(local.is_some_and(|a| a.is_ipv6())));
        self.push_event(event);
    }
}
