//! What the fields of a request mean for its framing and for the connection.
//!
//! Fields arrive in order, one by one; names are told apart by their length first, so that most cost one
//! comparison.

use super::authority::{self, Port};
use super::{Expect, Framing};
use crate::field_lines::{is_token_byte, trim_ows};
use crate::method::Method;
use crate::reject::Reject;

/// What the fields seen so far say.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one fact a field states, and they are independent"
)]
pub(super) struct Meaning {
    minor: u8,
    content_length: Option<u64>,
    has_host: bool,
    is_chunked: bool,
    closes: bool,
    keeps_alive: bool,
    names_upgrade: bool,
    has_upgrade: bool,
    pub(super) conditional: bool,
    pub(super) expect: Expect,
}

impl Meaning {
    pub(super) fn new(minor: u8) -> Self {
        Self {
            minor,
            content_length: None,
            has_host: false,
            is_chunked: false,
            closes: false,
            keeps_alive: false,
            names_upgrade: false,
            has_upgrade: false,
            conditional: false,
            expect: Expect::None,
        }
    }

    /// Takes the next field; the value is free of white space at its ends.
    pub(super) fn field(&mut self, name: &[u8], value: &[u8]) -> Result<(), Reject> {
        match name.len() {
            4 if name.eq_ignore_ascii_case(b"host") => self.host(value),
            6 if name.eq_ignore_ascii_case(b"expect") => {
                self.expectation(value);
                Ok(())
            }
            7 if name.eq_ignore_ascii_case(b"upgrade") => {
                self.has_upgrade = true;
                Ok(())
            }
            8 if name.eq_ignore_ascii_case(b"if-match")
                || name.eq_ignore_ascii_case(b"if-range") =>
            {
                self.conditional = true;
                Ok(())
            }
            10 if name.eq_ignore_ascii_case(b"connection") => {
                self.connection(value);
                Ok(())
            }
            13 if name.eq_ignore_ascii_case(b"if-none-match") => {
                self.conditional = true;
                Ok(())
            }
            14 if name.eq_ignore_ascii_case(b"content-length") => self.length(value),
            17 if name.eq_ignore_ascii_case(b"transfer-encoding") => self.encoding(value),
            17 if name.eq_ignore_ascii_case(b"if-modified-since") => {
                self.conditional = true;
                Ok(())
            }
            19 if name.eq_ignore_ascii_case(b"if-unmodified-since") => {
                self.conditional = true;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Says what only all fields together can say.
    pub(super) fn finish(&self, require_host: bool) -> Result<(), Reject> {
        if self.minor == 1 && require_host && !self.has_host {
            return Err(Reject::HostMissing);
        }
        Ok(())
    }

    pub(super) fn framing(&self) -> Framing {
        match self.content_length {
            _ if self.is_chunked => Framing::Chunked,
            Some(length) => Framing::Length(length),
            None => Framing::None,
        }
    }

    /// HTTP/1.1 lives on unless told otherwise, HTTP/1.0 the other way round; `close` always wins.
    pub(super) fn keep_alive(&self) -> bool {
        !self.closes && (self.minor == 1 || self.keeps_alive)
    }

    pub(super) fn upgrade(&self, method: Method) -> bool {
        method == Method::Connect || (self.names_upgrade && self.has_upgrade)
    }

    fn host(&mut self, value: &[u8]) -> Result<(), Reject> {
        if self.has_host {
            return Err(Reject::HostRepeated);
        }
        if !authority::is_valid(value, Port::Optional) {
            return Err(Reject::HostInvalid);
        }
        self.has_host = true;
        Ok(())
    }

    fn length(&mut self, value: &[u8]) -> Result<(), Reject> {
        if self.is_chunked {
            return Err(Reject::LengthBesideEncoding);
        }
        if self.content_length.is_some() {
            return Err(Reject::ContentLengthRepeated);
        }
        self.content_length = Some(content_length(value)?);
        Ok(())
    }

    fn encoding(&mut self, value: &[u8]) -> Result<(), Reject> {
        if self.content_length.is_some() {
            return Err(Reject::EncodingBesideLength);
        }
        if self.minor == 0 {
            return Err(Reject::TransferEncodingOnHttp10);
        }
        if self.is_chunked {
            return Err(Reject::TransferEncodingInvalid);
        }
        if !value.eq_ignore_ascii_case(b"chunked") {
            return Err(encoding_fault(value));
        }
        self.is_chunked = true;
        Ok(())
    }

    fn connection(&mut self, value: &[u8]) {
        for option in value.split(|&byte| byte == b',').map(trim_ows) {
            self.closes |= option.eq_ignore_ascii_case(b"close");
            self.keeps_alive |= option.eq_ignore_ascii_case(b"keep-alive");
            self.names_upgrade |= option.eq_ignore_ascii_case(b"upgrade");
        }
    }

    /// All expectations must be known; HTTP/1.0 has none (RFC 9110, 10.1.1).
    fn expectation(&mut self, value: &[u8]) {
        let is_known = value
            .split(|&byte| byte == b',')
            .all(|item| trim_ows(item).eq_ignore_ascii_case(b"100-continue"));
        self.expect = match (self.minor, is_known, self.expect) {
            (0, _, _) => Expect::None,
            (_, false, _) | (_, _, Expect::Other) => Expect::Other,
            _ => Expect::Continue,
        };
    }
}

/// `1*DIGIT`, and nothing else: what is lenient here is read differently elsewhere.
fn content_length(value: &[u8]) -> Result<u64, Reject> {
    if value.is_empty() {
        return Err(Reject::ContentLengthInvalid);
    }
    let mut length = 0u64;
    for &byte in value {
        if !byte.is_ascii_digit() {
            return Err(Reject::ContentLengthInvalid);
        }
        length = length
            .checked_mul(10)
            .and_then(|length| length.checked_add(u64::from(byte - b'0')))
            .ok_or(Reject::ContentLengthOverflow)?;
    }
    Ok(length)
}

/// A well-formed list of codings that does not put `chunked` anywhere but last is one we do not have (501);
/// anything else is malformed (400).
#[cold]
fn encoding_fault(value: &[u8]) -> Reject {
    let codings = || value.split(|&byte| byte == b',').map(trim_ows);
    let is_chunked = |coding: &[u8]| coding.eq_ignore_ascii_case(b"chunked");
    let chunked_before_last = codings().rev().skip(1).any(is_chunked);
    let is_list_of_tokens =
        codings().all(|coding| !coding.is_empty() && coding.iter().all(|&b| is_token_byte(b)));
    if is_list_of_tokens && !chunked_before_last {
        Reject::TransferCodingUnknown
    } else {
        Reject::TransferEncodingInvalid
    }
}
