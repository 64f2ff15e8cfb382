//! Private keys under a passphrase: PKCS #5's PBES2 with AES-CBC, and what PEM itself once had.

use crate::aes::Direction;
use crate::cipher::cbc;
use crate::der::{self, Reader};
use crate::derive;
use crate::failure::Failure;
use crate::hash_kind::Kind;
use crate::hasher;
use crate::random;

const PBES2: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0d];
const PBKDF2: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0c];
const SCRYPT: &[u8] = &[0x2b, 0x06, 0x01, 0x04, 0x01, 0xda, 0x47, 0x04, 0x0b];
/// hmacWith…, without the last byte: 7 SHA-1, 8 SHA-224, 9 SHA-256, 10 SHA-384, 11 SHA-512.
const HMAC_WITH: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02];
/// aes…-CBC-PAD, without the last byte: 2 128 bits, 22 192, 42 256.
const AES_CBC: &[u8] = &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01];
/// OpenSSL's.
const ROUNDS: u32 = 2048;
const SALT_BYTES: usize = 16;
const IV_BYTES: usize = 16;

/// The PKCS #8 key in an `EncryptedPrivateKeyInfo`.
pub fn decrypt(bytes: &[u8], passphrase: &[u8]) -> Result<Vec<u8>, Failure> {
    let (key, iv, content) = opened(bytes, passphrase).ok_or(Failure::Unsupported)?;
    cbc(Direction::Decrypt, &key, iv, content).ok_or(Failure::BadDecrypt)
}

/// Key, initialisation vector and what is encrypted.
fn opened<'a>(bytes: &'a [u8], passphrase: &[u8]) -> Option<(Vec<u8>, &'a [u8], &'a [u8])> {
    let mut parts = Reader::new(bytes).sequence()?;
    let mut algorithm = parts.sequence()?;
    let content = parts.take(der::OCTET_STRING)?;
    if algorithm.take(der::OBJECT)? != PBES2 {
        return None;
    }
    let mut parameters = algorithm.sequence()?;
    let (mut derivation, mut scheme) = (parameters.sequence()?, parameters.sequence()?);
    let (last, cipher) = scheme.take(der::OBJECT)?.split_last()?;
    let key_bytes = match (cipher == AES_CBC, last) {
        (true, 2) => 16,
        (true, 22) => 24,
        (true, 42) => 32,
        _ => return None,
    };
    let iv = scheme.take(der::OCTET_STRING)?;
    let mut key = vec![0; key_bytes];
    let id = derivation.take(der::OBJECT)?;
    derive_key(id, derivation.sequence()?, passphrase, &mut key)?;
    Some((key, iv, content))
}

fn derive_key(id: &[u8], mut given: Reader<'_>, passphrase: &[u8], key: &mut [u8]) -> Option<()> {
    let salt = given.take(der::OCTET_STRING)?;
    let first = given.number()?;
    if id == SCRYPT {
        let (r, p) = (given.number()?, given.number()?);
        return derive::scrypt(passphrase, salt, (u64::from(first), r, p), key).ok();
    }
    if id != PBKDF2 {
        return None;
    }
    if given.tag() == Some(der::INTEGER) {
        given.integer()?;
    }
    let kind = match given.sequence() {
        None => Kind::Sha1,
        Some(mut function) => match function.take(der::OBJECT)?.split_last()? {
            (7, HMAC_WITH) => Kind::Sha1,
            (8, HMAC_WITH) => Kind::Sha224,
            (9, HMAC_WITH) => Kind::Sha256,
            (10, HMAC_WITH) => Kind::Sha384,
            (11, HMAC_WITH) => Kind::Sha512,
            _ => return None,
        },
    };
    derive::pbkdf2(kind, passphrase, salt, first, key);
    Some(())
}

/// An `EncryptedPrivateKeyInfo` with AES-CBC of so many key bytes.
pub fn encrypt(pkcs8: &[u8], passphrase: &[u8], key_bytes: usize) -> Result<Vec<u8>, Failure> {
    let mut salt = [0; SALT_BYTES];
    let mut iv = [0; IV_BYTES];
    random::fill(&mut salt).map_err(|_| Failure::Random)?;
    random::fill(&mut iv).map_err(|_| Failure::Random)?;
    let mut key = vec![0; key_bytes];
    derive::pbkdf2(Kind::Sha256, passphrase, &salt, ROUNDS, &mut key);
    let content = cbc(Direction::Encrypt, &key, &iv, pkcs8).ok_or(Failure::Failed)?;
    let last = match key_bytes {
        16 => 2,
        24 => 22,
        _ => 42,
    };
    let id = |start: &[u8], last: &[u8]| der::value(der::OBJECT, &[start, last]);
    let octets = |bytes: &[u8]| der::value(der::OCTET_STRING, &[bytes]);
    let function = der::sequence(&[&id(HMAC_WITH, &[9]), &der::value(der::NULL, &[])]);
    let derivation = der::sequence(&[&octets(&salt), &der::number(ROUNDS), &function]);
    let parameters = der::sequence(&[
        &der::sequence(&[&id(PBKDF2, &[]), &derivation]),
        &der::sequence(&[&id(AES_CBC, &[last]), &octets(&iv)]),
    ]);
    let algorithm = der::sequence(&[&id(PBES2, &[]), &parameters]);
    Ok(der::sequence(&[&algorithm, &octets(&content)]))
}

/// A key as `DEK-Info` in PEM describes it: the salt is the start of the initialisation vector.
pub fn decrypt_traditional(
    content: &[u8],
    passphrase: &[u8],
    key_bytes: usize,
    iv: &[u8],
) -> Result<Vec<u8>, Failure> {
    let salt = iv.get(..8).ok_or(Failure::Unsupported)?;
    let mut key = Vec::new();
    let mut last = Vec::new();
    while key.len() < key_bytes {
        last = hasher::digest(Kind::Md5, &[&last, passphrase, salt]);
        key.extend(&last);
    }
    key.truncate(key_bytes);
    cbc(Direction::Decrypt, &key, iv, content).ok_or(Failure::BadDecrypt)
}
