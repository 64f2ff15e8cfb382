//! The clock, standard streams, arguments and environment.

use std::io::Write as _;
use std::time::Instant;

use rquickjs::function::Func;
use rquickjs::{Ctx, Object, Result, Value};

use crate::memory::with_bytes;
use crate::text::with_utf8;

pub(crate) fn install<'js>(ops: &Object<'js>) -> Result<()> {
    let started = Instant::now();
    ops.set(
        "now",
        Func::from(move || started.elapsed().as_secs_f64() * 1000.0),
    )?;
    ops.set(
        "writeSync",
        Func::from(|ctx: Ctx<'js>, fd: i32, data: Value<'js>| write_sync(&ctx, fd, &data)),
    )?;
    ops.set(
        "argv",
        Func::from(|| {
            std::env::args_os()
                .map(|arg| arg.to_string_lossy().into_owned())
                .collect::<Vec<_>>()
        }),
    )?;
    ops.set(
        "environment",
        Func::from(|| {
            let pair = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
                [
                    name.to_string_lossy().into_owned(),
                    value.to_string_lossy().into_owned(),
                ]
            };
            std::env::vars_os().flat_map(pair).collect::<Vec<_>>()
        }),
    )?;
    ops.set(
        "execPath",
        Func::from(|| {
            std::env::current_exe()
                .map(|path| path.to_string_lossy().into_owned())
                .unwrap_or_default()
        }),
    )?;
    ops.set("pid", std::process::id())?;
    // SAFETY: takes nothing.
    let quickjs = unsafe { rquickjs::qjs::JS_GetVersion() };
    // SAFETY: QuickJS returns a constant C string.
    let quickjs = unsafe { std::ffi::CStr::from_ptr(quickjs) };
    ops.set("quickjsVersion", quickjs.to_string_lossy().into_owned())?;
    ops.set("version", env!("CARGO_PKG_VERSION"))?;
    ops.set("platform", std::env::consts::OS)?;
    ops.set("arch", std::env::consts::ARCH)
}

/// Writes all of a string or of bytes; returns 0 or a negative errno.
fn write_sync<'js>(ctx: &Ctx<'js>, fd: i32, data: &Value<'js>) -> Result<i32> {
    match data.as_string() {
        Some(string) => with_utf8(string, |bytes| write_all(fd, bytes)),
        None => with_bytes(ctx, data, |bytes| write_all(fd, bytes)),
    }
}

fn write_all(fd: i32, bytes: &[u8]) -> i32 {
    use std::io::ErrorKind;
    use std::mem::ManuallyDrop;
    use std::os::fd::FromRawFd as _;

    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;
    const EIO: i32 = 5;
    // SAFETY: the descriptor is borrowed: `ManuallyDrop` keeps it open.
    let mut file = ManuallyDrop::new(unsafe { std::fs::File::from_raw_fd(fd) });
    let mut rest = bytes;
    while !rest.is_empty() {
        match file.write(rest) {
            Ok(count) => rest = rest.get(count..).unwrap_or_default(),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // Somebody who shares it made it non-blocking: wait until it takes more.
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                let mut writable = [PollFd::new(&*file, PollFlags::OUT)];
                if let Err(error) = poll(&mut writable, None)
                    && error != Errno::INTR
                {
                    return -error.raw_os_error();
                }
            }
            Err(error) => return -error.raw_os_error().unwrap_or(EIO),
        }
    }
    0
}
