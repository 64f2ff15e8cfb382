//! Asymmetric keys: RSA, elliptic curves of NIST, Ed25519 and X25519, as numbers and points in bytes.

use std::sync::OnceLock;

use rsa::traits::{PrivateKeyParts as _, PublicKeyParts as _};
use rsa::{BoxedUint, RsaPrivateKey, RsaPublicKey};

use zeroize::Zeroize as _;

use crate::curve::Curve;
use crate::failure::Failure;
use crate::hasher::Kind;
use crate::rsa_number::{bits, check, is_product};

/// Any asymmetric key; private when it has its secret part.
#[derive(Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Key {
    Rsa(Box<RsaKey>),
    Ec(EcKey),
    Ed25519(Okp),
    X25519(Okp),
}

impl Key {
    /// Has it its secret part?
    #[must_use]
    pub fn is_private(&self) -> bool {
        match self {
            Self::Rsa(key) => key.private.is_some(),
            Self::Ec(key) => key.scalar.is_some(),
            Self::Ed25519(key) | Self::X25519(key) => key.secret.is_some(),
        }
    }

    /// The same key without its secret part.
    #[must_use]
    pub fn public(&self) -> Self {
        let okp = |key: &Okp| Okp {
            public: key.public,
            secret: None,
        };
        match self {
            Self::Rsa(key) => Self::Rsa(Box::new(RsaKey {
                n: key.n.clone(),
                e: key.e.clone(),
                private: None,
                purpose: key.purpose,
                ..RsaKey::default()
            })),
            Self::Ec(key) => Self::Ec(EcKey {
                curve: key.curve,
                point: key.point.clone(),
                scalar: None,
            }),
            Self::Ed25519(key) => Self::Ed25519(okp(key)),
            Self::X25519(key) => Self::X25519(okp(key)),
        }
    }

    /// Node's name of the kind.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Rsa(key) if key.is_pss() => "rsa-pss",
            Self::Rsa(_) => "rsa",
            Self::Ec(_) => "ec",
            Self::Ed25519(_) => "ed25519",
            Self::X25519(_) => "x25519",
        }
    }
}

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

/// A key of an elliptic curve: its uncompressed point and its scalar.
#[derive(Debug)]
pub struct EcKey {
    /// Its curve.
    pub curve: Curve,
    /// Uncompressed.
    pub point: Vec<u8>,
    /// When it is private; as long as the field.
    pub scalar: Option<Vec<u8>>,
}

impl Drop for EcKey {
    fn drop(&mut self) {
        self.scalar.zeroize();
    }
}

impl EcKey {
    /// From a point in any form.
    ///
    /// # Errors
    /// `Failure::InvalidPoint`.
    pub fn public(curve: Curve, point: &[u8]) -> Result<Self, Failure> {
        Ok(Self {
            curve,
            point: curve.point(point)?,
            scalar: None,
        })
    }

    /// The point is computed.
    pub fn private(curve: Curve, scalar: &[u8]) -> Result<Self, Failure> {
        let scalar = curve.scalar(scalar)?;
        Ok(Self {
            curve,
            point: curve.point_of(&scalar)?,
            scalar: Some(scalar),
        })
    }

    /// The secret part.
    ///
    /// # Errors
    /// `Failure::Failed` when there is none.
    pub fn to_scalar(&self) -> Result<&[u8], Failure> {
        self.scalar.as_deref().ok_or(Failure::Failed)
    }
}

/// A key of 32 bytes.
#[derive(Debug)]
pub struct Okp {
    /// The point.
    pub public: [u8; 32],
    /// When it is private.
    pub secret: Option<[u8; 32]>,
}

impl Drop for Okp {
    fn drop(&mut self) {
        self.secret.zeroize();
    }
}

impl Okp {
    /// From its seed.
    #[must_use]
    pub fn ed25519(seed: [u8; 32]) -> Self {
        let key = ed25519_dalek::SigningKey::from_bytes(&seed);
        Self {
            public: key.verifying_key().to_bytes(),
            secret: Some(seed),
        }
    }

    /// From its scalar.
    #[must_use]
    pub fn x25519(secret: [u8; 32]) -> Self {
        Self {
            public: x25519_dalek::x25519(secret, x25519_dalek::X25519_BASEPOINT_BYTES),
            secret: Some(secret),
        }
    }
}
