//! The memory of JavaScript's objects: blocks of up to 4 KiB, in runs of one size each, in one range of
//! addresses.
//!
//! ```text
//! range (reserved)  [chunk 2 MiB][chunk]…      committed one after the other, each asked to be one huge page
//! chunk             [run 16 KiB] × 128         each belongs to one class of sizes while any of its blocks is used
//! run               [block][block]…            free ones are a list within their own memory
//! ```
//! Why not the C library's: a start touches a thousand pages of four KiB, each of which the kernel hands out
//! alone, for more than all of QuickJS's own work; a huge page is handed out at once. And QuickJS, which cuts
//! small blocks from some of 4 KiB, asks for the size of each larger one it gets and frees, which is one look
//! at a table here. Those above 4 KiB are the C library's.
//!
//! One thread only, that of JavaScript. A run whose blocks are all free serves any class; a chunk of such
//! runs is given back to the system.

mod bins;
mod range;

use std::cell::UnsafeCell;

use rquickjs::allocator::Allocator;

use bins::{Bins, class_size};

/// QuickJS asks for the size of a block without saying of which allocator, so there is one.
struct Shared(UnsafeCell<Bins>);

// SAFETY: only the thread that made the `Heap` reaches it: `Heap` is neither `Send` nor `Sync`, and the
// runtime that owns it stays there.
unsafe impl Sync for Shared {}

static BINS: Shared = Shared(UnsafeCell::new(Bins::new()));

/// What QuickJS allocates with. There may be one in a process.
pub(crate) struct Heap {
    _not_send: std::marker::PhantomData<*mut ()>,
}

impl Heap {
    /// Where no range of addresses can be reserved, everything is the C library's.
    pub(crate) fn new() -> Self {
        bins().reserve();
        Self {
            _not_send: std::marker::PhantomData,
        }
    }
}

/// The bins, until the end of the calling function, which calls nothing that calls this.
#[inline]
fn bins() -> &'static mut Bins {
    // SAFETY: one thread, and no function of the bins calls back: no other reference is in use.
    unsafe { &mut *BINS.0.get() }
}

// SAFETY: `alloc` and `realloc` give null or memory of at least that size, aligned to 16; `usable_size` says
// what a block of either kind has.
unsafe impl Allocator for Heap {
    #[inline]
    fn alloc(&mut self, size: usize) -> *mut u8 {
        if let Some(block) = bins().take(size) {
            return block;
        }
        // SAFETY: any size may be asked for.
        unsafe { libc::malloc(size) }.cast()
    }

    #[inline]
    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        let Some(bytes) = count.checked_mul(size) else {
            return std::ptr::null_mut();
        };
        if let Some(block) = bins().take(bytes) {
            // SAFETY: the block is new and has this many bytes.
            unsafe { block.write_bytes(0, bytes) };
            return block;
        }
        // SAFETY: any size may be asked for.
        unsafe { libc::calloc(1, bytes) }.cast()
    }

    #[inline]
    unsafe fn dealloc(&mut self, ptr: *mut u8) {
        if bins().give_back(ptr).is_none() {
            // SAFETY: the caller gives back what `alloc` gave; it is not in the range, so it is the C
            // library's.
            unsafe { libc::free(ptr.cast()) };
        }
    }

    #[inline]
    unsafe fn realloc(&mut self, ptr: *mut u8, new_size: usize) -> *mut u8 {
        let Some(size) = bins().size_of(ptr) else {
            // SAFETY: null or a block of the C library's, as in `dealloc`.
            return unsafe { libc::realloc(ptr.cast(), new_size) }.cast();
        };
        if class_size(new_size) == Some(size) {
            return ptr;
        }
        // SAFETY: the caller owns the block, whose size this is.
        unsafe { self.moved(ptr, size, new_size) }
    }

    #[inline]
    unsafe fn usable_size(ptr: *mut u8) -> usize {
        bins().size_of(ptr).unwrap_or_else(|| {
            // SAFETY: a block that is not in the range is the C library's.
            unsafe { libc::malloc_usable_size(ptr.cast()) }
        })
    }
}

impl Heap {
    /// A block of `new_size` with the content of `ptr`, which is given back.
    ///
    /// # Safety
    /// `ptr` is a block of `size` bytes that this allocator gave.
    unsafe fn moved(&mut self, ptr: *mut u8, size: usize, new_size: usize) -> *mut u8 {
        let target = self.alloc(new_size);
        if target.is_null() {
            return target;
        }
        // SAFETY: both have this many bytes; a new block overlaps no other.
        unsafe { target.copy_from_nonoverlapping(ptr, size.min(new_size)) };
        // SAFETY: the caller's promise; nothing uses it from here on.
        unsafe { self.dealloc(ptr) };
        target
    }
}

#[cfg(test)]
mod tests;
