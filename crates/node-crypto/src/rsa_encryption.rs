//! Encryption with RSA (RFC 8017): OAEP over any hash, PKCS #1 v1.5, and the bare operation.
//!
//! What comes out of the private operation is secret until it is known to be whole, and an attacker who
//! learns anything about it from many tries can decrypt other messages (Bleichenbacher, Manger). So OAEP's
//! padding is looked at in constant time and every reason to refuse is the same; PKCS #1 v1.5 is
//! `RustCrypto`'s, which gives a random message that depends on key and ciphertext instead of an error
//! (implicit rejection, draft-irtf-cfrg-rsa-guidance), the very one that OpenSSL gives.

use getrandom::SysRng;
use getrandom::rand_core::UnwrapErr;
use rsa::Pkcs1v15Encrypt;
use subtle::{Choice, ConditionallySelectable as _, ConstantTimeEq as _};
use zeroize::Zeroizing;

use crate::failure::Failure;
use crate::hash_kind::Kind;
use crate::hasher::digest;
use crate::random;
use crate::rsa_key::RsaKey;
use crate::rsa_number::{check, private, public, size, whole};
use crate::rsa_signature::{mask, type1};

/// Node's constants.
const PKCS1: u32 = 1;
const NONE: u32 = 3;
const OAEP: u32 = 4;

/// The padding that is named when none is: byte for byte 0 and 1 and at least eight others.
const PKCS1_BYTES: usize = 11;

/// How `publicEncrypt` and its like pad.
#[derive(Clone, Copy, Debug)]
pub struct EncryptionPadding<'a> {
    /// Node's constant.
    pub scheme: u32,
    /// OAEP's hash function.
    pub kind: Kind,
    /// OAEP's label.
    pub label: &'a [u8],
}

/// A key for RSASSA-PSS neither encrypts nor decrypts.
fn usable(key: &RsaKey) -> Result<(), Failure> {
    if key.is_pss() {
        return Err(Failure::KeyTypeUnsupported);
    }
    check(key)
}

/// `publicEncrypt`
pub(crate) fn public_encrypt(
    key: &RsaKey,
    padding: &EncryptionPadding<'_>,
    data: &[u8],
) -> Result<Vec<u8>, Failure> {
    usable(key)?;
    match padding.scheme {
        OAEP => public(key, &oaep_encode(size(key), padding, data)?),
        PKCS1 => public(key, &type2(data, size(key))?),
        NONE => {
            whole(key, data)?;
            public(key, data)
        }
        _ => Err(Failure::UnknownPadding),
    }
}

/// `privateDecrypt`
pub(crate) fn private_decrypt(
    key: &RsaKey,
    padding: &EncryptionPadding<'_>,
    data: &[u8],
) -> Result<Vec<u8>, Failure> {
    usable(key)?;
    if data.is_empty() {
        return Err(Failure::NoData);
    }
    let missing = size(key).checked_sub(data.len());
    let missing = missing.ok_or(Failure::LongerThanModulus)?;
    match padding.scheme {
        OAEP => oaep_decode(padding, &Zeroizing::new(private(key, data)?)),
        PKCS1 => {
            let mut whole = vec![0; missing];
            whole.extend(data);
            let mut random = UnwrapErr(SysRng);
            let opened = key
                .to_private()?
                .decrypt_blinded(&mut random, Pkcs1v15Encrypt, &whole);
            opened.map_err(|_| Failure::LargerThanModulus)
        }
        NONE => private(key, data),
        _ => Err(Failure::UnknownPadding),
    }
}

/// `privateEncrypt`
pub(crate) fn private_encrypt(key: &RsaKey, scheme: u32, data: &[u8]) -> Result<Vec<u8>, Failure> {
    if key.is_pss() {
        return Err(Failure::IllegalPadding);
    }
    check(key)?;
    match scheme {
        PKCS1 => private(key, &type1(data, size(key), Failure::DataTooLarge)?),
        NONE => {
            whole(key, data)?;
            private(key, data)
        }
        _ => Err(Failure::IllegalPadding),
    }
}

