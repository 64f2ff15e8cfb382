//! Compression for `node:zlib`: streams of deflate, brotli and Zstandard, one step at a time.

mod brotli;
mod deflate;
#[cfg(test)]
mod tests;
mod zstandard;

use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use rquickjs::function::{Func, Opt};
use rquickjs::{Array, Ctx, Function, Object, Result, Value};

use crate::event_loop::Loop;
use crate::memory::{put, with_bytes, with_input_and_output};
use crate::ops::background;

/// Input up to this size is worked on at once, in bytes: a thread would cost more than it saves.
const AT_ONCE_MAX: usize = 16 * 1024;
/// `Z_FINISH`, brotli's `FINISH` and Zstandard's `end` reach the codecs as this.
const STATUS_OK: i32 = 0;

/// What a step did.
pub(super) struct Step {
    pub(super) read: usize,
    pub(super) written: usize,
    pub(super) failure: Option<Failure>,
}

impl Step {
    fn panicked() -> Self {
        Self {
            read: 0,
            written: 0,
            failure: Some(Failure::new("the codec failed", -2, "Z_STREAM_ERROR")),
        }
    }
}

/// As Node reports it: message, number, name.
pub(super) struct Failure {
    pub(super) message: String,
    pub(super) number: i32,
    pub(super) code: String,
}

impl Failure {
    pub(super) fn new(message: impl Into<String>, number: i32, code: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            number,
            code: code.into(),
        }
    }

    /// Something follows the compressed stream, and the application asked to be told.
    pub(super) fn junk() -> Self {
        Self::new(
            "Trailing junk found after the end of the compressed stream",
            0,
            "ERR_TRAILING_JUNK_AFTER_STREAM_END",
        )
    }

    /// The input ends too early.
    pub(super) fn unexpected_end() -> Self {
        Self::new("unexpected end of file", -5, "Z_BUF_ERROR")
    }
}

pub(super) trait Codec: Send {
    fn step(&mut self, flush: u32, input: &[u8], output: &mut [u8]) -> Step;
    fn reset(&mut self) -> std::result::Result<(), Failure>;
    fn params(&mut self, _level: i32, _strategy: i32) -> std::result::Result<(), Failure> {
        Ok(())
    }
}

type Shared = Arc<Mutex<Box<dyn Codec>>>;

pub(crate) fn install<'js>(ops: &Object<'js>, event_loop: &Rc<impl Loop>) -> Result<()> {
    let event_loop = Rc::clone(event_loop);
    ops.set(
        "zlib",
        Func::from(move |ctx: Ctx<'js>| -> Result<Object<'js>> {
            let zlib = Object::new(ctx)?;
            zlib.set(
                "crc32",
                Func::from(|ctx: Ctx<'js>, data: Value<'js>, seed: f64| {
                    with_bytes(&ctx, &data, |bytes| f64::from(deflate::crc32(bytes, seed)))
                }),
            )?;
            let event_loop = Rc::clone(&event_loop);
            // (mode, numbers, dictionary?, rejects what follows the stream?) → handle, or [message, number,
            // code]
            zlib.set(
                "open",
                Func::from(
                    move |ctx: Ctx<'js>,
                          mode: u32,
                          numbers: Vec<i32>,
                          dictionary: Opt<Value<'js>>,
                          rejects_junk: Opt<bool>| {
                        let dictionary = match dictionary.0.filter(Value::is_object) {
                            Some(value) => with_bytes(&ctx, &value, |bytes| bytes.to_vec())?,
                            None => Vec::new(),
                        };
                        match open(mode, &numbers, dictionary, rejects_junk.0.unwrap_or(false)) {
                            Ok(codec) => handle(&ctx, &event_loop, codec).map(Object::into_value),
                            Err(failure) => failed(&ctx, &failure).map(Array::into_value),
                        }
                    },
                ),
            )?;
            Ok(zlib)
        }),
    )
}

fn open(
    mode: u32,
    numbers: &[i32],
    dictionary: Vec<u8>,
    rejects_junk: bool,
) -> std::result::Result<Box<dyn Codec>, Failure> {
    match mode {
        1..=7 => deflate::open(mode, numbers, dictionary, rejects_junk),
        8 => brotli::decoder(numbers),
        9 => brotli::encoder(numbers),
        10 => zstandard::encoder(numbers, &dictionary),
        11 => zstandard::decoder(numbers, &dictionary, rejects_junk),
        _ => Err(Failure::new("Unknown mode", -2, "Z_STREAM_ERROR")),
    }
}

fn failed<'js>(ctx: &Ctx<'js>, failure: &Failure) -> Result<Array<'js>> {
    let array = Array::new(ctx.clone())?;
    array.set(0, failure.message.as_str())?;
    array.set(1, failure.number)?;
    array.set(2, failure.code.as_str())?;
    Ok(array)
}

