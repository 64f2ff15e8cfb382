//! What wakes the supervisor of a slot: a descriptor, until there is nothing to supervise any more. The slot may stay
//! as long as the process, and must not keep one.

use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::event::EventfdFlags;
use rustix::io::Errno;

/// Rung on any thread, heard by one.
#[derive(Debug)]
pub(crate) struct Bell(Mutex<Option<Arc<OwnedFd>>>);

impl Bell {
    pub(crate) fn new() -> Result<Self, Errno> {
        let flags = EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK;
        let descriptor = rustix::event::eventfd(0, flags)?;
        Ok(Self(Mutex::new(Some(Arc::new(descriptor)))))
    }

    fn descriptor(&self) -> MutexGuard<'_, Option<Arc<OwnedFd>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// To wait for. None: it has been taken down.
    pub(crate) fn heard(&self) -> Option<Arc<OwnedFd>> {
        self.descriptor().clone()
    }

    pub(crate) fn ring(&self) {
        // Held while it is used: its number may be another's afterwards.
        if let Some(descriptor) = &*self.descriptor() {
            let _rung = rustix::io::write(&**descriptor, &1u64.to_ne_bytes());
        }
    }

    /// What rang is looked at now.
    pub(crate) fn silence(&self) {
        if let Some(descriptor) = &*self.descriptor() {
            let _rung = rustix::io::read(&**descriptor, &mut [0; 8]);
        }
    }

    /// Nobody hears it any more.
    pub(crate) fn take_down(&self) {
        drop(self.descriptor().take());
    }
}
