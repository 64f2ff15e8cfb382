//! An HTTP/1.1 load generator that checks every reply.
//!
//! A [`Plan`] says what to send to whom and how; [`run`] carries it out on the calling thread and returns a
//! [`Report`]. The closed loop keeps a number of requests in flight on each connection; the open loop sends
//! at a constant rate and measures from the time a request *should* have been sent, so that a stalled server
//! cannot hide (coordinated omission).
//!
//! The life of a request, file by file: `pace` → `dispatch` → `recipe` (`template`) → `connection` →
//! `traffic` → `reply` (`reply_head`, `verify`) → `tally` → `report`; `opening` keeps the connections,
//! `phase` tells warm-up from measurement.
#![forbid(unsafe_code)]

mod cli;
mod connection;
mod cpu;
mod driver;
mod error;
mod fault;
mod fields;
mod idle;
mod limits;
mod opening;
mod pace;
mod phase;
mod plan;
mod recipe;
mod reply;
mod reply_head;
mod report;
mod sending;
mod spec;
mod summary;
mod tally;
mod target;
mod template;
mod traffic;
mod verify;

pub use cli::Cli;
pub use driver::run;
pub use error::LoadError;
pub use fault::Fault;
pub use fields::{Connections, Cpu, Errors, Little, Quantiles, Report, Requests, Settings};
pub use limits::raise_open_files;
pub use phase::PartialReason;
pub use plan::{CONNECTIONS_MAX, PIPELINE_MAX, Plan, RATE_MAX};
pub use recipe::{BodyRule, Expect, Recipe, RequestText};
pub use spec::{ExpectSpec, RequestSpec};
pub use summary::summary;
pub use target::Target;
pub use template::{Template, Values};
