//! The ways a request can go wrong, as they are counted.

/// Why a request has no verified reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Fault {
    /// The connection could not be opened.
    Connect,
    /// The connection was reset, or writing to it failed.
    Reset,
    /// No complete reply within the limit.
    Timeout,
    /// The connection ended before the reply was complete.
    ShortRead,
    /// The bytes are not an HTTP/1.1 reply, or nobody asked for them.
    Malformed,
    /// A complete reply of another status than expected.
    WrongStatus,
    /// An expected field line is absent or different.
    WrongHeader,
    /// The content differs from what is expected.
    WrongBody,
}

/// How many kinds there are.
pub const FAULT_KINDS: usize = 8;
