//! Why bytes are refused, and what the peer and the application are told: one table.

macro_rules! rejects {
    ($($(#[doc = $doc:literal])+ $variant:ident = $status:literal, $code:literal, $reason:literal;)+) => {
        /// Why a head, its framing or its content is refused. The connection closes after the reply.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Reject {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Reject {
            /// All of them, for tables and counters.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Status code, Node's error code, words.
            const fn row(self) -> (u16, &'static str, &'static str) {
                match self {
                    $(Self::$variant => ($status, $code, $reason),)+
                }
            }
        }
    };
}

rejects! {
    /// The first byte cannot begin a method.
    GarbageFirstByte = 400, "HPE_INVALID_METHOD", "Invalid method encountered";
    /// A TLS handshake on a plain port.
    TlsHello = 400, "HPE_INVALID_METHOD", "TLS handshake on a plain HTTP port";
    /// The HTTP/2 connection preface on an HTTP/1 port.
    Http2Preface = 400, "HPE_INVALID_METHOD", "HTTP/2 preface on an HTTP/1 port";
    /// A method that Node does not know either.
    UnknownMethod = 400, "HPE_INVALID_METHOD", "Invalid method encountered";
    /// More empty lines before the request line than any client sends.
    TooManyEmptyLines = 400, "HPE_INVALID_METHOD", "Too many empty lines before the request line";
    /// The chunk size is not 1 to 16 hexadecimal digits.
    ChunkSizeInvalid = 400, "HPE_INVALID_CHUNK_SIZE", "Invalid character in chunk size";
    /// The request line is longer than allowed.
    RequestLineTooLong = 414, "HPE_HEADER_OVERFLOW", "Request line too long";
    /// The head is larger than allowed.
    HeadTooLarge = 431, "HPE_HEADER_OVERFLOW", "Header overflow";
    /// More field lines than allowed.
    TooManyFields = 431, "HPE_HEADER_OVERFLOW", "Too many header fields";
}

impl Reject {
    /// The status of the reply.
    #[must_use]
    pub const fn status(self) -> u16 {
        self.row().0
    }

    /// The code that Node's server gives its `clientError` event for such bytes.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.row().1
    }

    /// What is wrong, in words.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        self.row().2
    }
}

impl core::fmt::Display for Reject {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.reason())
    }
}

impl core::error::Error for Reject {}
