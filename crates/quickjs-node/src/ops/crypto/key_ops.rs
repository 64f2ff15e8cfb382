//! Keys for JavaScript: read, written, generated, taken apart.

use std::rc::Rc;
use std::sync::Arc;

use fulmar_node_crypto::{
    Curve, Failure, Format, Key, PssLimits, Purpose, Wish, encrypt_key, format_of, generate,
    of_parts, parts, read, write,
};
use rquickjs::function::Func;
use rquickjs::{
    Array, Class, Ctx, Function, IntoJs as _, JsLifetime, Object, Result, Value, class::Trace,
};

use super::bytes::{array_buffer, copied};
use super::failure::Throw as _;
use super::{hash, job};
use crate::event_loop::Loop;

/// An asymmetric key held by a `KeyObject`.
#[derive(Trace, JsLifetime)]
#[rquickjs::class]
pub(crate) struct KeyState {
    #[qjs(skip_trace)]
    key: Shared,
}

/// A key that other threads may use as well.
#[derive(Clone)]
pub(super) struct Shared(pub(super) Arc<Key>);

// SAFETY: a key holds no JavaScript value.
unsafe impl<'js> JsLifetime<'js> for Shared {
    type Changed<'to> = Self;
}

/// The key that a value of JavaScript's holds.
pub(super) fn key_of(state: &Class<'_, KeyState>) -> Result<Arc<Key>> {
    Ok(Arc::clone(&state.try_borrow()?.key.0))
}

fn instance<'js>(ctx: &Ctx<'js>, key: Key) -> Result<Class<'js, KeyState>> {
    let key = Shared(Arc::new(key));
    Class::instance(ctx.clone(), KeyState { key })
}

pub(super) fn install<'js>(ops: &Object<'js>, event_loop: &Rc<impl Loop>) -> Result<()> {
    // (bytes, 'pem' | 'pkcs1' | …, private key expected, passphrase)
    ops.set(
        "keyRead",
        Func::from(
            |ctx: Ctx<'js>,
             data: Value<'js>,
             format: String,
             secret: bool,
             passphrase: Value<'js>| {
                let data = copied(&ctx, &data)?;
                let passphrase = optional(&ctx, &passphrase)?;
                let key = read(&data, &format, secret, passphrase.as_deref());
                instance(&ctx, key.map_err(|failure| failure.throw(&ctx))?)
            },
        ),
    )?;
    // (key, format) → DER; null when the format does not fit
    ops.set(
        "keyWrite",
        Func::from(|ctx: Ctx<'js>, key: Class<'js, KeyState>, format: String| {
            let format = format_of(&format).unwrap_or(Format::Pkcs8);
            match write(&*key_of(&key)?, format) {
                Some(bytes) => array_buffer(&ctx, &bytes),
                None => Ok(Value::new_null(ctx)),
            }
        }),
    )?;
    // (PKCS #8, passphrase, bytes of the AES key) → EncryptedPrivateKeyInfo
    ops.set(
        "keyEncrypt",
        Func::from(
            |ctx: Ctx<'js>, data: Value<'js>, passphrase: Value<'js>, bytes: usize| {
                let (data, passphrase) = (copied(&ctx, &data)?, copied(&ctx, &passphrase)?);
                let encrypted = encrypt_key(&data, &passphrase, bytes);
                array_buffer(&ctx, &encrypted.map_err(|failure| failure.throw(&ctx))?)
            },
        ),
    )?;
    ops.set(
        "keyPublic",
        Func::from(|ctx: Ctx<'js>, key: Class<'js, KeyState>| {
            instance(&ctx, key_of(&key)?.public())
        }),
    )?;
    ops.set(
        "keyInfo",
        Func::from(|ctx: Ctx<'js>, key: Class<'js, KeyState>| info(&ctx, &*key_of(&key)?)),
    )?;
    components(ops)?;
    generation(ops, event_loop)
}

fn optional<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<Option<Vec<u8>>> {
    if value.is_undefined() || value.is_null() {
        return Ok(None);
    }
    copied(ctx, value).map(Some)
}

