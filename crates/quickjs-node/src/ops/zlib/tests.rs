//! Compressed streams, right and damaged: a decoder ends, gives what was compressed, and says the same
//! however a stream is cut.

use super::{Codec, open};

const ROUNDS: usize = 1500;
const CONTENT_MAX: usize = 3000;
/// Of what a damaged stream may become.
const OUTPUT_MAX: usize = 1 << 20;
const PIECE: usize = 512;

/// Encoder and decoder, with their numbers and what ends a stream.
type Pair = (&'static str, u32, u32, &'static [i32], &'static [i32], u32);

const PAIRS: [Pair; 5] = [
    ("deflate", 1, 2, &[15, 6, 8, 0], &[15, 6, 8, 0], 4),
    ("gzip", 3, 4, &[15, 6, 8, 0], &[15, 6, 8, 0], 4),
    ("raw", 5, 6, &[15, 6, 8, 0], &[15, 6, 8, 0], 4),
    ("brotli", 9, 8, &[-1, 5], &[-1, -1], 2),
    ("zstd", 10, 11, &[], &[], 2),
];

/// Xorshift: the same numbers in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % limit.max(1)
    }
}

/// All that comes out, and whether it failed.
fn run(
    codec: &mut dyn Codec,
    input: &[u8],
    end: u32,
    cuts: &mut dyn FnMut() -> usize,
) -> (Vec<u8>, bool) {
    let (mut out, mut from) = (Vec::new(), 0);
    let mut room = vec![0; PIECE];
    loop {
        let until = (from + cuts().max(1)).min(input.len());
        let is_last = until == input.len();
        // As `zlib/stream.ts`: again with the rest of the input while the output is filled.
        loop {
            let flush = if is_last { end } else { 0 };
            let step = codec.step(flush, &input[from..until], &mut room);
            assert!(step.read <= until - from && step.written <= room.len());
            from += step.read;
            out.extend(&room[..step.written]);
            if step.failure.is_some() || out.len() > OUTPUT_MAX {
                return (out, step.failure.is_some());
            }
            if step.written < room.len() {
                break;
            }
        }
        from = until;
        if is_last {
            return (out, false);
        }
    }
}

fn codec(mode: u32, numbers: &[i32]) -> Box<dyn Codec> {
    open(mode, numbers, Vec::new(), false)
        .ok()
        .expect("the numbers are right")
}

fn content(numbers: &mut Numbers) -> Vec<u8> {
    let (length, kinds) = (numbers.below(CONTENT_MAX), 1 + numbers.below(256));
    (0..length)
        .map(|_| u8::try_from(numbers.below(kinds)).unwrap())
        .collect()
}

#[test]
fn streams_give_what_was_compressed_however_they_are_cut_and_damaged_ones_end() {
    let mut numbers = Numbers(0x5eed);
    for round in 0..ROUNDS {
        let (name, encoder, decoder, encoding, decoding, end) = PAIRS[round % PAIRS.len()];
        let plain = content(&mut numbers);
        let (mut bytes, failed) = run(&mut *codec(encoder, encoding), &plain, end, &mut || {
            usize::MAX / 2
        });
        assert!(!failed, "{name}");
        let whole = run(&mut *codec(decoder, decoding), &bytes, end, &mut || {
            usize::MAX / 2
        });
        assert_eq!(whole, (plain, false), "{name}, round {round}");
        for _ in 0..numbers.below(4) {
            let at = numbers.below(bytes.len());
            match numbers.below(4) {
                0 => bytes[at] ^= 1 << numbers.below(8),
                1 => bytes.truncate(at.max(1)),
                2 => bytes.insert(at, u8::try_from(numbers.below(256)).unwrap()),
                _ => bytes.extend_from_within(..at),
            }
        }
        let whole = run(&mut *codec(decoder, decoding), &bytes, end, &mut || {
            usize::MAX / 2
        });
        let pieces = run(&mut *codec(decoder, decoding), &bytes, end, &mut || {
            1 + numbers.below(40)
        });
        assert_eq!(pieces.1, whole.1, "{name}, round {round}: {bytes:02x?}");
        if !whole.1 {
            assert!(pieces.0 == whole.0, "{name}, round {round}: {bytes:02x?}");
        }
    }
}
