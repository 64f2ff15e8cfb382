//! Signatures, encryption with RSA, and shared secrets, for JavaScript.

use fulmar_node_crypto::{Curve, EncryptionPadding, Kind, Options, agree, crypt, sign, verify};
use rquickjs::function::Func;
use rquickjs::{Class, Ctx, Object, Result, Value};

use super::bytes::{array_buffer, copied, with_data};
use super::failure::Throw as _;
use super::key_ops::{KeyState, key_of};

pub(super) fn install<'js>(ops: &Object<'js>) -> Result<()> {
    ops.set(
        "sign",
        Func::from(
            |ctx: Ctx<'js>, key: Class<'js, KeyState>, data: Value<'js>, options: Vec<i32>| {
                let key = key_of(&key)?;
                let options = Options::of(&options);
                let signature = with_data(&ctx, &data, |data| sign(&key, data, options))?;
                array_buffer(&ctx, &signature.map_err(|failure| failure.throw(&ctx))?)
            },
        ),
    )?;
    ops.set(
        "verify",
        Func::from(
            |ctx: Ctx<'js>,
             key: Class<'js, KeyState>,
             data: Value<'js>,
             signature: Value<'js>,
             options: Vec<i32>| {
                let key = key_of(&key)?;
                let signature = copied(&ctx, &signature)?;
                let options = Options::of(&options);
                let outcome =
                    with_data(&ctx, &data, |data| verify(&key, data, &signature, options))?;
                outcome.map_err(|failure| failure.throw(&ctx))
            },
        ),
    )?;
    // ('publicEncrypt' …, key, data, padding, hash function, label)
    ops.set(
        "rsaCrypt",
        Func::from(
            |ctx: Ctx<'js>,
             what: String,
             key: Class<'js, KeyState>,
             data: Value<'js>,
             padding: u32,
             algorithm: u32,
             label: Value<'js>| {
                let key = key_of(&key)?;
                let (data, label) = (copied(&ctx, &data)?, copied(&ctx, &label)?);
                let kind = Kind::of(algorithm).unwrap_or(Kind::Sha1);
                let padding = EncryptionPadding {
                    scheme: padding,
                    kind,
                    label: &label,
                };
                let result = crypt(&what, &key, &data, &padding);
                array_buffer(&ctx, &result.map_err(|failure| failure.throw(&ctx))?)
            },
        ),
    )?;
    agreement(ops)
}

fn agreement<'js>(ops: &Object<'js>) -> Result<()> {
    // (private key, public key)
    ops.set(
        "agree",
        Func::from(
            |ctx: Ctx<'js>, own: Class<'js, KeyState>, other: Class<'js, KeyState>| {
                let secret = agree(&*key_of(&own)?, &*key_of(&other)?);
                array_buffer(&ctx, &secret.map_err(|failure| failure.throw(&ctx))?)
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
