//! New keys.

use getrandom::SysRng;
use getrandom::rand_core::UnwrapErr;
use rsa::{BoxedUint, RsaPrivateKey};

use crate::curve::Curve;
use crate::failure::Failure;
use crate::key::{EcKey, Key, Okp, Purpose, RsaKey};
use crate::random;

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
