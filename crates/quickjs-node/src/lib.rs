//! The functions under Node's modules on the QuickJS host: bytes, strings, files, sockets, TLS, processes,
//! cryptography. JavaScript's part (`packages/quickjs-node`) has the names, streams and errors.
//!
//! They are called by QuickJS, and call it back through the program's event loop ([`Loop`]). Nothing here
//! knows the engine's listeners and exchanges, archives, or how JavaScript is entered.

#![allow(
    clippy::elidable_lifetime_names,
    reason = "closures for JavaScript need the lifetime by name; with it throughout, signatures look alike"
)]
#![allow(
    clippy::cast_precision_loss,
    reason = "counts become JavaScript numbers, which are floats"
)]

mod encodings;
mod errors;
mod event_loop;
pub mod memory;
mod ops;
pub mod text;

pub use errors::error_value;
pub use event_loop::Loop;
pub use ops::{install, without_surrogates};
