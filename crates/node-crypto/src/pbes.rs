//! Private keys under a passphrase: PKCS #5's PBES2 with AES-CBC, and what PEM itself once had.

use zeroize::Zeroizing;

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
/// OpenSSL's (`SCRYPT_MAX_MEM`): who made the key says how much memory it takes to read it.
const SCRYPT_BYTES_MAX: u64 = 32 * 1024 * 1024;

/// The PKCS #8 key in an `EncryptedPrivateKeyInfo`.
pub fn decrypt(bytes: &[u8], passphrase: &[u8]) -> Result<Vec<u8>, Failure> {
    let sealed = Sealed::read(bytes).ok_or(Failure::Unsupported)?;
    let mut key = Zeroizing::new(vec![0; sealed.key_bytes]);
    sealed.derivation.run(passphrase, &mut key)?;
    cbc(Direction::Decrypt, &key, sealed.iv, sealed.content).ok_or(Failure::BadDecrypt)
}

/// Is it an `EncryptedPrivateKeyInfo`, however encrypted? Nothing is computed for it: who has no passphrase
/// is told so at once.
pub fn is_encrypted(bytes: &[u8]) -> bool {
    let read = || {
        let mut parts = Reader::new(bytes).sequence()?;
        parts.sequence()?.take(der::OBJECT)?;
        parts.take(der::OCTET_STRING)?;
        parts.end()
    };
    read().is_some()
}

/// What an `EncryptedPrivateKeyInfo` says.
struct Sealed<'a> {
    derivation: Derivation<'a>,
    key_bytes: usize,
    iv: &'a [u8],
    content: &'a [u8],
}

impl<'a> Sealed<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
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
        let id = derivation.take(der::OBJECT)?;
        Some(Self {
            derivation: Derivation::read(id, derivation.sequence()?)?,
            key_bytes,
            iv,
            content,
        })
    }
}

/// How a passphrase becomes a key.
enum Derivation<'a> {
    Pbkdf2 {
        kind: Kind,
        salt: &'a [u8],
        rounds: u32,
    },
    Scrypt {
        salt: &'a [u8],
        cost: (u64, u32, u32),
    },
}

impl<'a> Derivation<'a> {
    fn read(id: &[u8], mut given: Reader<'a>) -> Option<Self> {
        let salt = given.take(der::OCTET_STRING)?;
        let first = given.number()?;
        if id == SCRYPT {
            let cost = (u64::from(first), given.number()?, given.number()?);
            return Some(Self::Scrypt { salt, cost });
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
        Some(Self::Pbkdf2 {
            kind,
            salt,
            rounds: first,
        })
    }

    fn run(&self, passphrase: &[u8], key: &mut [u8]) -> Result<(), Failure> {
        match *self {
            Self::Pbkdf2 { rounds: 0, .. } => Err(Failure::NoIterations),
            Self::Pbkdf2 { kind, salt, rounds } => {
                derive::pbkdf2(kind, passphrase, salt, rounds, key);
                Ok(())
            }
            Self::Scrypt { salt, cost } => {
                let bytes = derive::scrypt_bytes(cost);
                if bytes.is_none_or(|bytes| bytes > SCRYPT_BYTES_MAX) {
                    return Err(Failure::MemoryLimit);
                }
                derive::scrypt(passphrase, salt, cost, key)
            }
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// An `EncryptedPrivateKeyInfo` of nothing, with this derivation.
    fn sealed(id: &[u8], numbers: &[u32]) -> Vec<u8> {
        let mut given = der::value(der::OCTET_STRING, &[&[0; SALT_BYTES]]);
        for number in numbers {
            given.extend(der::number(*number));
        }
        let object = |id: &[&[u8]]| der::value(der::OBJECT, id);
        let octets = |bytes: &[u8]| der::value(der::OCTET_STRING, &[bytes]);
        let derivation = der::sequence(&[&object(&[id]), &der::sequence(&[&given])]);
        let scheme = der::sequence(&[&object(&[AES_CBC, &[42]]), &octets(&[0; IV_BYTES])]);
        let parameters = der::sequence(&[&derivation, &scheme]);
        let algorithm = der::sequence(&[&object(&[PBES2]), &parameters]);
        der::sequence(&[&algorithm, &octets(&[0; 48])])
    }

    #[test]
    fn who_made_a_key_does_not_say_how_much_memory_it_takes() {
        let of = |numbers: &[u32]| decrypt(&sealed(SCRYPT, numbers), b"x");
        for numbers in [
            [1 << 31, 8, 1],
            [2, 1, 1 << 29],
            [1 << 20, u32::MAX, 1],
            [1 << 15, 8, 1],
        ] {
            assert_eq!(of(&numbers), Err(Failure::MemoryLimit), "{numbers:?}");
        }
        for n in [0, 1, 3] {
            assert_eq!(of(&[n, 8, 1]), Err(Failure::ScryptParameters), "{n}");
        }
        assert_eq!(of(&[1 << 14, 8, 1]), Err(Failure::BadDecrypt));
        let none = decrypt(&sealed(PBKDF2, &[0]), b"x");
        assert_eq!(none, Err(Failure::NoIterations));
    }

    #[test]
    fn nothing_is_computed_without_a_passphrase() {
        // Either would take minutes, or more memory than there is.
        for (id, numbers) in [(PBKDF2, &[u32::MAX][..]), (SCRYPT, &[1 << 31, 8, 1])] {
            let read = crate::read(&sealed(id, numbers), "pkcs8", true, None);
            assert_eq!(read.err(), Some(Failure::MissingPassphrase));
        }
    }
}
