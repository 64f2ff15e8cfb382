//! Files that are in memory alone: what an executable carries and another program, the system's loader or a
//! virtual machine opens by a path. They stay as long as the process, and nobody can change them.

use std::io;
use std::path::PathBuf;

/// Puts `content` into memory. The path leads there for every process of the same user, as long as this one lives.
///
/// # Errors
/// The system has no such files, or no memory for one.
#[cfg(target_os = "linux")]
pub fn memory_file(content: &[u8]) -> io::Result<PathBuf> {
    use std::io::Write as _;
    use std::os::fd::AsRawFd as _;

    let mut file = create()?;
    file.write_all(content)?;
    let seals = libc::F_SEAL_WRITE | libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
    // SAFETY: an open descriptor; takes and leaves no memory.
    if unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) } < 0 {
        return Err(io::Error::last_os_error());
    }
    // The number of this process as this file system counts: it may be that of another namespace.
    let process = std::fs::read_link("/proc/self")?;
    let path = PathBuf::from(format!(
        "/proc/{}/fd/{}",
        process.display(),
        file.as_raw_fd()
    ));
    // Stays open: who opens it does so at any time, and the system's loader knows libraries by their paths.
    std::mem::forget(file);
    Ok(path)
}

/// # Errors
/// There are no such files.
#[cfg(not(target_os = "linux"))]
pub fn memory_file(_: &[u8]) -> io::Result<PathBuf> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "files are kept in memory on Linux alone",
    ))
}

/// One that may be run as a program: systems that forbid it say so, those that do not know of it need not be asked.
#[cfg(target_os = "linux")]
fn create() -> io::Result<std::fs::File> {
    use std::os::fd::FromRawFd as _;

    let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
    // SAFETY: a C string; a new descriptor, or -1.
    let mut fd = unsafe { libc::memfd_create(c"fulmar".as_ptr(), flags | libc::MFD_EXEC) };
    if fd < 0 && io::Error::last_os_error().raw_os_error() == Some(libc::EINVAL) {
        // SAFETY: as above.
        fd = unsafe { libc::memfd_create(c"fulmar".as_ptr(), flags) };
    }
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: a descriptor that nobody else has.
    Ok(unsafe { std::fs::File::from_raw_fd(fd) })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::memory_file;

    #[test]
    fn it_is_read_and_run_by_its_path_and_cannot_be_changed() {
        let path = memory_file(b"content").expect("memory");
        assert_eq!(std::fs::read(&path).expect("readable"), b"content");
        assert!(std::fs::write(&path, b"other").is_err());
        assert_eq!(std::fs::read(&path).expect("readable"), b"content");

        let program = memory_file(&std::fs::read("/bin/true").expect("a program")).expect("memory");
        let status = std::process::Command::new(program).status().expect("run");
        assert!(status.success());
    }
}
