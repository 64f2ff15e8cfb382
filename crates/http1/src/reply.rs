//! What the engine writes around a reply: the status line, and the fields that frame it.
//!
//! The caller's own field block goes between [`status_line`] and [`encode_tail`]; this module neither sees
//! nor checks it.

use crate::chunked::{CHUNK_END, LAST_CHUNK};

/// Bytes of an IMF-fixdate, `Sun, 06 Nov 1994 08:49:37 GMT`.
pub const HTTP_DATE_BYTES: usize = 29;

/// The reason phrase Node has for a status, or `unknown`, which is what Node writes for the others.
#[must_use]
pub const fn reason_phrase(status: u16) -> &'static str {
    match status {
        100 => "Continue",
        101 => "Switching Protocols",
        102 => "Processing",
        103 => "Early Hints",
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        203 => "Non-Authoritative Information",
        204 => "No Content",
        205 => "Reset Content",
        206 => "Partial Content",
        207 => "Multi-Status",
        208 => "Already Reported",
        226 => "IM Used",
        300 => "Multiple Choices",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        305 => "Use Proxy",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        402 => "Payment Required",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        406 => "Not Acceptable",
        407 => "Proxy Authentication Required",
        408 => "Request Timeout",
        409 => "Conflict",
        410 => "Gone",
        411 => "Length Required",
        412 => "Precondition Failed",
        413 => "Payload Too Large",
        414 => "URI Too Long",
        415 => "Unsupported Media Type",
        416 => "Range Not Satisfiable",
        417 => "Expectation Failed",
        418 => "I'm a Teapot",
        421 => "Misdirected Request",
        422 => "Unprocessable Entity",
        423 => "Locked",
        424 => "Failed Dependency",
        425 => "Too Early",
        426 => "Upgrade Required",
        428 => "Precondition Required",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        451 => "Unavailable For Legal Reasons",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        505 => "HTTP Version Not Supported",
        506 => "Variant Also Negotiates",
        507 => "Insufficient Storage",
        508 => "Loop Detected",
        509 => "Bandwidth Limit Exceeded",
        510 => "Not Extended",
        511 => "Network Authentication Required",
        _ => "unknown",
    }
}

/// Appends `HTTP/1.1 200 OK` and CRLF, with Node's reason phrase.
pub fn status_line(status: u16, out: &mut Vec<u8>) {
    status_line_with_reason(status, reason_phrase(status).as_bytes(), out);
}

/// Appends a status line with the caller's reason phrase, which must be free of CR, LF and NUL (the caller
/// checks).
pub fn status_line_with_reason(status: u16, reason: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(b"HTTP/1.1 ");
    push_decimal(u64::from(status), out);
    out.push(b' ');
    out.extend_from_slice(reason);
    out.extend_from_slice(CHUNK_END);
}

/// What closes a reply's head, in the order in which Node writes it.
#[derive(Clone, Copy, Debug)]
pub struct Tail<'a> {
    /// The value of `Date`; `None` when the caller set one or wants none.
    pub date: Option<&'a [u8; HTTP_DATE_BYTES]>,
    /// `Connection` and `Keep-Alive`.
    pub connection: ConnectionField,
    /// `Content-Length` or `Transfer-Encoding`.
    pub length: LengthField,
}

/// What the reply says about the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionField {
    /// Nothing: the caller's block says it.
    None,
    /// `Connection: close`
    Close,
    /// `Connection: keep-alive`, and with `hint_s` also `Keep-Alive: timeout=…`, to which `max` adds
    /// `, max=…`.
    KeepAlive {
        /// Seconds the server will wait for the next request.
        hint_s: Option<u32>,
        /// Requests the connection may carry; only written beside `hint_s`, as Node does.
        max: Option<u32>,
    },
}

/// How the reply's content is delimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LengthField {
    /// Nothing: the caller's block says it, or the status forbids content.
    None,
    /// `Content-Length`
    Length(u64),
    /// `Transfer-Encoding: chunked`
    Chunked,
}

/// Appends Date, Connection, Keep-Alive, Content-Length or Transfer-Encoding, and the empty line.
pub fn encode_tail(tail: &Tail<'_>, out: &mut Vec<u8>) {
    if let Some(date) = tail.date {
        out.extend_from_slice(b"Date: ");
        out.extend_from_slice(date);
        out.extend_from_slice(CHUNK_END);
    }
    match tail.connection {
        ConnectionField::None => {}
        ConnectionField::Close => out.extend_from_slice(b"Connection: close\r\n"),
        ConnectionField::KeepAlive { hint_s, max } => encode_keep_alive(hint_s, max, out),
    }
    match tail.length {
        LengthField::None => {}
        LengthField::Length(length) => {
            out.extend_from_slice(b"Content-Length: ");
            push_decimal(length, out);
            out.extend_from_slice(CHUNK_END);
        }
        LengthField::Chunked => out.extend_from_slice(b"Transfer-Encoding: chunked\r\n"),
    }
    out.extend_from_slice(CHUNK_END);
}

