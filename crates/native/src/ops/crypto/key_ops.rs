//! Keys for JavaScript: read, written, generated, taken apart.

use std::rc::Rc;
use std::sync::Arc;

use getrandom::SysRng;
use getrandom::rand_core::UnwrapErr;
use rquickjs::function::Func;
use rquickjs::{
    Array, Class, Ctx, Function, IntoJs as _, JsLifetime, Object, Result, Value, class::Trace,
};
use rsa::{BoxedUint, RsaPrivateKey};

use super::bytes::{array_buffer, copied};
use super::curve::Curve;
use super::failure::Failure;
use super::job;
use super::key::{EcKey, Key, Okp, PssLimits, Purpose, RsaKey, RsaSecrets};
use super::key_format::{self, Format};
use super::{hash, pbes, pem, random};
use crate::event_loop::EventLoop;

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

pub(super) fn install<'js>(ops: &Object<'js>, event_loop: &Rc<EventLoop>) -> Result<()> {
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
            match key_format::write(&*key_of(&key)?, format) {
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
                let encrypted = pbes::encrypt(&data, &passphrase, bytes);
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

fn format_of(name: &str) -> Option<Format> {
    Some(match name {
        "pkcs1" => Format::Pkcs1,
        "pkcs8" => Format::Pkcs8,
        "sec1" => Format::Sec1,
        "spki" => Format::Spki,
        "certificate" => Format::Certificate,
        _ => return None,
    })
}

fn read(
    data: &[u8],
    format: &str,
    secret: bool,
    passphrase: Option<&[u8]>,
) -> std::result::Result<Key, Failure> {
    if format == "pem" {
        return pem::read(data, secret, passphrase);
    }
    let format = format_of(format).ok_or(Failure::Unsupported)?;
    let encrypted = format == Format::Pkcs8 && passphrase.is_some();
    let first = if encrypted {
        Format::EncryptedPkcs8
    } else {
        format
    };
    match key_format::read(data, first, secret, passphrase) {
        Err(Failure::Unsupported) if encrypted => key_format::read(data, format, secret, None),
        Err(Failure::Unsupported) if format == Format::Pkcs8 => {
            // An encrypted key without a passphrase is told from what is no key at all.
            let looks_encrypted = key_format::read(data, Format::EncryptedPkcs8, secret, Some(&[]));
            Err(match looks_encrypted {
                Err(Failure::BadDecrypt) | Ok(_) => Failure::MissingPassphrase,
                _ => Failure::Unsupported,
            })
        }
        other => other,
    }
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

/// The parts of a key as JWK has them: RSA n, e, d, p, q, dp, dq, qi; curves x, y, d; Ed25519 and X25519 x, d.
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

fn parts(key: &Key) -> Vec<Vec<u8>> {
    match key {
        Key::Rsa(key) => {
            let mut parts = vec![key.n.clone(), key.e.clone()];
            if let Some(RsaSecrets {
                d,
                p,
                q,
                dp,
                dq,
                qi,
            }) = &key.private
            {
                parts.extend([d, p, q, dp, dq, qi].map(Clone::clone));
            }
            parts
        }
        Key::Ec(key) => {
            let (x, y) = key.point[1..].split_at(key.curve.field_bytes());
            let mut parts = vec![x.to_vec(), y.to_vec()];
            parts.extend(key.scalar.clone());
            parts
        }
        Key::Ed25519(key) | Key::X25519(key) => {
            let mut parts = vec![key.public.to_vec()];
            parts.extend(key.secret.map(|secret| secret.to_vec()));
            parts
        }
    }
}

fn of_parts(kind: &str, parts: &[Vec<u8>]) -> Option<Key> {
    match (kind, parts) {
        ("rsa", [n, e]) => Some(Key::Rsa(Box::new(RsaKey::public(n, e)))),
        ("rsa", [n, e, secrets @ ..]) => {
            let mut key = RsaKey::public(n, e);
            key.private = Some(RsaSecrets::of(secrets)?);
            Some(Key::Rsa(Box::new(key)))
        }
        ("ed25519", parts) => okp(parts, Okp::ed25519).map(Key::Ed25519),
        ("x25519", parts) => okp(parts, Okp::x25519).map(Key::X25519),
        (curve, [x, y, rest @ ..]) => {
            let curve = Curve::of(curve)?;
            let point = [&[4][..], &padded(x, curve)?, &padded(y, curve)?].concat();
            let public = EcKey::public(curve, &point).ok()?;
            match rest {
                [] => Some(Key::Ec(public)),
                [scalar] => {
                    let private = EcKey::private(curve, scalar).ok()?;
                    (private.point == public.point).then_some(Key::Ec(private))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn padded(part: &[u8], curve: Curve) -> Option<Vec<u8>> {
    let missing = curve.field_bytes().checked_sub(part.len())?;
    let mut out = vec![0; missing];
    out.extend(part);
    Some(out)
}

fn okp(parts: &[Vec<u8>], make: fn([u8; 32]) -> Okp) -> Option<Okp> {
    match parts {
        [public] => Some(Okp {
            public: public.as_slice().try_into().ok()?,
            secret: None,
        }),
        [public, secret] => {
            let key = make(secret.as_slice().try_into().ok()?);
            (public.is_empty() || *public == key.public).then_some(key)
        }
        _ => None,
    }
}

/// What is to be generated.
#[derive(Clone)]
enum Wish {
    Rsa {
        bits: usize,
        exponent: u32,
        purpose: Purpose,
    },
    Curve(Curve),
    Ed25519,
    X25519,
}

fn generation<'js>(ops: &Object<'js>, event_loop: &Rc<EventLoop>) -> Result<()> {
    let turn = Rc::clone(event_loop);
    // (kind or curve, bits, exponent, [hash, mgf, salt], callback(error, key)); without a callback the key is returned
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

fn generate(wish: &Wish) -> std::result::Result<Key, Failure> {
    let seed = || {
        let mut seed = [0; 32];
        random::fill(&mut seed).map_err(|_| Failure::Random)?;
        Ok(seed)
    };
    Ok(match wish {
        Wish::Rsa {
            bits,
            exponent,
            purpose,
        } => {
            let exponent = BoxedUint::from(u64::from(*exponent));
            let key =
                RsaPrivateKey::new_with_exp_unchecked(&mut UnwrapErr(SysRng), *bits, exponent);
            let mut key = RsaKey::of(key.map_err(|_| Failure::Generation)?);
            key.purpose = *purpose;
            Key::Rsa(Box::new(key))
        }
        Wish::Curve(curve) => Key::Ec(EcKey::private(*curve, &curve.generate()?)?),
        Wish::Ed25519 => Key::Ed25519(Okp::ed25519(seed()?)),
        Wish::X25519 => Key::X25519(Okp::x25519(seed()?)),
    })
}
