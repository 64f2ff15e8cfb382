//! Keys in DER: PKCS #1, PKCS #8, SEC 1, `SubjectPublicKeyInfo` and the key in a certificate.

use crate::curve::Curve;
use crate::der::{self, Reader};
use crate::failure::Failure;
use crate::hasher::Kind;
use crate::key::{EcKey, Key, Okp, PssLimits, Purpose, RsaKey, RsaSecrets};
use crate::pbes;

const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01];
const RSA_PSS: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0a];
const MGF1: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x08];
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

/// RFC 4055: the limits of an RSASSA-PSS key.
fn with_limits(key: Key, mut algorithm: Reader<'_>) -> Option<Key> {
    let Key::Rsa(mut key) = key else { return None };
    let limits = if algorithm.is_empty() {
        None
    } else {
        let parts = algorithm.sequence()?;
        algorithm.end()?;
        Some(limits(parts)?)
    };
    key.purpose = Purpose::Pss(limits);
    Some(Key::Rsa(key))
}

/// `RSASSA-PSS-params`: each part is there or means the default.
fn limits(mut parts: Reader<'_>) -> Option<PssLimits> {
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

/// Writes a key; `None` when the format does not fit its kind.
#[must_use]
pub fn write(key: &Key, format: Format) -> Option<Vec<u8>> {
    match (format, key) {
        (Format::Pkcs1, Key::Rsa(key)) => Some(match &key.private {
            Some(_) => write_rsa_private(key),
            None => write_rsa_public(key),
        }),
        (Format::Sec1, Key::Ec(key)) => write_ec_private(key, true),
        (Format::Pkcs8, _) => write_pkcs8(key),
        (Format::Spki, _) => Some(write_spki(key)),
        _ => None,
    }
}

fn write_rsa_public(key: &RsaKey) -> Vec<u8> {
    der::sequence(&[&der::integer(&key.n), &der::integer(&key.e)])
}

fn write_rsa_private(key: &RsaKey) -> Vec<u8> {
    let Some(secrets) = &key.private else {
        return write_rsa_public(key);
    };
    let numbers = [
        &key.n,
        &key.e,
        &secrets.d,
        &secrets.p,
        &secrets.q,
        &secrets.dp,
        &secrets.dq,
        &secrets.qi,
    ];
    let mut content = der::number(0);
    for number in numbers {
        content.extend(der::integer(number));
    }
    der::sequence(&[&content])
}

fn write_ec_private(key: &EcKey, named: bool) -> Option<Vec<u8>> {
    let scalar = der::value(der::OCTET_STRING, &[key.scalar.as_ref()?]);
    let curve = if named {
        der::value(
            der::CONTEXT_0,
            &[&der::value(der::OBJECT, &[key.curve.object_id()])],
        )
    } else {
        Vec::new()
    };
    let point = der::value(der::CONTEXT_1, &[&der::bits(&key.point)]);
    Some(der::sequence(&[&der::number(1), &scalar, &curve, &point]))
}

fn algorithm(key: &Key) -> Vec<u8> {
    let id = |id: &[u8]| der::value(der::OBJECT, &[id]);
    match key {
        Key::Rsa(key) => match key.purpose {
            Purpose::Anything => der::sequence(&[&id(RSA), &der::value(der::NULL, &[])]),
            Purpose::Pss(limits) => {
                der::sequence(&[&id(RSA_PSS), &limits.map(write_limits).unwrap_or_default()])
            }
        },
        Key::Ec(key) => der::sequence(&[&id(EC), &id(key.curve.object_id())]),
        Key::Ed25519(_) => der::sequence(&[&id(ED25519)]),
        Key::X25519(_) => der::sequence(&[&id(X25519)]),
    }
}

fn write_limits(limits: PssLimits) -> Vec<u8> {
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

fn write_pkcs8(key: &Key) -> Option<Vec<u8>> {
    let content = match key {
        Key::Rsa(key) => {
            key.private.as_ref()?;
            write_rsa_private(key)
        }
        Key::Ec(key) => write_ec_private(key, false)?,
        Key::Ed25519(key) | Key::X25519(key) => der::value(der::OCTET_STRING, &[&key.secret?]),
    };
    Some(der::sequence(&[
        &der::number(0),
        &algorithm(key),
        &der::value(der::OCTET_STRING, &[&content]),
    ]))
}

fn write_spki(key: &Key) -> Vec<u8> {
    let bits = match key {
        Key::Rsa(key) => der::bits(&write_rsa_public(key)),
        Key::Ec(key) => der::bits(&key.point),
        Key::Ed25519(key) | Key::X25519(key) => der::bits(&key.public),
    };
    der::sequence(&[&algorithm(key), &bits])
}
