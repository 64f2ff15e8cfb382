//! The memory of `SharedArrayBuffer`s.
//!
//! Without these functions QuickJS makes none that can grow. Given them it asks for `maxByteLength` bytes at
//! once. They are of the heap that all of JavaScript has, so that a limit on memory holds for them; no other
//! thread sees them, for there are no workers.

use std::ffi::c_void;

use rquickjs::{Ctx, qjs};

/// Before any `SharedArrayBuffer` is made.
pub(crate) fn install(ctx: &Ctx<'_>) {
    // SAFETY: the context is alive.
    let runtime = unsafe { qjs::JS_GetRuntime(ctx.as_raw().as_ptr()) };
    let functions = qjs::JSSharedArrayBufferFunctions {
        sab_alloc: Some(allocate),
        sab_free: Some(free),
        sab_dup: None,
        sab_opaque: runtime.cast(),
    };
    // SAFETY: the runtime is alive and copies the functions; none of its buffers is shared yet.
    unsafe { qjs::JS_SetSharedArrayBufferFunctions(runtime, &raw const functions) };
}

unsafe extern "C" fn allocate(runtime: *mut c_void, bytes: qjs::size_t) -> *mut c_void {
    // SAFETY: `install` gave the runtime, which calls this.
    unsafe { qjs::js_malloc_rt(runtime.cast(), bytes) }
}

unsafe extern "C" fn free(runtime: *mut c_void, data: *mut c_void) {
    // SAFETY: as in `allocate`, which gave `data`.
    unsafe { qjs::js_free_rt(runtime.cast(), data) };
}
