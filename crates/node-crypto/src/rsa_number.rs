//! RSA's bare operation, and which keys it is done with: OpenSSL's limits (`rsa_ossl.c`), so that no key
//! takes the thread for long.

use getrandom::SysRng;
use rsa::BoxedUint;
use rsa::hazmat::{rsa_decrypt_and_check, rsa_encrypt};
use rsa::traits::PublicKeyParts as _;

use crate::failure::Failure;
use crate::rsa_key::RsaKey;

/// Bits of the largest modulus that is computed with.
pub(crate) const MODULUS_BITS_MAX: usize = 16_384;

/// Above this many bits of the modulus, the public exponent is limited.
const SMALL_MODULUS_BITS: usize = 3072;

/// Bits of the largest public exponent of such a key.
const EXPONENT_BITS_MAX: usize = 64;

/// Bytes of the modulus.
pub(crate) fn size(key: &RsaKey) -> usize {
    key.bits().div_ceil(8)
}

pub(crate) fn significant(number: &[u8]) -> &[u8] {
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    number.get(zeros..).unwrap_or_default()
}

pub(crate) fn bits(number: &[u8]) -> usize {
    let number = significant(number);
    let first = number.first().copied().unwrap_or(0);
    (number.len() * 8).saturating_sub(first.leading_zeros() as usize)
}

/// Are these numbers that OpenSSL computes with?
pub(crate) fn check(key: &RsaKey) -> Result<(), Failure> {
    let (n, e) = (significant(&key.n), significant(&key.e));
    if n.is_empty() {
        return Err(Failure::InvalidKey);
    }
    if key.bits() > MODULUS_BITS_MAX {
        return Err(Failure::ModulusTooLarge);
    }
    let is_below = (e.len(), e) < (n.len(), n);
    if e.is_empty() || !is_below {
        return Err(Failure::BadExponent);
    }
    if key.bits() > SMALL_MODULUS_BITS && bits(e) > EXPONENT_BITS_MAX {
        return Err(Failure::BadExponent);
    }
    if n.last().is_some_and(|last| last & 1 == 0) {
        return Err(Failure::NoInverse);
    }
    Ok(())
}

/// Is the modulus the product of the primes? What is not is no private key, and cannot be computed with.
pub(crate) fn is_product(n: &[u8], p: &[u8], q: &[u8]) -> bool {
    let limit = bits(n);
    let is_possible =
        limit <= MODULUS_BITS_MAX && bits(p) > 1 && bits(q) > 1 && bits(p) + bits(q) <= limit + 1;
    // One bit more than the modulus may be needed; the precision is one of whole words.
    let precision = u32::try_from(limit + 1).unwrap_or(0).next_multiple_of(64);
    let number = |bytes| BoxedUint::from_be_slice(significant(bytes), precision);
    match (number(p), number(q)) {
        (Ok(p), Ok(q)) if is_possible => {
            significant(&p.wrapping_mul(&q).to_be_bytes()) == significant(n)
        }
        _ => false,
    }
}

fn to_bytes(number: &BoxedUint, length: usize) -> Vec<u8> {
    let bytes = number.to_be_bytes();
    let mut out = vec![0; length];
    let count = bytes.len().min(length);
    out[length - count..].copy_from_slice(&bytes[bytes.len() - count..]);
    out
}

/// The message as a number below the modulus.
fn number(key: &RsaKey, message: &[u8]) -> Result<BoxedUint, Failure> {
    let public = key.to_public()?;
    let precision = public.n_bits_precision();
    let value = BoxedUint::from_be_slice(message, precision);
    let value = value.map_err(|_| Failure::DataTooLarge)?;
    if value >= **public.n() {
        return Err(Failure::LargerThanModulus);
    }
    Ok(value)
}

/// The bare private operation, blinded.
pub(crate) fn private(key: &RsaKey, message: &[u8]) -> Result<Vec<u8>, Failure> {
    let value = number(key, message)?;
    let mut random = SysRng;
    let result = rsa_decrypt_and_check(key.to_private()?, Some(&mut random), &value);
    Ok(to_bytes(&result.map_err(|_| Failure::Failed)?, size(key)))
}

/// The bare public operation.
pub(crate) fn public(key: &RsaKey, message: &[u8]) -> Result<Vec<u8>, Failure> {
    let value = number(key, message)?;
    let result = rsa_encrypt(key.to_public()?, &value).map_err(|_| Failure::Failed)?;
    Ok(to_bytes(&result, size(key)))
}

/// The bare operation takes a whole block.
pub(crate) fn whole(key: &RsaKey, data: &[u8]) -> Result<(), Failure> {
    match data.len().cmp(&size(key)) {
        std::cmp::Ordering::Less => Err(Failure::DataTooSmall),
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(Failure::DataTooLarge),
    }
}
