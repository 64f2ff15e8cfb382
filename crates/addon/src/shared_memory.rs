//! Memory that the engine and JavaScript both write: Rust's, lent to JavaScript as an `ArrayBuffer`.
//!
//! Whatever JavaScript does with that buffer, detaching it included, the memory stays where it is until the
//! last of both has let go of it. So its address may be kept, which holds for no memory of JavaScript's own.

use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use napi_sys as sys;

use crate::js::{Env, JsError, Result};

/// Words of eight bytes, so that any typed array may look at them. Written by JavaScript between two calls
/// into Rust.
struct Words(UnsafeCell<Box<[u64]>>);

// SAFETY: `Arc` is dropped on whatever thread V8 frees the buffer; the words themselves are read and written
// by Rust only on the JavaScript thread of the environment that made them.
unsafe impl Send for Words {}
// SAFETY: as above.
unsafe impl Sync for Words {}

/// A fixed piece of memory that both sides see.
pub(crate) struct SharedMemory {
    words: Arc<Words>,
    bytes: usize,
}

impl SharedMemory {
    /// Zeroed memory of at least `bytes` bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        let words = vec![0; bytes.div_ceil(8)].into_boxed_slice();
        Self {
            words: Arc::new(Words(UnsafeCell::new(words))),
            bytes,
        }
    }

    /// The bytes. JavaScript must not run while they are used.
    #[expect(
        clippy::mut_from_ref,
        reason = "the memory is shared by its nature; see the safety comment"
    )]
    pub(crate) fn bytes(&self) -> &mut [u8] {
        let words = self.words.0.get();
        // SAFETY: the words live as long as `self`; the box is never replaced.
        let data = unsafe { (*words).as_mut_ptr() };
        // SAFETY: there are at least `bytes` bytes; the host, on its one thread, borrows them for one call at
        // a time, during which JavaScript does not run.
        unsafe { std::slice::from_raw_parts_mut(data.cast(), self.bytes) }
    }

    /// An `ArrayBuffer` over this memory.
    pub(crate) fn array_buffer(&self, env: Env) -> Result<sys::napi_value> {
        let mut value = ptr::null_mut();
        let keeper = Arc::into_raw(Arc::clone(&self.words));
        // SAFETY: memory and length are those of the words, which `keeper` keeps alive until `let_go`;
        // `value` is writable.
        let status = unsafe {
            sys::napi_create_external_arraybuffer(
                env.0,
                self.bytes().as_mut_ptr().cast(),
                self.bytes,
                Some(let_go),
                keeper.cast_mut().cast(),
                &raw mut value,
            )
        };
        if status == sys::Status::napi_ok {
            return Ok(value);
        }
        // SAFETY: the pointer was made above and was not taken.
        drop(unsafe { Arc::from_raw(keeper) });
        Err(JsError(
            "this runtime allows no memory of an addon's in an ArrayBuffer",
        ))
    }
}

/// V8 needs the memory no more.
unsafe extern "C" fn let_go(_env: sys::napi_env, _data: *mut c_void, keeper: *mut c_void) {
    // SAFETY: made by `Arc::into_raw` in `array_buffer`; called once.
    drop(unsafe { Arc::from_raw(keeper.cast::<Words>().cast_const()) });
}
