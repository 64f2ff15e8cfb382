//! Entity tags as the `etag` package makes them: 27 characters of base64 SHA-1 over the content.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use sha1::{Digest, Sha1};

/// Characters of the digest in a tag: 20 bytes in base64 without padding.
pub const TAG_CHARS: usize = 27;

/// SHA-1 of `content` in base64, without padding.
#[must_use]
pub fn sha1_base64(content: &[u8]) -> [u8; TAG_CHARS] {
    let digest = Sha1::digest(content);
    let mut out = [b'A'; TAG_CHARS];
    // A 20-byte digest always encodes into exactly 27 characters, so the error case cannot occur.
    let _written = STANDARD_NO_PAD.encode_slice(digest, &mut out);
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn agrees_with_the_etag_package_on_a_known_body() {
        assert_eq!(
            &super::sha1_base64(b"Hello World"),
            b"Ck1VqNd45QIvq3AZd8XYQLvEhtA"
        );
    }
}
