//! Buffers for replies, reused between connections: an idle connection holds none.

/// Buffers kept; more are freed. 256 is more than one batch of replies needs.
const KEPT_MAX: usize = 256;
/// A buffer that grew beyond this is freed instead of kept, in bytes.
const KEPT_CAPACITY_MAX: usize = 32 * 1024;
/// First capacity of a fresh buffer, in bytes: a head and a small body.
const FRESH_CAPACITY: usize = 1024;

#[derive(Default)]
pub(crate) struct Pool {
    buffers: Vec<Vec<u8>>,
}

impl Pool {
    pub(crate) fn take(&mut self) -> Vec<u8> {
        self.buffers
            .pop()
            .unwrap_or_else(|| Vec::with_capacity(FRESH_CAPACITY))
    }

    pub(crate) fn give(&mut self, mut buffer: Vec<u8>) {
        if self.buffers.len() < KEPT_MAX && buffer.capacity() <= KEPT_CAPACITY_MAX {
            buffer.clear();
            self.buffers.push(buffer);
        }
    }
}
