//! Open files: reading, writing, and everything by descriptor.

use std::fs::File;
use std::io::{Seek as _, Write as _};
use std::mem::ManuallyDrop;
use std::os::fd::{AsFd as _, FromRawFd as _, IntoRawFd as _, OwnedFd};
use std::path::Path;
use std::rc::Rc;

use rquickjs::function::{Func, Opt};
use rquickjs::{Ctx, Function, Object, Result, Value};
use rustix::fs::{Gid, Mode, OFlags, Timestamps, Uid};
use rustix::io::Errno;

use super::{Outcome, PathArg, Reply, descriptor, errno, operation, paths, perform, reply};
use crate::event_loop::Loop;
use crate::memory::{put, rest_of_file, with_bytes};
use crate::ops::background;

pub(super) fn install<'js>(fs: &Object<'js>, event_loop: &Rc<impl Loop>) -> Result<()> {
    operation!(
        fs,
        event_loop,
        "open",
        |path: PathArg, flags: i32, mode: u32| {
            open(&path.0, flags, mode).map(|fd| Reply::Number(f64::from(fd.into_raw_fd())))
        }
    );
    operation!(fs, event_loop, "close", |fd: i32| close(fd));
    whole(fs, event_loop)?;
    operation!(fs, event_loop, "fstat", |fd: i32| {
        let file = borrowed(fd)?;
        file.metadata()
            .map(|of| Reply::stat(&of))
            .map_err(|e| errno(&e))
    });
    operation!(fs, event_loop, "ftruncate", |fd: i32, bytes: f64| {
        done(rustix::fs::ftruncate(
            descriptor(fd)?,
            paths::unsigned(bytes),
        ))
    });
    operation!(fs, event_loop, "fsync", |fd: i32| done(rustix::fs::fsync(
        descriptor(fd)?
    )));
    operation!(fs, event_loop, "fdatasync", |fd: i32| done(
        rustix::fs::fdatasync(descriptor(fd)?)
    ));
    operation!(fs, event_loop, "fchmod", |fd: i32, mode: u32| {
        done(rustix::fs::fchmod(
            descriptor(fd)?,
            Mode::from_raw_mode(mode),
        ))
    });
    operation!(
        fs,
        event_loop,
        "fchown",
        |fd: i32, user: f64, group: f64| {
            let (user, group) = (paths::id(user), paths::id(group));
            done(rustix::fs::fchown(
                descriptor(fd)?,
                user.map(Uid::from_raw),
                group.map(Gid::from_raw),
            ))
        }
    );
    operation!(
        fs,
        event_loop,
        "futimes",
        |fd: i32, accessed: f64, modified: f64| {
            let times = Timestamps {
                last_access: paths::time(accessed),
                last_modification: paths::time(modified),
            };
            done(rustix::fs::futimens(descriptor(fd)?, &times))
        }
    );
    transfers(fs, event_loop)
}

/// Those that read all of a file: at once into memory that becomes the result, on another thread into memory
/// of its own.
fn whole<'js>(fs: &Object<'js>, event_loop: &Rc<impl Loop>) -> Result<()> {
    let shared = Rc::clone(event_loop);
    fs.set(
        "readFile",
        Func::from(
            move |ctx: Ctx<'js>, path: PathArg, flags: i32, callback: Opt<Function<'js>>| {
                if callback.0.is_none() {
                    let file = open(&path.0, flags, 0).map(File::from);
                    return read_now(&ctx, file.as_ref().map_err(|error| *error));
                }
                perform(&ctx, &shared, callback, move || {
                    read_to_end(File::from(open(&path.0, flags, 0)?))
                })
            },
        ),
    )?;
    let shared = Rc::clone(event_loop);
    fs.set(
        "readRest",
        Func::from(
            move |ctx: Ctx<'js>, fd: i32, callback: Opt<Function<'js>>| {
                if callback.0.is_none() {
                    let file = borrowed(fd);
                    return read_now(&ctx, file.as_deref().map_err(|error| *error));
                }
                perform(&ctx, &shared, callback, move || {
                    read_to_end(&*borrowed(fd)?)
                })
            },
        ),
    )
}

fn read_now<'js>(ctx: &Ctx<'js>, file: std::result::Result<&File, Errno>) -> Result<Value<'js>> {
    let file = match file {
        Ok(file) => file,
        Err(error) => return reply::value(ctx, Err(error)),
    };
    // What a file says of its size is a guess: more or less may come.
    let bytes = file.metadata().map_or(0, |of| of.len());
    let at = (&*file).stream_position().unwrap_or(0);
    let expected = usize::try_from(bytes.saturating_sub(at)).unwrap_or(0);
    match rest_of_file(ctx, file.as_fd(), expected)? {
        Ok(value) => Ok(value),
        Err(error) => reply::value(ctx, Err(error)),
    }
}

