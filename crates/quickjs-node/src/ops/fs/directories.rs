//! Folders: listing, making, removing.

use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use rquickjs::function::{Func, Opt};
use rquickjs::{Ctx, Function, Object, Result};
use rustix::fs::FileType;
use rustix::io::Errno;

use super::{Outcome, PathArg, Reply, errno, operation, paths, perform};
use crate::event_loop::Loop;

/// What a temporary folder's name may end in.
const LETTERS: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const TEMPORARY_LETTERS: usize = 6;
const TEMPORARY_TRIES_MAX: usize = 100;

pub(super) fn install<'js>(fs: &Object<'js>, event_loop: &Rc<impl Loop>) -> Result<()> {
    operation!(
        fs,
        event_loop,
        "readdir",
        |path: PathArg, recursive: bool| {
            let mut entries = Vec::new();
            list(&path.0, &PathBuf::new(), recursive, &mut entries)?;
            Ok(Reply::Entries(entries))
        }
    );
    operation!(
        fs,
        event_loop,
        "mkdir",
        |path: PathArg, mode: u32, recursive: bool| { make(&path.0, mode, recursive) }
    );
    operation!(fs, event_loop, "mkdtemp", |prefix: PathArg| make_temporary(
        &prefix.0
    ));
    operation!(fs, event_loop, "rmdir", |path: PathArg| super::files::done(
        rustix::fs::rmdir(&path.0)
    ));
    operation!(
        fs,
        event_loop,
        "rm",
        |path: PathArg, recursive: bool, force: bool| { remove(&path.0, recursive, force) }
    );
    Ok(())
}

/// Names within `folder`, those within it by their path from `folder`; kinds as `UV_DIRENT_*`.
fn list(
    folder: &Path,
    below: &Path,
    recursive: bool,
    into: &mut Vec<(Vec<u8>, i32)>,
) -> std::result::Result<(), Errno> {
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(folder.join(below)).map_err(|e| errno(&e))? {
        let entry = entry.map_err(|e| errno(&e))?;
        let path = below.join(entry.file_name());
        let kind = entry.file_type().map_or(0, dirent);
        if recursive && kind == 2 {
            folders.push(path.clone());
        }
        into.push((path.into_os_string().into_vec(), kind));
    }
    for inner in folders {
        list(folder, &inner, recursive, into)?;
    }
    Ok(())
}

fn dirent(kind: std::fs::FileType) -> i32 {
    use std::os::unix::fs::FileTypeExt as _;
    if kind.is_file() {
        1
    } else if kind.is_dir() {
        2
    } else if kind.is_symlink() {
        3
    } else if kind.is_fifo() {
        4
    } else if kind.is_socket() {
        5
    } else if kind.is_char_device() {
        6
    } else if kind.is_block_device() {
        7
    } else {
        0
    }
}

/// The first folder made is what `recursive` yields.
fn make(path: &Path, mode: u32, recursive: bool) -> Outcome {
    if !recursive {
        return std::fs::DirBuilder::new()
            .mode(mode)
            .create(path)
            .map(|()| Reply::Done)
            .map_err(|e| errno(&e));
    }
    let missing = path
        .ancestors()
        .take_while(|folder| {
            !folder.as_os_str().is_empty() && std::fs::symlink_metadata(folder).is_err()
        })
        .last()
        .map(Path::to_path_buf);
    match std::fs::DirBuilder::new()
        .mode(mode)
        .recursive(true)
        .create(path)
    {
        Ok(()) => Ok(missing.map_or(Reply::Done, paths::name)),
        Err(error) => Err(errno(&error)),
    }
}

fn make_temporary(prefix: &Path) -> Outcome {
    for _ in 0..TEMPORARY_TRIES_MAX {
        let mut random = [0_u8; TEMPORARY_LETTERS];
        rustix::rand::getrandom(&mut random, rustix::rand::GetRandomFlags::empty())?;
        let mut path = prefix.as_os_str().as_bytes().to_vec();
        path.extend(
            random
                .iter()
                .map(|byte| LETTERS[usize::from(*byte) % LETTERS.len()]),
        );
        let place = PathBuf::from(std::ffi::OsString::from_vec(path));
        match std::fs::DirBuilder::new().mode(0o700).create(&place) {
            Ok(()) => return Ok(paths::name(place)),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(errno(&error)),
        }
    }
    Err(Errno::EXIST)
}

fn remove(path: &Path, recursive: bool, force: bool) -> Outcome {
    let kind = match rustix::fs::lstat(path) {
        Ok(stat) => FileType::from_raw_mode(stat.st_mode),
        Err(Errno::NOENT) if force => return Ok(Reply::Done),
        Err(error) => return Err(error),
    };
    if kind != FileType::Directory {
        return super::files::done(rustix::fs::unlink(path));
    }
    if !recursive {
        return Err(Errno::ISDIR);
    }
    match std::fs::remove_dir_all(path) {
        Ok(()) => Ok(Reply::Done),
        Err(error) if force && error.kind() == std::io::ErrorKind::NotFound => Ok(Reply::Done),
        Err(error) => Err(errno(&error)),
    }
}
