//! RSA's paddings (RFC 8017) around the bare operation: PKCS #1 v1.5, PSS and OAEP over any hash.

use getrandom::SysRng;
use rsa::BoxedUint;
use rsa::hazmat::{rsa_decrypt_and_check, rsa_encrypt};

use crate::der;
use crate::failure::Failure;
use crate::hasher::{Hmac, Kind, digest};
use crate::key::RsaKey;
use crate::random;

/// Node's constants.
pub const PKCS1: u32 = 1;
pub const NONE: u32 = 3;
pub const OAEP: u32 = 4;
pub const PSS: u32 = 6;
pub const SALT_DIGEST: i32 = -1;
pub const SALT_MAX: i32 = -2;
pub const SALT_AUTO: i32 = -2;

fn size(key: &RsaKey) -> usize {
    key.bits().div_ceil(8)
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
    use rsa::traits::PublicKeyParts as _;
    let public = key.to_public()?;
    let precision = public.n_bits_precision();
    let value = BoxedUint::from_be_slice(message, precision).map_err(|_| Failure::DataTooLarge)?;
    if value >= **public.n() {
        return Err(Failure::DataTooLarge);
    }
    Ok(value)
}

/// The bare private operation, blinded.
fn private(key: &RsaKey, message: &[u8]) -> Result<Vec<u8>, Failure> {
    let value = number(key, message)?;
    let mut random = SysRng;
    let result = rsa_decrypt_and_check(key.to_private()?, Some(&mut random), &value);
    Ok(to_bytes(&result.map_err(|_| Failure::Failed)?, size(key)))
}

/// The bare public operation.
fn public(key: &RsaKey, message: &[u8]) -> Result<Vec<u8>, Failure> {
    let value = number(key, message)?;
    let result = rsa_encrypt(key.to_public()?, &value).map_err(|_| Failure::Failed)?;
    Ok(to_bytes(&result, size(key)))
}

/// `DigestInfo`.
fn digest_info(kind: Kind, hash: &[u8]) -> Result<Vec<u8>, Failure> {
    let id = kind.object_id().ok_or(Failure::InvalidDigest)?;
    let algorithm = der::sequence(&[&der::value(der::OBJECT, &[id]), &der::value(der::NULL, &[])]);
    Ok(der::sequence(&[
        &algorithm,
        &der::value(der::OCTET_STRING, &[hash]),
    ]))
}

/// `00 01 ff … 00 data`
fn type1(data: &[u8], length: usize, too_large: Failure) -> Result<Vec<u8>, Failure> {
    let fill = length
        .checked_sub(data.len() + 3)
        .filter(|fill| *fill >= 8)
        .ok_or(too_large)?;
    let mut out = vec![0, 1];
    out.resize(2 + fill, 0xff);
    out.push(0);
    out.extend(data);
    Ok(out)
}

/// How a signature is padded.
#[derive(Clone, Copy, Debug)]
pub struct Padding {
    /// Node's constant.
    pub scheme: u32,
    /// The hash function.
    pub kind: Kind,
    /// The hash function within MGF1.
    pub mgf: Kind,
    /// Bytes, or one of Node's negative constants.
    pub salt: i32,
}

pub fn sign(key: &RsaKey, padding: Padding, hash: &[u8]) -> Result<Vec<u8>, Failure> {
    let length = size(key);
    match padding.scheme {
        PSS => private(key, &pss_encode(key, padding, hash)?),
        PKCS1 => private(
            key,
            &type1(
                &digest_info(padding.kind, hash)?,
                length,
                Failure::KeyTooSmall,
            )?,
        ),
        NONE => private(key, hash),
        _ => Err(Failure::Failed),
    }
}

pub fn verify(key: &RsaKey, padding: Padding, hash: &[u8], signature: &[u8]) -> bool {
    if signature.len() != size(key) {
        return false;
    }
    let Ok(encoded) = public(key, signature) else {
        return false;
    };
    match padding.scheme {
        PSS => pss_fits(key, padding, hash, &encoded).unwrap_or(false),
        PKCS1 => {
            let expected = digest_info(padding.kind, hash)
                .and_then(|info| type1(&info, encoded.len(), Failure::KeyTooSmall));
            expected.is_ok_and(|expected| expected == encoded)
        }
        _ => false,
    }
}

