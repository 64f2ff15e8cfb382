//! Signatures, encryption with RSA, and shared secrets, with whichever key.

use std::borrow::Cow;

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};

use crate::failure::Failure;
use crate::hash_kind::Kind;
use crate::hasher;
use crate::key::{EcKey, Key};
use crate::random::equal;
use crate::ring_signature;
use crate::rsa_encryption::{self, EncryptionPadding};
use crate::rsa_key::RsaKey;
use crate::rsa_number::check;
use crate::rsa_rules::{self, Asked, Padding, SALT_MAX_SIGN};
use crate::rsa_signature;

/// Stands for a salt's length where none is named: no length and none of Node's constants.
const NO_SALT: i32 = i32::MIN;

/// How a signature is to be made; the order is that of `ops.d.ts`.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// A hash function's number; negative: none was named.
    algorithm: i32,
    padding: i32,
    /// `i32::MIN`: none was named.
    salt: i32,
    /// r and s as they are instead of DER.
    plain: bool,
}

impl Options {
    /// From the list in `more-ops.ts`.
    #[must_use]
    pub fn of(list: &[i32]) -> Self {
        let at = |place: usize, other: i32| list.get(place).copied().unwrap_or(other);
        Self {
            algorithm: at(0, -1),
            padding: at(1, 0),
            salt: at(2, NO_SALT),
            plain: at(3, 0) != 0,
        }
    }

    fn kind(self) -> Option<Kind> {
        u32::try_from(self.algorithm).ok().and_then(Kind::of)
    }

    /// Of keys without rules of their own: any hash function but those without a length.
    fn plain_kind(self, message: Message<'_>) -> Result<Kind, Failure> {
        let kind = self.kind().unwrap_or(Kind::Sha256);
        match (kind.is_extendable(), message.is_hashed()) {
            (false, _) => Ok(kind),
            (true, true) => Err(Failure::NoMemory),
            (true, false) => Err(Failure::UnfitDigest),
        }
    }

    /// Why a key signs nothing with these options.
    fn misfit(self, key: &Key, message: Message<'_>) -> Failure {
        let is_hashed = message.is_hashed();
        match key {
            Key::Ed25519(_) if is_hashed => Failure::UnsupportedOperation,
            Key::Ed25519(_) => Failure::UnfitDigest,
            _ if is_hashed && self.kind().is_some_and(Kind::is_extendable) => Failure::NoMemory,
            _ => Failure::WrongKey,
        }
    }

    /// What is padded how, of RSA.
    fn padding(
        self,
        key: &RsaKey,
        message: Message<'_>,
        verifies: bool,
    ) -> Result<Padding, Failure> {
        let is_salt_named = self.salt != NO_SALT;
        let asked = Asked {
            kind: self.kind(),
            scheme: self.padding,
            // Who names the padding means the longest salt.
            salt: match (is_salt_named, self.padding) {
                (true, _) => Some(self.salt),
                (false, 0) => None,
                (false, _) => Some(SALT_MAX_SIGN),
            },
            hashed: message.is_hashed(),
            verifies,
        };
        rsa_rules::padding(key, asked)
    }
}

/// What is signed.
#[derive(Clone, Copy)]
pub enum Message<'a> {
    /// All of it.
    Whole(&'a [u8]),
    /// Its digest by the function that the options name; the whole, too, where it is at hand.
    Hashed(&'a [u8], Option<&'a [u8]>),
}

impl<'a> Message<'a> {
    fn is_hashed(self) -> bool {
        matches!(self, Self::Hashed(..))
    }

    fn whole(self) -> Option<&'a [u8]> {
        match self {
            Self::Whole(data) => Some(data),
            Self::Hashed(_, whole) => whole,
        }
    }

    fn digest(self, kind: Kind) -> Cow<'a, [u8]> {
        match self {
            Self::Whole(data) => hasher::digest(kind, &[data]).into(),
            Self::Hashed(digest, _) => digest.into(),
        }
    }
}

