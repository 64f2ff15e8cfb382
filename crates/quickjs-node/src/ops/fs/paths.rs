//! Files by their path: their data, names, links and rights.

use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use rquickjs::function::{Func, Opt};
use rquickjs::{Ctx, Function, Object, Result};
use rustix::fs::{Access, AtFlags, CWD, Gid, Mode, OFlags, Timespec, Timestamps, Uid};
use rustix::io::Errno;

use super::files::{done, open};
use super::{Outcome, PathArg, Reply, errno, operation, perform};
use crate::event_loop::Loop;

const COPY_EXCLUSIVE: u32 = 1;

pub(super) fn install<'js>(fs: &Object<'js>, event_loop: &Rc<impl Loop>) -> Result<()> {
    operation!(fs, event_loop, "stat", |path: PathArg| {
        std::fs::metadata(path.0)
            .map(|of| Reply::stat(&of))
            .map_err(|e| errno(&e))
    });
    operation!(fs, event_loop, "lstat", |path: PathArg| {
        std::fs::symlink_metadata(path.0)
            .map(|of| Reply::stat(&of))
            .map_err(|e| errno(&e))
    });
    operation!(fs, event_loop, "statfs", |path: PathArg| statfs(&path.0));
    operation!(fs, event_loop, "access", |path: PathArg, mode: u32| {
        done(rustix::fs::access(&path.0, Access::from_bits_retain(mode)))
    });
    operation!(fs, event_loop, "realpath", |path: PathArg| {
        std::fs::canonicalize(path.0)
            .map(name)
            .map_err(|e| errno(&e))
    });
    operation!(fs, event_loop, "readlink", |path: PathArg| {
        std::fs::read_link(path.0).map(name).map_err(|e| errno(&e))
    });
    operation!(fs, event_loop, "rename", |from: PathArg, to: PathArg| done(
        rustix::fs::rename(&from.0, &to.0)
    ));
    operation!(fs, event_loop, "link", |from: PathArg, to: PathArg| done(
        rustix::fs::link(&from.0, &to.0)
    ));
    operation!(fs, event_loop, "symlink", |target: PathArg, at: PathArg| {
        done(rustix::fs::symlink(&target.0, &at.0))
    });
    operation!(fs, event_loop, "unlink", |path: PathArg| done(
        rustix::fs::unlink(&path.0)
    ));
    operation!(
        fs,
        event_loop,
        "copyFile",
        |from: PathArg, to: PathArg, mode: u32| { copy_file(&from.0, &to.0, mode) }
    );
    operation!(fs, event_loop, "truncate", |path: PathArg, bytes: f64| {
        let file = open(&path.0, OFlags::RDWR.bits().cast_signed(), 0)?;
        done(rustix::fs::ftruncate(file, unsigned(bytes)))
    });
    rights(fs, event_loop)
}

fn rights<'js>(fs: &Object<'js>, event_loop: &Rc<impl Loop>) -> Result<()> {
    operation!(fs, event_loop, "chmod", |path: PathArg, mode: u32| {
        done(rustix::fs::chmod(&path.0, Mode::from_raw_mode(mode)))
    });
    operation!(
        fs,
        event_loop,
        "chown",
        |path: PathArg, user: f64, group: f64, follow: bool| {
            let (user, group) = (id(user).map(Uid::from_raw), id(group).map(Gid::from_raw));
            done(rustix::fs::chownat(
                CWD,
                &path.0,
                user,
                group,
                at_flags(follow),
            ))
        }
    );
    operation!(
        fs,
        event_loop,
        "utimes",
        |path: PathArg, accessed: f64, modified: f64, follow: bool| {
            let times = Timestamps {
                last_access: time(accessed),
                last_modification: time(modified),
            };
            done(rustix::fs::utimensat(
                CWD,
                &path.0,
                &times,
                at_flags(follow),
            ))
        }
    );
    Ok(())
}

fn at_flags(follow: bool) -> AtFlags {
    if follow {
        AtFlags::empty()
    } else {
        AtFlags::SYMLINK_NOFOLLOW
    }
}

fn copy_file(from: &Path, to: &Path, mode: u32) -> Outcome {
    if from.is_dir() {
        return Err(Errno::ISDIR);
    }
    if mode & COPY_EXCLUSIVE == 0 {
        return std::fs::copy(from, to)
            .map(|_| Reply::Done)
            .map_err(|e| errno(&e));
    }
    let mut source = std::fs::File::open(from).map_err(|e| errno(&e))?;
    let rights = source.metadata().map_err(|e| errno(&e))?.permissions();
    let mut target = std::fs::File::create_new(to).map_err(|e| errno(&e))?;
    std::io::copy(&mut source, &mut target).map_err(|e| errno(&e))?;
    target
        .set_permissions(rights)
        .map(|()| Reply::Done)
        .map_err(|e| errno(&e))
}

/// type, bsize, frsize, blocks, bfree, bavail, files, ffree
#[expect(
    clippy::cast_precision_loss,
    reason = "JavaScript's numbers; Node loses the same bits"
)]
fn statfs(path: &Path) -> Outcome {
    let of = rustix::fs::statfs(path)?;
    Ok(Reply::Numbers(vec![
        of.f_type as f64,
        of.f_bsize as f64,
        of.f_frsize as f64,
        of.f_blocks as f64,
        of.f_bfree as f64,
        of.f_bavail as f64,
        of.f_files as f64,
        of.f_ffree as f64,
    ]))
}

pub(super) fn name(path: PathBuf) -> Reply {
    Reply::Name(path.into_os_string().into_vec())
}

/// A user's or group's number; `None` leaves it as it is.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be within range"
)]
pub(super) fn id(number: f64) -> Option<u32> {
    (0.0..f64::from(u32::MAX))
        .contains(&number)
        .then_some(number as u32)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturates, which is what is meant"
)]
pub(super) fn unsigned(number: f64) -> u64 {
    number as u64
}

/// Seconds since 1970, to the microsecond, as Node gives them on.
#[expect(
    clippy::cast_possible_truncation,
    reason = "saturates, which is what is meant"
)]
pub(super) fn time(seconds: f64) -> Timespec {
    let whole = seconds.floor();
    let micros = ((seconds - whole) * 1e6).round();
    Timespec {
        tv_sec: whole as i64,
        tv_nsec: (micros * 1000.0).min(999_999_000.0) as i64,
    }
}
