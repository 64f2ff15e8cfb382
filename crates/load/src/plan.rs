//! What a run does: the checked form of the command line.

use std::{net::SocketAddr, time::Duration};

use crate::{error::LoadError, recipe::Recipe};

/// Most connections a run opens.
pub const CONNECTIONS_MAX: usize = 10_000;
/// Most requests in flight on one connection.
pub const PIPELINE_MAX: usize = 1_000;
/// Highest rate of the open loop, requests per second.
pub const RATE_MAX: f64 = 10_000_000.0;

/// One run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The server.
    pub target: SocketAddr,
    /// Requests, sent in turn. Never empty.
    pub recipes: Vec<Recipe>,
    /// Connections to open, 1 – [`CONNECTIONS_MAX`].
    pub connections: usize,
    /// Requests in flight on each connection, 1 – [`PIPELINE_MAX`].
    pub pipeline: usize,
    /// Requests per second of the open loop; `None` is the closed loop.
    pub rate: Option<f64>,
    /// Time over which connections are opened, evenly.
    pub ramp: Duration,
    /// Load before anything is counted.
    pub warm_up: Duration,
    /// Length of the measurement. `None` only with `requests`.
    pub duration: Option<Duration>,
    /// How many requests are sent and counted at most.
    pub requests: Option<u64>,
    /// Longest wait for a connection or a reply.
    pub timeout: Duration,
    /// Changes generated values.
    pub seed: u64,
    /// Largest `{{id}}`.
    pub ids: u64,
}

impl Plan {
    /// A closed loop of one connection for ten seconds.
    #[must_use]
    pub fn new(target: SocketAddr, recipes: Vec<Recipe>) -> Self {
        Self {
            target,
            recipes,
            connections: 1,
            pipeline: 1,
            rate: None,
            ramp: Duration::ZERO,
            warm_up: Duration::ZERO,
            duration: Some(Duration::from_secs(10)),
            requests: None,
            timeout: Duration::from_secs(10),
            seed: 1,
            ids: 1_000_000,
        }
    }

    /// Checks ranges.
    ///
    /// # Errors
    /// [`LoadError::Usage`] names the value that is out of its range.
    pub fn check(&self) -> Result<(), LoadError> {
        let rules = [
            (!self.recipes.is_empty(), "expected at least one request"),
            (
                (1..=CONNECTIONS_MAX).contains(&self.connections),
                "expected 1 to 10000 connections",
            ),
            (
                (1..=PIPELINE_MAX).contains(&self.pipeline),
                "expected a pipelining depth of 1 to 1000",
            ),
            (
                self.rate.is_none_or(|rate| rate > 0.0 && rate <= RATE_MAX),
                "expected a rate above 0 and up to 10000000",
            ),
            (
                self.duration.is_some() || self.requests.is_some(),
                "expected a duration or a number of requests",
            ),
            (
                self.duration.is_none_or(|time| !time.is_zero()),
                "expected a duration above 0",
            ),
            (
                self.requests != Some(0),
                "expected at least one request to send",
            ),
            (!self.timeout.is_zero(), "expected a timeout above 0"),
        ];
        match rules.iter().find(|(holds, _)| !holds) {
            Some((_, message)) => Err(LoadError::Usage((*message).to_owned())),
            None => Ok(()),
        }
    }

    /// Whether a request counts by when it starts, not by when its reply arrives. Then every counted request
    /// is waited for.
    ///
    /// A closed loop limited by time counts replies that arrive within the window: waiting for the rest would
    /// change the load.
    #[must_use]
    pub fn counts_by_start(&self) -> bool {
        self.rate.is_some() || self.requests.is_some()
    }

    /// The recipe of a request.
    #[must_use]
    pub fn recipe(&self, serial: u64) -> &Recipe {
        let index = serial % self.recipes.len() as u64;
        &self.recipes[usize::try_from(index).unwrap_or(0)]
    }
}
