//! Opens connections at the pace of the ramp, opens lost ones again, and ends what takes longer than the
//! timeout.

use std::time::{Duration, Instant};

use mio::{Interest, Token, net::TcpStream};

use crate::{
    connection::Link,
    driver::{Driver, SWEEP},
    fault::Fault,
    phase::Phase,
};

/// Connections being opened at once: servers' accept queues hold a few hundred, and what overflows waits a
/// second in the kernel.
const OPENING_MAX: usize = 64;
/// For each connection, before load begins: what the kernel opened waits in the accept queue until the server
/// takes it. Node takes one in each turn of its event loop; a turn takes microseconds before there is load,
/// and then up to a quarter of a second.
const ACCEPT: Duration = Duration::from_micros(100);

impl Driver<'_> {
    /// Opens as many connections as the ramp allows by `now`.
    pub fn open_some(&mut self, now: Instant) {
        while self.phase == Phase::Opening
            && self.tried < self.allowed(now)
            && self.opening < OPENING_MAX
        {
            let index = self.tried;
            self.tried += 1;
            self.open_one(index, now);
        }
    }

    /// Whether every connection was opened or failed, and the server has had time to accept them.
    pub fn is_all_accepted(&self, now: Instant) -> bool {
        let all = self.connections.len();
        let time = ACCEPT * u32::try_from(all).unwrap_or(u32::MAX);
        self.tried == all && self.opening == 0 && now >= self.last_opened + time
    }

    fn allowed(&self, now: Instant) -> usize {
        let all = self.connections.len();
        if self.plan.ramp.is_zero() {
            return all;
        }
        let passed = now.saturating_duration_since(self.begun).as_nanos();
        let share = passed * all as u128 / self.plan.ramp.as_nanos();
        usize::try_from(share)
            .unwrap_or(all)
            .saturating_add(1)
            .min(all)
    }

    /// Starts to open a connection.
    pub fn open_one(&mut self, index: usize, now: Instant) {
        let opened = TcpStream::connect(self.plan.target).and_then(|mut stream| {
            let interest = Interest::READABLE | Interest::WRITABLE;
            self.poll
                .registry()
                .register(&mut stream, Token(index), interest)?;
            Ok(stream)
        });
        let Ok(stream) = opened else {
            self.tally.fault(Fault::Connect, true);
            return;
        };
        self.connections[index].link = Link::Opening(stream, now);
        self.opening += 1;
    }

    /// A connection being opened became writable: it is open, or failed.
    pub fn opened(&mut self, index: usize, now: Instant) {
        let connection = &mut self.connections[index];
        let Link::Opening(stream, since) = std::mem::replace(&mut connection.link, Link::Closed)
        else {
            return;
        };
        if matches!(stream.take_error(), Ok(None)) {
            match stream.peer_addr() {
                Err(error) if error.kind() == std::io::ErrorKind::NotConnected => {
                    connection.link = Link::Opening(stream, since);
                    return;
                }
                Err(_) => {}
                Ok(_) => {
                    self.opening -= 1;
                    self.use_stream(index, stream, now);
                    return;
                }
            }
        }
        self.opening -= 1;
        self.tally.fault(Fault::Connect, true);
    }

    fn use_stream(&mut self, index: usize, stream: TcpStream, now: Instant) {
        // Without it a delayed acknowledgement can hold back a request; failing is harmless.
        let _ = stream.set_nodelay(true);
        let connection = &mut self.connections[index];
        connection.link = Link::Open(stream);
        self.tally.opened += 1;
        if std::mem::replace(&mut connection.was_open, true) {
            self.tally.reopened += 1;
        }
        self.open += 1;
        self.last_opened = now;
        self.tally.open_max = self.tally.open_max.max(self.open);
        self.pump(index, now);
    }

    /// Ends a connection; its requests in flight are counted as `fault`. Opens it again at once if it has
    /// been of use.
    pub fn lose(&mut self, index: usize, fault: Fault, now: Instant) {
        while let Some(flight) = self.connections[index].flights.pop_front() {
            let counts = self.counts(flight.counts, now);
            self.tally.fault(fault, counts);
            self.landed(flight.counts, now);
        }
        let connection = &mut self.connections[index];
        if connection.is_open() {
            self.open -= 1;
        }
        let was_useful = connection.has_answered;
        connection.link = Link::Closed;
        connection.clear();
        if was_useful && self.phase != Phase::Done {
            self.open_one(index, now);
        }
    }

    /// A request is no longer in flight.
    pub fn landed(&mut self, did_count: bool, now: Instant) {
        self.last_progress = now;
        self.in_flight -= 1;
        self.counted_in_flight -= u64::from(did_count);
    }

    /// From time to time: ends what takes too long and opens what is closed.
    pub fn sweep(&mut self, now: Instant) {
        if now < self.next_sweep {
            return;
        }
        self.next_sweep = now + SWEEP;
        for index in 0..self.tried {
            self.sweep_one(index, now, self.plan.timeout);
        }
    }

    fn sweep_one(&mut self, index: usize, now: Instant, timeout: Duration) {
        let connection = &mut self.connections[index];
        match &connection.link {
            Link::Closed if self.phase != Phase::Opening && self.opening < OPENING_MAX => {
                self.open_one(index, now);
            }
            Link::Opening(_, since) if now >= *since + timeout => {
                connection.link = Link::Closed;
                self.opening -= 1;
                self.tally.fault(Fault::Connect, true);
            }
            Link::Open(_)
                if connection
                    .flights
                    .front()
                    .is_some_and(|flight| now >= flight.sent + timeout) =>
            {
                self.lose(index, Fault::Timeout, now);
            }
            _ => {}
        }
    }
}
