//! Any bytes as a key: no panic, and what is taken comes back when it is written and read again.
//!
//! The first byte says how it is encoded. Where the key is small enough, it is used, too: numbers that are no
//! key end in an error.
#![no_main]

use fulmar_node_crypto::{
    EncryptionPadding, Format, Key, Kind, Options, crypt, read, sign, verify, write,
};
use libfuzzer_sys::fuzz_target;

const FORMATS: [&str; 5] = ["pem", "pkcs1", "pkcs8", "sec1", "spki"];
/// Larger ones take too long.
const RSA_BYTES_MAX: usize = 64;
const WRITTEN: [Format; 4] = [Format::Pkcs1, Format::Pkcs8, Format::Sec1, Format::Spki];

fn format_name(format: Format) -> &'static str {
    match format {
        Format::Pkcs1 => "pkcs1",
        Format::Sec1 => "sec1",
        Format::Spki => "spki",
        _ => "pkcs8",
    }
}

fn use_it(key: &Key) {
    if let Key::Rsa(rsa) = key
        && (rsa.n.len() > RSA_BYTES_MAX || rsa.e.len() > RSA_BYTES_MAX)
    {
        return;
    }
    for options in [
        Options::of(&[-1]),
        Options::of(&[5, 0, 6, -2]),
        Options::of(&[5, 1, 1, 20]),
    ] {
        if let Ok(signature) = sign(key, &[7; 32], options) {
            let _fits = verify(key, &[7; 32], &signature, options);
        }
        let _fits = verify(key, &[7; 32], &[1; RSA_BYTES_MAX], options);
    }
    for what in [
        "publicEncrypt",
        "privateDecrypt",
        "privateEncrypt",
        "publicDecrypt",
    ] {
        for scheme in [1, 3, 4] {
            let padding = EncryptionPadding {
                scheme,
                kind: Kind::Sha1,
                label: b"",
            };
            let _outcome = crypt(what, key, &[7; 16], &padding);
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((first, bytes)) = bytes.split_first() else {
        return;
    };
    let format = FORMATS[usize::from(*first >> 1) % FORMATS.len()];
    let is_secret = first & 1 == 1;
    let Ok(key) = read(bytes, format, is_secret, Some(b"")) else {
        return;
    };
    use_it(&key);
    for format in WRITTEN {
        if let Some(written) = write(&key, format) {
            let again = read(&written, format_name(format), key.is_private(), None);
            let again =
                again.unwrap_or_else(|failure| panic!("{format:?} is read again: {failure:?}"));
            assert_eq!(write(&again, format), Some(written));
        }
    }
});
