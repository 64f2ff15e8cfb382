//! What a signature with an RSA key is made like: what was asked for, what the key allows, and what OpenSSL
//! makes of both (`rsa_sig.c`). A key for RSASSA-PSS is used for nothing else; one with limits only with its
//! hash and a salt that is long enough.

use crate::failure::Failure;
use crate::hash_kind::Kind;
use crate::rsa_key::RsaKey;

/// Node's constants.
const PKCS1: u32 = 1;
const NONE: u32 = 3;
const PSS: u32 = 6;
const SALT_DIGEST: i32 = -1;
/// The longest when signing, of any length when verifying.
pub(crate) const SALT_MAX_SIGN: i32 = -2;
const SALT_MAX: i32 = -3;
const SALT_DIGEST_MAX: i32 = -4;

/// What is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scheme {
    Pkcs1,
    Pss,
}

/// How much salt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Salt {
    /// As much as there is room for.
    Most,
    /// As much as the digest has bytes, or what there is room for; of a signature that is verified, any.
    DigestAtMost,
    /// Of a signature that is verified, any.
    Any,
    Bytes(usize),
}

/// How a signature is padded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Padding {
    pub(crate) scheme: Scheme,
    pub(crate) kind: Kind,
    /// The hash function within MGF1.
    pub(crate) mgf: Kind,
    pub(crate) salt: Salt,
}

/// What was asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    /// `None`: the key's own, or SHA-256.
    pub(crate) kind: Option<Kind>,
    /// Node's constant; 0: none was named, -1: 0 was.
    pub(crate) scheme: i32,
    /// Bytes, or one of Node's constants; `None` where neither salt nor padding were named.
    pub(crate) salt: Option<i32>,
    /// `Sign` and `Verify` have the digest and name its hash function last, `sign` and `verify` first:
    /// another reason to refuse is found.
    pub(crate) hashed: bool,
    pub(crate) verifies: bool,
}

/// How a signature of this key is padded, or why it is not made.
pub(crate) fn padding(key: &RsaKey, asked: Asked) -> Result<Padding, Failure> {
    if asked.hashed && asked.kind.is_some_and(Kind::is_extendable) {
        return Err(Failure::NoMemory);
    }
    if !asked.hashed {
        hash(key, asked.kind)?;
    }
    let scheme = scheme(key, asked.scheme)?;
    let limited = key.limits().map(|limits| limits.hash);
    let kind = asked.kind.or(limited).unwrap_or(Kind::Sha256);
    let mgf = key.limits().map_or(kind, |limits| limits.mgf);
    let salt = match scheme {
        Scheme::Pss => salt(key, kind, asked)?,
        Scheme::Pkcs1 => Salt::Most,
    };
    hash(key, asked.kind)?;
    Ok(Padding {
        scheme,
        kind,
        mgf,
        salt,
    })
}

/// May a signature have this hash function?
fn hash(key: &RsaKey, asked: Option<Kind>) -> Result<(), Failure> {
    let Some(kind) = asked else { return Ok(()) };
    let limited = key.limits().map(|limits| limits.hash);
    if kind.is_extendable() || limited.is_some_and(|only| only != kind) {
        return Err(Failure::DigestNotAllowed);
    }
    Ok(())
}

fn scheme(key: &RsaKey, asked: i32) -> Result<Scheme, Failure> {
    match (u32::try_from(asked), key.is_pss()) {
        (Ok(0 | PSS), true) | (Ok(PSS), false) => Ok(Scheme::Pss),
        (Ok(0 | PKCS1), false) => Ok(Scheme::Pkcs1),
        (Ok(NONE), false) => Err(Failure::InvalidPaddingMode),
        _ => Err(Failure::IllegalPadding),
    }
}

fn salt(key: &RsaKey, kind: Kind, asked: Asked) -> Result<Salt, Failure> {
    let least = key.limits().map(|limits| limits.salt as usize);
    let Some(number) = asked.salt else {
        return Ok(least.map_or(Salt::DigestAtMost, Salt::Bytes));
    };
    let is_limited_signer = least.is_some() && !asked.verifies;
    let bytes = match number {
        SALT_MAX_SIGN | SALT_DIGEST_MAX if is_limited_signer => {
            return Err(Failure::InvalidSaltLength);
        }
        SALT_MAX_SIGN if asked.verifies => return Ok(Salt::Any),
        SALT_MAX_SIGN | SALT_MAX => return Ok(Salt::Most),
        SALT_DIGEST_MAX => return Ok(Salt::DigestAtMost),
        SALT_DIGEST => {
            // As OpenSSL: what is held against the least is the digest that the key allows.
            let own = key.limits().map_or(kind, |limits| limits.hash);
            if least.is_some_and(|least| own.output_bytes() < least) {
                return Err(Failure::SaltTooSmall);
            }
            return Ok(Salt::Bytes(kind.output_bytes()));
        }
        bytes => usize::try_from(bytes).map_err(|_| Failure::InvalidSaltLength)?,
    };
    if least.is_some_and(|least| bytes < least) {
        return Err(Failure::SaltTooSmall);
    }
    Ok(Salt::Bytes(bytes))
}
