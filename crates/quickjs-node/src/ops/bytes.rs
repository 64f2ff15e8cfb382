//! Whole operations on bytes, for `Buffer`: making one, comparing, searching, filling, swapping, copying.

use std::cmp::Ordering;

use rquickjs::function::{Func, Opt, This};
use rquickjs::{Ctx, Exception, Object, Persistent, Result, Value};

use super::strings::{number_or, range};
use crate::memory::{self, with_both, with_bytes};
use crate::text::{BufferClass, part_as_buffer};

/// As V8 says it.
const GONE: &str =
    "Cannot perform %TypedArray%.prototype.set on a detached or out-of-bounds ArrayBuffer";

pub(crate) fn install<'js>(ops: &Object<'js>) -> Result<()> {
    // (FastBuffer): the class of the buffers that the runtime makes; sets `slice` and `subarray`
    ops.set(
        "setBufferClass",
        Func::from(|ctx: Ctx<'js>, class: Object<'js>| set_class(&ctx, &class)),
    )?;
    // (a, b) → -1, 0, 1
    ops.set(
        "compareBytes",
        Func::from(|ctx: Ctx<'js>, a: Value<'js>, b: Value<'js>| {
            let order = with_both(&ctx, &a, &b, <[u8]>::cmp)?;
            Ok::<_, rquickjs::Error>(number(order))
        }),
    )?;
    search(ops)?;
    change(ops)?;
    ops.set(
        "isUtf8",
        Func::from(|ctx: Ctx<'js>, bytes: Value<'js>| {
            with_bytes(&ctx, &bytes, |all| std::str::from_utf8(all).is_ok())
        }),
    )?;
    ops.set(
        "isAscii",
        Func::from(|ctx: Ctx<'js>, bytes: Value<'js>| {
            with_bytes(&ctx, &bytes, |all| all.is_ascii())
        }),
    )
}

fn set_class<'js>(ctx: &Ctx<'js>, class: &Object<'js>) -> Result<()> {
    let prototype: Object<'js> = class.get("prototype")?;
    let bytes: Object<'js> = ctx.globals().get("Uint8Array")?;
    ctx.store_userdata(BufferClass {
        base: Persistent::save(ctx, bytes),
        class: Persistent::save(ctx, class.clone()),
    })
    .map_err(|_| Exception::throw_message(ctx, "the buffer class is in use"))?;
    let part =
        |ctx: Ctx<'js>, this: This<Value<'js>>, start: Opt<Value<'js>>, end: Opt<Value<'js>>| {
            let (start, end) = (number_or(&start, 0.0)?, number_or(&end, f64::INFINITY)?);
            part_as_buffer(&ctx, &this.0, start, end)
        };
    prototype.set("subarray", Func::from(part))
}

fn search<'js>(ops: &Object<'js>) -> Result<()> {
    // (bytes, sought, from, end, forward, step) → index or -1
    ops.set(
        "indexOfBytes",
        Func::from(
            |ctx: Ctx<'js>,
             bytes: Value<'js>,
             sought: Value<'js>,
             from: f64,
             end: f64,
             forward: bool,
             step: usize| {
                with_both(&ctx, &bytes, &sought, |all, sought| {
                    index_of(range_to(all, end), sought, from, forward, step)
                })
            },
        ),
    )?;
    ops.set(
        "indexOfByte",
        Func::from(
            |ctx: Ctx<'js>, bytes: Value<'js>, sought: u32, from: f64, end: f64, forward: bool| {
                let sought = sought.to_le_bytes()[0];
                with_bytes(&ctx, &bytes, |all| {
                    index_of(range_to(all, end), &[sought], from, forward, 1)
                })
            },
        ),
    )
}

