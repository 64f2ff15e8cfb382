//! The program that a guest is isolated in. It opens the guest's library as a host does and carries messages
//! between its socket, which it has as its standard input, and the guest.
//!
//! It ends when the socket does: then its parent is gone, or needs it no longer. Ctrl-C is for the parent.

mod descriptors;
mod signals;

use std::ffi::{OsString, c_void};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use fulmar_guest::abi::Submitted;
use fulmar_guest::library::{Given, Guest};
use fulmar_guest::request::reply;
use fulmar_guest_isolated::begun::Begun;
use fulmar_guest_isolated::frame::{Frame, Kind, PACKET_BYTES, Packet, Received, receive};

/// How long buffers of output may take at the end.
const FLUSH_MS: u64 = 1_000;
/// Between two replies, at most.
const WAIT_MS: u64 = 3_600_000;

/// The guest with its socket.
struct Worker {
    guest: Guest,
    socket: OwnedFd,
    /// Calls that have no reply yet.
    unanswered: AtomicU64,
    /// Nothing more is taken; `signals` ends the process.
    is_draining: AtomicBool,
    ending: Mutex<()>,
}

fn main() {
    signals::begin();
    let socket = match descriptors::socket() {
        Ok(socket) => socket,
        Err(error) => return complain(&error.to_string()),
    };
    let mut buffer = vec![0; PACKET_BYTES];
    let frame = match receive(socket.as_fd(), &mut buffer) {
        Ok(Received::Frame(frame)) if frame.kind == Kind::Open => frame,
        Ok(Received::End) => return,
        _ => {
            return complain(
                "this program is started by Fulmar, for python.isolated() and the like",
            );
        }
    };
    match open(frame) {
        Ok(guest) => {
            if !send(&socket, Kind::Opened, &[]) {
                return;
            }
            run(guest, socket, &mut buffer);
        }
        Err(problem) => {
            let _sent = send(&socket, Kind::Opened, &[problem.as_bytes()]);
        }
    }
}

fn complain(text: &str) {
    use std::io::Write as _;
    let _written = writeln!(std::io::stderr(), "fulmar-guest-worker: {text}");
}

fn send(socket: &OwnedFd, kind: Kind, blocks: &[&[u8]]) -> bool {
    match Packet::new(kind, 0, blocks) {
        Ok(packet) => packet.send(socket.as_fd()).is_ok(),
        Err(error) => {
            complain(&format!("replies could not be handed over: {error}"));
            false
        }
    }
}

/// Nobody has to be woken: a thread waits for replies.
unsafe extern "C" fn wake(_data: *mut c_void) {}

fn open(frame: Frame) -> Result<Guest, String> {
    let mut blocks = frame.blocks.into_iter();
    let (Some(settings), Some(library)) = (blocks.next(), blocks.next()) else {
        return Err("no settings".to_owned());
    };
    let library = PathBuf::from(OsString::from_vec(library));
    let begun = frame.descriptor.ok_or("no shared memory")?;
    let begun = Begun::open(begun).map_err(|error| error.to_string())?;
    // As long as the process.
    let begun = Box::leak(Box::new(begun));
    // SAFETY: it is never unmapped.
    unsafe { Guest::isolate(&library, begun.address(), frame.number) }?;
    // SAFETY: the function does nothing.
    unsafe { Guest::open(&library, &settings, wake, std::ptr::null_mut()) }
}

fn run(guest: Guest, socket: OwnedFd, buffer: &mut [u8]) {
    let worker = Arc::new(Worker {
        guest,
        socket,
        unanswered: AtomicU64::new(0),
        is_draining: AtomicBool::new(false),
        ending: Mutex::new(()),
    });
    let own = Arc::clone(&worker);
    let writer = std::thread::Builder::new().name("replies".to_owned());
    if let Err(error) = writer.spawn(move || own.write()) {
        return complain(&error.to_string());
    }
    if let Err(error) = signals::watch(&worker) {
        return complain(&error.to_string());
    }
    worker.read(buffer);
    while worker.is_draining.load(Ordering::Acquire) {
        std::thread::park();
    }
    worker.end();
}

impl Worker {
    /// Hands messages to the guest until the socket ends.
    fn read(&self, buffer: &mut [u8]) {
        loop {
            match receive(self.socket.as_fd(), buffer) {
                Ok(Received::Frame(frame)) => self.take(&frame),
                Ok(Received::Nothing) => {}
                Ok(Received::End) => return,
                Err(problem) => return complain(&problem),
            }
        }
    }

    fn take(&self, frame: &Frame) {
        match (frame.kind, frame.blocks.split_first()) {
            (Kind::Submit, Some((message, attached))) => {
                let attached: Vec<&[u8]> = attached.iter().map(Vec::as_slice).collect();
                let is_counted = frame.number == 1;
                if is_counted {
                    self.unanswered.fetch_add(1, Ordering::AcqRel);
                }
                if self.guest.submit(message, &attached, is_counted) != Submitted::Taken {
                    // The parent counts what waits, so that this cannot be.
                    complain("a call was refused");
                    self.end();
                }
            }
            (Kind::Cancel, _) => self.guest.cancel(frame.number),
            _ => {}
        }
    }

    /// Sends what the guest replies.
    fn write(&self) {
        loop {
            if !self.guest.wait(WAIT_MS) {
                continue;
            }
            while let Some(received) = self.guest.receive() {
                let answered = count_answers(received.messages.bytes());
                let mut blocks = vec![received.messages.bytes()];
                blocks.extend(received.attached.iter().map(Given::bytes));
                if !send(&self.socket, Kind::Replies, &blocks) {
                    self.end();
                }
                self.unanswered.fetch_sub(answered, Ordering::AcqRel);
            }
        }
    }

    /// Ends the process, by whoever is first.
    fn end(&self) -> ! {
        let _first = self.ending.lock();
        self.guest.finish(FLUSH_MS);
        // Nothing of the language is taken down: it does not expect that.
        // SAFETY: ends the process at once.
        unsafe { libc::_exit(0) }
    }
}

/// How many of these messages are the reply to a call.
fn count_answers(mut messages: &[u8]) -> u64 {
    let mut count = 0;
    while let Some((head, rest)) = messages.split_first_chunk::<8>() {
        let [a, b, c, d, ..] = *head;
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        if matches!(rest.first(), Some(&(reply::VALUE | reply::ERROR))) {
            count += 1;
        }
        messages = rest.get(length..).unwrap_or_default();
    }
    count
}
