//! Addresses of sockets: from text and to what JavaScript sees.

use std::io;
use std::net::{IpAddr, SocketAddr, SocketAddrV6};

use rquickjs::{Array, Ctx, IntoJs as _, Result, Value};
use socket2::SockAddr;

/// `fe80::1%eth0` and `fe80::1%2` have a scope.
pub(super) fn parse(host: &str, port: u16) -> io::Result<SocketAddr> {
    let invalid = || io::Error::from_raw_os_error(libc::EINVAL);
    if let Some((ip, scope)) = host.split_once('%') {
        let ip = ip.parse().map_err(|_| invalid())?;
        return Ok(SocketAddr::V6(SocketAddrV6::new(
            ip,
            port,
            0,
            scope_of(scope),
        )));
    }
    let ip: IpAddr = host.parse().map_err(|_| invalid())?;
    Ok(SocketAddr::new(ip, port))
}

/// An interface by its number or name; 0 when there is none.
fn scope_of(text: &str) -> u32 {
    if let Ok(number) = text.parse() {
        return number;
    }
    std::ffi::CString::new(text).map_or(0, |name| {
        // SAFETY: the name is a C string that lives during the call.
        unsafe { libc::if_nametoindex(name.as_ptr()) }
    })
}

/// `[address, family, port]` of an IP socket, the path of a Unix socket.
pub(super) fn to_js<'js>(ctx: &Ctx<'js>, address: &SockAddr) -> Result<Value<'js>> {
    if let Some(ip) = address.as_socket() {
        let triple = Array::new(ctx.clone())?;
        let text = match ip {
            SocketAddr::V6(v6) if v6.scope_id() != 0 => format!("{}%{}", v6.ip(), v6.scope_id()),
            other => other.ip().to_string(),
        };
        triple.set(0, text)?;
        triple.set(1, if ip.is_ipv6() { "IPv6" } else { "IPv4" })?;
        triple.set(2, ip.port())?;
        return triple.into_js(ctx);
    }
    match address.as_pathname() {
        Some(path) => path.to_string_lossy().into_owned().into_js(ctx),
        None => Ok(Value::new_undefined(ctx.clone())),
    }
}