fn change<'js>(ops: &Object<'js>) -> Result<()> {
    // (bytes, pattern, start, end): false when the pattern is empty
    ops.set(
        "fillBytes",
        Func::from(
            |ctx: Ctx<'js>, bytes: Value<'js>, pattern: Value<'js>, start: f64, end: f64| {
                let pattern = with_bytes(&ctx, &pattern, |p| p.to_vec())?;
                with_bytes(&ctx, &bytes, |all| {
                    fill(range(all, start, end - start), &pattern)
                })
            },
        ),
    )?;
    // (bytes, width)
    ops.set(
        "swapBytes",
        Func::from(|ctx: Ctx<'js>, bytes: Value<'js>, width: usize| {
            with_bytes(&ctx, &bytes, |all| {
                all.chunks_exact_mut(width.max(1)).for_each(<[u8]>::reverse);
            })
        }),
    )?;
    // (source, target, targetStart, sourceStart, count)
    ops.set(
        "copyBytes",
        Func::from(
            |ctx: Ctx<'js>,
             source: Value<'js>,
             target: Value<'js>,
             to: f64,
             from: f64,
             count: f64| { copy(&ctx, &source, &target, to, from, count) },
        ),
    )?;
    // (target, list): one after the other; the bytes written
    ops.set(
        "concatBytes",
        Func::from(
            |ctx: Ctx<'js>, target: Value<'js>, list: rquickjs::Array<'js>| {
                let mut at = 0.0;
                for item in list.iter::<Value<'js>>() {
                    let item = item?;
                    if memory::is_gone(&item) {
                        return Err(Exception::throw_type(&ctx, GONE));
                    }
                    at += copy(&ctx, &item, &target, at, 0.0, f64::INFINITY)?;
                }
                Ok::<_, rquickjs::Error>(at)
            },
        ),
    )?;
    ops.set(
        "toArray",
        Func::from(|ctx: Ctx<'js>, bytes: Value<'js>| with_bytes(&ctx, &bytes, |all| all.to_vec())),
    )
}

fn number(order: Ordering) -> i32 {
    match order {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }
}

fn range_to(all: &[u8], end: f64) -> &[u8] {
    &all[..clamped(end, all.len())]
}

/// The first place at or after `from`, or the last one at or before it; `from` below 0 counts from the end.
fn index_of(all: &[u8], sought: &[u8], from: f64, forward: bool, step: usize) -> f64 {
    let length = all.len() as f64;
    let mut from = if from < 0.0 { from + length } else { from };
    if from < 0.0 {
        if !forward {
            return -1.0;
        }
        from = 0.0;
    }
    let start = clamped(from, all.len());
    if sought.is_empty() {
        return start as f64;
    }
    if from > length && forward {
        return -1.0;
    }
    let Some(last) = all.len().checked_sub(sought.len()) else {
        return -1.0;
    };
    // UTF-16 is found at whole units only.
    let fits = |at: &usize| at.is_multiple_of(step) && all[*at..].starts_with(sought);
    let found = if forward {
        if start > last {
            return -1.0;
        }
        find(all, sought, start, last, step)
    } else {
        (0..=start.min(last)).rev().find(fits)
    };
    found.map_or(-1.0, |at| at as f64)
}

fn find(all: &[u8], sought: &[u8], start: usize, last: usize, step: usize) -> Option<usize> {
    let first = sought[0];
    let mut at = start;
    while at <= last {
        at += all[at..=last].iter().position(|b| *b == first)?;
        if at.is_multiple_of(step) && all[at..].starts_with(sought) {
            return Some(at);
        }
        at += 1;
    }
    None
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float-to-int cast saturates, which is what is meant"
)]
fn clamped(value: f64, max: usize) -> usize {
    (value as usize).min(max)
}

fn fill(target: &mut [u8], pattern: &[u8]) -> bool {
    match pattern {
        [] => return target.is_empty(),
        [byte] => target.fill(*byte),
        _ => {
            for chunk in target.chunks_mut(pattern.len()) {
                chunk.copy_from_slice(&pattern[..chunk.len()]);
            }
        }
    }
    true
}

/// Copies within one memory or between two; returns the count. No number below 0 counts.
fn copy<'js>(
    ctx: &Ctx<'js>,
    source: &Value<'js>,
    target: &Value<'js>,
    to: f64,
    from: f64,
    count: f64,
) -> Result<f64> {
    let place = |at: f64| clamped(at, usize::MAX);
    let (source, target) = ((source, place(from)), (target, place(to)));
    memory::copy(ctx, source, target, place(count)).map(|count| count as f64)
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "places are whole numbers")]
mod tests {
    use super::*;

    #[test]
    fn searching_counts_from_either_end() {
        let all = b"abcabc";
        assert_eq!(index_of(all, b"c", 0.0, true, 1), 2.0);
        assert_eq!(index_of(all, b"c", 3.0, true, 1), 5.0);
        assert_eq!(index_of(all, b"c", -2.0, true, 1), 5.0);
        assert_eq!(index_of(all, b"ab", 6.0, false, 1), 3.0);
        assert_eq!(index_of(all, b"ab", 2.0, false, 1), 0.0);
        assert_eq!(index_of(all, b"", 4.0, true, 1), 4.0);
        assert_eq!(index_of(all, b"abcd", 0.0, true, 1), -1.0);
    }

    #[test]
    fn a_pattern_is_repeated_and_cut() {
        let mut target = [0; 5];
        assert!(fill(&mut target, b"ab"));
        assert_eq!(&target, b"ababa");
    }
}
