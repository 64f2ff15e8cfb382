//! Strings and bytes: JavaScript's strings as UTF-8 or latin1, and back.

use std::ffi::c_char;

use rquickjs::{
    Ctx, Error, JsLifetime, Object, Persistent, Result, String as JsString, Value, qjs,
};

use crate::memory::{array_buffer, bytes_of};

/// A string's UTF-8, borrowed from QuickJS.
struct Utf8<'a, 'js> {
    string: &'a JsString<'js>,
    data: *const c_char,
    bytes: usize,
}

impl<'a, 'js> Utf8<'a, 'js> {
    fn of(string: &'a JsString<'js>) -> Result<Self> {
        let mut bytes: qjs::size_t = 0;
        let context = string.ctx().as_raw().as_ptr();
        // SAFETY: the string is alive; `bytes` is writable.
        let data =
            unsafe { qjs::JS_ToCStringLen2(context, &raw mut bytes, string.as_raw(), false) };
        if data.is_null() {
            return Err(Error::Exception);
        }
        Ok(Self {
            string,
            data,
            bytes: usize::try_from(bytes).unwrap_or(0),
        })
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: QuickJS gave this many bytes at this address; they live until `JS_FreeCString`.
        unsafe { std::slice::from_raw_parts(self.data.cast(), self.bytes) }
    }
}

impl Drop for Utf8<'_, '_> {
    fn drop(&mut self) {
        // SAFETY: given by JS_ToCStringLen2 in `of`, freed once.
        unsafe { qjs::JS_FreeCString(self.string.ctx().as_raw().as_ptr(), self.data) };
    }
}

/// Runs `work` on the string's UTF-8. Lone surrogates come as three bytes each.
pub fn with_utf8<T>(string: &JsString<'_>, work: impl FnOnce(&[u8]) -> T) -> Result<T> {
    Ok(work(Utf8::of(string)?.bytes()))
}

/// The low byte of each UTF-16 unit, as Node's `latin1` encoding.
pub fn latin1(string: &JsString<'_>) -> Result<Vec<u8>> {
    with_utf8(string, |utf8| {
        if utf8.is_ascii() {
            return utf8.to_vec();
        }
        let mut out = Vec::with_capacity(utf8.len());
        each_unit(utf8, |unit| out.push(unit.to_le_bytes()[0]));
        out
    })
}

/// Calls `each` for every UTF-16 unit of (possibly surrogate-carrying) UTF-8.
pub(crate) fn each_unit(utf8: &[u8], mut each: impl FnMut(u16)) {
    let mut at = 0;
    let next = |at: usize| utf8.get(at).map_or(0, |b| u32::from(b & 0x3f));
    while let Some(&first) = utf8.get(at) {
        let (code, length) = match first {
            0..=0x7f => (u32::from(first), 1),
            0xc0..=0xdf => (u32::from(first & 0x1f) << 6 | next(at + 1), 2),
            0xe0..=0xef => (
                u32::from(first & 0x0f) << 12 | next(at + 1) << 6 | next(at + 2),
                3,
            ),
            _ => (
                u32::from(first & 0x07) << 18
                    | next(at + 1) << 12
                    | next(at + 2) << 6
                    | next(at + 3),
                4,
            ),
        };
        at += length;
        if let Ok(unit) = u16::try_from(code) {
            each(unit);
        } else {
            let above = code - 0x1_0000;
            each(0xd800 | u16::try_from(above >> 10).unwrap_or(0));
            each(0xdc00 | u16::try_from(above & 0x3ff).unwrap_or(0));
        }
    }
}

/// A string of latin1 bytes.
pub(crate) fn latin1_string<'js>(ctx: &Ctx<'js>, bytes: &[u8]) -> Result<Value<'js>> {
    if bytes.is_ascii() {
        return raw_string(ctx, bytes);
    }
    let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
    raw_string(ctx, text.as_bytes())
}

/// A string of valid UTF-8.
pub(crate) fn raw_string<'js>(ctx: &Ctx<'js>, utf8: &[u8]) -> Result<Value<'js>> {
    let length = qjs::size_t::try_from(utf8.len()).map_err(|_| Error::Unknown)?;
    // SAFETY: address and length are the slice's; the callee copies.
    let raw = unsafe { qjs::JS_NewStringLen(ctx.as_raw().as_ptr(), utf8.as_ptr().cast(), length) };
    // SAFETY: looks at the tag only.
    if unsafe { qjs::JS_IsException(raw) } {
        return Err(Error::Exception);
    }
    // SAFETY: the reference is ours.
    Ok(unsafe { Value::from_raw(ctx.clone(), raw) })
}

