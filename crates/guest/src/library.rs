//! The host's side: opens the library of a guest and calls its table. Libraries are never closed.

use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};

use crate::abi::{ABI_VERSION, Api, Block, Delivery, SYMBOL, Slice, Submitted, Wake};
use crate::dynamic::{self, Opened, Scope};

/// Libraries that are open, for all environments of the process.
static LIBRARIES: Mutex<Option<HashMap<PathBuf, &'static Api>>> = Mutex::new(None);

/// One client of a guest.
#[derive(Debug)]
pub struct Guest {
    api: &'static Api,
    client: *mut c_void,
}

// SAFETY: the functions of a guest may be called on any thread.
unsafe impl Send for Guest {}
// SAFETY: as above, also at the same time.
unsafe impl Sync for Guest {}

/// Bytes of a guest's, freed with this.
#[derive(Debug)]
pub struct Given {
    api: &'static Api,
    block: Block,
}

// SAFETY: the bytes are nobody else's, and `free` may be called on any thread.
unsafe impl Send for Given {}

impl Given {
    /// What they are.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: a block is so long, and this is its only owner.
        unsafe { std::slice::from_raw_parts(self.block.data, self.block.bytes) }
    }
}

impl Drop for Given {
    fn drop(&mut self) {
        // SAFETY: given to us, and given back once.
        unsafe { (self.api.free)(self.block) };
    }
}

/// What was replied.
#[derive(Debug)]
pub struct Received {
    /// Messages, each behind its length and the number of its attached values (four bytes each).
    pub messages: Given,
    /// Large values.
    pub attached: Vec<Given>,
}

impl Guest {
    /// Opens a library and becomes a client of it. `wake` is called with `data` on any thread
    /// until the guest is dropped.
    ///
    /// # Errors
    /// Why there is no such guest, in a sentence.
    ///
    /// # Safety
    /// `wake` may be called with `data` on any thread until the guest is dropped.
    pub unsafe fn open(
        library: &Path,
        settings: &[u8],
        wake: Wake,
        data: *mut c_void,
    ) -> Result<Self, String> {
        let api = opened(library)?;
        let mut problem = Block {
            data: std::ptr::dangling_mut(),
            bytes: 0,
            capacity: 0,
        };
        // SAFETY: the table's function with live arguments; the waker is the caller's promise.
        let client = unsafe { (api.open)(slice(settings), wake, data, &raw mut problem) };
        if client.is_null() {
            let problem = Given {
                api,
                block: problem,
            };
            return Err(String::from_utf8_lossy(problem.bytes()).into_owned());
        }
        Ok(Self { api, client })
    }

    /// Says what this process is to the guest at `path`, before it is opened: where calls that have begun are
    /// told, and behind which number ids begin (`isolation`).
    ///
    /// # Errors
    /// It is no guest, or of another version.
    ///
    /// # Safety
    /// The address lives as long as the process.
    pub unsafe fn isolate(
        path: &Path,
        begun: *const AtomicU64,
        ids_before: u64,
    ) -> Result<(), String> {
        let library = open_library(path)?;
        let Some(symbol) = library.symbol(crate::isolation::SYMBOL) else {
            return Err(format!("{} cannot be isolated", path.display()));
        };
        // SAFETY: the symbol's name stands for this type.
        let function: unsafe extern "C" fn(*const AtomicU64, u64) =
            unsafe { std::mem::transmute(symbol) };
        // SAFETY: the caller's promise.
        unsafe { function(begun, ids_before) };
        Ok(())
    }

    /// Hands a message over: eight bytes with the number of the call, then what is to be done.
    #[must_use]
    pub fn submit(&self, message: &[u8], attached: &[&[u8]], is_counted: bool) -> Submitted {
        let list: Vec<Slice> = attached.iter().map(|bytes| slice(bytes)).collect();
        // SAFETY: a live client and live bytes.
        let code = unsafe {
            (self.api.submit)(
                self.client,
                slice(message),
                list.as_ptr(),
                list.len(),
                is_counted,
            )
        };
        match code {
            0 => Submitted::Taken,
            1 => Submitted::Busy,
            _ => Submitted::Closed,
        }
    }

    /// What was replied, if anything.
    #[must_use]
    pub fn receive(&self) -> Option<Received> {
        let mut delivery = std::mem::MaybeUninit::<Delivery>::uninit();
        // SAFETY: a live client, and room for a delivery.
        if !unsafe { (self.api.receive)(self.client, delivery.as_mut_ptr()) } {
            return None;
        }
        // SAFETY: written, says the result.
        let delivery = unsafe { delivery.assume_init() };
        let api = self.api;
        let given = |block| Given { api, block };
        let attached = (0..delivery.attached_count)
            .map(|index| {
                // SAFETY: within the list.
                let at = unsafe { delivery.attached.add(index) };
                // SAFETY: one of its blocks, each taken once.
                given(unsafe { at.read() })
            })
            .collect();
        // SAFETY: the list's blocks have been taken.
        unsafe { (api.free_list)(delivery.attached, delivery.attached_count) };
        Some(Received {
            messages: given(delivery.messages),
            attached,
        })
    }

    /// Waits until something was replied, for so long at most.
    #[must_use]
    pub fn wait(&self, timeout_ms: u64) -> bool {
        // SAFETY: a live client.
        unsafe { (self.api.wait)(self.client, timeout_ms) }
    }

    /// Nobody waits for this call any more.
    pub fn cancel(&self, call: u64) {
        // SAFETY: a live client.
        unsafe { (self.api.cancel)(self.client, call) }
    }

    /// The process ends: what is buffered is written, for so long at most.
    pub fn finish(&self, timeout_ms: u64) {
        // SAFETY: the table's function.
        unsafe { (self.api.finish)(timeout_ms) }
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        // SAFETY: a live client, given up once.
        unsafe { (self.api.close)(self.client) };
    }
}

fn slice(bytes: &[u8]) -> Slice {
    Slice {
        data: bytes.as_ptr(),
        bytes: bytes.len(),
    }
}

fn opened(library: &Path) -> Result<&'static Api, String> {
    let mut libraries = LIBRARIES.lock().unwrap_or_else(PoisonError::into_inner);
    let libraries = libraries.get_or_insert_default();
    if let Some(api) = libraries.get(library) {
        return Ok(api);
    }
    let api = load(library)?;
    libraries.insert(library.to_path_buf(), api);
    Ok(api)
}

fn open_library(path: &Path) -> Result<Opened, String> {
    let text = path.as_os_str().as_encoded_bytes();
    let name = CString::new(text).map_err(|_| "a path with a NUL in it".to_owned())?;
    dynamic::open(&name, Scope::Own)
}

fn load(path: &Path) -> Result<&'static Api, String> {
    let library = open_library(path)?;
    let Some(symbol) = library.symbol(SYMBOL) else {
        return Err(format!("{} is no guest of Fulmar's", path.display()));
    };
    // SAFETY: the symbol's name stands for this type, in every version.
    let function: extern "C" fn() -> *const Api = unsafe { std::mem::transmute(symbol) };
    // SAFETY: a static table of the library, which is never closed.
    let api = unsafe { &*function() };
    if api.version != ABI_VERSION {
        return Err(format!(
            "{} is of another version of Fulmar (interface {}, expected {ABI_VERSION})",
            path.display(),
            api.version
        ));
    }
    Ok(api)
}
