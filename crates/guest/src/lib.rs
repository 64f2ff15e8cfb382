//! A guest is another language in this process: a shared library of its own (`crates/guest-python` …) that is
//! opened with its first use. Here is what all of them have in common.
//!
//! A call's life: JavaScript writes it as bytes (`wire`), the host hands these to the library (`library` →
//! `abi` → `exported`), they wait in a queue (`queue`) until a thread of the guest's takes them (`worker`),
//! the language does what they say (`language`), and the reply waits with its client (`client`) until
//! JavaScript, woken once for all that is there, takes them.
//!
//! Nothing here knows JavaScript, nor any of the languages. No call of the host's waits for a language, but
//! `Guest::wait`, whose time is bounded.

pub mod abi;
pub mod callbacks;
mod client;
pub mod dynamic;
pub mod exported;
pub mod isolation;
pub mod language;
pub mod library;
pub mod memory_file;
mod monitor;
pub mod opening;
mod queue;
pub mod request;
pub mod wire;
mod worker;

pub use client::{Client, Waker};
pub use language::{Language, Settings, Slot};
pub use worker::{Job, Worker, aside};
