//! Ciphers that are fed piece by piece: AES in ECB, CBC, CTR and GCM, and ChaCha20-Poly1305.

use aes::cipher::{KeyInit as _, KeyIvInit as _, StreamCipher as _};
use ghash::universal_hash::UniversalHash as _;

use super::block::{self, Aes, BLOCK_BYTES, Block, BlockMode, Counter};
use super::failure::Failure;
use super::random::equal;

/// A cipher's mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    Ecb,
    Cbc,
    Ctr,
    Gcm,
    ChaCha20Poly1305,
}

/// A running cipher.
pub(super) struct Cipher {
    direction: BlockMode,
    inner: Inner,
}

enum Inner {
    Blocks {
        aes: Box<Aes>,
        chain: Option<Block>,
        waiting: Vec<u8>,
        padded: bool,
    },
    Stream(Box<Counter>),
    Authenticated(Box<Authenticated>),
}

impl Cipher {
    /// `None` when key or initialisation vector have lengths that the cipher does not take.
    pub(super) fn new(mode: Mode, direction: BlockMode, key: &[u8], iv: &[u8]) -> Option<Self> {
        let inner = match mode {
            Mode::Ecb | Mode::Cbc => Inner::Blocks {
                aes: Box::new(Aes::new(key)?),
                chain: match mode {
                    Mode::Cbc => Some(iv.try_into().ok()?),
                    _ => None,
                },
                waiting: Vec::new(),
                padded: true,
            },
            Mode::Ctr => Inner::Stream(Box::new(Counter::new(
                Aes::new(key)?,
                iv.try_into().ok()?,
                BLOCK_BYTES,
            ))),
            Mode::Gcm => Inner::Authenticated(Box::new(Authenticated::gcm(key, iv)?)),
            Mode::ChaCha20Poly1305 => {
                Inner::Authenticated(Box::new(Authenticated::chacha(key, iv)?))
            }
        };
        Some(Self { direction, inner })
    }

    pub(super) fn set_padding(&mut self, on: bool) {
        if let Inner::Blocks { padded, .. } = &mut self.inner {
            *padded = on;
        }
    }

    /// Data that is authenticated but not encrypted; before any `update`.
    pub(super) fn add(&mut self, data: &[u8]) {
        if let Inner::Authenticated(inner) = &mut self.inner {
            inner.mac.update(data);
            inner.added += data.len() as u64;
        }
    }

    pub(super) fn update(&mut self, data: &[u8]) -> Vec<u8> {
        match &mut self.inner {
            Inner::Stream(counter) => {
                let mut out = data.to_vec();
                counter.apply(&mut out);
                out
            }
            Inner::Authenticated(inner) => inner.update(self.direction, data),
            Inner::Blocks {
                aes,
                chain,
                waiting,
                padded,
            } => {
                waiting.extend(data);
                // The last block of padded data is known only at the end.
                let kept = usize::from(
                    *padded
                        && self.direction == BlockMode::Decrypt
                        && waiting.len().is_multiple_of(BLOCK_BYTES),
                );
                let count = (waiting.len() / BLOCK_BYTES).saturating_sub(kept);
                let rest = waiting.split_off(count * BLOCK_BYTES);
                let mut out = std::mem::replace(waiting, rest);
                block::blocks(self.direction, aes, chain, &mut out);
                out
            }
        }
    }

    /// The last bytes; for an authenticated cipher that decrypts, `tag` is what has to come out.
    pub(super) fn finish(self, tag: Option<&[u8]>) -> Result<(Vec<u8>, Option<Block>), Failure> {
        match self.inner {
            Inner::Stream(_) => Ok((Vec::new(), None)),
            Inner::Authenticated(inner) => {
                let computed = inner.tag();
                if self.direction == BlockMode::Encrypt {
                    return Ok((Vec::new(), Some(computed)));
                }
                match tag {
                    Some(tag)
                        if computed.len() >= tag.len() && equal(&computed[..tag.len()], tag) =>
                    {
                        Ok((Vec::new(), None))
                    }
                    _ => Err(Failure::Authentication),
                }
            }
            Inner::Blocks {
                aes,
                mut chain,
                mut waiting,
                padded,
            } => {
                let missing = BLOCK_BYTES - waiting.len() % BLOCK_BYTES;
                if padded && self.direction == BlockMode::Encrypt {
                    waiting.resize(waiting.len() + missing, u8::try_from(missing).unwrap_or(0));
                } else if missing != BLOCK_BYTES || (padded && waiting.is_empty()) {
                    return Err(Failure::WrongFinalBlock);
                }
                block::blocks(self.direction, &aes, &mut chain, &mut waiting);
                if padded && self.direction == BlockMode::Decrypt {
                    let length = block::unpadded(&waiting).ok_or(Failure::BadPadding)?;
                    waiting.truncate(length);
                }
                Ok((waiting, None))
            }
        }
    }
}

