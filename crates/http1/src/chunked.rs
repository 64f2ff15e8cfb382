//! The chunked transfer coding (RFC 9112, 7.1), both ways.
//!
//! The engine gives the decoder whatever it has read after the head; the decoder says which ranges of it are
//! content and where the message ends. It copies nothing but the trailer section, which may arrive in pieces.
//! What a peer can make it keep is bounded; after an error it never looks at another byte.

use crate::field_lines::{FieldLines, is_token_byte, parse_section};
use crate::head::{FIELD_COUNT_MAX, FieldSpan, HEAD_BYTES_MAX};
use crate::reject::Reject;

/// Ends the data of a chunk.
pub const CHUNK_END: &[u8] = b"\r\n";
/// The last chunk; the trailer section and an empty line follow.
pub const LAST_CHUNK: &[u8] = b"0\r\n";
/// Bytes of chunk extensions that one body may carry: Node's bound.
pub const EXTENSION_BYTES_MAX: usize = 16 * 1024;
/// Digits of a chunk size: what `u64` holds. More are refused even if they are zeros.
const SIZE_DIGITS_MAX: u8 = 16;

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
    /// The message is complete; what follows the consumed bytes is not part of it.
    Done,
}

/// Decodes the chunked content of one message.
#[derive(Clone, Debug)]
pub struct ChunkedDecoder {
    state: State,
    /// The size being read, then the bytes of the chunk's data that are still to come.
    remaining: u64,
    size_digits: u8,
    extension_bytes: usize,
    trailer: Vec<u8>,
    trailer_lines: FieldLines,
    trailer_fields: Vec<FieldSpan>,
    trailer_max: usize,
    trailer_count_max: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Size,
    /// In an extension; they begin behind the size's `;`.
    Extension(Extension),
    SizeLf,
    Data,
    DataCr,
    DataLf,
    Trailer,
    Done,
    Rejected(Reject),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extension {
    Start,
    Name,
    Value,
    Quoted,
    QuotedPair,
    QuotedEnd,
}

impl Default for ChunkedDecoder {
    fn default() -> Self {
        Self::new(HEAD_BYTES_MAX, FIELD_COUNT_MAX)
    }
}

impl ChunkedDecoder {
    /// A decoder for one message, whose trailer section has at most `trailer_max` bytes, its empty line
    /// counted, and `trailer_count_max` field lines. Allocates nothing.
    #[must_use]
    pub fn new(trailer_max: usize, trailer_count_max: usize) -> Self {
        Self {
            state: State::Size,
            remaining: 0,
            size_digits: 0,
            extension_bytes: 0,
            trailer: Vec::new(),
            trailer_lines: FieldLines::default(),
            trailer_fields: Vec::new(),
            trailer_max,
            trailer_count_max,
        }
    }

    /// Takes the next step; also returns how many bytes of `input` it consumed. After [`Step::Data`] call it
    /// again with the rest, even if that is empty. After [`Step::Done`] or an error it consumes nothing and
    /// says the same again.
    pub fn decode(&mut self, input: &[u8]) -> Result<(Step, usize), Reject> {
        let result = self.advance(input);
        if let Err(reject) = result {
            self.state = State::Rejected(reject);
        }
        result
    }

    /// After [`Step::Done`]: the trailer section's lines with their CRLF, and its fields, relative to those
    /// bytes. Fields of a trailer section are never to be merged into the head's.
    #[must_use]
    pub fn trailers(&self) -> (&[u8], &[FieldSpan]) {
        (&self.trailer, &self.trailer_fields)
    }

    fn advance(&mut self, input: &[u8]) -> Result<(Step, usize), Reject> {
        let mut at = 0;
        while let Some(&byte) = input.get(at) {
            match self.state {
                State::Size => self.state = self.size_byte(byte)?,
                State::Extension(extension) => {
                    self.state = self.extension_byte(extension, byte)?;
                }
                State::SizeLf => self.state = self.size_end(byte)?,
                State::Data => return Ok(self.data(at, input.len())),
                State::DataCr => self.state = data_cr(byte)?,
                State::DataLf => self.state = data_lf(byte)?,
                State::Trailer => {
                    let rest = input.get(at..).unwrap_or_default();
                    return Ok(match self.trailer_section(rest)? {
                        Some(consumed) => (Step::Done, at + consumed),
                        None => (Step::More, input.len()),
                    });
                }
                State::Done => return Ok((Step::Done, at)),
                State::Rejected(reject) => return Err(reject),
            }
            at += 1;
        }
        match self.state {
            State::Done => Ok((Step::Done, at)),
            State::Rejected(reject) => Err(reject),
            _ => Ok((Step::More, at)),
        }
    }

    fn size_byte(&mut self, byte: u8) -> Result<State, Reject> {
        if let Some(digit) = char::from(byte).to_digit(16) {
            if self.size_digits == SIZE_DIGITS_MAX {
                return Err(Reject::ChunkSizeOverflow);
            }
            self.size_digits += 1;
            self.remaining = self.remaining << 4 | u64::from(digit);
            return Ok(State::Size);
        }
        match byte {
            _ if self.size_digits == 0 => Err(Reject::ChunkSizeInvalid),
            b'\r' => Ok(State::SizeLf),
            b';' => Ok(State::Extension(Extension::Start)),
            b'\n' => Err(Reject::ChunkLineLf),
            _ => Err(Reject::ChunkSizeInvalid),
        }
    }

