//! New keys.

use getrandom::SysRng;
use getrandom::rand_core::UnwrapErr;
use rsa::{BoxedUint, RsaPrivateKey};

use crate::curve::Curve;
use crate::failure::Failure;
use crate::key::{EcKey, Key, Okp};
use crate::random;
use crate::rsa_key::{Purpose, RsaKey};
use crate::rsa_number::MODULUS_BITS_MAX;

/// What is to be generated.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Wish {
    Rsa {
        /// Bits of the modulus.
        bits: usize,
        /// The public exponent.
        exponent: u32,
        /// What the key is for.
        purpose: Purpose,
    },
    Curve(Curve),
    Ed25519,
    X25519,
}

/// Bits of the smallest modulus that OpenSSL generates.
const RSA_BITS_MIN: usize = 512;

/// No even number has an inverse, so that a search for primes would have no end; the largest modulus is the
/// largest that is used.
fn rsa_fits(bits: usize, exponent: u32) -> Result<(), Failure> {
    match (bits, exponent) {
        (..RSA_BITS_MIN, _) => Err(Failure::KeyTooSmall),
        (_, 0) => Err(Failure::Generation),
        (_, 1) => Err(Failure::ExponentOutOfRange),
        (_, even) if even.is_multiple_of(2) => Err(Failure::ExponentOutOfRange),
        (bits, _) if bits > MODULUS_BITS_MAX => Err(Failure::ModulusTooLarge),
        _ => Ok(()),
    }
}

/// Generates a key.
///
/// # Errors
/// `Failure::Generation` for numbers that make no key, `Failure::Random` without random bytes.
pub fn generate(wish: &Wish) -> Result<Key, Failure> {
    let seed = || {
        let mut seed = [0; 32];
        random::fill(&mut seed).map_err(|_| Failure::Random)?;
        Ok(seed)
    };
    Ok(match wish {
        Wish::Rsa {
            bits,
            exponent,
            purpose,
        } => {
            rsa_fits(*bits, *exponent)?;
            let exponent = BoxedUint::from(u64::from(*exponent));
            let key =
                RsaPrivateKey::new_with_exp_unchecked(&mut UnwrapErr(SysRng), *bits, exponent);
            let mut key = RsaKey::of(key.map_err(|_| Failure::Generation)?);
            key.purpose = *purpose;
            Key::Rsa(Box::new(key))
        }
        Wish::Curve(curve) => Key::Ec(EcKey::private(*curve, &curve.generate()?)?),
        Wish::Ed25519 => Key::Ed25519(Okp::ed25519(seed()?)),
        Wish::X25519 => Key::X25519(Okp::x25519(seed()?)),
    })
}
