//! The few libuv handles the host needs. Node exports these symbols to addons; their layout is opaque except
//! for the first field, `data`, which libuv documents as the user's.

use std::ffi::{c_int, c_void};

use napi_sys::uv_loop_s;

/// An opaque libuv handle.
#[repr(C)]
pub(crate) struct Raw {
    data: *mut c_void,
}

pub(crate) type Callback = unsafe extern "C" fn(*mut Raw);
pub(crate) type PollCallback = unsafe extern "C" fn(*mut Raw, c_int, c_int);

unsafe extern "C" {
    fn uv_handle_size(kind: c_int) -> usize;
    fn uv_close(handle: *mut Raw, callback: Option<Callback>);
    fn uv_ref(handle: *mut Raw);
    fn uv_unref(handle: *mut Raw);
    fn uv_poll_init(uv: *mut uv_loop_s, handle: *mut Raw, fd: c_int) -> c_int;
    fn uv_poll_start(handle: *mut Raw, events: c_int, callback: PollCallback) -> c_int;
    fn uv_timer_init(uv: *mut uv_loop_s, handle: *mut Raw) -> c_int;
    fn uv_timer_start(
        handle: *mut Raw,
        callback: Callback,
        timeout_ms: u64,
        repeat_ms: u64,
    ) -> c_int;
    fn uv_prepare_init(uv: *mut uv_loop_s, handle: *mut Raw) -> c_int;
    fn uv_prepare_start(handle: *mut Raw, callback: Callback) -> c_int;
    fn uv_check_init(uv: *mut uv_loop_s, handle: *mut Raw) -> c_int;
    fn uv_check_start(handle: *mut Raw, callback: Callback) -> c_int;
    fn uv_idle_init(uv: *mut uv_loop_s, handle: *mut Raw) -> c_int;
    fn uv_idle_start(handle: *mut Raw, callback: Callback) -> c_int;
    fn uv_idle_stop(handle: *mut Raw) -> c_int;
    fn uv_async_init(uv: *mut uv_loop_s, handle: *mut Raw, callback: Callback) -> c_int;
    fn uv_async_send(handle: *mut Raw) -> c_int;
}

/// Values of `uv_handle_type`, which is part of libuv's ABI.
const ASYNC: c_int = 1;
const CHECK: c_int = 2;
const IDLE: c_int = 6;
const POLL: c_int = 8;
const PREPARE: c_int = 9;
const TIMER: c_int = 13;
const READABLE: c_int = 1;

/// Memory for one handle. It must outlive the handle's close callback, which `close` leaves to the owner.
pub(crate) struct Handle {
    memory: Vec<u64>,
}

/// libuv's answer to an initialisation.
#[derive(Debug)]
pub(crate) struct UvError(pub(crate) c_int);

fn check(code: c_int) -> Result<(), UvError> {
    if code < 0 { Err(UvError(code)) } else { Ok(()) }
}

impl Handle {
    fn allocate(kind: c_int, data: *mut c_void) -> Self {
        // SAFETY: a pure function of libuv.
        let size = unsafe { uv_handle_size(kind) };
        let mut handle = Self {
            memory: vec![0; size.div_ceil(8)],
        };
        let raw = handle.raw();
        // SAFETY: the memory is as large as the handle, whose first field is `data`.
        unsafe { (*raw).data = data };
        handle
    }

    fn raw(&mut self) -> *mut Raw {
        self.memory.as_mut_ptr().cast()
    }

    pub(crate) fn poll(
        uv: *mut uv_loop_s,
        fd: c_int,
        data: *mut c_void,
        callback: PollCallback,
    ) -> Result<Self, UvError> {
        let mut handle = Self::allocate(POLL, data);
        // SAFETY: the loop is the environment's; the memory is large enough; the descriptor outlives the
        // handle.
        check(unsafe { uv_poll_init(uv, handle.raw(), fd) })?;
        // SAFETY: the handle is initialised. Starting fails only for a descriptor that another handle
        // watches, which it would have been refused for above.
        let _code = unsafe { uv_poll_start(handle.raw(), READABLE, callback) };
        Ok(handle)
    }

