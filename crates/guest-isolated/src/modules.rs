//! Modules of a slot: they have numbers that JavaScript chose, and stay what they are when the process is
//! another one. Each is imported in a process when it is first needed there; calls of its members wait for that.

use crate::slot::Call;

/// Numbers of modules begin here; those of a process's own objects are below.
pub(crate) const NUMBERS_MIN: u64 = 1 << 52;

/// How far a module has come in the process that runs.
#[derive(Debug)]
pub(crate) enum Progress {
    /// Nobody has needed it.
    Unknown,
    /// It is being imported.
    Importing,
    /// The number of the object there; what else the guest said of it: what it can, and its name.
    There { id: u64, about: Vec<u8> },
}

/// One module.
#[derive(Debug)]
pub(crate) struct Module {
    /// The message that imports it, from its kind on.
    pub(crate) import: Vec<u8>,
    pub(crate) attached: Vec<Vec<u8>>,
    pub(crate) progress: Progress,
    /// What waits until it is there.
    pub(crate) waiting: Vec<Call>,
}

impl Module {
    /// The process is gone: what waited.
    pub(crate) fn forget(&mut self) -> Vec<Call> {
        self.progress = Progress::Unknown;
        std::mem::take(&mut self.waiting)
    }
}

/// A number in its form for messages: seven bits at a time.
pub(crate) fn split_id(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0u64;
    for (index, byte) in bytes.iter().enumerate().take(9) {
        value |= u64::from(byte & 0x7f) << (7 * index);
        if *byte < 0x80 {
            return Some((value, bytes.get(index + 1..)?));
        }
    }
    None
}

#[expect(clippy::cast_possible_truncation, reason = "seven bits at a time")]
pub(crate) fn push_id(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}
