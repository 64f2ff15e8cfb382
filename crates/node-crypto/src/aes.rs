//! AES with keys of three lengths behind one name: the bare block, CBC, CTR and key wrap. The modes are
//! `RustCrypto`'s.

use aes::{Aes128, Aes192, Aes256};
use aes_kw::AesKw;
use cbc::{Decryptor, Encryptor};
use ctr::cipher::{
    Array, BlockCipherDecrypt as _, BlockCipherEncrypt as _, BlockModeDecrypt as _,
    BlockModeEncrypt as _, KeyInit as _, KeyIvInit as _, StreamCipher,
};
use ctr::{Ctr32BE, Ctr128BE};

pub(crate) const BLOCK_BYTES: usize = 16;
pub(crate) type Block = [u8; BLOCK_BYTES];

/// What is added to the key by the check value of RFC 3394.
const WRAP_BYTES: usize = 8;

/// Which way a cipher goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Direction {
    Encrypt,
    Decrypt,
}

/// One of three, by the length of the key.
pub(crate) enum BySize<A, B, C> {
    Aes128(A),
    Aes192(B),
    Aes256(C),
}

/// Makes a `BySize` of `$make::<cipher>(arguments)`, by the length of `$key`; returns `None` for a key of
/// another length.
macro_rules! by_size {
    ($key:expr, $kind:ident, $make:ident, $($argument:expr),*) => {
        match $key.len() {
            16 => BySize::Aes128($kind::<Aes128>::$make($($argument),*).ok()?),
            24 => BySize::Aes192($kind::<Aes192>::$make($($argument),*).ok()?),
            32 => BySize::Aes256($kind::<Aes256>::$make($($argument),*).ok()?),
            _ => return None,
        }
    };
}

/// Runs `$body` with what is inside.
macro_rules! inside {
    ($of:expr, $inner:ident => $body:expr) => {
        match $of {
            BySize::Aes128($inner) => $body,
            BySize::Aes192($inner) => $body,
            BySize::Aes256($inner) => $body,
        }
    };
}

/// Whole blocks, one after the other.
pub(crate) enum Blocks {
    Ecb(Direction, Aes),
    CbcEncrypt(BySize<Encryptor<Aes128>, Encryptor<Aes192>, Encryptor<Aes256>>),
    CbcDecrypt(BySize<Decryptor<Aes128>, Decryptor<Aes192>, Decryptor<Aes256>>),
}

/// The bare block cipher.
pub(crate) type Aes = BySize<Aes128, Aes192, Aes256>;

impl Aes {
    /// `None` when AES has no keys of this length.
    pub(crate) fn new(key: &[u8]) -> Option<Self> {
        Some(match key.len() {
            16 => Self::Aes128(Aes128::new_from_slice(key).ok()?),
            24 => Self::Aes192(Aes192::new_from_slice(key).ok()?),
            32 => Self::Aes256(Aes256::new_from_slice(key).ok()?),
            _ => return None,
        })
    }

    pub(crate) fn encrypt(&self, blocks: &mut [Block]) {
        let blocks = Array::cast_slice_from_core_mut(blocks);
        inside!(self, cipher => cipher.encrypt_blocks(blocks));
    }

    fn decrypt(&self, blocks: &mut [Block]) {
        let blocks = Array::cast_slice_from_core_mut(blocks);
        inside!(self, cipher => cipher.decrypt_blocks(blocks));
    }
}

impl Blocks {
    pub(crate) fn ecb(direction: Direction, key: &[u8]) -> Option<Self> {
        Aes::new(key).map(|aes| Self::Ecb(direction, aes))
    }

    /// `None` when key or initialisation vector have other lengths.
    pub(crate) fn cbc(direction: Direction, key: &[u8], iv: &[u8]) -> Option<Self> {
        Some(match direction {
            Direction::Encrypt => {
                Self::CbcEncrypt(by_size!(key, Encryptor, new_from_slices, key, iv))
            }
            Direction::Decrypt => {
                Self::CbcDecrypt(by_size!(key, Decryptor, new_from_slices, key, iv))
            }
        })
    }

    /// In place; what is left of the last block, if it is not whole, stays as it is.
    pub(crate) fn apply(&mut self, data: &mut [u8]) {
        let (whole, _) = data.as_chunks_mut::<BLOCK_BYTES>();
        match self {
            Self::Ecb(Direction::Encrypt, aes) => aes.encrypt(whole),
            Self::Ecb(Direction::Decrypt, aes) => aes.decrypt(whole),
            Self::CbcEncrypt(cbc) => {
                let whole = Array::cast_slice_from_core_mut(whole);
                inside!(cbc, cbc => cbc.encrypt_blocks(whole));
            }
            Self::CbcDecrypt(cbc) => {
                let whole = Array::cast_slice_from_core_mut(whole);
                inside!(cbc, cbc => cbc.decrypt_blocks(whole));
            }
        }
    }
}

/// A key stream.
pub(crate) type Stream = Box<dyn StreamCipher + Send>;

/// CTR over the whole block.
pub(crate) fn ctr(key: &[u8], counter: &[u8]) -> Option<Stream> {
    let stream = by_size!(key, Ctr128BE, new_from_slices, key, counter);
    Some(inside!(stream, stream => Box::new(stream) as Stream))
}

/// CTR over the last 32 bits of the block, as in GCM.
pub(crate) fn ctr32(key: &[u8], counter: &Block) -> Option<Stream> {
    let stream = by_size!(key, Ctr32BE, new_from_slices, key, counter);
    Some(inside!(stream, stream => Box::new(stream) as Stream))
}

/// RFC 3394: wraps a key of at least two whole 8-byte blocks; `None` for other lengths, of key and data.
#[must_use]
pub fn wrap(key: &[u8], data: &[u8]) -> Option<Vec<u8>> {
    if data.len() < 2 * WRAP_BYTES {
        return None;
    }
    let wrapping = by_size!(key, AesKw, new_from_slice, key);
    let mut out = vec![0; data.len().checked_add(WRAP_BYTES)?];
    inside!(wrapping, wrapping => wrapping.wrap_key(data, &mut out).ok()?);
    Some(out)
}

/// Unwraps what `wrap` wrapped; `None` when it is not that, or was wrapped with another key.
#[must_use]
pub fn unwrap(key: &[u8], data: &[u8]) -> Option<Vec<u8>> {
    if data.len() < 3 * WRAP_BYTES {
        return None;
    }
    let wrapping = by_size!(key, AesKw, new_from_slice, key);
    let mut out = vec![0; data.len() - WRAP_BYTES];
    inside!(wrapping, wrapping => wrapping.unwrap_key(data, &mut out).ok()?);
    Some(out)
}
