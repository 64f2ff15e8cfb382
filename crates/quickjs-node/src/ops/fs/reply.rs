//! What an operation yields, and as JavaScript's value.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::time::UNIX_EPOCH;

use rquickjs::{Array, Ctx, IntoJs as _, Result, TypedArray, Value};

use super::Outcome;
use crate::memory::array_buffer;
use crate::text::raw_string;

pub(super) enum Reply {
    Done,
    Number(f64),
    /// Numbers of a `stat` or `statfs`.
    Numbers(Vec<f64>),
    Bytes(Vec<u8>),
    /// A path or name: a string, or bytes when it is not UTF-8.
    Name(Vec<u8>),
    /// A folder's content: name, kind, name, kind …
    Entries(Vec<(Vec<u8>, i32)>),
}

impl Reply {
    /// dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks, then atime, mtime, ctime, birthtime as
    /// seconds and nanoseconds.
    #[expect(
        clippy::cast_precision_loss,
        reason = "JavaScript's numbers; Node loses the same bits"
    )]
    pub(super) fn stat(of: &Metadata) -> Self {
        let (born, born_ns) = of
            .created()
            .ok()
            .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
            .map_or((of.ctime() as f64, of.ctime_nsec() as f64), |since| {
                (since.as_secs() as f64, f64::from(since.subsec_nanos()))
            });
        Self::Numbers(vec![
            of.dev() as f64,
            f64::from(of.mode()),
            of.nlink() as f64,
            f64::from(of.uid()),
            f64::from(of.gid()),
            of.rdev() as f64,
            of.blksize() as f64,
            of.ino() as f64,
            of.size() as f64,
            of.blocks() as f64,
            of.atime() as f64,
            of.atime_nsec() as f64,
            of.mtime() as f64,
            of.mtime_nsec() as f64,
            of.ctime() as f64,
            of.ctime_nsec() as f64,
            born,
            born_ns,
        ])
    }
}

pub(super) fn value<'js>(ctx: &Ctx<'js>, outcome: Outcome) -> Result<Value<'js>> {
    match outcome {
        Err(errno) => Ok(Value::new_int(ctx.clone(), -errno.raw_os_error())),
        Ok(Reply::Done) => Ok(Value::new_int(ctx.clone(), 0)),
        Ok(Reply::Number(number)) => Ok(Value::new_number(ctx.clone(), number)),
        Ok(Reply::Numbers(numbers)) => TypedArray::new_copy(ctx.clone(), numbers)?.into_js(ctx),
        Ok(Reply::Bytes(bytes)) => array_buffer(ctx, &bytes),
        Ok(Reply::Name(name)) => text(ctx, &name),
        Ok(Reply::Entries(entries)) => {
            let array = Array::new(ctx.clone())?;
            for (at, (entry, kind)) in entries.into_iter().enumerate() {
                array.set(at * 2, text(ctx, &entry)?)?;
                array.set(at * 2 + 1, kind)?;
            }
            Ok(array.into_value())
        }
    }
}

fn text<'js>(ctx: &Ctx<'js>, name: &[u8]) -> Result<Value<'js>> {
    match std::str::from_utf8(name) {
        Ok(_) => raw_string(ctx, name),
        Err(_) => array_buffer(ctx, name),
    }
}
