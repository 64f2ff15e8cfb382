//! Finds the end of a head in bytes that arrive piece by piece.
//!
//! It looks at line ends only, each byte once in total, and refuses early what can only be refused: garbage,
//! other protocols, a bad request line, CR or LF alone, too much of anything. Every decision depends on the
//! bytes up to the one that causes it and on nothing else, so it is the same for every fragmentation. It
//! never looks into a field.

use memchr::memchr2;

use super::{HeadLimits, request_line};
use crate::field_lines::{CRLF_BYTES, FieldLines};
use crate::reject::Reject;

/// Empty lines before a request line that are skipped (RFC 9112, 2.2 asks for one; Node has no bound, we have
/// this).
pub const EMPTY_LINES_MAX: usize = 64;

/// What a scan found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scan {
    /// The head is not complete; call again when there are more bytes.
    Partial,
    /// The head is `start..end`; `start` is after skipped empty lines, `end` one past the empty line that
    /// closes it.
    Complete {
        /// Offset of the request line.
        start: usize,
        /// Offset of the first byte after the head.
        end: usize,
    },
}

/// Looks for the end of a head.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeadScanner {
    state: State,
    /// Offset of the request line, once the empty lines before it are skipped.
    start: usize,
    /// Everything before was looked at.
    position: usize,
    /// Whether the complete request line was found to be good.
    is_line_judged: bool,
}

#[derive(Clone, Copy, Debug, Default)]
enum State {
    #[default]
    EmptyLines,
    RequestLine,
    Fields {
        line_end: usize,
        lines: FieldLines,
    },
    Complete {
        end: usize,
    },
    Rejected(Reject),
}

impl HeadScanner {
    /// Makes the scanner ready for another head.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Looks at the bytes of `buf` that are new; `buf` is all that is buffered, from the start of the
    /// message. Says the same again when called again after a head is complete or refused, until it is reset.
    pub fn scan(&mut self, buf: &[u8], limits: &HeadLimits) -> Result<Scan, Reject> {
        let result = match self.advance(buf, limits) {
            Ok(Some(end)) => {
                return Ok(Scan::Complete {
                    start: self.start,
                    end,
                });
            }
            // A complete head is judged by the parser, once. Any other is judged here as far as it goes,
            // before what was found behind its request line: the order of the verdicts is the order of the
            // bytes.
            Ok(None) => self.judge_request_line(buf).map(|()| Scan::Partial),
            Err(reject) => Err(self.judge_request_line(buf).err().unwrap_or(reject)),
        };
        if let Err(reject) = result {
            self.state = State::Rejected(reject);
        }
        result
    }

    fn advance(&mut self, buf: &[u8], limits: &HeadLimits) -> Result<Option<usize>, Reject> {
        loop {
            match &mut self.state {
                State::EmptyLines => {
                    if !self.skip_empty_lines(buf)? {
                        return Ok(None);
                    }
                    self.state = State::RequestLine;
                }
                State::RequestLine => {
                    let Some(line_end) = self.find_request_line_end(buf, limits)? else {
                        return Ok(None);
                    };
                    let lines = FieldLines::starting_at(line_end + CRLF_BYTES);
                    self.state = State::Fields { line_end, lines };
                }
                State::Fields { lines, .. } => {
                    let head_end_max = self.start.saturating_add(limits.head_max);
                    let allowed = buf.get(..head_end_max).unwrap_or(buf);
                    match lines.scan(allowed, limits.header_count_max)? {
                        Some(end) => self.state = State::Complete { end },
                        None if allowed.len() < buf.len() => return Err(Reject::HeadTooLarge),
                        None => return Ok(None),
                    }
                }
                State::Complete { end } => return Ok(Some(*end)),
                State::Rejected(reject) => return Err(*reject),
            }
        }
    }

    /// Moves `start` over CRLFs; whether the first byte of the request line is there.
    fn skip_empty_lines(&mut self, buf: &[u8]) -> Result<bool, Reject> {
        loop {
            match buf.get(self.start..).unwrap_or_default() {
                [] | [b'\r'] => return Ok(false),
                [b'\r', b'\n', ..] => self.start += CRLF_BYTES,
                [b'\r' | b'\n', ..] => return Err(Reject::LineEndBeforeRequestLine),
                _ => {
                    self.position = self.start;
                    return Ok(true);
                }
            }
            if self.start > EMPTY_LINES_MAX * CRLF_BYTES {
                return Err(Reject::TooManyEmptyLines);
            }
        }
    }

    /// Offset of the CRLF that ends the request line. The line is never empty: `skip_empty_lines` saw to
    /// that.
    fn find_request_line_end(
        &mut self,
        buf: &[u8],
        limits: &HeadLimits,
    ) -> Result<Option<usize>, Reject> {
        let line_max = limits.request_line_max.saturating_add(CRLF_BYTES);
        let (bytes_max, too_long) = if line_max <= limits.head_max {
            (line_max, Reject::RequestLineTooLong)
        } else {
            (limits.head_max, Reject::HeadTooLarge)
        };
        let allowed = buf
            .get(..self.start.saturating_add(bytes_max))
            .unwrap_or(buf);
        let new = allowed.get(self.position..).unwrap_or_default();
        let found = memchr2(b'\r', b'\n', new).map(|found| self.position + found);
        self.position = found.unwrap_or(allowed.len());
        let at_line_end = allowed.get(self.position..).unwrap_or_default();
        match at_line_end {
            [b'\r', b'\n', ..] => Ok(Some(self.position)),
            [] | [b'\r'] if allowed.len() < buf.len() => Err(too_long),
            [] | [b'\r'] => Ok(None),
            [byte, ..] => {
                let line = buf.get(self.start..self.position).unwrap_or_default();
                Err(request_line::lone_line_end(line, *byte == b'\r'))
            }
        }
    }

    /// Refuses a request line that is bad as far as it has arrived; a complete one is looked at once.
    fn judge_request_line(&mut self, buf: &[u8]) -> Result<(), Reject> {
        match self.state {
            State::Fields { line_end, .. } if !self.is_line_judged => {
                let line = buf.get(self.start..line_end).unwrap_or_default();
                request_line::parse(line)?;
                self.is_line_judged = true;
            }
            State::RequestLine if !self.is_line_judged => {
                let line = buf.get(self.start..).unwrap_or_default();
                request_line::method_of(line)?;
            }
            _ => {}
        }
        Ok(())
    }
}
