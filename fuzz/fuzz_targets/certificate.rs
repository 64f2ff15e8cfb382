//! Any bytes as a certificate: no panic, and what is read lies within it.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[allow(dead_code)]
#[path = "../../crates/quickjs-node/src/ops/tls/certificate.rs"]
mod certificate;

use certificate::{Certificate, Purpose};

fuzz_target!(|bytes: &[u8]| {
    let Some(read) = Certificate::read(bytes) else {
        return;
    };
    for part in [read.issuer, read.subject, read.public_key] {
        assert!(bytes.as_ptr_range().contains(&part.as_ptr()) || part.is_empty());
        assert!(part.len() < bytes.len());
    }
    assert_eq!(read.is_self_issued(), read.issuer == read.subject);
    let _uses = (read.is_for(Purpose::Server), read.is_for(Purpose::Client));
    let _times = read.not_before <= read.not_after;
});
