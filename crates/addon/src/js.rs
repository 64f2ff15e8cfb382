//! A thin, checked layer over Node-API: values in, values out, nothing kept but what a [`Reference`] keeps.
//! Every call is made on the JavaScript thread.

use std::ffi::c_void;
use std::ptr;

use napi_sys as sys;

/// Why a native function gives up. Becomes a JavaScript `TypeError` at the boundary.
#[derive(Debug)]
pub(crate) struct JsError(pub(crate) &'static str);

pub(crate) type Result<T> = std::result::Result<T, JsError>;

fn check(status: sys::napi_status, what: &'static str) -> Result<()> {
    if status == sys::Status::napi_ok {
        Ok(())
    } else {
        Err(JsError(what))
    }
}

/// A JavaScript environment. Valid until its clean-up has run, on its own thread; who keeps one lets go of it
/// by then (`Host::release`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Env(pub(crate) sys::napi_env);

/// The arguments of a call; missing ones are `undefined`.
pub(crate) struct Args<const N: usize> {
    env: Env,
    values: [sys::napi_value; N],
}

impl<const N: usize> Args<N> {
    pub(crate) fn read(env: Env, info: sys::napi_callback_info) -> Result<Self> {
        let mut values = [ptr::null_mut(); N];
        let mut count = N;
        // SAFETY: env and info are those of the running callback; `values` has room for `count` values, the
        // rest is filled with undefined.
        let status = unsafe {
            sys::napi_get_cb_info(
                env.0,
                info,
                &raw mut count,
                values.as_mut_ptr(),
                ptr::null_mut(),
                ptr::null_mut(),
            )
        };
        check(status, "arguments expected")?;
        Ok(Self { env, values })
    }

    pub(crate) fn value(&self, index: usize) -> sys::napi_value {
        self.values[index]
    }

    pub(crate) fn u32(&self, index: usize) -> Result<u32> {
        let mut out = 0;
        // SAFETY: the value belongs to the running callback; `out` is writable.
        let status =
            unsafe { sys::napi_get_value_uint32(self.env.0, self.values[index], &raw mut out) };
        check(status, "a number expected").map(|()| out)
    }

    pub(crate) fn f64(&self, index: usize) -> Result<f64> {
        let mut out = 0.0;
        // SAFETY: the value belongs to the running callback; `out` is writable.
        let status =
            unsafe { sys::napi_get_value_double(self.env.0, self.values[index], &raw mut out) };
        check(status, "a number expected").map(|()| out)
    }

    /// A non-negative integer given as a double; clamped to what u64 holds.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "`as` saturates, which is what is wanted"
    )]
    pub(crate) fn u64(&self, index: usize) -> Result<u64> {
        self.f64(index).map(|number| number as u64)
    }

    pub(crate) fn bool(&self, index: usize) -> Result<bool> {
        let mut out = false;
        // SAFETY: the value belongs to the running callback; `out` is writable.
        let status =
            unsafe { sys::napi_get_value_bool(self.env.0, self.values[index], &raw mut out) };
        check(status, "a boolean expected").map(|()| out)
    }

    /// A string as latin1 bytes; `None` when the value is no string.
    pub(crate) fn latin1(&self, index: usize) -> Option<Vec<u8>> {
        self.string(index, sys::napi_get_value_string_latin1)
    }

    /// A string as UTF-8 bytes; `None` when the value is no string.
    pub(crate) fn utf8(&self, index: usize) -> Option<Vec<u8>> {
        self.string(index, sys::napi_get_value_string_utf8)
    }

    fn string(&self, index: usize, read: StringReader) -> Option<Vec<u8>> {
        let value = self.values[index];
        let mut length = 0;
        // SAFETY: a null buffer asks for the length only, which is written to `length`.
        let status = unsafe { read(self.env.0, value, ptr::null_mut(), 0, &raw mut length) };
        check(status, "a string expected").ok()?;
        let mut bytes = Vec::<u8>::with_capacity(length + 1);
        // SAFETY: the buffer has room for `length` bytes and the terminating NUL that Node-API writes.
        let status = unsafe {
            read(
                self.env.0,
                value,
                bytes.as_mut_ptr().cast(),
                length + 1,
                &raw mut length,
            )
        };
        check(status, "a string expected").ok()?;
        // SAFETY: Node-API has written `length` bytes, without the NUL, and says so; the capacity is larger.
        unsafe { bytes.set_len(length) };
        Some(bytes)
    }

    pub(crate) fn memory(&self, index: usize) -> Result<Memory> {
        Memory::of(self.env, self.values[index])
    }
}

