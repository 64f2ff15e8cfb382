//! Limits and switches of one listener, and where to listen. Defaults are the table of SECURITY.md.

use std::net::SocketAddr;
use std::path::PathBuf;

/// Requests parsed ahead on one connection while earlier ones are being answered.
pub(crate) const PIPELINE_MAX: usize = 16;
/// The same on a connection whose last replies did not fit into what the system takes.
pub(crate) const PIPELINE_OF_LARGE: usize = 2;
/// Requests of one connection begun in one turn, before it is known how large its replies are. Doubled up to
/// [`PIPELINE_MAX`].
pub(crate) const LOOK_AHEAD_FIRST: u8 = 4;
/// Unread content up to which a peer's orderly end is noticed although nobody asks for that content, in
/// bytes: what a stream of Node's would have read by then.
pub(crate) const UNREAD_AT_END_MAX: u64 = 64 * 1024;
/// While exchanges are open and nothing is received, the connection is looked at this often, in ms.
pub(crate) const PRESENCE_MS: u64 = 30_000;
/// `write()` says "wait" from here on, in bytes.
pub(crate) const HIGH_WATER: usize = 64 * 1024;
/// Writing on beyond this much unsent data closes the connection, in bytes.
pub(crate) const BUFFERED_REPLY_MAX: usize = 16 * 1024 * 1024;
/// Unread content that is read and thrown away after a reply to keep the connection, in bytes: 128 KiB with
/// what is received with a head at the most.
pub(crate) const DISCARD_MAX: u64 = 112 * 1024;
/// A lingering close waits this long for the peer's end, in ms.
pub(crate) const LINGER_MS: u64 = 2_000;
/// While draining, an idle connection is kept this long for a request that is on its way, in ms.
pub(crate) const DRAIN_IDLE_MS: u64 = 1_000;
/// Content behind its reply may rest for so much longer than the keep-alive time, in ms, as in Node: its
/// reader may still have some of it.
pub(crate) const LEFT_GRACE_MS: u64 = 1_000;
/// An idle connection of a listener that is closed is kept no longer than this, in ms: Node's default, which
/// programs that exit when their last connection is gone count on.
pub(crate) const CLOSED_IDLE_MS: u64 = 5_000;
/// Bytes a lingering close reads at the most.
pub(crate) const LINGER_BYTES_MAX: u64 = 1024 * 1024;
/// Content slower than this many bytes a second is refused …
pub(crate) const BODY_RATE_MIN: u64 = 240;
/// … once this much time has passed, in ms.
pub(crate) const BODY_RATE_GRACE_MS: u64 = 5_000;
/// Trailer section bytes; the head's budget.
pub(crate) const TRAILER_BYTES_MAX: usize = 16 * 1024;
/// A request that may have waited this long in a crowd, in ms, is acknowledged with its reply: what a system
/// delays acknowledgements by.
pub(crate) const ACK_DELAY_MS: u64 = 40;
/// Descriptors kept free for the application: files, database connections.
pub(crate) const DESCRIPTOR_RESERVE: u64 = 64;

/// The last descriptors that the system has: neither connections nor files to send take them, so that the
/// application can still load what it loads late and tell of the shortage.
pub(crate) const DESCRIPTORS_LAST: u64 = 24;

/// See `ServerConfig` in `packages/fulmar/src/exchange/types.ts`, which documents each field. Times in ms,
/// sizes in bytes, 0 = off.
#[derive(Clone, Debug)]
#[expect(
    missing_docs,
    reason = "documented once, at the public TypeScript interface"
)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches, set by name"
)]
pub struct ServerConfig {
    pub headers_timeout_ms: u64,
    pub request_timeout_ms: u64,
    pub keep_alive_timeout_ms: u64,
    pub socket_timeout_ms: u64,
    pub write_timeout_ms: u64,
    pub request_line_bytes_max: usize,
    pub head_bytes_max: usize,
    pub header_count_max: usize,
    pub requests_per_connection_max: u32,
    pub connections_max: Option<usize>,
    pub no_delay: bool,
    pub keep_alive_probes: bool,
    pub keep_alive_initial_delay_ms: u64,
    pub require_host_header: bool,
    pub report_connections: bool,
    pub report_rejects: bool,
    pub accept_upgrade: bool,
    pub accept_connect: bool,
    pub allow_half_open: bool,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            headers_timeout_ms: 15_000,
            request_timeout_ms: 300_000,
            keep_alive_timeout_ms: 72_000,
            socket_timeout_ms: 0,
            write_timeout_ms: 60_000,
            request_line_bytes_max: 8 * 1024,
            head_bytes_max: 16 * 1024,
            header_count_max: 2_000,
            requests_per_connection_max: 0,
            connections_max: None,
            no_delay: true,
            keep_alive_probes: false,
            keep_alive_initial_delay_ms: 0,
            require_host_header: true,
            report_connections: false,
            report_rejects: false,
            accept_upgrade: false,
            accept_connect: false,
            allow_half_open: false,
        }
    }
}

/// Where a listener gets its socket.
#[derive(Debug)]
pub enum ListenTarget {
    /// An IP address and port; port 0 lets the system choose.
    Tcp {
        /// The address to bind.
        address: SocketAddr,
        /// For `::`: refuse IPv4-mapped peers.
        ipv6_only: bool,
        /// Pending connections the system keeps.
        backlog: i32,
        /// Share the port between processes.
        reuse_port: bool,
    },
    /// A Unix socket; an existing file is an error, as in Node.
    Unix {
        /// The path of the socket file.
        path: PathBuf,
        /// Pending connections the system keeps.
        backlog: i32,
    },
    /// A TCP socket that is listening already.
    InheritedTcp(std::net::TcpListener),
    /// A Unix socket that is listening already.
    InheritedUnix(std::os::unix::net::UnixListener),
}
