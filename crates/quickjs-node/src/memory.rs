//! JavaScript's memory as bytes: typed arrays that a function reads and writes in place while it runs.

mod made;
mod shared;
mod slots;

use rquickjs::{Ctx, Error, Exception, Result, Value};

pub use made::array_buffer;
pub(crate) use made::rest_of_file;
pub(crate) use shared::install;
pub use slots::check;
pub(crate) use slots::{bytes_of, bytes_of_view};

/// Where bytes begin, and how many they are; for as long as no JavaScript runs.
pub type Place = (*mut u8, usize);

/// Where the bytes of a value are, for who keeps the value; none for one that holds no bytes. No address
/// where they are gone.
#[inline]
#[must_use]
pub fn place_of(value: &Value<'_>) -> Option<Place> {
    slots::bytes_of(value.as_raw())
}

/// Runs `work` on the bytes of a value given by the running call. `work` must not call JavaScript, nor throw:
/// an error's `prepareStackTrace` is JavaScript.
pub fn with_bytes<'js, T>(
    ctx: &Ctx<'js>,
    value: &Value<'js>,
    work: impl FnOnce(&mut [u8]) -> T,
) -> Result<T> {
    let found = raw(ctx, value)?;
    // SAFETY: the address is of now, and `work` runs no JavaScript; one slice at a time.
    Ok(work(unsafe { slice_mut(found) }))
}

/// As `with_bytes`; `None`, and no exception, for a value that holds no bytes.
pub(crate) fn bytes_if_any<T>(value: &Value<'_>, work: impl FnOnce(&mut [u8]) -> T) -> Option<T> {
    let found = slots::bytes_of(value.as_raw())?;
    // SAFETY: as in `with_bytes`.
    Some(work(unsafe { slice_mut(found) }))
}

/// As `bytes_if_any`, of views alone.
pub(crate) fn view_if_any<T>(value: &Value<'_>, work: impl FnOnce(&mut [u8]) -> T) -> Option<T> {
    let found = slots::bytes_of_view(value.as_raw())?;
    // SAFETY: as in `with_bytes`.
    Some(work(unsafe { slice_mut(found) }))
}

/// Is it detached, or a view that lies outside its buffer?
pub(crate) fn is_gone(value: &Value<'_>) -> bool {
    slots::bytes_of(value.as_raw()).is_some_and(|(data, _)| data.is_null())
}

/// Runs `work` on the bytes of two values, which may be the same.
pub(crate) fn with_both<'js, T>(
    ctx: &Ctx<'js>,
    a: &Value<'js>,
    b: &Value<'js>,
    work: impl FnOnce(&[u8], &[u8]) -> T,
) -> Result<T> {
    let (a, b) = both(ctx, a, b)?;
    // SAFETY: as in `with_bytes`; shared references may overlap.
    let a = unsafe { slice(a) };
    // SAFETY: as above.
    Ok(work(a, unsafe { slice(b) }))
}

/// Runs `work` on bytes to read and bytes to write; where they overlap, it reads a copy.
pub(crate) fn with_input_and_output<'js, T>(
    ctx: &Ctx<'js>,
    input: &Value<'js>,
    output: &Value<'js>,
    work: impl FnOnce(&[u8], &mut [u8]) -> T,
) -> Result<T> {
    let (input, output) = both(ctx, input, output)?;
    let end = |of: Place| of.0.wrapping_add(of.1);
    let overlap = input.0 < end(output) && output.0 < end(input);
    // SAFETY: as in `with_bytes`; gone before the other slice is made when they overlap.
    let from = unsafe { slice(input) };
    if overlap {
        let copy = from.to_vec();
        // SAFETY: as in `with_bytes`.
        return Ok(work(&copy, unsafe { slice_mut(output) }));
    }
    // SAFETY: as in `with_bytes`; they have nothing in common.
    Ok(work(from, unsafe { slice_mut(output) }))
}

/// Copies what `source` has from `from` on, `count` bytes at most and no more than fit, to `target` at `to`;
/// returns how many.
pub(crate) fn copy<'js>(
    ctx: &Ctx<'js>,
    (source, from): (&Value<'js>, usize),
    (target, to): (&Value<'js>, usize),
    count: usize,
) -> Result<usize> {
    let (source, target) = both(ctx, source, target)?;
    let count = count
        .min(source.1.saturating_sub(from))
        .min(target.1.saturating_sub(to));
    if count == 0 {
        return Ok(0);
    }
    let (source, target) = (source.0.wrapping_add(from), target.0.wrapping_add(to));
    // SAFETY: both ranges lie within memory of values that are alive, at addresses of now; `copy` allows
    // overlap.
    unsafe { std::ptr::copy(source, target, count) };
    Ok(count)
}

/// Writes `bytes` to where `target` begins, or as many as it still has room for.
pub(crate) fn put<'js>(ctx: &Ctx<'js>, target: &Value<'js>, bytes: &[u8]) -> Result<()> {
    with_bytes(ctx, target, |all| {
        let count = bytes.len().min(all.len());
        all[..count].copy_from_slice(&bytes[..count]);
    })
}

/// Two values' bytes. An address is taken last and nothing throws after it: both hold until JavaScript runs.
fn both<'js>(ctx: &Ctx<'js>, a: &Value<'js>, b: &Value<'js>) -> Result<(Place, Place)> {
    let found = (slots::bytes_of(a.as_raw()), slots::bytes_of(b.as_raw()));
    let (Some(a), Some(b)) = found else {
        return Err(refused(ctx));
    };
    Ok((a, b))
}

/// Start and length of a view or buffer, until JavaScript runs; no address and no bytes for one that is
/// detached or out of bounds.
fn raw<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<Place> {
    slots::bytes_of(value.as_raw()).ok_or_else(|| refused(ctx))
}

#[cold]
fn refused(ctx: &Ctx<'_>) -> Error {
    Exception::throw_type(ctx, "a typed array, DataView or ArrayBuffer expected")
}

/// # Safety
/// The bytes are a value's that is alive, found with no JavaScript run since, and none is run while they are
/// used.
unsafe fn slice<'a>((data, bytes): Place) -> &'a [u8] {
    if bytes == 0 {
        return &[];
    }
    // SAFETY: the caller's promise; where there are bytes there is an address.
    unsafe { std::slice::from_raw_parts(data, bytes) }
}

/// # Safety
/// As of `slice`, and no other reference to them is in use.
unsafe fn slice_mut<'a>((data, bytes): Place) -> &'a mut [u8] {
    if bytes == 0 {
        return &mut [];
    }
    // SAFETY: the caller's promise; where there are bytes there is an address.
    unsafe { std::slice::from_raw_parts_mut(data, bytes) }
}
