//! Buffers for JavaScript, of memory from the engine's own heap: `transfer()` to another length has it
//! resized, which a `Vec`'s memory cannot be without its capacity, and a limit on memory counts it.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::os::fd::BorrowedFd;

use rquickjs::{ArrayBuffer, Ctx, Error, Result, Value, qjs};
use rustix::io::Errno;

/// Up to this size a buffer is made in the way that takes one call, in bytes; it writes the memory twice.
const SMALL_MAX: usize = 4096;
/// The least that a file is read by, in bytes.
const READ_MIN: usize = 8 * 1024;

/// An `ArrayBuffer` with a copy of `bytes`.
pub fn array_buffer<'js>(ctx: &Ctx<'js>, bytes: &[u8]) -> Result<Value<'js>> {
    if bytes.len() <= SMALL_MAX {
        return ArrayBuffer::new_copy(ctx.clone(), bytes).map(ArrayBuffer::into_value);
    }
    let mut block = Block::new(ctx, bytes.len())?;
    for (to, from) in block.rest().iter_mut().zip(bytes) {
        to.write(*from);
    }
    block.filled = bytes.len();
    block.into_value()
}

/// An `ArrayBuffer` of all that is left of a file, of which `expected` bytes are.
pub(crate) fn rest_of_file<'js>(
    ctx: &Ctx<'js>,
    fd: BorrowedFd<'_>,
    expected: usize,
) -> Result<std::result::Result<Value<'js>, Errno>> {
    // One more, so that the end is seen without asking for more room.
    let mut block = Block::new(ctx, expected.saturating_add(1).max(READ_MIN))?;
    loop {
        if block.filled == block.room {
            block.grow()?;
        }
        let read = rustix::io::retry_on_intr(|| {
            rustix::io::read(fd, block.rest()).map(|(got, _)| got.len())
        });
        match read {
            Ok(0) => return block.into_value().map(Ok),
            Ok(count) => block.filled += count,
            Err(error) => return Ok(Err(error)),
        }
    }
}

/// Memory of the heap that becomes a buffer, or is given back.
struct Block<'js> {
    ctx: Ctx<'js>,
    runtime: *mut qjs::JSRuntime,
    /// Of the heap, `room` bytes; null once it is a buffer's.
    data: *mut u8,
    room: usize,
    filled: usize,
}

impl<'js> Block<'js> {
    fn new(ctx: &Ctx<'js>, room: usize) -> Result<Self> {
        // SAFETY: the context is alive.
        let runtime = unsafe { qjs::JS_GetRuntime(ctx.as_raw().as_ptr()) };
        let mut block = Self {
            ctx: ctx.clone(),
            runtime,
            data: std::ptr::null_mut(),
            room: 0,
            filled: 0,
        };
        block.resize(room)?;
        Ok(block)
    }

    fn grow(&mut self) -> Result<()> {
        self.resize(self.room.saturating_mul(2))
    }

    fn resize(&mut self, room: usize) -> Result<()> {
        let context = self.ctx.as_raw().as_ptr();
        let bytes = qjs::size_t::try_from(room).map_err(|_| Error::Unknown)?;
        // SAFETY: null or a block of this heap.
        let data = unsafe { qjs::js_realloc(context, self.data.cast(), bytes) };
        if data.is_null() {
            return Err(Error::Exception);
        }
        (self.data, self.room) = (data.cast(), room);
        Ok(())
    }

    /// What is not filled yet.
    fn rest(&mut self) -> &mut [MaybeUninit<u8>] {
        let start = self.data.wrapping_add(self.filled).cast();
        // SAFETY: the block has `room` bytes, of which `filled` come before `start`; nobody else knows it.
        unsafe { std::slice::from_raw_parts_mut(start, self.room - self.filled) }
    }

    fn into_value(mut self) -> Result<Value<'js>> {
        if self.room - self.filled > self.filled / 8 {
            self.resize(self.filled.max(1))?;
        }
        let bytes = qjs::size_t::try_from(self.filled).map_err(|_| Error::Unknown)?;
        // SAFETY: the block has `filled` bytes; `resize` gives it back. A maximum of 0 is none.
        let made = unsafe {
            qjs::JS_NewArrayBuffer(
                self.ctx.as_raw().as_ptr(),
                self.data,
                bytes,
                0,
                Some(resize),
                std::ptr::null_mut(),
                false,
            )
        };
        // SAFETY: looks at the tag only.
        if unsafe { qjs::JS_IsException(made) } {
            return Err(Error::Exception);
        }
        self.data = std::ptr::null_mut();
        // SAFETY: the reference is ours.
        Ok(unsafe { Value::from_raw(self.ctx.clone(), made) })
    }
}

impl Drop for Block<'_> {
    fn drop(&mut self) {
        // SAFETY: null or a block of this heap that nobody else has.
        unsafe { qjs::js_free_rt(self.runtime, self.data.cast()) };
    }
}

/// Frees the memory when `bytes` is 0; null then, and when there is no more.
unsafe extern "C" fn resize(
    runtime: *mut qjs::JSRuntime,
    _opaque: *mut c_void,
    data: *mut c_void,
    bytes: qjs::size_t,
) -> *mut c_void {
    // SAFETY: the heap's, as `Block` took it or as `transfer()` left it.
    unsafe { qjs::js_realloc_rt(runtime, data, bytes) }
}
