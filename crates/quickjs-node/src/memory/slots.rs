//! Where a view's bytes lie now, from the engine's own slots: private structs of the one version of QuickJS
//! this crate is built with (`Cargo.toml` names it exactly). Whenever the runtime is built, [`check`]
//! compares them with what that engine says.
//!
//! Not through properties: JavaScript can redefine `buffer`, `byteOffset` and `byteLength`. Not through
//! `JS_GetUint8Array` and `JS_GetTypedArrayBuffer` either: of a view that follows its buffer's length they
//! give the length it had at first, and they throw for a detached buffer, which runs the application's
//! `Error.prepareStackTrace`. Nothing here runs JavaScript or throws.

use std::ffi::{c_int, c_void};

use rquickjs::{Ctx, Exception, Function, Result, Value, qjs};

use super::Place;

/// `JSClassID`s, in the order of `quickjs.c`.
const ARRAY_BUFFER: qjs::JSClassID = 20;
const SHARED_ARRAY_BUFFER: qjs::JSClassID = 21;
const TYPED_ARRAY_FIRST: qjs::JSClassID = 22;
const DATA_VIEW: qjs::JSClassID = 34;
/// The bytes of an element, as a power of 2, of the typed arrays from `TYPED_ARRAY_FIRST` on.
const ELEMENT_LOG2: [u8; 12] = [0, 0, 0, 1, 1, 2, 2, 3, 3, 1, 2, 3];

/// `JSArrayBuffer`, its beginning.
#[repr(C)]
struct Buffer {
    /// 0 when it is detached.
    bytes: c_int,
    _bytes_max: c_int,
    _detached: u8,
    _immutable: u8,
    _shared: u8,
    /// Null when it is detached.
    data: *mut u8,
}

/// `JSTypedArray`: of typed arrays and of `DataView`.
#[repr(C)]
struct View {
    _link: [*mut c_void; 2],
    _object: *mut c_void,
    /// An `ArrayBuffer` or a `SharedArrayBuffer`, kept alive by the view.
    buffer: *mut c_void,
    offset: u32,
    /// What it was when the view was made.
    bytes: u32,
    /// Has it as many bytes as the buffer has behind `offset`?
    follows: u8,
}

/// Address and length of the bytes of a typed array, `DataView`, `ArrayBuffer` or `SharedArrayBuffer`; `None`
/// for any other value. What is detached, and a view that lies outside its buffer, has no bytes, as in
/// JavaScript, and no address. Both hold until JavaScript runs.
#[inline]
pub(crate) fn bytes_of(value: qjs::JSValue) -> Option<Place> {
    let (class, opaque) = opaque(value);
    match class {
        ARRAY_BUFFER | SHARED_ARRAY_BUFFER => Some(buffer_bytes(opaque)),
        _ => view_bytes(class, opaque),
    }
}

/// As `bytes_of`, of views alone.
#[inline]
pub(crate) fn bytes_of_view(value: qjs::JSValue) -> Option<Place> {
    let (class, opaque) = opaque(value);
    view_bytes(class, opaque)
}

#[inline]
fn view_bytes(class: qjs::JSClassID, opaque: *mut c_void) -> Option<Place> {
    let log2 = if class == DATA_VIEW {
        0
    } else {
        let kind = usize::try_from(class.checked_sub(TYPED_ARRAY_FIRST)?).ok()?;
        *ELEMENT_LOG2.get(kind)?
    };
    // SAFETY: `check` has seen that an object of these classes holds such a struct; it lives as long as the
    // object.
    let view = unsafe { opaque.cast::<View>().as_ref() }?;
    let (data, total) = view_buffer(view);
    Some(part(view, log2, data, total))
}

/// The class of an object and the struct behind it; class 0 for what is no object.
#[inline]
fn opaque(value: qjs::JSValue) -> (qjs::JSClassID, *mut c_void) {
    let mut class = 0;
    // SAFETY: the value is alive; only its tag, class and pointer are read.
    let opaque = unsafe { qjs::JS_GetAnyOpaque(value, &raw mut class) };
    (class, opaque)
}

