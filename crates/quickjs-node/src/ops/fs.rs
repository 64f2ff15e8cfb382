//! Files, for `node:fs`. Every operation is one function: with a callback behind its arguments it runs on
//! another thread and calls back, without one it blocks. Both give the same value: what the operation yields,
//! or a negative errno.

mod directories;
mod files;
mod paths;
mod reply;

use std::ffi::OsString;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;
use std::rc::Rc;

use rquickjs::function::{Func, Opt};
use rquickjs::{Ctx, FromJs, Function, Object, Result, Value};
use rustix::io::Errno;

use crate::event_loop::Loop;
use crate::memory::with_bytes;
use crate::ops::background;
use crate::text::with_utf8;
use reply::Reply;

type Outcome = std::result::Result<Reply, Errno>;

/// `(path, number, …, callback?)`: defines one operation in both forms.
macro_rules! operation {
    ($fs:expr, $event_loop:expr, $name:literal, |$($arg:ident: $type:ty),*| $work:expr) => {{
        let event_loop = Rc::clone($event_loop);
        $fs.set(
            $name,
            Func::from(move |ctx: Ctx<'js>, $($arg: $type,)* callback: Opt<Function<'js>>| {
                perform(&ctx, &event_loop, callback, move || $work)
            }),
        )?;
    }};
}
use operation;

/// The operations are made when `node:fs` asks for them.
pub(crate) fn install<'js>(ops: &Object<'js>, event_loop: &Rc<impl Loop>) -> Result<()> {
    let event_loop = Rc::clone(event_loop);
    ops.set(
        "fs",
        Func::from(move |ctx: Ctx<'js>| -> Result<Object<'js>> {
            let fs = Object::new(ctx)?;
            files::install(&fs, &event_loop)?;
            paths::install(&fs, &event_loop)?;
            directories::install(&fs, &event_loop)?;
            Ok(fs)
        }),
    )
}

/// Here and now, or on another thread.
fn perform<'js>(
    ctx: &Ctx<'js>,
    event_loop: &Rc<impl Loop>,
    callback: Opt<Function<'js>>,
    work: impl FnOnce() -> Outcome + Send + 'static,
) -> Result<Value<'js>> {
    let Some(callback) = callback.0 else {
        return reply::value(ctx, work());
    };
    background::run(ctx, event_loop, work, move |ctx, outcome| {
        let value = reply::value(ctx, outcome.unwrap_or(Err(Errno::IO)))?;
        callback.call::<_, ()>((value,))
    });
    Ok(Value::new_undefined(ctx.clone()))
}

/// A path: a string, or bytes as they are.
struct PathArg(PathBuf);

impl<'js> FromJs<'js> for PathArg {
    fn from_js(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Self> {
        let bytes = match value.as_string() {
            Some(string) => with_utf8(string, <[u8]>::to_vec)?,
            None => with_bytes(ctx, &value, |bytes| bytes.to_vec())?,
        };
        Ok(Self(OsString::from_vec(bytes).into()))
    }
}

/// The descriptor of an open file; the caller of the operation keeps it open.
fn descriptor(fd: i32) -> std::result::Result<BorrowedFd<'static>, Errno> {
    if fd < 0 {
        return Err(Errno::BADF);
    }
    // SAFETY: not -1. A descriptor that is not open makes the system call fail with EBADF.
    Ok(unsafe { BorrowedFd::borrow_raw(fd) })
}

fn errno(error: &std::io::Error) -> Errno {
    Errno::from_io_error(error).unwrap_or(Errno::IO)
}
