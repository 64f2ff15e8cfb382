//! What `bench/budget` counts instructions of: one request head found and parsed, one reply head encoded.
//!
//! `budget_http1 <case> <rounds>`. Callgrind collects within [`measured_head`] and [`measured_reply`] alone,
//! so neither the start of the process nor the loop is in the count. It measures no time and prints nothing.

use std::error::Error;
use std::hint::black_box;

use fulmar_http1::reply::{
    ConnectionField, HTTP_DATE_BYTES, LengthField, Tail, encode_tail, status_line,
};
use fulmar_http1::{FieldSpan, HeadLimits, HeadScanner, Scan, parse_request_head};

/// What a load generator sends.
const HELLO: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost:3000\r\n\r\n";
/// What a browser sends on following a link.
const BROWSER: &[u8] = b"GET /articles/42?page=3 HTTP/1.1\r\n\
Host: www.example.com\r\n\
Connection: keep-alive\r\n\
Cache-Control: max-age=0\r\n\
Upgrade-Insecure-Requests: 1\r\n\
User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36\r\n\
Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8\r\n\
Referer: https://www.example.com/articles\r\n\
Accept-Encoding: gzip, deflate, br, zstd\r\n\
Accept-Language: en-US,en;q=0.9,de;q=0.8\r\n\
Cookie: session=0123456789abcdef0123456789abcdef; theme=dark\r\n\r\n";
/// The field lines that Express gives a JSON reply.
const BLOCK: &[u8] = b"X-Powered-By: Express\r\nContent-Type: application/json; charset=utf-8\r\n\
ETag: W/\"1b-0000000000000000000000000000\"\r\n";
const CONTENT: &[u8] = br#"{"message":"Hello, World!"}"#;
const DATE: &[u8; HTTP_DATE_BYTES] = b"Sun, 06 Nov 1994 08:49:37 GMT";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let case = arguments
        .next()
        .ok_or("usage: budget_http1 <case> <rounds>")?;
    let rounds: u32 = arguments.next().ok_or("no number of rounds")?.parse()?;
    match case.as_str() {
        "head-hello" => heads(HELLO, rounds),
        "head-browser" => heads(BROWSER, rounds),
        "reply" => replies(rounds),
        _ => Err(format!("no case {case}: head-hello, head-browser, reply").into()),
    }
}

fn heads(bytes: &[u8], rounds: u32) -> Result<(), Box<dyn Error>> {
    let limits = HeadLimits::default();
    let mut fields = Vec::new();
    // The list of field lines grows once, before anything is counted.
    parse_request_head(bytes, &limits, &mut fields).map_err(|reject| format!("{reject:?}"))?;
    for _ in 0..rounds {
        if !measured_head(black_box(bytes), &limits, &mut fields) {
            return Err("the head was refused".into());
        }
    }
    Ok(())
}

#[inline(never)]
fn measured_head(bytes: &[u8], limits: &HeadLimits, fields: &mut Vec<FieldSpan>) -> bool {
    let found = HeadScanner::default().scan(bytes, limits);
    let end = bytes.len();
    found == Ok(Scan::Complete { start: 0, end })
        && black_box(parse_request_head(bytes, limits, fields)).is_ok()
}

fn replies(rounds: u32) -> Result<(), Box<dyn Error>> {
    let mut out = Vec::with_capacity(1024);
    for _ in 0..rounds {
        out.clear();
        measured_reply(black_box(BLOCK), black_box(CONTENT), &mut out);
    }
    let whole = out.starts_with(b"HTTP/1.1 200 OK\r\n") && out.ends_with(CONTENT);
    if whole {
        Ok(())
    } else {
        Err("the reply is not what was asked for".into())
    }
}

#[inline(never)]
fn measured_reply(block: &[u8], content: &[u8], out: &mut Vec<u8>) {
    status_line(black_box(200), out);
    out.extend_from_slice(block);
    let connection = ConnectionField::KeepAlive {
        hint_s: black_box(Some(72)),
        max: None,
    };
    let tail = Tail {
        date: Some(DATE),
        connection,
        length: LengthField::Length(content.len() as u64),
    };
    encode_tail(&tail, out);
    out.extend_from_slice(content);
}
