//! Strings from bytes and bytes from strings: `Buffer`'s methods (`this` is the buffer) and functions for
//! other modules.

mod hot;

use rquickjs::function::{Func, Opt, This};
use rquickjs::{Coerced, Ctx, Exception, Object, Result, String as JsString, Value};

use crate::encodings::{self, Encoding, NotBase64};
use crate::memory::{bytes_of_view, with_bytes};
use crate::text::{buffer, latin1_string, raw_string, two_byte_string, with_utf8};

pub(crate) fn install<'js>(ops: &Object<'js>) -> Result<()> {
    // (prototype): sets `<encoding>Slice` and `<encoding>Write`
    ops.set(
        "setTextMethods",
        Func::from(|ctx: Ctx<'js>, prototype: Object<'js>| {
            methods(&prototype)?;
            hot::install(&ctx, &prototype)
        }),
    )?;
    // (bytes, encoding, start, end) → string
    ops.set(
        "toText",
        Func::from(
            |ctx: Ctx<'js>, bytes: Value<'js>, encoding: u32, start: f64, end: f64| {
                slice(&ctx, &bytes, Encoding::of(encoding), start, end)
            },
        ),
    )?;
    // (bytes, encoding, string, offset, length) → bytes written
    ops.set(
        "writeText",
        Func::from(
            |ctx: Ctx<'js>,
             bytes: Value<'js>,
             encoding: u32,
             text: JsString<'js>,
             offset: f64,
             length: f64| {
                write(&ctx, &bytes, Encoding::of(encoding), &text, offset, length)
            },
        ),
    )?;
    // (string, encoding) → Buffer
    ops.set(
        "fromText",
        Func::from(|ctx: Ctx<'js>, text: JsString<'js>, encoding: u32| {
            let encoding = Encoding::of(encoding);
            with_utf8(&text, |utf8| {
                let is_it = encoding == Encoding::Utf8 && std::str::from_utf8(utf8).is_ok();
                if is_it {
                    return buffer(&ctx, utf8);
                }
                buffer(&ctx, &encodings::bytes_of(utf8, encoding))
            })?
        }),
    )?;
    ops.set(
        "textLength",
        Func::from(|text: JsString<'js>, encoding: u32| {
            with_utf8(&text, |utf8| {
                encodings::byte_length(utf8, Encoding::of(encoding)) as f64
            })
        }),
    )?;
    ops.set(
        "utf8Length",
        Func::from(|text: JsString<'js>| with_utf8(&text, <[u8]>::len)),
    )?;
    // (bytes) → string; throws a plain error when it is not UTF-8
    ops.set(
        "fatalUtf8",
        Func::from(|ctx: Ctx<'js>, bytes: Value<'js>| fatal_utf8(&ctx, &bytes)),
    )?;
    web(ops)
}

/// `atob` and `btoa`: -1 for text that is not in the expected form, -2 for a wrong character.
fn web<'js>(ops: &Object<'js>) -> Result<()> {
    ops.set(
        "atob",
        Func::from(|ctx: Ctx<'js>, text: JsString<'js>| {
            let decoded = with_utf8(&text, encodings::forgiving_base64)?;
            match decoded {
                Ok(bytes) => latin1_string(&ctx, &bytes),
                Err(NotBase64::Length) => Ok(Value::new_int(ctx, -1)),
                Err(NotBase64::Character) => Ok(Value::new_int(ctx, -2)),
            }
        }),
    )?;
    ops.set(
        "btoa",
        Func::from(|ctx: Ctx<'js>, text: JsString<'js>| {
            let bytes = with_utf8(&text, |utf8| {
                let mut bytes = Vec::with_capacity(utf8.len());
                let mut fits = true;
                crate::text::each_unit(utf8, |unit| match u8::try_from(unit) {
                    Ok(byte) => bytes.push(byte),
                    Err(_) => fits = false,
                });
                fits.then_some(bytes)
            })?;
            match bytes {
                Some(bytes) => raw_string(&ctx, &encodings::to_ascii(&bytes, Encoding::Base64)),
                None => Ok(Value::new_int(ctx, -1)),
            }
        }),
    )
}

fn methods<'js>(prototype: &Object<'js>) -> Result<()> {
    slice_method(prototype, "asciiSlice", Encoding::Ascii)?;
    slice_method(prototype, "base64Slice", Encoding::Base64)?;
    slice_method(prototype, "base64urlSlice", Encoding::Base64url)?;
    slice_method(prototype, "latin1Slice", Encoding::Latin1)?;
    slice_method(prototype, "hexSlice", Encoding::Hex)?;
    slice_method(prototype, "ucs2Slice", Encoding::Utf16le)?;
    slice_method(prototype, "utf8Slice", Encoding::Utf8)?;
    write_method(prototype, "asciiWrite", Encoding::Latin1)?;
    write_method(prototype, "base64Write", Encoding::Base64)?;
    write_method(prototype, "base64urlWrite", Encoding::Base64url)?;
    write_method(prototype, "latin1Write", Encoding::Latin1)?;
    write_method(prototype, "hexWrite", Encoding::Hex)?;
    write_method(prototype, "ucs2Write", Encoding::Utf16le)?;
    write_method(prototype, "utf8Write", Encoding::Utf8)
}

