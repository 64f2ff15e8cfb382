//! The result for people: a few lines on standard error.

use std::fmt::Write as _;

use crate::fields::{Errors, Quantiles, Report};

/// Deviation from Little's law above which a measurement is to be thrown away (`docs/reference/load.md`).
const LITTLE_MAX: f64 = 0.05;

/// Renders the result in a few lines.
#[must_use]
pub fn summary(report: &Report) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write_summary(&mut text, report);
    text
}

fn write_summary(text: &mut String, report: &Report) -> std::fmt::Result {
    let (settings, requests) = (&report.settings, &report.requests);
    writeln!(
        text,
        "{} loop, {} connections, pipeline {}, {:.2} s",
        settings.mode, settings.connections, settings.pipeline, report.window_s
    )?;
    if let Some(reason) = report.partial_reason {
        writeln!(text, "PARTIAL: {reason:?}")?;
    }
    writeln!(
        text,
        "{:.0} verified replies/s ({} verified, {} answered, {} unanswered, {} unsent)",
        report.rate, requests.verified, requests.answered, requests.unanswered, requests.unsent
    )?;
    write_latency(text, &report.latency_us)?;
    write_errors(text, &report.errors)?;
    if let Some(deviation) = report
        .little
        .deviation
        .filter(|deviation| *deviation > LITTLE_MAX)
    {
        writeln!(
            text,
            "rejected by Little's law: deviation {:.1} %",
            deviation * 100.0
        )?;
    }
    let share = report.cpu.share.unwrap_or(0.0);
    writeln!(text, "generator: {:.0} % of a core", share * 100.0)
}

fn write_latency(text: &mut String, latency: &Quantiles) -> std::fmt::Result {
    writeln!(
        text,
        "latency µs: mean {:.0}, p50 {}, p90 {}, p99 {}, p99.9 {}, max {}",
        latency.mean, latency.p50, latency.p90, latency.p99, latency.p99_9, latency.max
    )
}

fn write_errors(text: &mut String, errors: &Errors) -> std::fmt::Result {
    let kinds = [
        ("connect", errors.connect),
        ("reset", errors.reset),
        ("timeout", errors.timeout),
        ("short read", errors.short_read),
        ("malformed", errors.malformed),
        ("wrong status", errors.wrong_status),
        ("wrong header", errors.wrong_header),
        ("wrong body", errors.wrong_body),
        ("before measurement", errors.before_measurement),
    ];
    for (name, count) in kinds.into_iter().filter(|(_, count)| *count > 0) {
        writeln!(text, "errors, {name}: {count}")?;
    }
    Ok(())
}
