//! The result's fields: the JSON on standard output. `docs/reference/load.md` documents them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::phase::PartialReason;

/// Result of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// `fulmar-load`.
    pub tool: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Version of this schema.
    pub schema: u32,
    /// Whether the run ended before its time.
    pub partial: bool,
    /// Why.
    pub partial_reason: Option<PartialReason>,
    /// What was asked for.
    pub settings: Settings,
    /// Length of the measurement.
    pub window_s: f64,
    /// Counts of requests.
    pub requests: Requests,
    /// Verified replies per second.
    pub rate: f64,
    /// Bytes received within the measurement.
    pub bytes_received: u64,
    /// Complete replies by status.
    pub status: BTreeMap<String, u64>,
    /// What went wrong, by kind.
    pub errors: Errors,
    /// Latency of verified replies; in the open loop from the time a request was to be sent.
    pub latency_us: Quantiles,
    /// Open loop: how late requests were sent.
    pub send_lag_us: Option<Quantiles>,
    /// Check of the measurement itself.
    pub little: Little,
    /// Counts of connections.
    pub connections: Connections,
    /// Processor time of the generator within the measurement.
    pub cpu: Cpu,
}

/// What was asked for.
#[derive(Clone, Debug, Serialize)]
pub struct Settings {
    /// Address of the server.
    pub target: String,
    /// `closed` or `open`.
    pub mode: &'static str,
    /// Connections.
    pub connections: usize,
    /// Requests in flight on each.
    pub pipeline: usize,
    /// Open loop's requests per second.
    pub rate: Option<f64>,
    /// Seconds over which connections are opened.
    pub ramp_s: f64,
    /// Seconds of load before counting.
    pub warm_up_s: f64,
    /// Seconds of measurement.
    pub duration_s: Option<f64>,
    /// Requests at most.
    pub requests: Option<u64>,
    /// Longest wait for a reply.
    pub timeout_s: f64,
    /// Seed of generated values.
    pub seed: u64,
}

/// Counts of requests within the measurement.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Requests {
    /// Sent.
    pub sent: u64,
    /// Complete replies.
    pub answered: u64,
    /// Replies that were as expected.
    pub verified: u64,
    /// In flight when the run ended.
    pub unanswered: u64,
    /// Open loop: due, but never sent.
    pub unsent: u64,
}

/// What went wrong within the measurement; connections that could not be opened always count.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Errors {
    /// Sum of the kinds.
    pub total: u64,
    /// Connection could not be opened.
    pub connect: u64,
    /// Connection reset.
    pub reset: u64,
    /// No reply in time.
    pub timeout: u64,
    /// Connection ended before the reply was complete.
    pub short_read: u64,
    /// Not HTTP/1.1.
    pub malformed: u64,
    /// Another status.
    pub wrong_status: u64,
    /// Another field line.
    pub wrong_header: u64,
    /// Another content.
    pub wrong_body: u64,
    /// During warm-up, of any kind.
    pub before_measurement: u64,
}

/// A distribution in microseconds.
#[derive(Clone, Copy, Debug, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Quantiles {
    pub count: u64,
    pub min: u64,
    pub mean: f64,
    pub stddev: f64,
    pub p50: u64,
    pub p75: u64,
    pub p90: u64,
    pub p99: u64,
    pub p99_9: u64,
    pub p99_99: u64,
    pub max: u64,
}

/// Little's law: rate × mean latency = requests in flight.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Little {
    /// Closed loop limited by time: connections × pipeline. Otherwise the mean that was observed.
    pub in_flight: f64,
    /// Complete replies per second × their mean latency.
    pub rate_times_latency: f64,
    /// Relative difference; above 0.05 the measurement is to be thrown away.
    pub deviation: Option<f64>,
}

/// Counts of connections over the whole run.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Connections {
    /// Opened, reopened ones included.
    pub opened: u64,
    /// Opened again.
    pub reopened: u64,
    /// Most at once.
    pub open_max: u64,
}

/// Processor time of the generator.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Cpu {
    /// In the program.
    pub user_us: u64,
    /// In the kernel for it.
    pub system_us: u64,
    /// Part of both: waiting without sleeping.
    pub idle_us: u64,
    /// Both without `idle_us`, for each verified reply.
    pub us_per_reply: Option<f64>,
    /// Both without `idle_us`, as a share of the measurement: near 1 the generator itself may be the limit.
    pub share: Option<f64>,
}
