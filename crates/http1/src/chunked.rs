//! The chunked transfer coding, both ways.

use crate::head::{FIELD_COUNT_MAX, FieldSpan, HEAD_BYTES_MAX};
use crate::reject::Reject;

/// Ends the data of a chunk.
pub const CHUNK_END: &[u8] = b"\r\n";
/// The last chunk; the trailer section and an empty line follow.
pub const LAST_CHUNK: &[u8] = b"0\r\n";

/// What a call of [`ChunkedDecoder::decode`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing to deliver; all input is consumed, more is needed.
    More,
    /// `input[start..end]` is content.
    Data {
        /// Offset of its first byte.
        start: usize,
        /// Offset after its last byte.
        end: usize,
    },
    /// The message is complete.
    Done,
}

/// Decodes chunked content in place.
#[derive(Clone, Debug)]
pub struct ChunkedDecoder {
    trailer: Vec<u8>,
    trailer_fields: Vec<FieldSpan>,
    trailer_max: usize,
    trailer_count_max: usize,
}

impl Default for ChunkedDecoder {
    fn default() -> Self {
        Self::new(HEAD_BYTES_MAX, FIELD_COUNT_MAX)
    }
}

impl ChunkedDecoder {
    /// A decoder for one message.
    #[must_use]
    pub fn new(trailer_max: usize, trailer_count_max: usize) -> Self {
        Self {
            trailer: Vec::new(),
            trailer_fields: Vec::new(),
            trailer_max,
            trailer_count_max,
        }
    }

    /// Takes the next step; also returns how many bytes of `input` it consumed.
    pub fn decode(&mut self, _input: &[u8]) -> Result<(Step, usize), Reject> {
        let _ = (self.trailer_max, self.trailer_count_max);
        Err(Reject::ChunkSizeInvalid)
    }

    /// After [`Step::Done`]: the trailer section's lines with their CRLF, and their fields.
    #[must_use]
    pub fn trailers(&self) -> (&[u8], &[FieldSpan]) {
        (&self.trailer, &self.trailer_fields)
    }
}

/// Appends the line that opens a chunk of `len` bytes. `len` 0 would be the last chunk: callers skip empty writes.
pub fn encode_chunk_head(len: usize, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let nibbles = (usize::BITS - len.leading_zeros()).div_ceil(4).max(1);
    for nibble in (0..nibbles).rev() {
        out.extend(DIGITS.get((len >> (nibble * 4)) & 0xf));
    }
    out.extend_from_slice(CHUNK_END);
}
