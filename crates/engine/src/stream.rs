//! A stream socket of either family behind one type.

use std::io::{self, IoSlice, Write};
use std::net::{Shutdown, SocketAddr};
use std::os::fd::{AsFd, BorrowedFd};

use mio::net::{TcpStream, UnixStream};
use mio::{Interest, Registry, Token};
use rustix::net::{RecvFlags, SendFlags};

/// Nobody is told by a signal that the peer is gone. Where there is no such flag the host ignores the signal,
/// as Node and Rust's runtime do.
#[cfg(target_os = "linux")]
const QUIETLY: SendFlags = SendFlags::NOSIGNAL;
#[cfg(not(target_os = "linux"))]
const QUIETLY: SendFlags = SendFlags::empty();

#[derive(Debug)]
pub(crate) enum Stream {
    Tcp(TcpStream),
    Unix(UnixStream),
}

/// What a look at a socket tells of its peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    There,
    Ended,
    Failed,
}

impl Stream {
    // `recv` and `send` are the system's own calls: the C library's are points where threads can be
    // cancelled, which costs two atomic operations each in a process with threads, as Node is. Readiness is
    // edge-triggered, so that `mio` need not hear of what they return.

    pub(crate) fn recv(&self, into: &mut [u8]) -> io::Result<usize> {
        let (received, _) = rustix::net::recv(self.as_fd(), into, RecvFlags::empty())?;
        Ok(received)
    }

    pub(crate) fn send(&self, bytes: &[u8]) -> io::Result<usize> {
        Ok(rustix::net::send(self.as_fd(), bytes, QUIETLY)?)
    }

    /// Sends bytes that others follow at once: the system may wait for them before it makes a segment.
    pub(crate) fn send_more(&self, bytes: &[u8]) -> io::Result<usize> {
        #[cfg(target_os = "linux")]
        let flags = QUIETLY | SendFlags::MORE;
        #[cfg(not(target_os = "linux"))]
        let flags = QUIETLY;
        Ok(rustix::net::send(self.as_fd(), bytes, flags)?)
    }

    pub(crate) fn send_vectored(&mut self, bytes: &[IoSlice<'_>]) -> io::Result<usize> {
        match self {
            Self::Tcp(s) => s.write_vectored(bytes),
            Self::Unix(s) => s.write_vectored(bytes),
        }
    }

    /// What has been received is acknowledged by what is sent next, unless that takes the system's delay (40
    /// ms). Until the next time that it takes longer; where there is no such thing, nothing happens.
    pub(crate) fn acknowledge_with_reply(&self) {
        #[cfg(target_os = "linux")]
        if let Self::Tcp(s) = self {
            let _ = rustix::net::sockopt::set_tcp_quickack(s, false);
        }
    }

    /// Bytes that the system has received and nobody has read.
    pub(crate) fn unread(&self) -> u64 {
        rustix::io::ioctl_fionread(self.as_fd()).unwrap_or(0)
    }

    /// Is the peer still there? Looks at the next byte without taking it.
    pub(crate) fn presence(&self) -> Presence {
        let mut byte = [0];
        match rustix::net::recv(self.as_fd(), &mut byte, RecvFlags::PEEK) {
            Ok((_, 0)) => Presence::Ended,
            Ok(_) | Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Presence::There,
            Err(_) => Presence::Failed,
        }
    }

    pub(crate) fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Tcp(s) => s.as_fd(),
            Self::Unix(s) => s.as_fd(),
        }
    }

    pub(crate) fn shutdown_write(&self) {
        // An error means the peer is gone already; the next receive will say so.
        let _ = match self {
            Self::Tcp(s) => s.shutdown(Shutdown::Write),
            Self::Unix(s) => s.shutdown(Shutdown::Write),
        };
    }

    pub(crate) fn register(&mut self, registry: &Registry, token: Token) -> io::Result<()> {
        let both = Interest::READABLE | Interest::WRITABLE;
        match self {
            Self::Tcp(s) => registry.register(s, token, both),
            Self::Unix(s) => registry.register(s, token, both),
        }
    }

    pub(crate) fn set_no_delay(&self, on: bool) {
        if let Self::Tcp(s) = self {
            let _ = s.set_nodelay(on);
        }
    }

    /// `SO_KEEPALIVE`; `idle_ms` 0 keeps the system's delay.
    pub(crate) fn set_keep_alive(&self, on: bool, idle_ms: u64) {
        if let Self::Tcp(s) = self {
            let socket = socket2::SockRef::from(s);
            let _ = socket.set_keepalive(on);
            if on && idle_ms >= 1_000 {
                let probes = socket2::TcpKeepalive::new()
                    .with_time(std::time::Duration::from_millis(idle_ms));
                let _ = socket.set_tcp_keepalive(&probes);
            }
        }
    }

    /// Makes the coming close send RST instead of FIN.
    pub(crate) fn set_reset_on_close(&self) {
        if let Self::Tcp(s) = self {
            let _ = socket2::SockRef::from(s).set_linger(Some(std::time::Duration::ZERO));
        }
    }

    pub(crate) fn peer_address(&self) -> Option<SocketAddr> {
        match self {
            Self::Tcp(s) => s.peer_addr().ok(),
            Self::Unix(_) => None,
        }
    }

    pub(crate) fn local_address(&self) -> Option<SocketAddr> {
        match self {
            Self::Tcp(s) => s.local_addr().ok(),
            Self::Unix(_) => None,
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::net::sockopt::tcp_quickack;

    use super::*;

    #[test]
    fn acknowledgements_wait_for_replies_when_they_are_told_to() {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a listener");
        let address = listener.local_addr().expect("its address");
        let stream = Stream::Tcp(TcpStream::connect(address).expect("a connection"));
        assert!(tcp_quickack(stream.as_fd()).expect("a new connection's mode"));
        stream.acknowledge_with_reply();
        assert!(!tcp_quickack(stream.as_fd()).expect("its mode"));
    }
}
