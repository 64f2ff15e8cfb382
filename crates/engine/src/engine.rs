//! The engine's state and its turn: timers, readiness, and whoever was left over from the turn before.

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};
use std::path::PathBuf;
use std::time::Duration;

use fulmar_http1::head::FieldSpan;
use mio::{Events, Poll, Token};

use crate::clock::Clock;
use crate::config::{DESCRIPTOR_RESERVE, DESCRIPTORS_LAST, ListenTarget, ServerConfig};
use crate::connection::Connection;
use crate::digest::KnownDigests;
use crate::event::{Event, EventKind};
use crate::exchange::Exchange;
use crate::listener::Listener;
use crate::pool::Pool;
use crate::slab::Slab;
use crate::slots::{Id, Slots};
use crate::stats::Stats;
use crate::wheel::Wheel;

/// Readiness events fetched by one poll.
const POLL_EVENTS: usize = 256;
/// Events given to the host in one turn; a turn stops when so many have gathered.
pub(crate) const EVENTS_MAX: usize = 512;
/// Tokens of listeners have this bit; those of connections are packed ids, whose generation stays below 2^31.
const LISTENER_BIT: u64 = 1 << 63;

/// An HTTP/1.1 server engine. See the crate's documentation.
pub struct Engine {
    pub(crate) poll: Poll,
    poll_events: Events,
    pub(crate) listeners: Slots<Listener>,
    pub(crate) connections: Slots<Connection>,
    pub(crate) exchanges: Slots<Exchange>,
    pub(crate) events: Vec<Event>,
    /// Connections to work on: readable, writable, or with unparsed bytes.
    pub(crate) ready: VecDeque<Id>,
    /// Listeners that may have connections waiting.
    pub(crate) accepting: VecDeque<Id>,
    /// When accepting is tried again after an error, in ms of the clock; `u64::MAX`: nothing to try.
    pub(crate) accept_retry_ms: u64,
    /// Connections with something to send.
    pub(crate) dirty: Vec<Id>,
    /// Connections with replies whose end somebody waits for, given since the last flush.
    pub(crate) awaited: Vec<Id>,
    /// Connections whose peer has ended while nothing is read from them.
    pub(crate) leaving: Vec<Id>,
    /// The last poll fetched as many sockets as it can: more may be ready, and requests wait for their turn.
    pub(crate) crowded: bool,
    /// Counts turns, and wraps.
    pub(crate) turn: u32,
    pub(crate) wheel: Wheel,
    pub(crate) due: Vec<Id>,
    pub(crate) clock: Clock,
    pub(crate) pool: Pool,
    pub(crate) digests: KnownDigests,
    pub(crate) spans: Vec<FieldSpan>,
    pub(crate) stats: Stats,
    /// As many connections as descriptors allow.
    pub(crate) connections_max: usize,
    /// Descriptors from this number on are left to the application.
    pub(crate) descriptors_ours: usize,
    /// Connections that keep the host's event loop alive.
    pub(crate) referenced: usize,
}

impl Engine {
    /// Makes an engine without listeners.
    ///
    /// # Errors
    /// When the system's readiness queue cannot be made (descriptor limit).
    pub fn new() -> io::Result<Self> {
        let clock = Clock::new();
        Ok(Self {
            poll: Poll::new()?,
            poll_events: Events::with_capacity(POLL_EVENTS),
            listeners: Slots::new(),
            connections: Slots::new(),
            exchanges: Slots::new(),
            events: Vec::with_capacity(EVENTS_MAX),
            ready: VecDeque::new(),
            accepting: VecDeque::new(),
            accept_retry_ms: u64::MAX,
            dirty: Vec::new(),
            awaited: Vec::new(),
            leaving: Vec::new(),
            crowded: false,
            turn: 0,
            wheel: Wheel::new(clock.now_ms),
            due: Vec::new(),
            clock,
            pool: Pool::default(),
            digests: KnownDigests::default(),
            spans: Vec::new(),
            stats: Stats::default(),
            connections_max: descriptors_but(DESCRIPTOR_RESERVE),
            descriptors_ours: descriptors_but(DESCRIPTORS_LAST),
            referenced: 0,
        })
    }

    /// The descriptor that becomes readable when [`Engine::turn`] has something to do. It belongs to the
    /// engine.
    #[must_use]
    pub fn as_raw_fd(&self) -> RawFd {
        self.poll.as_raw_fd()
    }

