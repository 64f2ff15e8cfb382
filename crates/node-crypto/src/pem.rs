//! PEM: finds the key in a text and decodes it (`key_format`). What is a part of it and what is not is as in
//! OpenSSL.

use crate::failure::Failure;
use crate::key::Key;
use crate::key_format::{self, Format};
use crate::pbes;
use crate::pem_part::{Part, Parts};

/// Reads the first key: a private one where `secret`, else a public one, which may be that of a private key
/// or a certificate.
pub fn read(text: &[u8], secret: bool, passphrase: Option<&[u8]>) -> Result<Key, Failure> {
    for part in Parts::new(text) {
        // After a part that is broken nothing is looked for.
        let part = part.ok_or(Failure::Unsupported)?;
        if let Some(key) = of(&part, secret, passphrase) {
            return key;
        }
    }
    Err(Failure::Unsupported)
}

/// `None`: this part is not what is looked for.
fn of(part: &Part, secret: bool, passphrase: Option<&[u8]>) -> Option<Result<Key, Failure>> {
    let (format, is_secret) = match &*part.label {
        "RSA PRIVATE KEY" => (Format::Pkcs1, true),
        "EC PRIVATE KEY" => (Format::Sec1, true),
        "PRIVATE KEY" => (Format::Pkcs8, true),
        "ENCRYPTED PRIVATE KEY" => (Format::EncryptedPkcs8, true),
        "PUBLIC KEY" => (Format::Spki, false),
        "RSA PUBLIC KEY" => (Format::Pkcs1, false),
        "CERTIFICATE" | "X509 CERTIFICATE" | "TRUSTED CERTIFICATE" => (Format::Certificate, false),
        _ => return None,
    };
    if secret && !is_secret {
        return None;
    }
    let Some(info) = part.header("DEK-Info") else {
        return Some(key_format::read(
            &part.content,
            format,
            is_secret,
            passphrase,
        ));
    };
    let decrypted = traditional(info, &part.content, passphrase);
    let key = decrypted.and_then(|bytes| {
        key_format::read(&bytes, format, is_secret, None).map_err(|_| Failure::BadDecrypt)
    });
    Some(key)
}

/// What PEM encrypted itself, before PKCS #8: `AES-256-CBC,<initialisation vector>`.
fn traditional(info: &str, content: &[u8], passphrase: Option<&[u8]>) -> Result<Vec<u8>, Failure> {
    let passphrase = passphrase.ok_or(Failure::MissingPassphrase)?;
    let (cipher, iv) = info.split_once(',').ok_or(Failure::Unsupported)?;
    let key_bytes = match cipher {
        "AES-128-CBC" => 16,
        "AES-192-CBC" => 24,
        "AES-256-CBC" => 32,
        _ => return Err(Failure::Unsupported),
    };
    let digit = |at: usize| {
        iv.get(at..at + 2)
            .and_then(|pair| u8::from_str_radix(pair, 16).ok())
    };
    let iv: Option<Vec<u8>> = (0..iv.len()).step_by(2).map(digit).collect();
    pbes::decrypt_traditional(
        content,
        passphrase,
        key_bytes,
        &iv.ok_or(Failure::Unsupported)?,
    )
}