/// `write(flush, input, output, result, callback?)`: `result` gets input and output left; yields 0 or a
/// failure.
fn handle<'js>(
    ctx: &Ctx<'js>,
    event_loop: &Rc<impl Loop>,
    codec: Box<dyn Codec>,
) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    let codec: Shared = Arc::new(Mutex::new(codec));
    let (shared, turn) = (Arc::clone(&codec), Rc::clone(event_loop));
    object.set(
        "write",
        Func::from(
            move |ctx: Ctx<'js>,
                  flush: u32,
                  input: Value<'js>,
                  output: Value<'js>,
                  result: Value<'js>,
                  callback: Opt<Function<'js>>| {
                let write = Write {
                    sizes: (size(&ctx, &input)?, size(&ctx, &output)?),
                    input,
                    output,
                    result,
                };
                match callback.0 {
                    None => {
                        let done = write.step(&ctx, &shared, flush)?;
                        write.finish(&ctx, done)
                    }
                    Some(callback) => {
                        write.later(&ctx, &turn, (Arc::clone(&shared), flush), callback)?;
                        Ok(Value::new_undefined(ctx))
                    }
                }
            },
        ),
    )?;
    let shared = Arc::clone(&codec);
    object.set(
        "reset",
        Func::from(move |ctx: Ctx<'js>| outcome(&ctx, lock(&shared).reset())),
    )?;
    object.set(
        "params",
        Func::from(move |ctx: Ctx<'js>, level: i32, strategy: i32| {
            outcome(&ctx, lock(&codec).params(level, strategy))
        }),
    )?;
    Ok(object)
}

fn lock(codec: &Shared) -> std::sync::MutexGuard<'_, Box<dyn Codec>> {
    codec.lock().unwrap_or_else(PoisonError::into_inner)
}

fn step(codec: &Shared, flush: u32, input: &[u8], output: &mut [u8]) -> Step {
    lock(codec).step(flush, input, output)
}

fn outcome<'js>(ctx: &Ctx<'js>, outcome: std::result::Result<(), Failure>) -> Result<Value<'js>> {
    match outcome {
        Ok(()) => Ok(Value::new_int(ctx.clone(), STATUS_OK)),
        Err(failure) => failed(ctx, &failure).map(Array::into_value),
    }
}

fn size<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<usize> {
    with_bytes(ctx, value, |bytes| bytes.len())
}

/// JavaScript's memory of one step. It is looked for each time: JavaScript runs between a step and its end.
struct Write<'js> {
    input: Value<'js>,
    output: Value<'js>,
    result: Value<'js>,
    /// Of input and output when the step was asked for, in bytes.
    sizes: (usize, usize),
}

impl<'js> Write<'js> {
    fn step(&self, ctx: &Ctx<'js>, codec: &Shared, flush: u32) -> Result<Step> {
        with_input_and_output(ctx, &self.input, &self.output, |input, output| {
            step(codec, flush, input, output)
        })
    }

    fn finish(&self, ctx: &Ctx<'js>, step: Step) -> Result<Value<'js>> {
        let left =
            |all: usize, done: usize| u32::try_from(all.saturating_sub(done)).unwrap_or(u32::MAX);
        let words = [
            left(self.sizes.0, step.read),
            left(self.sizes.1, step.written),
        ];
        put(
            ctx,
            &self.result,
            words.map(u32::to_ne_bytes).as_flattened(),
        )?;
        outcome(ctx, step.failure.map_or(Ok(()), Err))
    }

    fn later(
        self,
        ctx: &Ctx<'js>,
        event_loop: &Rc<impl Loop>,
        (codec, flush): (Shared, u32),
        callback: Function<'js>,
    ) -> Result<()> {
        if self.sizes.0 <= AT_ONCE_MAX {
            let done = self.step(ctx, &codec, flush)?;
            background::soon(ctx, event_loop, move |ctx| {
                let value = self.finish(ctx, done)?;
                callback.call::<_, ()>((value,))
            });
            return Ok(());
        }
        let input = with_bytes(ctx, &self.input, |bytes| bytes.to_vec())?;
        let mut output = vec![0; self.sizes.1];
        let work = move || {
            let done = step(&codec, flush, &input, &mut output);
            (done, output)
        };
        background::run(ctx, event_loop, work, move |ctx, outcome| {
            let (done, output) = outcome.unwrap_or_else(|| (Step::panicked(), Vec::new()));
            let written = output.get(..done.written).unwrap_or_default();
            put(ctx, &self.output, written)?;
            let value = self.finish(ctx, done)?;
            callback.call::<_, ()>((value,))
        });
        Ok(())
    }
}
