//! What sockets report: opened, readable, writable, ended. Turns bytes into replies and replies into counts.

use std::{
    io::{self, Read as _},
    time::Instant,
};

use mio::event::Event;

use crate::{
    connection::Link,
    driver::Driver,
    fault::Fault,
    reply::{Outcome, Progress},
};

/// What one `read` led to.
enum ReadResult {
    Bytes(usize),
    Ended,
    Nothing,
    Failed,
}

impl Driver<'_> {
    /// One event of one connection.
    pub fn on_event(&mut self, event: &Event) {
        let index = event.token().0;
        let now = Instant::now();
        if matches!(self.connections[index].link, Link::Opening(..)) {
            if event.is_writable() || event.is_error() {
                self.opened(index, now);
            }
            // What the same event says about reading is not told again.
            if !self.connections[index].is_open() {
                return;
            }
        }
        if event.is_writable() && !self.connections[index].out.is_empty() {
            self.pump(index, now);
        }
        if event.is_readable() || event.is_read_closed() || event.is_error() {
            self.receive(index, event.is_read_closed() || event.is_error());
        }
    }

    /// Reads until the socket has no more. A short read says so without asking again, unless the end is known
    /// to follow.
    fn receive(&mut self, index: usize, has_end: bool) {
        let mut buffer = std::mem::take(&mut self.buffer);
        loop {
            let result = self.read(index, &mut buffer);
            let now = Instant::now();
            match result {
                ReadResult::Bytes(count) => {
                    let is_whole = self.take(index, &buffer[..count], now);
                    if !is_whole || (count < buffer.len() && !has_end) {
                        break;
                    }
                }
                ReadResult::Ended => {
                    self.ended(index, now);
                    break;
                }
                ReadResult::Failed => {
                    self.lose(index, Fault::Reset, now);
                    break;
                }
                ReadResult::Nothing => break,
            }
        }
        self.buffer = buffer;
    }

    fn read(&mut self, index: usize, buffer: &mut [u8]) -> ReadResult {
        let Link::Open(stream) = &mut self.connections[index].link else {
            return ReadResult::Nothing;
        };
        loop {
            return match stream.read(buffer) {
                Ok(0) => ReadResult::Ended,
                Ok(count) => ReadResult::Bytes(count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => ReadResult::Nothing,
                Err(_) => ReadResult::Failed,
            };
        }
    }

    /// Takes received bytes; false when the connection was given up.
    fn take(&mut self, index: usize, bytes: &[u8], now: Instant) -> bool {
        let mut rest = bytes;
        if self.is_in_window() {
            self.tally.bytes_received += bytes.len() as u64;
        }
        while !rest.is_empty() {
            let Some(serial) = self.connections[index]
                .flights
                .front()
                .map(|flight| flight.serial)
            else {
                self.tally.fault(Fault::Malformed, self.is_in_window());
                self.lose(index, Fault::Malformed, now);
                return false;
            };
            let values = self.values(serial);
            let recipe = self.plan.recipe(serial);
            match self.connections[index]
                .reader
                .feed(&mut rest, recipe, values)
            {
                Progress::More => {}
                Progress::Done(outcome) => {
                    if !self.reply_done(index, outcome, now) {
                        return false;
                    }
                }
                Progress::Malformed => {
                    self.lose(index, Fault::Malformed, now);
                    return false;
                }
            }
        }
        self.pump(index, now);
        true
    }

    /// Counts a reply; false when the connection ends with it.
    fn reply_done(&mut self, index: usize, outcome: Outcome, now: Instant) -> bool {
        let connection = &mut self.connections[index];
        connection.has_answered = true;
        if let Some(flight) = connection.flights.pop_front() {
            self.landed(flight.counts, now);
            if self.counts(flight.counts, now) {
                let latency = now.saturating_duration_since(flight.start);
                self.tally.reply(outcome.status, latency, outcome.fault);
            } else if let Some(fault) = outcome.fault {
                self.tally.fault(fault, false);
            }
        }
        if outcome.closes {
            self.lose(index, Fault::ShortRead, now);
        }
        !outcome.closes
    }

    fn ended(&mut self, index: usize, now: Instant) {
        let connection = &mut self.connections[index];
        let serial = connection.flights.front().map(|flight| flight.serial);
        let last =
            serial.and_then(|serial| connection.reader.end_of_input(self.plan.recipe(serial)));
        match last {
            Some(outcome) => {
                self.reply_done(
                    index,
                    Outcome {
                        closes: true,
                        ..outcome
                    },
                    now,
                );
            }
            None => self.lose(index, Fault::ShortRead, now),
        }
    }
}
