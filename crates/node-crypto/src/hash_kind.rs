//! The hash functions by name, number and object identifier, as OpenSSL has them.

use crate::hasher::Hasher;

/// A hash function by number: the place of its name in [`NAMES`].
pub type Algorithm = u32;

/// The names of OpenSSL that `getHashes()` lists and the digest each stands for, in the order of the numbers.
pub const NAMES: &[(&str, Kind)] = &[
    ("RSA-MD5", Kind::Md5),
    ("RSA-RIPEMD160", Kind::Ripemd160),
    ("RSA-SHA1", Kind::Sha1),
    ("RSA-SHA1-2", Kind::Sha1),
    ("RSA-SHA224", Kind::Sha224),
    ("RSA-SHA256", Kind::Sha256),
    ("RSA-SHA3-224", Kind::Sha3_224),
    ("RSA-SHA3-256", Kind::Sha3_256),
    ("RSA-SHA3-384", Kind::Sha3_384),
    ("RSA-SHA3-512", Kind::Sha3_512),
    ("RSA-SHA384", Kind::Sha384),
    ("RSA-SHA512", Kind::Sha512),
    ("RSA-SHA512/224", Kind::Sha512_224),
    ("RSA-SHA512/256", Kind::Sha512_256),
    ("md5", Kind::Md5),
    ("md5WithRSAEncryption", Kind::Md5),
    ("ripemd", Kind::Ripemd160),
    ("ripemd160", Kind::Ripemd160),
    ("ripemd160WithRSA", Kind::Ripemd160),
    ("rmd160", Kind::Ripemd160),
    ("sha1", Kind::Sha1),
    ("sha1WithRSAEncryption", Kind::Sha1),
    ("sha224", Kind::Sha224),
    ("sha224WithRSAEncryption", Kind::Sha224),
    ("sha256", Kind::Sha256),
    ("sha256WithRSAEncryption", Kind::Sha256),
    ("sha3-224", Kind::Sha3_224),
    ("sha3-256", Kind::Sha3_256),
    ("sha3-384", Kind::Sha3_384),
    ("sha3-512", Kind::Sha3_512),
    ("sha384", Kind::Sha384),
    ("sha384WithRSAEncryption", Kind::Sha384),
    ("sha512", Kind::Sha512),
    ("sha512-224", Kind::Sha512_224),
    ("sha512-224WithRSAEncryption", Kind::Sha512_224),
    ("sha512-256", Kind::Sha512_256),
    ("sha512-256WithRSAEncryption", Kind::Sha512_256),
    ("sha512WithRSAEncryption", Kind::Sha512),
    ("shake128", Kind::Shake128),
    ("shake256", Kind::Shake256),
    ("ssl3-md5", Kind::Md5),
    ("ssl3-sha1", Kind::Sha1),
];

/// Names that work but are not listed.
const UNLISTED: &[(&str, &str)] = &[
    ("sha-1", "sha1"),
    ("sha-224", "sha224"),
    ("sha-256", "sha256"),
    ("sha-384", "sha384"),
    ("sha-512", "sha512"),
    ("sha2-224", "sha224"),
    ("sha2-256", "sha256"),
    ("sha2-384", "sha384"),
    ("sha2-512", "sha512"),
    ("sha-512/224", "sha512-224"),
    ("sha-512/256", "sha512-256"),
    ("sha512/224", "sha512-224"),
    ("sha512/256", "sha512-256"),
    ("shake-128", "shake128"),
    ("shake-256", "shake256"),
    ("ripemd-160", "ripemd160"),
];

const OBJECT_IDS: &[(Kind, &[u8])] = &[
    (Kind::Md5, &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02, 0x05]),
    (Kind::Sha1, &[0x2b, 0x0e, 0x03, 0x02, 0x1a]),
    (Kind::Ripemd160, &[0x2b, 0x24, 0x03, 0x02, 0x01]),
    (
        Kind::Sha256,
        &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 1],
    ),
    (
        Kind::Sha384,
        &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 2],
    ),
    (
        Kind::Sha512,
        &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 3],
    ),
    (
        Kind::Sha224,
        &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 4],
    ),
    (
        Kind::Sha512_224,
        &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 5],
    ),
    (
        Kind::Sha512_256,
        &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 6],
    ),
    (
        Kind::Sha3_224,
        &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 7],
    ),
    (
        Kind::Sha3_256,
        &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 8],
    ),
    (
        Kind::Sha3_384,
        &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 9],
    ),
    (
        Kind::Sha3_512,
        &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 10],
    ),
];

/// A hash function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Kind {
    Md5,
    Ripemd160,
    Sha1,
    Sha224,
    Sha256,
    Sha384,
    Sha512,
    Sha512_224,
    Sha512_256,
    Sha3_224,
    Sha3_256,
    Sha3_384,
    Sha3_512,
    Shake128,
    Shake256,
}

impl Kind {
    /// By number.
    #[must_use]
    pub fn of(algorithm: Algorithm) -> Option<Self> {
        let place = usize::try_from(algorithm).ok()?;
        NAMES.get(place).map(|(_, kind)| *kind)
    }

    /// The shortest name that is listed.
    #[must_use]
    pub fn name(self) -> &'static str {
        let names = NAMES.iter().filter(|(_, kind)| *kind == self);
        let lower = names
            .map(|(name, _)| *name)
            .filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
        lower.min_by_key(|name| name.len()).unwrap_or_default()
    }

    /// What HMAC pads its key to.
    #[must_use]
    pub fn block_bytes(self) -> usize {
        match self {
            Self::Md5 | Self::Ripemd160 | Self::Sha1 | Self::Sha224 | Self::Sha256 => 64,
            Self::Sha384 | Self::Sha512 | Self::Sha512_224 | Self::Sha512_256 => 128,
            Self::Sha3_224 => 144,
            Self::Sha3_256 | Self::Shake256 => 136,
            Self::Sha3_384 => 104,
            Self::Sha3_512 => 72,
            Self::Shake128 => 168,
        }
    }

    /// Does it give digests of any length?
    #[must_use]
    pub fn is_extendable(self) -> bool {
        matches!(self, Self::Shake128 | Self::Shake256)
    }

    /// The object identifier: those of SHA-2 and SHA-3 differ in the last byte only.
    #[must_use]
    pub fn object_id(self) -> Option<&'static [u8]> {
        let found = OBJECT_IDS.iter().find(|(kind, _)| *kind == self);
        found.map(|(_, id)| *id)
    }

    /// The function with this object identifier.
    #[must_use]
    pub fn by_object_id(id: &[u8]) -> Option<Self> {
        let found = OBJECT_IDS.iter().find(|(_, known)| *known == id);
        found.map(|(kind, _)| *kind)
    }

    /// The digest's usual length.
    #[must_use]
    pub fn output_bytes(self) -> usize {
        Hasher::new(self).output_bytes()
    }
}

/// The number of a hash function's name, in any case.
#[must_use]
pub fn number(name: &str) -> Option<Algorithm> {
    let known = |wanted: &str| {
        NAMES
            .iter()
            .position(|(listed, _)| listed.eq_ignore_ascii_case(wanted))
    };
    let place = known(name).or_else(|| {
        let alias = UNLISTED
            .iter()
            .find(|(alias, _)| alias.eq_ignore_ascii_case(name))?;
        known(alias.1)
    });
    place.and_then(|place| u32::try_from(place).ok())
}