type StringReader = unsafe extern "C" fn(
    sys::napi_env,
    sys::napi_value,
    *mut std::ffi::c_char,
    usize,
    *mut usize,
) -> sys::napi_status;

/// Where a typed array's bytes are now. True until JavaScript runs again, which may detach or resize the
/// buffer: it is asked for anew in each call and never kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    pub(crate) data: *mut u8,
    pub(crate) bytes: usize,
}

impl Memory {
    pub(crate) const EMPTY: Self = Self {
        data: ptr::null_mut(),
        bytes: 0,
    };

    /// The bytes, for as long as JavaScript does not run.
    pub(crate) fn bytes<'a>(self) -> &'a [u8] {
        if self.data.is_null() {
            return &[];
        }
        // Where an array is a view of a SharedArrayBuffer, other threads may write meanwhile, which Rust
        // calls a race and no type of it describes. These bytes are copied, hashed or given to the system,
        // once, and nothing is decided by them: the application gets the mixture that it made, as from Node.
        // SAFETY: Node-API has just told address and length of a live array; every caller uses the slice
        // before JavaScript runs again, on the one thread that may run it, and no slice for writing is made
        // of an array of the application's.
        unsafe { std::slice::from_raw_parts(self.data, self.bytes) }
    }

    /// The bytes of the slab, for as long as JavaScript does not run.
    pub(crate) fn bytes_mut<'a>(self) -> &'a mut [u8] {
        if self.data.is_null() {
            return &mut [];
        }
        // SAFETY: Node-API has just told address and length of a live array; the one caller has the slab, of
        // which there is no other view in Rust and none with the application, and uses the slice before
        // JavaScript runs again.
        unsafe { std::slice::from_raw_parts_mut(self.data, self.bytes) }
    }

    /// Address and length of a typed array; no bytes when its buffer is detached or has become too short for
    /// it.
    pub(crate) fn of(env: Env, value: sys::napi_value) -> Result<Self> {
        let (mut kind, mut length, mut data) = (0, 0, ptr::null_mut());
        // SAFETY: the value is alive in the current scope; all out pointers are writable or null as the API
        // allows.
        let status = unsafe {
            sys::napi_get_typedarray_info(
                env.0,
                value,
                &raw mut kind,
                &raw mut length,
                &raw mut data,
                ptr::null_mut(),
                ptr::null_mut(),
            )
        };
        check(status, "a Uint8Array expected")?;
        if kind != sys::TypedarrayType::uint8_array {
            return Err(JsError("a Uint8Array expected"));
        }
        Ok(Self {
            data: data.cast(),
            bytes: if data.is_null() { 0 } else { length },
        })
    }
}

/// A strong reference to a JavaScript value.
#[derive(Debug)]
pub(crate) struct Reference {
    env: sys::napi_env,
    raw: sys::napi_ref,
}

impl Reference {
    pub(crate) fn new(env: Env, value: sys::napi_value) -> Result<Self> {
        let mut raw = ptr::null_mut();
        // SAFETY: the value is alive in the current scope; `raw` is writable.
        let status = unsafe { sys::napi_create_reference(env.0, value, 1, &raw mut raw) };
        check(status, "an object expected").map(|()| Self { env: env.0, raw })
    }

    pub(crate) fn get(&self) -> Result<sys::napi_value> {
        let mut value = ptr::null_mut();
        // SAFETY: the reference is alive (deleted only in Drop) and this is the JavaScript thread.
        let status = unsafe { sys::napi_get_reference_value(self.env, self.raw, &raw mut value) };
        check(status, "a live reference expected").map(|()| value)
    }
}

impl Drop for Reference {
    fn drop(&mut self) {
        // SAFETY: created by napi_create_reference, deleted once, on the JavaScript thread, while the
        // environment lives: `Host::release` drops all there are, those of bodies waiting in the engine
        // included. An error leaves nothing to do.
        let _status = unsafe { sys::napi_delete_reference(self.env, self.raw) };
    }
}

/// What tells async hooks and `AsyncLocalStorage` where a call into JavaScript comes from.
#[derive(Debug)]
pub(crate) struct AsyncContext {
    env: sys::napi_env,
    pub(crate) raw: sys::napi_async_context,
}