/// `publicDecrypt`: nothing here is secret.
pub(crate) fn public_decrypt(key: &RsaKey, scheme: u32, data: &[u8]) -> Result<Vec<u8>, Failure> {
    usable(key)?;
    if scheme != PKCS1 && scheme != NONE {
        return Err(Failure::IllegalPadding);
    }
    let mut encoded = public(key, data)?;
    if scheme == NONE {
        return Ok(encoded);
    }
    let filled = encoded.iter().skip(2).take_while(|byte| **byte == 0xff);
    let fill = filled.count();
    let valid = encoded.starts_with(&[0, 1]) && fill >= 8 && encoded.get(fill + 2) == Some(&0);
    valid
        .then(|| encoded.split_off(fill + 3))
        .ok_or(Failure::InvalidRsaPadding)
}

/// `00 02`, random bytes that are not zero, `00`, the data.
fn type2(data: &[u8], length: usize) -> Result<Vec<u8>, Failure> {
    if data.len() + PKCS1_BYTES > length {
        return Err(Failure::DataTooLarge);
    }
    let mut out = vec![0; length - data.len() - 1];
    random::fill(&mut out[2..]).map_err(|_| Failure::Random)?;
    for byte in &mut out[2..] {
        while *byte == 0 {
            random::fill(std::slice::from_mut(byte)).map_err(|_| Failure::Random)?;
        }
    }
    out[1] = 2;
    out.push(0);
    out.extend(data);
    Ok(out)
}

fn oaep_encode(
    length: usize,
    padding: &EncryptionPadding<'_>,
    data: &[u8],
) -> Result<Vec<u8>, Failure> {
    let hash_bytes = padding.kind.output_bytes();
    let fill = length
        .checked_sub(data.len() + 2 * hash_bytes + 2)
        .ok_or(Failure::DataTooLarge)?;
    let mut block = digest(padding.kind, &[padding.label]);
    block.resize(hash_bytes + fill, 0);
    block.push(1);
    block.extend(data);
    let mut seed = vec![0; hash_bytes];
    random::fill(&mut seed).map_err(|_| Failure::Random)?;
    mask(padding.kind, &seed, &mut block);
    mask(padding.kind, &block, &mut seed);
    Ok([&[0][..], &seed, &block].concat())
}

/// Takes the same time for every message of this length, until it is known whether it is one.
fn oaep_decode(padding: &EncryptionPadding<'_>, encoded: &[u8]) -> Result<Vec<u8>, Failure> {
    let hash_bytes = padding.kind.output_bytes();
    if encoded.len() < 2 * hash_bytes + 2 {
        return Err(Failure::OaepDecoding);
    }
    let (seed, block) = encoded[1..].split_at(hash_bytes);
    let mut seed = Zeroizing::new(seed.to_vec());
    let mut block = Zeroizing::new(block.to_vec());
    mask(padding.kind, &block, &mut seed);
    mask(padding.kind, &seed, &mut block);
    let (label, rest) = block.split_at(hash_bytes);
    let expected = digest(padding.kind, &[padding.label]);
    let mut valid = encoded[0].ct_eq(&0) & label.ct_eq(&expected);
    // Zeros, a one, the message: where the one is, without stopping at it.
    let mut is_before = Choice::from(1);
    let mut start = 0_u32;
    for (place, byte) in (1_u32..).zip(rest) {
        let (is_zero, is_one) = (byte.ct_eq(&0), byte.ct_eq(&1));
        start.conditional_assign(&place, is_before & is_one);
        valid &= !is_before | is_zero | is_one;
        is_before &= is_zero;
    }
    valid &= !is_before;
    // Made in either case, so that a message takes no longer than none.
    let mut message = Zeroizing::new(rest.to_vec());
    let start = usize::try_from(start).map_err(|_| Failure::OaepDecoding)?;
    if !bool::from(valid) || start > message.len() {
        return Err(Failure::OaepDecoding);
    }
    message.drain(..start);
    Ok(std::mem::take(&mut *message))
}
