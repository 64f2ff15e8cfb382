//! A section of field lines, as heads and trailer sections have one: where it ends, and which fields it has.
//!
//! What the fields mean is not known here.

use httparse::{EMPTY_HEADER, Header, Status};
use memchr::{memchr, memchr_iter, memchr2};

use crate::head::FieldSpan;
use crate::reject::Reject;

/// Field lines that are parsed without an allocation; browsers send 10 to 25. More slots cost more to clear
/// per head.
const FIELDS_ON_STACK: usize = 32;

/// Bytes of CRLF.
pub(crate) const CRLF_BYTES: usize = 2;

/// Looks for the empty line that ends a section, over bytes that arrive piece by piece.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FieldLines {
    /// Everything before was looked at; only a CR whose successor is missing is looked at again.
    position: usize,
    line_start: usize,
    count: usize,
}

impl FieldLines {
    /// The section begins at this offset.
    pub(crate) fn starting_at(offset: usize) -> Self {
        Self {
            position: offset,
            line_start: offset,
            count: 0,
        }
    }

    /// The offset after the section's empty line, or `None` when it has not arrived.
    pub(crate) fn scan(&mut self, buf: &[u8], count_max: usize) -> Result<Option<usize>, Reject> {
        loop {
            let new = buf.get(self.position..).unwrap_or_default();
            let Some(found) = memchr2(b'\r', b'\n', new) else {
                self.position = buf.len();
                return Ok(None);
            };
            let at = self.position + found;
            let is_crlf = buf.get(at) == Some(&b'\r') && buf.get(at + 1) == Some(&b'\n');
            if !is_crlf {
                if buf.get(at) == Some(&b'\r') && at + 1 == buf.len() {
                    self.position = at;
                    return Ok(None);
                }
                return Err(lone_line_end(buf, self.line_start, at));
            }
            let is_empty_line = at == self.line_start;
            self.position = at + CRLF_BYTES;
            self.line_start = self.position;
            if is_empty_line {
                return Ok(Some(self.position));
            }
            self.count += 1;
            if self.count > count_max {
                return Err(Reject::TooManyFields);
            }
        }
    }
}

/// Why CR or LF alone at `at` is refused, in the words that Node has for the place.
#[cold]
fn lone_line_end(buf: &[u8], line_start: usize, at: usize) -> Reject {
    let line = buf.get(line_start..at).unwrap_or_default();
    let is_cr = buf.get(at) == Some(&b'\r');
    match (line.is_empty(), memchr(b':', line), is_cr) {
        (true, _, true) => Reject::SectionEndCr,
        (true, _, false) => Reject::SectionEndLf,
        (false, None, _) => Reject::FieldNameInvalid,
        (false, Some(_), true) => Reject::FieldLineCr,
        (false, Some(_), false) => Reject::FieldLineLf,
    }
}

/// Parses the section that is the rest of `bytes` from `section_start`, its empty line included, into
/// `fields`; each field is also shown to `visit`, in order.
pub(crate) fn parse_section<'b>(
    bytes: &'b [u8],
    section_start: usize,
    fields: &mut Vec<FieldSpan>,
    visit: impl FnMut(&'b [u8], &'b [u8]) -> Result<(), Reject>,
) -> Result<(), Reject> {
    let section = bytes.get(section_start..).unwrap_or_default();
    let mut on_stack = [EMPTY_HEADER; FIELDS_ON_STACK];
    match httparse::parse_headers(section, &mut on_stack) {
        Ok(parsed) => collect(bytes, section, parsed, fields, visit),
        Err(httparse::Error::TooManyHeaders) => {
            let mut on_heap = vec![EMPTY_HEADER; memchr_iter(b'\n', section).count()];
            match httparse::parse_headers(section, &mut on_heap) {
                Ok(parsed) => collect(bytes, section, parsed, fields, visit),
                Err(_) => Err(first_fault(section)),
            }
        }
        Err(_) => Err(first_fault(section)),
    }
}

/// Turns parsed headers into spans. `httparse` accepts LF alone as a line end: two bytes before each name are
/// looked at again, which is all it takes to refuse that.
fn collect<'b>(
    bytes: &'b [u8],
    section: &'b [u8],
    parsed: Status<(usize, &[Header<'b>])>,
    fields: &mut Vec<FieldSpan>,
    mut visit: impl FnMut(&'b [u8], &'b [u8]) -> Result<(), Reject>,
) -> Result<(), Reject> {
    let Status::Complete((consumed, headers)) = parsed else {
        return Err(Reject::HeadIncomplete);
    };
    let ends_as_it_must = section == b"\r\n" || section.ends_with(b"\r\n\r\n");
    if consumed != section.len() || !ends_as_it_must {
        return Err(first_fault(section));
    }
    let base = bytes.as_ptr().addr();
    let section_start = bytes.len() - section.len();
    fields.reserve(headers.len());
    for header in headers {
        let name_start = header.name.as_ptr().addr() - base;
        let before = bytes.get(section_start..name_start).unwrap_or_default();
        if !before.is_empty() && !before.ends_with(b"\r\n") {
            return Err(first_fault(section));
        }
        let value_start = if header.value.is_empty() {
            // An empty slice may point anywhere; right behind the colon is always true.
            name_start + header.name.len() + 1
        } else {
            header.value.as_ptr().addr() - base
        };
        fields.push(FieldSpan {
            name_start: offset(name_start),
            name_len: offset(header.name.len()),
            value_start: offset(value_start),
            value_len: offset(header.value.len()),
        });
        visit(header.name.as_bytes(), header.value)?;
    }
    Ok(())
}

/// Offsets fit: sections longer than `u32::MAX` are refused before they are parsed.
pub(crate) fn offset(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// Why `httparse` or the line ends refuse a section: the first fault, looked for line by line.
#[cold]
fn first_fault(section: &[u8]) -> Reject {
    let mut line_start = 0;
    for line_feed in memchr_iter(b'\n', section) {
        let line = section.get(line_start..line_feed).unwrap_or_default();
        let Some(line) = line.strip_suffix(b"\r") else {
            return lone_line_end(section, line_start, line_feed);
        };
        if let Some(fault) = line_fault(line, line_start == 0) {
            return fault;
        }
        line_start = line_feed + 1;
        if line.is_empty() && line_start != section.len() {
            return Reject::FieldNameInvalid;
        }
    }
    Reject::HeadIncomplete
}

fn line_fault(line: &[u8], is_first: bool) -> Option<Reject> {
    if line.is_empty() {
        return None;
    }
    if let Some(carriage_return) = memchr(b'\r', line) {
        return Some(lone_line_end(line, 0, carriage_return));
    }
    if matches!(line.first(), Some(b' ' | b'\t')) {
        return Some(if is_first {
            Reject::SpaceBeforeFields
        } else {
            Reject::FoldedField
        });
    }
    let (name, value) = line.split_at(memchr(b':', line).unwrap_or(0));
    if name.is_empty() || !name.iter().all(|&byte| is_token_byte(byte)) {
        return Some(Reject::FieldNameInvalid);
    }
    let is_invalid = |&byte: &u8| byte == 0x7f || (byte < b' ' && byte != b'\t');
    value
        .iter()
        .any(is_invalid)
        .then_some(Reject::FieldValueInvalid)
}

/// `tchar` (RFC 9110, 5.6.2).
pub(crate) fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// A value without SP and HTAB at its ends. Not `trim_ascii`, which also takes CR, LF and FF.
pub(crate) fn trim_ows(mut value: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = value {
        value = rest;
    }
    value
}
