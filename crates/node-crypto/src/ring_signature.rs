//! Signatures by ring where it has them and is several times faster than portable Rust: ECDSA of P-256 with
//! SHA-256 (of P-384 it is not), RSA with SHA-2 and a salt as long as the digest. Everything else is left to
//! the general code, and so is every "no": a signature that ring takes is one, what it does not take is
//! looked at again.

use std::sync::OnceLock;

use ring::rand::SystemRandom;
use ring::rsa::{KeyPairComponents, PublicKeyComponents};
use ring::signature as ring_has;
use ring::signature::{EcdsaKeyPair, RsaEncoding, RsaKeyPair, RsaParameters, UnparsedPublicKey};

use crate::curve::Curve;
use crate::hash_kind::Kind;
use crate::key::EcKey;
use crate::rsa_key::RsaKey;
use crate::rsa_number::significant;
use crate::rsa_rules::{Padding, Salt, Scheme};

/// An RSA key for signing, made once; `None` inside for one that ring does not take (2,048 to 4,096 bits, an
/// exponent from 65,537 on).
pub(crate) type ReadyRsa = OnceLock<Option<RsaKeyPair>>;

/// r and s, each as long as the field.
pub(crate) fn sign_ec(key: &EcKey, kind: Kind, data: &[u8]) -> Option<Vec<u8>> {
    if (key.curve, kind) != (Curve::P256, Kind::Sha256) {
        return None;
    }
    let algorithm = &ring_has::ECDSA_P256_SHA256_FIXED_SIGNING;
    let random = SystemRandom::new();
    let (scalar, point) = (key.to_scalar().ok()?, &key.point);
    let pair = EcdsaKeyPair::from_private_key_and_public_key(algorithm, scalar, point, &random);
    let signature = pair.ok()?.sign(&random, data).ok()?;
    Some(signature.as_ref().to_vec())
}

/// Is `signature` (r and s) surely one?
pub(crate) fn fits_ec(key: &EcKey, kind: Kind, data: &[u8], signature: &[u8]) -> bool {
    let public = UnparsedPublicKey::new(&ring_has::ECDSA_P256_SHA256_FIXED, &key.point);
    (key.curve, kind) == (Curve::P256, Kind::Sha256) && public.verify(data, signature).is_ok()
}

/// A signature of the whole message.
pub(crate) fn sign_rsa(key: &RsaKey, padding: Padding, data: &[u8]) -> Option<Vec<u8>> {
    let encoding: &'static dyn RsaEncoding = match (padding.scheme, padding.kind) {
        (Scheme::Pkcs1, Kind::Sha256) => &ring_has::RSA_PKCS1_SHA256,
        (Scheme::Pkcs1, Kind::Sha384) => &ring_has::RSA_PKCS1_SHA384,
        (Scheme::Pkcs1, Kind::Sha512) => &ring_has::RSA_PKCS1_SHA512,
        (Scheme::Pss, _) if !is_plain_pss(padding) => return None,
        (Scheme::Pss, Kind::Sha256) => &ring_has::RSA_PSS_SHA256,
        (Scheme::Pss, Kind::Sha384) => &ring_has::RSA_PSS_SHA384,
        (Scheme::Pss, Kind::Sha512) => &ring_has::RSA_PSS_SHA512,
        _ => return None,
    };
    let pair = key.ready_ring.get_or_init(|| pair_of(key)).as_ref()?;
    let mut signature = vec![0; pair.public().modulus_len()];
    pair.sign(encoding, &SystemRandom::new(), data, &mut signature)
        .ok()?;
    Some(signature)
}

/// Is it surely one?
pub(crate) fn fits_rsa(key: &RsaKey, padding: Padding, data: &[u8], signature: &[u8]) -> bool {
    let algorithm: &'static RsaParameters = match (padding.scheme, padding.kind) {
        (Scheme::Pkcs1, Kind::Sha256) => &ring_has::RSA_PKCS1_2048_8192_SHA256,
        (Scheme::Pkcs1, Kind::Sha384) => &ring_has::RSA_PKCS1_2048_8192_SHA384,
        (Scheme::Pkcs1, Kind::Sha512) => &ring_has::RSA_PKCS1_2048_8192_SHA512,
        (Scheme::Pss, _) if padding.mgf != padding.kind || !is_salt_taken(padding) => return false,
        (Scheme::Pss, Kind::Sha256) => &ring_has::RSA_PSS_2048_8192_SHA256,
        (Scheme::Pss, Kind::Sha384) => &ring_has::RSA_PSS_2048_8192_SHA384,
        (Scheme::Pss, Kind::Sha512) => &ring_has::RSA_PSS_2048_8192_SHA512,
        _ => return false,
    };
    let public = PublicKeyComponents {
        n: significant(&key.n),
        e: significant(&key.e),
    };
    public.verify(algorithm, data, signature).is_ok()
}

/// MGF1 over the message's hash, and a salt as long: all that ring makes. Keys are so large that there is
/// room for the salt.
fn is_plain_pss(padding: Padding) -> bool {
    let is_salt = match padding.salt {
        Salt::Most | Salt::Any => false,
        Salt::DigestAtMost => true,
        Salt::Bytes(bytes) => bytes == padding.kind.output_bytes(),
    };
    is_salt && padding.mgf == padding.kind
}

/// May the salt be as long as the digest?
fn is_salt_taken(padding: Padding) -> bool {
    match padding.salt {
        Salt::Most => false,
        Salt::DigestAtMost | Salt::Any => true,
        Salt::Bytes(bytes) => bytes == padding.kind.output_bytes(),
    }
}

fn pair_of(key: &RsaKey) -> Option<RsaKeyPair> {
    let secrets = key.private.as_ref()?;
    RsaKeyPair::from_components(&KeyPairComponents {
        public_key: PublicKeyComponents {
            n: significant(&key.n),
            e: significant(&key.e),
        },
        d: significant(&secrets.d),
        p: significant(&secrets.p),
        q: significant(&secrets.q),
        dP: significant(&secrets.dp),
        dQ: significant(&secrets.dq),
        qInv: significant(&secrets.qi),
    })
    .ok()
}
