//! Memory between the engine and JavaScript: what both write is the engine's own, what JavaScript lends is
//! asked for each time.

use std::cell::UnsafeCell;
use std::ptr::{self, NonNull};

use bytes::Bytes;
use fulmar_engine::{Body, COPY_MAX, LentContent};
use fulmar_quickjs_node::{memory, text, without_surrogates};
use rquickjs::{Ctx, Persistent, Result, Value, qjs};

/// A fixed piece of memory that both sides see. It is never freed, so nothing that JavaScript does with its
/// `ArrayBuffer`, detaching it included, takes it from the engine. Made once, when the first server listens.
pub(crate) struct SharedMemory {
    words: &'static UnsafeCell<Box<[u64]>>,
    bytes: usize,
}

impl SharedMemory {
    /// Zeroed memory of at least `bytes` bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        let words = vec![0; bytes.div_ceil(8)].into_boxed_slice();
        Self {
            words: Box::leak(Box::new(UnsafeCell::new(words))),
            bytes,
        }
    }

    /// The bytes. JavaScript must not run while they are used.
    #[expect(
        clippy::mut_from_ref,
        reason = "the memory is shared by its nature; see the safety comment"
    )]
    pub(crate) fn bytes(&self) -> &mut [u8] {
        // SAFETY: the words are never freed or replaced.
        let data = unsafe { (*self.words.get()).as_mut_ptr() };
        // SAFETY: there are at least `bytes` bytes; the host, on its one thread, borrows them for one call at
        // a time, during which JavaScript does not run.
        unsafe { std::slice::from_raw_parts_mut(data.cast(), self.bytes) }
    }

    /// An `ArrayBuffer` over this memory.
    pub(crate) fn array_buffer<'js>(&self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        let length = qjs::size_t::try_from(self.bytes).unwrap_or(0);
        // SAFETY: the memory is never freed, and nobody is asked to free it.
        let value = unsafe {
            qjs::JS_NewArrayBuffer(
                ctx.as_raw().as_ptr(),
                self.bytes().as_mut_ptr(),
                length,
                0,
                None,
                ptr::null_mut(),
                false,
            )
        };
        // SAFETY: the value was just made in this context, and is given up here.
        let value = unsafe { Value::from_raw(ctx.clone(), value) };
        if value.is_exception() {
            return Err(rquickjs::Error::Exception);
        }
        Ok(value)
    }

    /// The 32-bit word at `index`; 0 beyond the end.
    pub(crate) fn word(&self, index: usize) -> u32 {
        fulmar_batch::word(self.bytes(), index)
    }
}

/// A typed array of JavaScript's, kept alive. Where its bytes are is asked for each time: JavaScript may have
/// detached or resized it.
pub(crate) struct LentArray {
    context: NonNull<qjs::JSContext>,
    value: Persistent<Value<'static>>,
}

impl std::fmt::Debug for LentArray {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LentArray").finish_non_exhaustive()
    }
}

impl LentArray {
    /// Throws a `TypeError` when `value` holds no bytes.
    pub(crate) fn new<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<Self> {
        memory::with_bytes(ctx, value, |_| ())?;
        Ok(Self {
            context: ctx.as_raw(),
            value: Persistent::save(ctx, value.clone()),
        })
    }

    /// The bytes as they are now, none if they are gone. JavaScript must not run while they are used.
    #[expect(
        clippy::mut_from_ref,
        reason = "the memory belongs to JavaScript; see the safety comment"
    )]
    pub(crate) fn bytes_mut(&self) -> &mut [u8] {
        match self.place() {
            // SAFETY: see `place`; the host borrows the bytes of the one array that it receives into for one
            // call at a time, during which JavaScript does not run.
            Some((data, bytes)) => unsafe { std::slice::from_raw_parts_mut(data, bytes) },
            None => &mut [],
        }
    }

    /// Address and length as QuickJS tells them now, of an array that `self.value` keeps alive. True until
    /// JavaScript runs.
    fn place(&self) -> Option<(*mut u8, usize)> {
        // SAFETY: the one context of the process lives until its end; the engine works on the thread that
        // holds its lock.
        let ctx = unsafe { Ctx::from_raw(self.context) };
        let value = self.value.clone().restore(&ctx).ok()?;
        memory::place_of(&value).filter(|(data, _)| !data.is_null())
    }
}

impl LentContent for LentArray {
    fn bytes(&self) -> &[u8] {
        match self.place() {
            // SAFETY: see `place`. Other bodies may be the same array: nothing writes to it while JavaScript
            // does not run.
            Some((data, bytes)) => unsafe { std::slice::from_raw_parts(data, bytes) },
            None => &[],
        }
    }
}

/// The UTF-8 of a string, a copy of a small typed array, a large one itself.
pub(crate) fn to_body<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<Body<'static>> {
    if let Some(string) = value.as_string() {
        let bytes = text::with_utf8(string, |utf8| match std::str::from_utf8(utf8) {
            Ok(_) => utf8.to_vec(),
            Err(_) => without_surrogates(utf8),
        })?;
        return Ok(Body::Shared(Bytes::from(bytes)));
    }
    let small = memory::with_bytes(ctx, value, |bytes| {
        (bytes.len() <= COPY_MAX).then(|| Bytes::copy_from_slice(bytes))
    })?;
    Ok(match small {
        Some(bytes) => Body::Shared(bytes),
        None => Body::Lent(Box::new(LentArray::new(ctx, value)?)),
    })
}