    pub(crate) fn timer(uv: *mut uv_loop_s, data: *mut c_void) -> Self {
        let mut handle = Self::allocate(TIMER, data);
        // SAFETY: the loop is the environment's; the memory is large enough. It never fails, says libuv.
        let _code = unsafe { uv_timer_init(uv, handle.raw()) };
        handle.unref();
        handle
    }

    pub(crate) fn prepare(uv: *mut uv_loop_s, data: *mut c_void, callback: Callback) -> Self {
        let mut handle = Self::allocate(PREPARE, data);
        // SAFETY: as in `timer`.
        let _code = unsafe { uv_prepare_init(uv, handle.raw()) };
        // SAFETY: the handle is initialised; starting fails only without a callback.
        let _code = unsafe { uv_prepare_start(handle.raw(), callback) };
        handle.unref();
        handle
    }

    pub(crate) fn check(uv: *mut uv_loop_s, data: *mut c_void, callback: Callback) -> Self {
        let mut handle = Self::allocate(CHECK, data);
        // SAFETY: as in `timer`.
        let _code = unsafe { uv_check_init(uv, handle.raw()) };
        // SAFETY: the handle is initialised; starting fails only without a callback.
        let _code = unsafe { uv_check_start(handle.raw(), callback) };
        handle.unref();
        handle
    }

    pub(crate) fn idle(uv: *mut uv_loop_s, data: *mut c_void) -> Self {
        let mut handle = Self::allocate(IDLE, data);
        // SAFETY: as in `timer`.
        let _code = unsafe { uv_idle_init(uv, handle.raw()) };
        handle.unref();
        handle
    }

    /// What other threads wake the loop by (`Waker`). Moving the handle does not move its memory.
    pub(crate) fn waker(
        uv: *mut uv_loop_s,
        data: *mut c_void,
        callback: Callback,
    ) -> Result<Self, UvError> {
        let mut handle = Self::allocate(ASYNC, data);
        // SAFETY: the loop is the environment's; the memory is large enough.
        check(unsafe { uv_async_init(uv, handle.raw(), callback) })?;
        handle.unref();
        Ok(handle)
    }

    /// The address of a handle of `waker`, for `send`.
    pub(crate) fn address(&mut self) -> *mut c_void {
        self.raw().cast()
    }

    pub(crate) fn start_timer(&mut self, timeout_ms: u64, callback: Callback) {
        // SAFETY: only called on an initialised timer handle. It fails only while closing, when nothing
        // matters any more.
        let _code = unsafe { uv_timer_start(self.raw(), callback, timeout_ms, 0) };
    }

    pub(crate) fn start_idle(&mut self, callback: Callback) {
        // SAFETY: only called on an initialised idle handle; starting twice is allowed.
        let _code = unsafe { uv_idle_start(self.raw(), callback) };
    }

    pub(crate) fn stop_idle(&mut self) {
        // SAFETY: only called on an initialised idle handle; stopping twice is allowed.
        let _code = unsafe { uv_idle_stop(self.raw()) };
    }

    /// Lets the handle keep the loop alive.
    pub(crate) fn reference(&mut self) {
        // SAFETY: the handle is initialised; the call is idempotent.
        unsafe { uv_ref(self.raw()) };
    }

    pub(crate) fn unref(&mut self) {
        // SAFETY: the handle is initialised; the call is idempotent.
        unsafe { uv_unref(self.raw()) };
    }

    /// Begins to close; the memory must stay until `callback` has run.
    pub(crate) fn close(&mut self, callback: Callback) {
        // SAFETY: the handle is initialised and closed once.
        unsafe { uv_close(self.raw(), Some(callback)) };
    }
}

/// Has the callback of a `Handle::waker` called on the loop's thread. On any thread.
///
/// # Safety
/// The address is that of a handle that is not closed, nor being closed.
pub(crate) unsafe extern "C" fn send(address: *mut c_void) {
    // SAFETY: an initialised handle, says the caller. It fails for no other reason.
    let _code = unsafe { uv_async_send(address.cast()) };
}

/// The `data` of a handle that libuv passes to a callback.
pub(crate) fn data_of(handle: *mut Raw) -> *mut c_void {
    // SAFETY: libuv passes the handle that was initialised with `allocate`.
    unsafe { (*handle).data }
}