/// Those that use JavaScript's memory.
fn transfers<'js>(fs: &Object<'js>, event_loop: &Rc<impl Loop>) -> Result<()> {
    let shared = Rc::clone(event_loop);
    // (path, bytes, flags, mode, callback?)
    fs.set(
        "writeFile",
        Func::from(
            move |ctx: Ctx<'js>,
                  path: PathArg,
                  data: Value<'js>,
                  flags: i32,
                  mode: u32,
                  callback: Opt<Function<'js>>| {
                let write = move |bytes: &[u8]| -> Outcome {
                    File::from(open(&path.0, flags, mode)?)
                        .write_all(bytes)
                        .map(|()| Reply::Done)
                        .map_err(|e| errno(&e))
                };
                write_with(&ctx, &shared, &data, callback, write)
            },
        ),
    )?;
    let shared = Rc::clone(event_loop);
    // (fd, bytes, offset, length, position or -1, callback?) → bytes written
    fs.set(
        "write",
        Func::from(
            move |ctx: Ctx<'js>,
                  fd: i32,
                  data: Value<'js>,
                  position: f64,
                  callback: Opt<Function<'js>>| {
                write_with(&ctx, &shared, &data, callback, move |bytes| {
                    write(fd, bytes, position)
                })
            },
        ),
    )?;
    let shared = Rc::clone(event_loop);
    // (fd, target, position or -1, callback?) → bytes read
    fs.set(
        "read",
        Func::from(
            move |ctx: Ctx<'js>,
                  fd: i32,
                  target: Value<'js>,
                  position: f64,
                  callback: Opt<Function<'js>>| {
                match callback.0 {
                    None => reply::value(
                        &ctx,
                        with_bytes(&ctx, &target, |bytes| read(fd, bytes, position))?,
                    ),
                    Some(callback) => {
                        read_later(&ctx, &shared, (fd, position), &target, callback)?;
                        Ok(Value::new_undefined(ctx))
                    }
                }
            },
        ),
    )
}

/// Writes from JavaScript's memory at once, or from a copy on another thread.
fn write_with<'js>(
    ctx: &Ctx<'js>,
    event_loop: &Rc<impl Loop>,
    data: &Value<'js>,
    callback: Opt<Function<'js>>,
    write: impl FnOnce(&[u8]) -> Outcome + Send + 'static,
) -> Result<Value<'js>> {
    if callback.0.is_none() {
        return reply::value(ctx, with_bytes(ctx, data, |bytes| write(bytes))?);
    }
    let copy = with_bytes(ctx, data, |bytes| bytes.to_vec())?;
    perform(ctx, event_loop, callback, move || write(&copy))
}

/// Reads into memory of its own on another thread, then copies.
fn read_later<'js>(
    ctx: &Ctx<'js>,
    event_loop: &Rc<impl Loop>,
    (fd, position): (i32, f64),
    target: &Value<'js>,
    callback: Function<'js>,
) -> Result<()> {
    let length = with_bytes(ctx, target, |bytes| bytes.len())?;
    let work = move || {
        let mut bytes = vec![0; length];
        let outcome = read(fd, &mut bytes, position);
        (bytes, outcome)
    };
    let target = target.clone();
    background::run(ctx, event_loop, work, move |ctx, outcome| {
        let (bytes, outcome) = outcome.unwrap_or((Vec::new(), Err(Errno::IO)));
        if let Ok(Reply::Number(count)) = &outcome {
            let count = usize::try_from(paths::unsigned(*count)).unwrap_or(0);
            // JavaScript has run: what is gone of the target since gets nothing, the count is as the system
            // said.
            put(ctx, &target, bytes.get(..count).unwrap_or_default())?;
        }
        callback.call::<_, ()>((reply::value(ctx, outcome)?,))
    });
    Ok(())
}

fn read(fd: i32, into: &mut [u8], position: f64) -> Outcome {
    let fd = descriptor(fd)?;
    let count = rustix::io::retry_on_intr(|| {
        if position < 0.0 {
            rustix::io::read(fd, &mut *into)
        } else {
            rustix::io::pread(fd, &mut *into, paths::unsigned(position))
        }
    })?;
    Ok(number(count))
}

fn write(fd: i32, bytes: &[u8], position: f64) -> Outcome {
    let fd = descriptor(fd)?;
    let count = rustix::io::retry_on_intr(|| {
        if position < 0.0 {
            rustix::io::write(fd, bytes)
        } else {
            rustix::io::pwrite(fd, bytes, paths::unsigned(position))
        }
    })?;
    Ok(number(count))
}

pub(super) fn open(path: &Path, flags: i32, mode: u32) -> std::result::Result<OwnedFd, Errno> {
    let flags = OFlags::from_bits_retain(flags.cast_unsigned()) | OFlags::CLOEXEC;
    rustix::io::retry_on_intr(|| rustix::fs::open(path, flags, Mode::from_raw_mode(mode)))
}

fn close(fd: i32) -> Outcome {
    rustix::io::fcntl_getfd(descriptor(fd)?)?;
    // SAFETY: the descriptor is open, as the call before showed, and JavaScript gives it up.
    unsafe { rustix::io::close(fd) };
    Ok(Reply::Done)
}

fn read_to_end(mut file: impl std::io::Read) -> Outcome {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|e| errno(&e))?;
    Ok(Reply::Bytes(bytes))
}

/// The file of a descriptor that JavaScript keeps open.
fn borrowed(fd: i32) -> std::result::Result<ManuallyDrop<File>, Errno> {
    descriptor(fd)?;
    // SAFETY: not -1; `ManuallyDrop` keeps it open.
    Ok(ManuallyDrop::new(unsafe { File::from_raw_fd(fd) }))
}

#[expect(clippy::cast_precision_loss, reason = "the length of one transfer")]
fn number(count: usize) -> Reply {
    Reply::Number(count as f64)
}

pub(super) fn done(result: rustix::io::Result<()>) -> Outcome {
    result.map(|()| Reply::Done)
}
