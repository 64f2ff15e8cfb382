//! Keys in DER: PKCS #1, PKCS #8, SEC 1, `SubjectPublicKeyInfo` and the key in a certificate.

use crate::curve::Curve;
use crate::der::{self, Reader};
use crate::failure::Failure;
use crate::key::{EcKey, Key, Okp};
use crate::pbes;
use crate::rsa_key::{RsaKey, RsaSecrets};

mod limits;
mod writing;

use limits::with_limits;
pub use writing::write;

const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01];
const RSA_PSS: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0a];
const EC: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];
const X25519: &[u8] = &[0x2b, 0x65, 0x6e];
const ED25519: &[u8] = &[0x2b, 0x65, 0x70];

/// How a key is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Format {
    /// RSA alone, public or private.
    Pkcs1,
    Pkcs8,
    /// A private key of a curve.
    Sec1,
    Spki,
    Certificate,
    EncryptedPkcs8,
}

/// Reads a key; `secret` says whether PKCS #1 means the private form.
pub fn read(
    bytes: &[u8],
    format: Format,
    secret: bool,
    passphrase: Option<&[u8]>,
) -> Result<Key, Failure> {
    let key = match format {
        Format::Pkcs1 if secret => rsa_private(bytes),
        Format::Pkcs1 => rsa_public(bytes),
        Format::Sec1 => ec_private(bytes, None),
        Format::Spki => spki(bytes),
        Format::Certificate => certificate(bytes).and_then(spki),
        Format::Pkcs8 => pkcs8(bytes),
        Format::EncryptedPkcs8 => {
            let passphrase = passphrase.ok_or(Failure::MissingPassphrase)?;
            return pkcs8(&pbes::decrypt(bytes, passphrase)?).ok_or(Failure::BadDecrypt);
        }
    };
    key.ok_or(Failure::Unsupported)
}

fn rsa_public(bytes: &[u8]) -> Option<Key> {
    let mut numbers = Reader::new(bytes).sequence()?;
    let (n, e) = (numbers.integer()?, numbers.integer()?);
    (!n.is_empty() && numbers.is_empty()).then(|| Key::Rsa(Box::new(RsaKey::public(n, e))))
}

fn rsa_private(bytes: &[u8]) -> Option<Key> {
    let mut numbers = Reader::new(bytes).sequence()?;
    // Version 1 has more primes, which are not there.
    if numbers.version()? == [1] {
        return None;
    }
    let mut key = RsaKey::public(numbers.integer()?, numbers.integer()?);
    let mut next = || numbers.integer().map(<[u8]>::to_vec);
    key.private = Some(RsaSecrets {
        d: next()?,
        p: next()?,
        q: next()?,
        dp: next()?,
        dq: next()?,
        qi: next()?,
    });
    numbers.end()?;
    Some(Key::Rsa(Box::new(key)))
}

/// SEC 1; the curve is in the key or given by what surrounds it.
fn ec_private(bytes: &[u8], curve: Option<Curve>) -> Option<Key> {
    let mut parts = Reader::new(bytes).sequence()?;
    parts.version()?;
    let scalar = parts.take(der::OCTET_STRING)?;
    let named = match parts.optional(der::CONTEXT_0)? {
        Some(mut parameters) => {
            let named = parameters.take(der::OBJECT)?;
            parameters.end()?;
            Some(Curve::by_object_id(named)?)
        }
        None => None,
    };
    let curve = named.or(curve)?;
    let mut key = EcKey::private(curve, scalar).ok()?;
    if let Some(mut point) = parts.optional(der::CONTEXT_1)? {
        // As OpenSSL: the point that is given is the public key, whether it is the scalar's or not.
        key.point = curve.point(&point.bits()?).ok()?;
        point.end()?;
    }
    parts.end()?;
    Some(Key::Ec(key))
}

fn spki(bytes: &[u8]) -> Option<Key> {
    let mut parts = Reader::new(bytes).sequence()?;
    let mut algorithm = parts.sequence()?;
    let bits = parts.bits()?;
    match algorithm.take(der::OBJECT)? {
        RSA => {
            parameters(algorithm)?;
            rsa_public(&bits)
        }
        RSA_PSS => with_limits(rsa_public(&bits)?, algorithm),
        EC => {
            let curve = Curve::by_object_id(algorithm.take(der::OBJECT)?)?;
            EcKey::public(curve, &bits).ok().map(Key::Ec)
        }
        ED25519 => okp(&bits).map(Key::Ed25519),
        X25519 => okp(&bits).map(Key::X25519),
        _ => None,
    }
}

fn okp(bytes: &[u8]) -> Option<Okp> {
    let public = bytes.try_into().ok()?;
    Some(Okp {
        public,
        secret: None,
    })
}

fn pkcs8(bytes: &[u8]) -> Option<Key> {
    let mut parts = Reader::new(bytes).sequence()?;
    if parts.number()? > 1 {
        return None;
    }
    let mut algorithm = parts.sequence()?;
    let content = parts.take(der::OCTET_STRING)?;
    let seed = || {
        Reader::new(content)
            .take(der::OCTET_STRING)?
            .try_into()
            .ok()
    };
    match algorithm.take(der::OBJECT)? {
        RSA => {
            parameters(algorithm)?;
            rsa_private(content)
        }
        RSA_PSS => with_limits(rsa_private(content)?, algorithm),
        EC => ec_private(content, Curve::by_object_id(algorithm.take(der::OBJECT)?)),
        ED25519 => seed().map(|seed| Key::Ed25519(Okp::ed25519(seed))),
        X25519 => seed().map(|seed| Key::X25519(Okp::x25519(seed))),
        _ => None,
    }
}

/// Parameters that mean nothing: one value or none.
fn parameters(mut algorithm: Reader<'_>) -> Option<()> {
    if !algorithm.is_empty() {
        algorithm.any()?;
    }
    algorithm.end()
}

/// The key of an X.509 certificate.
fn certificate(bytes: &[u8]) -> Option<&[u8]> {
    let mut parts = Reader::new(bytes).sequence()?.sequence()?;
    if parts.tag() == Some(der::CONTEXT_0) {
        parts.whole()?;
    }
    // Serial number, signature, issuer, validity, subject.
    for _ in 0..5 {
        parts.whole()?;
    }
    parts.whole()
}
