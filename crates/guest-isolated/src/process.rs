//! A process: how it is started, and how it has ended.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::net::{AddressFamily, SocketFlags, SocketType};
use rustix::process::{Pid, PidfdFlags};

use crate::begun::Begun;
use crate::config::Config;
use crate::frame::{Kind, PACKET_BYTES, Packet, Received, receive};
use crate::slot::{Link, PROCESS_SHIFT, Slot};

/// Numbers of processes are used again behind so many: those of handles stay below those of modules.
const NUMBERS: u64 = (1 << 20) - 1;
/// How long a process has to end once it was told to, or its socket has.
const END_WITHIN: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    /// Readable when it has ended.
    pub(crate) ended: OwnedFd,
}

/// Waits until one of these is ready, or for so long at most (none: as long as it takes).
pub(crate) fn poll(fds: &mut [PollFd<'_>], timeout: Option<Duration>) {
    let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
    // An interruption is a look more.
    let _ready = rustix::event::poll(fds, timeout.as_ref());
}

impl Process {
    /// Starts one, and waits until its language runs.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn start(slot: &Slot) -> Result<(Self, Link), String> {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let number = LAST.fetch_add(1, Ordering::Relaxed) % NUMBERS + 1;
        let config = &slot.config;
        let none = |what: &str, error: &dyn std::fmt::Display| format!("{what}: {error}");
        let (ours, theirs) = rustix::net::socketpair(
            AddressFamily::UNIX,
            SocketType::SEQPACKET,
            SocketFlags::CLOEXEC,
            None,
        )
        .map_err(|error| none("no socket could be made", &error))?;
        let begun = Begun::new().map_err(|error| none("no memory could be shared", &error))?;
        // By this thread, which lives as long as the process is to: the system ends it with the thread.
        let child = Command::new(&config.program)
            .arg(std::process::id().to_string())
            .stdin(Stdio::from(theirs))
            .stdout(same_as(rustix::stdio::stdout()))
            .stderr(same_as(rustix::stdio::stderr()))
            .spawn()
            .map_err(|error| none(&config.program.display().to_string(), &error))?;
        let ended = rustix::process::pidfd_open(Pid::from_child(&child), PidfdFlags::empty());
        let ended = match ended {
            Ok(ended) => ended,
            Err(error) => {
                let mut child = child;
                let _killed = child.kill();
                let _ended = child.wait();
                return Err(none("the process cannot be watched", &error));
            }
        };
        let mut process = Self { child, ended };
        let opened = greet(config, &ours, &begun, number)
            .and_then(|()| process.opened(slot, &ours, config.start));
        match opened {
            Ok(()) => Ok((
                process,
                Link {
                    socket: Arc::new(ours),
                    begun,
                    number,
                },
            )),
            Err(text) => {
                process.end(Duration::ZERO);
                Err(text)
            }
        }
    }

    fn opened(&mut self, slot: &Slot, socket: &OwnedFd, within: Duration) -> Result<(), String> {
        let end = Instant::now() + within;
        let mut buffer = vec![0; PACKET_BYTES];
        loop {
            match receive(socket.as_fd(), &mut buffer)? {
                Received::Frame(frame) if frame.kind == Kind::Opened => {
                    let problem = frame.blocks.first();
                    return problem.map_or(Ok(()), |text| {
                        Err(String::from_utf8_lossy(text).into_owned())
                    });
                }
                Received::Frame(_) => return Err("it answered with something else".to_owned()),
                Received::End => {
                    let how = self.end(END_WITHIN);
                    return Err(format!("it {how} while it started"));
                }
                Received::Nothing => {}
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(format!("it did not start within {} ms", within.as_millis()));
            }
            let bell = slot.bell.heard();
            let Some(bell) = bell.filter(|_| !slot.state().is_closed) else {
                return Err("it was closed".to_owned());
            };
            let mut fds = [
                PollFd::new(socket, PollFlags::IN),
                PollFd::new(&*bell, PollFlags::IN),
            ];
            poll(&mut fds, Some(left));
            slot.silence();
        }
    }

    /// Waits for its end for so long, then ends it. Says how it has ended.
    pub(crate) fn end(&mut self, within: Duration) -> String {
        let mut fds = [PollFd::new(&self.ended, PollFlags::IN)];
        poll(&mut fds, Some(within));
        let _killed = self.child.kill();
        match self.child.wait() {
            Ok(status) => described(status),
            Err(error) => format!("has ended ({error})"),
        }
    }

    /// The same for one whose socket has ended.
    pub(crate) fn end_soon(&mut self) -> String {
        self.end(END_WITHIN)
    }
}

/// Node keeps its own streams from the processes that it does not start itself.
fn same_as(stream: BorrowedFd<'_>) -> Stdio {
    rustix::io::fcntl_dupfd_cloexec(stream, 3).map_or_else(|_| Stdio::null(), Stdio::from)
}

/// Says what it is to be, and makes the socket one that does not wait.
fn greet(config: &Config, socket: &OwnedFd, begun: &Begun, number: u64) -> Result<(), String> {
    let blocks = [&*config.settings, config.library.as_bytes()];
    let packet = Packet::new(Kind::Open, number << PROCESS_SHIFT, &blocks);
    let packet = packet.map_err(|error| error.to_string())?;
    let shared = begun.share().map_err(|error| error.to_string())?;
    packet
        .with(shared)
        .send(socket.as_fd())
        .map_err(|error| format!("it could not be spoken to: {error}"))?;
    rustix::io::ioctl_fionbio(socket, true).map_err(|error| error.to_string())
}

fn described(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("ended with exit code {code}"),
        (None, Some(signal)) => format!("was ended by {}", signal_name(signal)),
        (None, None) => "has ended".to_owned(),
    }
}

fn signal_name(signal: i32) -> String {
    let name = match signal {
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGILL => "SIGILL",
        libc::SIGKILL => "SIGKILL",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGTERM => "SIGTERM",
        _ => return format!("signal {signal}"),
    };
    format!("signal {signal} ({name})")
}
