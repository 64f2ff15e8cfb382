//! The elliptic curves P-256, P-384 and P-521: points, scalars, ECDSA and ECDH.

use std::borrow::Cow;

use ecdsa::hazmat::{sign_prehashed_rfc6979, verify_prehashed};
use getrandom::SysRng;
use p256::elliptic_curve::Generate as _;
use p256::elliptic_curve::sec1::ToSec1Point as _;

use crate::der::{self, Reader};
use crate::failure::Failure;

/// A curve of NIST.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Curve {
    P256,
    P384,
    P521,
}

/// Runs `$body` with the curve's crate as `$c` and the hash for its nonces as `$d`.
macro_rules! on_curve {
    ($curve:expr, $c:ident, $d:ident, $body:expr) => {
        match $curve {
            Curve::P256 => {
                use p256 as $c;
                type $d = sha2::Sha256;
                $body
            }
            Curve::P384 => {
                use p384 as $c;
                type $d = sha2::Sha384;
                $body
            }
            Curve::P521 => {
                use p521 as $c;
                type $d = sha2::Sha512;
                $body
            }
        }
    };
}

/// What the curves are called.
const NAMES: &[(&str, Curve)] = &[
    ("prime256v1", Curve::P256),
    ("secp384r1", Curve::P384),
    ("secp521r1", Curve::P521),
    ("P-256", Curve::P256),
    ("P-384", Curve::P384),
    ("P-521", Curve::P521),
    ("secp256r1", Curve::P256),
];