fn encode_keep_alive(hint_s: Option<u32>, max: Option<u32>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"Connection: keep-alive\r\n");
    let Some(seconds) = hint_s else { return };
    out.extend_from_slice(b"Keep-Alive: timeout=");
    push_decimal(u64::from(seconds), out);
    if let Some(max) = max {
        out.extend_from_slice(b", max=");
        push_decimal(u64::from(max), out);
    }
    out.extend_from_slice(CHUNK_END);
}

/// Appends the whole reply to a refused request, byte for byte what Node's server sends.
pub fn reject_reply(status: u16, out: &mut Vec<u8>) {
    status_line(status, out);
    out.extend_from_slice(b"Connection: close\r\n\r\n");
}

/// Appends the whole reply to an HTTP/1.1 request without `Host`, byte for byte what Node's server sends: a
/// reply like an application's, unlike [`reject_reply`]. `content` is false when the method is HEAD.
pub fn host_missing_reply(date: &[u8; HTTP_DATE_BYTES], content: bool, out: &mut Vec<u8>) {
    status_line(400, out);
    out.extend_from_slice(b"Connection: close\r\n");
    let tail = Tail {
        date: Some(date),
        connection: ConnectionField::None,
        length: if content {
            LengthField::Chunked
        } else {
            LengthField::None
        },
    };
    encode_tail(&tail, out);
    if content {
        out.extend_from_slice(LAST_CHUNK);
        out.extend_from_slice(CHUNK_END);
    }
}

fn push_decimal(mut number: u64, out: &mut Vec<u8>) {
    /// Digits of `u64::MAX`.
    const DIGITS_MAX: usize = 20;
    let mut digits = [b'0'; DIGITS_MAX];
    let mut used = 1;
    for (count, digit) in (1..).zip(digits.iter_mut().rev()) {
        let remainder = (number % 10) as u8;
        *digit = b'0' + remainder;
        number /= 10;
        used = count;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(digits.get(DIGITS_MAX - used..).unwrap_or_default());
}

/// The date of a moment as IMF-fixdate (RFC 9110, 5.6.7). Years beyond 9999 are written as 9999.
#[must_use]
pub fn format_http_date(unix_seconds: u64) -> [u8; HTTP_DATE_BYTES] {
    const DAY_S: u64 = 86_400;
    /// 9999-12-31T23:59:59Z, the last moment a four-digit year can name.
    const LAST_S: u64 = 253_402_300_799;
    const WEEKDAYS: [&[u8; 3]; 7] = [b"Thu", b"Fri", b"Sat", b"Sun", b"Mon", b"Tue", b"Wed"];
    const MONTHS: [&[u8; 3]; 12] = [
        b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov",
        b"Dec",
    ];
    let seconds = unix_seconds.min(LAST_S);
    let days = seconds / DAY_S;
    let (year, month, day) = civil_from_days(days);
    let in_day = seconds % DAY_S;
    let mut date = *b"---, -- --- ---- --:--:-- GMT";
    put(&mut date, 0, pick(&WEEKDAYS, days % 7));
    put(&mut date, 5, &two_digits(day));
    put(&mut date, 8, pick(&MONTHS, month - 1));
    put(&mut date, 12, &two_digits(year / 100));
    put(&mut date, 14, &two_digits(year % 100));
    put(&mut date, 17, &two_digits(in_day / 3600));
    put(&mut date, 20, &two_digits(in_day / 60 % 60));
    put(&mut date, 23, &two_digits(in_day % 60));
    date
}

fn put(date: &mut [u8; HTTP_DATE_BYTES], at: usize, text: &[u8]) {
    for (to, from) in date.iter_mut().skip(at).zip(text) {
        *to = *from;
    }
}

fn pick<'a>(names: &[&'a [u8; 3]], index: u64) -> &'a [u8; 3] {
    usize::try_from(index)
        .ok()
        .and_then(|index| names.get(index).copied())
        .unwrap_or(b"---")
}

fn two_digits(number: u64) -> [u8; 2] {
    let digit = |value: u64| b'0' + (value % 10) as u8;
    [digit(number / 10), digit(number)]
}

/// Year, month (1–12) and day (1–31) of a day counted from 1970-01-01: Howard Hinnant's `civil_from_days` for
/// years ≥ 0, which counts from 1 March so that the leap day ends the year.
fn civil_from_days(days: u64) -> (u64, u64, u64) {
    const EPOCH_FROM_YEAR_0: u64 = 719_468;
    const ERA_DAYS: u64 = 146_097;
    let shifted = days + EPOCH_FROM_YEAR_0;
    let era = shifted / ERA_DAYS;
    let day_of_era = shifted % ERA_DAYS;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}
