//! Opening files for replies: what is not the regular file that the host has looked at is not opened, and
//! nothing waits.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::fs::{FileExt as _, symlink};
use std::path::{Path, PathBuf};

use fulmar_engine::{FileIdentity, open_file};

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("fulmar-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        File::create(&path)
            .and_then(|mut file| file.write_all(content))
            .expect("a file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[expect(clippy::cast_precision_loss, reason = "as the host's numbers")]
fn identity(path: &Path) -> FileIdentity {
    let stat = fs::metadata(path).expect("stat");
    FileIdentity {
        device: stat.dev() as f64,
        inode: stat.ino() as f64,
        size: stat.size() as f64,
    }
}

fn open(path: &Path, identity: FileIdentity, offset: u64, length: u64) -> Option<File> {
    open_file(
        path.as_os_str().as_encoded_bytes(),
        identity,
        offset,
        length,
    )
}

#[test]
fn the_file_that_was_looked_at_is_opened_also_through_a_link() {
    let folder = Folder::new("same");
    let path = folder.file("a", b"0123456789");
    let link = folder.0.join("link");
    symlink(&path, &link).expect("a link");
    for name in [&path, &link] {
        let file = open(name, identity(&path), 3, 7).expect("the file");
        let mut bytes = [0; 7];
        file.read_exact_at(&mut bytes, 3).expect("content");
        assert_eq!(&bytes, b"3456789");
    }
}

#[test]
fn another_file_in_its_place_is_not_opened() {
    let folder = Folder::new("other");
    let path = folder.file("a", b"0123456789");
    let looked_at = identity(&path);
    for changed in [
        FileIdentity {
            device: looked_at.device + 1.0,
            ..looked_at
        },
        FileIdentity {
            inode: looked_at.inode + 1.0,
            ..looked_at
        },
        FileIdentity {
            size: looked_at.size + 1.0,
            ..looked_at
        },
    ] {
        assert!(open(&path, changed, 0, 5).is_none(), "{changed:?}");
    }
    fs::rename(folder.file("b", b"9876543210"), &path).expect("replaced");
    assert!(open(&path, looked_at, 0, 5).is_none());
    fs::remove_file(&path).expect("removed");
    assert!(open(&path, looked_at, 0, 5).is_none());
}

#[test]
fn bytes_that_the_file_does_not_have_are_not_promised() {
    let folder = Folder::new("range");
    let path = folder.file("a", b"0123456789");
    let same = identity(&path);
    for (offset, length) in [
        (0, 11),
        (10, 1),
        (5, 6),
        (0, 0),
        (u64::MAX, 1),
        (1, u64::MAX),
    ] {
        assert!(
            open(&path, same, offset, length).is_none(),
            "{offset}+{length}"
        );
    }
    assert!(open(&path, same, 9, 1).is_some());
}

#[test]
fn what_is_no_regular_file_is_left_alone_at_once() {
    let folder = Folder::new("kinds");
    let fifo = folder.0.join("fifo");
    rustix::fs::mkfifoat(rustix::fs::CWD, &fifo, rustix::fs::Mode::RUSR).expect("a FIFO");
    for path in [fifo.as_path(), &folder.0, Path::new("/dev/zero")] {
        assert!(open(path, identity(path), 0, 1).is_none(), "{path:?}");
    }
}
