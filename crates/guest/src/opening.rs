//! The host's side: a guest that is being opened, on a thread of its own, since a language takes its time to
//! start.

use std::ffi::c_void;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::abi::Wake;
use crate::library::Guest;

/// What becomes of it, which the thread writes once.
#[derive(Debug, Default)]
struct Outcome {
    outcome: Mutex<Option<Result<Guest, String>>>,
    ended: Condvar,
}

impl Outcome {
    fn locked(&self) -> MutexGuard<'_, Option<Result<Guest, String>>> {
        // Nothing that holds it panics.
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A guest that is being opened, or is open.
#[derive(Debug)]
pub struct Opening {
    shared: Arc<Outcome>,
    opener: Option<JoinHandle<()>>,
    guest: Option<Guest>,
}

/// For the other thread.
struct Address(*mut c_void);

// SAFETY: only handed to `wake`, which may be called on any thread.
unsafe impl Send for Address {}

impl Opening {
    /// Begins to open `library`. `wake` is called with `data` when that has ended, and then by the guest.
    ///
    /// # Errors
    /// There is no thread for it.
    ///
    /// # Safety
    /// `wake` may be called with `data` on any thread until `close` has returned.
    pub unsafe fn begin(
        library: PathBuf,
        settings: Vec<u8>,
        wake: Wake,
        data: *mut c_void,
    ) -> std::io::Result<Self> {
        let shared = Arc::<Outcome>::default();
        let own = Arc::clone(&shared);
        let address = Address(data);
        let opener = std::thread::Builder::new()
            .name("guest-open".to_owned())
            .spawn(move || {
                let address = address;
                // SAFETY: the caller's promise.
                let outcome = unsafe { Guest::open(&library, &settings, wake, address.0) };
                *own.locked() = Some(outcome);
                own.ended.notify_all();
                // SAFETY: the caller's promise; `close` waits for this thread.
                unsafe { wake(address.0) };
            })?;
        Ok(Self {
            shared,
            opener: Some(opener),
            guest: None,
        })
    }

    /// Whether it is there, having waited so long: `None` is not yet.
    ///
    /// # Errors
    /// Why it will not be, in a sentence.
    pub fn look(&mut self, timeout: Duration) -> Option<Result<(), String>> {
        if self.guest.is_some() {
            return Some(Ok(()));
        }
        let mut outcome = self.shared.locked();
        if outcome.is_none() && !timeout.is_zero() {
            (outcome, _) = self
                .shared
                .ended
                .wait_timeout(outcome, timeout)
                .unwrap_or_else(PoisonError::into_inner);
        }
        match outcome.take()? {
            Ok(guest) => {
                self.guest = Some(guest);
                Some(Ok(()))
            }
            Err(problem) => {
                // Said again to whoever asks again.
                *outcome = Some(Err(problem.clone()));
                Some(Err(problem))
            }
        }
    }

    /// The guest, once `look` has said that it is there.
    #[must_use]
    pub fn guest(&self) -> Option<&Guest> {
        self.guest.as_ref()
    }

    /// Closes it: nobody is woken once this has returned.
    pub fn close(&mut self) {
        if let Some(opener) = self.opener.take() {
            let _ended = opener.join();
        }
        drop(self.guest.take());
        drop(self.shared.locked().take());
    }
}