/// `{ kind, private, bits, exponent, curve, … }`
fn info<'js>(ctx: &Ctx<'js>, key: &Key) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    object.set("kind", key.kind())?;
    object.set("private", key.is_private())?;
    match key {
        Key::Rsa(key) => {
            object.set("bits", key.bits())?;
            object.set("exponent", array_buffer(ctx, &key.e)?)?;
            if let Some(limits) = key.limits() {
                object.set("hash", limits.hash.name())?;
                object.set("mgf", limits.mgf.name())?;
                object.set("salt", limits.salt)?;
            }
        }
        Key::Ec(key) => object.set("curve", key.curve.name())?,
        Key::Ed25519(_) | Key::X25519(_) => {}
    }
    Ok(object)
}

/// The parts of a key as JWK has them: RSA n, e, d, p, q, dp, dq, qi; curves x, y, d; Ed25519 and X25519 x,
/// d.
fn components<'js>(ops: &Object<'js>) -> Result<()> {
    ops.set(
        "keyParts",
        Func::from(|ctx: Ctx<'js>, key: Class<'js, KeyState>| {
            let list = Array::new(ctx.clone())?;
            for (at, part) in parts(&*key_of(&key)?).into_iter().enumerate() {
                list.set(at, array_buffer(&ctx, &part)?)?;
            }
            Ok::<_, rquickjs::Error>(list)
        }),
    )?;
    // ('rsa' | a curve | 'ed25519' | 'x25519', parts); null when they do not make a key
    ops.set(
        "keyOfParts",
        Func::from(|ctx: Ctx<'js>, kind: String, parts: Array<'js>| {
            let mut list = Vec::new();
            for part in parts.iter::<Value<'js>>() {
                list.push(copied(&ctx, &part?)?);
            }
            match of_parts(&kind, &list) {
                Some(key) => instance(&ctx, key)?.into_js(&ctx),
                None => Ok(Value::new_null(ctx)),
            }
        }),
    )
}

fn generation<'js>(ops: &Object<'js>, event_loop: &Rc<impl Loop>) -> Result<()> {
    let turn = Rc::clone(event_loop);
    // (kind or curve, bits, exponent, [hash, mgf, salt], callback(error, key)); without a callback the key is
    // returned
    ops.set(
        "keyGenerate",
        Func::from(
            move |ctx: Ctx<'js>,
                  kind: String,
                  bits: usize,
                  exponent: u32,
                  limits: Vec<u32>,
                  done: Value<'js>| {
                let wish = wish(&ctx, &kind, bits, exponent, &limits)?;
                if let Ok(done) = Function::from_value(done) {
                    job::run(
                        &ctx,
                        &turn,
                        done,
                        move || generate(&wish),
                        |ctx, key| instance(ctx, key)?.into_js(ctx),
                    );
                    Ok(Value::new_undefined(ctx))
                } else {
                    let key = generate(&wish).map_err(|failure| failure.throw(&ctx))?;
                    instance(&ctx, key)?.into_js(&ctx)
                }
            },
        ),
    )
}

fn wish(ctx: &Ctx<'_>, kind: &str, bits: usize, exponent: u32, limits: &[u32]) -> Result<Wish> {
    Ok(match kind {
        "rsa" => Wish::Rsa {
            bits,
            exponent,
            purpose: Purpose::Anything,
        },
        "rsa-pss" => {
            let limits = match limits {
                [own, mgf, salt] => Some(PssLimits {
                    hash: hash::kind(ctx, *own)?,
                    mgf: hash::kind(ctx, *mgf)?,
                    salt: *salt,
                }),
                _ => None,
            };
            Wish::Rsa {
                bits,
                exponent,
                purpose: Purpose::Pss(limits),
            }
        }
        "ed25519" => Wish::Ed25519,
        "x25519" => Wish::X25519,
        curve => Wish::Curve(Curve::of(curve).ok_or_else(|| Failure::Generation.throw(ctx))?),
    })
}
