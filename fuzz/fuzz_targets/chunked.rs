//! Any bytes as chunked content: no panic, one verdict and one content for every fragmentation, and what was
//! decoded comes back when it is encoded again.
//!
//! The first byte says where the rest is cut.
#![no_main]

use fulmar_http1::chunked::{CHUNK_END, LAST_CHUNK, encode_chunk_head};
use fulmar_http1::{ChunkedDecoder, Reject, Step};
use libfuzzer_sys::fuzz_target;

/// Small, so that the fuzzer reaches them.
const TRAILER_BYTES_MAX: usize = 128;
const TRAILER_COUNT_MAX: usize = 8;

#[derive(Debug, PartialEq)]
struct Outcome {
    /// `None` is "incomplete", else the bytes of the message.
    end: Result<Option<usize>, Reject>,
    content: Vec<u8>,
    trailers: Vec<u8>,
}

fn deliver(bytes: &[u8], ends: impl Iterator<Item = usize>) -> Outcome {
    let mut decoder = ChunkedDecoder::new(TRAILER_BYTES_MAX, TRAILER_COUNT_MAX);
    let (mut content, mut from) = (Vec::new(), 0);
    for end in ends {
        loop {
            let input = &bytes[from..end];
            match decoder.decode(input) {
                Err(reject) => return outcome(Err(reject), content, &decoder),
                Ok((step, consumed)) => {
                    from += consumed;
                    match step {
                        Step::More => {
                            assert_eq!(consumed, input.len());
                            break;
                        }
                        Step::Data { start, end } => {
                            assert!(start < end && end <= consumed);
                            content.extend_from_slice(&input[start..end]);
                        }
                        Step::Done => return outcome(Ok(Some(from)), content, &decoder),
                    }
                }
            }
        }
    }
    outcome(Ok(None), content, &decoder)
}

fn outcome(
    end: Result<Option<usize>, Reject>,
    content: Vec<u8>,
    decoder: &ChunkedDecoder,
) -> Outcome {
    let is_done = matches!(end, Ok(Some(_)));
    let (raw, spans) = decoder.trailers();
    if is_done {
        assert!(raw.len() <= TRAILER_BYTES_MAX && spans.len() <= TRAILER_COUNT_MAX);
        assert_eq!(raw.is_empty(), spans.is_empty());
        for span in spans {
            assert!(!span.name(raw).is_empty());
            assert!(!span.value(raw).iter().any(|byte| b"\r\n\0".contains(byte)));
        }
    }
    // Partial trailers are nobody's business before the end.
    let trailers = if is_done { raw.to_vec() } else { Vec::new() };
    Outcome {
        end,
        content,
        trailers,
    }
}

fuzz_target!(|input: &[u8]| {
    let Some((&cut, bytes)) = input.split_first() else {
        return;
    };
    let whole = deliver(bytes, [bytes.len()].into_iter());
    assert_eq!(deliver(bytes, 0..=bytes.len()), whole);
    let cut = usize::from(cut).min(bytes.len());
    assert_eq!(deliver(bytes, [cut, bytes.len()].into_iter()), whole);
    if let Ok(Some(_)) = whole.end {
        let mut again = Vec::new();
        for part in whole.content.chunks(cut.max(1)) {
            encode_chunk_head(part.len(), &mut again);
            again.extend_from_slice(part);
            again.extend_from_slice(CHUNK_END);
        }
        again.extend_from_slice(LAST_CHUNK);
        again.extend_from_slice(&whole.trailers);
        again.extend_from_slice(CHUNK_END);
        let decoded = deliver(&again, [again.len()].into_iter());
        assert_eq!(decoded.end, Ok(Some(again.len())));
        assert_eq!(decoded.content, whole.content);
        assert_eq!(decoded.trailers, whole.trailers);
    }
});
