//! HMAC over any hash function.

use crate::hash_kind::Kind;
use crate::hasher::{Hasher, digest};

/// RFC 2104, over any hash.
#[derive(Clone)]
pub struct Hmac {
    inner: Hasher,
    outer: Hasher,
}

impl Hmac {
    /// Starts with a key.
    #[must_use]
    pub fn new(kind: Kind, key: &[u8]) -> Self {
        let mut block = vec![0; kind.block_bytes()];
        if key.len() > block.len() {
            let short = digest(kind, &[key]);
            block[..short.len()].copy_from_slice(&short);
        } else {
            block[..key.len()].copy_from_slice(key);
        }
        let padded = |pad: u8| {
            let mut hasher = Hasher::new(kind);
            hasher.update(&block.iter().map(|byte| byte ^ pad).collect::<Vec<_>>());
            hasher
        };
        Self {
            inner: padded(0x36),
            outer: padded(0x5c),
        }
    }

    /// Takes more data.
    pub fn update(&mut self, bytes: &[u8]) {
        self.inner.update(bytes);
    }

    /// The code.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        self.outer.update(&self.inner.finish(None));
        self.outer.finish(None)
    }
}
