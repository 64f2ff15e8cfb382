//! Addresses, inherited descriptors and configuration keys, as `exchange` passes them.

use std::net::{IpAddr, SocketAddr, SocketAddrV6, TcpListener};
use std::os::fd::{FromRawFd as _, OwnedFd};
use std::os::unix::net::UnixListener;

use fulmar_engine::{ListenTarget, ServerConfig};

const EINVAL: i32 = 22;
const ENOTSOCK: i32 = 88;
/// The largest 32-bit number, which no limit needs, stands for "nobody".
const NOBODY: u64 = u32::MAX as u64;

/// `ip` or `ip%scope` with a port; what was expected otherwise.
pub fn parse_address(text: &str, port: u32) -> Result<SocketAddr, &'static str> {
    let port = u16::try_from(port).map_err(|_| "a port below 65536 expected")?;
    if let Some((ip, scope)) = text.split_once('%') {
        let ip = ip.parse().map_err(|_| "an IP address expected")?;
        let scope = scope.parse().map_err(|_| "a numeric scope expected")?;
        return Ok(SocketAddr::V6(SocketAddrV6::new(ip, port, 0, scope)));
    }
    let ip: IpAddr = text.parse().map_err(|_| "an IP address expected")?;
    Ok(SocketAddr::new(ip, port))
}

/// Takes over a listening descriptor: a TCP or a Unix socket. Fails with an errno.
pub fn inherit(number: u32) -> Result<ListenTarget, i32> {
    let fd = i32::try_from(number).map_err(|_| EINVAL)?;
    // SAFETY: the caller passes a descriptor that it gives up; one that is no socket is refused below.
    let owned = unsafe { OwnedFd::from_raw_fd(fd) };
    let unix = UnixListener::from(owned);
    if unix.local_addr().is_ok() {
        return Ok(ListenTarget::InheritedUnix(unix));
    }
    let tcp = TcpListener::from(OwnedFd::from(unix));
    match tcp.local_addr() {
        Ok(_) => Ok(ListenTarget::InheritedTcp(tcp)),
        Err(error) => {
            // Not ours to close: the descriptor may be anything.
            std::mem::forget(tcp);
            Err(error.raw_os_error().unwrap_or(ENOTSOCK))
        }
    }
}

/// Sets one value; keys as in `ConfigKey` of `format.ts`. False when the key is unknown.
pub fn configure(config: &mut ServerConfig, key: u32, value: u64) -> bool {
    let size = usize::try_from(value).unwrap_or(usize::MAX);
    let on = value != 0;
    match key {
        0 => config.headers_timeout_ms = value,
        1 => config.request_timeout_ms = value,
        2 => config.keep_alive_timeout_ms = value,
        3 => config.socket_timeout_ms = value,
        4 => config.write_timeout_ms = value,
        5 => config.head_bytes_max = size,
        6 => config.header_count_max = at_most(value).unwrap_or(usize::MAX),
        7 => config.requests_per_connection_max = u32::try_from(value).unwrap_or(u32::MAX),
        8 => config.connections_max = at_most(value),
        9 => config.no_delay = on,
        10 => config.keep_alive_probes = on,
        11 => config.keep_alive_initial_delay_ms = value,
        12 => config.require_host_header = on,
        13 => config.report_connections = on,
        14 => config.report_rejects = on,
        15 => config.accept_upgrade = on,
        16 => config.accept_connect = on,
        17 => config.request_line_bytes_max = size,
        18 => config.allow_half_open = on,
        _ => return false,
    }
    true
}

/// 0 is no limit.
fn at_most(value: u64) -> Option<usize> {
    match value {
        0 => None,
        NOBODY => Some(0),
        limit => Some(usize::try_from(limit).unwrap_or(usize::MAX)),
    }
}
