//! Why bytes are refused, and what the peer is told: one table. Node's codes for the same are in
//! `fulmar-batch`.

macro_rules! rejects {
    ($($(#[doc = $doc:literal])+ $variant:ident = $status:literal, $reason:literal;)+) => {
        /// Why a head, its framing or its content is refused. The connection closes after the reply.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Reject {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Reject {
            /// All of them, for tables and counters.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Status code, words.
            const fn row(self) -> (u16, &'static str) {
                match self {
                    $(Self::$variant => ($status, $reason),)+
                }
            }
        }
    };
}

rejects! {
    // Before the request line and in the method.
    /// The first byte cannot begin a method.
    GarbageFirstByte = 400, "Invalid method encountered";
    /// A TLS handshake on a plain port.
    TlsHello = 400, "TLS handshake on a plain HTTP port";
    /// The HTTP/2 connection preface on an HTTP/1 port.
    Http2Preface = 400, "HTTP/2 preface on an HTTP/1 port";
    /// A method that Node does not know either.
    UnknownMethod = 400, "Invalid method encountered";
    /// A known method, then something other than SP.
    MethodNotEnded = 400, "Expected space after method";
    /// More empty lines before the request line than any client sends.
    TooManyEmptyLines = 400, "Too many empty lines before the request line";
    /// CR or LF alone before the request line.
    LineEndBeforeRequestLine = 400, "Expected CRLF before the request line";

    // The rest of the request line.
    /// The request target is empty or has a byte that no target has.
    TargetInvalid = 400, "Invalid characters in url";
    /// The request target is in none of the four forms (RFC 9112, 3.2), or its authority is invalid.
    TargetFormInvalid = 400, "Invalid form of url";
    /// No HTTP version follows the target: HTTP/0.9, or a space in the target.
    VersionMissing = 400, "Expected HTTP/";
    /// `HTTP/`, then no version.
    VersionInvalid = 400, "Invalid HTTP version";
    /// A version that is neither 1.0 nor 1.1.
    VersionUnsupported = 505, "Invalid HTTP version";
    /// LF alone ends the request line.
    RequestLineLf = 400, "Expected CRLF after version";
    /// CR alone ends the request line.
    RequestLineCr = 400, "Expected CRLF after version";
    /// The request line is longer than allowed.
    RequestLineTooLong = 414, "Request line too long";

    // Field lines, of heads and of trailer sections.
    /// White space before the first field line.
    SpaceBeforeFields = 400, "Unexpected space after start line";
    /// A field line that begins with white space: obs-fold.
    FoldedField = 400, "Unexpected whitespace after header value";
    /// A field name that is empty, not a token or without colon.
    FieldNameInvalid = 400, "Invalid header token";
    /// A control character in a field value.
    FieldValueInvalid = 400, "Invalid header value char";
    /// LF alone ends a field line.
    FieldLineLf = 400, "Missing expected CR after header value";
    /// CR alone in a field value.
    FieldLineCr = 400, "Missing expected LF after header value";
    /// CR without LF where the section could end.
    SectionEndCr = 400, "Expected LF after headers";
    /// LF alone where the section could end.
    SectionEndLf = 400, "Invalid header field char";
    /// The head or the trailer section is larger than allowed.
    HeadTooLarge = 431, "Header overflow";
    /// More field lines than allowed.
    TooManyFields = 431, "Too many header fields";
    /// The bytes given as a complete head are not one.
    HeadIncomplete = 400, "Invalid EOF state";

    // What the fields say.
    /// HTTP/1.1 without `Host`: answered as an application would, see
    /// [`host_missing_reply`](crate::reply::host_missing_reply).
    HostMissing = 400, "Missing Host header";
    /// More than one `Host`.
    HostRepeated = 400, "Duplicate Host header";
    /// `Host` is not one `uri-host [ ":" port ]`.
    HostInvalid = 400, "Invalid Host header";
    /// `Content-Length` is empty, not digits only, or a list.
    ContentLengthInvalid = 400, "Invalid character in Content-Length";
    /// `Content-Length` is beyond `u64`.
    ContentLengthOverflow = 400, "Content-Length overflow";
    /// More than one `Content-Length`.
    ContentLengthRepeated = 400, "Duplicate Content-Length";
    /// `Content-Length` after `Transfer-Encoding`.
    LengthBesideEncoding = 400, "Content-Length can't be present with Transfer-Encoding";
    /// `Transfer-Encoding` after `Content-Length`.
    EncodingBesideLength = 400, "Transfer-Encoding can't be present with Content-Length";
    /// `Transfer-Encoding` is not a list of codings that ends with one `chunked`.
    TransferEncodingInvalid = 400, "Invalid `Transfer-Encoding` header value";
    /// `Transfer-Encoding` on HTTP/1.0.
    TransferEncodingOnHttp10 = 400, "Transfer-Encoding on HTTP/1.0";
    /// A transfer coding other than `chunked`.
    TransferCodingUnknown = 501, "Request has invalid `Transfer-Encoding`";

    // Chunked content.
    /// The chunk size is not 1 to 16 hexadecimal digits.
    ChunkSizeInvalid = 400, "Invalid character in chunk size";
    /// The chunk size has more than 16 digits.
    ChunkSizeOverflow = 400, "Chunk size overflow";
    /// LF alone ends the line of a chunk size.
    ChunkLineLf = 400, "Missing expected CR after chunk size";
    /// CR without LF in the line of a chunk size.
    ChunkLineCr = 400, "Expected LF after chunk size";
    /// A chunk extension that is none.
    ChunkExtensionInvalid = 400, "Invalid character in chunk extensions";
    /// More bytes of chunk extensions than allowed in one body.
    ChunkExtensionsTooLarge = 413, "Chunk extensions overflow";
    /// LF alone after the data of a chunk.
    ChunkDataLf = 400, "Missing expected CR after chunk data";
    /// Anything else than CRLF after the data of a chunk.
    ChunkDataNotEnded = 400, "Expected LF after chunk data";

    // Decided above this crate, which knows no time and no handlers; their rows stand here so that there is
    // one table.
    /// The head did not arrive in time.
    RequestTimeout = 408, "Request timeout";
    /// CONNECT, and nobody listens for it.
    ConnectRefused = 405, "CONNECT is not served here";
    /// The connection ended inside a message.
    UnexpectedEnd = 400, "Invalid EOF state";
}

impl Reject {
    /// The status of the reply.
    #[must_use]
    pub const fn status(self) -> u16 {
        self.row().0
    }

    /// What is wrong, in words.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        self.row().1
    }
}

impl core::fmt::Display for Reject {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.reason())
    }
}

impl core::error::Error for Reject {}
