//! Hashes and HMACs for JavaScript: in one call where the data is there, as a state that is fed otherwise.

use rquickjs::function::{Func, Opt};
use rquickjs::{Class, Ctx, Exception, JsLifetime, Object, Result, Value, class::Trace};

use super::bytes::{Encoding, with_data};
use fulmar_node_crypto::{Hasher, Hmac, Kind, NAMES, number};

/// A hash or HMAC that is fed piece by piece; taken away by the digest.
#[derive(Trace, JsLifetime)]
#[rquickjs::class]
pub(crate) struct HashState {
    #[qjs(skip_trace)]
    running: Option<Running>,
}

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
    ops.set(
        "hashStart",
        Func::from(
            |ctx: Ctx<'js>,
             algorithm: u32,
             length: Opt<Option<u32>>,
             data: Opt<Option<Value<'js>>>| {
                let mut hasher = Hasher::new(kind(&ctx, algorithm)?);
                if let Some(data) = data.0.flatten() {
                    with_data(&ctx, &data, |bytes| hasher.update(bytes))?;
                }
                instance(&ctx, Running::Hash(hasher, usize_of(length.0.flatten())))
            },
        ),
    )?;
    ops.set(
        "hmacStart",
        Func::from(|ctx: Ctx<'js>, algorithm: u32, key: Value<'js>| {
            let hmac = keyed(&ctx, algorithm, &key)?;
            instance(&ctx, Running::Hmac(hmac))
        }),
    )?;
    ops.set(
        "hashUpdate",
        Func::from(
            |ctx: Ctx<'js>, state: Class<'js, HashState>, data: Value<'js>| -> Result<()> {
                let mut state = state.try_borrow_mut()?;
                match &mut state.running {
                    Some(running) => with_data(&ctx, &data, |bytes| running.update(bytes)),
                    None => Err(Exception::throw_message(&ctx, "the digest was taken")),
                }
            },
        ),
    )?;
    ops.set(
        "hashCopy",
        Func::from(|ctx: Ctx<'js>, state: Class<'js, HashState>| {
            let running = state.try_borrow()?.running.clone();
            Class::instance(ctx, HashState { running })
        }),
    )?;
    ops.set(
        "hashFinish",
        Func::from(
            |ctx: Ctx<'js>, state: Class<'js, HashState>, encoding: u32| {
                let running = state.try_borrow_mut()?.running.take();
                let digest = running.map(Running::finish).unwrap_or_default();
                Encoding::of(encoding).encode(&ctx, &digest)
            },
        ),
    )
}

fn instance<'js>(ctx: &Ctx<'js>, running: Running) -> Result<Class<'js, HashState>> {
    let running = Some(running);
    Class::instance(ctx.clone(), HashState { running })
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
