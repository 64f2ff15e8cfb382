//! The request head: its limits, where it ends, what it says.
//!
//! The engine calls [`HeadScanner::scan`] after every read and [`parse_request_head`] once, when the scan is
//! complete. Nothing here reads content.

mod authority;
mod meaning;
mod parse;
mod request_line;
mod scan;

pub use crate::method::Method;
pub use crate::reject::Reject;
pub use parse::parse_request_head;
pub use scan::{HeadScanner, Scan};

/// The request line's longest length in bytes, without its CRLF, unless configured: what nginx and Apache
/// allow.
pub const REQUEST_LINE_BYTES_MAX: usize = 8 * 1024;
/// The head's longest length in bytes, from the request line to the empty line, unless configured: Node's
/// default.
pub const HEAD_BYTES_MAX: usize = 16 * 1024;
/// The largest number of field lines, unless configured: Node's default.
pub const FIELD_COUNT_MAX: usize = 2000;

/// What a head may be at most, and whether HTTP/1.1 needs `Host`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadLimits {
    /// Bytes of the request line, CRLF not counted; beyond: [`Reject::RequestLineTooLong`].
    pub request_line_max: usize,
    /// Bytes of the head, all line ends counted; beyond: [`Reject::HeadTooLarge`].
    pub head_max: usize,
    /// Field lines; beyond: [`Reject::TooManyFields`].
    pub header_count_max: usize,
    /// Whether an HTTP/1.1 request without `Host` is refused.
    pub require_host: bool,
}

impl Default for HeadLimits {
    fn default() -> Self {
        Self {
            request_line_max: REQUEST_LINE_BYTES_MAX,
            head_max: HEAD_BYTES_MAX,
            header_count_max: FIELD_COUNT_MAX,
            require_host: true,
        }
    }
}

/// One field line, as offsets into the bytes that were parsed. The value has no SP or HTAB at its ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct FieldSpan {
    /// Offset of the name's first byte.
    pub name_start: u32,
    /// Bytes of the name, never 0.
    pub name_len: u32,
    /// Offset of the value's first byte.
    pub value_start: u32,
    /// Bytes of the value.
    pub value_len: u32,
}

impl FieldSpan {
    /// The name within the bytes the span was made from; empty if they are not.
    #[must_use]
    pub fn name(self, bytes: &[u8]) -> &[u8] {
        slice(bytes, self.name_start, self.name_len)
    }

    /// The value within the bytes the span was made from; empty if they are not.
    #[must_use]
    pub fn value(self, bytes: &[u8]) -> &[u8] {
        slice(bytes, self.value_start, self.value_len)
    }
}

fn slice(bytes: &[u8], start: u32, len: u32) -> &[u8] {
    let start = start as usize;
    bytes.get(start..start + len as usize).unwrap_or_default()
}

/// How the request's content is delimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Neither `Content-Length` nor `Transfer-Encoding`: no content.
    None,
    /// `Content-Length`, 0 included.
    Length(u64),
    /// `Transfer-Encoding: chunked`.
    Chunked,
}

/// What the request expects before it sends its content. HTTP/1.0 cannot expect anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// Nothing.
    None,
    /// `100-continue`.
    Continue,
    /// Something this server does not know: 417.
    Other,
}

/// A request head that passed every check. Offsets count from the first byte given to [`parse_request_head`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestHead {
    /// The method.
    pub method: Method,
    /// The method token stands at `0..method_len`.
    pub method_len: u32,
    /// Offset of the request target.
    pub target_start: u32,
    /// Bytes of the request target.
    pub target_len: u32,
    /// Offset of the authority of a target in absolute-form; it wins over `Host`.
    pub authority_start: u32,
    /// Bytes of that authority; 0 when the target is not in absolute-form.
    pub authority_len: u32,
    /// The version is HTTP/1.`minor`: 0 or 1.
    pub minor: u8,
    /// How the content is delimited. Declared framing also for CONNECT, where the bytes after the head are
    /// the tunnel's.
    pub framing: Framing,
    /// Whether the client lets the connection live on after this exchange.
    pub keep_alive: bool,
    /// `Expect`.
    pub expect: Expect,
    /// `Connection` names `upgrade` and `Upgrade` is present, or the method is CONNECT.
    pub upgrade: bool,
    /// One of If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since, If-Range is present.
    pub conditional: bool,
    /// Number of field lines.
    pub fields_len: usize,
}
