//! Finds the end of a head in bytes that arrive piece by piece.

use super::HeadLimits;
use crate::Reject;

/// What a scan found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scan {
    /// The head is not complete; call again when there are more bytes.
    Partial,
    /// The head is `start..end`; `start` is after skipped empty lines, `end` one past the empty line that closes it.
    Complete {
        /// Offset of the request line.
        start: usize,
        /// Offset of the first byte after the head.
        end: usize,
    },
}

/// Looks for the end of a head, each byte once in total.
#[derive(Clone, Debug, Default)]
pub struct HeadScanner {
    position: usize,
}

impl HeadScanner {
    /// Makes the scanner ready for another head.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Looks at the bytes that are new in `buf`, the whole buffered bytes from the start of the message.
    pub fn scan(&mut self, buf: &[u8], _limits: &HeadLimits) -> Result<Scan, Reject> {
        let from = self.position.saturating_sub(3);
        self.position = buf.len();
        let new = buf.get(from..).unwrap_or_default();
        Ok(match memchr::memmem::find(new, b"\r\n\r\n") {
            Some(at) => Scan::Complete {
                start: 0,
                end: from + at + 4,
            },
            None => Scan::Partial,
        })
    }
}