    /// As strict as Node: no white space outside quotes, no line end inside.
    fn extension_byte(&mut self, extension: Extension, byte: u8) -> Result<State, Reject> {
        let next = match (extension, byte) {
            (Extension::Name | Extension::Value | Extension::QuotedEnd, b'\r') => {
                return Ok(State::SizeLf);
            }
            (Extension::Name | Extension::Value, b'\n') => return Err(Reject::ChunkLineLf),
            (Extension::Quoted, b'"') => Extension::QuotedEnd,
            (Extension::Quoted, b'\\') => Extension::QuotedPair,
            (Extension::Quoted | Extension::QuotedPair, _) if is_quotable(byte) => {
                Extension::Quoted
            }
            (Extension::Start | Extension::Name, b'=') => Extension::Value,
            (Extension::Value, b'"') => Extension::Quoted,
            (Extension::Value, _) if is_token_byte(byte) => Extension::Value,
            (Extension::Start | Extension::Name, _) if is_token_byte(byte) => Extension::Name,
            (
                Extension::Start | Extension::Name | Extension::Value | Extension::QuotedEnd,
                b';',
            ) => Extension::Start,
            _ => return Err(Reject::ChunkExtensionInvalid),
        };
        self.extension_bytes += 1;
        if self.extension_bytes > EXTENSION_BYTES_MAX {
            return Err(Reject::ChunkExtensionsTooLarge);
        }
        Ok(State::Extension(next))
    }

    fn size_end(&mut self, byte: u8) -> Result<State, Reject> {
        if byte != b'\n' {
            return Err(Reject::ChunkLineCr);
        }
        self.size_digits = 0;
        Ok(if self.remaining == 0 {
            State::Trailer
        } else {
            State::Data
        })
    }

    /// Delivers as much data as there is. There is some: this is called for a byte of it.
    fn data(&mut self, start: usize, input_len: usize) -> (Step, usize) {
        let available = input_len - start;
        let len = usize::try_from(self.remaining).map_or(available, |left| left.min(available));
        self.remaining -= len as u64;
        if self.remaining == 0 {
            self.state = State::DataCr;
        }
        let end = start + len;
        (Step::Data { start, end }, end)
    }

    /// Takes the trailer section's next bytes; how many of them belong to it once it is complete. They are
    /// collected up to one more than allowed, so that the verdict does not depend on how they arrive.
    fn trailer_section(&mut self, input: &[u8]) -> Result<Option<usize>, Reject> {
        if self.trailer.is_empty() && input.starts_with(CHUNK_END) && self.trailer_max >= 2 {
            self.state = State::Done;
            return Ok(Some(CHUNK_END.len()));
        }
        let before = self.trailer.len();
        let room = self.trailer_max.saturating_add(1) - before;
        self.trailer
            .extend_from_slice(input.get(..room).unwrap_or(input));
        let allowed = self
            .trailer
            .get(..self.trailer_max)
            .unwrap_or(&self.trailer);
        let Some(end) = self.trailer_lines.scan(allowed, self.trailer_count_max)? else {
            return if self.trailer.len() > self.trailer_max {
                Err(Reject::HeadTooLarge)
            } else {
                Ok(None)
            };
        };
        self.trailer.truncate(end);
        parse_section(&self.trailer, 0, &mut self.trailer_fields, trailer_field)?;
        // Only the lines are kept; the empty line said what it had to say.
        self.trailer.truncate(end - CHUNK_END.len());
        self.state = State::Done;
        Ok(Some(end - before))
    }
}

fn data_cr(byte: u8) -> Result<State, Reject> {
    match byte {
        b'\r' => Ok(State::DataLf),
        b'\n' => Err(Reject::ChunkDataLf),
        _ => Err(Reject::ChunkDataNotEnded),
    }
}

fn data_lf(byte: u8) -> Result<State, Reject> {
    if byte == b'\n' {
        Ok(State::Size)
    } else {
        Err(Reject::ChunkDataNotEnded)
    }
}

/// What may stand between quotes or behind a backslash: HTAB, SP, visible ASCII, obs-text.
fn is_quotable(byte: u8) -> bool {
    byte == b'\t' || (byte >= b' ' && byte != 0x7f)
}

/// Refuses, as Node does, a trailer field that would change the framing that was acted on.
fn trailer_field(name: &[u8], _value: &[u8]) -> Result<(), Reject> {
    if name.eq_ignore_ascii_case(b"content-length") {
        return Err(Reject::LengthBesideEncoding);
    }
    if name.eq_ignore_ascii_case(b"transfer-encoding") {
        return Err(Reject::TransferEncodingInvalid);
    }
    Ok(())
}

/// Appends the line that opens a chunk of `len` bytes. Callers skip empty writes: a chunk of 0 bytes is the
/// last one.
pub fn encode_chunk_head(len: usize, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let nibbles = (usize::BITS - len.leading_zeros()).div_ceil(4).max(1);
    for nibble in (0..nibbles).rev() {
        out.extend(DIGITS.get((len >> (nibble * 4)) & 0xf));
    }
    out.extend_from_slice(CHUNK_END);
}
