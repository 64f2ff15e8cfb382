//! What this process has open: its socket, and the standard streams. Whatever else came with its start is
//! closed: a listener of the parent's would stay bound by it.

use std::os::fd::{AsRawFd as _, OwnedFd};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

/// Takes the socket from the standard input, which is empty from then on.
pub(crate) fn socket() -> Result<OwnedFd, Errno> {
    let stdin = rustix::stdio::stdin();
    let kind = rustix::net::sockopt::socket_type(stdin)?;
    if kind != rustix::net::SocketType::SEQPACKET {
        return Err(Errno::NOTSOCK);
    }
    // Above the standard streams, and not for the programs that the guest starts.
    let socket = rustix::io::fcntl_dupfd_cloexec(stdin, 3)?;
    let null = rustix::fs::open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    rustix::stdio::dup2_stdin(&null)?;
    drop(null);
    close_others(socket.as_raw_fd());
    Ok(socket)
}

fn close_others(socket: i32) {
    let Ok(socket) = u32::try_from(socket) else {
        return;
    };
    // Nothing else of this process is open yet. Systems that do not know the call keep what they have.
    for (first, last) in [(3, socket.saturating_sub(1)), (socket + 1, u32::MAX)] {
        if first <= last {
            // SAFETY: nobody uses these descriptors.
            unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) };
        }
    }
}
