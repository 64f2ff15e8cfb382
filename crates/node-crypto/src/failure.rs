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
    KeyTooSmall,
    OaepDecoding,
    WrongKey,
    InvalidDigest,
    /// A point that is not on its curve, or a number that is not below its order.
    InvalidPoint,
    Random,
    /// A shared secret that is none.
    Derivation,
    Generation,
    Failed,
}

/// Number, library, reason and code, as OpenSSL has them; `None`: the message alone.
pub type Openssl = (&'static str, &'static str, &'static str, &'static str);

impl Failure {
    /// The error of OpenSSL that Node gives here.
    #[must_use]
    pub fn openssl(self) -> Option<Openssl> {
        let provider = "Provider routines";
        Some(match self {
            Self::Unsupported => (
                "1E08010C",
                "DECODER routines",
                "unsupported",
                "ERR_OSSL_UNSUPPORTED",
            ),
            Self::BadDecrypt | Self::BadPadding => {
                ("1C800064", provider, "bad decrypt", "ERR_OSSL_BAD_DECRYPT")
            }
            Self::WrongFinalBlock => (
                "1C80006B",
                provider,
                "wrong final block length",
                "ERR_OSSL_WRONG_FINAL_BLOCK_LENGTH",
            ),
            Self::DataTooLarge => (
                "0200006E",
                "rsa routines",
                "data too large for key size",
                "ERR_OSSL_RSA_DATA_TOO_LARGE_FOR_KEY_SIZE",
            ),
            Self::KeyTooSmall => (
                "1C8000AB",
                provider,
                "digest too big for rsa key",
                "ERR_OSSL_DIGEST_TOO_BIG_FOR_RSA_KEY",
            ),
            Self::OaepDecoding => (
                "02000079",
                "rsa routines",
                "oaep decoding error",
                "ERR_OSSL_RSA_OAEP_DECODING_ERROR",
            ),
            Self::WrongKey => (
                "03000096",
                "digital envelope routines",
                "operation not supported for this keytype",
                "ERR_OSSL_EVP_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE",
            ),
            Self::Derivation => (
                "1C8000DF",
                provider,
                "failed during derivation",
                "ERR_OSSL_FAILED_DURING_DERIVATION",
            ),
            _ => return None,
        })
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
            Self::Generation | Self::Failed => Some("ERR_CRYPTO_OPERATION_FAILED"),
            _ => None,
        }
    }
}
