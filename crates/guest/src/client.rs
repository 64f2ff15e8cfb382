//! A client: one JavaScript environment. Replies wait here, from whichever thread they come, until it takes
//! them; it is woken once for all that are there.

use std::ffi::c_void;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::abi::Wake;
use crate::request::reply;
use crate::wire::{Reader, Writer};

/// Before each message: its bytes and how many attached values it has, four bytes each.
const FRAME_BYTES: usize = 8;
/// What four bytes say.
const MESSAGE_BYTES_MAX: usize = u32::MAX as usize;

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
        let message = fitting(message, MESSAGE_BYTES_MAX);
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

/// No value begins so.
const NO_VALUE: u8 = 0xff;

/// A message whose length can be told, or the error that it is none. Large values stand beside it, so that this is one of
/// very many small ones.
fn fitting(message: Writer, bytes_max: usize) -> Writer {
    if message.bytes.len() <= bytes_max && message.attached.len() <= bytes_max {
        return message;
    }
    let mut reader = Reader::new(&message.bytes, &[]);
    let (Ok(kind), Ok(id)) = (reader.byte(), reader.id()) else {
        return Writer::default();
    };
    if kind == reply::CALLBACK {
        // One argument that is no value: JavaScript says so to the thread that waits.
        let mut call = Writer::starting(kind, id);
        call.id(0);
        call.size(1);
        call.byte(NO_VALUE);
        return call;
    }
    Writer::error(id, "ERR_GUEST_VALUE", "a result of more than 4 GB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_is_too_long_is_an_error_of_its_call() {
        let mut long = Writer::starting(reply::VALUE, 7);
        long.text(&"x".repeat(1_000));
        let expected = Writer::error(7, "ERR_GUEST_VALUE", "a result of more than 4 GB");
        assert_eq!(fitting(long, 999).bytes, expected.bytes);
    }

    #[test]
    fn a_call_of_javascripts_that_is_too_long_is_one_without_values() {
        let mut long = Writer::starting(reply::CALLBACK, 300);
        let mut expected = long.bytes.clone();
        expected.extend([0, 1, NO_VALUE]);
        long.text(&"x".repeat(1_000));
        assert_eq!(fitting(long, 999).bytes, expected);
    }

    #[test]
    fn all_others_stay_what_they_are() {
        let mut message = Writer::starting(reply::VALUE, 7);
        message.text("x");
        let bytes = message.bytes.clone();
        assert_eq!(fitting(message, 999).bytes, bytes);
    }
}