#[inline]
fn buffer_bytes(opaque: *mut c_void) -> Place {
    // SAFETY: `check` has seen that buffers hold such a struct; it lives as long as the object.
    match unsafe { opaque.cast::<Buffer>().as_ref() } {
        Some(buffer) if !buffer.data.is_null() => {
            (buffer.data, usize::try_from(buffer.bytes).unwrap_or(0))
        }
        _ => (std::ptr::null_mut(), 0),
    }
}

#[inline]
fn view_buffer(view: &View) -> Place {
    buffer_bytes(opaque(qjs::JS_MKPTR(qjs::JS_TAG_OBJECT, view.buffer)).1)
}

/// What lies within the buffer as it is now: all of a view or nothing (ECMA-262, `IsTypedArrayOutOfBounds`).
#[inline]
fn part(view: &View, log2: u8, data: *mut u8, total: usize) -> Place {
    let nothing = (std::ptr::null_mut(), 0);
    let (Ok(offset), Ok(fixed)) = (usize::try_from(view.offset), usize::try_from(view.bytes))
    else {
        return nothing;
    };
    let Some(rest) = total.checked_sub(offset) else {
        return nothing;
    };
    let bytes = if view.follows == 0 {
        fixed
    } else {
        rest >> log2 << log2
    };
    if data.is_null() || bytes > rest {
        return nothing;
    }
    (data.wrapping_add(offset), bytes)
}

/// Makes one view of each kind, fixed and following, and tells what the engine says of them.
const PROBE: &str = "() => {
  const memory = new ArrayBuffer(40, { maxByteLength: 64 }), shared = new SharedArrayBuffer(24);
  const kinds = [Uint8ClampedArray, Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array,
    BigUint64Array, Float16Array, Float32Array, Float64Array, DataView];
  const all = [memory, shared, ...kinds.flatMap((Kind) => [new Kind(memory, 8), new Kind(memory, 8, 2)]), new Uint8Array(shared, 8, 9)];
  return [() => all.map((it) => [it, it.buffer ?? it, it.byteOffset ?? 0, it.byteLength]), () => memory.resize(21)];
}";

/// Throws when the engine's structs are not those of this file. The engine is part of the program, so that
/// looking once, when the runtime's modules are packed, is enough; at each start it would cost a tenth of the
/// start.
pub fn check(ctx: &Ctx<'_>) -> Result<()> {
    let prepare: Function<'_> = ctx.eval(PROBE)?;
    let made: Vec<Function<'_>> = prepare.call(())?;
    let mut is_known = made.len() == 2;
    for run in made.iter().chain(made.first()) {
        let told: Option<Vec<Vec<Value<'_>>>> = run.call(())?;
        is_known &= told.is_none_or(|all| all.iter().all(|one| is_true(one)));
    }
    if is_known {
        return Ok(());
    }
    Err(Exception::throw_internal(
        ctx,
        "this QuickJS keeps its views elsewhere than memory/slots.rs says",
    ))
}

/// Is a view or buffer found where its buffer, its offset and its length say?
fn is_true(told: &[Value<'_>]) -> bool {
    let [value, buffer, offset, bytes] = told else {
        return false;
    };
    let (class, opaque) = opaque(value.as_raw());
    if class >= TYPED_ARRAY_FIRST {
        // SAFETY: what an object of each class probed points to is larger than this struct.
        let view = unsafe { opaque.cast::<View>().as_ref() };
        // SAFETY: an object's value; only its address is taken.
        let address = unsafe { qjs::JS_VALUE_GET_PTR(buffer.as_raw()) };
        // Compared before it is followed.
        if view.is_none_or(|view| view.buffer != address) {
            return false;
        }
    }
    let mut total: qjs::size_t = 0;
    let context = value.ctx().as_raw().as_ptr();
    // SAFETY: a live buffer that is not detached; `total` is writable.
    let data = unsafe { qjs::JS_GetArrayBuffer(context, &raw mut total, buffer.as_raw()) };
    let number = |value: &Value<'_>| value.as_int().and_then(|it| usize::try_from(it).ok());
    let (Some(offset), Some(bytes)) = (number(offset), number(bytes)) else {
        return false;
    };
    bytes_of(value.as_raw()).is_some_and(|(address, found)| {
        found == bytes && (found == 0 || address == data.wrapping_add(offset))
    })
}

#[cfg(test)]
mod tests;
