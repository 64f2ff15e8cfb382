//! Sends requests: the closed loop whenever a reply came, the open loop when its timetable says so.

use std::time::Instant;

use crate::{
    connection::Flight, driver::Driver, fault::Fault, phase::Phase, tally::micros, template::Values,
};

impl Driver<'_> {
    /// The values of a request.
    pub fn values(&self, serial: u64) -> Values {
        Values {
            serial,
            seed: self.plan.seed,
            ids: self.plan.ids,
        }
    }

    /// Fills the connection up to the pipelining depth (closed loop) or offers it to the timetable (open
    /// loop), then writes.
    pub fn pump(&mut self, index: usize, now: Instant) {
        if self.plan.rate.is_some() {
            self.offer(index);
        } else {
            while self.may_send() && self.has_room(index) {
                self.start_request(index, now, now);
            }
        }
        self.flush(index, now);
    }

    /// Lets every connection send: load begins.
    pub fn send_all(&mut self, now: Instant) {
        for index in 0..self.connections.len() {
            self.pump(index, now);
        }
        self.send_due(now);
    }

    /// Sends what the timetable says, as far as connections have room.
    pub fn send_due(&mut self, now: Instant) {
        while self.may_send() {
            let Some(due) = self.next_due().filter(|due| *due <= now) else {
                return;
            };
            if self.window.end.is_some_and(|end| due >= end) {
                return;
            }
            let Some(index) = self.free.pop_front() else {
                return;
            };
            self.connections[index].is_queued = false;
            if !self.has_room(index) {
                continue;
            }
            let sent = Instant::now();
            self.start_request(index, due, sent);
            if let Some(pace) = &mut self.pace {
                pace.advance();
            }
            self.offer(index);
            self.flush(index, sent);
        }
    }

    /// Requests of the open loop that belong to the measurement and were never sent.
    pub fn unsent(&self) -> u64 {
        let Some((pace, end)) = self.pace.zip(self.window.end) else {
            return 0;
        };
        if self.has_sent_all() {
            return 0;
        }
        pace.unsent_in(self.window.start, end)
    }

    /// When the open loop's next request is due.
    pub fn next_due(&self) -> Option<Instant> {
        self.pace.map(|pace| pace.due())
    }

    /// Whether as many requests were sent as were asked for.
    pub fn has_sent_all(&self) -> bool {
        let requests = self.plan.requests;
        requests.is_some_and(|requests| self.tally.sent >= requests)
    }

    /// Whether the phase lets requests start.
    pub fn may_send(&self) -> bool {
        match self.phase {
            Phase::WarmUp(_) => true,
            Phase::Measure => !self.has_sent_all(),
            // The backlog of the open loop: it should have been sent in time.
            Phase::Drain(_) => self.plan.rate.is_some() && self.window.end.is_some(),
            // A loaded server accepts slowly: what is open would keep the others from being opened.
            Phase::Opening | Phase::Done => false,
        }
    }

    fn has_room(&self, index: usize) -> bool {
        let connection = &self.connections[index];
        connection.is_open() && connection.flights.len() < self.plan.pipeline
    }

    fn offer(&mut self, index: usize) {
        if self.has_room(index) && !self.connections[index].is_queued {
            self.connections[index].is_queued = true;
            self.free.push_back(index);
        }
    }

    fn start_request(&mut self, index: usize, start: Instant, sent: Instant) {
        let serial = self.serial;
        self.serial += 1;
        let is_measured = matches!(self.phase, Phase::Measure | Phase::Drain(_));
        let counts = is_measured && start >= self.window.start;
        let values = self.values(serial);
        let connection = &mut self.connections[index];
        self.plan
            .recipe(serial)
            .append(values, &mut self.scratch, &mut connection.out);
        connection.flights.push_back(Flight {
            start,
            sent,
            serial,
            counts,
        });
        self.in_flight += 1;
        if counts {
            self.counted_in_flight += 1;
            self.tally.sent += 1;
            if self.plan.rate.is_some() {
                self.tally
                    .lag
                    .saturating_record(micros(sent.saturating_duration_since(start)));
            }
        }
    }

    fn flush(&mut self, index: usize, now: Instant) {
        if self.connections[index].flush().is_err() {
            self.lose(index, Fault::Reset, now);
        }
    }
}
