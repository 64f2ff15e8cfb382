//! Keys to DER.

use super::{EC, ED25519, Format, RSA, RSA_PSS, X25519, limits};
use crate::der;
use crate::key::{EcKey, Key};
use crate::rsa_key::{Purpose, RsaKey};

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
                der::sequence(&[&id(RSA_PSS), &limits.map(limits::write).unwrap_or_default()])
            }
        },
        Key::Ec(key) => der::sequence(&[&id(EC), &id(key.curve.object_id())]),
        Key::Ed25519(_) => der::sequence(&[&id(ED25519)]),
        Key::X25519(_) => der::sequence(&[&id(X25519)]),
    }
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
