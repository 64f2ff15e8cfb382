//! Reading and writing numbers in bytes: `Buffer`'s methods, made from one description of the number's form.

use rquickjs::function::{Func, Opt, This};
use rquickjs::{BigInt, Coerced, Ctx, Function, IntoJs as _, Object, Persistent, Result, Value};

use crate::memory::bytes_if_any;

/// Bits of the form that JavaScript gives: the lowest four are the number of bytes.
const SIGNED: u32 = 16;
const LITTLE: u32 = 32;
const FLOAT: u32 = 64;
const BIG: u32 = 128;

#[derive(Clone, Copy)]
struct Form(u32);

impl Form {
    fn bytes(self) -> usize {
        (self.0 & 15) as usize
    }

    fn is(self, bit: u32) -> bool {
        self.0 & bit != 0
    }
}

pub(crate) fn install<'js>(ops: &Object<'js>) -> Result<()> {
    // (form, refused) → method (offset); `refused(offset, last)` throws
    ops.set(
        "numberReader",
        Func::from(|ctx: Ctx<'js>, form: u32, refused: Function<'js>| {
            let (form, refused) = (Form(form), Persistent::save(&ctx, refused));
            Function::new(
                ctx,
                move |ctx: Ctx<'js>, this: This<Value<'js>>, offset: Opt<Value<'js>>| {
                    read(&ctx, form, &this.0, offset_of(&offset), &refused)
                },
            )
        }),
    )?;
    // (form, refused) → method (value, offset); `refused(offset, last, value)` throws
    ops.set(
        "numberWriter",
        Func::from(|ctx: Ctx<'js>, form: u32, refused: Function<'js>| {
            let (form, refused) = (Form(form), Persistent::save(&ctx, refused));
            Function::new(
                ctx,
                move |ctx: Ctx<'js>,
                      this: This<Value<'js>>,
                      value: Value<'js>,
                      offset: Opt<Value<'js>>| {
                    write(&ctx, form, &this.0, value, offset_of(&offset), &refused)
                },
            )
        }),
    )
}

fn offset_of<'a, 'js>(offset: &'a Opt<Value<'js>>) -> Option<&'a Value<'js>> {
    offset.0.as_ref().filter(|value| !value.is_undefined())
}

/// A whole number that is not negative; 0 when there is none.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "only whole numbers within the safe range are cast"
)]
fn place(offset: Option<&Value<'_>>) -> Option<usize> {
    let Some(value) = offset else {
        return Some(0);
    };
    let number = value.as_number()?;
    let whole = number >= 0.0 && number.fract() == 0.0 && number < 9_007_199_254_740_992.0;
    whole.then_some(number as usize)
}

fn read<'js>(
    ctx: &Ctx<'js>,
    form: Form,
    this: &Value<'js>,
    offset: Option<&Value<'js>>,
    refused: &Persistent<Function<'static>>,
) -> Result<Value<'js>> {
    let count = form.bytes();
    let found = bytes_if_any(this, |all| {
        let at = place(offset)?;
        let mut bytes = [0; 8];
        let part = all.get(at..at.checked_add(count)?)?;
        for (index, byte) in part.iter().enumerate() {
            let to = if form.is(LITTLE) {
                index
            } else {
                count - 1 - index
            };
            bytes[to] = *byte;
        }
        Some(u64::from_le_bytes(bytes))
    });
    match found {
        Some(Some(bits)) => value_of(ctx, form, bits),
        _ => refuse(ctx, form, this, offset, None, refused),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "numbers of up to six bytes are exact as floats"
)]
fn value_of<'js>(ctx: &Ctx<'js>, form: Form, bits: u64) -> Result<Value<'js>> {
    let unused = 64 - 8 * form.bytes() as u32;
    if form.is(FLOAT) {
        let number = match form.bytes() {
            4 => f64::from(f32::from_bits(bits as u32)),
            _ => f64::from_bits(bits),
        };
        return number.into_js(ctx);
    }
    let signed = (bits << unused).cast_signed() >> unused;
    match (form.is(BIG), form.is(SIGNED)) {
        (true, true) => BigInt::from_i64(ctx.clone(), signed).map(BigInt::into_value),
        (true, false) => BigInt::from_u64(ctx.clone(), bits).map(BigInt::into_value),
        (false, true) => (signed as f64).into_js(ctx),
        (false, false) => (bits as f64).into_js(ctx),
    }
}

fn write<'js>(
    ctx: &Ctx<'js>,
    form: Form,
    this: &Value<'js>,
    value: Value<'js>,
    offset: Option<&Value<'js>>,
    refused: &Persistent<Function<'static>>,
) -> Result<Value<'js>> {
    let count = form.bytes();
    let bits = if form.is(BIG) {
        big_bits(form, &value)
    } else {
        let number = match value.as_number() {
            Some(number) => number,
            None => value.get::<Coerced<f64>>()?.0,
        };
        number_bits(form, number)
    };
    let Some(bits) = bits else {
        return refuse(ctx, form, this, offset, Some(value), refused);
    };
    let written = bytes_if_any(this, |all| {
        let at = place(offset)?;
        let part = all.get_mut(at..at.checked_add(count)?)?;
        let bytes = bits.to_le_bytes();
        for (index, byte) in part.iter_mut().enumerate() {
            let from = if form.is(LITTLE) {
                index
            } else {
                count - 1 - index
            };
            *byte = bytes[from];
        }
        Some(at + count)
    });
    match written {
        Some(Some(next)) => (next as f64).into_js(ctx),
        _ => refuse(ctx, form, this, offset, Some(value), refused),
    }
}

/// The bits of a number in range; `None` when it is out of range.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the cast to a whole number truncates, as JavaScript does; the range is checked before"
)]
fn number_bits(form: Form, number: f64) -> Option<u64> {
    if form.is(FLOAT) {
        return Some(match form.bytes() {
            4 => u64::from((number as f32).to_bits()),
            _ => number.to_bits(),
        });
    }
    let width = 8 * form.bytes() as u32;
    let (min, max) = if form.is(SIGNED) {
        let half = (1_u64 << (width - 1)) as f64;
        (-half, half - 1.0)
    } else {
        (0.0, ((1_u64 << width) - 1) as f64)
    };
    if number < min || number > max {
        return None;
    }
    Some((number as i64).cast_unsigned())
}

fn big_bits(form: Form, value: &Value<'_>) -> Option<u64> {
    let big = value.as_big_int()?.clone();
    // Through text: the only conversion that tells a number that does not fit.
    let text = big
        .into_value()
        .get::<Coerced<String>>()
        .ok()
        .map(|text| text.0)?;
    if form.is(SIGNED) {
        return text.parse::<i64>().ok().map(i64::cast_unsigned);
    }
    text.parse().ok()
}

/// JavaScript's side throws the error that fits.
fn refuse<'js>(
    ctx: &Ctx<'js>,
    form: Form,
    this: &Value<'js>,
    offset: Option<&Value<'js>>,
    value: Option<Value<'js>>,
    refused: &Persistent<Function<'static>>,
) -> Result<Value<'js>> {
    let undefined = || Value::new_undefined(ctx.clone());
    let offset = match offset {
        Some(value) => value.clone(),
        None => Value::new_int(ctx.clone(), 0),
    };
    refused.clone().restore(ctx)?.call((
        this.clone(),
        offset,
        form.0,
        value.unwrap_or_else(undefined),
    ))
}
