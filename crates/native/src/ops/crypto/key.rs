//! Asymmetric keys: RSA, elliptic curves of NIST, Ed25519 and X25519, as numbers and points in bytes.

use std::sync::OnceLock;

use rsa::traits::{PrivateKeyParts as _, PublicKeyParts as _};
use rsa::{BoxedUint, RsaPrivateKey, RsaPublicKey};

use super::curve::Curve;
use super::failure::Failure;
use super::hasher::Kind;

/// Any asymmetric key; private when it has its secret part.
#[derive(Debug)]
pub(super) enum Key {
    Rsa(Box<RsaKey>),
    Ec(EcKey),
    Ed25519(Okp),
    X25519(Okp),
}

impl Key {
    pub(super) fn is_private(&self) -> bool {
        match self {
            Self::Rsa(key) => key.private.is_some(),
            Self::Ec(key) => key.scalar.is_some(),
            Self::Ed25519(key) | Self::X25519(key) => key.secret.is_some(),
        }
    }

    /// The same key without its secret part.
    pub(super) fn public(&self) -> Self {
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
    pub(super) fn kind(&self) -> &'static str {
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
pub(super) enum Purpose {
    #[default]
    Anything,
    /// RSASSA-PSS only, perhaps with limits.
    Pss(Option<PssLimits>),
}

/// What RSASSA-PSS allows a key for.
#[derive(Clone, Copy, Debug)]
pub(super) struct PssLimits {
    pub(super) hash: Kind,
    pub(super) mgf: Kind,
    pub(super) salt: u32,
}

/// An RSA key's numbers, big-endian.
#[derive(Debug, Default)]
pub(super) struct RsaKey {
    pub(super) n: Vec<u8>,
    pub(super) e: Vec<u8>,
    pub(super) private: Option<RsaSecrets>,
    pub(super) purpose: Purpose,
    ready_private: OnceLock<Option<RsaPrivateKey>>,
    ready_public: OnceLock<Option<RsaPublicKey>>,
}

#[derive(Debug)]
pub(super) struct RsaSecrets {
    pub(super) d: Vec<u8>,
    pub(super) p: Vec<u8>,
    pub(super) q: Vec<u8>,
    pub(super) dp: Vec<u8>,
    pub(super) dq: Vec<u8>,
    pub(super) qi: Vec<u8>,
}

impl RsaSecrets {
    /// From d, p, q, dp, dq, qi.
    pub(super) fn of(numbers: &[Vec<u8>]) -> Option<Self> {
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
    pub(super) fn public(n: &[u8], e: &[u8]) -> Self {
        Self {
            n: n.to_vec(),
            e: e.to_vec(),
            ..Self::default()
        }
    }

    pub(super) fn of(key: RsaPrivateKey) -> Self {
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

    pub(super) fn is_pss(&self) -> bool {
        matches!(self.purpose, Purpose::Pss(_))
    }

    pub(super) fn limits(&self) -> Option<PssLimits> {
        match self.purpose {
            Purpose::Pss(limits) => limits,
            Purpose::Anything => None,
        }
    }

    pub(super) fn bits(&self) -> usize {
        let first = self.n.first().copied().unwrap_or(0);
        (self.n.len() * 8).saturating_sub(first.leading_zeros() as usize)
    }

    /// The key for computing; checked once.
    pub(super) fn to_private(&self) -> Result<&RsaPrivateKey, Failure> {
        let make = || {
            let secrets = self.private.as_ref()?;
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

    pub(super) fn to_public(&self) -> Result<&RsaPublicKey, Failure> {
        let make = || {
            let odd = self.n.last().is_some_and(|last| last & 1 == 1);
            let number = BoxedUint::from_be_slice_vartime;
            odd.then(|| RsaPublicKey::new_unchecked(number(&self.n), number(&self.e)))
        };
        self.ready_public
            .get_or_init(make)
            .as_ref()
            .ok_or(Failure::Failed)
    }
}

/// A key of an elliptic curve: its uncompressed point and its scalar.
#[derive(Debug)]
pub(super) struct EcKey {
    pub(super) curve: Curve,
    pub(super) point: Vec<u8>,
    pub(super) scalar: Option<Vec<u8>>,
}

impl EcKey {
    pub(super) fn public(curve: Curve, point: &[u8]) -> Result<Self, Failure> {
        Ok(Self {
            curve,
            point: curve.point(point)?,
            scalar: None,
        })
    }

    /// The point is computed.
    pub(super) fn private(curve: Curve, scalar: &[u8]) -> Result<Self, Failure> {
        let scalar = curve.scalar(scalar)?;
        Ok(Self {
            curve,
            point: curve.point_of(&scalar)?,
            scalar: Some(scalar),
        })
    }

    pub(super) fn to_scalar(&self) -> Result<&[u8], Failure> {
        self.scalar.as_deref().ok_or(Failure::Failed)
    }
}

/// A key of 32 bytes.
#[derive(Debug)]
pub(super) struct Okp {
    pub(super) public: [u8; 32],
    pub(super) secret: Option<[u8; 32]>,
}

impl Okp {
    pub(super) fn ed25519(seed: [u8; 32]) -> Self {
        let key = ed25519_dalek::SigningKey::from_bytes(&seed);
        Self {
            public: key.verifying_key().to_bytes(),
            secret: Some(seed),
        }
    }

    pub(super) fn x25519(secret: [u8; 32]) -> Self {
        Self {
            public: x25519_dalek::x25519(secret, x25519_dalek::X25519_BASEPOINT_BYTES),
            secret: Some(secret),
        }
    }
}