    /// Opens a listener.
    ///
    /// # Errors
    /// What `socket`, `bind` or `listen` report: address in use, no permission, bad path.
    pub fn listen(&mut self, target: ListenTarget, config: ServerConfig) -> io::Result<Id> {
        let mut listener = Listener::open(target, config)?;
        listener.acceptable = true;
        let id = self.listeners.insert(listener);
        let token = Token(usize::try_from(LISTENER_BIT | id.to_u64()).unwrap_or(usize::MAX));
        if let Some(listener) = self.listeners.get_mut(id)
            && let Err(error) = listener.register(self.poll.registry(), token)
        {
            self.listeners.remove(id);
            return Err(error);
        }
        Ok(id)
    }

    /// Address of a TCP listener; `None` when it is closed or a Unix socket.
    #[must_use]
    pub fn listener_address(&self, id: Id) -> Option<SocketAddr> {
        self.listeners.get(id)?.address()
    }

    /// Path of a Unix listener that was bound here.
    #[must_use]
    pub fn listener_path(&self, id: Id) -> Option<PathBuf> {
        self.listeners
            .get(id)?
            .path()
            .map(std::path::Path::to_path_buf)
    }

    /// Descriptor of an open listener.
    #[must_use]
    pub fn listener_fd(&self, id: Id) -> Option<BorrowedFd<'_>> {
        self.listeners.get(id)?.as_fd()
    }

    /// The configuration, to be changed in place; it applies to what happens from now on.
    pub fn listener_config(&mut self, id: Id) -> Option<&mut ServerConfig> {
        self.listeners
            .get_mut(id)
            .map(|listener| &mut listener.config)
    }

    /// Open connections accepted by a listener.
    #[must_use]
    pub fn listener_connections(&self, id: Id) -> usize {
        self.listeners
            .get(id)
            .map_or(0, |listener| listener.connections)
    }

    /// Counters.
    #[must_use]
    pub const fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Open connections, all listeners together.
    #[must_use]
    pub fn connection_count(&self) -> usize {
        self.connections.len()
    }

    /// Exchanges the engine keeps: not answered, not sent, or with content that is still taken.
    #[must_use]
    pub fn exchange_count(&self) -> usize {
        self.exchanges.len()
    }

    /// Open connections that should keep the host's event loop alive.
    #[must_use]
    pub const fn referenced_connections(&self) -> usize {
        self.referenced
    }

    /// The events gathered so far; the host hands them on and then calls [`Engine::clear_events`].
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Forgets the events gathered so far.
    pub fn clear_events(&mut self) {
        self.events.clear();
    }

    /// Forgets the first `count` events.
    pub fn drop_events(&mut self, count: usize) {
        self.events.drain(..count.min(self.events.len()));
    }

    /// Takes the first `max` events `Sent` out, whatever stands before them: it is of other connections, or
    /// matters no more behind them.
    pub fn take_sent(&mut self, max: usize, mut take: impl FnMut(&Event)) {
        let mut left = max;
        self.events.retain(|event| {
            let is_taken = left > 0 && event.kind() == EventKind::Sent as u8;
            if is_taken {
                left -= 1;
                take(event);
            }
            !is_taken
        });
    }

    /// Is there work that no readiness of the descriptor will announce? Then call [`Engine::turn`] again
    /// soon.
    #[must_use]
    pub fn has_ready(&self) -> bool {
        !self.ready.is_empty()
            || !self.accepting.is_empty()
            || !self.events.is_empty()
            || !self.leaving.is_empty()
    }

    /// Are there replies to send?
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        !self.dirty.is_empty()
    }

    /// Time until the next timer, in ms; `None` when there is none.
    #[must_use]
    pub fn next_timer_ms(&self) -> Option<u64> {
        let at = self.next_timer_at()?;
        Some(at.saturating_sub(self.clock.now_ms))
    }

    /// When the next timer is due, in ms of the engine's own clock, for hosts that compare it with the one
    /// they have armed.
    #[must_use]
    pub fn next_timer_at(&self) -> Option<u64> {
        let earliest = self.wheel.earliest_ms().min(self.accept_retry_ms);
        (earliest != u64::MAX).then_some(earliest)
    }

    /// Does what can be done without waiting, until the slab or the event list is full. Look at
    /// [`Engine::events`] afterwards.
    ///
    /// # Errors
    /// When polling fails, which only a closed descriptor explains.
    pub fn turn(&mut self, slab: &mut Slab<'_>) -> io::Result<()> {
        self.wait(slab, Some(Duration::ZERO))
    }

    /// Like [`Engine::turn`], but waits up to `timeout` (`None`: until something happens) for hosts without
    /// an event loop.
    ///
    /// # Errors
    /// As [`Engine::turn`].
    pub fn wait(&mut self, slab: &mut Slab<'_>, timeout: Option<Duration>) -> io::Result<()> {
        let timeout = if self.has_ready() {
            Some(Duration::ZERO)
        } else {
            timeout
        };
        self.clock.update();
        self.poll_sockets(timeout)?;
        self.turn = self.turn.wrapping_add(1);
        self.notice_ends();
        self.accept_waiting();
        self.work_ready(slab);
        // Last: after a host that was busy for long, what has arrived in time is read before anyone is called
        // late.
        self.fire_timers();
        Ok(())
    }

    fn poll_sockets(&mut self, timeout: Option<Duration>) -> io::Result<()> {
        match self.poll.poll(&mut self.poll_events, timeout) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(()),
            Err(error) => return Err(error),
        }
        if timeout != Some(Duration::ZERO) {
            self.clock.update();
        }
        let mut fetched = 0;
        for event in &self.poll_events {
            fetched += 1;
            let token = event.token().0 as u64;
            if token & LISTENER_BIT != 0 {
                let id = Id::from_u64(token & !LISTENER_BIT);
                if let Some(listener) = self.listeners.get_mut(id) {
                    listener.acceptable = true;
                    self.accepting.push_back(id);
                }
                continue;
            }
            let id = Id::from_u64(token);
            if let Some(connection) = self.connections.get_mut(id) {
                connection.peer_closed |= event.is_read_closed() || event.is_error();
                connection.failed |= event.is_error();
                connection.readable |=
                    event.is_readable() || event.is_read_closed() || event.is_error();
                connection.writable |= event.is_writable() || event.is_error();
                if !connection.queued {
                    connection.queued = true;
                    self.ready.push_back(id);
                }
            }
        }
        self.crowded = fetched == POLL_EVENTS;
        Ok(())
    }

    /// Works on every connection that was ready at the beginning of this call, once each: nobody starves.
    fn work_ready(&mut self, slab: &mut Slab<'_>) {
        for _ in 0..self.ready.len() {
            if self.is_full(slab) {
                return;
            }
            let Some(id) = self.ready.pop_front() else {
                return;
            };
            if let Some(connection) = self.connections.get_mut(id) {
                connection.queued = false;
                if connection.writable && !connection.out.is_empty() {
                    self.send(id);
                }
                self.receive(id, slab);
                self.look_for_end(id);
            }
        }
    }

    pub(crate) fn is_full(&self, slab: &Slab<'_>) -> bool {
        self.events.len() >= EVENTS_MAX || slab.is_full()
    }

    /// Puts a connection into the ready queue.
    pub(crate) fn enqueue(&mut self, id: Id) {
        if let Some(connection) = self.connections.get_mut(id)
            && !connection.queued
        {
            connection.queued = true;
            self.ready.push_back(id);
        }
    }

    /// Puts a connection that has found no room in the slab before all others, so that it is the first that
    /// gets what it has asked for: behind them it would find the next slab filled, too. Who has begun a
    /// request in this turn waits behind them.
    pub(crate) fn wait_for_room(&mut self, id: Id) {
        let turn = self.turn;
        if let Some(connection) = self.connections.get_mut(id)
            && !connection.queued
        {
            connection.queued = true;
            if connection.begun_turn == turn && connection.begun > 0 {
                self.ready.push_back(id);
            } else {
                self.ready.push_front(id);
            }
        }
    }

    /// Remembers that a connection has something to send.
    pub(crate) fn mark_dirty(&mut self, id: Id) {
        if let Some(connection) = self.connections.get_mut(id)
            && !connection.dirty
        {
            connection.dirty = true;
            self.dirty.push(id);
        }
    }

    pub(crate) fn emit(&mut self, kind: EventKind, id: Id) -> &mut Event {
        self.push_event(Event::new(kind, id))
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "the element was pushed just before"
    )]
    pub(crate) fn push_event(&mut self, event: Event) -> &mut Event {
        self.events.push(event);
        let last = self.events.len() - 1;
        &mut self.events[last]
    }
}

/// The process's descriptor limit less a reserve for the application.
pub(crate) fn descriptors_but(reserve: u64) -> usize {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile)
        .current
        .unwrap_or(u64::MAX);
    usize::try_from(limit.saturating_sub(reserve).max(8)).unwrap_or(usize::MAX)
}
