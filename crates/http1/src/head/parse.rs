//! Says what a complete head means.

use memchr::memchr;

use super::meaning::Meaning;
use super::{FieldSpan, HeadLimits, RequestHead, request_line};
use crate::field_lines::{CRLF_BYTES, offset, parse_section};
use crate::reject::Reject;

/// Parses a complete head: the bytes `start..end` of [`Scan::Complete`](super::Scan). `fields` is cleared and
/// refilled, in the order of the lines; nothing is dropped or merged. What it holds after a refusal means
/// nothing.
///
/// A refused head is refused for its request line first, then for the syntax of its first bad field line,
/// then for what its fields say.
pub fn parse_request_head(
    head: &[u8],
    limits: &HeadLimits,
    fields: &mut Vec<FieldSpan>,
) -> Result<RequestHead, Reject> {
    fields.clear();
    if head.len() > limits.head_max || u32::try_from(head.len()).is_err() {
        return Err(Reject::HeadTooLarge);
    }
    let line_end = memchr(b'\r', head).ok_or(Reject::HeadIncomplete)?;
    let line = head.get(..line_end).unwrap_or_default();
    let request_line = request_line::parse(line)?;
    let section_start = line_end + CRLF_BYTES;
    if head.get(line_end..section_start) != Some(b"\r\n") {
        return Err(Reject::RequestLineCr);
    }
    let mut meaning = Meaning::new(request_line.minor);
    parse_section(head, section_start, fields, |name, value| {
        meaning.field(name, value)
    })?;
    if fields.len() > limits.header_count_max {
        return Err(Reject::TooManyFields);
    }
    meaning.finish(limits.require_host)?;
    Ok(RequestHead {
        method: request_line.method,
        method_len: offset(request_line.method.as_str().len()),
        target_start: offset(request_line.target_start),
        target_len: offset(request_line.target_len),
        authority_start: offset(request_line.authority_start),
        authority_len: offset(request_line.authority_len),
        minor: request_line.minor,
        framing: meaning.framing(),
        keep_alive: meaning.keep_alive(),
        expect: meaning.expect,
        upgrade: meaning.upgrade(request_line.method),
        conditional: meaning.conditional,
        fields_len: fields.len(),
    })
}
