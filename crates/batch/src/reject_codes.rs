//! The codes that Node's server gives its `clientError` event for bytes that are refused. What is refused,
//! and what the peer is told, `fulmar-http1` decides; which of these Node calls by which name is known here
//! alone.

use fulmar_http1::Reject;

/// Node's code and the words for each refusal, in the order of [`Reject::ALL`]: what an event's reason is an
/// index of.
pub fn reject_reasons() -> impl Iterator<Item = (&'static str, &'static str)> {
    Reject::ALL
        .iter()
        .map(|&reject| (reject_code(reject), reject.reason()))
}

/// Node's code for a refusal.
#[must_use]
pub const fn reject_code(reject: Reject) -> &'static str {
    match reject {
        Reject::GarbageFirstByte
        | Reject::TlsHello
        | Reject::UnknownMethod
        | Reject::MethodNotEnded
        | Reject::TooManyEmptyLines
        | Reject::LineEndBeforeRequestLine => "HPE_INVALID_METHOD",
        Reject::Http2Preface => "HPE_PAUSED_H2_UPGRADE",
        Reject::TargetInvalid | Reject::TargetFormInvalid => "HPE_INVALID_URL",
        Reject::VersionMissing => "HPE_INVALID_CONSTANT",
        Reject::VersionInvalid | Reject::VersionUnsupported | Reject::RequestLineLf => {
            "HPE_INVALID_VERSION"
        }
        Reject::RequestLineCr
        | Reject::SectionEndCr
        | Reject::ChunkLineCr
        | Reject::ChunkExtensionInvalid
        | Reject::ChunkDataNotEnded => "HPE_STRICT",
        Reject::RequestLineTooLong | Reject::HeadTooLarge | Reject::TooManyFields => {
            "HPE_HEADER_OVERFLOW"
        }
        Reject::SpaceBeforeFields => "HPE_UNEXPECTED_SPACE",
        Reject::FoldedField
        | Reject::FieldNameInvalid
        | Reject::FieldValueInvalid
        | Reject::SectionEndLf
        | Reject::HostMissing
        | Reject::HostRepeated
        | Reject::HostInvalid => "HPE_INVALID_HEADER_TOKEN",
        Reject::FieldLineLf | Reject::ChunkLineLf | Reject::ChunkDataLf => "HPE_CR_EXPECTED",
        Reject::FieldLineCr => "HPE_LF_EXPECTED",
        Reject::HeadIncomplete | Reject::UnexpectedEnd => "HPE_INVALID_EOF_STATE",
        Reject::ContentLengthInvalid
        | Reject::ContentLengthOverflow
        | Reject::LengthBesideEncoding => "HPE_INVALID_CONTENT_LENGTH",
        Reject::ContentLengthRepeated => "HPE_UNEXPECTED_CONTENT_LENGTH",
        Reject::EncodingBesideLength
        | Reject::TransferEncodingInvalid
        | Reject::TransferEncodingOnHttp10
        | Reject::TransferCodingUnknown => "HPE_INVALID_TRANSFER_ENCODING",
        Reject::ChunkSizeInvalid | Reject::ChunkSizeOverflow => "HPE_INVALID_CHUNK_SIZE",
        Reject::ChunkExtensionsTooLarge => "HPE_CHUNK_EXTENSIONS_OVERFLOW",
        Reject::RequestTimeout => "ERR_HTTP_REQUEST_TIMEOUT",
        Reject::ConnectRefused => "ERR_HTTP_CONNECT_REFUSED",
    }
}

#[cfg(test)]
mod tests {
    use super::{Reject, reject_code, reject_reasons};

    #[test]
    fn codes_are_those_of_node_for_the_same_bytes() {
        let expected = [
            (Reject::ChunkSizeInvalid, "HPE_INVALID_CHUNK_SIZE"),
            (Reject::ChunkDataLf, "HPE_CR_EXPECTED"),
            (Reject::ChunkDataNotEnded, "HPE_STRICT"),
            (
                Reject::ChunkExtensionsTooLarge,
                "HPE_CHUNK_EXTENSIONS_OVERFLOW",
            ),
            (
                Reject::EncodingBesideLength,
                "HPE_INVALID_TRANSFER_ENCODING",
            ),
            (Reject::LengthBesideEncoding, "HPE_INVALID_CONTENT_LENGTH"),
            (
                Reject::ContentLengthRepeated,
                "HPE_UNEXPECTED_CONTENT_LENGTH",
            ),
            (Reject::ContentLengthInvalid, "HPE_INVALID_CONTENT_LENGTH"),
            (
                Reject::TransferCodingUnknown,
                "HPE_INVALID_TRANSFER_ENCODING",
            ),
            (Reject::Http2Preface, "HPE_PAUSED_H2_UPGRADE"),
            (Reject::UnknownMethod, "HPE_INVALID_METHOD"),
            (Reject::HeadTooLarge, "HPE_HEADER_OVERFLOW"),
            (Reject::RequestTimeout, "ERR_HTTP_REQUEST_TIMEOUT"),
        ];
        for (reject, code) in expected {
            assert_eq!(reject_code(reject), code, "{reject:?}");
        }
    }

    #[test]
    fn each_refusal_has_a_row() {
        assert_eq!(reject_reasons().count(), Reject::ALL.len());
        for (code, reason) in reject_reasons() {
            assert!(
                code.starts_with("HPE_") || code.starts_with("ERR_HTTP_"),
                "{code}"
            );
            assert!(!reason.is_empty(), "{code}");
        }
    }
}
