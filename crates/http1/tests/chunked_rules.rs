//! The rows of the robustness rules on chunked content, each delivered whole, byte by byte and in every two
//! pieces.

mod support;

use fulmar_http1::chunked::{CHUNK_END, EXTENSION_BYTES_MAX, LAST_CHUNK, encode_chunk_head};
use fulmar_http1::{ChunkedDecoder, Reject, Step};
use proptest::prelude::*;
use support::{Content, content_every_way, content_in_pieces};

#[track_caller]
fn accepted(bytes: impl AsRef<[u8]>) -> Content {
    content_every_way(bytes.as_ref())
        .0
        .expect("accepted")
        .expect("complete")
}

/// Checks the reason and that exactly this content was delivered before it.
#[track_caller]
fn refused(rows: &[(&str, Reject)], delivered: &str) {
    for (bytes, reject) in rows {
        let (verdict, data) = content_every_way(bytes.as_bytes());
        assert_eq!(verdict, Err(*reject), "{bytes:?}");
        assert_eq!(data, delivered.as_bytes(), "{bytes:?}");
    }
}

#[test]
fn delivers_content_and_stops_at_the_end_of_the_message() {
    let content = accepted("3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\nGET / HTTP/1.1");
    assert_eq!(content.data, b"abc0123456789");
    assert_eq!(
        content.consumed,
        "3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n".len()
    );
    assert!(content.trailers.is_empty() && content.trailer_bytes.is_empty());
}

#[test]
fn takes_sizes_in_either_case_and_up_to_16_digits() {
    for size in ["a", "A", "0a", "000000000000000a"] {
        assert_eq!(
            accepted(format!("{size}\r\n0123456789\r\n000\r\n\r\n"))
                .data
                .len(),
            10
        );
    }
    let mut decoder = ChunkedDecoder::default();
    assert_eq!(
        decoder.decode(b"ffffffffffffffff\r\nabc"),
        Ok((Step::Data { start: 18, end: 21 }, 21))
    );
}

#[test]
fn waits_for_the_rest_of_every_prefix() {
    let message = "3;a=\"b\\\"\"\r\nabc\r\n0\r\nX: y\r\n\r\n";
    for end in 0..message.len() {
        assert_eq!(
            content_every_way(&message.as_bytes()[..end]).0,
            Ok(None),
            "{end}"
        );
    }
    accepted(message);
}

#[test]
fn refuses_a_malformed_chunk_size() {
    refused(
        &[
            ("+3\r\nabc\r\n0\r\n\r\n", Reject::ChunkSizeInvalid),
            ("-3\r\nabc\r\n0\r\n\r\n", Reject::ChunkSizeInvalid),
            (" 3\r\nabc\r\n0\r\n\r\n", Reject::ChunkSizeInvalid),
            ("3 \r\nabc\r\n0\r\n\r\n", Reject::ChunkSizeInvalid),
            ("3\t\r\nabc\r\n0\r\n\r\n", Reject::ChunkSizeInvalid),
            ("3 ;a\r\nabc\r\n0\r\n\r\n", Reject::ChunkSizeInvalid),
            ("0x3\r\nabc\r\n0\r\n\r\n", Reject::ChunkSizeInvalid),
            ("3_0\r\nabc\r\n0\r\n\r\n", Reject::ChunkSizeInvalid),
            ("g\r\nabc\r\n0\r\n\r\n", Reject::ChunkSizeInvalid),
            ("\r\nabc\r\n0\r\n\r\n", Reject::ChunkSizeInvalid),
            (";a\r\nabc\r\n0\r\n\r\n", Reject::ChunkSizeInvalid),
            ("\n", Reject::ChunkSizeInvalid),
            (
                "00000000000000003\r\nabc\r\n0\r\n\r\n",
                Reject::ChunkSizeOverflow,
            ),
            ("fffffffffffffffff\r\nabc", Reject::ChunkSizeOverflow),
        ],
        "",
    );
}

#[test]
fn refuses_anything_but_crlf_after_chunk_data() {
    refused(
        &[
            ("3\r\nabcX\r\n0\r\n\r\n", Reject::ChunkDataNotEnded),
            ("3\r\nabc\n0\r\n\r\n", Reject::ChunkDataLf),
            ("3\r\nabc\rX0\r\n\r\n", Reject::ChunkDataNotEnded),
            ("3\r\nabc0\r\n\r\n", Reject::ChunkDataNotEnded),
            ("3\r\nabc\r\r\n0\r\n\r\n", Reject::ChunkDataNotEnded),
            ("3\r\nabc\r\n\r\n0\r\n\r\n", Reject::ChunkSizeInvalid),
            ("3\r\nabc\r\n-1\r\n", Reject::ChunkSizeInvalid),
        ],
        "abc",
    );
}

