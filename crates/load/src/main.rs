//! `fulmar-load`: puts load on an HTTP/1.1 server and checks every reply. See `docs/reference/load.md`.
#![forbid(unsafe_code)]

use std::{
    io::Write as _,
    process::ExitCode,
    sync::{Arc, atomic::AtomicBool},
};

use clap::Parser as _;
use fulmar_load::{Cli, LoadError, PartialReason, Report, raise_open_files, run, summary};
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};

/// The run could not start or go on.
const EXIT_FAILED: u8 = 1;
/// The command line makes no sense.
const EXIT_USAGE: u8 = 2;
/// No reply came any more; the result is partial.
const EXIT_STALLED: u8 = 3;
/// Stopped by a signal; the result is partial.
const EXIT_INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match load(&cli) {
        Ok(report) => ExitCode::from(match report.partial_reason {
            None => 0,
            Some(PartialReason::Interrupted) => EXIT_INTERRUPTED,
            Some(_) => EXIT_STALLED,
        }),
        Err(error) => {
            eprintln!("fulmar-load: {error}");
            ExitCode::from(if matches!(error, LoadError::Usage(_)) {
                EXIT_USAGE
            } else {
                EXIT_FAILED
            })
        }
    }
}

fn load(cli: &Cli) -> Result<Report, LoadError> {
    let plan = cli.plan()?;
    raise_open_files(plan.connections)?;
    let stop = stop_on_signals()?;
    let report = run(&plan, &stop)?;
    let mut json = serde_json::to_vec(&report).map_err(std::io::Error::from)?;
    json.push(b'\n');
    std::io::stdout().write_all(&json)?;
    if !cli.quiet {
        eprint!("{}", summary(&report));
    }
    Ok(report)
}

/// The first signal sets the flag, a second one ends the process.
fn stop_on_signals() -> Result<Arc<AtomicBool>, LoadError> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(
            signal,
            i32::from(EXIT_INTERRUPTED),
            Arc::clone(&stop),
        )?;
        flag::register(signal, Arc::clone(&stop))?;
    }
    Ok(stop)
}
