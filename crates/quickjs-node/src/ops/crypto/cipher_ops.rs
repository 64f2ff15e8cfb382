//! Ciphers for JavaScript.

use fulmar_node_crypto::{
    Cipher, Direction, Mode, Parameters, TAG_BYTES, Zeroizing, unwrap, web_ctr, wrap,
};
use rquickjs::function::Func;
use rquickjs::{Class, Ctx, IntoJs as _, JsLifetime, Object, Result, Value, class::Trace};

use super::bytes::{Encoding, array_buffer, copied, if_data, with_data};
use super::failure::Throw as _;
use crate::text::buffer;

/// `Cipheriv` and `Decipheriv` themselves (see `HashState`): what runs, what has been called, and the tag.
#[derive(Trace, JsLifetime)]
#[rquickjs::class]
pub(crate) struct CipherState {
    /// Taken away by `final`.
    #[qjs(skip_trace)]
    running: Option<Running>,
    #[qjs(skip_trace)]
    is_updated: bool,
    #[qjs(skip_trace)]
    tag: TagState,
}

struct Running(Box<Cipher>);

// SAFETY: a cipher holds no JavaScript value.
unsafe impl<'js> JsLifetime<'js> for Running {
    type Changed<'to> = Self;
}

/// The tag of an authenticated cipher.
#[derive(Clone, Copy, PartialEq)]
enum TagState {
    /// The cipher has none.
    None,
    /// It comes out at the end.
    ToCome,
    /// One of so many bytes has to be given.
    Expected(usize),
    Given([u8; TAG_BYTES], usize),
    Out([u8; TAG_BYTES], usize),
}

// SAFETY: a tag holds no JavaScript value.
unsafe impl<'js> JsLifetime<'js> for TagState {
    type Changed<'to> = Self;
}

/// The longest initialisation vector that OpenSSL takes for GCM.
const GCM_IV_BYTES_MAX: usize = 128;

/// By the numbers of `more-ops.ts`.
fn mode(number: u32) -> Option<Mode> {
    Some(match number {
        0 => Mode::Ecb,
        1 => Mode::Cbc,
        2 => Mode::Ctr,
        3 => Mode::Gcm,
        4 => Mode::ChaCha20Poly1305,
        5 => Mode::Wrap,
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

/// What the functions below give instead of a result: the call was right; it comes at the wrong time; there
/// are no bytes in its argument.
const TAKEN: i32 = 0;
const WRONG_STATE: i32 = 1;
const NO_DATA: i32 = 2;

type State<'js> = Class<'js, CipherState>;

pub(super) fn install<'js>(ops: &Object<'js>) -> Result<()> {
    // (mode, decrypts, key, initialisation vector, bytes of the tag, those of the key?, prototype); null when
    // the lengths do not fit
    ops.set(
        "cipherStart",
        Func::from(
            |number: u32,
             decrypts: bool,
             key: Value<'js>,
             iv: Value<'js>,
             tag_bytes: usize,
             key_bytes: Option<usize>,
             prototype: Object<'js>| {
                let ctx = prototype.ctx().clone();
                let (key, iv) = (Zeroizing::new(copied(&ctx, &key)?), copied(&ctx, &iv)?);
                let given = Parameters {
                    key: &key,
                    iv: &iv,
                    tag_bytes,
                };
                let mode = mode(number).filter(|mode| {
                    key_bytes.is_none_or(|bytes| bytes == key.len())
                        && (*mode != Mode::Gcm || iv.len() <= GCM_IV_BYTES_MAX)
                });
                match mode.and_then(|mode| started(mode, decrypts, given)) {
                    Some(state) => Class::instance_proto(state, prototype)?.into_js(&ctx),
                    None => Ok(Value::new_null(ctx)),
                }
            },
        ),
    )?;
    // (state, data, encoding) → what is ready, or a number
    ops.set(
        "cipherUpdate",
        Func::from(
            |ctx: Ctx<'js>, state: State<'js>, data: Value<'js>, encoding: u32| {
                update(&ctx, &state, &data, encoding)
            },
        ),
    )?;
    // (state, data) → a number
    ops.set(
        "cipherAdd",
        Func::from(|ctx: Ctx<'js>, state: State<'js>, data: Value<'js>| add(&ctx, &state, &data)),
    )?;
    // (state, on) → a number
    ops.set(
        "cipherPadding",
        Func::from(|state: State<'js>, on: bool| -> Result<i32> {
            let mut state = state.try_borrow_mut()?;
            let set = state
                .running
                .as_mut()
                .map(|running| running.0.set_padding(on));
            Ok(set.map_or(WRONG_STATE, |()| TAKEN))
        }),
    )?;
    // (state, encoding) → the last bytes, or a number
    ops.set(
        "cipherFinish",
        Func::from(|ctx: Ctx<'js>, state: State<'js>, encoding: u32| {
            finish(&ctx, &state, encoding)
        }),
    )?;
    tags(ops)?;
    at_once(ops)
}

