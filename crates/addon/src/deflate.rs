//! Compression of replies: gzip and zlib streams that JavaScript feeds, on its own thread.
//!
//! A stream is known by a number that it is given here. What it needs is made with its first chunk and goes
//! with its last one, so a reply that is given whole is one call. No compressor holds memory of JavaScript's:
//! a chunk is copied, because another thread may write to it while it is looked at, and the result is a copy
//! of its own. Knows no HTTP; what a chunk may be long is decided in `packages/fulmar/src/zlib/limits.ts`.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use zlib_rs::{Deflate, DeflateConfig, DeflateFlush, Method, Status, Strategy};

use crate::js::{JsError, Result};

/// What a compressor allocates with the usual window and memory level, in bytes: window, chains, heads,
/// pending output. Told to V8, so that streams which an application forgets are collected in time.
pub(crate) const STATE_BYTES: i64 = 320 * 1024;
/// By so much the result grows at a time, in bytes: most replies fit once compressed.
const STEP_BYTES: usize = 16 * 1024;
/// A buffer for results that has grown beyond this is not kept, in bytes.
const KEPT_BYTES_MAX: usize = 256 * 1024;
/// Added to the window's bits for a gzip header and trailer instead of zlib's.
const GZIP_WINDOW: u32 = 16;

/// How a stream is compressed, as JavaScript packs it into one number: level, window bits, memory level,
/// strategy, gzip or zlib.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    level: i32,
    window_bits: i32,
    memory_level: i32,
    strategy: i32,
}

impl Settings {
    /// Every field is checked: the compressor panics at what is out of range.
    pub(crate) fn unpack(packed: u32) -> Result<Self> {
        let field = |shift: u32, bits: u32| packed >> shift & ((1 << bits) - 1);
        let (level, window, memory, strategy) =
            (field(0, 4), field(4, 4), field(8, 4), field(12, 3));
        let known =
            level <= 9 && (9..=15).contains(&window) && (1..=9).contains(&memory) && strategy <= 4;
        if !known {
            return Err(JsError("settings of a compressor expected"));
        }
        let window = window + GZIP_WINDOW * field(15, 1);
        Ok(Self {
            level: level.cast_signed(),
            window_bits: window.cast_signed(),
            memory_level: memory.cast_signed(),
            strategy: strategy.cast_signed(),
        })
    }

    /// Levels 1 and 9 are the neighbours: this library's own level 1 gives up a third of what zlib's finds,
    /// and its 9 finds less than its 8, which is as small as zlib's 9.
    fn level(self) -> i32 {
        match self.level {
            1 => 2,
            9 => 8,
            level => level,
        }
    }

    fn compressor(self) -> Deflate {
        Deflate::new_with_config(DeflateConfig {
            level: self.level(),
            method: Method::Deflated,
            window_bits: self.window_bits,
            mem_level: self.memory_level,
            strategy: match self.strategy {
                1 => Strategy::Filtered,
                2 => Strategy::HuffmanOnly,
                3 => Strategy::Rle,
                4 => Strategy::Fixed,
                _ => Strategy::Default,
            },
        })
    }
}

struct Stream {
    settings: Settings,
    compressor: Deflate,
}

impl Stream {
    /// The level may change between chunks, after a flush. With another strategy than the usual one it stays:
    /// changing it would change that too.
    fn follow(&mut self, settings: Settings) {
        if self.settings.level != settings.level && self.settings.strategy == 0 {
            // What cannot be changed now (its output has no room) stays as it was: the content is the same.
            if self.compressor.set_level(settings.level()).is_ok() {
                self.settings.level = settings.level;
            }
        }
    }

