//! Signatures, encryption with RSA, and shared secrets, for JavaScript.

use std::rc::Rc;

use fulmar_node_crypto::{
    Curve, EncryptionPadding, Failure, Key, Kind, Message, Options, agree, crypt, sign, verify,
};
use rquickjs::function::Func;
use rquickjs::{Class, Ctx, FromJs as _, Object, Result, Value};

use super::bytes::{array_buffer, copied};
use super::failure::Throw as _;
use super::hash::{self, HashState, Hashed};
use super::job;
use super::key_ops::{KeyState, key_of};
use crate::event_loop::Loop;

pub(super) fn install<'js>(ops: &Object<'js>, event_loop: &Rc<impl Loop>) -> Result<()> {
    let turn = Rc::clone(event_loop);
    // (key, data, options, callback(error, signature)?)
    ops.set(
        "sign",
        Func::from(
            move |ctx: Ctx<'js>,
                  key: Class<'js, KeyState>,
                  data: Value<'js>,
                  options: Vec<i32>,
                  done: Value<'js>| {
                let key = key_of(&key)?;
                let data = Signed::of(&ctx, &key, &data)?;
                let options = Options::of(&options);
                let work = move || sign(&key, data.message(), options);
                job::either(&ctx, &turn, done, work, |ctx, signature: Vec<u8>| {
                    array_buffer(ctx, &signature)
                })
            },
        ),
    )?;
    let turn = Rc::clone(event_loop);
    // (key, data, signature, options, callback(error, fits)?)
    ops.set(
        "verify",
        Func::from(
            move |ctx: Ctx<'js>,
                  key: Class<'js, KeyState>,
                  data: Value<'js>,
                  signature: Value<'js>,
                  options: Vec<i32>,
                  done: Value<'js>| {
                let key = key_of(&key)?;
                let signature = copied(&ctx, &signature)?;
                let data = Signed::of(&ctx, &key, &data)?;
                let options = Options::of(&options);
                let work = move || verify(&key, data.message(), &signature, options);
                job::either(&ctx, &turn, done, work, |ctx, fits: bool| {
                    Ok(Value::new_bool(ctx.clone(), fits))
                })
            },
        ),
    )?;
    encryption(ops, event_loop)?;
    agreement(ops, event_loop)
}

/// What is signed: bytes, or what `Sign` and `Verify` have been fed with.
enum Signed {
    Whole(Vec<u8>),
    Hashed(Hashed),
}

impl Signed {
    fn of<'js>(ctx: &Ctx<'js>, key: &Key, data: &Value<'js>) -> Result<Self> {
        let Ok(state) = Class::<HashState>::from_js(ctx, data.clone()) else {
            return Ok(Self::Whole(copied(ctx, data)?));
        };
        // A key that signs no digests leaves the digest alone.
        if !matches!(key, Key::Rsa(_) | Key::Ec(_)) {
            return Ok(Self::Hashed(Hashed::default()));
        }
        let hashed = hash::finish(&state)?;
        hashed
            .map(Self::Hashed)
            .ok_or_else(|| Failure::NotInitialised.throw(ctx))
    }

    fn message(&self) -> Message<'_> {
        match self {
            Self::Whole(data) => Message::Whole(data),
            Self::Hashed(hashed) => Message::Hashed(&hashed.digest, hashed.message.as_deref()),
        }
    }
}

fn encryption<'js>(ops: &Object<'js>, event_loop: &Rc<impl Loop>) -> Result<()> {
    let turn = Rc::clone(event_loop);
    // ('publicEncrypt' …, key, data, [padding, hash function], label, callback?)
    ops.set(
        "rsaCrypt",
        Func::from(
            move |ctx: Ctx<'js>,
                  what: String,
                  key: Class<'js, KeyState>,
                  data: Value<'js>,
                  numbers: Vec<u32>,
                  label: Value<'js>,
                  done: Value<'js>| {
                let key = key_of(&key)?;
                let (data, label) = (copied(&ctx, &data)?, copied(&ctx, &label)?);
                let number = |place: usize| numbers.get(place).copied().unwrap_or(0);
                let (scheme, kind) = (number(0), Kind::of(number(1)).unwrap_or(Kind::Sha1));
                let work = move || {
                    let label = &label;
                    let padding = EncryptionPadding {
                        scheme,
                        kind,
                        label,
                    };
                    crypt(&what, &key, &data, &padding)
                };
                job::either(&ctx, &turn, done, work, |ctx, bytes: Vec<u8>| {
                    array_buffer(ctx, &bytes)
                })
            },
        ),
    )
}

fn agreement<'js>(ops: &Object<'js>, event_loop: &Rc<impl Loop>) -> Result<()> {
    let turn = Rc::clone(event_loop);
    // (private key, public key, callback(error, secret)?)
    ops.set(
        "agree",
        Func::from(
            move |ctx: Ctx<'js>,
                  own: Class<'js, KeyState>,
                  other: Class<'js, KeyState>,
                  done: Value<'js>| {
                let (own, other) = (key_of(&own)?, key_of(&other)?);
                let work = move || agree(&own, &other);
                job::either(&ctx, &turn, done, work, |ctx, secret: Vec<u8>| {
                    array_buffer(ctx, &secret)
                })
            },
        ),
    )?;
    // (curve, point) → the same point compressed; null when it is none
    ops.set(
        "pointConvert",
        Func::from(
            |ctx: Ctx<'js>, curve: String, point: Value<'js>, compressed: bool| {
                let point = copied(&ctx, &point)?;
                let converted = Curve::of(&curve).and_then(|curve| {
                    let point = if compressed {
                        curve.compressed(&point)
                    } else {
                        curve.point(&point)
                    };
                    point.ok()
                });
                match converted {
                    Some(point) => array_buffer(&ctx, &point),
                    None => Ok(Value::new_null(ctx)),
                }
            },
        ),
    )
}
