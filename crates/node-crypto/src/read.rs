//! Reads a key in a format that is named.

use crate::failure::Failure;
use crate::key::Key;
use crate::key_format::{self, Format};
use crate::pbes;
use crate::pem;

/// The format that Node calls so.
#[must_use]
pub fn format_of(name: &str) -> Option<Format> {
    Some(match name {
        "pkcs1" => Format::Pkcs1,
        "pkcs8" => Format::Pkcs8,
        "sec1" => Format::Sec1,
        "spki" => Format::Spki,
        "certificate" => Format::Certificate,
        _ => return None,
    })
}

/// Reads a key; `format` is `pem` or one of [`format_of`], `secret` says whether a private one is meant.
///
/// # Errors
/// `Failure::Unsupported` when it is none, `MissingPassphrase` and `BadDecrypt` when it is encrypted.
pub fn read(
    data: &[u8],
    format: &str,
    secret: bool,
    passphrase: Option<&[u8]>,
) -> Result<Key, Failure> {
    if format == "pem" {
        return pem::read(data, secret, passphrase);
    }
    let format = format_of(format).ok_or(Failure::Unsupported)?;
    let encrypted = format == Format::Pkcs8 && passphrase.is_some();
    let first = if encrypted {
        Format::EncryptedPkcs8
    } else {
        format
    };
    match key_format::read(data, first, secret, passphrase) {
        Err(Failure::Unsupported) if encrypted => key_format::read(data, format, secret, None),
        // An encrypted key without a passphrase is told from what is no key at all.
        Err(Failure::Unsupported) if format == Format::Pkcs8 && pbes::is_encrypted(data) => {
            Err(Failure::MissingPassphrase)
        }
        other => other,
    }
}
