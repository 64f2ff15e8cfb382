//! PBKDF2, scrypt and HKDF for JavaScript: at once, or on another thread with a callback.

use std::rc::Rc;

use rquickjs::function::Func;
use rquickjs::{Ctx, Object, Result, Value};

use super::bytes::{array_buffer, copied};
use super::{hash, job};
use crate::event_loop::Loop;
use fulmar_node_crypto as derive;
use fulmar_node_crypto::Failure;

type Outcome = std::result::Result<Vec<u8>, Failure>;

pub(super) fn install<'js>(ops: &Object<'js>, event_loop: &Rc<impl Loop>) -> Result<()> {
    let turn = Rc::clone(event_loop);
    // (hash function, password, salt, [rounds, bytes], callback(error, bytes)?)
    ops.set(
        "pbkdf2",
        Func::from(
            move |ctx: Ctx<'js>,
                  algorithm: u32,
                  password: Value<'js>,
                  salt: Value<'js>,
                  numbers: Vec<u32>,
                  done: Value<'js>| {
                let kind = hash::kind(&ctx, algorithm)?;
                let (password, salt) = (copied(&ctx, &password)?, copied(&ctx, &salt)?);
                either(&ctx, &turn, done, move || {
                    let mut out = zeros(number(&numbers, 1));
                    derive::pbkdf2(kind, &password, &salt, number(&numbers, 0), &mut out);
                    Ok(out)
                })
            },
        ),
    )?;
    let turn = Rc::clone(event_loop);
    // (password, salt, [N, r, p, bytes], callback?)
    ops.set(
        "scrypt",
        Func::from(
            move |ctx: Ctx<'js>,
                  password: Value<'js>,
                  salt: Value<'js>,
                  numbers: Vec<u32>,
                  done: Value<'js>| {
                let (password, salt) = (copied(&ctx, &password)?, copied(&ctx, &salt)?);
                either(&ctx, &turn, done, move || {
                    let mut out = zeros(number(&numbers, 3));
                    let cost = (
                        u64::from(number(&numbers, 0)),
                        number(&numbers, 1),
                        number(&numbers, 2),
                    );
                    derive::scrypt(&password, &salt, cost, &mut out)?;
                    Ok(out)
                })
            },
        ),
    )?;
    let turn = Rc::clone(event_loop);
    // (hash function, secret, salt, info, bytes, callback?)
    ops.set(
        "hkdf",
        Func::from(
            move |ctx: Ctx<'js>,
                  algorithm: u32,
                  secret: Value<'js>,
                  salt: Value<'js>,
                  info: Value<'js>,
                  length: u32,
                  done: Value<'js>| {
                let kind = hash::kind(&ctx, algorithm)?;
                let (secret, salt, info) = (
                    copied(&ctx, &secret)?,
                    copied(&ctx, &salt)?,
                    copied(&ctx, &info)?,
                );
                either(&ctx, &turn, done, move || {
                    let length = usize::try_from(length).unwrap_or(0);
                    Ok(derive::hkdf(kind, &secret, &salt, &info, length))
                })
            },
        ),
    )
}

fn number(numbers: &[u32], place: usize) -> u32 {
    numbers.get(place).copied().unwrap_or(0)
}

fn zeros(length: u32) -> Vec<u8> {
    vec![0; usize::try_from(length).unwrap_or(0)]
}

fn either<'js>(
    ctx: &Ctx<'js>,
    event_loop: &Rc<impl Loop>,
    done: Value<'js>,
    work: impl FnOnce() -> Outcome + Send + 'static,
) -> Result<Value<'js>> {
    job::either(ctx, event_loop, done, work, |ctx, bytes: Vec<u8>| {
        array_buffer(ctx, &bytes)
    })
}
