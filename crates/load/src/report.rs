//! Makes the result from what was counted.

use std::time::Duration;

use hdrhistogram::Histogram;

use crate::{
    cpu::CpuTime,
    fault::Fault,
    fields::{Connections, Cpu, Errors, Little, Quantiles, Report, Requests, Settings},
    phase::PartialReason,
    plan::Plan,
    tally::Tally,
};

/// Changes when a field changes its meaning or goes away.
const SCHEMA: u32 = 1;
const US_PER_SECOND: f64 = 1e6;

/// What a report is made from.
pub(crate) struct Facts<'a> {
    pub plan: &'a Plan,
    pub tally: &'a Tally,
    pub window: Duration,
    pub in_flight_seconds: f64,
    pub cpu: CpuTime,
    /// Part of it spent looking for something to do.
    pub idle: Duration,
    pub partial: Option<PartialReason>,
    pub unanswered: u64,
    pub unsent: u64,
}

impl Report {
    pub(crate) fn new(facts: &Facts<'_>) -> Self {
        let (plan, tally) = (facts.plan, facts.tally);
        let window_s = facts.window.as_secs_f64();
        Self {
            tool: "fulmar-load",
            version: env!("CARGO_PKG_VERSION"),
            schema: SCHEMA,
            partial: facts.partial.is_some(),
            partial_reason: facts.partial,
            settings: settings(plan),
            window_s,
            requests: Requests {
                sent: tally.sent,
                answered: tally.answered,
                verified: tally.verified,
                unanswered: facts.unanswered,
                unsent: facts.unsent,
            },
            rate: ratio(count(tally.verified), window_s).unwrap_or(0.0),
            bytes_received: tally.bytes_received,
            status: tally
                .statuses()
                .map(|(status, count)| (status.to_string(), count))
                .collect(),
            errors: errors(tally),
            latency_us: quantiles(&tally.latency),
            send_lag_us: plan.rate.map(|_| quantiles(&tally.lag)),
            little: little(facts, window_s),
            connections: Connections {
                opened: tally.opened,
                reopened: tally.reopened,
                open_max: tally.open_max,
            },
            cpu: cpu(facts, window_s),
        }
    }
}

fn settings(plan: &Plan) -> Settings {
    Settings {
        target: plan.target.to_string(),
        mode: if plan.rate.is_some() {
            "open"
        } else {
            "closed"
        },
        connections: plan.connections,
        pipeline: plan.pipeline,
        rate: plan.rate,
        ramp_s: plan.ramp.as_secs_f64(),
        warm_up_s: plan.warm_up.as_secs_f64(),
        duration_s: plan.duration.map(|time| time.as_secs_f64()),
        requests: plan.requests,
        timeout_s: plan.timeout.as_secs_f64(),
        seed: plan.seed,
    }
}

fn errors(tally: &Tally) -> Errors {
    let mut errors = Errors {
        total: 0,
        connect: tally.faults(Fault::Connect),
        reset: tally.faults(Fault::Reset),
        timeout: tally.faults(Fault::Timeout),
        short_read: tally.faults(Fault::ShortRead),
        malformed: tally.faults(Fault::Malformed),
        wrong_status: tally.faults(Fault::WrongStatus),
        wrong_header: tally.faults(Fault::WrongHeader),
        wrong_body: tally.faults(Fault::WrongBody),
        before_measurement: tally.uncounted_faults,
    };
    errors.total =
        errors.connect + errors.reset + errors.timeout + errors.short_read + errors.malformed;
    errors.total += errors.wrong_status + errors.wrong_header + errors.wrong_body;
    errors
}

fn quantiles(histogram: &Histogram<u64>) -> Quantiles {
    let at = |quantile: f64| histogram.value_at_quantile(quantile);
    Quantiles {
        count: histogram.len(),
        min: histogram.min(),
        mean: histogram.mean(),
        stddev: histogram.stdev(),
        p50: at(0.5),
        p75: at(0.75),
        p90: at(0.9),
        p99: at(0.99),
        p99_9: at(0.999),
        p99_99: at(0.9999),
        max: histogram.max(),
    }
}

fn little(facts: &Facts<'_>, window_s: f64) -> Little {
    let plan = facts.plan;
    let observed = ratio(facts.in_flight_seconds, window_s).unwrap_or(0.0);
    let in_flight = if plan.counts_by_start() {
        observed
    } else {
        count((plan.connections * plan.pipeline) as u64)
    };
    let rate_times_latency = ratio(facts.tally.latency_sum.as_secs_f64(), window_s).unwrap_or(0.0);
    Little {
        in_flight,
        rate_times_latency,
        deviation: ratio((rate_times_latency - in_flight).abs(), in_flight),
    }
}

fn cpu(facts: &Facts<'_>, window_s: f64) -> Cpu {
    let used = facts.cpu;
    let both = used.user + used.system;
    let idle = facts.idle.min(both);
    let busy = both.saturating_sub(idle).as_secs_f64();
    let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    Cpu {
        user_us: micros(used.user),
        system_us: micros(used.system),
        idle_us: micros(idle),
        us_per_reply: ratio(busy * US_PER_SECOND, count(facts.tally.verified)),
        share: ratio(busy, window_s),
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
fn count(value: u64) -> f64 {
    value as f64
}

fn ratio(value: f64, of: f64) -> Option<f64> {
    (of > 0.0).then(|| value / of)
}