/// A key stream with an authentication of what it made.
struct Authenticated {
    stream: KeyStream,
    mac: Mac,
    /// Bytes that are authenticated only, and bytes that are encrypted.
    added: u64,
    length: u64,
    /// GCM: what the tag is masked with.
    mask: Option<Block>,
}

enum KeyStream {
    Aes(Box<Counter>),
    ChaCha(Box<chacha20::ChaCha20>),
}

impl Authenticated {
    fn gcm(key: &[u8], iv: &[u8]) -> Option<Self> {
        let aes = Aes::new(key)?;
        if iv.is_empty() {
            return None;
        }
        let mut hash_key = [[0; BLOCK_BYTES]];
        aes.encrypt(&mut hash_key);
        let mac = || Mac::new(Hash::Ghash(ghash::GHash::new(&hash_key[0].into())));
        let mut start = [0; BLOCK_BYTES];
        if iv.len() == 12 {
            start[..12].copy_from_slice(iv);
            start[15] = 1;
        } else {
            let mut hash = mac();
            hash.update(iv);
            start = hash.finish(0, iv.len() as u64);
        }
        let mut counter = Counter::new(aes, start, 4);
        let mut mask = [0; BLOCK_BYTES];
        counter.apply(&mut mask);
        Some(Self {
            stream: KeyStream::Aes(Box::new(counter)),
            mac: mac(),
            added: 0,
            length: 0,
            mask: Some(mask),
        })
    }

    fn chacha(key: &[u8], iv: &[u8]) -> Option<Self> {
        let start = 12_usize.checked_sub(iv.len())?;
        let mut nonce = [0; 12];
        nonce[start..].copy_from_slice(iv);
        let mut stream = chacha20::ChaCha20::new_from_slices(key, &nonce).ok()?;
        // The first block of the stream is the key of the authentication and nothing else.
        let mut first = [0; 64];
        stream.apply_keystream(&mut first);
        let mac = poly1305::Poly1305::new_from_slice(&first[..32]).ok()?;
        Some(Self {
            stream: KeyStream::ChaCha(Box::new(stream)),
            mac: Mac::new(Hash::Poly1305(Box::new(mac))),
            added: 0,
            length: 0,
            mask: None,
        })
    }

    fn update(&mut self, direction: BlockMode, data: &[u8]) -> Vec<u8> {
        if self.length == 0 {
            self.mac.pad();
        }
        self.length += data.len() as u64;
        if direction == BlockMode::Decrypt {
            self.mac.update(data);
        }
        let mut out = data.to_vec();
        match &mut self.stream {
            KeyStream::Aes(counter) => counter.apply(&mut out),
            KeyStream::ChaCha(cipher) => cipher.apply_keystream(&mut out),
        }
        if direction == BlockMode::Encrypt {
            self.mac.update(&out);
        }
        out
    }

    fn tag(self) -> Block {
        let mut tag = self.mac.finish(self.added, self.length);
        for (byte, mask) in tag.iter_mut().zip(self.mask.unwrap_or_default()) {
            *byte ^= mask;
        }
        tag
    }
}

/// A universal hash over whole blocks, and the start of the next one.
struct Mac {
    hash: Hash,
    waiting: Vec<u8>,
}

enum Hash {
    Ghash(ghash::GHash),
    Poly1305(Box<poly1305::Poly1305>),
}

impl Mac {
    fn new(hash: Hash) -> Self {
        Self {
            hash,
            waiting: Vec::new(),
        }
    }

    fn update(&mut self, data: &[u8]) {
        self.waiting.extend(data);
        let whole = self.waiting.len() / BLOCK_BYTES * BLOCK_BYTES;
        let rest = self.waiting.split_off(whole);
        let blocks = std::mem::replace(&mut self.waiting, rest);
        match &mut self.hash {
            Hash::Ghash(hash) => hash.update_padded(&blocks),
            Hash::Poly1305(hash) => hash.update_padded(&blocks),
        }
    }

    /// Fills the block that is not full with zeros.
    fn pad(&mut self) {
        let missing = (BLOCK_BYTES - self.waiting.len() % BLOCK_BYTES) % BLOCK_BYTES;
        self.update(&[0; BLOCK_BYTES][..missing]);
    }

    /// Ends with the two lengths, in bytes.
    fn finish(mut self, added: u64, length: u64) -> Block {
        self.pad();
        match self.hash {
            Hash::Ghash(mut hash) => {
                let mut lengths = [0; BLOCK_BYTES];
                lengths[..8].copy_from_slice(&(added * 8).to_be_bytes());
                lengths[8..].copy_from_slice(&(length * 8).to_be_bytes());
                hash.update_padded(&lengths);
                hash.finalize().into()
            }
            Hash::Poly1305(mut hash) => {
                let mut lengths = [0; BLOCK_BYTES];
                lengths[..8].copy_from_slice(&added.to_le_bytes());
                lengths[8..].copy_from_slice(&length.to_le_bytes());
                hash.update_padded(&lengths);
                hash.finalize().into()
            }
        }
    }
}
