//! Large reply bodies: JavaScript's memory, kept alive and read in place until it is sent.

use bytes::Bytes;

use crate::js::{Memory, Reference};

/// Bodies up to this size are copied; larger ones are referenced, in bytes.
const COPY_MAX: usize = 16 * 1024;

struct Kept {
    memory: Memory,
    _reference: Reference,
}

// SAFETY: the engine, the references and these bytes never leave the JavaScript thread; `Bytes` asks for Send only because it
// could be moved elsewhere in general.
unsafe impl Send for Kept {}

impl AsRef<[u8]> for Kept {
    fn as_ref(&self) -> &[u8] {
        slice(&self.memory)
    }
}

fn slice(memory: &Memory) -> &[u8] {
    if memory.data.is_null() {
        return &[];
    }
    // SAFETY: the value was given by the running call or is kept alive by a reference; it is read on the JavaScript thread only.
    unsafe { std::slice::from_raw_parts(memory.data, memory.bytes) }
}

/// Copies a small body, keeps a large one by reference.
pub(crate) fn to_bytes(
    memory: Memory,
    reference: impl FnOnce() -> crate::js::Result<Reference>,
) -> crate::js::Result<Bytes> {
    if memory.bytes <= COPY_MAX {
        return Ok(Bytes::copy_from_slice(slice(&memory)));
    }
    Ok(Bytes::from_owner(Kept {
        memory,
        _reference: reference()?,
    }))
}
