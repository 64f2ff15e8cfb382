//! What the event loop does when there is nothing to do: waits awake for a while, then sleeps.
//!
//! On the loopback interface a server pays for waking a sleeping generator, within its own `write`: a cost no
//! remote peer causes, and one that is the higher the faster the generator is. So the generator sleeps only
//! when it has been quiet for long.

use std::time::{Duration, Instant};

use crate::{
    cpu::thread_time,
    driver::{Driver, SWEEP},
};

/// `epoll_wait` counts in milliseconds: what is due sooner is waited for without sleeping.
const SLEEP_MIN: Duration = Duration::from_millis(1);
/// After an event the next one is waited for without sleeping for this long: more than the time between two
/// replies of any server that gives a few thousand of them per second.
const AWAKE: Duration = Duration::from_micros(500);

/// Time without anything to do.
#[derive(Debug)]
pub struct Idle {
    /// When a socket last reported something.
    pub last_event: Instant,
    /// Processor time used by turns of the measurement that neither slept nor found anything to do.
    pub used: Duration,
    /// Processor time at the end of the last turn, if it was such a turn.
    since: Option<Duration>,
}

impl Idle {
    /// Nothing yet.
    #[must_use]
    pub fn new(now: Instant) -> Self {
        Self {
            last_event: now,
            used: Duration::ZERO,
            since: None,
        }
    }

    /// A turn found nothing to do: whoever shares the core, a database perhaps, may have it.
    pub fn rest(&mut self, counts: bool) {
        std::thread::yield_now();
        // The clock is read only here, where nothing waits: the first of several such turns is not counted.
        let now = thread_time();
        if let Some(since) = self.since.replace(now)
            && counts
        {
            self.used += now.saturating_sub(since);
        }
    }

    /// A turn found something to do, or slept.
    pub fn end(&mut self) {
        self.since = None;
    }

    fn is_awake(&self, now: Instant) -> bool {
        now < self.last_event + AWAKE
    }
}

impl Driver<'_> {
    /// How long to wait for sockets; zero: ask and go on.
    pub fn sleep(&self, now: Instant) -> Duration {
        let can_send = self.may_send() && !self.free.is_empty();
        let due = self.next_due().filter(|_| can_send);
        let wait = due
            .map_or(SWEEP, |due| due.saturating_duration_since(now))
            .min(SWEEP);
        if wait < SLEEP_MIN || self.idle.is_awake(now) {
            Duration::ZERO
        } else {
            // Rounded up to whole milliseconds by the system call.
            wait.saturating_sub(SLEEP_MIN) + Duration::from_micros(1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_awake_for_a_while_after_the_last_event_only() {
        let now = Instant::now();
        let idle = Idle::new(now);
        assert!(idle.is_awake(now));
        assert!(idle.is_awake(now + AWAKE / 2));
        assert!(!idle.is_awake(now + AWAKE));
    }

    #[test]
    fn counts_processor_time_between_two_turns_without_work_of_the_measurement() {
        let mut idle = Idle::new(Instant::now());
        idle.rest(true);
        assert_eq!(idle.used, Duration::ZERO);
        idle.rest(false);
        assert_eq!(idle.used, Duration::ZERO);
        idle.rest(true);
        let used = idle.used;
        assert!(used > Duration::ZERO);
        idle.end();
        idle.rest(true);
        assert_eq!(idle.used, used);
    }
}
