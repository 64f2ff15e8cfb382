//! Large reply bodies: the application's memory, read in place until it is sent.
//!
//! The application may transfer, detach or resize its buffer meanwhile. So the address is asked for each
//! time, and used before JavaScript runs again; what has become of the buffer is then visible in its length.

use bytes::Bytes;
use fulmar_engine::{Body, COPY_MAX, LentContent};

use crate::js::{Args, Env, Memory, Reference, Result, with_scope};

/// A typed array of the application's, kept alive.
#[derive(Debug)]
struct Lent {
    env: Env,
    array: Reference,
}

impl LentContent for Lent {
    fn bytes(&self) -> &[u8] {
        let mut memory = Memory::EMPTY;
        with_scope(self.env, || {
            if let Ok(value) = self.array.get() {
                memory = Memory::of(self.env, value).unwrap_or(Memory::EMPTY);
            }
        });
        memory.bytes()
    }
}

/// The content given as an argument: the UTF-8 of a string, a copy of a small typed array, a large one
/// itself.
pub(crate) fn to_body<const N: usize>(
    env: Env,
    args: &Args<N>,
    index: usize,
) -> Result<Body<'static>> {
    if let Some(utf8) = args.utf8(index) {
        return Ok(Body::Shared(Bytes::from(utf8)));
    }
    let value = args.value(index);
    let memory = Memory::of(env, value)?;
    if memory.bytes <= COPY_MAX {
        return Ok(Body::Shared(Bytes::copy_from_slice(memory.bytes())));
    }
    let array = Reference::new(env, value)?;
    Ok(Body::Lent(Box::new(Lent { env, array })))
}
