//! The open loop's timetable: when each request is to be sent, whatever the server does.

use std::time::{Duration, Instant};

/// Requests at a constant rate from a start.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    start: Instant,
    interval_ns: f64,
    next: u64,
}

const NS_PER_SECOND: f64 = 1e9;

impl Pace {
    /// `rate` requests per second from `start` on.
    #[must_use]
    pub fn new(start: Instant, rate: f64) -> Self {
        Self {
            start,
            interval_ns: NS_PER_SECOND / rate,
            next: 0,
        }
    }

    /// When the next request is to be sent.
    #[must_use]
    pub fn due(&self) -> Instant {
        // Below 2^53 ns (104 days) the product is exact enough; it is never negative.
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "see above"
        )]
        let offset = Duration::from_nanos((self.next as f64 * self.interval_ns) as u64);
        self.start + offset
    }

    /// The next request was sent.
    pub fn advance(&mut self) {
        self.next += 1;
    }

    /// How many requests are due at `now` and not sent.
    #[must_use]
    pub fn backlog(&self, now: Instant) -> u64 {
        let passed = now.saturating_duration_since(self.start).as_nanos();
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "as in `due`"
        )]
        let due = (passed as f64 / self.interval_ns) as u64 + 1;
        due.saturating_sub(self.next)
    }

    /// How many requests not yet sent are due in the window.
    #[must_use]
    pub fn unsent_in(mut self, start: Instant, end: Instant) -> u64 {
        let mut count = 0;
        while self.due() < end {
            count += u64::from(self.due() >= start);
            self.advance();
        }
        count
    }
}
