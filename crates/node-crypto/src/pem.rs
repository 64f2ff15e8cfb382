//! PEM: finds the key in a text and decodes it.

use crate::failure::Failure;
use crate::key::Key;
use crate::key_format::{self, Format};
use crate::pbes;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const DASHES: &str = "-----";

/// One part of a PEM text.
struct Part<'a> {
    label: &'a str,
    /// `Name: value` lines.
    headers: Vec<(&'a str, &'a str)>,
    content: Vec<u8>,
}

/// Reads the first key: a private one where `secret`, else a public one, which may be that of a private key or a certificate.
pub fn read(text: &[u8], secret: bool, passphrase: Option<&[u8]>) -> Result<Key, Failure> {
    let text = std::str::from_utf8(text).map_err(|_| Failure::Unsupported)?;
    let mut rest = text;
    while let Some((part, after)) = next(rest) {
        rest = after;
        if let Some(key) = of(&part, secret, passphrase) {
            return key;
        }
    }
    Err(Failure::Unsupported)
}

fn next(text: &str) -> Option<(Part<'_>, &str)> {
    let (_, text) = text.split_once(BEGIN)?;
    let (label, text) = text.split_once(DASHES)?;
    let (body, after) = text.split_once(END)?;
    let mut headers = Vec::new();
    let mut encoded = String::new();
    for line in body.lines() {
        match line.split_once(':') {
            Some((name, value)) => headers.push((name.trim(), value.trim())),
            None => encoded.push_str(line.trim()),
        }
    }
    let content = base64(&encoded)?;
    Some((
        Part {
            label,
            headers,
            content,
        },
        after,
    ))
}

/// `None`: this part is not what is looked for.
fn of(part: &Part<'_>, secret: bool, passphrase: Option<&[u8]>) -> Option<Result<Key, Failure>> {
    let (format, is_secret) = match part.label {
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
    let header = |wanted: &str| {
        let found = part.headers.iter().find(|(name, _)| *name == wanted);
        found.map(|(_, value)| *value)
    };
    let Some(info) = header("DEK-Info") else {
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

/// Base64 with its padding, without spaces.
fn base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    let mut out = Vec::with_capacity(digits.len() * 3 / 4);
    let mut group = 0_u32;
    let mut bits = 0;
    for digit in digits.bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        group = group << 6 | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((group >> bits).to_le_bytes()[0]);
            group &= (1 << bits) - 1;
        }
    }
    Some(out)
}
