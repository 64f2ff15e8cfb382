//! `uri-host [ ":" port ]`, as in `Host`, in absolute-form and in CONNECT's authority-form.

use std::net::Ipv6Addr;

/// What is asked of the port.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Port {
    Optional,
    /// In authority-form (RFC 9110, 9.3.6).
    Required,
}

/// Whether this is one host with an optional port. Stricter than RFC 3986 in what no client sends but proxies
/// read in different ways: no empty host, no comma, no empty port, no `IPvFuture`, no zone.
pub(super) fn is_valid(authority: &[u8], port_rule: Port) -> bool {
    let Some((host_is_valid, rest)) = host_and_rest(authority) else {
        return false;
    };
    host_is_valid
        && match rest {
            [] => port_rule == Port::Optional,
            [b':', digits @ ..] => is_port(digits),
            _ => false,
        }
}

/// Whether the host is valid, and what follows it; `None` when an address is not closed.
fn host_and_rest(authority: &[u8]) -> Option<(bool, &[u8])> {
    if let [b'[', inner @ ..] = authority {
        let end = inner.iter().position(|&byte| byte == b']')?;
        let (address, rest) = inner.split_at(end);
        return Some((is_ipv6(address), rest.get(1..)?));
    }
    let end = authority.iter().position(|&byte| byte == b':');
    let (host, rest) = authority.split_at(end.unwrap_or(authority.len()));
    Some((is_name(host), rest))
}

fn is_ipv6(address: &[u8]) -> bool {
    core::str::from_utf8(address).is_ok_and(|text| text.parse::<Ipv6Addr>().is_ok())
}

/// `reg-name`, not empty and without comma: unreserved, sub-delims, percent-encoded.
fn is_name(host: &[u8]) -> bool {
    let mut bytes = host.iter();
    while let Some(&byte) = bytes.next() {
        let is_valid = match byte {
            b'%' => {
                bytes.next().is_some_and(u8::is_ascii_hexdigit)
                    && bytes.next().is_some_and(u8::is_ascii_hexdigit)
            }
            _ => byte.is_ascii_alphanumeric() || b"-._~!$&'()*+;=".contains(&byte),
        };
        if !is_valid {
            return false;
        }
    }
    !host.is_empty()
}

/// 0 to 65535 in at most five digits.
fn is_port(digits: &[u8]) -> bool {
    const DIGITS_MAX: usize = 5;
    let port = |number: u32, digit: &u8| number * 10 + u32::from(digit & 0x0f);
    !digits.is_empty()
        && digits.len() <= DIGITS_MAX
        && digits.iter().all(u8::is_ascii_digit)
        && u16::try_from(digits.iter().fold(0, port)).is_ok()
}
