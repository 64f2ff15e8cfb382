//! Phases of a run: connections open, load without counting, measurement, the wait for the last replies.

use std::time::Instant;

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Connections are being opened.
    Opening,
    /// Load that is not counted, until then.
    WarmUp(Instant),
    /// Everything counts.
    Measure,
    /// Nothing new starts; counted requests are waited for, until then.
    Drain(Instant),
    /// Over.
    Done,
}

/// Why a result is partial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
#[serde(rename_all = "snake_case")]
pub enum PartialReason {
    /// Somebody stopped the run.
    Interrupted,
    /// Nothing happened for twice the timeout in a run that only a number of requests ends.
    Stalled,
}

/// The measurement's time.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// First instant that counts.
    pub start: Instant,
    /// First instant that does not, when time limits the run.
    pub end: Option<Instant>,
}
