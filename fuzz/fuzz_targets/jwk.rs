//! Any bytes as the parts of a key, as a JWK has them: no panic, and the same parts come out.
//!
//! The first byte says which kind, the second how the rest is cut.
#![no_main]

use fulmar_node_crypto::{Format, agree, of_parts, parts, write};
use libfuzzer_sys::fuzz_target;

const KINDS: [&str; 6] = [
    "rsa",
    "ed25519",
    "x25519",
    "prime256v1",
    "secp384r1",
    "secp521r1",
];

fuzz_target!(|bytes: &[u8]| {
    let [kind, count, bytes @ ..] = bytes else {
        return;
    };
    let kind = KINDS[usize::from(*kind) % KINDS.len()];
    let count = usize::from(*count % 9).max(1);
    let pieces: Vec<Vec<u8>> = bytes
        .chunks(bytes.len().div_ceil(count).max(1))
        .map(<[u8]>::to_vec)
        .collect();
    let Some(key) = of_parts(kind, &pieces) else {
        return;
    };
    let listed = parts(&key);
    let again = of_parts(kind, &listed).expect("its own parts make a key");
    assert_eq!(parts(&again), listed);
    let _der = (write(&key, Format::Spki), write(&key, Format::Pkcs8));
    let _secret = agree(&key, &again);
});
