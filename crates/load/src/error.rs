//! Why a run cannot start. What goes wrong during a run is counted, never an error of this kind.

use std::{fmt, io};

/// A run could not be prepared or its event loop failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The plan makes no sense; the text says what was expected.
    Usage(String),
    /// The operating system refused something the run needs.
    Io(io::Error),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(text) => f.write_str(text),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {}

impl From<io::Error> for LoadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
