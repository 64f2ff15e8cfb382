//! A part of a file as memory: mapped for as long as it is read, so that it is neither copied nor counted to
//! the process afterwards.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::os::fd::AsRawFd as _;

/// Mappings start at a multiple of this on every system that we run on: the largest page of `aarch64`.
const ALIGNMENT: u64 = 64 * 1024;

pub(crate) struct Mapping {
    start: *mut libc::c_void,
    mapped: usize,
    skipped: usize,
}

impl Mapping {
    /// The `bytes` from `offset` on, which lie within the file. The file is a running executable, or one that
    /// nobody shortens.
    pub(crate) fn new(file: &File, offset: u64, bytes: usize) -> io::Result<Self> {
        let skipped = usize::try_from(offset % ALIGNMENT).map_err(io::Error::other)?;
        let from = libc::off_t::try_from(offset - offset % ALIGNMENT).map_err(io::Error::other)?;
        let mapped = bytes + skipped;
        if bytes == 0 {
            return Ok(Self {
                start: std::ptr::null_mut(),
                mapped: 0,
                skipped: 0,
            });
        }
        #[cfg(target_os = "linux")]
        let flags = libc::MAP_PRIVATE | libc::MAP_POPULATE;
        #[cfg(not(target_os = "linux"))]
        let flags = libc::MAP_PRIVATE;
        let fd = file.as_raw_fd();
        // SAFETY: a new mapping wherever the kernel likes, of a file that is open.
        let start = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                mapped,
                libc::PROT_READ,
                flags,
                fd,
                from,
            )
        };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Self {
            start,
            mapped,
            skipped,
        })
    }
}

impl Deref for Mapping {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        if self.mapped == 0 {
            return &[];
        }
        let start = self.start.cast::<u8>().wrapping_add(self.skipped);
        // SAFETY: these bytes are mapped until `self` is dropped, and the file does not become shorter (see
        // `new`).
        unsafe { std::slice::from_raw_parts(start, self.mapped - self.skipped) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        if self.mapped > 0 {
            // SAFETY: what `new` mapped; no slice of it outlives `self`.
            unsafe { libc::munmap(self.start, self.mapped) };
        }
    }
}
