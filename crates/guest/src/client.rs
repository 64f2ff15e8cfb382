//! A client: one JavaScript environment. Replies wait here, from whichever thread they come, until it takes
//! them; it is woken once for all that are there.

use std::ffi::c_void;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::abi::Wake;
use crate::wire::Writer;

/// Before each message: its bytes and how many attached values it has, four bytes each.
const FRAME_BYTES: usize = 8;

/// The host's function that is called when something is there.
#[derive(Debug)]
pub struct Waker {
    /// The function.
    pub wake: Wake,
    /// What it is called with.
    pub data: *mut c_void,
}

// SAFETY: the host promises (`abi::Wake`) that its function may be called on any thread; the pointer is only
// handed back to it.
unsafe impl Send for Waker {}

#[derive(Debug, Default)]
struct Outbox {
    messages: Vec<u8>,
    attached: Vec<Vec<u8>>,
    /// The host knows that something is here.
    is_told: bool,
    /// The host waits in a call, and needs no waking.
    is_awaited: bool,
    waker: Option<Waker>,
}

/// One JavaScript environment. Given up by `close`; replies for it are then dropped.
#[derive(Debug)]
pub struct Client {
    /// Told apart from all others of the process, for ever. The numbers of its handles begin behind it
    /// (`isolation`).
    pub id: u64,
    outbox: Mutex<Outbox>,
    arrived: Condvar,
}

impl Client {
    /// The waker may be called until `close`.
    #[must_use]
    pub fn new(id: u64, waker: Waker) -> Self {
        Self {
            id,
            outbox: Mutex::new(Outbox {
                waker: Some(waker),
                ..Outbox::default()
            }),
            arrived: Condvar::new(),
        }
    }

    fn outbox(&self) -> MutexGuard<'_, Outbox> {
        // Nothing that holds it panics halfway through a change.
        self.outbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands a message over. On any thread.
    pub fn reply(&self, message: Writer) {
        let mut outbox = self.outbox();
        let Some(waker) = &outbox.waker else {
            return;
        };
        if !outbox.is_told && !outbox.is_awaited {
            // SAFETY: the host's own function with its data, which it keeps until `close` has taken the
            // waker away under this lock.
            unsafe { (waker.wake)(waker.data) };
        }
        outbox.is_told = true;
        outbox.messages.reserve(FRAME_BYTES + message.bytes.len());
        let lengths = [message.bytes.len(), message.attached.len()];
        for length in lengths {
            let length = u32::try_from(length).unwrap_or(u32::MAX);
            outbox.messages.extend(length.to_le_bytes());
        }
        outbox.messages.extend_from_slice(&message.bytes);
        outbox.attached.extend(message.attached);
        if outbox.is_awaited {
            self.arrived.notify_one();
        }
    }

    /// All that is there, if there is something.
    pub fn receive(&self) -> Option<(Vec<u8>, Vec<Vec<u8>>)> {
        let mut outbox = self.outbox();
        outbox.is_told = false;
        if outbox.messages.is_empty() {
            return None;
        }
        let messages = std::mem::take(&mut outbox.messages);
        Some((messages, std::mem::take(&mut outbox.attached)))
    }

    /// Waits until something is there, for so long at most. Nobody is woken meanwhile.
    pub fn wait(&self, timeout: Duration) -> bool {
        let end = Instant::now().checked_add(timeout);
        let mut outbox = self.outbox();
        outbox.is_awaited = true;
        while outbox.messages.is_empty() && outbox.waker.is_some() {
            let left = end.map_or(Duration::MAX, |end| {
                end.saturating_duration_since(Instant::now())
            });
            if left.is_zero() {
                break;
            }
            let (again, _) = self
                .arrived
                .wait_timeout(outbox, left)
                .unwrap_or_else(PoisonError::into_inner);
            outbox = again;
        }
        outbox.is_awaited = false;
        !outbox.messages.is_empty()
    }

    /// Nobody is woken any more.
    pub fn close(&self) {
        let mut outbox = self.outbox();
        outbox.waker = None;
        outbox.messages = Vec::new();
        outbox.attached = Vec::new();
    }

    /// It has been closed: what is made for it is dropped.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.outbox().waker.is_none()
    }
}
