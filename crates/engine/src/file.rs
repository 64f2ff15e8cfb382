//! Files that replies are sent from: opened for the host, and only when they are what it has looked at and
//! can be sent at once.
//!
//! Never waits for a FIFO or a disk: what is not a regular file, or whose beginning and end of the first step
//! are not in the system's memory, is the host's to read in its own way.

use std::fs::File;
use std::os::fd::AsRawFd as _;

use rustix::fs::{FileType, Mode, OFlags, fstat, open};
use rustix::io::Errno;

use crate::config::DESCRIPTORS_LAST;
use crate::engine::descriptors_but;
use crate::write::FILE_STEP;

/// What the host knows of a file from `stat`, as the doubles that JavaScript has for these numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FileIdentity {
    /// The device's number.
    pub device: f64,
    /// The inode's number.
    pub inode: f64,
    /// The size in bytes.
    pub size: f64,
}

/// Opens a file to send `length` bytes of it from `offset`. `None`: it cannot be opened, is another file than
/// the host has looked at (replaced meanwhile, or the host's file system is not the system's), has not these
/// bytes, or they are not at hand.
#[must_use]
pub fn open_file(path: &[u8], identity: FileIdentity, offset: u64, length: u64) -> Option<File> {
    // NONBLOCK: should a FIFO stand there by now, it is found out instead of waited for.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = File::from(open(path, flags, Mode::empty()).ok()?);
    if is_one_of_the_last(&file, 0) {
        return None; // Who opens it in the host's own way asks `has_descriptors` before.
    }
    let found = fstat(&file).ok()?;
    let size = u64::try_from(found.st_size).ok()?;
    let is_regular = FileType::from_raw_mode(found.st_mode) == FileType::RegularFile;
    let same = FileIdentity {
        device: double(found.st_dev),
        inode: double(found.st_ino),
        size: double(size),
    };
    let end = offset.checked_add(length)?;
    if !is_regular || same != identity || length == 0 || end > size {
        return None;
    }
    let last = end.min(offset.checked_add(FILE_STEP)?) - 1;
    (is_at_hand(&file, offset) && is_at_hand(&file, last)).then_some(file)
}

/// Whether the host can open `count` files for replies, at least 1, and leave the last descriptors of the
/// system alone. One more of the host's way would take what it needs to load what it loads late.
#[must_use]
pub fn has_descriptors(count: usize) -> bool {
    match open(
        c"/dev/null",
        OFlags::RDONLY | OFlags::CLOEXEC,
        Mode::empty(),
    ) {
        Ok(file) => !is_one_of_the_last(&File::from(file), count.saturating_sub(1)),
        Err(error) => !matches!(error, Errno::MFILE | Errno::NFILE),
    }
}

/// Is this descriptor, or the one that is `behind` it, of the last? The system gives the lowest that is free.
fn is_one_of_the_last(file: &File, behind: usize) -> bool {
    usize::try_from(file.as_raw_fd())
        .unwrap_or(0)
        .saturating_add(behind)
        >= descriptors_but(DESCRIPTORS_LAST)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "the host's numbers have lost it, too"
)]
fn double(number: u64) -> f64 {
    number as f64
}

/// Whether this byte can be had without waiting for a disk. Where the file system cannot say, it is taken for
/// granted.
#[cfg(target_os = "linux")]
fn is_at_hand(file: &File, offset: u64) -> bool {
    use rustix::io::{ReadWriteFlags, preadv2};
    let mut byte = [0_u8];
    let mut into = [std::io::IoSliceMut::new(&mut byte)];
    !matches!(
        preadv2(file, &mut into, offset, ReadWriteFlags::NOWAIT),
        Ok(0) | Err(Errno::AGAIN)
    )
}

#[cfg(not(target_os = "linux"))]
fn is_at_hand(_: &File, _: u64) -> bool {
    true
}
