//! Compression of replies: gzip and zlib streams that JavaScript feeds, on its own thread.
//!
//! A stream is known by a number that it is given here. What it needs is made with its first chunk and goes
//! with its last one, so a reply that is given whole is one call. No compressor holds memory of JavaScript's:
//! a chunk is copied, because another thread may write to it while it is looked at, and the result is a copy
//! of its own. What comes as a whole is compressed by libdeflate, which does nothing else: in half the time, to
//! less; whatever comes in pieces by zlib-rs. Knows no HTTP; what a chunk may be long is decided in `packages/fulmar/src/zlib/limits.ts`.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use libdeflater::{CompressionLvl, Compressor};
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
const GZIP_WINDOW_BIT: i32 = 16;
/// The largest, in bits, and the one that is nearly always asked for.
const USUAL_WINDOW: i32 = 15;

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

    /// For content that is there as a whole, libdeflate's level; none where it has nothing to offer: it knows
    /// one window and one strategy. Each gives what zlib-rs gives at the level asked for or less, sooner. Its 6
    /// takes half as long again as its 5 for 2 % less.
    fn whole_level(self) -> Option<CompressionLvl> {
        let is_usual = self.window_bits & !GZIP_WINDOW_BIT == USUAL_WINDOW && self.strategy == 0;
        let level = match self.level {
            6 => 5,
            8 => 7,
            9 => 8,
            level => level,
        };
        (is_usual && level > 0)
            .then(|| CompressionLvl::new(level).ok())
            .flatten()
    }

    const fn is_gzip(self) -> bool {
        self.window_bits & GZIP_WINDOW_BIT != 0
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

/// Compresses what is there as a whole.
struct Whole {
    level: i32,
    compressor: Compressor,
}

impl Whole {
    /// The length of what `input` has become at the start of `output`; none where that is too short.
    fn compress(&mut self, input: &[u8], is_gzip: bool, output: &mut Vec<u8>) -> Option<usize> {
        let by = &mut self.compressor;
        let bound = if is_gzip {
            by.gzip_compress_bound(input.len())
        } else {
            by.zlib_compress_bound(input.len())
        };
        output.resize(bound, 0);
        let made = if is_gzip {
            by.gzip_compress(input, output)
        } else {
            by.zlib_compress(input, output)
        };
        made.ok()
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
    /// That of the last content that came as a whole: making one costs half a megabyte of memory.
    whole: RefCell<Option<Whole>>,
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
        if !was_open
            && flush == DeflateFlush::Finish
            && let Some(level) = settings.whole_level()
        {
            let mut output = self.output.take();
            let made = self
                .compress_whole(settings, level, input, &mut output)
                .and_then(|length| output.get(..length));
            if let Some(made) = made {
                let taken = take(made, 0);
                self.keep(output);
                return taken;
            }
            self.keep(output);
        }
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
        self.keep(output);
        taken
    }

    fn compress_whole(
        &self,
        settings: Settings,
        level: CompressionLvl,
        input: &[u8],
        output: &mut Vec<u8>,
    ) -> Option<usize> {
        let kept = self.whole.take();
        let mut whole = kept
            .filter(|whole| whole.level == settings.level)
            .unwrap_or_else(|| Whole {
                level: settings.level,
                compressor: Compressor::new(level),
            });
        let length = whole.compress(input, settings.is_gzip(), output);
        self.whole.replace(Some(whole));
        length
    }

    fn keep(&self, output: Vec<u8>) {
        if output.capacity() <= KEPT_BYTES_MAX {
            self.output.replace(output);
        }
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
    fn what_comes_as_a_whole_inflates_to_itself_at_every_level_and_window() {
        let streams = Streams::default();
        let data = [noise(70_000), b"text, ".repeat(5000)].concat();
        for content in [&data[..0], &data[..1], &data[..1400], &data] {
            for level in 0..=9 {
                for (window, gzip) in [(15, 0), (15, 1), (9, 0), (9, 1)] {
                    let chunk = (content, DeflateFlush::Finish);
                    let bytes = run(&streams, 1, settings(level, window, gzip), &[chunk]);
                    let bits = if gzip == 1 { 31 } else { 15 };
                    assert_eq!(inflate(&bytes, bits), content, "level {level}");
                    if window == 9 && gzip == 0 {
                        assert!(bytes[0] >> 4 < 7, "a window of its size");
                    }
                }
            }
        }
    }

    #[test]
    fn a_whole_is_no_larger_than_its_pieces_would_be() {
        let streams = Streams::default();
        let rows: Vec<String> = (0..900)
            .map(|row| format!("{{\"id\":{row},\"name\":\"bird {}\"}},", row * 7 % 97))
            .collect();
        let rows = rows.concat();
        let (first, rest) = rows.as_bytes().split_at(1);
        for level in 1..=9 {
            let like = settings(level, 15, 1);
            let whole = run(
                &streams,
                1,
                like,
                &[(rows.as_bytes(), DeflateFlush::Finish)],
            );
            let pieces = [(first, DeflateFlush::NoFlush), (rest, DeflateFlush::Finish)];
            let pieces = run(&streams, 2, like, &pieces);
            assert!(
                whole.len() <= pieces.len() + pieces.len() / 20,
                "level {level}"
            );
        }
    }

    #[test]
    fn a_compressor_that_is_used_again_has_nothing_of_the_stream_before() {
        let streams = Streams::default();
        let like = settings(6, 15, 1);
        let chunked = |data: &[u8]| {
            let (first, rest) = data.split_at(5);
            let chunks = [(first, DeflateFlush::NoFlush), (rest, DeflateFlush::Finish)];
            run(&streams, 1, like, &chunks)
        };
        let whole = |data: &[u8]| run(&streams, 1, like, &[(data, DeflateFlush::Finish)]);
        for compress in [&chunked as &dyn Fn(&[u8]) -> Vec<u8>, &whole] {
            let first = compress(b"some text, some text, some text");
            compress(&noise(100_000));
            assert_eq!(compress(b"some text, some text, some text"), first);
        }
        assert!(streams.idle.borrow().is_some() && streams.whole.borrow().is_some());
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