#[test]
fn refuses_cr_or_lf_alone_in_chunk_lines() {
    refused(
        &[
            ("3\nabc\r\n0\r\n\r\n", Reject::ChunkLineLf),
            ("3\rXabc\r\n0\r\n\r\n", Reject::ChunkLineCr),
            ("3\r\r\nabc\r\n0\r\n\r\n", Reject::ChunkLineCr),
            ("3;a\nabc\r\n0\r\n\r\n", Reject::ChunkLineLf),
            ("3;a=b\nabc\r\n0\r\n\r\n", Reject::ChunkLineLf),
            ("3;a\rXabc\r\n0\r\n\r\n", Reject::ChunkLineCr),
            (
                "3;a=\"b\nc\"\r\nabc\r\n0\r\n\r\n",
                Reject::ChunkExtensionInvalid,
            ),
            (
                "3;a=\"b\rc\"\r\nabc\r\n0\r\n\r\n",
                Reject::ChunkExtensionInvalid,
            ),
            ("3;a=\"b\r\nabc\r\n0\r\n\r\n", Reject::ChunkExtensionInvalid),
            (
                "3;a=\"\\\r\"\r\nabc\r\n0\r\n\r\n",
                Reject::ChunkExtensionInvalid,
            ),
            ("3;\nabc\r\n0\r\n\r\n", Reject::ChunkExtensionInvalid),
            ("3;a=\"b\"\nabc\r\n0\r\n\r\n", Reject::ChunkExtensionInvalid),
        ],
        "",
    );
}

#[test]
fn skips_the_chunk_extensions_that_node_skips() {
    for extension in [
        ";a",
        ";a=b;c=d",
        ";;a",
        ";=b",
        ";a=",
        ";a=\"b c;\\\"x\"",
        ";a=\"b\";c",
        ";a=\"\u{e9}\"",
        ";a=\"\"",
    ] {
        let content = accepted(format!("3{extension}\r\nabc\r\n0{extension}\r\n\r\n"));
        assert_eq!(content.data, b"abc", "{extension:?}");
    }
}

#[test]
fn refuses_malformed_chunk_extensions() {
    for extension in [
        "; a=b",
        ";a =b",
        ";a= b",
        ";",
        ";a=\"b\"x",
        ";a\0",
        ";a=\u{e9}",
        ";a=\"\0\"",
        ";a=\"\x7f\"",
        ";a=b c",
        ";a,b",
    ] {
        let message = format!("3{extension}\r\nabc\r\n0\r\n\r\n");
        refused(&[(&message, Reject::ChunkExtensionInvalid)], "");
    }
}

#[test]
fn bounds_the_chunk_extensions_of_a_body() {
    let with = |bytes: usize| format!("1;{}\r\na\r\n0\r\n\r\n", "x".repeat(bytes));
    let whole =
        |message: &str| content_in_pieces(message.as_bytes(), &[], ChunkedDecoder::default()).0;
    assert!(matches!(whole(&with(EXTENSION_BYTES_MAX)), Ok(Some(_))));
    assert_eq!(
        whole(&with(EXTENSION_BYTES_MAX + 1)),
        Err(Reject::ChunkExtensionsTooLarge)
    );
    let many = format!("1;{}\r\na\r\n", "x".repeat(1024)).repeat(17);
    assert_eq!(whole(&many), Err(Reject::ChunkExtensionsTooLarge));
    assert_eq!(Reject::ChunkExtensionsTooLarge.status(), 413);
}

#[test]
fn hands_out_the_trailer_section() {
    let content = accepted(
        "1\r\na\r\n0\r\nX: y \r\nHost: evil\r\nAuthorization: z\r\n__proto__:\r\n\r\nrest",
    );
    assert_eq!(
        content.trailer_bytes,
        b"X: y \r\nHost: evil\r\nAuthorization: z\r\n__proto__:\r\n"
    );
    let trailers: Vec<(&[u8], &[u8])> = content
        .trailers
        .iter()
        .map(|(n, v)| (&n[..], &v[..]))
        .collect();
    let expected: [(&[u8], &[u8]); 4] = [
        (b"X", b"y"),
        (b"Host", b"evil"),
        (b"Authorization", b"z"),
        (b"__proto__", b""),
    ];
    assert_eq!(trailers, expected);
}

