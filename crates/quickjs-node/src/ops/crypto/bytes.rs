//! What goes in and out of the functions of `crypto`: bytes or text in, bytes or encoded text out.

use rquickjs::{ArrayBuffer, Ctx, IntoJs as _, Result, Value};

use super::super::strings::without_surrogates;
use crate::memory::{view_if_any, with_bytes};
use crate::text::{buffer, latin1_string, raw_string, with_utf8};

const HEX: &[u8; 16] = b"0123456789abcdef";
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE64_URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Runs `work` on the bytes of a view or on a string's UTF-8 (lone surrogates as U+FFFD).
pub(super) fn with_data<'js, T>(
    ctx: &Ctx<'js>,
    data: &Value<'js>,
    work: impl FnOnce(&[u8]) -> T,
) -> Result<T> {
    match data.as_string() {
        Some(string) => on_utf8(string, work),
        None => with_bytes(ctx, data, |bytes| work(bytes)),
    }
}

fn on_utf8<T>(string: &rquickjs::String<'_>, work: impl FnOnce(&[u8]) -> T) -> Result<T> {
    with_utf8(string, |utf8| match std::str::from_utf8(utf8) {
        Ok(_) => work(utf8),
        Err(_) => work(&without_surrogates(utf8)),
    })
}

/// As `with_data`; `None`, and no exception, for what is neither a string nor a view.
pub(super) fn if_data<T>(data: &Value<'_>, work: impl FnOnce(&[u8]) -> T) -> Result<Option<T>> {
    match data.as_string() {
        Some(string) => on_utf8(string, work).map(Some),
        None => Ok(view_if_any(data, |bytes| work(bytes))),
    }
}

/// A copy of the bytes of a view or of a string's UTF-8.
pub(super) fn copied<'js>(ctx: &Ctx<'js>, data: &Value<'js>) -> Result<Vec<u8>> {
    with_data(ctx, data, <[u8]>::to_vec)
}

/// How a result is given back; the numbers are those of `ops.d.ts`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Bytes,
    Hex,
    Base64,
    Base64Url,
    Latin1,
    Buffer,
}

impl Encoding {
    pub(super) fn of(number: u32) -> Self {
        match number {
            1 => Self::Hex,
            2 => Self::Base64,
            3 => Self::Base64Url,
            4 => Self::Latin1,
            5 => Self::Buffer,
            _ => Self::Bytes,
        }
    }

    /// An `ArrayBuffer`, a `Buffer` or a string.
    pub(super) fn encode<'js>(self, ctx: &Ctx<'js>, bytes: &[u8]) -> Result<Value<'js>> {
        match self {
            Self::Bytes => array_buffer(ctx, bytes),
            Self::Buffer => buffer(ctx, bytes),
            Self::Hex => raw_string(ctx, &hex(bytes)),
            Self::Base64 => raw_string(ctx, &base64(bytes, BASE64, true)),
            Self::Base64Url => raw_string(ctx, &base64(bytes, BASE64_URL, false)),
            Self::Latin1 => latin1_string(ctx, bytes),
        }
    }
}

pub(super) fn array_buffer<'js>(ctx: &Ctx<'js>, bytes: &[u8]) -> Result<Value<'js>> {
    ArrayBuffer::new_copy(ctx.clone(), bytes)?.into_js(ctx)
}

fn hex(bytes: &[u8]) -> Vec<u8> {
    let digit = |value: u8| HEX[usize::from(value & 15)];
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(*byte)])
        .collect()
}

fn base64(bytes: &[u8], alphabet: &[u8; 64], padded: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        let digits = [18, 12, 6, 0].map(|shift| alphabet[(group >> shift & 63) as usize]);
        out.extend(&digits[..=chunk.len()]);
        if padded {
            out.resize(out.len() + 3 - chunk.len(), b'=');
        }
    }
    out
}
