//! A guest in a process of its own, behind the same C interface as one in this process (`fulmar_guest::abi`):
//! so the hosts know nothing of it, and whoever does not isolate does not load it.
//!
//! Here is the host's side, a library like those of the languages: `api` is its table, `slot` what it knows of
//! one process and of its calls, `submissions` and `replies` the messages in both directions, `supervisor` the
//! thread that starts, serves, ends and replaces the process. The other side is the program `worker`. Between
//! them are packets over a socket (`frame`), large ones through shared memory.
//!
//! What comes from the process is never trusted: it may be broken in any way.

pub mod api;
pub mod begun;
mod bell;
mod config;
mod ending;
pub mod frame;
mod modules;
mod process;
mod replies;
mod slot;
mod submissions;
mod supervisor;
