//! What goes wrong in `crypto`, as Node's errors.

/// Why an operation failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "most names say it")]
pub enum Failure {
    /// No key that is known here: not encoded as it should be, or of another kind.
    Unsupported,
    /// The key is encrypted and no passphrase was given.
    MissingPassphrase,
    /// The passphrase does not fit.
    BadDecrypt,
    /// A block cipher's padding or length.
    WrongFinalBlock,
    BadPadding,
    /// An authenticated cipher's tag.
    Authentication,
    DataTooLarge,
    DataTooSmall,
    NoData,
    LargerThanModulus,
    LongerThanModulus,
    DigestTooBig,
    InvalidRsaPadding,
    UnknownPadding,
    ModulusTooLarge,
    BadExponent,
    ExponentOutOfRange,
    NoInverse,
    InvalidKey,
    KeyTooSmall,
    DigestNotAllowed,
    IllegalPadding,
    InvalidPaddingMode,
    InvalidSaltLength,
    SaltTooSmall,
    KeyTypeUnsupported,
    OaepDecoding,
    WrongKey,
    InvalidDigest,
    /// A hash function that the key cannot be used with.
    UnfitDigest,
    /// What OpenSSL says of a hash function without a length where it looks for one.
    NoMemory,
    UnsupportedOperation,
    /// Data that a cipher cannot take, or not now.
    UnsupportedState,
    /// A signature was made of this message already.
    NotInitialised,
    /// A point that is not on its curve, or a number that is not below its order.
    InvalidPoint,
    Random,
    /// A shared secret that is none.
    Derivation,
    /// Keys of two curves.
    MismatchingCurves,
    /// A derivation that would take more memory than OpenSSL gives it.
    MemoryLimit,
    ScryptParameters,
    NoIterations,
    Generation,
    Failed,
}

/// Number, library, reason and code, as OpenSSL has them; `None`: the message alone.
pub type Openssl = (&'static str, &'static str, &'static str, &'static str);