    /// Appends what `input` becomes to `output`. True: the stream has ended.
    fn compress(
        &mut self,
        input: &[u8],
        flush: DeflateFlush,
        output: &mut Vec<u8>,
    ) -> Result<bool> {
        let (mut rest, mut length) = (input, 0);
        loop {
            if length == output.len() {
                output.resize(length + STEP_BYTES, 0);
            }
            let room = output.get_mut(length..).unwrap_or_default();
            let roomy = room.len();
            let (before_in, before_out) = (self.compressor.total_in(), self.compressor.total_out());
            let status = self
                .compressor
                .compress(rest, room, flush)
                .map_err(|_| JsError("the stream cannot be compressed any further"))?;
            let taken = usize::try_from(self.compressor.total_in() - before_in).unwrap_or_default();
            let made =
                usize::try_from(self.compressor.total_out() - before_out).unwrap_or_default();
            rest = rest.get(taken..).unwrap_or_default();
            length += made;
            // Room left means that nothing waits for it.
            if status == Status::StreamEnd || made < roomy {
                output.truncate(length);
                return Ok(status == Status::StreamEnd);
            }
        }
    }
}

/// The open streams of an environment. As many as the application has: each is one of its objects, and goes
/// with it.
#[derive(Default)]
pub(crate) struct Streams {
    open: RefCell<HashMap<u64, Stream>>,
    /// One compressor for the next stream like the last: making one costs the clearing of 300 KB.
    idle: RefCell<Option<Stream>>,
    output: RefCell<Vec<u8>>,
    /// The number of the newest stream.
    newest: Cell<u64>,
}

impl Streams {
    /// A number for a stream, for once: also a second copy of our JavaScript in this environment is given
    /// others.
    pub(crate) fn name(&self) -> u64 {
        self.newest.set(self.newest.get() + 1);
        self.newest.get()
    }

    /// Compresses the next chunk of a stream, which is made if there is none of that number, and hands what
    /// it became to `take`, with the bytes by which the memory of open streams has changed.
    pub(crate) fn compress<T>(
        &self,
        id: u64,
        settings: Settings,
        (input, flush): (&[u8], DeflateFlush),
        take: impl FnOnce(&[u8], i64) -> Result<T>,
    ) -> Result<T> {
        let known = self.open.borrow_mut().remove(&id);
        let was_open = known.is_some();
        let mut stream = known.unwrap_or_else(|| self.make(settings));
        stream.follow(settings);
        // Taken, not borrowed: after a panic there is just a new one.
        let mut output = self.output.take();
        output.clear(); // It grows by steps: no more of it is cleared than is used.
        let ended = stream.compress(input, flush, &mut output);
        // After an error it is left to be closed, where it was open.
        let is_open = ended.as_ref().map_or(was_open, |has_ended| !has_ended);
        if is_open {
            self.open.borrow_mut().insert(id, stream);
        } else if ended.is_ok() {
            self.idle.replace(Some(stream));
        }
        let memory = STATE_BYTES * (i64::from(is_open) - i64::from(was_open));
        let taken = ended.and_then(|_| take(&output, memory));
        if output.capacity() <= KEPT_BYTES_MAX {
            self.output.replace(output);
        }
        taken
    }

    /// True: there was one.
    pub(crate) fn close(&self, id: u64) -> bool {
        self.open.borrow_mut().remove(&id).is_some()
    }

