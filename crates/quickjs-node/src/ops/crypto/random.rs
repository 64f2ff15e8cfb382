//! Random bytes from the operating system, and comparison in constant time, for JavaScript.

use rquickjs::function::Func;
use rquickjs::{Ctx, Exception, Object, Result, Value};

use fulmar_node_crypto::random::{equal, fill};

use crate::memory::{with_both, with_bytes};
use crate::text::raw_string;

/// How many bytes are drawn from the system at once for identifiers: 64 of them.
const POOL_BYTES: usize = 16 * 64;

pub(super) fn install<'js>(ops: &Object<'js>) -> Result<()> {
    // Fills (bytes, offset, size).
    ops.set(
        "randomFill",
        Func::from(|ctx: Ctx<'js>, bytes: Value<'js>, offset: f64, size: f64| {
            let filled = with_bytes(&ctx, &bytes, |all| fill(part(all, offset, size)))?;
            filled.map_err(|error| Exception::throw_message(&ctx, &error))
        }),
    )?;
    let pool = std::cell::RefCell::new((Box::new([0_u8; POOL_BYTES]), POOL_BYTES));
    ops.set(
        "randomUuid",
        Func::from(move |ctx: Ctx<'js>, cached: bool| {
            let mut pool = pool.borrow_mut();
            let (bytes, at) = &mut *pool;
            if !cached || *at >= POOL_BYTES {
                fill(&mut bytes[..]).map_err(|error| Exception::throw_message(&ctx, &error))?;
                *at = 0;
            }
            let id = bytes[*at..*at + 16].try_into().unwrap_or([0; 16]);
            bytes[*at..*at + 16].fill(0);
            *at += 16;
            raw_string(&ctx, &uuid(id))
        }),
    )?;
    // undefined: of different lengths
    ops.set(
        "timingSafeEqual",
        Func::from(|ctx: Ctx<'js>, a: Value<'js>, b: Value<'js>| {
            with_both(&ctx, &a, &b, |a, b| {
                (a.len() == b.len()).then(|| equal(a, b))
            })
        }),
    )
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float-to-int cast saturates, which is what is meant"
)]
fn part(all: &mut [u8], offset: f64, size: f64) -> &mut [u8] {
    let start = (offset as usize).min(all.len());
    let end = start.saturating_add(size as usize).min(all.len());
    &mut all[start..end]
}

/// RFC 9562, version 4.
fn uuid(mut id: [u8; 16]) -> Vec<u8> {
    id[6] = id[6] & 0x0f | 0x40;
    id[8] = id[8] & 0x3f | 0x80;
    let mut text = Vec::with_capacity(36);
    for (at, byte) in id.iter().enumerate() {
        if matches!(at, 4 | 6 | 8 | 10) {
            text.push(b'-');
        }
        let digit = |value: u8| b"0123456789abcdef"[usize::from(value & 15)];
        text.extend([digit(byte >> 4), digit(*byte)]);
    }
    text
}