/// OpenSSL's errors (`rsaerr.h`, `proverr.h`, `evperr.h`) by what they mean here.
#[rustfmt::skip]
const OPENSSL: &[(Failure, Openssl)] = &[
    (Failure::Unsupported, ("1E08010C", "DECODER routines", "unsupported", "ERR_OSSL_UNSUPPORTED")),
    (Failure::BadDecrypt, ("1C800064", "Provider routines", "bad decrypt", "ERR_OSSL_BAD_DECRYPT")),
    (Failure::BadPadding, ("1C800064", "Provider routines", "bad decrypt", "ERR_OSSL_BAD_DECRYPT")),
    (Failure::WrongFinalBlock, ("1C80006B", "Provider routines", "wrong final block length", "ERR_OSSL_WRONG_FINAL_BLOCK_LENGTH")),
    (Failure::DataTooLarge, ("0200006E", "rsa routines", "data too large for key size", "ERR_OSSL_RSA_DATA_TOO_LARGE_FOR_KEY_SIZE")),
    (Failure::DataTooSmall, ("0200007A", "rsa routines", "data too small for key size", "ERR_OSSL_RSA_DATA_TOO_SMALL_FOR_KEY_SIZE")),
    (Failure::NoData, ("0200006F", "rsa routines", "data too small", "ERR_OSSL_RSA_DATA_TOO_SMALL")),
    (Failure::LargerThanModulus, ("02000084", "rsa routines", "data too large for modulus", "ERR_OSSL_RSA_DATA_TOO_LARGE_FOR_MODULUS")),
    (Failure::LongerThanModulus, ("0200006C", "rsa routines", "data greater than mod len", "ERR_OSSL_RSA_DATA_GREATER_THAN_MOD_LEN")),
    (Failure::DigestTooBig, ("02000070", "rsa routines", "digest too big for rsa key", "ERR_OSSL_RSA_DIGEST_TOO_BIG_FOR_RSA_KEY")),
    (Failure::InvalidRsaPadding, ("0200008A", "rsa routines", "invalid padding", "ERR_OSSL_RSA_INVALID_PADDING")),
    (Failure::UnknownPadding, ("02000076", "rsa routines", "unknown padding type", "ERR_OSSL_RSA_UNKNOWN_PADDING_TYPE")),
    (Failure::ModulusTooLarge, ("02000069", "rsa routines", "modulus too large", "ERR_OSSL_RSA_MODULUS_TOO_LARGE")),
    (Failure::BadExponent, ("02000065", "rsa routines", "bad e value", "ERR_OSSL_RSA_BAD_E_VALUE")),
    (Failure::ExponentOutOfRange, ("020000B2", "rsa routines", "pub exponent out of range", "ERR_OSSL_RSA_PUB_EXPONENT_OUT_OF_RANGE")),
    (Failure::NoInverse, ("0180006C", "bignum routines", "no inverse", "ERR_OSSL_BN_NO_INVERSE")),
    (Failure::InvalidKey, ("1C80009E", "Provider routines", "invalid key", "ERR_OSSL_INVALID_KEY")),
    (Failure::KeyTooSmall, ("1C8000AB", "Provider routines", "key size too small", "ERR_OSSL_KEY_SIZE_TOO_SMALL")),
    (Failure::DigestNotAllowed, ("1C8000AE", "Provider routines", "digest not allowed", "ERR_OSSL_DIGEST_NOT_ALLOWED")),
    (Failure::IllegalPadding, ("1C8000A5", "Provider routines", "illegal or unsupported padding mode", "ERR_OSSL_ILLEGAL_OR_UNSUPPORTED_PADDING_MODE")),
    (Failure::InvalidPaddingMode, ("1C8000A8", "Provider routines", "invalid padding mode", "ERR_OSSL_INVALID_PADDING_MODE")),
    (Failure::InvalidSaltLength, ("1C800070", "Provider routines", "invalid salt length", "ERR_OSSL_INVALID_SALT_LENGTH")),
    (Failure::SaltTooSmall, ("1C8000AC", "Provider routines", "pss saltlen too small", "ERR_OSSL_PSS_SALTLEN_TOO_SMALL")),
    (Failure::KeyTypeUnsupported, ("1C8000B2", "Provider routines", "operation not supported for this keytype", "ERR_OSSL_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE")),
    (Failure::OaepDecoding, ("02000079", "rsa routines", "oaep decoding error", "ERR_OSSL_RSA_OAEP_DECODING_ERROR")),
    (Failure::WrongKey, ("03000096", "digital envelope routines", "operation not supported for this keytype", "ERR_OSSL_EVP_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE")),
    (Failure::UnfitDigest, ("1C80007A", "Provider routines", "invalid digest", "ERR_OSSL_INVALID_DIGEST")),
    (Failure::NoMemory, ("078C0100", "common libcrypto routines", "malloc failure", "ERR_OSSL_CRYPTO_MALLOC_FAILURE")),
    (Failure::MismatchingCurves, ("1C8000CB", "Provider routines", "mismatching domain parameters", "ERR_OSSL_MISMATCHING_DOMAIN_PARAMETERS")),
    (Failure::MemoryLimit, ("030000AC", "digital envelope routines", "memory limit exceeded", "ERR_OSSL_EVP_MEMORY_LIMIT_EXCEEDED")),
    (Failure::ScryptParameters, ("030000AB", "digital envelope routines", "illegal scrypt parameters", "ERR_OSSL_EVP_ILLEGAL_SCRYPT_PARAMETERS")),
    (Failure::NoIterations, ("1C80007B", "Provider routines", "invalid iteration count", "ERR_OSSL_INVALID_ITERATION_COUNT")),
    (Failure::Derivation, ("1C8000A4", "Provider routines", "failed during derivation", "ERR_OSSL_FAILED_DURING_DERIVATION")),
];

impl Failure {
    /// The error of OpenSSL that Node gives here.
    #[must_use]
    pub fn openssl(self) -> Option<Openssl> {
        let found = OPENSSL.iter().find(|(failure, _)| *failure == self);
        found.map(|(_, error)| *error)
    }

    /// Node's message, where there is none of OpenSSL's.
    #[must_use]
    pub fn message(self) -> &'static str {
        match self {
            Self::MissingPassphrase => "Passphrase required for encrypted key",
            Self::Authentication => "Unsupported state or unable to authenticate data",
            Self::InvalidDigest => "Invalid digest",
            Self::InvalidPoint => "Public key is not valid for specified curve",
            Self::Random => "the operating system gives no random bytes",
            Self::UnsupportedOperation => "Unsupported crypto operation",
            Self::NotInitialised => "Not initialised",
            Self::UnsupportedState => "Trying to add data in unsupported state",
            Self::Generation => "Key generation job failed",
            _ => "Operation failed",
        }
    }

    /// Node's code, where there is one.
    #[must_use]
    pub fn code(self) -> Option<&'static str> {
        match self {
            Self::MissingPassphrase => Some("ERR_MISSING_PASSPHRASE"),
            Self::InvalidDigest => Some("ERR_CRYPTO_INVALID_DIGEST"),
            Self::InvalidPoint => Some("ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY"),
            Self::UnsupportedOperation => Some("ERR_CRYPTO_UNSUPPORTED_OPERATION"),
            Self::NotInitialised => Some("ERR_CRYPTO_INVALID_STATE"),
            Self::Failed => Some("ERR_CRYPTO_OPERATION_FAILED"),
            _ => None,
        }
    }
}
