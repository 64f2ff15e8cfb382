//! Authenticated ciphers that are fed piece by piece: GCM (NIST SP 800-38D) and ChaCha20-Poly1305 (RFC 8439).
//!
//! `RustCrypto`'s `aes-gcm` and `chacha20poly1305` want everything at once, `Cipheriv` does not have it; so
//! what they are made of is put together here: their key streams and universal hashes.

use chacha20::ChaCha20;
use ctr::cipher::{KeyInit as _, KeyIvInit as _, StreamCipher as _};
use ghash::GHash;
use ghash::universal_hash::UniversalHash as _;
use poly1305::Poly1305;
use zeroize::Zeroizing;

use crate::aes::{Aes, BLOCK_BYTES, Block, Direction, Stream, ctr32};
use crate::failure::Failure;

/// Bytes of the nonce of ChaCha20-Poly1305, and of the one that GCM is made for.
const NONCE_BYTES: usize = 12;

/// Bytes that are encrypted and authenticated at a time; whole blocks of both.
const PART_BYTES: usize = 8 * 1024;

/// A key stream with an authentication of what it made.
pub(crate) struct Authenticated {
    stream: Stream,
    mac: Mac,
    /// Bytes that are authenticated only, and bytes that are encrypted.
    added: u64,
    length: u64,
    /// GCM: what the tag is masked with.
    mask: Zeroizing<Block>,
}

impl Authenticated {
    /// `None` for a key of another length, or no initialisation vector.
    pub(crate) fn gcm(key: &[u8], iv: &[u8]) -> Option<Self> {
        let aes = Aes::new(key)?;
        if iv.is_empty() {
            return None;
        }
        let mut hash_key = Zeroizing::new([[0; BLOCK_BYTES]]);
        aes.encrypt(&mut *hash_key);
        let mac = || Mac::new(Hash::Ghash(Box::new(GHash::new(&hash_key[0].into()))));
        let mut start = [0; BLOCK_BYTES];
        if iv.len() == NONCE_BYTES {
            start[..NONCE_BYTES].copy_from_slice(iv);
            start[15] = 1;
        } else {
            let mut hash = mac();
            hash.update(iv);
            start = hash.finish(0, u64::try_from(iv.len()).ok()?);
        }
        let mut stream = ctr32(key, &start)?;
        let mut mask = Zeroizing::new([0; BLOCK_BYTES]);
        stream.try_apply_keystream(&mut *mask).ok()?;
        Some(Self {
            stream,
            mac: mac(),
            added: 0,
            length: 0,
            mask,
        })
    }

    /// `None` for a key or a nonce of another length.
    pub(crate) fn chacha(key: &[u8], nonce: &[u8]) -> Option<Self> {
        let mut stream = ChaCha20::new_from_slices(key, nonce).ok()?;
        // The first block of the stream is the key of the authentication and nothing else.
        let mut first = Zeroizing::new([0; 64]);
        stream.try_apply_keystream(&mut *first).ok()?;
        let mac = Poly1305::new_from_slice(&first[..32]).ok()?;
        Some(Self {
            stream: Box::new(stream),
            mac: Mac::new(Hash::Poly1305(Box::new(mac))),
            added: 0,
            length: 0,
            mask: Zeroizing::default(),
        })
    }

    /// Data that is authenticated but not encrypted.
    pub(crate) fn add(&mut self, data: &[u8]) {
        self.mac.update(data);
        self.added += data.len() as u64;
    }

    pub(crate) fn update(&mut self, direction: Direction, data: &[u8]) -> Result<Vec<u8>, Failure> {
        if data.is_empty() {
            return Ok(Vec::new());
        }
        if self.length == 0 {
            self.mac.pad();
        }
        self.length += data.len() as u64;
        let mut out = Vec::with_capacity(data.len());
        // In parts that are still at hand for the second of the two.
        for part in data.chunks(PART_BYTES) {
            if direction == Direction::Decrypt {
                self.mac.update(part);
            }
            let start = out.len();
            out.extend_from_slice(part);
            // The key stream ends before its counter would begin again.
            let applied = self.stream.try_apply_keystream(&mut out[start..]);
            applied.map_err(|_| Failure::Failed)?;
            if direction == Direction::Encrypt {
                self.mac.update(&out[start..]);
            }
        }
        Ok(out)
    }

    pub(crate) fn tag(mut self) -> Block {
        if self.length == 0 {
            self.mac.pad();
        }
        let mut tag = self.mac.finish(self.added, self.length);
        for (byte, mask) in tag.iter_mut().zip(self.mask.iter()) {
            *byte ^= mask;
        }
        tag
    }
}

/// A universal hash over whole blocks, and the start of the next one.
struct Mac {
    hash: Hash,
    /// Less than a block.
    waiting: Vec<u8>,
}

enum Hash {
    Ghash(Box<GHash>),
    Poly1305(Box<Poly1305>),
}

impl Mac {
    fn new(hash: Hash) -> Self {
        Self {
            hash,
            waiting: Vec::new(),
        }
    }

    fn update(&mut self, mut data: &[u8]) {
        let missing = (BLOCK_BYTES - self.waiting.len()) % BLOCK_BYTES;
        if missing > 0 {
            let (first, rest) = data.split_at(missing.min(data.len()));
            self.waiting.extend(first);
            data = rest;
            if self.waiting.len() < BLOCK_BYTES {
                return;
            }
        }
        let (whole, rest) = data.split_at(data.len() / BLOCK_BYTES * BLOCK_BYTES);
        let Self { hash, waiting } = self;
        for blocks in [&**waiting, whole] {
            match hash {
                Hash::Ghash(hash) => hash.update_padded(blocks),
                Hash::Poly1305(hash) => hash.update_padded(blocks),
            }
        }
        waiting.clear();
        waiting.extend(rest);
    }

    /// Fills the block that is not full with zeros.
    fn pad(&mut self) {
        let missing = (BLOCK_BYTES - self.waiting.len() % BLOCK_BYTES) % BLOCK_BYTES;
        self.update(&[0; BLOCK_BYTES][..missing]);
    }

    /// Ends with the two lengths, in bytes.
    fn finish(mut self, added: u64, length: u64) -> Block {
        self.pad();
        let mut lengths = [0; BLOCK_BYTES];
        match self.hash {
            Hash::Ghash(mut hash) => {
                lengths[..8].copy_from_slice(&(added * 8).to_be_bytes());
                lengths[8..].copy_from_slice(&(length * 8).to_be_bytes());
                hash.update_padded(&lengths);
                hash.finalize().into()
            }
            Hash::Poly1305(mut hash) => {
                lengths[..8].copy_from_slice(&added.to_le_bytes());
                lengths[8..].copy_from_slice(&length.to_le_bytes());
                hash.update_padded(&lengths);
                hash.finalize().into()
            }
        }
    }
}
