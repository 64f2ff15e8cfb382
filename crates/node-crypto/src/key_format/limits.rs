//! What an RSASSA-PSS key is limited to, in DER (RFC 4055).

use super::parameters;
use crate::der::{self, Reader};
use crate::hash_kind::Kind;
use crate::key::Key;
use crate::rsa_key::{PssLimits, Purpose};

const MGF1: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x08];

/// RFC 4055: the limits of an RSASSA-PSS key.
pub(super) fn with_limits(key: Key, mut algorithm: Reader<'_>) -> Option<Key> {
    let Key::Rsa(mut key) = key else { return None };
    let limits = if algorithm.is_empty() {
        None
    } else {
        let parts = algorithm.sequence()?;
        algorithm.end()?;
        Some(read(parts)?)
    };
    key.purpose = Purpose::Pss(limits);
    Some(Key::Rsa(key))
}

/// `RSASSA-PSS-params`: each part is there or means the default.
fn read(mut parts: Reader<'_>) -> Option<PssLimits> {
    let mut limits = PssLimits {
        hash: Kind::Sha1,
        mgf: Kind::Sha1,
        salt: 20,
    };
    if let Some(mut part) = parts.optional(0xa0)? {
        limits.hash = hash(part.sequence()?)?;
        part.end()?;
    }
    if let Some(mut part) = parts.optional(0xa1)? {
        let mut mgf = part.sequence()?;
        part.end()?;
        if mgf.take(der::OBJECT)? != MGF1 {
            return None;
        }
        limits.mgf = hash(mgf.sequence()?)?;
        mgf.end()?;
    }
    if let Some(mut part) = parts.optional(0xa2)? {
        limits.salt = part.number()?;
        part.end()?;
    }
    if let Some(mut part) = parts.optional(0xa3)? {
        // The trailer field: there is one only, and OpenSSL does not look at it.
        part.number()?;
        part.end()?;
    }
    parts.end()?;
    Some(limits)
}

/// A hash function and, which mean nothing, parameters.
fn hash(mut algorithm: Reader<'_>) -> Option<Kind> {
    let kind = Kind::by_object_id(algorithm.take(der::OBJECT)?)?;
    parameters(algorithm)?;
    Some(kind)
}

pub(super) fn write(limits: PssLimits) -> Vec<u8> {
    let hash = |kind: Kind| {
        let id = der::value(der::OBJECT, &[kind.object_id().unwrap_or_default()]);
        der::sequence(&[&id, &der::value(der::NULL, &[])])
    };
    let mgf = der::sequence(&[&der::value(der::OBJECT, &[MGF1]), &hash(limits.mgf)]);
    der::sequence(&[
        &der::value(0xa0, &[&hash(limits.hash)]),
        &der::value(0xa1, &[&mgf]),
        &der::value(0xa2, &[&der::number(limits.salt)]),
    ])
}
