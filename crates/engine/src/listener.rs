//! A listening socket and what the engine knows about it.

use std::io;
use std::net::SocketAddr;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};

use mio::net::{TcpListener, UnixListener};
use mio::{Interest, Registry, Token};
use socket2::{Domain, SockAddr, Socket, Type};

use crate::config::{ListenTarget, ServerConfig};
use crate::stream::Stream;

#[derive(Debug)]
enum Acceptor {
    Tcp(TcpListener),
    /// With the path of the file that was made for it; none for a socket that others have bound and may
    /// share.
    Unix(UnixListener, Option<PathBuf>),
}

/// One listener. Its configuration outlives its socket: connections accepted earlier still use it.
#[derive(Debug)]
pub(crate) struct Listener {
    acceptor: Option<Acceptor>,
    pub(crate) config: ServerConfig,
    /// Connections accepted here and open.
    pub(crate) connections: usize,
    pub(crate) draining: bool,
    /// The socket may have connections waiting.
    pub(crate) acceptable: bool,
}

impl Listener {
    pub(crate) fn open(target: ListenTarget, config: ServerConfig) -> io::Result<Self> {
        let acceptor = match target {
            ListenTarget::Tcp {
                address,
                ipv6_only,
                backlog,
                reuse_port,
            } => Acceptor::Tcp(bind_tcp(address, ipv6_only, backlog, reuse_port)?),
            ListenTarget::Unix { path, backlog } => {
                Acceptor::Unix(bind_unix(&path, backlog)?, Some(path))
            }
            ListenTarget::InheritedTcp(listener) => {
                listener.set_nonblocking(true)?;
                Acceptor::Tcp(TcpListener::from_std(listener))
            }
            ListenTarget::InheritedUnix(listener) => {
                listener.set_nonblocking(true)?;
                Acceptor::Unix(UnixListener::from_std(listener), None)
            }
        };
        Ok(Self {
            acceptor: Some(acceptor),
            config,
            connections: 0,
            draining: false,
            acceptable: false,
        })
    }

    pub(crate) fn register(&mut self, registry: &Registry, token: Token) -> io::Result<()> {
        match &mut self.acceptor {
            Some(Acceptor::Tcp(l)) => registry.register(l, token, Interest::READABLE),
            Some(Acceptor::Unix(l, _)) => registry.register(l, token, Interest::READABLE),
            None => Ok(()),
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.acceptor.is_some()
    }

    /// Closes the socket; the file of a Unix socket that was bound here is removed, as libuv does.
    pub(crate) fn close(&mut self) {
        if let Some(Acceptor::Unix(_, Some(path))) = self.acceptor.take() {
            // Someone may have removed it already; nothing to do then.
            let _ = std::fs::remove_file(path);
        }
    }

    pub(crate) fn accept(&self) -> io::Result<Stream> {
        match &self.acceptor {
            Some(Acceptor::Tcp(l)) => l.accept().map(|(s, _)| Stream::Tcp(s)),
            Some(Acceptor::Unix(l, _)) => l.accept().map(|(s, _)| Stream::Unix(s)),
            None => Err(io::ErrorKind::WouldBlock.into()),
        }
    }

    pub(crate) fn address(&self) -> Option<SocketAddr> {
        match &self.acceptor {
            Some(Acceptor::Tcp(l)) => l.local_addr().ok(),
            _ => None,
        }
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.acceptor {
            Some(Acceptor::Unix(_, path)) => path.as_deref(),
            _ => None,
        }
    }

    pub(crate) fn as_fd(&self) -> Option<BorrowedFd<'_>> {
        match &self.acceptor {
            Some(Acceptor::Tcp(l)) => Some(l.as_fd()),
            Some(Acceptor::Unix(l, _)) => Some(l.as_fd()),
            None => None,
        }
    }
}

fn bind_tcp(
    address: SocketAddr,
    ipv6_only: bool,
    backlog: i32,
    reuse_port: bool,
) -> io::Result<TcpListener> {
    let socket = Socket::new(
        Domain::for_address(address),
        Type::STREAM.nonblocking().cloexec(),
        None,
    )?;
    socket.set_reuse_address(true)?;
    if address.is_ipv6() {
        socket.set_only_v6(ipv6_only)?;
    }
    if reuse_port {
        socket.set_reuse_port(true)?;
    }
    socket.bind(&address.into())?;
    socket.listen(backlog)?;
    Ok(TcpListener::from_std(socket.into()))
}

fn bind_unix(path: &Path, backlog: i32) -> io::Result<UnixListener> {
    let socket = Socket::new(Domain::UNIX, Type::STREAM.nonblocking().cloexec(), None)?;
    socket.bind(&SockAddr::unix(path)?)?;
    socket.listen(backlog)?;
    Ok(UnixListener::from_std(socket.into()))
}
