//! The engine: everything between the sockets and a host that answers requests.
//!
//! A host (Node, `QuickJS`, a Rust program) creates an [`Engine`], adds listeners, waits until
//! [`Engine::as_raw_fd`] is readable, and calls [`Engine::turn`]. The engine accepts, receives into the
//! host's slab, parses, and describes what happened as [`Event`]s holding offsets into that slab. The host
//! answers through [`Engine::reply`] and its streamed relatives, then calls [`Engine::flush`]: one send per
//! connection for everything that was answered. Nothing here knows JavaScript, spawns a thread or blocks.
//!
//! The life of a request, file by file: `accept` → `read` → `request` → (host) → `reply` → `out` → `write`;
//! `ends`, `timeouts` and `close` end what must end.
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod accept;
mod clock;
mod close;
mod config;
mod connection;
mod connection_api;
mod content;
mod digest;
mod ends;
mod engine;
mod event;
mod exchange;
mod exchange_api;
mod file;
mod listener;
mod out;
mod pool;
mod read;
mod reply;
mod request;
mod slab;
mod slots;
mod stats;
mod stream;
mod timeouts;
mod wheel;
mod write;

pub use config::{ListenTarget, ServerConfig};
pub use digest::sha1_base64;
pub use engine::Engine;
pub use event::{AbortReason, Event, EventKind, event_flag};
pub use exchange_api::{ContentAfterUpgrade, WriteStatus};
pub use file::{FileIdentity, has_descriptors, open_file};
pub use out::{COPY_MAX, LentContent};
pub use reply::{Body, DIGEST_PLACE_SHIFT, Reply, reply_flag};
pub use slab::{NextSlab, Slab};
pub use slots::Id;
pub use stats::Stats;
