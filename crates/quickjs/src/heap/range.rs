//! A range of addresses of which memory is committed from its start, chunk by chunk; and a table with a page
//! for each chunk.

/// What is committed at once, in bytes: a huge page of `x86_64` and `aarch64`.
pub(super) const CHUNK: usize = 2 * 1024 * 1024;
/// Addresses cost nothing; what does not fit is the C library's.
const RESERVED: usize = 8 * 1024 * 1024 * 1024;
/// Of the table, what belongs to one chunk, in bytes; the smallest page there is.
pub(super) const TABLE_PAGE: usize = 4096;
const TABLE: usize = RESERVED / CHUNK * TABLE_PAGE;

/// `[chunk][chunk]… [table]`
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
        let bytes = CHUNK + RESERVED + TABLE;
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

    /// The table; of each committed chunk's page it can be read and written, and is zero at first.
    #[inline]
    pub(super) fn table(&self) -> *mut u8 {
        self.at(RESERVED)
    }

    /// How many chunks are committed.
    pub(super) fn chunks(&self) -> usize {
        self.committed / CHUNK
    }

    /// Commits one more chunk and its page of the table; `None` when there is no room or no memory.
    pub(super) fn commit(&mut self) -> Option<()> {
        if self.base.is_null() || self.committed + CHUNK > RESERVED {
            return None;
        }
        let start = self.at(self.committed).cast();
        let page = RESERVED + self.chunks() * TABLE_PAGE;
        // Where a page of the system is larger, some of it is writable already.
        let page = page - page % page_bytes();
        for (start, bytes) in [(start, CHUNK), (self.at(page).cast(), page_bytes())] {
            // SAFETY: both lie within the reservation, and this takes nothing from what is in use.
            let status =
                unsafe { libc::mprotect(start, bytes, libc::PROT_READ | libc::PROT_WRITE) };
            if status != 0 {
                return None;
            }
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

fn page_bytes() -> usize {
    // SAFETY: asks for a number.
    let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(bytes).unwrap_or(TABLE_PAGE)
}
