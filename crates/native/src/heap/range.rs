//! A range of addresses of which memory is committed from its start, chunk by chunk.

/// What is committed at once, in bytes: a huge page of `x86_64` and `aarch64`.
pub(super) const CHUNK: usize = 2 * 1024 * 1024;
/// Addresses cost nothing; what does not fit is the C library's.
const RESERVED: usize = 8 * 1024 * 1024 * 1024;

pub(super) struct Range {
    base: *mut u8,
    committed: usize,
}

impl Range {
    pub(super) const fn new() -> Self {
        Self {
            base: std::ptr::null_mut(),
            committed: 0,
        }
    }

    /// Without it, and where it is refused, nothing can be committed.
    pub(super) fn reserve(&mut self) {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let bytes = RESERVED + CHUNK;
        // SAFETY: a new mapping wherever the kernel likes.
        let start =
            unsafe { libc::mmap(std::ptr::null_mut(), bytes, libc::PROT_NONE, flags, -1, 0) };
        if start != libc::MAP_FAILED && self.base.is_null() {
            let start = start.cast::<u8>();
            self.base = start.wrapping_add(start.align_offset(CHUNK));
        }
    }

    /// How far `ptr` is from the start; `None` when it is not within what is committed.
    #[inline]
    pub(super) fn offset_of(&self, ptr: *mut u8) -> Option<usize> {
        let offset = ptr.addr().wrapping_sub(self.base.addr());
        (offset < self.committed).then_some(offset)
    }

    #[inline]
    pub(super) fn at(&self, offset: usize) -> *mut u8 {
        self.base.wrapping_add(offset)
    }

    /// Commits one more chunk; `None` when there is no room or no memory.
    pub(super) fn commit(&mut self) -> Option<()> {
        if self.base.is_null() || self.committed + CHUNK > RESERVED {
            return None;
        }
        let start = self.at(self.committed).cast();
        // SAFETY: the chunk lies within the reservation and nothing uses it yet.
        let status = unsafe { libc::mprotect(start, CHUNK, libc::PROT_READ | libc::PROT_WRITE) };
        if status != 0 {
            return None;
        }
        #[cfg(target_os = "linux")]
        // SAFETY: as above; an advice that is not taken changes nothing.
        unsafe {
            libc::madvise(start, CHUNK, libc::MADV_HUGEPAGE)
        };
        self.committed += CHUNK;
        Some(())
    }

    /// Gives the memory of a chunk back to the system; it may be used again, its content is lost.
    pub(super) fn release(&self, chunk: usize) {
        // SAFETY: the chunk is committed, and the caller has no block in it.
        unsafe { libc::madvise(self.at(chunk * CHUNK).cast(), CHUNK, libc::MADV_DONTNEED) };
    }
}