#[test]
fn refuses_malformed_trailer_sections() {
    refused(
        &[
            ("0\r\nX: y\n\r\n", Reject::FieldLineLf),
            ("0\r\nX: y\rZ\r\n\r\n", Reject::FieldLineCr),
            ("0\r\nX: y\r\n\n", Reject::SectionEndLf),
            ("0\r\n\n", Reject::SectionEndLf),
            ("0\r\n\rX", Reject::SectionEndCr),
            ("0\r\nX: y\r\n z\r\n\r\n", Reject::FoldedField),
            ("0\r\n X: y\r\n\r\n", Reject::SpaceBeforeFields),
            ("0\r\nXy\r\n\r\n", Reject::FieldNameInvalid),
            ("0\r\nX : y\r\n\r\n", Reject::FieldNameInvalid),
            ("0\r\n: y\r\n\r\n", Reject::FieldNameInvalid),
            ("0\r\nX: \0\r\n\r\n", Reject::FieldValueInvalid),
            ("0\r\nX: \x7f\r\n\r\n", Reject::FieldValueInvalid),
            (
                "0\r\nContent-Length: 3\r\n\r\n",
                Reject::LengthBesideEncoding,
            ),
            (
                "0\r\ntransfer-encoding: chunked\r\n\r\n",
                Reject::TransferEncodingInvalid,
            ),
        ],
        "",
    );
}

#[test]
fn bounds_the_trailer_section() {
    let message = |value: usize| format!("0\r\nX: {}\r\n\r\n", "y".repeat(value));
    let every_byte: Vec<usize> = (0..200).collect();
    for (bytes, count_max, expected) in [
        (message(43), 5, Ok(())),
        (message(44), 5, Err(Reject::HeadTooLarge)),
        (message(120), 5, Err(Reject::HeadTooLarge)),
        (format!("0\r\n{}\r\n", "X:\r\n".repeat(5)), 5, Ok(())),
        (
            format!("0\r\n{}\r\n", "X:\r\n".repeat(6)),
            5,
            Err(Reject::TooManyFields),
        ),
        (format!("0\r\n{}\r\n", "X:\r\n".repeat(12)), 20, Ok(())),
        (
            format!("0\r\n{}\r\n", "X:\r\n".repeat(13)),
            20,
            Err(Reject::HeadTooLarge),
        ),
    ] {
        for cuts in [&[][..], &every_byte[..bytes.len()]] {
            let decoder = ChunkedDecoder::new(50, count_max);
            let verdict = content_in_pieces(bytes.as_bytes(), cuts, decoder).0;
            assert_eq!(
                verdict.map(|content| assert!(content.is_some())),
                expected,
                "{bytes:?}"
            );
        }
    }
}

#[test]
fn encodes_chunk_heads_in_lower_case_without_leading_zeros() {
    for (len, line) in [
        (1, "1"),
        (15, "f"),
        (16, "10"),
        (0xabc, "abc"),
        (usize::MAX, "ffffffffffffffff"),
    ] {
        let mut out = Vec::new();
        encode_chunk_head(len, &mut out);
        assert_eq!(out, format!("{line}\r\n").as_bytes());
    }
}

fn encode(chunks: &[Vec<u8>], trailers: &str) -> Vec<u8> {
    let mut out = Vec::new();
    for chunk in chunks.iter().filter(|chunk| !chunk.is_empty()) {
        encode_chunk_head(chunk.len(), &mut out);
        out.extend_from_slice(chunk);
        out.extend_from_slice(CHUNK_END);
    }
    out.extend_from_slice(LAST_CHUNK);
    out.extend_from_slice(trailers.as_bytes());
    out.extend_from_slice(CHUNK_END);
    out
}

proptest! {
    #[test]
    fn decodes_what_was_encoded(
        chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 0..8),
        trailers in "(X-[a-z]{1,5}: [ -~]{0,10}\r\n){0,3}",
    ) {
        let mut encoded = encode(&chunks, &trailers);
        let length = encoded.len();
        encoded.extend_from_slice(b"0\r\nnext");
        let content = accepted(&encoded);
        prop_assert_eq!(content.data, chunks.concat());
        prop_assert_eq!(content.consumed, length);
        prop_assert_eq!(content.trailer_bytes, trailers.as_bytes());
        prop_assert_eq!(content.trailers.len(), trailers.matches("\r\n").count());
    }

    #[test]
    fn judges_damaged_content_the_same_in_all_pieces(
        chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..20), 0..4),
        at in any::<prop::sample::Index>(),
        byte in prop::sample::select(b"\r\n;:\" \t0aZ\0\x7f=-\\\xff".to_vec()),
        insert in any::<bool>(),
    ) {
        let mut encoded = encode(&chunks, "X-A: b\r\n");
        let at = at.index(encoded.len());
        if insert { encoded.insert(at, byte) } else { encoded[at] = byte }
        let _ = content_every_way(&encoded);
    }
}