fn mask(kind: Kind, seed: &[u8], data: &mut [u8]) {
    let block_bytes = kind.output_bytes();
    for (block, number) in data.chunks_mut(block_bytes).zip(0_u32..) {
        let stream = digest(kind, &[seed, &number.to_be_bytes()]);
        for (byte, stream) in block.iter_mut().zip(stream) {
            *byte ^= stream;
        }
    }
}

/// PSS's encoded message is one bit shorter than the modulus.
fn pss_bits(key: &RsaKey) -> usize {
    key.bits() - 1
}

fn first_mask(bits: usize) -> u8 {
    0xff >> ((8 - bits % 8) % 8)
}

fn pss_encode(key: &RsaKey, padding: Padding, hash: &[u8]) -> Result<Vec<u8>, Failure> {
    let bits = pss_bits(key);
    let length = bits.div_ceil(8);
    let most = length
        .checked_sub(hash.len() + 2)
        .ok_or(Failure::KeyTooSmall)?;
    let salt_bytes = match padding.salt {
        SALT_DIGEST => hash.len(),
        SALT_MAX => most,
        bytes => usize::try_from(bytes).map_err(|_| Failure::Failed)?,
    };
    if salt_bytes > most {
        return Err(Failure::KeyTooSmall);
    }
    let mut salt = vec![0; salt_bytes];
    random::fill(&mut salt).map_err(|_| Failure::Random)?;
    let tag = digest(padding.kind, &[&[0; 8], hash, &salt]);
    let mut block = vec![0; most - salt_bytes];
    block.push(1);
    block.extend(&salt);
    mask(padding.mgf, &tag, &mut block);
    if let Some(first) = block.first_mut() {
        *first &= first_mask(bits);
    }
    block.extend(&tag);
    block.push(0xbc);
    // A modulus of 8 k + 1 bits is a byte longer than the encoded message.
    let mut out = vec![0; size(key) - length];
    out.extend(block);
    Ok(out)
}

fn pss_fits(key: &RsaKey, padding: Padding, hash: &[u8], encoded: &[u8]) -> Option<bool> {
    let bits = pss_bits(key);
    let start = encoded.len().checked_sub(bits.div_ceil(8))?;
    let (above, encoded) = encoded.split_at(start);
    let (last, rest) = encoded.split_last()?;
    let (block, tag) = rest.split_at_checked(rest.len().checked_sub(hash.len())?)?;
    if above.iter().any(|byte| *byte != 0)
        || *last != 0xbc
        || block.first()? & !first_mask(bits) != 0
    {
        return Some(false);
    }
    let mut block = block.to_vec();
    mask(padding.mgf, tag, &mut block);
    *block.first_mut()? &= first_mask(bits);
    let zeros = block.iter().take_while(|byte| **byte == 0).count();
    let (one, salt) = block.get(zeros..)?.split_first()?;
    let expected = match padding.salt {
        SALT_DIGEST => hash.len(),
        SALT_AUTO => salt.len(),
        bytes => usize::try_from(bytes).ok()?,
    };
    Some(*one == 1 && salt.len() == expected && digest(padding.kind, &[&[0; 8], hash, salt]) == tag)
}

/// How `publicEncrypt` and its like pad.
pub struct EncryptionPadding<'a> {
    /// Node's constant.
    pub scheme: u32,
    /// The hash function.
    pub kind: Kind,
    /// OAEP's label.
    pub label: &'a [u8],
}

pub fn public_encrypt(
    key: &RsaKey,
    padding: &EncryptionPadding<'_>,
    data: &[u8],
) -> Result<Vec<u8>, Failure> {
    let length = size(key);
    match padding.scheme {
        OAEP => public(key, &oaep_encode(length, padding, data)?),
        PKCS1 => {
            let fill = length.checked_sub(data.len() + 3).filter(|fill| *fill >= 8);
            let mut out = vec![0; fill.ok_or(Failure::DataTooLarge)? + 2];
            random::fill(&mut out[2..]).map_err(|_| Failure::Random)?;
            for byte in &mut out[2..] {
                while *byte == 0 {
                    random::fill(std::slice::from_mut(byte)).map_err(|_| Failure::Random)?;
                }
            }
            out[1] = 2;
            out.push(0);
            out.extend(data);
            public(key, &out)
        }
        NONE => public(key, data),
        _ => Err(Failure::Failed),
    }
}

