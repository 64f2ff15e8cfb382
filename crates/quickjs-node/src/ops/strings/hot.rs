//! `latin1Slice`, `utf8Slice`, `latin1Write`, `utf8Write` of `Buffer.prototype` as plain functions of
//! QuickJS: each request and each reply goes through them, and the conversions of a safe function cost
//! several times their work. What is not the plain case (a view, whole numbers, ASCII) is left to the safe
//! function they stand in front of.

use std::ffi::{CStr, c_int};

use rquickjs::{Ctx, Object, Result, Value, qjs};

use crate::memory::bytes_of_view;

/// Sets the four methods; each falls back to the one that is there.
pub(super) fn install<'js>(ctx: &Ctx<'js>, prototype: &Object<'js>) -> Result<()> {
    method(ctx, prototype, c"latin1Slice", ascii_slice)?;
    method(ctx, prototype, c"utf8Slice", ascii_slice)?;
    method(ctx, prototype, c"latin1Write", ascii_write)?;
    method(ctx, prototype, c"utf8Write", ascii_write)
}

type Plain = unsafe extern "C" fn(
    *mut qjs::JSContext,
    qjs::JSValue,
    c_int,
    *mut qjs::JSValue,
    c_int,
    *mut qjs::JSValue,
) -> qjs::JSValue;

/// Makes a function that carries the general one as its data.
fn method<'js>(ctx: &Ctx<'js>, prototype: &Object<'js>, name: &CStr, run: Plain) -> Result<()> {
    let key = name.to_string_lossy();
    let general: Value<'js> = prototype.get(&*key)?;
    let mut data = [general.as_raw()];
    // SAFETY: the context is alive; `data` holds one value, which the callee duplicates.
    let raw = unsafe {
        qjs::JS_NewCFunctionData(ctx.as_raw().as_ptr(), Some(run), 2, 0, 1, data.as_mut_ptr())
    };
    // SAFETY: the reference is ours.
    let function = unsafe { Value::from_raw(ctx.clone(), raw) };
    prototype.set(&*key, function)
}

/// The bytes of a view, if it has any; no exception is left behind.
fn view<'a>(value: qjs::JSValue) -> Option<&'a mut [u8]> {
    let (data, bytes) = bytes_of_view(value)?;
    if bytes == 0 {
        return None;
    }
    // SAFETY: the view is alive during the call, the address is of now, and no JavaScript runs while the
    // slice is used.
    Some(unsafe { std::slice::from_raw_parts_mut(data, bytes) })
}

/// A whole number that is not negative.
fn whole(arguments: &[qjs::JSValue], index: usize) -> Option<usize> {
    let value = *arguments.get(index)?;
    // SAFETY: looks at the tag only.
    if unsafe { qjs::JS_VALUE_GET_TAG(value) } != qjs::JS_TAG_INT {
        return None;
    }
    // SAFETY: the tag says that it is an integer.
    usize::try_from(unsafe { qjs::JS_VALUE_GET_INT(value) }).ok()
}

/// The arguments of a call.
///
/// # Safety
/// `values` points to `count` values, as QuickJS gives them to a function.
unsafe fn arguments<'a>(count: c_int, values: *mut qjs::JSValue) -> &'a [qjs::JSValue] {
    match usize::try_from(count) {
        // SAFETY: the caller's promise.
        Ok(count) if count > 0 => unsafe { std::slice::from_raw_parts(values, count) },
        _ => &[],
    }
}

/// Calls the function that takes every case.
unsafe fn general(
    ctx: *mut qjs::JSContext,
    this: qjs::JSValue,
    count: c_int,
    values: *mut qjs::JSValue,
    data: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: `method` stored one value.
    let function = unsafe { *data };
    // SAFETY: all values are alive for the call.
    unsafe { qjs::JS_Call(ctx, function, this, count, values) }
}

/// `(start, end)` of ASCII.
unsafe extern "C" fn ascii_slice(
    ctx: *mut qjs::JSContext,
    this: qjs::JSValue,
    count: c_int,
    values: *mut qjs::JSValue,
    _magic: c_int,
    data: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: QuickJS passes `count` values.
    let given = unsafe { arguments(count, values) };
    if let (Some(bytes), Some(start), Some(end)) = (view(this), whole(given, 0), whole(given, 1))
        && let Some(part) = bytes.get(start..end)
        && part.is_ascii()
    {
        // SAFETY: address and length are the slice's; the callee copies.
        return unsafe {
            qjs::JS_NewStringLen(ctx, part.as_ptr().cast(), part.len() as qjs::size_t)
        };
    }
    // SAFETY: the arguments are passed on as they came.
    unsafe { general(ctx, this, count, values, data) }
}

/// `(string, offset, length)` of ASCII that fits.
unsafe extern "C" fn ascii_write(
    ctx: *mut qjs::JSContext,
    this: qjs::JSValue,
    count: c_int,
    values: *mut qjs::JSValue,
    _magic: c_int,
    data: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: QuickJS passes `count` values.
    let given = unsafe { arguments(count, values) };
    if let (Some(text), Some(bytes), Some(offset), Some(room)) =
        (given.first(), view(this), whole(given, 1), whole(given, 2))
        && let Some(written) = write(
            ctx,
            *text,
            bytes.get_mut(offset..).unwrap_or_default(),
            room,
        )
    {
        return qjs::JS_MKVAL(qjs::JS_TAG_INT, written);
    }
    // SAFETY: the arguments are passed on as they came.
    unsafe { general(ctx, this, count, values, data) }
}

/// Copies the whole text; `None` when it is not a string of ASCII or does not fit.
fn write(
    ctx: *mut qjs::JSContext,
    text: qjs::JSValue,
    target: &mut [u8],
    room: usize,
) -> Option<i32> {
    // SAFETY: looks at the tag only.
    if !unsafe { qjs::JS_IsString(text) } {
        return None;
    }
    let mut length: qjs::size_t = 0;
    // SAFETY: a live string; `length` is writable.
    let data = unsafe { qjs::JS_ToCStringLen2(ctx, &raw mut length, text, false) };
    if data.is_null() {
        return None;
    }
    let length = usize::try_from(length).unwrap_or(0);
    // SAFETY: QuickJS gave this many bytes at this address.
    let utf8: &[u8] = unsafe { std::slice::from_raw_parts(data.cast(), length) };
    let place = target
        .get_mut(..length)
        .filter(|_| length <= room && utf8.is_ascii());
    let written = place.map(|place| place.copy_from_slice(utf8));
    // SAFETY: given by JS_ToCStringLen2 above, freed once.
    unsafe { qjs::JS_FreeCString(ctx, data) };
    written.and_then(|()| i32::try_from(length).ok())
}
