//! Shared by the tests: bytes delivered in pieces, and what became of them.
#![allow(dead_code, reason = "each test file uses its part")]

use fulmar_http1::{
    ChunkedDecoder, FieldSpan, HeadLimits, HeadScanner, Reject, RequestHead, Scan, Step,
    parse_request_head,
};

/// A parsed head with what its spans point at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    pub said: RequestHead,
    pub start: usize,
    pub end: usize,
    pub target: Vec<u8>,
    pub authority: Vec<u8>,
    pub fields: Vec<(Vec<u8>, Vec<u8>)>,
}

/// What became of bytes: `Ok(None)` is "incomplete".
pub type HeadVerdict = Result<Option<Head>, Reject>;

/// Delivers `bytes` up to each of `cuts`, ascending, then whole.
pub fn head_in_pieces(bytes: &[u8], cuts: &[usize], limits: &HeadLimits) -> HeadVerdict {
    let mut scanner = HeadScanner::default();
    for &cut in cuts.iter().chain([&bytes.len()]) {
        if let Scan::Complete { start, end } = scanner.scan(&bytes[..cut], limits)? {
            return parse(bytes, start, end, limits).map(Some);
        }
    }
    Ok(None)
}

fn parse(bytes: &[u8], start: usize, end: usize, limits: &HeadLimits) -> Result<Head, Reject> {
    let mut fields = vec![FieldSpan::default(); 3];
    let head_bytes = &bytes[start..end];
    let head = parse_request_head(head_bytes, limits, &mut fields)?;
    assert_eq!(head.fields_len, fields.len());
    assert_eq!(
        &head_bytes[..head.method_len as usize],
        head.method.as_str().as_bytes()
    );
    let part = |start: u32, len: u32| head_bytes[start as usize..(start + len) as usize].to_vec();
    Ok(Head {
        said: head,
        start,
        end,
        target: part(head.target_start, head.target_len),
        authority: part(head.authority_start, head.authority_len),
        fields: fields
            .iter()
            .map(|span| {
                (
                    span.name(head_bytes).to_vec(),
                    span.value(head_bytes).to_vec(),
                )
            })
            .collect(),
    })
}

/// The verdict on the whole bytes, after checking that byte by byte and every two pieces give the same.
pub fn head_every_way(bytes: &[u8], limits: &HeadLimits) -> HeadVerdict {
    let whole = head_in_pieces(bytes, &[], limits);
    let every_byte: Vec<usize> = (0..bytes.len()).collect();
    let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
    assert_eq!(
        head_in_pieces(bytes, &every_byte, limits),
        whole,
        "byte by byte: {shown:?}"
    );
    for cut in 0..bytes.len() {
        assert_eq!(
            head_in_pieces(bytes, &[cut], limits),
            whole,
            "cut at {cut}: {shown:?}"
        );
    }
    whole
}

/// What became of chunked content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    pub data: Vec<u8>,
    pub trailers: Vec<(Vec<u8>, Vec<u8>)>,
    pub trailer_bytes: Vec<u8>,
    /// Bytes of the message.
    pub consumed: usize,
}

/// `Ok(None)` is "incomplete"; beside it the data delivered before the verdict.
pub type ContentVerdict = (Result<Option<Content>, Reject>, Vec<u8>);

/// Delivers `bytes` in the pieces between `cuts`.
pub fn content_in_pieces(
    bytes: &[u8],
    cuts: &[usize],
    mut decoder: ChunkedDecoder,
) -> ContentVerdict {
    let mut data = Vec::new();
    let mut from = 0;
    for &cut in cuts.iter().chain([&bytes.len()]) {
        loop {
            let input = &bytes[from..cut];
            let (step, consumed) = match decoder.decode(input) {
                Ok(result) => result,
                Err(reject) => {
                    assert_eq!(
                        decoder.decode(b"0\r\n\r\n"),
                        Err(reject),
                        "errors are final"
                    );
                    return (Err(reject), data);
                }
            };
            from += consumed;
            match step {
                Step::More => {
                    assert_eq!(consumed, input.len(), "More consumes everything");
                    break;
                }
                Step::Data { start, end } => {
                    assert!(start < end && end <= consumed, "data is never empty");
                    data.extend_from_slice(&input[start..end]);
                }
                Step::Done => {
                    assert_eq!(
                        decoder.decode(b"5\r\n"),
                        Ok((Step::Done, 0)),
                        "the end is final"
                    );
                    let (raw, spans) = decoder.trailers();
                    let trailers = spans
                        .iter()
                        .map(|span| (span.name(raw).to_vec(), span.value(raw).to_vec()))
                        .collect();
                    let content = Content {
                        data: data.clone(),
                        trailers,
                        trailer_bytes: raw.to_vec(),
                        consumed: from,
                    };
                    return (Ok(Some(content)), data);
                }
            }
        }
    }
    (Ok(None), data)
}

/// The verdict on the whole bytes, after checking that byte by byte and every two pieces give the same.
pub fn content_every_way(bytes: &[u8]) -> ContentVerdict {
    let decoder = ChunkedDecoder::default;
    let whole = content_in_pieces(bytes, &[], decoder());
    let every_byte: Vec<usize> = (0..bytes.len()).collect();
    assert_eq!(
        content_in_pieces(bytes, &every_byte, decoder()),
        whole,
        "byte by byte"
    );
    for cut in 0..bytes.len() {
        assert_eq!(
            content_in_pieces(bytes, &[cut], decoder()),
            whole,
            "cut at {cut}"
        );
    }
    whole
}
