//! What a guest does for the process that it is isolated in (`crates/guest-isolated`): it says which calls have
//! begun, where that can still be read when the process is gone, and numbers its clients, and so their handles,
//! so that none of another process is taken for one of its own. Without such a process all of this is nothing.

use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

/// The symbol of a library by which a process says what it is: `extern "C" fn(*const AtomicU64, u64)`.
pub const SYMBOL: &std::ffi::CStr = c"fulmar_guest_isolated";

static BEGUN: AtomicPtr<AtomicU64> = AtomicPtr::new(std::ptr::null_mut());
static IDS_BEFORE: AtomicU64 = AtomicU64::new(0);

/// Where the highest number of a call that has begun is written, and the number behind which those of clients
/// and their handles begin.
///
/// # Safety
/// `begun` is null or lives as long as the process.
pub unsafe fn begin(begun: *const AtomicU64, ids_before: u64) {
    IDS_BEFORE.store(ids_before, Ordering::Relaxed);
    BEGUN.store(begun.cast_mut(), Ordering::Release);
}

/// The number behind which those of clients begin.
pub(crate) fn ids_before() -> u64 {
    IDS_BEFORE.load(Ordering::Relaxed)
}

/// A thread has taken this call: before anything of it is done.
pub(crate) fn has_begun(call: u64) {
    let begun = BEGUN.load(Ordering::Acquire);
    if begun.is_null() || call == 0 {
        return;
    }
    // SAFETY: lives as long as the process, says `begin`.
    let begun = unsafe { &*begun };
    begun.fetch_max(call, Ordering::Release);
}
