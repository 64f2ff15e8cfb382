//! Digests of contents for the field section of their replies: 27 characters of base64 SHA-1. Remembers those
//! of short contents.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use sha1::{Digest, Sha1};

/// Characters of a digest: 20 bytes in base64 without padding.
pub const DIGEST_CHARS: usize = 27;

/// Contents that are remembered, one for each length modulo this.
const PLACES: usize = 64;
/// Bytes of the longest content that is remembered: to compare more costs what a digest does.
const CONTENT_BYTES_MAX: usize = 1024;
/// A content gives up its place to the one that misses it for so many times in a row: not to each, so that
/// contents that are all different are not all copied.
const MISSES_MAX: u8 = 4;

/// SHA-1 of `content` in base64, without padding.
#[must_use]
pub fn sha1_base64(content: &[u8]) -> [u8; DIGEST_CHARS] {
    let digest = Sha1::digest(content);
    let mut out = [b'A'; DIGEST_CHARS];
    // A 20-byte digest always encodes into exactly 27 characters, so the error case cannot occur.
    let _written = STANDARD_NO_PAD.encode_slice(digest, &mut out);
    out
}

/// Digests of contents before: many replies of an application are the same, and to compare is cheaper than to
/// digest. Owns copies of contents, 64 KiB at most.
#[derive(Debug, Default)]
pub(crate) struct KnownDigests {
    /// Empty until the first is asked for.
    places: Vec<KnownDigest>,
}

#[derive(Clone, Debug)]
struct KnownDigest {
    content: Vec<u8>,
    digest: [u8; DIGEST_CHARS],
    /// Others of this place that came since it was taken or hit.
    misses: u8,
}

impl KnownDigests {
    /// As [`sha1_base64`].
    pub(crate) fn of(&mut self, content: &[u8]) -> [u8; DIGEST_CHARS] {
        if content.len() > CONTENT_BYTES_MAX {
            return sha1_base64(content);
        }
        if self.places.is_empty() {
            self.places.resize_with(PLACES, KnownDigest::unused);
        }
        match self.places.get_mut(content.len() % PLACES) {
            Some(known) => known.of(content),
            None => sha1_base64(content),
        }
    }
}

impl KnownDigest {
    /// Missed often enough to be taken by the first who comes.
    fn unused() -> Self {
        Self {
            content: Vec::new(),
            digest: sha1_base64(&[]),
            misses: MISSES_MAX,
        }
    }

    fn of(&mut self, content: &[u8]) -> [u8; DIGEST_CHARS] {
        if self.content == content {
            self.misses = 0;
            return self.digest;
        }
        let digest = sha1_base64(content);
        self.misses = self.misses.saturating_add(1);
        if self.misses >= MISSES_MAX {
            self.misses = 0;
            self.content.clear();
            self.content.reserve_exact(content.len());
            self.content.extend_from_slice(content);
            self.digest = digest;
        }
        digest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_etag_package_on_a_known_body() {
        assert_eq!(&sha1_base64(b"Hello World"), b"Ck1VqNd45QIvq3AZd8XYQLvEhtA");
    }

    #[test]
    fn known_contents_have_the_tags_that_they_would_be_given() {
        let mut known = KnownDigests::default();
        let mut state = 7_u32;
        for _ in 0..20_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Few lengths, two lengths of one place among them, and few contents of each: hits, misses and
            // changes of places.
            let length = [0, 1, 20, 84, 1024, 1025][(state >> 24) as usize % 6];
            let content = vec![state.to_le_bytes()[2] % 3; length];
            assert_eq!(known.of(&content), sha1_base64(&content));
        }
    }

    #[test]
    fn contents_that_are_remembered_have_a_bound() {
        let mut known = KnownDigests::default();
        for length in 0..4 * CONTENT_BYTES_MAX {
            let _tag = known.of(&vec![b'x'; length]);
        }
        assert_eq!(known.places.len(), PLACES);
        assert!(
            known
                .places
                .iter()
                .all(|place| place.content.capacity() <= CONTENT_BYTES_MAX)
        );
    }
}
