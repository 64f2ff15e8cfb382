//! One number that both sides see: the highest of a call that a thread of the guest's has taken. It is there
//! when the process is gone, and tells calls that ran from those that waited, which another process can have.

use std::os::fd::{AsFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{MemfdFlags, SealFlags};
use rustix::io::Errno;
use rustix::mm::{MapFlags, ProtFlags};

const BYTES: usize = 4_096;

/// A page of shared memory.
#[derive(Debug)]
pub struct Begun {
    at: NonNull<AtomicU64>,
    descriptor: OwnedFd,
}

// SAFETY: an atomic number in memory that stays where it is.
unsafe impl Send for Begun {}
// SAFETY: as above.
unsafe impl Sync for Begun {}

impl Begun {
    /// None yet.
    ///
    /// # Errors
    /// The system's.
    pub fn new() -> Result<Self, Errno> {
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let descriptor = rustix::fs::memfd_create("fulmar-guest-begun", flags)?;
        rustix::fs::ftruncate(&descriptor, BYTES as u64)?;
        // Whoever made it shorter would end the other side with a signal.
        let seals = SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL;
        rustix::fs::fcntl_add_seals(&descriptor, seals)?;
        Self::open(descriptor)
    }

    /// That of the other side.
    ///
    /// # Errors
    /// The system's.
    pub fn open(descriptor: OwnedFd) -> Result<Self, Errno> {
        let protection = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping of a file that cannot become shorter.
        let at = unsafe {
            rustix::mm::mmap(
                std::ptr::null_mut(),
                BYTES,
                protection,
                MapFlags::SHARED,
                &descriptor,
                0,
            )
        }?;
        let at = NonNull::new(at.cast()).ok_or(Errno::NOMEM)?;
        Ok(Self { at, descriptor })
    }

    /// For the other side.
    ///
    /// # Errors
    /// No descriptor is left.
    pub fn share(&self) -> Result<OwnedFd, Errno> {
        rustix::io::fcntl_dupfd_cloexec(self.descriptor.as_fd(), 0)
    }

    /// Where it is, as long as this lives.
    #[must_use]
    pub fn address(&self) -> *const AtomicU64 {
        self.at.as_ptr()
    }

    /// The highest number.
    #[must_use]
    pub fn get(&self) -> u64 {
        // SAFETY: mapped as long as this lives, and used as an atomic number only.
        unsafe { self.at.as_ref() }.load(Ordering::Acquire)
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        // SAFETY: mapped in `open`, and nobody has the address any more.
        let _unmapped = unsafe { rustix::mm::munmap(self.at.as_ptr().cast(), BYTES) };
    }
}
