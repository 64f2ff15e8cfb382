//! Reads replies from a connection's bytes: where each ends, what its status is, whether it is what was
//! expected.
//!
//! Stands between the socket and the tally. Heads that arrive whole are parsed in place; only a head cut by
//! the network is copied. Content is compared and forgotten. Never does I/O and never panics on what a server
//! sends.

use crate::{
    fault::Fault,
    recipe::Recipe,
    reply_head::{Framing, Head, HeadResult, parse_head},
    template::Values,
    verify::BodyCheck,
};

/// A head above this is refused; servers here send a few hundred bytes.
const HEAD_BYTES_MAX: usize = 64 * 1024;
/// A chunk size line or trailer section above this is refused.
const LINE_BYTES_MAX: u32 = 16 * 1024;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Head,
    Length(u64),
    UntilClose,
    ChunkSize,
    ChunkData(u64),
    ChunkEnd,
    Trailers,
}

/// A complete reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Its status.
    pub status: u16,
    /// What is wrong with it, first fault first: status, field lines, content.
    pub fault: Option<Fault>,
    /// Whether the server closes the connection after it.
    pub closes: bool,
}

/// What a piece of input led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The input is used up, the reply goes on.
    More,
    /// A reply is complete; the rest of the input belongs to the next.
    Done(Outcome),
    /// This is not HTTP/1.1.
    Malformed,
}

/// The reply in progress on one connection.
#[derive(Debug, Default)]
pub struct ReplyReader {
    stage: Stage,
    partial_head: Vec<u8>,
    check: BodyCheck,
    status: u16,
    closes: bool,
    head_fault: Option<Fault>,
    /// Digits, then bytes after them, of the line at hand.
    chunk_bytes: Option<u64>,
    is_size_over: bool,
    line_bytes: u32,
    section_bytes: u32,
}

impl ReplyReader {
    /// Forgets a reply in progress: the connection is a new one.
    pub fn reset(&mut self) {
        self.stage = Stage::Head;
        self.partial_head.clear();
    }

    /// Takes bytes from the front of `input` until a reply is complete or the input is used up.
    pub fn feed(&mut self, input: &mut &[u8], recipe: &Recipe, values: Values) -> Progress {
        loop {
            let step = match self.stage {
                Stage::Head => self.head(input, recipe, values),
                Stage::Length(left) => Some(self.length(input, recipe, left)),
                Stage::UntilClose => {
                    self.check.update(&recipe.expect.body, input);
                    *input = &[];
                    Some(Progress::More)
                }
                Stage::ChunkSize => self.chunk_size(input),
                Stage::ChunkData(left) => self.chunk_data(input, recipe, left),
                Stage::ChunkEnd => self.chunk_end(input),
                Stage::Trailers => Some(self.trailers(input, recipe)),
            };
            if let Some(progress) = step {
                return progress;
            }
        }
    }

    /// The connection ended: a complete reply, if the reply at hand is delimited by that.
    pub fn end_of_input(&mut self, recipe: &Recipe) -> Option<Outcome> {
        (self.stage == Stage::UntilClose).then(|| self.outcome(recipe))
    }

    fn head(&mut self, input: &mut &[u8], recipe: &Recipe, values: Values) -> Option<Progress> {
        if input.is_empty() {
            return Some(Progress::More);
        }
        if self.partial_head.is_empty() {
            return match parse_head(input, recipe) {
                HeadResult::Complete(head) => {
                    *input = input.get(head.bytes..).unwrap_or_default();
                    self.start_content(head, recipe, values)
                }
                HeadResult::Partial => Some(self.keep_partial(input)),
                HeadResult::Malformed => Some(Progress::Malformed),
            };
        }
        let before = self.partial_head.len();
        let mut joined = std::mem::take(&mut self.partial_head);
        joined.extend_from_slice(input);
        let result = parse_head(&joined, recipe);
        self.partial_head = joined;
        match result {
            HeadResult::Complete(head) => {
                let used = head.bytes.saturating_sub(before);
                *input = input.get(used..).unwrap_or_default();
                self.partial_head.clear();
                self.start_content(head, recipe, values)
            }
            HeadResult::Partial if self.partial_head.len() <= HEAD_BYTES_MAX => {
                *input = &[];
                Some(Progress::More)
            }
            HeadResult::Partial | HeadResult::Malformed => Some(Progress::Malformed),
        }
    }

    fn keep_partial(&mut self, input: &mut &[u8]) -> Progress {
        if input.len() > HEAD_BYTES_MAX {
            return Progress::Malformed;
        }
        self.partial_head.extend_from_slice(input);
        *input = &[];
        Progress::More
    }