/// `(start, end)`
fn slice_method<'js>(prototype: &Object<'js>, name: &str, encoding: Encoding) -> Result<()> {
    prototype.set(
        name,
        Func::from(
            move |ctx: Ctx<'js>,
                  this: This<Value<'js>>,
                  start: Opt<Value<'js>>,
                  end: Opt<Value<'js>>| {
                check_this(&ctx, &this.0)?;
                let (start, end) = (number_or(&start, 0.0)?, number_or(&end, f64::INFINITY)?);
                slice(&ctx, &this.0, encoding, start, end)
            },
        ),
    )
}

/// `(string, offset, length)`
fn write_method<'js>(prototype: &Object<'js>, name: &str, encoding: Encoding) -> Result<()> {
    prototype.set(
        name,
        Func::from(
            move |ctx: Ctx<'js>,
                  this: This<Value<'js>>,
                  text: JsString<'js>,
                  offset: Opt<Value<'js>>,
                  length: Opt<Value<'js>>| {
                check_this(&ctx, &this.0)?;
                let offset = number_or(&offset, 0.0)?;
                let length = number_or(&length, f64::INFINITY)?;
                write(&ctx, &this.0, encoding, &text, offset, length)
            },
        ),
    )
}

/// `Buffer`'s methods take any view as `this`, and nothing else.
fn check_this<'js>(ctx: &Ctx<'js>, this: &Value<'js>) -> Result<()> {
    if bytes_of_view(this.as_raw()).is_some() {
        return Ok(());
    }
    let error = Exception::throw_type(ctx, "argument must be a buffer");
    let thrown = ctx.catch();
    let Some(object) = thrown.as_object() else {
        return Err(error);
    };
    object.set("code", "ERR_INVALID_ARG_TYPE")?;
    Err(ctx.throw(thrown))
}

fn slice<'js>(
    ctx: &Ctx<'js>,
    bytes: &Value<'js>,
    encoding: Encoding,
    start: f64,
    end: f64,
) -> Result<Value<'js>> {
    // Making a string runs no JavaScript while it succeeds, and when it fails, the bytes are not looked at
    // again.
    with_bytes(ctx, bytes, |all| {
        let part = &*range(all, start, end - start);
        match encoding {
            Encoding::Latin1 => latin1_string(ctx, part),
            Encoding::Utf8 => match std::str::from_utf8(part) {
                Ok(_) => raw_string(ctx, part),
                Err(_) => raw_string(ctx, String::from_utf8_lossy(part).as_bytes()),
            },
            Encoding::Utf16le => two_byte_string(ctx, &encodings::units(part)),
            _ => raw_string(ctx, &encodings::to_ascii(part, encoding)),
        }
    })?
}

fn write<'js>(
    ctx: &Ctx<'js>,
    bytes: &Value<'js>,
    encoding: Encoding,
    text: &JsString<'js>,
    offset: f64,
    length: f64,
) -> Result<f64> {
    with_utf8(text, |utf8| {
        with_bytes(ctx, bytes, |all| {
            encodings::write(range(all, offset, length), utf8, encoding) as f64
        })
    })?
}

fn fatal_utf8<'js>(ctx: &Ctx<'js>, bytes: &Value<'js>) -> Result<Value<'js>> {
    let text = with_bytes(ctx, bytes, |all| {
        let is_utf8 = std::str::from_utf8(all).is_ok();
        is_utf8.then(|| raw_string(ctx, all))
    })?;
    text.unwrap_or_else(|| Err(Exception::throw_type(ctx, "not UTF-8")))
}

/// An argument as a number, if it is given and not undefined.
pub(super) fn number_or(argument: &Opt<Value<'_>>, otherwise: f64) -> Result<f64> {
    match &argument.0 {
        None => Ok(otherwise),
        Some(value) => match value.as_number() {
            Some(number) => Ok(number),
            None if value.is_undefined() => Ok(otherwise),
            None => value.get::<Coerced<f64>>().map(|number| number.0),
        },
    }
}

/// What lies within; out of range is empty.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float-to-int cast saturates, which is what is meant"
)]
pub(super) fn range(all: &mut [u8], offset: f64, length: f64) -> &mut [u8] {
    let start = (offset as usize).min(all.len());
    let end = start.saturating_add(length as usize).min(all.len());
    &mut all[start..end]
}

/// A copy of QuickJS's UTF-8 with U+FFFD for lone surrogates.
#[must_use]
pub fn without_surrogates(utf8: &[u8]) -> Vec<u8> {
    encodings::bytes_of(utf8, Encoding::Utf8)
}