/// The tags of modes that authenticate.
fn tags<'js>(ops: &Object<'js>) -> Result<()> {
    // (state, tag) → a number, or how long the tag is not to be, below zero
    ops.set(
        "cipherSetTag",
        Func::from(|ctx: Ctx<'js>, state: State<'js>, tag: Value<'js>| set_tag(&ctx, &state, &tag)),
    )?;
    // null when there is none
    ops.set(
        "cipherTag",
        Func::from(
            |ctx: Ctx<'js>, state: State<'js>| match state.try_borrow()?.tag {
                TagState::Out(tag, bytes) => buffer(&ctx, &tag[..bytes]),
                _ => Ok(Value::new_null(ctx)),
            },
        ),
    )
}

fn started(mode: Mode, decrypts: bool, given: Parameters<'_>) -> Option<CipherState> {
    let cipher = Cipher::new(mode, direction(decrypts), given)?;
    Some(CipherState {
        running: Some(Running(Box::new(cipher))),
        is_updated: false,
        tag: match (given.tag_bytes, decrypts) {
            (0, _) => TagState::None,
            (bytes, true) => TagState::Expected(bytes),
            (_, false) => TagState::ToCome,
        },
    })
}

fn update<'js>(
    ctx: &Ctx<'js>,
    state: &State<'js>,
    data: &Value<'js>,
    encoding: u32,
) -> Result<Value<'js>> {
    let out = {
        let mut state = state.try_borrow_mut()?;
        let mut is_some = false;
        let Some(Running(cipher)) = &mut state.running else {
            return WRONG_STATE.into_js(ctx);
        };
        let given = if_data(data, |data| {
            is_some = !data.is_empty();
            cipher.update(data)
        });
        let Some(out) = given? else {
            return NO_DATA.into_js(ctx);
        };
        // As OpenSSL, for which data begins with its first byte: until then, more may be authenticated.
        state.is_updated |= is_some;
        out
    };
    Encoding::of(encoding).encode(ctx, &out.map_err(|failure| failure.throw(ctx))?)
}

fn add<'js>(ctx: &Ctx<'js>, state: &State<'js>, data: &Value<'js>) -> Result<i32> {
    let mut state = state.try_borrow_mut()?;
    let is_fit = state.tag != TagState::None && !state.is_updated;
    let Some(Running(cipher)) = state.running.as_mut().filter(|_| is_fit) else {
        return Ok(WRONG_STATE);
    };
    with_data(ctx, data, |data| cipher.add(data))?;
    Ok(TAKEN)
}

fn finish<'js>(ctx: &Ctx<'js>, state: &State<'js>, encoding: u32) -> Result<Value<'js>> {
    let (running, tag) = {
        let mut state = state.try_borrow_mut()?;
        (state.running.take(), state.tag)
    };
    let Some(Running(cipher)) = running else {
        return WRONG_STATE.into_js(ctx);
    };
    let given = match &tag {
        TagState::Given(tag, bytes) => Some(&tag[..*bytes]),
        _ => None,
    };
    let (last, made) = cipher.finish(given).map_err(|failure| failure.throw(ctx))?;
    if let Some((tag, bytes)) = made.as_deref().and_then(fixed) {
        state.try_borrow_mut()?.tag = TagState::Out(tag, bytes);
    }
    Encoding::of(encoding).encode(ctx, &last)
}

fn set_tag<'js>(ctx: &Ctx<'js>, state: &State<'js>, tag: &Value<'js>) -> Result<i32> {
    let mut state = state.try_borrow_mut()?;
    let (TagState::Expected(bytes), true) = (state.tag, state.running.is_some()) else {
        return Ok(WRONG_STATE);
    };
    let (length, given) = with_data(ctx, tag, |tag| (tag.len(), fixed(tag)))?;
    match given {
        Some((tag, _)) if length == bytes => {
            state.tag = TagState::Given(tag, bytes);
            Ok(TAKEN)
        }
        // A length of 0 stands apart from the other numbers.
        _ => Ok(i32::try_from(length).map_or(i32::MIN, |length| -1 - length)),
    }
}

/// As long as the longest tag, and how many bytes of it there are.
fn fixed(tag: &[u8]) -> Option<([u8; TAG_BYTES], usize)> {
    let mut all = [0; TAG_BYTES];
    all.get_mut(..tag.len())?.copy_from_slice(tag);
    Some((all, tag.len()))
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
