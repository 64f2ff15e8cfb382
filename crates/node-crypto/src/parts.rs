//! The numbers of a key, as JWK has them.

use crate::curve::Curve;
use crate::key::{EcKey, Key, Okp};
use crate::rsa_key::{RsaKey, RsaSecrets};
use crate::rsa_number::is_product;

/// RSA n, e, d, p, q, dp, dq, qi; curves x, y, d; Ed25519 and X25519 x, d.
#[must_use]
pub fn parts(key: &Key) -> Vec<Vec<u8>> {
    match key {
        Key::Rsa(key) => {
            let mut parts = vec![key.n.clone(), key.e.clone()];
            if let Some(RsaSecrets {
                d,
                p,
                q,
                dp,
                dq,
                qi,
            }) = &key.private
            {
                parts.extend([d, p, q, dp, dq, qi].map(Clone::clone));
            }
            parts
        }
        Key::Ec(key) => {
            let (x, y) = key.point[1..].split_at(key.curve.field_bytes());
            let mut parts = vec![x.to_vec(), y.to_vec()];
            parts.extend(key.scalar.clone());
            parts
        }
        Key::Ed25519(key) | Key::X25519(key) => {
            let mut parts = vec![key.public.to_vec()];
            parts.extend(key.secret.map(|secret| secret.to_vec()));
            parts
        }
    }
}

/// The key of such numbers; `kind`: `rsa`, `ed25519`, `x25519` or a curve. `None` when they do not make one.
#[must_use]
pub fn of_parts(kind: &str, parts: &[Vec<u8>]) -> Option<Key> {
    match (kind, parts) {
        ("rsa", [n, e]) => Some(Key::Rsa(Box::new(RsaKey::public(n, e)))),
        ("rsa", [n, e, secrets @ ..]) => {
            let mut key = RsaKey::public(n, e);
            let secrets = RsaSecrets::of(secrets)?;
            if !is_product(n, &secrets.p, &secrets.q) {
                return None;
            }
            key.private = Some(secrets);
            Some(Key::Rsa(Box::new(key)))
        }
        ("ed25519", parts) => okp(parts, Okp::ed25519).map(Key::Ed25519),
        ("x25519", parts) => okp(parts, Okp::x25519).map(Key::X25519),
        (curve, [x, y, rest @ ..]) => {
            let curve = Curve::of(curve)?;
            let point = [&[4][..], &padded(x, curve)?, &padded(y, curve)?].concat();
            let public = EcKey::public(curve, &point).ok()?;
            match rest {
                [] => Some(Key::Ec(public)),
                [scalar] => {
                    let private = EcKey::private(curve, scalar).ok()?;
                    (private.point == public.point).then_some(Key::Ec(private))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn padded(part: &[u8], curve: Curve) -> Option<Vec<u8>> {
    let missing = curve.field_bytes().checked_sub(part.len())?;
    let mut out = vec![0; missing];
    out.extend(part);
    Some(out)
}

fn okp(parts: &[Vec<u8>], make: fn([u8; 32]) -> Okp) -> Option<Okp> {
    match parts {
        [public] => Some(Okp {
            public: public.as_slice().try_into().ok()?,
            secret: None,
        }),
        [public, secret] => {
            let key = make(secret.as_slice().try_into().ok()?);
            (public.is_empty() || *public == key.public).then_some(key)
        }
        _ => None,
    }
}