impl Curve {
    /// By any of its names.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        let found = NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, curve)| *curve)
    }

    /// OpenSSL's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::P256 => "prime256v1",
            Self::P384 => "secp384r1",
            Self::P521 => "secp521r1",
        }
    }

    /// The content of the curve's object identifier.
    #[must_use]
    pub fn object_id(self) -> &'static [u8] {
        match self {
            Self::P256 => &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07],
            Self::P384 => &[0x2b, 0x81, 0x04, 0x00, 0x22],
            Self::P521 => &[0x2b, 0x81, 0x04, 0x00, 0x23],
        }
    }

    /// The curve with this object identifier.
    #[must_use]
    pub fn by_object_id(id: &[u8]) -> Option<Self> {
        let all = [Self::P256, Self::P384, Self::P521];
        all.into_iter().find(|curve| curve.object_id() == id)
    }

    /// Bytes of a coordinate and of a scalar.
    #[must_use]
    pub fn field_bytes(self) -> usize {
        match self {
            Self::P256 => 32,
            Self::P384 => 48,
            Self::P521 => 66,
        }
    }

    /// Checks a point in any form and gives it uncompressed.
    pub fn point(self, bytes: &[u8]) -> Result<Vec<u8>, Failure> {
        let bytes = &*self.plain_form(bytes)?;
        on_curve!(self, curve, _D, {
            let key =
                curve::PublicKey::from_sec1_bytes(bytes).map_err(|_| Failure::InvalidPoint)?;
            Ok(key.to_sec1_point(false).as_bytes().to_vec())
        })
    }

    /// X9.62's hybrid form says in its first byte whether y is odd, and is uncompressed otherwise.
    fn plain_form(self, bytes: &[u8]) -> Result<Cow<'_, [u8]>, Failure> {
        // 0 is the point at infinity, 5 a form of x alone that OpenSSL does not have.
        if !matches!(bytes.first(), Some(2..=4 | 6 | 7)) {
            return Err(Failure::InvalidPoint);
        }
        let (Some(first @ (6 | 7)), Some(last)) = (bytes.first(), bytes.last()) else {
            return Ok(bytes.into());
        };
        if bytes.len() != 2 * self.field_bytes() + 1 || first & 1 != last & 1 {
            return Err(Failure::InvalidPoint);
        }
        let mut plain = bytes.to_vec();
        plain[0] = 4;
        Ok(plain.into())
    }

    /// Checks a point and gives it compressed.
    ///
    /// # Errors
    /// `Failure::InvalidPoint`.
    pub fn compressed(self, point: &[u8]) -> Result<Vec<u8>, Failure> {
        let point = &*self.plain_form(point)?;
        on_curve!(self, curve, _D, {
            let key =
                curve::PublicKey::from_sec1_bytes(point).map_err(|_| Failure::InvalidPoint)?;
            Ok(key.to_sec1_point(true).as_bytes().to_vec())
        })
    }

    /// Checks a scalar and gives it as long as the field.
    pub fn scalar(self, bytes: &[u8]) -> Result<Vec<u8>, Failure> {
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        let digits = &bytes[zeros..];
        let length = self.field_bytes();
        let Some(start) = length.checked_sub(digits.len()) else {
            return Err(Failure::InvalidPoint);
        };
        let mut padded = vec![0; length];
        padded[start..].copy_from_slice(digits);
        on_curve!(self, curve, _D, {
            curve::SecretKey::from_slice(&padded).map_err(|_| Failure::InvalidPoint)?;
        });
        Ok(padded)
    }

    /// The public point of a scalar.
    ///
    /// # Errors
    /// `Failure::InvalidPoint` when it is no scalar.
    pub fn point_of(self, scalar: &[u8]) -> Result<Vec<u8>, Failure> {
        on_curve!(self, curve, _D, {
            let key = curve::SecretKey::from_slice(scalar).map_err(|_| Failure::InvalidPoint)?;
            Ok(key.public_key().to_sec1_point(false).as_bytes().to_vec())
        })
    }

    /// A new scalar.
    pub fn generate(self) -> Result<Vec<u8>, Failure> {
        on_curve!(self, curve, _D, {
            let key = curve::SecretKey::try_generate_from_rng(&mut SysRng);
            key.map(|key| key.to_bytes().to_vec())
                .map_err(|_| Failure::Random)
        })
    }

    /// ECDSA over a digest: r and s, each as long as the field. The nonce is RFC 6979's.
    pub fn sign(self, scalar: &[u8], digest: &[u8]) -> Result<Vec<u8>, Failure> {
        on_curve!(self, curve, D, {
            let key = curve::SecretKey::from_slice(scalar).map_err(|_| Failure::Failed)?;
            let scalar = key.to_nonzero_scalar();
            let (signature, _) = sign_prehashed_rfc6979::<_, D>(&scalar, digest, &[]);
            Ok(signature.to_bytes().to_vec())
        })
    }

    /// `signature` as `sign` gives it.
    #[must_use]
    pub fn verify(self, point: &[u8], digest: &[u8], signature: &[u8]) -> bool {
        on_curve!(self, curve, _D, {
            let key = curve::PublicKey::from_sec1_bytes(point);
            let signature = curve::ecdsa::Signature::from_slice(signature);
            match (key, signature) {
                (Ok(key), Ok(signature)) => {
                    verify_prehashed(&key.to_projective(), digest, &signature).is_ok()
                }
                _ => false,
            }
        })
    }

    /// The shared secret's x.
    pub fn agree(self, scalar: &[u8], point: &[u8]) -> Result<Vec<u8>, Failure> {
        on_curve!(self, curve, _D, {
            let key = curve::SecretKey::from_slice(scalar).map_err(|_| Failure::Failed)?;
            let other =
                curve::PublicKey::from_sec1_bytes(point).map_err(|_| Failure::InvalidPoint)?;
            Ok(key.diffie_hellman(&other).raw_secret_bytes().to_vec())
        })
    }

    /// r and s as they are → as DER.
    #[must_use]
    pub fn to_der(self, signature: &[u8]) -> Vec<u8> {
        let (r, s) = signature.split_at(self.field_bytes().min(signature.len()));
        der::sequence(&[&der::integer(r), &der::integer(s)])
    }

    /// r and s from DER.
    #[must_use]
    pub fn plain(self, signature: &[u8]) -> Option<Vec<u8>> {
        let mut outer = Reader::new(signature);
        let mut numbers = outer.sequence()?;
        let (r, s) = (numbers.integer()?, numbers.integer()?);
        if !outer.is_empty() || !numbers.is_empty() {
            return None;
        }
        let length = self.field_bytes();
        let mut out = vec![0; length * 2];
        out.get_mut(length.checked_sub(r.len())?..length)?
            .copy_from_slice(r);
        out.get_mut((2 * length).checked_sub(s.len())?..)?
            .copy_from_slice(s);
        // As OpenSSL: DER and nothing else, or a signature had many forms.
        (s.len() <= length && self.to_der(&out) == signature).then_some(out)
    }
}
