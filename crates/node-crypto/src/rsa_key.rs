//! RSA keys: their numbers, what they are for, and what computes with them, made once.

use std::sync::OnceLock;

use rsa::traits::{PrivateKeyParts as _, PublicKeyParts as _};
use rsa::{BoxedUint, RsaPrivateKey, RsaPublicKey};
use zeroize::Zeroize as _;

use crate::failure::Failure;
use crate::hash_kind::Kind;
use crate::ring_signature::ReadyRsa;
use crate::rsa_number::{bits, check, is_product};

/// What an RSA key may be used for.
#[derive(Clone, Copy, Debug, Default)]
#[expect(missing_docs, reason = "the name says it")]
pub enum Purpose {
    #[default]
    Anything,
    /// RSASSA-PSS only, perhaps with limits.
    Pss(Option<PssLimits>),
}

/// What RSASSA-PSS allows a key for.
#[derive(Clone, Copy, Debug)]
pub struct PssLimits {
    /// The hash of the message.
    pub hash: Kind,
    /// The hash within MGF1.
    pub mgf: Kind,
    /// Bytes of salt, at least.
    pub salt: u32,
}

/// An RSA key's numbers, big-endian.
#[derive(Debug, Default)]
pub struct RsaKey {
    /// Modulus.
    pub n: Vec<u8>,
    /// Public exponent.
    pub e: Vec<u8>,
    /// When it is private.
    pub private: Option<RsaSecrets>,
    /// What it may be used for.
    pub purpose: Purpose,
    ready_private: OnceLock<Option<RsaPrivateKey>>,
    ready_public: OnceLock<RsaPublicKey>,
    pub(crate) ready_ring: ReadyRsa,
}

/// The secret numbers, big-endian.
#[derive(Debug)]
pub struct RsaSecrets {
    /// Private exponent.
    pub d: Vec<u8>,
    /// First prime.
    pub p: Vec<u8>,
    /// Second prime.
    pub q: Vec<u8>,
    /// d mod (p - 1).
    pub dp: Vec<u8>,
    /// d mod (q - 1).
    pub dq: Vec<u8>,
    /// q⁻¹ mod p.
    pub qi: Vec<u8>,
}

impl Drop for RsaSecrets {
    fn drop(&mut self) {
        let Self {
            d,
            p,
            q,
            dp,
            dq,
            qi,
        } = self;
        for number in [d, p, q, dp, dq, qi] {
            number.zeroize();
        }
    }
}

impl RsaSecrets {
    /// From d, p, q, dp, dq, qi.
    #[must_use]
    pub fn of(numbers: &[Vec<u8>]) -> Option<Self> {
        let mut numbers = numbers.iter().cloned();
        let all = Self {
            d: numbers.next()?,
            p: numbers.next()?,
            q: numbers.next()?,
            dp: numbers.next()?,
            dq: numbers.next()?,
            qi: numbers.next()?,
        };
        numbers.next().is_none().then_some(all)
    }
}

impl RsaKey {
    /// From modulus and exponent.
    #[must_use]
    pub fn public(n: &[u8], e: &[u8]) -> Self {
        Self {
            n: n.to_vec(),
            e: e.to_vec(),
            ..Self::default()
        }
    }

    pub(crate) fn without_secrets(&self) -> Self {
        Self {
            purpose: self.purpose,
            ..Self::public(&self.n, &self.e)
        }
    }

    /// From the key that computes.
    #[must_use]
    pub fn of(key: RsaPrivateKey) -> Self {
        let bytes = |number: &BoxedUint| number.to_be_bytes_trimmed_vartime().to_vec();
        let prime = |at: usize| {
            key.primes()
                .get(at)
                .map(|prime| bytes(prime))
                .unwrap_or_default()
        };
        let secrets = RsaSecrets {
            d: bytes(key.d()),
            p: prime(0),
            q: prime(1),
            dp: key.dp().map(bytes).unwrap_or_default(),
            dq: key.dq().map(bytes).unwrap_or_default(),
            qi: key
                .crt_coefficient()
                .as_ref()
                .map(bytes)
                .unwrap_or_default(),
        };
        Self {
            n: key.n_bytes().to_vec(),
            e: key.e_bytes().to_vec(),
            private: Some(secrets),
            ready_private: OnceLock::from(Some(key)),
            ..Self::default()
        }
    }

    /// Is it for RSASSA-PSS only?
    pub fn is_pss(&self) -> bool {
        matches!(self.purpose, Purpose::Pss(_))
    }

    /// What it is limited to, when it is.
    pub fn limits(&self) -> Option<PssLimits> {
        match self.purpose {
            Purpose::Pss(limits) => limits,
            Purpose::Anything => None,
        }
    }

    /// Bits of the modulus.
    pub fn bits(&self) -> usize {
        bits(&self.n)
    }

    /// The key for computing; checked once.
    pub fn to_private(&self) -> Result<&RsaPrivateKey, Failure> {
        let make = || {
            check(self).ok()?;
            let secrets = self.private.as_ref()?;
            if !is_product(&self.n, &secrets.p, &secrets.q) || secrets.d.len() > self.n.len() {
                return None;
            }
            let number = BoxedUint::from_be_slice_vartime;
            let primes = vec![number(&secrets.p), number(&secrets.q)];
            RsaPrivateKey::from_components_with_large_exponent(
                number(&self.n),
                number(&self.e),
                number(&secrets.d),
                primes,
            )
            .ok()
        };
        self.ready_private
            .get_or_init(make)
            .as_ref()
            .ok_or(Failure::Failed)
    }

    /// The public key for computing; checked once.
    ///
    /// # Errors
    /// Numbers that make no key.
    pub fn to_public(&self) -> Result<&RsaPublicKey, Failure> {
        let make = || {
            let number = BoxedUint::from_be_slice_vartime;
            RsaPublicKey::new_unchecked(number(&self.n), number(&self.e))
        };
        check(self)?;
        Ok(self.ready_public.get_or_init(make))
    }
}
