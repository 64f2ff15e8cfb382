//! Keys from passwords and from other keys: PBKDF2, scrypt, HKDF.

use std::num::NonZeroU32;

use crate::failure::Failure;
use crate::hash_kind::Kind;
use crate::hmac::Hmac;

/// RFC 8018. The hash functions that ring has are much faster there.
pub fn pbkdf2(kind: Kind, password: &[u8], salt: &[u8], rounds: u32, out: &mut [u8]) {
    let fast = match kind {
        Kind::Sha1 => Some(ring::pbkdf2::PBKDF2_HMAC_SHA1),
        Kind::Sha256 => Some(ring::pbkdf2::PBKDF2_HMAC_SHA256),
        Kind::Sha384 => Some(ring::pbkdf2::PBKDF2_HMAC_SHA384),
        Kind::Sha512 => Some(ring::pbkdf2::PBKDF2_HMAC_SHA512),
        _ => None,
    };
    if out.is_empty() {
        return;
    }
    match (fast, NonZeroU32::new(rounds)) {
        (Some(algorithm), Some(rounds)) => {
            ring::pbkdf2::derive(algorithm, rounds, salt, password, out);
        }
        _ => pbkdf2_over(&Hmac::new(kind, password), salt, rounds, out),
    }
}

fn pbkdf2_over(keyed: &Hmac, salt: &[u8], rounds: u32, out: &mut [u8]) {
    let once = |parts: &[&[u8]]| {
        let mut hmac = keyed.clone();
        for part in parts {
            hmac.update(part);
        }
        hmac.finish()
    };
    let block_bytes = once(&[]).len();
    for (block, number) in out.chunks_mut(block_bytes).zip(1_u32..) {
        let mut last = once(&[salt, &number.to_be_bytes()]);
        let mut sum = last.clone();
        for _ in 1..rounds {
            last = once(&[&last]);
            for (sum, byte) in sum.iter_mut().zip(&last) {
                *sum ^= byte;
            }
        }
        block.copy_from_slice(&sum[..block.len()]);
    }
}

/// RFC 5869.
#[must_use]
pub fn hkdf(kind: Kind, secret: &[u8], salt: &[u8], info: &[u8], length: usize) -> Vec<u8> {
    let mut extract = Hmac::new(kind, salt);
    extract.update(secret);
    let keyed = Hmac::new(kind, &extract.finish());
    let mut out = Vec::with_capacity(length);
    let mut last = Vec::new();
    let mut number = 1_u8;
    while out.len() < length {
        let mut hmac = keyed.clone();
        hmac.update(&last);
        hmac.update(info);
        hmac.update(&[number]);
        last = hmac.finish();
        out.extend(&last);
        number = number.wrapping_add(1);
    }
    out.truncate(length);
    out
}

/// RFC 7914; how much memory that takes is for the caller to limit ([`scrypt_bytes`]).
///
/// # Errors
/// `Failure::ScryptParameters` where `n` is no power of two above 1, `Failure::Failed` where there is not as
/// much memory as it asks for.
pub fn scrypt(
    password: &[u8],
    salt: &[u8],
    (n, r, p): (u64, u32, u32),
    out: &mut [u8],
) -> Result<(), Failure> {
    if out.is_empty() {
        return Ok(());
    }
    if n < 2 || !n.is_power_of_two() {
        return Err(Failure::ScryptParameters);
    }
    let log_n = u8::try_from(n.trailing_zeros()).map_err(|_| Failure::Failed)?;
    let parameters = scrypt::Params::new(log_n, r, p).map_err(|_| Failure::Failed)?;
    // What is taken there without asking would end the process.
    let blocks = n
        .checked_add(u64::from(p))
        .and_then(|all| all.checked_add(2));
    let bytes = blocks.and_then(|all| all.checked_mul(128 * u64::from(r)));
    let bytes = usize::try_from(bytes.unwrap_or(u64::MAX)).map_err(|_| Failure::Failed)?;
    let mut room = Vec::<u8>::new();
    room.try_reserve_exact(bytes).map_err(|_| Failure::Failed)?;
    drop(room);
    scrypt::scrypt(password, salt, &parameters, out).map_err(|_| Failure::Failed)
}

/// Bytes of scrypt's blocks, table and scratch, as OpenSSL counts them; `None`: more than can be counted.
pub(crate) fn scrypt_bytes((n, r, p): (u64, u32, u32)) -> Option<u64> {
    let block = u64::from(r).checked_mul(128)?;
    let table = n.checked_add(2)?.checked_mul(block)?;
    block.checked_mul(u64::from(p))?.checked_add(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scrypt_fails_where_there_is_no_memory() {
        let mut out = [0; 16];
        assert!(scrypt(b"", b"", (16, 1, 1), &mut out).is_ok());
        assert!(scrypt(b"", b"", (1 << 50, 8, 1), &mut out).is_err());
    }
}
