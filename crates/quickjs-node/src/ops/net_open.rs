//! Makes descriptors of stream sockets: connecting, listening, inherited. All are non-blocking.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::time::Duration;

use socket2::{Domain, Protocol, SockAddr, SockRef, Socket, TcpKeepalive, Type};

use super::net::owned;
use super::net_address::parse;

/// As Node's `UV_TCP_IPV6ONLY`.
const IPV6_ONLY: u32 = 1;
const REUSE_PORT: u32 = 2;

fn tcp_socket(domain: Domain) -> io::Result<Socket> {
    let socket = Socket::new(domain, Type::STREAM, Some(Protocol::TCP))?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

/// The descriptor, and whether it is connected already.
fn begin(socket: Socket, to: &SockAddr) -> io::Result<(OwnedFd, bool)> {
    match socket.connect(to) {
        Ok(()) => Ok((socket.into(), true)),
        Err(error) if error.raw_os_error() == Some(libc::EINPROGRESS) => Ok((socket.into(), false)),
        Err(error) => Err(error),
    }
}

pub(super) fn tcp(
    host: &str,
    port: u16,
    local: &str,
    local_port: u16,
) -> io::Result<(OwnedFd, bool)> {
    let to = parse(host, port)?;
    let socket = tcp_socket(Domain::for_address(to))?;
    if !local.is_empty() || local_port != 0 {
        let any = if to.is_ipv6() { "::" } else { "0.0.0.0" };
        let from = parse(if local.is_empty() { any } else { local }, local_port)?;
        socket.set_reuse_address(true)?;
        socket.bind(&from.into())?;
    }
    begin(socket, &to.into())
}

pub(super) fn unix(path: &str) -> io::Result<(OwnedFd, bool)> {
    let socket = Socket::new(Domain::UNIX, Type::STREAM, None)?;
    socket.set_nonblocking(true)?;
    begin(socket, &SockAddr::unix(path)?)
}

pub(super) fn inherited(fd: i32) -> io::Result<OwnedFd> {
    nonblocking(fd)?;
    Ok(owned(fd))
}

/// Fails when the number names no open descriptor.
fn nonblocking(fd: i32) -> io::Result<()> {
    // SAFETY: fcntl with F_GETFL only reads the flags of whatever the number names.
    let flags = unsafe { libc::fcntl(fd, libc::F_GETFL) };
    if flags < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: as above; sets flags of an open descriptor.
    let status = unsafe { libc::fcntl(fd, libc::F_SETFL, flags | libc::O_NONBLOCK) };
    if status < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

pub(super) fn listen_tcp(host: &str, port: u16, backlog: i32, flags: u32) -> io::Result<OwnedFd> {
    let at = parse(host, port)?;
    let socket = tcp_socket(Domain::for_address(at))?;
    socket.set_reuse_address(true)?;
    if flags & REUSE_PORT != 0 {
        socket.set_reuse_port(true)?;
    }
    if at.is_ipv6() {
        socket.set_only_v6(flags & IPV6_ONLY != 0)?;
    }
    socket.bind(&at.into())?;
    socket.listen(backlog)?;
    Ok(socket.into())
}

pub(super) fn listen_unix(path: &str, backlog: i32) -> io::Result<OwnedFd> {
    let socket = Socket::new(Domain::UNIX, Type::STREAM, None)?;
    socket.set_nonblocking(true)?;
    socket.bind(&SockAddr::unix(path)?)?;
    socket.listen(backlog)?;
    Ok(socket.into())
}

pub(super) fn listen_fd(fd: i32, backlog: i32) -> io::Result<OwnedFd> {
    nonblocking(fd)?;
    let fd = owned(fd);
    match SockRef::from(&fd).listen(backlog) {
        Ok(()) => Ok(fd),
        Err(error) => {
            // Not ours to close: the number may name anything.
            std::mem::forget(fd);
            Err(error)
        }
    }
}

pub(super) fn keep_alive(file: &File, on: bool, seconds: u32) -> io::Result<()> {
    let socket = SockRef::from(file);
    socket.set_keepalive(on)?;
    if on && seconds > 0 {
        let wait = Duration::from_secs(seconds.into());
        socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(wait))?;
    }
    Ok(())
}
