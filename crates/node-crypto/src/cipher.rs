//! Ciphers that are fed piece by piece: AES in ECB, CBC, CTR and GCM, and ChaCha20-Poly1305.

use subtle::{Choice, ConstantTimeEq as _, ConstantTimeGreater as _};
use zeroize::Zeroizing;

use crate::aes::{self, BLOCK_BYTES, Block, Blocks, Direction, Stream, unwrap, wrap};
use crate::authenticated::Authenticated;
use crate::failure::Failure;
use crate::random::equal;

/// Bytes of the longest tag of an authenticated cipher, and of the one that is meant where none is named.
pub const TAG_BYTES: usize = BLOCK_BYTES;

/// A cipher's mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Mode {
    Ecb,
    Cbc,
    Ctr,
    Gcm,
    ChaCha20Poly1305,
    /// RFC 3394, of everything in one `update`.
    Wrap,
}

/// What a cipher is started with.
#[derive(Clone, Copy)]
pub struct Parameters<'a> {
    /// The cipher's key.
    pub key: &'a [u8],
    /// Initialisation vector, nonce or first counter.
    pub iv: &'a [u8],
    /// Bytes of the tag of an authenticated cipher: a tag of another length is refused, however many of its
    /// bytes fit.
    pub tag_bytes: usize,
}

/// A running cipher.
pub struct Cipher {
    direction: Direction,
    tag_bytes: usize,
    inner: Inner,
}

enum Inner {
    Blocks {
        blocks: Box<Blocks>,
        waiting: Vec<u8>,
        padded: bool,
    },
    Stream(Stream),
    Authenticated(Box<Authenticated>),
    /// The key, until it was used.
    Wrap(Option<Zeroizing<Vec<u8>>>),
}

impl Cipher {
    /// `None` when key, initialisation vector or tag have lengths that the cipher does not take.
    #[must_use]
    pub fn new(mode: Mode, direction: Direction, given: Parameters<'_>) -> Option<Self> {
        let Parameters { key, iv, tag_bytes } = given;
        let blocks = |blocks| Inner::Blocks {
            blocks: Box::new(blocks),
            waiting: Vec::new(),
            padded: true,
        };
        let authenticated = |inner| Inner::Authenticated(Box::new(inner));
        let is_tag = (1..=TAG_BYTES).contains(&tag_bytes);
        let inner = match mode {
            Mode::Ecb => blocks(Blocks::ecb(direction, key)?),
            Mode::Cbc => blocks(Blocks::cbc(direction, key, iv)?),
            Mode::Ctr => Inner::Stream(aes::ctr(key, iv)?),
            Mode::Gcm if is_tag => authenticated(Authenticated::gcm(key, iv)?),
            Mode::ChaCha20Poly1305 if is_tag => authenticated(Authenticated::chacha(key, iv)?),
            Mode::Wrap if matches!(key.len(), 16 | 24 | 32) => {
                Inner::Wrap(Some(Zeroizing::new(key.to_vec())))
            }
            _ => return None,
        };
        Some(Self {
            direction,
            tag_bytes,
            inner,
        })
    }

    /// Pads the last block, or not.
    pub fn set_padding(&mut self, on: bool) {
        if let Inner::Blocks { padded, .. } = &mut self.inner {
            *padded = on;
        }
    }

    /// Data that is authenticated but not encrypted; before any `update`.
    pub fn add(&mut self, data: &[u8]) {
        if let Inner::Authenticated(inner) = &mut self.inner {
            inner.add(data);
        }
    }

    /// Takes more data, gives what is ready.
    ///
    /// # Errors
    /// `Failure::Failed` when the key stream is at its end, `Failure::UnsupportedState` for what cannot be
    /// (un)wrapped.
    pub fn update(&mut self, data: &[u8]) -> Result<Vec<u8>, Failure> {
        match &mut self.inner {
            Inner::Stream(stream) => {
                let mut out = data.to_vec();
                let applied = stream.try_apply_keystream(&mut out);
                applied.map_err(|_| Failure::Failed)?;
                Ok(out)
            }
            Inner::Authenticated(inner) => inner.update(self.direction, data),
            Inner::Wrap(key) => {
                let key = key.take().ok_or(Failure::UnsupportedState)?;
                let out = match self.direction {
                    Direction::Encrypt => wrap(&key, data),
                    Direction::Decrypt => unwrap(&key, data),
                };
                out.ok_or(Failure::UnsupportedState)
            }
            Inner::Blocks {
                blocks,
                waiting,
                padded,
            } => {
                waiting.extend(data);
                // The last block of padded data is known only at the end.
                let kept = usize::from(
                    *padded
                        && self.direction == Direction::Decrypt
                        && waiting.len().is_multiple_of(BLOCK_BYTES),
                );
                let count = (waiting.len() / BLOCK_BYTES).saturating_sub(kept);
                let rest = waiting.split_off(count * BLOCK_BYTES);
                let mut out = std::mem::replace(waiting, rest);
                blocks.apply(&mut out);
                Ok(out)
            }
        }
    }