    fn make(&self, settings: Settings) -> Stream {
        match self.idle.take() {
            Some(mut stream) if stream.settings == settings => {
                stream.compressor.reset();
                stream
            }
            _ => Stream {
                settings,
                compressor: settings.compressor(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(level: u32, window: u32, gzip: u32) -> Settings {
        Settings::unpack(level | window << 4 | 8 << 8 | gzip << 15).expect("in range")
    }

    fn run(
        streams: &Streams,
        id: u64,
        settings: Settings,
        chunks: &[(&[u8], DeflateFlush)],
    ) -> Vec<u8> {
        let mut all = Vec::new();
        for chunk in chunks {
            let part = streams.compress(id, settings, *chunk, |bytes, _| Ok(bytes.to_vec()));
            all.extend(part.expect("compressed"));
        }
        all
    }

    fn inflate(bytes: &[u8], bits: u8) -> Vec<u8> {
        let mut out = vec![0; 4 * 1024 * 1024];
        let mut inflate = zlib_rs::Inflate::new(true, bits);
        let status = inflate
            .decompress(bytes, &mut out, zlib_rs::InflateFlush::Finish)
            .expect("valid");
        assert_eq!(status, Status::StreamEnd);
        out.truncate(usize::try_from(inflate.total_out()).expect("fits"));
        out
    }

    /// Compresses badly, so that results are longer than a step.
    fn noise(length: usize) -> Vec<u8> {
        let mut state = 1_u32;
        let next = |_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        (0..length).map(next).collect()
    }

    #[test]
    fn a_stream_inflates_to_its_chunks_whatever_its_flushes() {
        let data = noise(200_000);
        let flushes = [
            DeflateFlush::NoFlush,
            DeflateFlush::SyncFlush,
            DeflateFlush::FullFlush,
            DeflateFlush::Block,
            DeflateFlush::PartialFlush,
        ];
        for level in 0..=9 {
            let streams = Streams::default();
            let mut chunks: Vec<(&[u8], DeflateFlush)> = data
                .chunks(37_003)
                .zip(flushes.into_iter().cycle())
                .collect();
            chunks.push((&[], DeflateFlush::SyncFlush));
            chunks.push((&[], DeflateFlush::SyncFlush));
            chunks.push((&[], DeflateFlush::Finish));
            let bytes = run(&streams, 1, settings(level, 15, 1), &chunks);
            assert_eq!(inflate(&bytes, 31), data, "level {level}");
        }
    }

    #[test]
    fn a_compressor_that_is_used_again_has_nothing_of_the_stream_before() {
        let streams = Streams::default();
        let like = settings(6, 15, 1);
        let whole = |data: &[u8]| run(&streams, 1, like, &[(data, DeflateFlush::Finish)]);
        let first = whole(b"some text, some text, some text");
        whole(&noise(100_000));
        assert!(streams.idle.borrow().is_some());
        assert_eq!(whole(b"some text, some text, some text"), first);
    }

    #[test]
    fn streams_do_not_meet() {
        let streams = Streams::default();
        let like = settings(6, 15, 0);
        let mut one = run(&streams, 1, like, &[(b"one ", DeflateFlush::NoFlush)]);
        let mut two = run(&streams, 2, like, &[(b"two ", DeflateFlush::SyncFlush)]);
        one.extend(run(&streams, 1, like, &[(b"one", DeflateFlush::Finish)]));
        two.extend(run(&streams, 2, like, &[(b"two", DeflateFlush::Finish)]));
        assert_eq!(inflate(&one, 15), b"one one");
        assert_eq!(inflate(&two, 15), b"two two");
    }

    #[test]
    fn a_stream_whose_level_changes_goes_on() {
        let streams = Streams::default();
        let data = noise(50_000);
        let mut bytes = run(
            &streams,
            1,
            settings(1, 15, 1),
            &[(&data, DeflateFlush::SyncFlush)],
        );
        for level in [9, 0, 6] {
            let chunk = (data.as_slice(), DeflateFlush::SyncFlush);
            bytes.extend(run(&streams, 1, settings(level, 15, 1), &[chunk]));
        }
        bytes.extend(run(
            &streams,
            1,
            settings(6, 15, 1),
            &[(&[], DeflateFlush::Finish)],
        ));
        assert_eq!(inflate(&bytes, 31), data.repeat(4));
    }

    #[test]
    fn a_closed_stream_leaves_nothing() {
        let streams = Streams::default();
        run(
            &streams,
            1,
            settings(6, 15, 1),
            &[(b"text", DeflateFlush::NoFlush)],
        );
        assert!(streams.close(1));
        assert!(!streams.close(1));
        assert!(streams.open.borrow().is_empty());
    }

    #[test]
    fn settings_out_of_range_are_refused() {
        for packed in [
            10,
            8 << 4 | 8 << 8,
            15 << 4,
            15 << 4 | 10 << 8,
            15 << 4 | 8 << 8 | 5 << 12,
        ] {
            assert!(Settings::unpack(packed).is_err(), "{packed:#x}");
        }
    }
}
