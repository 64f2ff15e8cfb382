//! Asymmetric keys: RSA, elliptic curves of NIST, Ed25519 and X25519, as numbers and points in bytes.

use zeroize::Zeroize as _;

use crate::curve::Curve;
use crate::failure::Failure;
use crate::rsa_key::RsaKey;

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
            Self::Rsa(key) => Self::Rsa(Box::new(key.without_secrets())),
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
