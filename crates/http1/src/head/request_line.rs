//! The request line, without its CRLF. The scanner asks as soon as the line is there, the parser when the
//! head is; both get the same answer, because it is this one.

use memchr::memchr;

use super::authority::{self, Port};
use crate::Reject;
use crate::method::Method;

/// Bytes of `HTTP/1.1`.
const VERSION_BYTES: usize = 8;
/// What the HTTP/2 preface has in place of a method.
const PREFACE_METHOD: &[u8] = b"PRI";

/// Where the parts of a request line are, from its first byte.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequestLine {
    pub(super) method: Method,
    pub(super) target_start: usize,
    pub(super) target_len: usize,
    /// 0 and 0 unless the target is in absolute-form.
    pub(super) authority_start: usize,
    pub(super) authority_len: usize,
    pub(super) minor: u8,
}

/// Parses a complete request line.
pub(super) fn parse(line: &[u8]) -> Result<RequestLine, Reject> {
    let Some(method) = method_of(line)? else {
        // The line ends inside the method or right behind it.
        let is_whole = Method::from_bytes(line).is_some();
        return Err(if is_whole {
            Reject::MethodNotEnded
        } else {
            Reject::UnknownMethod
        });
    };
    let target_start = method.as_str().len() + 1;
    let rest = line.get(target_start..).unwrap_or_default();
    let target_len = memchr(b' ', rest).unwrap_or(rest.len());
    let (target, after) = rest.split_at(target_len);
    if target.is_empty() || !has_target_bytes_only(target) {
        return Err(Reject::TargetInvalid);
    }
    let (authority_start, authority_len) = match target.first() {
        _ if method == Method::Connect => {
            if !authority::is_valid(target, Port::Required) {
                return Err(Reject::TargetFormInvalid);
            }
            (0, 0)
        }
        Some(b'/' | b'*') => (0, 0),
        _ => {
            let (start, len) = authority_of(target).ok_or(Reject::TargetFormInvalid)?;
            (target_start + start, len)
        }
    };
    Ok(RequestLine {
        method,
        target_start,
        target_len,
        authority_start,
        authority_len,
        minor: minor_version(after)?,
    })
}

/// The method at the start of a request line that may still be incomplete: `None` while it may become one.
/// Refuses at the first byte that no method has there, so that garbage is answered at once.
pub(super) fn method_of(line: &[u8]) -> Result<Option<Method>, Reject> {
    match line {
        [b'G', b'E', b'T', b' ', ..] => return Ok(Some(Method::Get)),
        [b'P', b'O', b'S', b'T', b' ', ..] => return Ok(Some(Method::Post)),
        [0x16, ..] => return Err(Reject::TlsHello),
        [first, ..] if !first.is_ascii_uppercase() => return Err(Reject::GarbageFirstByte),
        _ => {}
    }
    let is_method_byte = |&byte: &u8| byte.is_ascii_uppercase() || byte == b'-';
    let token_len = line.iter().take_while(|byte| is_method_byte(byte)).count();
    let (token, after) = line.split_at(token_len);
    let Some(&delimiter) = after.first() else {
        let begins = |method: &Method| method.as_str().as_bytes().starts_with(token);
        let may_become_one = Method::ALL.iter().any(begins) || PREFACE_METHOD.starts_with(token);
        return if may_become_one {
            Ok(None)
        } else {
            Err(Reject::UnknownMethod)
        };
    };
    match (Method::from_bytes(token), delimiter) {
        (Some(method), b' ') => Ok(Some(method)),
        (Some(_), _) => Err(Reject::MethodNotEnded),
        (None, b' ') if token == PREFACE_METHOD => Err(Reject::Http2Preface),
        (None, _) => Err(Reject::UnknownMethod),
    }
}

/// Visible ASCII without `#`: a client never sends the fragment. Node also takes `"<>\^{|}` and the
/// backquote, so we do. No early exit: the loop becomes SIMD, and nearly all targets are good.
fn has_target_bytes_only(target: &[u8]) -> bool {
    let is_bad = |byte: u8| u8::from(!(0x21..=0x7e).contains(&byte)) | u8::from(byte == b'#');
    target.iter().fold(0, |bad, &byte| bad | is_bad(byte)) == 0
}

/// Offset and length of the authority of `scheme://authority…`. The scheme has letters only, as in Node.
fn authority_of(target: &[u8]) -> Option<(usize, usize)> {
    let scheme_len = memchr(b':', target)?;
    let (scheme, rest) = target.split_at(scheme_len);
    if scheme.is_empty() || !scheme.iter().all(u8::is_ascii_alphabetic) {
        return None;
    }
    let rest = rest.strip_prefix(b"://")?;
    let is_end = |&byte: &u8| matches!(byte, b'/' | b'?');
    let len = rest.iter().position(is_end).unwrap_or(rest.len());
    let authority = rest.get(..len)?;
    authority::is_valid(authority, Port::Optional).then_some((target.len() - rest.len(), len))
}

/// The minor version of what follows the target, from the space on.
fn minor_version(after_target: &[u8]) -> Result<u8, Reject> {
    match after_target {
        b" HTTP/1.1" => Ok(1),
        b" HTTP/1.0" => Ok(0),
        _ => Err(version_fault(
            after_target.strip_prefix(b" ").unwrap_or_default(),
        )),
    }
}

#[cold]
fn version_fault(version: &[u8]) -> Reject {
    match version {
        [b'H', b'T', b'T', b'P', b'/', major, b'.', minor]
            if major.is_ascii_digit() && minor.is_ascii_digit() =>
        {
            if *major == b'0' {
                Reject::VersionInvalid
            } else {
                Reject::VersionUnsupported
            }
        }
        [b'H', b'T', b'T', b'P', b'/', ..] => Reject::VersionInvalid,
        _ => Reject::VersionMissing,
    }
}

/// Why CR or LF alone inside or after this part of a request line is refused, in the words that Node has for
/// the place.
#[cold]
pub(super) fn lone_line_end(line: &[u8], is_cr: bool) -> Reject {
    let version_start = line.len().saturating_sub(VERSION_BYTES);
    let is_after_version = line
        .get(version_start..)
        .is_some_and(|version| version.starts_with(b"HTTP/"));
    match (is_after_version, is_cr) {
        (true, true) => Reject::RequestLineCr,
        (true, false) => Reject::RequestLineLf,
        (false, _) => Reject::TargetInvalid,
    }
}
