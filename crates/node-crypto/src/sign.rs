//! Signatures, encryption with RSA, and shared secrets, with whichever key.

use ed25519_dalek::{Signature, Signer as _, SigningKey, Verifier as _, VerifyingKey};

use crate::failure::Failure;
use crate::hasher::{self, Kind};
use crate::key::{EcKey, Key, RsaKey};
use crate::random::equal;
use crate::rsa_padding::{self, EncryptionPadding, Padding};

/// How a signature is to be made; the order is that of `ops.d.ts`.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// A hash function's number; negative: none was named.
    algorithm: i32,
    /// The data is the digest already.
    hashed: bool,
    padding: i32,
    salt: i32,
    /// r and s as they are instead of DER.
    plain: bool,
    /// MGF1's hash function, negative: the same.
    mgf: i32,
}

impl Options {
    /// From the list in `more-ops.ts`.
    #[must_use]
    pub fn of(list: &[i32]) -> Self {
        let at = |place: usize, other: i32| list.get(place).copied().unwrap_or(other);
        Self {
            algorithm: at(0, -1),
            hashed: at(1, 0) != 0,
            padding: at(2, 0),
            salt: at(3, rsa_padding::SALT_MAX),
            plain: at(4, 0) != 0,
            mgf: at(5, -1),
        }
    }

    fn kind(self) -> Kind {
        u32::try_from(self.algorithm)
            .ok()
            .and_then(Kind::of)
            .unwrap_or(Kind::Sha256)
    }

    fn digest(self, data: &[u8]) -> Vec<u8> {
        if self.hashed {
            return data.to_vec();
        }
        hasher::digest(self.kind(), &[data])
    }

    /// PSS is what an RSASSA-PSS key means; what the key limits is kept.
    fn padding(self, key: &RsaKey) -> Padding {
        let kind = self.kind();
        let named = u32::try_from(self.mgf).ok().and_then(Kind::of);
        let scheme = u32::try_from(self.padding).unwrap_or(0);
        let scheme = match (scheme, key.is_pss()) {
            (0, true) => rsa_padding::PSS,
            (0, false) => rsa_padding::PKCS1,
            (scheme, _) => scheme,
        };
        let limits = key.limits();
        Padding {
            scheme,
            kind,
            mgf: named.or(limits.map(|limits| limits.mgf)).unwrap_or(kind),
            salt: self.salt,
        }
    }
}

/// Signs.
///
/// # Errors
/// What the key cannot do.
pub fn sign(key: &Key, data: &[u8], options: Options) -> Result<Vec<u8>, Failure> {
    match key {
        Key::Rsa(key) => rsa_padding::sign(key, options.padding(key), &options.digest(data)),
        Key::Ec(key) => {
            let signature = key.curve.sign(key.to_scalar()?, &options.digest(data))?;
            Ok(if options.plain {
                signature
            } else {
                key.curve.to_der(&signature)
            })
        }
        Key::Ed25519(key) if options.algorithm < 0 => {
            let seed = key.secret.ok_or(Failure::Failed)?;
            Ok(SigningKey::from_bytes(&seed).sign(data).to_bytes().to_vec())
        }
        _ => Err(Failure::WrongKey),
    }
}

/// Verifies.
///
/// # Errors
/// What the key cannot do at all; a signature that does not fit is `false`.
pub fn verify(key: &Key, data: &[u8], signature: &[u8], options: Options) -> Result<bool, Failure> {
    Ok(match key {
        Key::Rsa(key) => {
            rsa_padding::verify(key, options.padding(key), &options.digest(data), signature)
        }
        Key::Ec(key) => verify_ec(key, &options.digest(data), signature, options.plain),
        Key::Ed25519(key) if options.algorithm < 0 => {
            let verifying = VerifyingKey::from_bytes(&key.public);
            let signature = Signature::from_slice(signature);
            matches!((verifying, signature), (Ok(key), Ok(signature)) if key.verify(data, &signature).is_ok())
        }
        _ => return Err(Failure::WrongKey),
    })
}

fn verify_ec(key: &EcKey, digest: &[u8], signature: &[u8], plain: bool) -> bool {
    let converted = if plain {
        None
    } else {
        key.curve.plain(signature)
    };
    match converted {
        None if !plain => false,
        converted => key.curve.verify(
            &key.point,
            digest,
            converted.as_deref().unwrap_or(signature),
        ),
    }
}

/// `publicEncrypt`, `privateDecrypt`, `privateEncrypt` and `publicDecrypt`.
///
/// # Errors
/// What the key cannot do.
pub fn crypt(
    what: &str,
    key: &Key,
    data: &[u8],
    padding: &EncryptionPadding<'_>,
) -> Result<Vec<u8>, Failure> {
    let Key::Rsa(key) = key else {
        return Err(Failure::WrongKey);
    };
    match what {
        "publicEncrypt" => rsa_padding::public_encrypt(key, padding, data),
        "privateDecrypt" => rsa_padding::private_decrypt(key, padding, data),
        "privateEncrypt" => rsa_padding::private_encrypt(key, padding.scheme, data),
        _ => rsa_padding::public_decrypt(key, padding.scheme, data),
    }
}

/// A shared secret.
///
/// # Errors
/// Keys that do not fit each other, and points that give none.
pub fn agree(own: &Key, other: &Key) -> Result<Vec<u8>, Failure> {
    match (own, other) {
        (Key::Ec(own), Key::Ec(other)) if own.curve == other.curve => {
            own.curve.agree(own.to_scalar()?, &other.point)
        }
        (Key::X25519(own), Key::X25519(other)) => {
            let secret = x25519_dalek::x25519(own.secret.ok_or(Failure::Failed)?, other.public);
            // RFC 7748: a point of small order gives nothing secret.
            if equal(&secret, &[0; 32]) {
                Err(Failure::Derivation)
            } else {
                Ok(secret.to_vec())
            }
        }
        _ => Err(Failure::WrongKey),
    }
}