impl AsyncContext {
    pub(crate) fn new(env: Env, name: &str) -> Result<Self> {
        let name = env.string(name)?;
        let mut raw = ptr::null_mut();
        // SAFETY: the environment is alive; a null resource lets Node make one; `raw` is writable.
        let status = unsafe { sys::napi_async_init(env.0, ptr::null_mut(), name, &raw mut raw) };
        check(status, "an async context could not be made").map(|()| Self { env: env.0, raw })
    }
}

impl Drop for AsyncContext {
    fn drop(&mut self) {
        // SAFETY: made by napi_async_init, destroyed once, on the JavaScript thread, while the environment
        // lives (`Host::release`).
        let _status = unsafe { sys::napi_async_destroy(self.env, self.raw) };
    }
}

/// Runs `body` within a handle scope, as callbacks from libuv need one of their own.
pub(crate) fn with_scope(env: Env, body: impl FnOnce()) {
    let mut scope = ptr::null_mut();
    // SAFETY: the environment is alive; `scope` is writable.
    let status = unsafe { sys::napi_open_handle_scope(env.0, &raw mut scope) };
    if status != sys::Status::napi_ok {
        return;
    }
    body();
    // SAFETY: the scope was opened above and is closed once.
    let _status = unsafe { sys::napi_close_handle_scope(env.0, scope) };
}

impl Env {
    pub(crate) fn undefined(self) -> sys::napi_value {
        let mut value = ptr::null_mut();
        // SAFETY: the environment is alive; `value` is writable.
        let _status = unsafe { sys::napi_get_undefined(self.0, &raw mut value) };
        value
    }

    pub(crate) fn null(self) -> sys::napi_value {
        let mut value = ptr::null_mut();
        // SAFETY: the environment is alive; `value` is writable.
        let _status = unsafe { sys::napi_get_null(self.0, &raw mut value) };
        value
    }