/// Signs.
///
/// # Errors
/// What the key cannot do.
pub fn sign(key: &Key, message: Message<'_>, options: Options) -> Result<Vec<u8>, Failure> {
    match key {
        Key::Rsa(key) => {
            let padding = options.padding(key, message, false)?;
            check(key)?;
            let quick = |data| ring_signature::sign_rsa(key, padding, data);
            match message.whole().and_then(quick) {
                Some(signature) => Ok(signature),
                None => rsa_signature::sign(key, padding, &message.digest(padding.kind)),
            }
        }
        Key::Ec(key) => {
            let kind = options.plain_kind(message)?;
            let quick = |data| ring_signature::sign_ec(key, kind, data);
            let signature = match message.whole().and_then(quick) {
                Some(signature) => signature,
                None => key.curve.sign(key.to_scalar()?, &message.digest(kind))?,
            };
            Ok(if options.plain {
                signature
            } else {
                key.curve.to_der(&signature)
            })
        }
        Key::Ed25519(ed25519) if options.algorithm < 0 => {
            let data = message
                .whole()
                .ok_or_else(|| options.misfit(key, message))?;
            let seed = ed25519.secret.ok_or(Failure::Failed)?;
            Ok(SigningKey::from_bytes(&seed).sign(data).to_bytes().to_vec())
        }
        _ => Err(options.misfit(key, message)),
    }
}

/// Verifies.
///
/// # Errors
/// What the key cannot do at all; a signature that does not fit is `false`.
pub fn verify(
    key: &Key,
    message: Message<'_>,
    signature: &[u8],
    options: Options,
) -> Result<bool, Failure> {
    Ok(match key {
        Key::Rsa(key) => {
            let padding = match options.padding(key, message, true) {
                Ok(padding) => padding,
                // `Verify` hears of nothing that its own arguments cannot have.
                Err(failure) if message.is_hashed() && failure != Failure::NoMemory => {
                    return Ok(false);
                }
                Err(failure) => return Err(failure),
            };
            let is_right = |data: &[u8]| ring_signature::fits_rsa(key, padding, data, signature);
            check(key).is_ok() && message.whole().is_some_and(is_right)
                || rsa_signature::verify(key, padding, &message.digest(padding.kind), signature)
        }
        Key::Ec(key) => verify_ec(key, message, signature, options)?,
        Key::Ed25519(ed25519) if options.algorithm < 0 => {
            let data = message
                .whole()
                .ok_or_else(|| options.misfit(key, message))?;
            // Strict: a key or a signature of small order fits every message.
            let verifying = VerifyingKey::from_bytes(&ed25519.public);
            let signature = Signature::from_slice(signature);
            matches!((verifying, signature), (Ok(key), Ok(signature)) if key.verify_strict(data, &signature).is_ok())
        }
        _ => return Err(options.misfit(key, message)),
    })
}

fn verify_ec(
    key: &EcKey,
    message: Message<'_>,
    signature: &[u8],
    options: Options,
) -> Result<bool, Failure> {
    let kind = options.plain_kind(message)?;
    let converted = if options.plain {
        None
    } else {
        key.curve.plain(signature)
    };
    if converted.is_none() && !options.plain {
        return Ok(false);
    }
    let signature = converted.as_deref().unwrap_or(signature);
    let is_right = |data: &[u8]| ring_signature::fits_ec(key, kind, data, signature);
    let fits = message.whole().is_some_and(is_right)
        || key
            .curve
            .verify(&key.point, &message.digest(kind), signature);
    Ok(fits)
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
        "publicEncrypt" => rsa_encryption::public_encrypt(key, padding, data),
        "privateDecrypt" => rsa_encryption::private_decrypt(key, padding, data),
        "privateEncrypt" => rsa_encryption::private_encrypt(key, padding.scheme, data),
        _ => rsa_encryption::public_decrypt(key, padding.scheme, data),
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
        (Key::Ec(_), Key::Ec(_)) => Err(Failure::MismatchingCurves),
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