    /// The last bytes and, of an authenticated cipher that encrypts, the tag; of one that decrypts, `tag` is
    /// what has to come out.
    ///
    /// # Errors
    /// `Failure::Authentication` for another tag or none, `WrongFinalBlock` and `BadPadding` for data that is
    /// not whole.
    pub fn finish(self, tag: Option<&[u8]>) -> Result<(Vec<u8>, Option<Vec<u8>>), Failure> {
        match self.inner {
            Inner::Stream(_) | Inner::Wrap(_) => Ok((Vec::new(), None)),
            Inner::Authenticated(inner) => {
                let computed = inner.tag();
                let computed = &computed[..self.tag_bytes];
                match (self.direction, tag) {
                    (Direction::Encrypt, _) => Ok((Vec::new(), Some(computed.to_vec()))),
                    (Direction::Decrypt, Some(tag)) if equal(computed, tag) => {
                        Ok((Vec::new(), None))
                    }
                    _ => Err(Failure::Authentication),
                }
            }
            Inner::Blocks {
                blocks,
                waiting,
                padded,
            } => {
                let last = last_blocks(self.direction, *blocks, waiting, padded)?;
                Ok((last, None))
            }
        }
    }
}

fn last_blocks(
    direction: Direction,
    mut blocks: Blocks,
    mut waiting: Vec<u8>,
    padded: bool,
) -> Result<Vec<u8>, Failure> {
    let missing = BLOCK_BYTES - waiting.len() % BLOCK_BYTES;
    if padded && direction == Direction::Encrypt {
        waiting.resize(waiting.len() + missing, u8::try_from(missing).unwrap_or(0));
    } else if missing != BLOCK_BYTES || (padded && waiting.is_empty()) {
        return Err(Failure::WrongFinalBlock);
    }
    blocks.apply(&mut waiting);
    if padded && direction == Direction::Decrypt {
        let length = unpadded(&waiting).ok_or(Failure::BadPadding)?;
        waiting.truncate(length);
    }
    Ok(waiting)
}

/// PKCS #7: how much is data. Takes the same time whatever the padding is; whether it is one is what the
/// caller tells.
fn unpadded(data: &[u8]) -> Option<usize> {
    let block: &Block = data.last_chunk()?;
    let count = block[BLOCK_BYTES - 1];
    let most = u8::try_from(BLOCK_BYTES).ok()?;
    let mut valid = !count.ct_eq(&0) & !count.ct_gt(&most);
    for (place, byte) in (1..=most).zip(block.iter().rev()) {
        let is_data: Choice = place.ct_gt(&count);
        valid &= is_data | byte.ct_eq(&count);
    }
    bool::from(valid).then(|| data.len() - usize::from(count))
}

/// CBC of everything at once, with padding; `None` when lengths or padding are wrong.
pub(crate) fn cbc(direction: Direction, key: &[u8], iv: &[u8], data: &[u8]) -> Option<Vec<u8>> {
    let tag_bytes = 0;
    let mut cipher = Cipher::new(Mode::Cbc, direction, Parameters { key, iv, tag_bytes })?;
    let mut out = cipher.update(data).ok()?;
    let (last, _) = cipher.finish(None).ok()?;
    out.extend(last);
    Some(out)
}

/// AES-CTR of the Web Cryptography API, of everything at once: only the last `bits` bits of the block count,
/// and begin again at zero.
///
/// # Errors
/// `Failure::Failed` for lengths that AES does not take, and for data that would need a counter twice.
pub fn web_ctr(key: &[u8], counter: &[u8], bits: u32, data: &[u8]) -> Result<Vec<u8>, Failure> {
    let counter: Block = counter.try_into().map_err(|_| Failure::Failed)?;
    let first = u128::from_be_bytes(counter);
    // Where all bits count, the block itself begins again at zero.
    let size = 1_u128.checked_shl(bits).filter(|_| bits > 0);
    let (nonce, before_zero) = match size {
        Some(size) => (first & !(size - 1), size - (first & (size - 1))),
        None if bits == u128::BITS => (0, u128::MAX),
        None => return Err(Failure::Failed),
    };
    let needed = data.len().div_ceil(BLOCK_BYTES) as u128;
    if size.is_some_and(|size| needed > size) {
        return Err(Failure::Failed);
    }
    let bytes = usize::try_from(before_zero.saturating_mul(BLOCK_BYTES as u128));
    let split = bytes.unwrap_or(usize::MAX).min(data.len());
    let mut out = data.to_vec();
    let (before, after) = out.split_at_mut(split);
    for (counter, part) in [(first, before), (nonce, after)] {
        let mut stream = aes::ctr(key, &counter.to_be_bytes()).ok_or(Failure::Failed)?;
        let applied = stream.try_apply_keystream(part);
        applied.map_err(|_| Failure::Failed)?;
    }
    Ok(out)
}
