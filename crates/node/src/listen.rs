//! Listening on behalf of JavaScript, and changing a listener's configuration.

use std::net::{IpAddr, SocketAddr};
use std::os::fd::{FromRawFd as _, OwnedFd};
use std::path::PathBuf;

use fulmar_engine::{Id, ListenTarget, ServerConfig};
use napi_sys as sys;

use crate::bindings::Call;
use crate::js::{JsError, Result};

/// (kind: 0 TCP | 1 Unix | 2 descriptor, host or path, port or descriptor, backlog, ipv6Only, reusePort).
/// Returns `[slot, generation]`, or a negative errno.
pub(crate) fn listen(c: &Call<'_>) -> Result<sys::napi_value> {
    let kind = c.args.u32(0)?;
    let text = c.args.utf8(1).unwrap_or_default();
    let number = c.args.u32(2)?;
    let backlog = i32::try_from(c.args.u32(3)?).unwrap_or(i32::MAX);
    let (ipv6_only, reuse_port) = (c.args.bool(4)?, c.args.bool(5)?);
    let target = match kind {
        0 => {
            let text = String::from_utf8(text).map_err(|_| JsError("an IP address expected"))?;
            let address = parse_address(&text, number)?;
            ListenTarget::Tcp {
                address,
                ipv6_only,
                backlog,
                reuse_port,
            }
        }
        1 => {
            use std::os::unix::ffi::OsStringExt as _;
            ListenTarget::Unix {
                path: PathBuf::from(std::ffi::OsString::from_vec(text)),
                backlog,
            }
        }
        _ => match inherit(number) {
            Ok(target) => target,
            Err(errno) => return c.env.number(-f64::from(errno)),
        },
    };
    let outcome = c
        .host
        .engine
        .borrow_mut()
        .listen(target, ServerConfig::default());
    match outcome {
        Ok(id) => {
            c.host.schedule();
            c.env.array(&[
                c.env.number(f64::from(id.slot))?,
                c.env.number(f64::from(id.generation))?,
            ])
        }
        Err(error) => c
            .env
            .number(-f64::from(error.raw_os_error().unwrap_or(EINVAL))),
    }
}

const EINVAL: i32 = 22;
const ENOTSOCK: i32 = 88;

fn parse_address(text: &str, port: u32) -> Result<SocketAddr> {
    let port = u16::try_from(port).map_err(|_| JsError("a port below 65536 expected"))?;
    if let Some((ip, scope)) = text.split_once('%') {
        let ip = ip.parse().map_err(|_| JsError("an IP address expected"))?;
        let scope = scope
            .parse()
            .map_err(|_| JsError("a numeric scope expected"))?;
        return Ok(SocketAddr::V6(std::net::SocketAddrV6::new(
            ip, port, 0, scope,
        )));
    }
    let ip: IpAddr = text
        .parse()
        .map_err(|_| JsError("an IP address expected"))?;
    Ok(SocketAddr::new(ip, port))
}

/// Takes over a listening descriptor: a TCP or a Unix socket.
fn inherit(number: u32) -> std::result::Result<ListenTarget, i32> {
    let fd = i32::try_from(number).map_err(|_| EINVAL)?;
    // SAFETY: the caller passes a descriptor that it gives up; one that is no socket is refused below.
    let owned = unsafe { OwnedFd::from_raw_fd(fd) };
    let unix = std::os::unix::net::UnixListener::from(owned);
    if unix.local_addr().is_ok() {
        return Ok(ListenTarget::InheritedUnix(unix));
    }
    let tcp = std::net::TcpListener::from(OwnedFd::from(unix));
    match tcp.local_addr() {
        Ok(_) => Ok(ListenTarget::InheritedTcp(tcp)),
        Err(error) => {
            // Not ours to close: the descriptor may be anything.
            std::mem::forget(tcp);
            Err(error.raw_os_error().unwrap_or(ENOTSOCK))
        }
    }
}

/// (slot, generation, key, value); keys as in `ConfigKey` of `format.ts`.
pub(crate) fn configure(c: &Call<'_>) -> Result<sys::napi_value> {
    let id = Id {
        slot: c.args.u32(0)?,
        generation: c.args.u32(1)?,
    };
    let (key, value) = (c.args.u32(2)?, c.args.u64(3)?);
    let mut engine = c.host.engine.borrow_mut();
    if let Some(config) = engine.listener_config(id) {
        apply(config, key, value)?;
    }
    Ok(c.env.undefined())
}

fn apply(config: &mut ServerConfig, key: u32, value: u64) -> Result<()> {
    let size = usize::try_from(value).unwrap_or(usize::MAX);
    let on = value != 0;
    match key {
        0 => config.headers_timeout_ms = value,
        1 => config.request_timeout_ms = value,
        2 => config.keep_alive_timeout_ms = value,
        3 => config.socket_timeout_ms = value,
        4 => config.write_timeout_ms = value,
        5 => config.head_bytes_max = size,
        6 => config.header_count_max = size,
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
        _ => return Err(JsError("a known configuration key expected")),
    }
    Ok(())
}

/// 0 is no limit; the largest 32-bit number, which no limit needs, stands for "nobody".
fn at_most(value: u64) -> Option<usize> {
    match value {
        0 => None,
        NOBODY => Some(0),
        limit => Some(usize::try_from(limit).unwrap_or(usize::MAX)),
    }
}

const NOBODY: u64 = u32::MAX as u64;

/// `[address, port, family]`, the path of a Unix socket, or null.
pub(crate) fn address(c: &Call<'_>) -> Result<sys::napi_value> {
    let id = Id {
        slot: c.args.u32(0)?,
        generation: c.args.u32(1)?,
    };
    let engine = c.host.engine.borrow();
    if let Some(path) = engine.listener_path(id) {
        return c.env.string(&path.to_string_lossy());
    }
    match engine.listener_address(id) {
        Some(address) => {
            let family = if address.is_ipv4() { "IPv4" } else { "IPv6" };
            let items = [
                c.env.string(&address.ip().to_string())?,
                c.env.number(f64::from(address.port()))?,
                c.env.string(family)?,
            ];
            c.env.array(&items)
        }
        None => Ok(c.env.null()),
    }
}
