//! The command line: options to a [`Plan`].

use std::{path::PathBuf, time::Duration};

use clap::Parser;

use crate::{error::LoadError, plan::Plan, spec::RequestSpec, target::Target};

/// Length of the measurement when nothing limits it.
const DURATION_DEFAULT: Duration = Duration::from_secs(10);

/// Options that describe the one request; a file of requests replaces them.
const REQUEST_OPTIONS: [&str; 8] = [
    "method",
    "path",
    "headers",
    "body",
    "body_file",
    "expect_status",
    "expect_headers",
    "content",
];

/// Puts load on an HTTP/1.1 server and checks every reply. The result is JSON on standard output.
#[derive(Clone, Debug, Parser)]
#[command(name = "fulmar-load", version)]
pub struct Cli {
    /// `http://host[:port][/path]`
    pub url: String,
    /// Connections, 1 to 10000
    #[arg(short, long, default_value_t = 1)]
    pub connections: usize,
    /// Requests in flight on each connection, 1 to 1000
    #[arg(short, long, default_value_t = 1)]
    pub pipeline: usize,
    /// Open loop: this many requests per second, latency from the time each was to be sent [default: closed
    /// loop]
    #[arg(short, long)]
    pub rate: Option<f64>,
    /// Seconds of measurement [default: 10, or until the last of --requests]
    #[arg(short, long, value_parser = seconds)]
    pub duration: Option<Duration>,
    /// Send this many requests at most
    #[arg(short = 'n', long)]
    pub requests: Option<u64>,
    /// Seconds over which connections are opened
    #[arg(long, value_parser = seconds, default_value = "0")]
    pub ramp: Duration,
    /// Seconds of load before anything is counted
    #[arg(long, value_parser = seconds, default_value = "0")]
    pub warm_up: Duration,
    /// Longest wait for a connection or a reply, seconds
    #[arg(long, value_parser = seconds, default_value = "10")]
    pub timeout: Duration,
    /// Changes generated values
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Largest {{id}}; the smallest is 1
    #[arg(long, default_value_t = 1_000_000)]
    pub ids: u64,
    /// JSON array of requests, sent in turn, instead of the one described by options
    #[arg(long, value_name = "FILE", conflicts_with_all = REQUEST_OPTIONS)]
    pub requests_file: Option<PathBuf>,
    /// Allow a server that is not on a loopback address
    #[arg(long)]
    pub allow_remote: bool,
    /// No summary on standard error
    #[arg(short, long)]
    pub quiet: bool,
    /// The request
    #[command(flatten)]
    pub request: RequestSpec,
}

impl Cli {
    /// Checks the options and reads the files they name.
    ///
    /// # Errors
    /// [`LoadError`] tells what was expected.
    pub fn plan(&self) -> Result<Plan, LoadError> {
        let target = Target::parse(&self.url, self.allow_remote)?;
        let specs = match &self.requests_file {
            Some(path) => RequestSpec::from_file(path)?,
            None => vec![self.request.clone()],
        };
        let recipes = specs
            .iter()
            .map(|spec| spec.compile(&target))
            .collect::<Result<_, _>>()?;
        let default = self.requests.is_none().then_some(DURATION_DEFAULT);
        let plan = Plan {
            connections: self.connections,
            pipeline: self.pipeline,
            rate: self.rate,
            ramp: self.ramp,
            warm_up: self.warm_up,
            duration: self.duration.or(default),
            requests: self.requests,
            timeout: self.timeout,
            seed: self.seed,
            ids: self.ids,
            ..Plan::new(target.address, recipes)
        };
        plan.check()?;
        Ok(plan)
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let value: f64 = text
        .parse()
        .map_err(|_| format!("expected seconds, found {text:?}"))?;
    Duration::try_from_secs_f64(value)
        .map_err(|_| format!("expected 0 or more seconds, found {text:?}"))
}