    fn start_content(&mut self, head: Head, recipe: &Recipe, values: Values) -> Option<Progress> {
        if head.framing == Framing::Interim {
            return None;
        }
        self.status = head.status;
        self.closes = head.closes;
        self.head_fault = head.fault;
        self.check.begin(&recipe.expect.body, values);
        self.stage = match head.framing {
            Framing::Length(bytes) => Stage::Length(bytes),
            Framing::Chunked => self.next_line(Stage::ChunkSize),
            Framing::UntilClose | Framing::Interim => Stage::UntilClose,
        };
        None
    }

    fn length(&mut self, input: &mut &[u8], recipe: &Recipe, left: u64) -> Progress {
        let left = left - self.take_content(input, recipe, left);
        if left == 0 {
            return Progress::Done(self.outcome(recipe));
        }
        self.stage = Stage::Length(left);
        Progress::More
    }

    fn take_content(&mut self, input: &mut &[u8], recipe: &Recipe, left: u64) -> u64 {
        let count = usize::try_from(left).unwrap_or(usize::MAX).min(input.len());
        let (piece, rest) = input.split_at(count);
        self.check.update(&recipe.expect.body, piece);
        *input = rest;
        count as u64
    }

    fn next_line(&mut self, stage: Stage) -> Stage {
        self.chunk_bytes = None;
        self.is_size_over = false;
        self.line_bytes = 0;
        self.section_bytes = 0;
        stage
    }

    /// `1*HEXDIG [ chunk-ext ] CRLF` (RFC 9112 section 7.1).
    fn chunk_size(&mut self, input: &mut &[u8]) -> Option<Progress> {
        while let Some((&byte, rest)) = input.split_first() {
            *input = rest;
            self.line_bytes += 1;
            if byte == b'\n' {
                let Some(bytes) = self.chunk_bytes else {
                    return Some(Progress::Malformed);
                };
                let next = if bytes == 0 {
                    Stage::Trailers
                } else {
                    Stage::ChunkData(bytes)
                };
                self.stage = self.next_line(next);
                return None;
            }
            if !self.size_byte(byte) || self.line_bytes > LINE_BYTES_MAX {
                return Some(Progress::Malformed);
            }
        }
        Some(Progress::More)
    }

    fn size_byte(&mut self, byte: u8) -> bool {
        let digit = char::from(byte).to_digit(16).filter(|_| !self.is_size_over);
        let Some(digit) = digit else {
            self.is_size_over = true;
            return self.chunk_bytes.is_some();
        };
        let grown = self
            .chunk_bytes
            .unwrap_or(0)
            .checked_mul(16)
            .map(|bytes| bytes | u64::from(digit));
        self.chunk_bytes = grown;
        grown.is_some()
    }

    fn chunk_data(&mut self, input: &mut &[u8], recipe: &Recipe, left: u64) -> Option<Progress> {
        let left = left - self.take_content(input, recipe, left);
        if left == 0 {
            self.stage = Stage::ChunkEnd;
            return None;
        }
        self.stage = Stage::ChunkData(left);
        Some(Progress::More)
    }

    fn chunk_end(&mut self, input: &mut &[u8]) -> Option<Progress> {
        while let Some((&byte, rest)) = input.split_first() {
            *input = rest;
            match byte {
                b'\r' => {}
                b'\n' => {
                    self.stage = self.next_line(Stage::ChunkSize);
                    return None;
                }
                _ => return Some(Progress::Malformed),
            }
        }
        Some(Progress::More)
    }

    fn trailers(&mut self, input: &mut &[u8], recipe: &Recipe) -> Progress {
        while let Some((&byte, rest)) = input.split_first() {
            *input = rest;
            self.section_bytes += 1;
            match byte {
                b'\n' if self.line_bytes == 0 => return Progress::Done(self.outcome(recipe)),
                b'\n' => self.line_bytes = 0,
                b'\r' => {}
                _ => self.line_bytes += 1,
            }
            if self.section_bytes > LINE_BYTES_MAX {
                return Progress::Malformed;
            }
        }
        Progress::More
    }

    fn outcome(&mut self, recipe: &Recipe) -> Outcome {
        self.stage = Stage::Head;
        let is_body_right = recipe.is_head || self.check.finish(&recipe.expect.body);
        let body_fault = (!is_body_right).then_some(Fault::WrongBody);
        Outcome {
            status: self.status,
            fault: self.head_fault.or(body_fault),
            closes: self.closes,
        }
    }
}

#[cfg(test)]
mod tests;
