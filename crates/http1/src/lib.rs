//! HTTP/1.x, bytes in and messages out.
//!
//! In the life of a request this is the second step: the engine has read bytes, this crate says where the
//! head ends ([`HeadScanner`]), what it means ([`parse_request_head`]), which of the following bytes are
//! content ([`ChunkedDecoder`]) and how the reply's framing is written ([`reply`]).
//!
//! It never does I/O, reads a clock, holds a global, or panics on a peer's bytes. Whatever it refuses, it
//! refuses with a [`Reject`], and it refuses the same bytes with the same reason however they were cut into
//! packets.
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

pub mod chunked;
mod field_lines;
pub mod head;
pub mod method;
pub mod reject;
pub mod reply;

pub use chunked::{ChunkedDecoder, Step};
pub use head::{
    Expect, FieldSpan, Framing, HeadLimits, HeadScanner, RequestHead, Scan, parse_request_head,
};
pub use method::Method;
pub use reject::Reject;
