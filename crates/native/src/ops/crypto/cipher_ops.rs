//! Ciphers for JavaScript.

use rquickjs::function::{Func, Opt};
use rquickjs::{
    Array, Class, Ctx, Exception, IntoJs as _, JsLifetime, Object, Result, Value, class::Trace,
};

use super::bytes::{array_buffer, copied, with_data};
use super::failure::Throw as _;
use fulmar_node_crypto::{Cipher, Direction, Mode, Parameters, unwrap, web_ctr, wrap};

/// A running cipher, taken away by `final`.
#[derive(Trace, JsLifetime)]
#[rquickjs::class]
pub(crate) struct CipherState {
    #[qjs(skip_trace)]
    running: Option<Running>,
}

struct Running(Box<Cipher>);

// SAFETY: a cipher holds no JavaScript value.
unsafe impl<'js> JsLifetime<'js> for Running {
    type Changed<'to> = Self;
}

/// The longest initialisation vector that OpenSSL takes for GCM.
const GCM_IV_BYTES_MAX: usize = 128;

fn mode(name: &str) -> Option<Mode> {
    Some(match name {
        "ecb" => Mode::Ecb,
        "cbc" => Mode::Cbc,
        "ctr" => Mode::Ctr,
        "gcm" => Mode::Gcm,
        "chacha20-poly1305" => Mode::ChaCha20Poly1305,
        _ => return None,
    })
}

fn direction(decrypts: bool) -> Direction {
    if decrypts {
        Direction::Decrypt
    } else {
        Direction::Encrypt
    }
}

pub(super) fn install<'js>(ops: &Object<'js>) -> Result<()> {
    // (mode, decrypts, key, initialisation vector, bytes of the tag, those of the key?); null when the lengths do not fit
    ops.set(
        "cipherStart",
        Func::from(
            |ctx: Ctx<'js>,
             name: String,
             decrypts: bool,
             key: Value<'js>,
             iv: Value<'js>,
             tag_bytes: usize,
             key_bytes: Opt<Option<usize>>| {
                let (key, iv) = (copied(&ctx, &key)?, copied(&ctx, &iv)?);
                let is_key = key_bytes.0.flatten().is_none_or(|bytes| bytes == key.len());
                let given = Parameters {
                    key: &key,
                    iv: &iv,
                    tag_bytes,
                };
                let mode = mode(&name)
                    .filter(|mode| is_key && (*mode != Mode::Gcm || iv.len() <= GCM_IV_BYTES_MAX));
                let cipher = mode.and_then(|mode| Cipher::new(mode, direction(decrypts), given));
                match cipher {
                    Some(cipher) => {
                        let running = Some(Running(Box::new(cipher)));
                        Class::instance(ctx.clone(), CipherState { running })?.into_js(&ctx)
                    }
                    None => Ok(Value::new_null(ctx)),
                }
            },
        ),
    )?;
    ops.set(
        "cipherUpdate",
        Func::from(
            |ctx: Ctx<'js>, state: Class<'js, CipherState>, data: Value<'js>| {
                let mut state = state.try_borrow_mut()?;
                let cipher = running(&ctx, &mut state)?;
                let out = with_data(&ctx, &data, |data| cipher.update(data))?;
                array_buffer(&ctx, &out.map_err(|failure| failure.throw(&ctx))?)
            },
        ),
    )?;
    ops.set(
        "cipherAdd",
        Func::from(
            |ctx: Ctx<'js>, state: Class<'js, CipherState>, data: Value<'js>| {
                let mut state = state.try_borrow_mut()?;
                let cipher = running(&ctx, &mut state)?;
                with_data(&ctx, &data, |data| cipher.add(data))
            },
        ),
    )?;
    ops.set(
        "cipherPadding",
        Func::from(
            |ctx: Ctx<'js>, state: Class<'js, CipherState>, on: bool| -> Result<()> {
                running(&ctx, &mut *state.try_borrow_mut()?)?.set_padding(on);
                Ok(())
            },
        ),
    )?;
    // (state, tag or undefined) → [last bytes, tag]
    ops.set(
        "cipherFinish",
        Func::from(
            |ctx: Ctx<'js>, state: Class<'js, CipherState>, tag: Value<'js>| {
                let tag = if tag.is_undefined() {
                    None
                } else {
                    Some(copied(&ctx, &tag)?)
                };
                let running = state.try_borrow_mut()?.running.take();
                let Some(Running(cipher)) = running else {
                    return Err(Exception::throw_message(&ctx, "the cipher has ended"));
                };
                let (last, tag) = cipher
                    .finish(tag.as_deref())
                    .map_err(|failure| failure.throw(&ctx))?;
                let result = Array::new(ctx.clone())?;
                result.set(0, array_buffer(&ctx, &last)?)?;
                if let Some(tag) = tag {
                    result.set(1, array_buffer(&ctx, &tag)?)?;
                }
                Ok(result)
            },
        ),
    )?;
    at_once(ops)
}

/// What takes everything in one call.
fn at_once<'js>(ops: &Object<'js>) -> Result<()> {
    // (key, counter, bits of it that count, data)
    ops.set(
        "webCtr",
        Func::from(
            |ctx: Ctx<'js>, key: Value<'js>, counter: Value<'js>, bits: u32, data: Value<'js>| {
                let (key, counter) = (copied(&ctx, &key)?, copied(&ctx, &counter)?);
                let out = with_data(&ctx, &data, |data| web_ctr(&key, &counter, bits, data))?;
                array_buffer(&ctx, &out.map_err(|failure| failure.throw(&ctx))?)
            },
        ),
    )?;
    // (unwraps, key, data) → bytes; null when it does not fit
    ops.set(
        "keyWrap",
        Func::from(
            |ctx: Ctx<'js>, unwraps: bool, key: Value<'js>, data: Value<'js>| {
                let (key, data) = (copied(&ctx, &key)?, copied(&ctx, &data)?);
                let out = if unwraps {
                    unwrap(&key, &data)
                } else {
                    wrap(&key, &data)
                };
                match out {
                    Some(out) => array_buffer(&ctx, &out),
                    None => Ok(Value::new_null(ctx)),
                }
            },
        ),
    )
}

fn running<'a>(ctx: &Ctx<'_>, state: &'a mut CipherState) -> Result<&'a mut Cipher> {
    match &mut state.running {
        Some(Running(cipher)) => Ok(cipher),
        None => Err(Exception::throw_message(ctx, "the cipher has ended")),
    }
}
