//! The C interface between a host and the library of a guest: one function by name, which gives a table of
//! the others. Messages are bytes (`wire`); what they say is between JavaScript and the language.

use std::ffi::c_void;

/// Told apart from other versions before anything else of the table is read.
pub const ABI_VERSION: u32 = 1;

/// The one symbol of a library: `extern "C" fn() -> *const Api`.
pub const SYMBOL: &std::ffi::CStr = c"fulmar_guest";

/// Bytes of somebody else's, for the time of a call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Slice {
    /// Where they begin; anything where there is none.
    pub data: *const u8,
    /// How many.
    pub bytes: usize,
}

/// Bytes that the guest has given away; whoever has them calls `Api::free`, once.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Where they begin. Never null, dangling where there is none.
    pub data: *mut u8,
    /// How many.
    pub bytes: usize,
    /// What was allocated.
    pub capacity: usize,
}

/// Everything that was replied since the last time.
#[repr(C)]
#[derive(Debug)]
pub struct Delivery {
    /// Replies, one behind the other.
    pub messages: Block,
    /// Large values of theirs, `attached_count` of them; the list itself is let go with `Api::free_list`.
    pub attached: *mut Block,
    /// How many.
    pub attached_count: usize,
}

impl Delivery {
    /// Gives messages and what is attached to them away.
    #[must_use]
    pub fn of((messages, attached): (Vec<u8>, Vec<Vec<u8>>)) -> Self {
        let list: Box<[Block]> = attached.into_iter().map(give).collect();
        let attached_count = list.len();
        Self {
            messages: give(messages),
            attached: Box::into_raw(list).cast(),
            attached_count,
        }
    }
}

/// Called on any thread, and returns at once: something was replied.
pub type Wake = unsafe extern "C" fn(*mut c_void);

/// What a submission came to.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Submitted {
    /// It waits or runs.
    Taken = 0,
    /// As many wait as may.
    Busy = 1,
    /// The client is closed.
    Closed = 2,
}

/// The functions of a guest. A client is one JavaScript environment (a process's main thread, a worker).
#[repr(C)]
#[derive(Debug)]
pub struct Api {
    /// `ABI_VERSION`.
    pub version: u32,
    /// (settings, wake, its data, problem) → a client, or null and a text that says why. The first one of the
    /// process starts the language, which takes as long as that takes.
    pub open: unsafe extern "C" fn(Slice, Wake, *mut c_void, *mut Block) -> *mut c_void,
    /// (client, message, attached, their count, whether the number of those that wait counts) → `Submitted`.
    pub submit: unsafe extern "C" fn(*mut c_void, Slice, *const Slice, usize, bool) -> u32,
    /// (client, delivery) → whether there was anything.
    pub receive: unsafe extern "C" fn(*mut c_void, *mut Delivery) -> bool,
    /// (client, ms) → whether something was replied, waiting for so long at most.
    pub wait: unsafe extern "C" fn(*mut c_void, u64) -> bool,
    /// (client, call): it does not run, or is interrupted.
    pub cancel: unsafe extern "C" fn(*mut c_void, u64),
    /// (client): lets go of it and of all that it has. Nothing is woken once this has returned.
    pub close: unsafe extern "C" fn(*mut c_void),
    /// (ms): the process ends; buffers of output are written, for so long at most.
    pub finish: unsafe extern "C" fn(u64),
    /// A block that was given.
    pub free: unsafe extern "C" fn(Block),
    /// A list of blocks, without the blocks.
    pub free_list: unsafe extern "C" fn(*mut Block, usize),
}

/// Gives bytes away.
#[must_use]
pub fn give(bytes: Vec<u8>) -> Block {
    let mut bytes = std::mem::ManuallyDrop::new(bytes);
    Block {
        data: bytes.as_mut_ptr(),
        bytes: bytes.len(),
        capacity: bytes.capacity(),
    }
}

/// Takes back what `give` gave.
///
/// # Safety
/// The block is one of `give`'s of this library, and nobody uses it any more.
#[must_use]
pub unsafe fn take_back(block: Block) -> Vec<u8> {
    // SAFETY: made of a Vec by `give`, says the caller.
    unsafe { Vec::from_raw_parts(block.data, block.bytes, block.capacity) }
}

/// What a host gives.
///
/// # Safety
/// As `std::slice::from_raw_parts`, for the time of the call.
#[must_use]
pub unsafe fn bytes_of<'a>(slice: Slice) -> &'a [u8] {
    if slice.bytes == 0 {
        return &[];
    }
    // SAFETY: the host gives bytes that are there for the time of the call.
    unsafe { std::slice::from_raw_parts(slice.data, slice.bytes) }
}

/// The same of several.
///
/// # Safety
/// `count` of them, each as above.
#[must_use]
pub unsafe fn all_bytes_of<'a>(slices: *const Slice, count: usize) -> Vec<&'a [u8]> {
    if count == 0 {
        return Vec::new();
    }
    // SAFETY: the host's list, for the time of the call.
    let list = unsafe { std::slice::from_raw_parts(slices, count) };
    // SAFETY: as above.
    list.iter()
        .map(|slice| unsafe { bytes_of(*slice) })
        .collect()
}

/// `Api::free` of every library.
///
/// # Safety
/// Given by this library, and the host is done with it.
pub unsafe extern "C" fn free(block: Block) {
    // SAFETY: see above.
    drop(unsafe { take_back(block) });
}

/// `Api::free_list` of every library.
///
/// # Safety
/// A list of `Delivery::of`, whose blocks have been taken.
pub unsafe extern "C" fn free_list(list: *mut Block, count: usize) {
    let list = std::ptr::slice_from_raw_parts_mut(list, count);
    // SAFETY: made of a boxed slice of that length.
    drop(unsafe { Box::from_raw(list) });
}
