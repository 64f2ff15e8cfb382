//! A stream socket of either family behind one type.

use std::io::{self, IoSlice, Read, Write};
use std::net::{Shutdown, SocketAddr};
use std::os::fd::{AsFd, BorrowedFd};

use mio::net::{TcpStream, UnixStream};
use mio::{Interest, Registry, Token};

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
    pub(crate) fn recv(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(s) => s.read(into),
            Self::Unix(s) => s.read(into),
        }
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(s) => s.write(bytes),
            Self::Unix(s) => s.write(bytes),
        }
    }

    /// Sends bytes that others follow at once: the system may wait for them before it makes a segment.
    #[cfg(target_os = "linux")]
    pub(crate) fn send_more(&mut self, bytes: &[u8]) -> io::Result<usize> {
        use rustix::net::{SendFlags, send};
        Ok(send(
            self.as_fd(),
            bytes,
            SendFlags::MORE | SendFlags::NOSIGNAL,
        )?)
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn send_more(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.send(bytes)
    }

    pub(crate) fn send_vectored(&mut self, bytes: &[IoSlice<'_>]) -> io::Result<usize> {
        match self {
            Self::Tcp(s) => s.write_vectored(bytes),
            Self::Unix(s) => s.write_vectored(bytes),
        }
    }

    /// Bytes that the system has received and nobody has read.
    pub(crate) fn unread(&self) -> u64 {
        rustix::io::ioctl_fionread(self.as_fd()).unwrap_or(0)
    }

    /// Is the peer still there? Looks at the next byte without taking it.
    pub(crate) fn presence(&self) -> Presence {
        let mut byte = [0];
        match rustix::net::recv(self.as_fd(), &mut byte, rustix::net::RecvFlags::PEEK) {
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