    pub(crate) fn number(self, number: f64) -> Result<sys::napi_value> {
        let mut value = ptr::null_mut();
        // SAFETY: the environment is alive; `value` is writable.
        let status = unsafe { sys::napi_create_double(self.0, number, &raw mut value) };
        check(status, "a number could not be made").map(|()| value)
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "counters and sizes stay below 2^53"
    )]
    pub(crate) fn count(self, number: u64) -> Result<sys::napi_value> {
        self.number(number as f64)
    }

    pub(crate) fn string(self, text: &str) -> Result<sys::napi_value> {
        let mut value = ptr::null_mut();
        let length =
            isize::try_from(text.len()).map_err(|_| JsError("a shorter string expected"))?;
        // SAFETY: the pointer and length are those of a live str; `value` is writable.
        let status = unsafe {
            sys::napi_create_string_utf8(self.0, text.as_ptr().cast(), length, &raw mut value)
        };
        check(status, "a string could not be made").map(|()| value)
    }

    /// A value that says whether something is so.
    pub(crate) fn boolean(self, value: bool) -> Result<sys::napi_value> {
        let mut out = ptr::null_mut();
        // SAFETY: the environment is alive; `out` is writable.
        let status = unsafe { sys::napi_get_boolean(self.0, value, &raw mut out) };
        check(status, "a boolean could not be made").map(|()| out)
    }

    /// The items of an array of typed arrays; nothing where it is no array.
    pub(crate) fn items(self, array: sys::napi_value) -> Vec<sys::napi_value> {
        let mut count = 0;
        // SAFETY: the value is alive; anything but an array is refused.
        let status = unsafe { sys::napi_get_array_length(self.0, array, &raw mut count) };
        if status != sys::Status::napi_ok {
            return Vec::new();
        }
        let item = |index| {
            let mut value = ptr::null_mut();
            // SAFETY: a live array of ours, without accessors.
            let status = unsafe { sys::napi_get_element(self.0, array, index, &raw mut value) };
            (status == sys::Status::napi_ok).then_some(value)
        };
        (0..count).filter_map(item).collect()
    }

    /// Calls a function of JavaScript's from libuv: ticks and microtasks run behind it. What it throws is
    /// reported as uncaught.
    pub(crate) fn call_from_loop(
        self,
        function: sys::napi_value,
        context: sys::napi_async_context,
    ) {
        let (mut receiver, mut result) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the environment is alive; `receiver` is writable.
        let _status = unsafe { sys::napi_get_global(self.0, &raw mut receiver) };
        // SAFETY: live values of this scope; nothing of the engine is borrowed.
        let status = unsafe {
            sys::napi_make_callback(
                self.0,
                context,
                receiver,
                function,
                0,
                ptr::null(),
                &raw mut result,
            )
        };
        if status != sys::Status::napi_ok
            && let Some(error) = self.take_pending_exception()
        {
            self.report_uncaught(error);
        }
    }

    /// A Buffer with a copy of `bytes`.
    pub(crate) fn buffer(self, bytes: &[u8]) -> Result<sys::napi_value> {
        let mut value = ptr::null_mut();
        // SAFETY: the pointer and length are those of a live slice; the bytes are copied; `value` is
        // writable.
        let status = unsafe {
            sys::napi_create_buffer_copy(
                self.0,
                bytes.len(),
                bytes.as_ptr().cast(),
                ptr::null_mut(),
                &raw mut value,
            )
        };
        check(status, "a buffer could not be made").map(|()| value)
    }

    /// Tells the garbage collector of memory that lives and dies with values of JavaScript's. Negative: it is
    /// gone.
    pub(crate) fn adjust_external_memory(self, bytes: i64) {
        let mut total = 0;
        // SAFETY: the environment is alive; `total` is writable. An error would leave a hint ungiven.
        let _status = unsafe { sys::napi_adjust_external_memory(self.0, bytes, &raw mut total) };
    }

    pub(crate) fn array(self, items: &[sys::napi_value]) -> Result<sys::napi_value> {
        let mut array = ptr::null_mut();
        // SAFETY: the environment is alive; `array` is writable.
        let status = unsafe { sys::napi_create_array(self.0, &raw mut array) };
        check(status, "an array could not be made")?;
        for (index, item) in (0..).zip(items) {
            // SAFETY: array and item are live values of this call.
            let status = unsafe { sys::napi_set_element(self.0, array, index, *item) };
            check(status, "an array element could not be set")?;
        }
        Ok(array)
    }

    pub(crate) fn object(self) -> Result<sys::napi_value> {
        let mut value = ptr::null_mut();
        // SAFETY: the environment is alive; `value` is writable.
        let status = unsafe { sys::napi_create_object(self.0, &raw mut value) };
        check(status, "an object could not be made").map(|()| value)
    }

    pub(crate) fn set(
        self,
        object: sys::napi_value,
        name: &str,
        value: sys::napi_value,
    ) -> Result<()> {
        let name = self.string(name)?;
        // SAFETY: object, name and value are live values of this call.
        let status = unsafe { sys::napi_set_property(self.0, object, name, value) };
        check(status, "a property could not be set")
    }

    pub(crate) fn function(
        self,
        name: &str,
        callback: sys::napi_callback,
        data: *mut c_void,
    ) -> Result<sys::napi_value> {
        let mut value = ptr::null_mut();
        let length = isize::try_from(name.len()).map_err(|_| JsError("a shorter name expected"))?;
        // SAFETY: the name is a live str, the callback a static function; `data` is read by that callback
        // only; `value` is writable.
        let status = unsafe {
            sys::napi_create_function(
                self.0,
                name.as_ptr().cast(),
                length,
                callback,
                data,
                &raw mut value,
            )
        };
        check(status, "a function could not be made").map(|()| value)
    }

    pub(crate) fn throw_type_error(self, message: &str) {
        let Ok(text) = std::ffi::CString::new(message) else {
            return;
        };
        // SAFETY: the message is NUL-terminated and alive during the call. If throwing fails, an exception is
        // pending already.
        let _status = unsafe { sys::napi_throw_type_error(self.0, ptr::null(), text.as_ptr()) };
    }

    /// The pending exception, if any, which is pending no longer.
    pub(crate) fn take_pending_exception(self) -> Option<sys::napi_value> {
        let mut pending = false;
        // SAFETY: the environment is alive; `pending` is writable.
        let _status = unsafe { sys::napi_is_exception_pending(self.0, &raw mut pending) };
        if !pending {
            return None;
        }
        let mut error = ptr::null_mut();
        // SAFETY: an exception is pending; `error` is writable.
        let status = unsafe { sys::napi_get_and_clear_last_exception(self.0, &raw mut error) };
        (status == sys::Status::napi_ok).then_some(error)
    }

    /// Reports a live value as an uncaught exception: handlers of the application are called, or the process
    /// ends.
    pub(crate) fn report_uncaught(self, error: sys::napi_value) {
        // SAFETY: the environment is alive, and so is the value.
        let _status = unsafe { sys::napi_fatal_exception(self.0, error) };
    }
}
