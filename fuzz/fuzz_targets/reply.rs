//! Any status, date, length and connection in a reply: the head has exactly the lines it should have, and
//! numbers are those that `std` writes.
#![no_main]

use fulmar_http1::reply::{
    ConnectionField, LengthField, Tail, encode_tail, format_http_date, reject_reply, status_line,
};
use libfuzzer_sys::fuzz_target;

type Input = (u16, u64, u64, u8, Option<u32>, Option<u32>);

fn connection_lines(which: u8, hint_s: Option<u32>, max: Option<u32>) -> (ConnectionField, String) {
    match which % 3 {
        0 => (ConnectionField::None, String::new()),
        1 => (ConnectionField::Close, "Connection: close\r\n".to_owned()),
        _ => {
            let max_part = max.map_or(String::new(), |max| format!(", max={max}"));
            let hint = hint_s.map_or(String::new(), |hint_s| {
                format!("Keep-Alive: timeout={hint_s}{max_part}\r\n")
            });
            let lines = format!("Connection: keep-alive\r\n{hint}");
            (ConnectionField::KeepAlive { hint_s, max }, lines)
        }
    }
}

fn length_line(which: u8, length: u64) -> (LengthField, String) {
    match which / 3 % 3 {
        0 => (LengthField::None, String::new()),
        1 => (
            LengthField::Length(length),
            format!("Content-Length: {length}\r\n"),
        ),
        _ => (
            LengthField::Chunked,
            "Transfer-Encoding: chunked\r\n".to_owned(),
        ),
    }
}

fuzz_target!(|input: Input| {
    let (status, seconds, length, which, hint_s, max) = input;
    let date = format_http_date(seconds);
    let date_text = std::str::from_utf8(&date).expect("ascii");
    assert!(date_text.ends_with(" GMT") && !date_text.contains('-'));

    let (connection, connection_text) = connection_lines(which, hint_s, max);
    let (length, length_text) = length_line(which, length);
    let mut out = Vec::new();
    let tail = Tail {
        date: Some(&date),
        connection,
        length,
    };
    encode_tail(&tail, &mut out);
    let expected = format!("Date: {date_text}\r\n{connection_text}{length_text}\r\n");
    assert_eq!(out, expected.as_bytes());

    let (mut line, mut reply) = (Vec::new(), Vec::new());
    status_line(status, &mut line);
    reject_reply(status, &mut reply);
    assert!(line.starts_with(format!("HTTP/1.1 {status} ").as_bytes()));
    assert_eq!(line.iter().filter(|byte| b"\r\n".contains(byte)).count(), 2);
    assert_eq!(reply, [&line[..], b"Connection: close\r\n\r\n"].concat());
});
