//! What is written around replies, as Node writes it.

use fulmar_http1::reply::{
    ConnectionField, LengthField, Tail, encode_tail, format_http_date, host_missing_reply,
    reason_phrase, reject_reply, status_line, status_line_with_reason,
};

fn text(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8(out).expect("ascii")
}

fn tail(date: Option<&[u8; 29]>, connection: ConnectionField, length: LengthField) -> String {
    text(|out| {
        encode_tail(
            &Tail {
                date,
                connection,
                length,
            },
            out,
        );
    })
}

#[test]
fn writes_status_lines_with_nodes_reason_phrases() {
    assert_eq!(text(|out| status_line(200, out)), "HTTP/1.1 200 OK\r\n");
    assert_eq!(
        text(|out| status_line(418, out)),
        "HTTP/1.1 418 I'm a Teapot\r\n"
    );
    assert_eq!(
        text(|out| status_line(799, out)),
        "HTTP/1.1 799 unknown\r\n"
    );
    assert_eq!(
        text(|out| status_line_with_reason(404, b"Nope", out)),
        "HTTP/1.1 404 Nope\r\n"
    );
    assert_eq!(
        text(|out| status_line_with_reason(404, b"", out)),
        "HTTP/1.1 404 \r\n"
    );
    let known = (0..=u16::MAX)
        .filter(|&status| reason_phrase(status) != "unknown")
        .count();
    assert_eq!(known, 63, "as many as http.STATUS_CODES has");
}

#[test]
fn writes_the_closing_fields_in_nodes_order() {
    let date = format_http_date(784_111_777);
    assert_eq!(
        tail(
            Some(&date),
            ConnectionField::KeepAlive {
                hint_s: Some(72),
                max: None
            },
            LengthField::Length(18_446_744_073_709_551_615),
        ),
        "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nConnection: keep-alive\r\nKeep-Alive: timeout=72\r\n\
         Content-Length: 18446744073709551615\r\n\r\n"
    );
    assert_eq!(
        tail(None, ConnectionField::Close, LengthField::Chunked),
        "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    );
    assert_eq!(tail(None, ConnectionField::None, LengthField::None), "\r\n");
    assert_eq!(
        tail(None, ConnectionField::None, LengthField::Length(0)),
        "Content-Length: 0\r\n\r\n"
    );
}

#[test]
fn writes_keep_alive_hints_as_node_does() {
    let keep_alive = |hint_s, max| {
        tail(
            None,
            ConnectionField::KeepAlive { hint_s, max },
            LengthField::None,
        )
    };
    assert_eq!(
        keep_alive(Some(5), Some(100)),
        "Connection: keep-alive\r\nKeep-Alive: timeout=5, max=100\r\n\r\n"
    );
    assert_eq!(
        keep_alive(None, Some(100)),
        "Connection: keep-alive\r\n\r\n"
    );
}

#[test]
fn answers_refused_requests_with_nodes_bytes() {
    assert_eq!(
        text(|out| reject_reply(400, out)),
        "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"
    );
    assert_eq!(
        text(|out| reject_reply(431, out)),
        "HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n\r\n"
    );
}

#[test]
fn answers_a_request_without_host_with_nodes_bytes() {
    let date = format_http_date(0);
    let head =
        "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n";
    assert_eq!(
        text(|out| host_missing_reply(&date, true, out)),
        format!("{head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
    );
    assert_eq!(
        text(|out| host_missing_reply(&date, false, out)),
        format!("{head}\r\n")
    );
}

#[test]
fn formats_dates() {
    for (seconds, date) in [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
        (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        (u64::MAX, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ] {
        assert_eq!(format_http_date(seconds), date.as_bytes(), "{seconds}");
    }
}

#[test]
fn counts_days_as_a_calendar_does() {
    const MONTH_DAYS: [u64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let (mut year, mut month, mut day) = (1970u64, 0usize, 1u64);
    for days in 0..200_000u64 {
        let date = format_http_date(days * 86_400);
        let shown = String::from_utf8_lossy(&date).into_owned();
        assert_eq!(shown[5..7], format!("{day:02}"), "{shown}");
        assert_eq!(shown[12..16], format!("{year:04}"), "{shown}");
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let in_month = MONTH_DAYS[month] + u64::from(month == 1 && is_leap);
        day += 1;
        if day > in_month {
            (day, month) = (1, month + 1);
        }
        if month == 12 {
            (month, year) = (0, year + 1);
        }
    }
}
