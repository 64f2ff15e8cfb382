//! Hashes and HMACs for JavaScript: in one call where the data is there, as a state that is fed otherwise.

use rquickjs::function::{Func, Opt};
use rquickjs::{
    Class, Ctx, Exception, IntoJs as _, JsLifetime, Object, Result, Value, class::Trace,
};

use super::bytes::{Encoding, if_data, with_data};
use fulmar_node_crypto::{Hasher, Hmac, Kind, NAMES, number};

/// A hash or HMAC that is fed piece by piece; taken away by the digest. With a prototype of JavaScript's it
/// is `Hash` and `Hmac` themselves: an object with members of its own would cost more than a short digest.
#[derive(Trace, JsLifetime)]
#[rquickjs::class]
pub(crate) struct HashState {
    #[qjs(skip_trace)]
    running: Option<Running>,
    /// The message, for whoever wants more than its digest; `None` where nobody does, or it is too long.
    #[qjs(skip_trace)]
    message: Option<Vec<u8>>,
    /// The digest that the end of a stream has taken.
    #[qjs(skip_trace)]
    flushed: Option<Vec<u8>>,
}

/// A message is kept up to this size, in bytes: a longer one takes longer to hash than to sign.
const KEPT_MAX: usize = 64 * 1024;

/// What came of a message that was fed piece by piece.
#[derive(Default)]
pub(super) struct Hashed {
    pub(super) digest: Vec<u8>,
    pub(super) message: Option<Vec<u8>>,
}

/// What `hashUpdate` gives.
const TAKEN: i32 = 0;
const ENDED: i32 = 1;
const NO_DATA: i32 = 2;
const FLUSHED: i32 = 3;

#[derive(Clone)]
enum Running {
    Hash(Hasher, Option<usize>),
    Hmac(Hmac),
}

// SAFETY: a running hash holds no JavaScript value.
unsafe impl<'js> JsLifetime<'js> for Running {
    type Changed<'to> = Self;
}

impl Running {
    fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Hash(hasher, _) => hasher.update(bytes),
            Self::Hmac(hmac) => hmac.update(bytes),
        }
    }

    fn finish(self) -> Vec<u8> {
        match self {
            Self::Hash(hasher, bytes) => hasher.finish(bytes),
            Self::Hmac(hmac) => hmac.finish(),
        }
    }
}

pub(super) fn install<'js>(ops: &Object<'js>) -> Result<()> {
    ops.set(
        "hashNames",
        Func::from(|| NAMES.iter().map(|(name, _)| *name).collect::<Vec<_>>()),
    )?;
    // The number of a hash function's name; -1 when there is none.
    ops.set(
        "hashNumber",
        Func::from(|name: String| {
            number(&name).map_or(-1, |place| i32::try_from(place).unwrap_or(-1))
        }),
    )?;
    // The bytes of a hash function's digest; negative where any other length can be asked for.
    ops.set(
        "hashBytes",
        Func::from(|ctx: Ctx<'js>, algorithm: u32| -> Result<i32> {
            let kind = kind(&ctx, algorithm)?;
            let bytes = i32::try_from(kind.output_bytes()).unwrap_or(0);
            Ok(if kind.is_extendable() { -bytes } else { bytes })
        }),
    )?;
    ops.set(
        "hashOnce",
        Func::from(
            |ctx: Ctx<'js>,
             algorithm: u32,
             data: Value<'js>,
             encoding: u32,
             length: Opt<Option<u32>>| {
                let mut hasher = Hasher::new(kind(&ctx, algorithm)?);
                with_data(&ctx, &data, |bytes| hasher.update(bytes))?;
                Encoding::of(encoding).encode(&ctx, &hasher.finish(usize_of(length.0.flatten())))
            },
        ),
    )?;
    ops.set(
        "hmacOnce",
        Func::from(
            |ctx: Ctx<'js>, algorithm: u32, key: Value<'js>, data: Value<'js>, encoding: u32| {
                let mut hmac = keyed(&ctx, algorithm, &key)?;
                with_data(&ctx, &data, |bytes| hmac.update(bytes))?;
                Encoding::of(encoding).encode(&ctx, &hmac.finish())
            },
        ),
    )?;
    states(ops)
}