pub fn private_decrypt(
    key: &RsaKey,
    padding: &EncryptionPadding<'_>,
    data: &[u8],
) -> Result<Vec<u8>, Failure> {
    if data.len() > size(key) {
        return Err(Failure::DataTooLarge);
    }
    match padding.scheme {
        OAEP => oaep_decode(padding, &private(key, data)?).ok_or(Failure::OaepDecoding),
        PKCS1 => implicitly_rejected(key, data),
        NONE => private(key, data),
        _ => Err(Failure::Failed),
    }
}

/// `privateEncrypt`
pub fn private_encrypt(key: &RsaKey, scheme: u32, data: &[u8]) -> Result<Vec<u8>, Failure> {
    match scheme {
        PKCS1 => private(key, &type1(data, size(key), Failure::DataTooLarge)?),
        NONE => private(key, data),
        _ => Err(Failure::Failed),
    }
}

/// `publicDecrypt`
pub fn public_decrypt(key: &RsaKey, scheme: u32, data: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut encoded = public(key, data)?;
    if scheme == NONE {
        return Ok(encoded);
    }
    let fill = encoded
        .iter()
        .skip(2)
        .take_while(|byte| **byte == 0xff)
        .count();
    let valid = encoded.starts_with(&[0, 1]) && fill >= 8 && encoded.get(fill + 2) == Some(&0);
    valid
        .then(|| encoded.split_off(fill + 3))
        .ok_or(Failure::Failed)
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

fn oaep_decode(padding: &EncryptionPadding<'_>, encoded: &[u8]) -> Option<Vec<u8>> {
    let hash_bytes = padding.kind.output_bytes();
    let (first, rest) = encoded.split_first()?;
    let (seed, block) = rest.split_at_checked(hash_bytes)?;
    let (mut seed, mut block) = (seed.to_vec(), block.to_vec());
    mask(padding.kind, &block, &mut seed);
    mask(padding.kind, &seed, &mut block);
    let (label, data) = block.split_at_checked(hash_bytes)?;
    let same = random::equal(label, &digest(padding.kind, &[padding.label]));
    let zeros = data.iter().take_while(|byte| **byte == 0).count();
    // Every reason to refuse looks the same from outside.
    let valid = (*first == 0) & same & (data.get(zeros) == Some(&1));
    valid.then(|| data[zeros + 1..].to_vec())
}

/// PKCS #1 v1.5: what is not padded as it should be gives random bytes that depend on key and message, as OpenSSL 3.2 does, so that
/// nobody learns from the answer whether the padding was right (draft-irtf-cfrg-rsa-guidance).
fn implicitly_rejected(key: &RsaKey, data: &[u8]) -> Result<Vec<u8>, Failure> {
    let encoded = private(key, data)?;
    let secrets = key.private.as_ref().ok_or(Failure::Failed)?;
    let mut padded = vec![0; encoded.len() - data.len()];
    padded.extend(data);
    let d = [
        &vec![0; encoded.len().saturating_sub(secrets.d.len())],
        &secrets.d[..],
    ]
    .concat();
    let keyed = |key: &[u8], parts: &[&[u8]]| {
        let mut hmac = Hmac::new(Kind::Sha256, key);
        for part in parts {
            hmac.update(part);
        }
        hmac.finish()
    };
    let seed = keyed(&digest(Kind::Sha256, &[&d]), &[&padded]);
    let stream = |label: &[u8], length: usize| {
        let bits = u16::try_from(length * 8).unwrap_or(u16::MAX).to_be_bytes();
        let blocks =
            (0..u16::MAX).map(|number| keyed(&seed, &[&number.to_be_bytes(), label, &bits]));
        blocks
            .take(length.div_ceil(32))
            .flatten()
            .take(length)
            .collect::<Vec<_>>()
    };
    let most = encoded.len() - 11;
    let lengths = stream(b"length", 256);
    let below = usize::BITS - most.leading_zeros();
    let candidates = lengths
        .chunks(2)
        .map(|pair| usize::from(pair[0]) << 8 | usize::from(pair[1]));
    let length = candidates.fold(0, |chosen, candidate| {
        let candidate = candidate & ((1 << below) - 1);
        if candidate <= most { candidate } else { chosen }
    });
    let instead = stream(b"message", encoded.len());
    let end = encoded
        .iter()
        .skip(2)
        .position(|byte| *byte == 0)
        .map(|at| at + 2);
    let valid = encoded.starts_with(&[0, 2]) & end.is_some_and(|end| end >= 10);
    Ok(match end {
        Some(end) if valid => encoded[end + 1..].to_vec(),
        _ => instead[instead.len() - length..].to_vec(),
    })
}
