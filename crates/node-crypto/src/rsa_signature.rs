//! RSA's signatures (RFC 8017) over any hash: PKCS #1 v1.5 and PSS. All that is looked at here is public: the
//! message's hash, the signature and the salt. The private operation itself is `RustCrypto`'s, blinded.

use crate::der;
use crate::failure::Failure;
use crate::hash_kind::Kind;
use crate::hasher::digest;
use crate::random;
use crate::rsa_key::RsaKey;
use crate::rsa_number::{private, public, size};
use crate::rsa_rules::{Padding, Salt, Scheme};

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
pub(crate) fn type1(data: &[u8], length: usize, too_large: Failure) -> Result<Vec<u8>, Failure> {
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

/// Signs a digest.
pub(crate) fn sign(key: &RsaKey, padding: Padding, hash: &[u8]) -> Result<Vec<u8>, Failure> {
    let encoded = match padding.scheme {
        Scheme::Pss => pss_encode(key, padding, hash)?,
        Scheme::Pkcs1 => {
            let info = digest_info(padding.kind, hash)?;
            type1(&info, size(key), Failure::DigestTooBig)?
        }
    };
    private(key, &encoded)
}

/// Does the signature fit?
pub(crate) fn verify(key: &RsaKey, padding: Padding, hash: &[u8], signature: &[u8]) -> bool {
    if signature.len() != size(key) {
        return false;
    }
    let Ok(encoded) = public(key, signature) else {
        return false;
    };
    match padding.scheme {
        Scheme::Pss => pss_fits(key, padding, hash, &encoded).unwrap_or(false),
        Scheme::Pkcs1 => {
            let expected = digest_info(padding.kind, hash)
                .and_then(|info| type1(&info, encoded.len(), Failure::DigestTooBig));
            expected.is_ok_and(|expected| expected == encoded)
        }
    }
}

/// MGF1: what PSS and OAEP hide their blocks with.
pub(crate) fn mask(kind: Kind, seed: &[u8], data: &mut [u8]) {
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
    key.bits().saturating_sub(1)
}

fn first_mask(bits: usize) -> u8 {
    0xff >> ((8 - bits % 8) % 8)
}

fn pss_encode(key: &RsaKey, padding: Padding, hash: &[u8]) -> Result<Vec<u8>, Failure> {
    let bits = pss_bits(key);
    let length = bits.div_ceil(8);
    let most = length
        .checked_sub(hash.len() + 2)
        .ok_or(Failure::DataTooLarge)?;
    let salt_bytes = match padding.salt {
        Salt::Most | Salt::Any => most,
        Salt::DigestAtMost => most.min(hash.len()),
        Salt::Bytes(bytes) => bytes,
    };
    if salt_bytes > most {
        return Err(Failure::DataTooLarge);
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
    let most = block.len().checked_sub(1)?;
    let mut block = block.to_vec();
    mask(padding.mgf, tag, &mut block);
    *block.first_mut()? &= first_mask(bits);
    let zeros = block.iter().take_while(|byte| **byte == 0).count();
    let (one, salt) = block.get(zeros..)?.split_first()?;
    let is_expected = match padding.salt {
        Salt::Any | Salt::DigestAtMost => true,
        Salt::Most => salt.len() == most,
        Salt::Bytes(bytes) => salt.len() == bytes,
    };
    Some(*one == 1 && is_expected && digest(padding.kind, &[&[0; 8], hash, salt]) == tag)
}