/// A string of UTF-16 units, lone surrogates included.
pub(crate) fn two_byte_string<'js>(ctx: &Ctx<'js>, units: &[u16]) -> Result<Value<'js>> {
    let length = qjs::size_t::try_from(units.len()).map_err(|_| Error::Unknown)?;
    // SAFETY: address and length are the slice's; the callee copies.
    let raw = unsafe { qjs::JS_NewStringUTF16(ctx.as_raw().as_ptr(), units.as_ptr(), length) };
    owned(ctx, raw)
}

/// Owns a value that QuickJS returned, or reports the exception it stands for.
fn owned<'js>(ctx: &Ctx<'js>, raw: qjs::JSValue) -> Result<Value<'js>> {
    // SAFETY: looks at the tag only.
    if unsafe { qjs::JS_IsException(raw) } {
        return Err(Error::Exception);
    }
    // SAFETY: the reference is ours.
    Ok(unsafe { Value::from_raw(ctx.clone(), raw) })
}

/// What `Buffer`s are made with: `Uint8Array`, and the class that inherits from it.
#[derive(JsLifetime)]
pub(crate) struct BufferClass {
    pub(crate) base: Persistent<Object<'static>>,
    pub(crate) class: Persistent<Object<'static>>,
}

/// A `Buffer` with a copy of `bytes`: memory of the engine's own, which `transfer()` may give another size.
pub fn buffer<'js>(ctx: &Ctx<'js>, bytes: &[u8]) -> Result<Value<'js>> {
    let memory = array_buffer(ctx, bytes)?;
    new_buffer(ctx, &[&memory])
}

/// `Buffer.prototype.subarray`: a view of a part; counts below 0 are from the end.
pub(crate) fn part_as_buffer<'js>(
    ctx: &Ctx<'js>,
    view: &Value<'js>,
    start: f64,
    end: f64,
) -> Result<Value<'js>> {
    let mut offset: qjs::size_t = 0;
    // SAFETY: the value is alive; `offset` is writable; what is not asked for may be null.
    let raw = unsafe {
        qjs::JS_GetTypedArrayBuffer(
            ctx.as_raw().as_ptr(),
            view.as_raw(),
            &raw mut offset,
            // What it gives here is the length at first, also of a view that follows its buffer's.
            std::ptr::null_mut(),
            std::ptr::null_mut(),
        )
    };
    let memory = owned(ctx, raw)?;
    let total = bytes_of(view.as_raw()).map_or(0, |(_, bytes)| bytes) as f64;
    let place = |at: f64| {
        let at = at.trunc();
        let at = if at < 0.0 { at + total } else { at };
        if at.is_nan() {
            0.0
        } else {
            at.clamp(0.0, total)
        }
    };
    let start = place(start);
    let count = (place(end) - start).max(0.0);
    let offset = Value::new_number(ctx.clone(), offset as f64 + start);
    new_buffer(
        ctx,
        &[&memory, &offset, &Value::new_number(ctx.clone(), count)],
    )
}

/// `new Uint8Array(…)` with the prototype of `Buffer`; no JavaScript runs.
fn new_buffer<'js>(ctx: &Ctx<'js>, arguments: &[&Value<'js>]) -> Result<Value<'js>> {
    if ctx.userdata::<BufferClass>().is_none() {
        // `node:buffer` sets it.
        let _: Object<'js> = ctx.globals().get("Buffer")?;
    }
    let known = ctx.userdata::<BufferClass>().ok_or(Error::Unknown)?;
    let base = known.base.clone().restore(ctx)?;
    let class = known.class.clone().restore(ctx)?;
    let mut raw: Vec<qjs::JSValue> = arguments.iter().map(|value| value.as_raw()).collect();
    let count = i32::try_from(raw.len()).map_err(|_| Error::Unknown)?;
    // SAFETY: constructor, new target and arguments are alive for the call, which takes over none of them.
    let made = unsafe {
        qjs::JS_CallConstructor2(
            ctx.as_raw().as_ptr(),
            base.as_raw(),
            class.as_raw(),
            count,
            raw.as_mut_ptr(),
        )
    };
    owned(ctx, made)
}
