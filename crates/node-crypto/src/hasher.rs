//! All hash functions behind one type. SHA-384 and SHA-512 are ring's, which is faster for short messages;
//! the others are `RustCrypto`'s.

use digest::{DynDigest, ExtendableOutput as _, Update as _};

use crate::hash_kind::Kind;

/// A running hash.
#[expect(missing_docs, reason = "the names say it")]
pub enum Hasher {
    Fixed(Box<dyn DynDigest>),
    Ring(Box<ring::digest::Context>),
    Shake128(Box<sha3::Shake128>),
    Shake256(Box<sha3::Shake256>),
}

impl Hasher {
    /// Starts.
    #[must_use]
    pub fn new(kind: Kind) -> Self {
        let fixed: Box<dyn DynDigest> = match kind {
            Kind::Md5 => Box::<md5::Md5>::default(),
            Kind::Ripemd160 => Box::<ripemd::Ripemd160>::default(),
            Kind::Sha1 => Box::<sha1::Sha1>::default(),
            Kind::Sha224 => Box::<sha2::Sha224>::default(),
            Kind::Sha256 => Box::<sha2::Sha256>::default(),
            Kind::Sha384 => return Self::ring(&ring::digest::SHA384),
            Kind::Sha512 => return Self::ring(&ring::digest::SHA512),
            Kind::Sha512_224 => Box::<sha2::Sha512_224>::default(),
            Kind::Sha512_256 => Box::<sha2::Sha512_256>::default(),
            Kind::Sha3_224 => Box::<sha3::Sha3_224>::default(),
            Kind::Sha3_256 => Box::<sha3::Sha3_256>::default(),
            Kind::Sha3_384 => Box::<sha3::Sha3_384>::default(),
            Kind::Sha3_512 => Box::<sha3::Sha3_512>::default(),
            Kind::Shake128 => return Self::Shake128(Box::default()),
            Kind::Shake256 => return Self::Shake256(Box::default()),
        };
        Self::Fixed(fixed)
    }

    fn ring(algorithm: &'static ring::digest::Algorithm) -> Self {
        Self::Ring(Box::new(ring::digest::Context::new(algorithm)))
    }

    /// Takes more data.
    pub fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Fixed(digest) => digest.update(bytes),
            Self::Ring(context) => context.update(bytes),
            Self::Shake128(shake) => shake.update(bytes),
            Self::Shake256(shake) => shake.update(bytes),
        }
    }

    pub(crate) fn output_bytes(&self) -> usize {
        match self {
            Self::Fixed(digest) => digest.output_size(),
            Self::Ring(context) => context.algorithm().output_len(),
            Self::Shake128(_) => 16,
            Self::Shake256(_) => 32,
        }
    }

    /// Can the digest be so long?
    #[must_use]
    pub fn gives(&self, bytes: usize) -> bool {
        matches!(self, Self::Shake128(_) | Self::Shake256(_)) || bytes == self.output_bytes()
    }

    /// The digest, `bytes` long where the function can be extended.
    #[must_use]
    pub fn finish(self, bytes: Option<usize>) -> Vec<u8> {
        let length = bytes.unwrap_or_else(|| self.output_bytes());
        let mut out = vec![0; length];
        match self {
            Self::Fixed(digest) => return digest.finalize().into_vec(),
            Self::Ring(context) => return context.finish().as_ref().to_vec(),
            Self::Shake128(shake) => shake.finalize_xof_into(&mut out),
            Self::Shake256(shake) => shake.finalize_xof_into(&mut out),
        }
        out
    }
}

impl Clone for Hasher {
    fn clone(&self) -> Self {
        match self {
            Self::Fixed(digest) => Self::Fixed(digest.box_clone()),
            Self::Ring(context) => Self::Ring(context.clone()),
            Self::Shake128(shake) => Self::Shake128(shake.clone()),
            Self::Shake256(shake) => Self::Shake256(shake.clone()),
        }
    }
}

/// A digest of everything at once.
pub fn digest(kind: Kind, parts: &[&[u8]]) -> Vec<u8> {
    let mut hasher = Hasher::new(kind);
    for part in parts {
        hasher.update(part);
    }
    hasher.finish(None)
}
