//! The head of a reply: status, framing, and whether its field lines are as expected.

use std::mem::MaybeUninit;

use crate::{
    fault::Fault,
    recipe::Recipe,
    verify::{are_headers_right, is_status_right},
};

/// More field lines than this make a reply malformed.
const HEADERS_MAX: usize = 96;

/// How the content is delimited (RFC 9112 section 6.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// A 1xx reply: the final one follows.
    Interim,
    /// This many bytes, 0 for replies without content.
    Length(u64),
    /// Chunks.
    Chunked,
    /// Everything until the connection ends.
    UntilClose,
}

/// A parsed head.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// Length, the empty line included.
    pub bytes: usize,
    /// Status code.
    pub status: u16,
    /// Delimitation of the content.
    pub framing: Framing,
    /// Whether the connection ends after this reply.
    pub closes: bool,
    /// Wrong status or field line.
    pub fault: Option<Fault>,
}

/// Result of parsing.
#[derive(Clone, Copy, Debug)]
pub enum HeadResult {
    /// A whole head.
    Complete(Head),
    /// More bytes are needed.
    Partial,
    /// Not a head.
    Malformed,
}

/// Parses the head at the start of `input`.
#[must_use]
pub fn parse_head(input: &[u8], recipe: &Recipe) -> HeadResult {
    let mut lines = [const { MaybeUninit::uninit() }; HEADERS_MAX];
    let mut reply = httparse::Response::new(&mut []);
    let config = httparse::ParserConfig::default();
    let bytes = match config.parse_response_with_uninit_headers(&mut reply, input, &mut lines) {
        Ok(httparse::Status::Complete(bytes)) => bytes,
        Ok(httparse::Status::Partial) => return HeadResult::Partial,
        Err(_) => return HeadResult::Malformed,
    };
    let (Some(status), Some(version)) = (reply.code, reply.version) else {
        return HeadResult::Malformed;
    };
    let Some(meaning) = Meaning::of(reply.headers) else {
        return HeadResult::Malformed;
    };
    let framing = meaning.framing(status, recipe.is_head);
    HeadResult::Complete(Head {
        bytes,
        status,
        framing,
        closes: framing == Framing::UntilClose || meaning.closes(version),
        fault: head_fault(recipe, status, reply.headers),
    })
}

fn head_fault(recipe: &Recipe, status: u16, headers: &[httparse::Header<'_>]) -> Option<Fault> {
    if !is_status_right(&recipe.expect, status) {
        return Some(Fault::WrongStatus);
    }
    (!are_headers_right(&recipe.expect, headers)).then_some(Fault::WrongHeader)
}

#[derive(Default)]
struct Meaning {
    length: Option<u64>,
    is_chunked: bool,
    says_close: bool,
    says_keep_alive: bool,
}

impl Meaning {
    fn of(headers: &[httparse::Header<'_>]) -> Option<Self> {
        let mut meaning = Self::default();
        for line in headers {
            // The length decides first: most names are not compared at all.
            match line.name.len() {
                10 if line.name.eq_ignore_ascii_case("connection") => {
                    meaning.says_close |= has_token(line.value, b"close");
                    meaning.says_keep_alive |= has_token(line.value, b"keep-alive");
                }
                14 if line.name.eq_ignore_ascii_case("content-length") => {
                    let length = std::str::from_utf8(line.value).ok()?.parse().ok()?;
                    if meaning.length.is_some_and(|known| known != length) {
                        return None;
                    }
                    meaning.length = Some(length);
                }
                17 if line.name.eq_ignore_ascii_case("transfer-encoding") => {
                    meaning.is_chunked |= has_token(line.value, b"chunked");
                }
                _ => {}
            }
        }
        Some(meaning)
    }

    fn framing(&self, status: u16, is_head: bool) -> Framing {
        match status {
            100..=199 => Framing::Interim,
            _ if is_head || status == 204 || status == 304 => Framing::Length(0),
            _ if self.is_chunked => Framing::Chunked,
            _ => self.length.map_or(Framing::UntilClose, Framing::Length),
        }
    }

    fn closes(&self, version: u8) -> bool {
        self.says_close || (version == 0 && !self.says_keep_alive)
    }
}

fn has_token(value: &[u8], token: &[u8]) -> bool {
    value
        .split(|byte| *byte == b',')
        .any(|part| part.trim_ascii().eq_ignore_ascii_case(token))
}
