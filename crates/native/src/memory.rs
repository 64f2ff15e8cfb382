//! JavaScript's memory as bytes: typed arrays that the engine reads and writes in place.

use rquickjs::{Ctx, Exception, Object, Persistent, Result, Value, qjs};

/// The bytes of a typed array or `ArrayBuffer`, and the value that keeps them alive.
pub(crate) struct Memory {
    data: *mut u8,
    bytes: usize,
    _value: Persistent<Value<'static>>,
}

impl Memory {
    /// Keeps `value` alive. Throws a `TypeError` when it holds no bytes.
    pub(crate) fn keep<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<Self> {
        let (data, bytes) = raw(ctx, value)?;
        Ok(Self {
            data,
            bytes,
            _value: Persistent::save(ctx, value.clone()),
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        if self.data.is_null() {
            return &[];
        }
        // SAFETY: the kept value owns the memory, which does not move; JavaScript does not run while the slice is used.
        unsafe { std::slice::from_raw_parts(self.data, self.bytes) }
    }

    #[expect(
        clippy::mut_from_ref,
        reason = "the memory belongs to JavaScript; see the safety comment"
    )]
    pub(crate) fn bytes_mut(&self) -> &mut [u8] {
        if self.data.is_null() {
            return &mut [];
        }
        // SAFETY: as in `bytes`; the host borrows it for one call at a time.
        unsafe { std::slice::from_raw_parts_mut(self.data, self.bytes) }
    }

    /// The 32-bit word at `index`; 0 beyond the end.
    pub(crate) fn word(&self, index: usize) -> u32 {
        fulmar_batch::word(self.bytes(), index)
    }

    pub(crate) fn set_word(&self, index: usize, value: u32) {
        if let Some(place) = self.bytes_mut().get_mut(index * 4..index * 4 + 4) {
            place.copy_from_slice(&value.to_ne_bytes());
        }
    }
}

/// Runs `work` on the bytes of a value given by the running call. `work` must not call JavaScript.
pub(crate) fn with_bytes<'js, T>(
    ctx: &Ctx<'js>,
    value: &Value<'js>,
    work: impl FnOnce(&mut [u8]) -> T,
) -> Result<T> {
    let (data, bytes) = raw(ctx, value)?;
    if data.is_null() || bytes == 0 {
        return Ok(work(&mut []));
    }
    // SAFETY: `value` is alive for this call and owns the memory; `work` runs no JavaScript that could detach it.
    Ok(work(unsafe { std::slice::from_raw_parts_mut(data, bytes) }))
}

/// Start and length of a view or buffer.
fn raw<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<(*mut u8, usize)> {
    let context = ctx.as_raw().as_ptr();
    let mut bytes: qjs::size_t = 0;
    // SAFETY: context and value are alive; `bytes` is writable. No exception is left behind by this function.
    let direct = unsafe { qjs::JS_GetUint8Array(context, &raw mut bytes, value.as_raw()) };
    if !direct.is_null() {
        return Ok((direct, usize_of(bytes)));
    }
    // An empty view has no address: the exception says nothing of use.
    drop(ctx.catch());
    if let Some(object) = value.as_object()
        && let Some((buffer, offset, length)) = view(object)
    {
        let start = array_buffer(ctx, &buffer)?;
        return Ok((start.0.wrapping_add(offset), length));
    }
    array_buffer(ctx, value)
}

/// A view's buffer, offset and length, in bytes.
fn view<'js>(object: &Object<'js>) -> Option<(Value<'js>, usize, usize)> {
    let buffer: Value<'js> = object.get("buffer").ok()?;
    buffer.as_object()?;
    Some((
        buffer,
        object.get("byteOffset").ok()?,
        object.get("byteLength").ok()?,
    ))
}

fn array_buffer<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<(*mut u8, usize)> {
    let mut bytes: qjs::size_t = 0;
    // SAFETY: as in `raw`.
    let data =
        unsafe { qjs::JS_GetArrayBuffer(ctx.as_raw().as_ptr(), &raw mut bytes, value.as_raw()) };
    if data.is_null() {
        drop(ctx.catch());
        let is_buffer = value
            .as_object()
            .is_some_and(|o| o.as_array_buffer().is_some());
        if !is_buffer {
            return Err(Exception::throw_type(
                ctx,
                "a typed array, DataView or ArrayBuffer expected",
            ));
        }
    }
    Ok((data, usize_of(bytes)))
}

fn usize_of(bytes: qjs::size_t) -> usize {
    usize::try_from(bytes).unwrap_or(0)
}
