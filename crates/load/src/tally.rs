//! Counts of a run. Everything is allocated before the first request.

use std::time::Duration;

use hdrhistogram::Histogram;

use crate::fault::{FAULT_KINDS, Fault};

/// Longest recorded time, one hour in µs; longer ones are recorded as this.
const LATENCY_US_MAX: u64 = 3_600_000_000;
/// Three significant digits: an error of at most 0.1 %.
const DIGITS: u8 = 3;
/// Status codes have three digits (RFC 9110 section 15).
const STATUSES: usize = 1000;

/// What was counted.
#[derive(Debug)]
pub struct Tally {
    /// Latency of verified replies, µs.
    pub latency: Histogram<u64>,
    /// Open loop: how late requests were sent, µs.
    pub lag: Histogram<u64>,
    /// Sum over all complete replies, for Little's law.
    pub latency_sum: Duration,
    statuses: Vec<u64>,
    faults: [u64; FAULT_KINDS],
    /// Counted requests that were written to a connection's buffer.
    pub sent: u64,
    /// Counted complete replies, right or wrong.
    pub answered: u64,
    /// Counted right replies.
    pub verified: u64,
    /// Faults outside the measurement.
    pub uncounted_faults: u64,
    /// Bytes received in the measurement.
    pub bytes_received: u64,
    /// Connections opened, reopened ones included.
    pub opened: u64,
    /// Connections opened again.
    pub reopened: u64,
    /// Most connections open at once.
    pub open_max: u64,
}

impl Tally {
    /// All zero.
    ///
    /// # Panics
    /// Never: the bounds of the histograms are constants that are valid.
    #[must_use]
    pub fn new() -> Self {
        let histogram = || {
            Histogram::new_with_bounds(1, LATENCY_US_MAX, DIGITS).expect("constant, valid bounds")
        };
        Self {
            latency: histogram(),
            lag: histogram(),
            latency_sum: Duration::ZERO,
            statuses: vec![0; STATUSES],
            faults: [0; FAULT_KINDS],
            sent: 0,
            answered: 0,
            verified: 0,
            uncounted_faults: 0,
            bytes_received: 0,
            opened: 0,
            reopened: 0,
            open_max: 0,
        }
    }

    /// A complete reply that counts.
    pub fn reply(&mut self, status: u16, latency: Duration, fault: Option<Fault>) {
        self.answered += 1;
        self.latency_sum += latency;
        if let Some(count) = self.statuses.get_mut(usize::from(status)) {
            *count += 1;
        }
        if let Some(fault) = fault {
            self.fault(fault, true);
        } else {
            self.verified += 1;
            self.latency.saturating_record(micros(latency));
        }
    }

    /// A request went wrong, or a connection could not be opened.
    pub fn fault(&mut self, fault: Fault, counts: bool) {
        if counts {
            self.faults[fault as usize] += 1;
        } else {
            self.uncounted_faults += 1;
        }
    }

    /// How often something went wrong.
    #[must_use]
    pub fn faults(&self, fault: Fault) -> u64 {
        self.faults[fault as usize]
    }

    /// Statuses seen, with their counts.
    pub fn statuses(&self) -> impl Iterator<Item = (usize, u64)> {
        self.statuses
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, count)| *count > 0)
    }
}

impl Default for Tally {
    fn default() -> Self {
        Self::new()
    }
}

/// Whole microseconds, rounded to the nearest.
#[must_use]
pub fn micros(time: Duration) -> u64 {
    u64::try_from((time.as_nanos() + 500) / 1000).unwrap_or(u64::MAX)
}
