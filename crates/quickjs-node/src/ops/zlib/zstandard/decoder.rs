//! Decompression of Zstandard: frame after frame, until something comes that begins no frame.

use zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer, ResetDirective};

use super::super::{Codec, Failure, Step};
use super::{END, failure};

/// What a frame begins with.
const FRAME_MAGIC: [u8; MAGIC_BYTES] = [0x28, 0xb5, 0x2f, 0xfd];
/// What a frame to be skipped begins with, behind a byte from 0x50 to 0x5f.
const SKIPPABLE_MAGIC_REST: [u8; 3] = [0x2a, 0x4d, 0x18];
const MAGIC_BYTES: usize = 4;
/// `ZSTD_d_windowLogMax`
const WINDOW_LOG_MAX: i32 = 100;

/// Where in a sequence of frames the input is.
enum Place {
    Frame,
    /// Behind a frame, with the first bytes of what may be the next one.
    Between(Vec<u8>),
    /// Behind bytes that begin no frame: nothing is read any more, as in Node.
    Junk,
}

struct Decoder {
    zstd: DCtx<'static>,
    place: Place,
    /// What follows the frames is an error instead of being left alone.
    rejects_junk: bool,
}

/// `numbers`: parameter and value, in pairs.
pub(in super::super) fn open(
    numbers: &[i32],
    dictionary: &[u8],
    rejects_junk: bool,
) -> Result<Box<dyn Codec>, Failure> {
    let mut zstd = DCtx::create();
    for pair in numbers.chunks_exact(2) {
        if pair[0] == WINDOW_LOG_MAX {
            let bits = u32::try_from(pair[1]).unwrap_or(0);
            zstd.set_parameter(DParameter::WindowLogMax(bits))
                .map_err(failure)?;
        }
    }
    if !dictionary.is_empty() {
        zstd.load_dictionary(dictionary).map_err(failure)?;
    }
    Ok(Box::new(Decoder {
        zstd,
        place: Place::Frame,
        rejects_junk,
    }))
}

fn begins_frame(bytes: &[u8]) -> bool {
    let skippable = matches!(bytes.first(), None | Some(0x50..=0x5f))
        && SKIPPABLE_MAGIC_REST.starts_with(bytes.get(1..).unwrap_or_default());
    FRAME_MAGIC.starts_with(bytes) || skippable
}

/// Input and output of a step, and how far they are.
struct Progress<'a> {
    input: &'a [u8],
    output: &'a mut [u8],
    read: usize,
    written: usize,
}

impl Progress<'_> {
    fn is_at_end(&self) -> bool {
        self.read == self.input.len()
    }

    fn has_room(&self) -> bool {
        self.written < self.output.len()
    }
}

impl Decoder {
    fn run(&mut self, at: &mut Progress<'_>) -> Result<(), Failure> {
        let mut carried = match &self.place {
            Place::Between(seen) => seen.len(),
            _ => 0,
        };
        loop {
            match &mut self.place {
                Place::Frame => {
                    let wanted = self.decompress(at)?;
                    if wanted != 0 {
                        return Ok(());
                    }
                    self.place = Place::Between(Vec::new());
                }
                // A step that has filled its output is over, as in Node: what it gave comes before what is
                // wrong behind it.
                Place::Between(_) if !at.has_room() => return Ok(()),
                Place::Between(seen) => {
                    let Some(byte) = at.input.get(at.read) else {
                        return Ok(());
                    };
                    seen.push(*byte);
                    at.read += 1;
                    if !begins_frame(seen) {
                        // What an earlier step has read stays read.
                        at.read = at.read.saturating_sub(seen.len());
                        self.place = Place::Junk;
                    } else if seen.len() == MAGIC_BYTES {
                        let magic = std::mem::take(seen);
                        self.place = Place::Frame;
                        if carried == 0 {
                            // zstd tells more of a frame that it gets whole.
                            at.read -= MAGIC_BYTES;
                        } else {
                            self.begin(&magic)?;
                            carried = 0;
                        }
                    }
                }
                Place::Junk if self.rejects_junk && !at.is_at_end() => return Err(Failure::junk()),
                Place::Junk => return Ok(()),
            }
        }
    }

    /// Gives zstd the beginning of a frame, part of which came earlier; it keeps what is less than a header.
    fn begin(&mut self, magic: &[u8]) -> Result<(), Failure> {
        let nowhere: &mut [u8] = &mut [];
        let mut to = OutBuffer::around(nowhere);
        self.zstd
            .decompress_stream(&mut to, &mut InBuffer::around(magic))
            .map(|_| ())
            .map_err(failure)
    }

    /// Yields 0 at the end of a frame.
    fn decompress(&mut self, at: &mut Progress<'_>) -> Result<usize, Failure> {
        let mut from = InBuffer::around(at.input.get(at.read..).unwrap_or_default());
        let mut to = OutBuffer::around(at.output.get_mut(at.written..).unwrap_or_default());
        let outcome = self.zstd.decompress_stream(&mut to, &mut from);
        at.read += from.pos();
        at.written += to.pos();
        outcome.map_err(failure)
    }

    /// What is wrong if the input ends here.
    fn judge_end(&self, at: &Progress<'_>) -> Option<Failure> {
        match &self.place {
            Place::Frame if at.is_at_end() && at.has_room() => Some(Failure::unexpected_end()),
            Place::Between(seen) if self.rejects_junk && !seen.is_empty() => Some(Failure::junk()),
            _ => None,
        }
    }
}

impl Codec for Decoder {
    fn step(&mut self, flush: u32, input: &[u8], output: &mut [u8]) -> Step {
        let mut at = Progress {
            input,
            output,
            read: 0,
            written: 0,
        };
        let failure = match self.run(&mut at) {
            Ok(()) if flush == END => self.judge_end(&at),
            outcome => outcome.err(),
        };
        Step {
            read: at.read,
            written: at.written,
            failure,
        }
    }

    fn reset(&mut self) -> Result<(), Failure> {
        self.place = Place::Frame;
        self.zstd
            .reset(ResetDirective::SessionOnly)
            .map_err(failure)
            .map(|_| ())
    }
}