fn states<'js>(ops: &Object<'js>) -> Result<()> {
    // (algorithm, bytes of the digest?, prototype)
    ops.set(
        "hashStart",
        Func::from(
            |ctx: Ctx<'js>, algorithm: u32, length: Option<u32>, prototype: Object<'js>| {
                let hasher = Hasher::new(kind(&ctx, algorithm)?);
                instance(Running::Hash(hasher, usize_of(length)), prototype)
            },
        ),
    )?;
    ops.set(
        "hmacStart",
        Func::from(
            |ctx: Ctx<'js>, algorithm: u32, key: Value<'js>, prototype: Object<'js>| {
                let hmac = keyed(&ctx, algorithm, &key)?;
                instance(Running::Hmac(hmac), prototype)
            },
        ),
    )?;
    // A hash that keeps what it is fed with, for a signature.
    ops.set(
        "messageStart",
        Func::from(|ctx: Ctx<'js>, algorithm: u32| {
            let state = HashState {
                running: Some(Running::Hash(Hasher::new(kind(&ctx, algorithm)?), None)),
                message: Some(Vec::new()),
                flushed: None,
            };
            Class::instance(ctx, state)
        }),
    )?;
    ops.set(
        "hashUpdate",
        Func::from(|state: Class<'js, HashState>, data: Value<'js>| update(&state, &data)),
    )?;
    results(ops)
}

/// What comes of what was fed.
fn results<'js>(ops: &Object<'js>) -> Result<()> {
    // (state, bytes of the digest?, prototype) → the copy; -1: the digest was taken, 0: it has another length
    ops.set(
        "hashCopy",
        Func::from(
            |ctx: Ctx<'js>,
             state: Class<'js, HashState>,
             length: Option<u32>,
             prototype: Object<'js>| {
                let Some(Running::Hash(hasher, _)) = &state.try_borrow()?.running else {
                    return (-1_i32).into_js(&ctx);
                };
                let length = usize_of(length);
                if length.is_some_and(|bytes| !hasher.gives(bytes)) {
                    return 0_i32.into_js(&ctx);
                }
                instance(Running::Hash(hasher.clone(), length), prototype)?.into_js(&ctx)
            },
        ),
    )?;
    ops.set(
        "hashFlush",
        Func::from(|ctx: Ctx<'js>, state: Class<'js, HashState>| {
            let Some(Hashed { digest, .. }) = finish(&state)? else {
                return Ok(Value::new_null(ctx));
            };
            let value = Encoding::Buffer.encode(&ctx, &digest);
            state.try_borrow_mut()?.flushed = Some(digest);
            value
        }),
    )?;
    // null: the digest was taken
    ops.set(
        "hashFinish",
        Func::from(
            |ctx: Ctx<'js>, state: Class<'js, HashState>, encoding: u32| match finish(&state)? {
                Some(hashed) => Encoding::of(encoding).encode(&ctx, &hashed.digest),
                None => Ok(Value::new_null(ctx)),
            },
        ),
    )
}

fn update(state: &Class<'_, HashState>, data: &Value<'_>) -> Result<i32> {
    let mut state = state.try_borrow_mut()?;
    let HashState {
        running,
        message,
        flushed,
    } = &mut *state;
    let Some(running) = running else {
        return Ok(if flushed.is_some() { FLUSHED } else { ENDED });
    };
    let taken = if_data(data, |bytes| {
        running.update(bytes);
        match message {
            Some(all) if all.len() + bytes.len() <= KEPT_MAX => all.extend(bytes),
            _ => *message = None,
        }
    });
    Ok(taken?.map_or(NO_DATA, |()| TAKEN))
}

/// Digest and message; `None` when they were taken.
pub(super) fn finish(state: &Class<'_, HashState>) -> Result<Option<Hashed>> {
    let mut state = state.try_borrow_mut()?;
    let message = state.message.take();
    let digest = match state.running.take() {
        Some(running) => Some(running.finish()),
        None => state.flushed.take(),
    };
    Ok(digest.map(|digest| Hashed { digest, message }))
}

fn instance<'js>(running: Running, prototype: Object<'js>) -> Result<Class<'js, HashState>> {
    let state = HashState {
        running: Some(running),
        message: None,
        flushed: None,
    };
    Class::instance_proto(state, prototype)
}

fn keyed<'js>(ctx: &Ctx<'js>, algorithm: u32, key: &Value<'js>) -> Result<Hmac> {
    let kind = kind(ctx, algorithm)?;
    with_data(ctx, key, |key| Hmac::new(kind, key))
}

fn usize_of(length: Option<u32>) -> Option<usize> {
    length.and_then(|bytes| usize::try_from(bytes).ok())
}

pub(super) fn kind(ctx: &Ctx<'_>, algorithm: u32) -> Result<Kind> {
    Kind::of(algorithm).ok_or_else(|| Exception::throw_type(ctx, "no such hash function"))
}
