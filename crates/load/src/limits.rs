//! The system's limit of open files: each connection is one.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

use crate::error::LoadError;

/// Standard streams, the poll, files of the process.
const OTHER_FILES: u64 = 32;

/// Raises this process's limit of open files so that `connections` fit. Changes the whole process: meant for
/// programs.
///
/// # Errors
/// [`LoadError::Usage`] when the system does not allow as many.
pub fn raise_open_files(connections: usize) -> Result<(), LoadError> {
    let needed = connections as u64 + OTHER_FILES;
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).map_err(std::io::Error::from)?;
    if soft >= needed {
        return Ok(());
    }
    if hard < needed || setrlimit(Resource::RLIMIT_NOFILE, needed, hard).is_err() {
        return Err(LoadError::Usage(format!(
            "{connections} connections need {needed} open files, the limit is {hard}: raise it (ulimit -n {needed})"
        )));
    }
    Ok(())
}
