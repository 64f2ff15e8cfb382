//! The rows of the robustness rules on heads and framing, each delivered whole, byte by byte and in every two
//! pieces.

mod support;

use fulmar_http1::{Expect, Framing, HeadLimits, Method, Reject};
use support::{Head, HeadVerdict, head_every_way};

fn verdict(bytes: impl AsRef<[u8]>) -> HeadVerdict {
    head_every_way(bytes.as_ref(), &HeadLimits::default())
}

#[track_caller]
fn accepted(bytes: impl AsRef<[u8]>) -> Head {
    verdict(bytes).expect("accepted").expect("complete")
}

/// A head with these field lines beside `Host`.
fn with_fields(lines: &str) -> String {
    format!("POST / HTTP/1.1\r\nHost: a\r\n{lines}\r\n")
}

fn with_line(request_line: &str) -> String {
    format!("{request_line}\r\nHost: a\r\n\r\n")
}

/// Checks the reason and the status of each row.
#[track_caller]
fn refused<B: AsRef<[u8]>>(rows: impl IntoIterator<Item = (B, Reject)>, status: u16) {
    for (bytes, reject) in rows {
        let shown = String::from_utf8_lossy(bytes.as_ref()).into_owned();
        assert_eq!(verdict(&bytes), Err(reject), "{shown:?}");
        assert_eq!(reject.status(), status, "{shown:?}");
    }
}

#[test]
fn says_what_a_browsers_head_says() {
    let head = accepted(
        "GET /a?b=c HTTP/1.1\r\nHost: example.com:3000\r\nAccept:text/html\r\nX-Empty:\r\n\
         Cookie: \t a=b; c=d \t\r\nIF-NONE-MATCH: \"x\"\r\n\r\nrest",
    );
    assert_eq!(head.said.method, Method::Get);
    assert_eq!(head.target, b"/a?b=c");
    assert_eq!(head.authority, b"");
    assert_eq!((head.start, head.said.minor), (0, 1));
    assert_eq!(head.said.framing, Framing::None);
    assert!(head.said.keep_alive && head.said.conditional && !head.said.upgrade);
    assert_eq!(head.said.expect, Expect::None);
    let fields: Vec<(&[u8], &[u8])> = vec![
        (b"Host", b"example.com:3000"),
        (b"Accept", b"text/html"),
        (b"X-Empty", b""),
        (b"Cookie", b"a=b; c=d"),
        (b"IF-NONE-MATCH", b"\"x\""),
    ];
    let found: Vec<(&[u8], &[u8])> = head.fields.iter().map(|(n, v)| (&n[..], &v[..])).collect();
    assert_eq!(found, fields);
}

#[test]
fn knows_every_method_of_node_in_its_order() {
    let order = "ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL \
                 MOVE NOTIFY OPTIONS PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REBIND REPORT SEARCH SOURCE \
                 SUBSCRIBE TRACE UNBIND UNLINK UNLOCK UNSUBSCRIBE";
    let tokens: Vec<&str> = order.split_whitespace().collect();
    assert_eq!(tokens.len(), 35);
    assert_eq!(Method::ALL.len(), 35);
    for (number, (&method, token)) in Method::ALL.iter().zip(tokens).enumerate() {
        assert_eq!(method.as_str(), token);
        assert_eq!(method as usize, number);
        let target = if method == Method::Connect {
            "a:443"
        } else {
            "/"
        };
        let head = accepted(with_line(&format!("{token} {target} HTTP/1.1")));
        assert_eq!(head.said.method, method);
        assert_eq!(head.said.upgrade, method == Method::Connect);
    }
}

#[test]
fn refuses_content_length_beside_transfer_encoding() {
    refused(
        [
            (
                with_fields("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n"),
                Reject::EncodingBesideLength,
            ),
            (
                with_fields("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n"),
                Reject::LengthBesideEncoding,
            ),
            (
                with_fields("Content-Length: 0\r\ntransfer-encoding: gzip\r\n"),
                Reject::EncodingBesideLength,
            ),
        ],
        400,
    );
}

#[test]
fn refuses_two_content_lengths_even_if_equal() {
    refused(
        [
            (
                with_fields("Content-Length: 3\r\nContent-Length: 3\r\n"),
                Reject::ContentLengthRepeated,
            ),
            (
                with_fields("Content-Length: 3\r\ncontent-length: 4\r\n"),
                Reject::ContentLengthRepeated,
            ),
            (
                with_fields("Content-Length: 3, 3\r\n"),
                Reject::ContentLengthInvalid,
            ),
            (
                with_fields("Content-Length: 3,3\r\n"),
                Reject::ContentLengthInvalid,
            ),
        ],
        400,
    );
}

#[test]
fn refuses_a_content_length_that_is_not_digits() {
    let bad = [
        "", " ", "+3", "-3", "0x3", "3 3", "3_0", "3.0", "3;", "a", "\u{b2}", "1e3",
    ];
    refused(
        bad.map(|value| {
            (
                with_fields(&format!("Content-Length: {value}\r\n")),
                Reject::ContentLengthInvalid,
            )
        }),
        400,
    );
    let large = [
        "18446744073709551616",
        "99999999999999999999",
        "100000000000000000000000",
    ];
    refused(
        large.map(|value| {
            (
                with_fields(&format!("Content-Length: {value}\r\n")),
                Reject::ContentLengthOverflow,
            )
        }),
        400,
    );
}

#[test]
fn accepts_content_lengths_with_leading_zeros_up_to_the_largest() {
    for (value, length) in [
        ("0", 0),
        ("3", 3),
        ("\t3 ", 3),
        ("0000000000000000000000000000003", 3),
        ("18446744073709551615", u64::MAX),
    ] {
        let head = accepted(with_fields(&format!("Content-Length:{value}\r\n")));
        assert_eq!(head.said.framing, Framing::Length(length), "{value:?}");
    }
}

#[test]
fn accepts_exactly_one_final_chunked() {
    for value in [
        " chunked",
        "chunked",
        " CHUNKED",
        "\tchunked \t",
        " Chunked ",
    ] {
        let head = accepted(with_fields(&format!("Transfer-Encoding:{value}\r\n")));
        assert_eq!(head.said.framing, Framing::Chunked, "{value:?}");
    }
}

#[test]
fn answers_501_to_other_transfer_codings() {
    let unknown = [
        "gzip",
        "identity",
        "gzip, chunked",
        "xchunked",
        "chunkedx",
        "deflate,gzip",
        "x-chunked",
    ];
    refused(
        unknown.map(|value| {
            (
                with_fields(&format!("Transfer-Encoding: {value}\r\n")),
                Reject::TransferCodingUnknown,
            )
        }),
        501,
    );
}

#[test]
fn refuses_a_malformed_transfer_encoding() {
    let bad = [
        "",
        " ",
        "chunked, chunked",
        "chunked,chunked",
        ",chunked",
        "chunked,",
        ", ,chunked",
        "chunked, gzip",
        "chunked;a=b",
        "chu nked",
        "\"chunked\"",
        "chunked chunked",
        "\u{a0}chunked",
        "gzip,",
        "chunked, gzip, chunked",
    ];
    refused(
        bad.map(|value| {
            (
                with_fields(&format!("Transfer-Encoding: {value}\r\n")),
                Reject::TransferEncodingInvalid,
            )
        }),
        400,
    );
    refused(
        [
            (
                with_fields("Transfer-Encoding: \x0bchunked\r\n"),
                Reject::FieldValueInvalid,
            ),
            (
                with_fields("Transfer-Encoding: chunked\x0c\r\n"),
                Reject::FieldValueInvalid,
            ),
            (
                with_fields("Transfer-Encoding: chunked\0\r\n"),
                Reject::FieldValueInvalid,
            ),
            (
                with_fields("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"),
                Reject::TransferEncodingInvalid,
            ),
            (
                with_fields("Transfer-Encoding : chunked\r\n"),
                Reject::FieldNameInvalid,
            ),
            (
                with_fields("Transfer-Encoding:\r\n chunked\r\n"),
                Reject::FoldedField,
            ),
            (
                "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n".into(),
                Reject::TransferEncodingOnHttp10,
            ),
        ],
        400,
    );
    refused(
        [(
            with_fields("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n"),
            Reject::TransferCodingUnknown,
        )],
        501,
    );
}

#[test]
fn reads_what_is_expected() {
    for (lines, expect) in [
        ("", Expect::None),
        ("Expect: 100-continue\r\n", Expect::Continue),
        ("expect: 100-Continue\r\n", Expect::Continue),
        ("Expect: 100-continue, 100-continue\r\n", Expect::Continue),
        (
            "Expect: 100-continue\r\nExpect: 100-continue\r\n",
            Expect::Continue,
        ),
        ("Expect: 100-continue\r\nExpect: x\r\n", Expect::Other),
        ("Expect: x\r\nExpect: 100-continue\r\n", Expect::Other),
        ("Expect: 100-continue, x\r\n", Expect::Other),
        ("Expect: 200-ok\r\n", Expect::Other),
        ("Expect:\r\n", Expect::Other),
    ] {
        assert_eq!(
            accepted(with_fields(lines)).said.expect,
            expect,
            "{lines:?}"
        );
    }
    let old = accepted("POST / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n");
    assert_eq!(old.said.expect, Expect::None);
}

#[test]
fn decides_whether_the_connection_lives_on() {
    for (minor, connection, lives) in [
        (1, None, true),
        (1, Some("close"), false),
        (1, Some("Close"), false),
        (1, Some("keep-alive"), true),
        (1, Some("keep-alive, close"), false),
        (1, Some("x,close ,y"), false),
        (1, Some("closed"), true),
        (0, None, false),
        (0, Some("keep-alive"), true),
        (0, Some("Keep-Alive, Upgrade"), true),
        (0, Some("keep-alive, close"), false),
    ] {
        let line = connection.map_or(String::new(), |value| format!("Connection: {value}\r\n"));
        let head = accepted(format!("GET / HTTP/1.{minor}\r\nHost: a\r\n{line}\r\n"));
        assert_eq!(head.said.keep_alive, lives, "1.{minor} {connection:?}");
        assert_eq!(head.said.minor, minor);
    }
    let two = accepted(with_fields(
        "Connection: keep-alive\r\nConnection: close\r\n",
    ));
    assert!(!two.said.keep_alive);
}

#[test]
fn wants_an_upgrade_only_if_both_fields_say_so() {
    for (lines, upgrade) in [
        ("Connection: Upgrade\r\nUpgrade: websocket\r\n", true),
        (
            "Upgrade: websocket\r\nConnection: keep-alive, upgrade\r\n",
            true,
        ),
        ("Upgrade: websocket\r\n", false),
        ("Connection: upgrade\r\n", false),
        ("Connection: upgraded\r\nUpgrade: x\r\n", false),
    ] {
        assert_eq!(
            accepted(with_fields(lines)).said.upgrade,
            upgrade,
            "{lines:?}"
        );
    }
}

#[test]
fn notices_conditions() {
    for name in [
        "If-Match",
        "if-none-match",
        "IF-MODIFIED-SINCE",
        "If-Unmodified-Since",
        "If-Range",
    ] {
        assert!(
            accepted(with_fields(&format!("{name}: x\r\n")))
                .said
                .conditional,
            "{name}"
        );
    }
    assert!(
        !accepted(with_fields("If: x\r\nIf-Matc: x\r\nIf-Ranges: x\r\n"))
            .said
            .conditional
    );
}

#[test]
fn refuses_cr_or_lf_alone_as_a_line_end() {
    refused(
        [
            ("GET / HTTP/1.1\nHost: a\r\n\r\n", Reject::RequestLineLf),
            ("GET / HTTP/1.1\rXHost: a\r\n\r\n", Reject::RequestLineCr),
            ("GET / HTTP/1.1\r\r\nHost: a\r\n\r\n", Reject::RequestLineCr),
            ("GET /\nx HTTP/1.1\r\n\r\n", Reject::TargetInvalid),
            ("GET /\rx HTTP/1.1\r\n\r\n", Reject::TargetInvalid),
            ("GE\nT / HTTP/1.1\r\n\r\n", Reject::UnknownMethod),
            ("GET\n/ HTTP/1.1\r\n\r\n", Reject::MethodNotEnded),
            ("GET / HTTP/1.1\r\nHost: a\n\r\n", Reject::FieldLineLf),
            ("GET / HTTP/1.1\r\nHost: a\n\n", Reject::FieldLineLf),
            (
                "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n",
                Reject::FieldLineCr,
            ),
            ("GET / HTTP/1.1\r\nHost: a\r\r\n\r\n", Reject::FieldLineCr),
            ("GET / HTTP/1.1\r\nHost: a\r\n\n", Reject::SectionEndLf),
            ("GET / HTTP/1.1\r\nHost: a\r\n\rX", Reject::SectionEndCr),
            ("GET / HTTP/1.1\r\nHost: a\r\n\r\r\n", Reject::SectionEndCr),
            (
                "GET / HTTP/1.1\r\nHo\rst: a\r\n\r\n",
                Reject::FieldNameInvalid,
            ),
            (
                "GET / HTTP/1.1\r\nHo\nst: a\r\n\r\n",
                Reject::FieldNameInvalid,
            ),
            (
                "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
                Reject::LineEndBeforeRequestLine,
            ),
            (
                "\rGET / HTTP/1.1\r\nHost: a\r\n\r\n",
                Reject::LineEndBeforeRequestLine,
            ),
        ],
        400,
    );
}

#[test]
fn refuses_malformed_field_lines() {
    refused(
        [
            (with_fields("X: a\r\n b\r\n"), Reject::FoldedField),
            (with_fields("X: a\r\n\tb\r\n"), Reject::FoldedField),
            (with_fields("X:\r\n b\r\n"), Reject::FoldedField),
            (with_fields("X: a\r\n \r\n"), Reject::FoldedField),
            (
                "GET / HTTP/1.1\r\n Host: a\r\n\r\n".into(),
                Reject::SpaceBeforeFields,
            ),
            (
                "GET / HTTP/1.1\r\n\tHost: a\r\n\r\n".into(),
                Reject::SpaceBeforeFields,
            ),
            (with_fields("X : a\r\n"), Reject::FieldNameInvalid),
            (with_fields("X\t: a\r\n"), Reject::FieldNameInvalid),
            (with_fields(": a\r\n"), Reject::FieldNameInvalid),
            (with_fields("X(: a\r\n"), Reject::FieldNameInvalid),
            (with_fields("X@y: a\r\n"), Reject::FieldNameInvalid),
            (with_fields("X\"y\": a\r\n"), Reject::FieldNameInvalid),
            (with_fields("X\u{e9}: a\r\n"), Reject::FieldNameInvalid),
            (with_fields("X\0: a\r\n"), Reject::FieldNameInvalid),
            (with_fields("Xabc\r\n"), Reject::FieldNameInvalid),
            (with_fields("X: a\0b\r\n"), Reject::FieldValueInvalid),
            (with_fields("X: a\x01b\r\n"), Reject::FieldValueInvalid),
            (with_fields("X: a\x1bb\r\n"), Reject::FieldValueInvalid),
            (with_fields("X: a\x7fb\r\n"), Reject::FieldValueInvalid),
            (with_fields("X: \x0b\r\n"), Reject::FieldValueInvalid),
        ],
        400,
    );
}

#[test]
fn refuses_every_control_character_in_a_value_and_keeps_every_other_byte() {
    for byte in 0..=u8::MAX {
        let mut bytes = b"GET / HTTP/1.1\r\nHost: a\r\nX: a".to_vec();
        bytes.extend([byte, b'b']);
        bytes.extend(b"\r\n\r\n");
        let is_good = byte == b'\t' || (byte >= b' ' && byte != 0x7f);
        match verdict(&bytes) {
            Ok(Some(head)) => {
                assert!(is_good, "{byte:#x}");
                assert_eq!(head.fields[1].1, [b'a', byte, b'b']);
            }
            other => assert!(!is_good && other.is_err(), "{byte:#x} {other:?}"),
        }
    }
}

#[test]
fn refuses_every_byte_in_a_name_that_is_not_a_token_byte() {
    for byte in 0..=u8::MAX {
        let mut bytes = b"GET / HTTP/1.1\r\nHost: a\r\nX".to_vec();
        bytes.push(byte);
        bytes.extend(b"y: b\r\n\r\n");
        let is_token = byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        let is_good = is_token || byte == b':';
        assert_eq!(matches!(verdict(&bytes), Ok(Some(_))), is_good, "{byte:#x}");
    }
}

#[test]
fn keeps_bytes_above_ascii_and_does_not_trim_them() {
    let head = accepted(b"GET / HTTP/1.1\r\nHost: a\r\nX: \xa0\xe9\x85 \r\n\r\n");
    assert_eq!(head.fields[1].1, b"\xa0\xe9\x85");
}

#[test]
fn needs_one_valid_host_on_http_1_1() {
    refused(
        [
            ("GET / HTTP/1.1\r\n\r\n", Reject::HostMissing),
            ("GET / HTTP/1.1\r\nX: y\r\n\r\n", Reject::HostMissing),
            (
                "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
                Reject::HostRepeated,
            ),
            (
                "GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n",
                Reject::HostRepeated,
            ),
            (
                "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n",
                Reject::HostRepeated,
            ),
            ("GET http://a/ HTTP/1.1\r\n\r\n", Reject::HostMissing),
        ],
        400,
    );
}

#[test]
fn refuses_hosts_that_are_none() {
    let bad = [
        "",
        "a, b",
        "a,b",
        "a b",
        "u@a",
        "u:p@a",
        "a/",
        "a/b",
        "http://a",
        "a?b",
        "a#b",
        "a\\b",
        "a:",
        "a:x",
        "a:-1",
        "a:+1",
        "a:65536",
        "a:000080",
        "a:80:80",
        ":80",
        "[::1",
        "::1",
        "[::g]",
        "[::1]x",
        "[::1]:",
        "[::1%25eth0]",
        "[1.2.3.4]",
        "[]",
        "a]",
        "[v1.x]",
        "a%",
        "a%4",
        "a%zz",
        "\u{e9}",
        "a\tb",
        "a\"",
        "<a>",
        "{a}",
        "a|b",
        "a^b",
    ];
    refused(
        bad.map(|host| {
            (
                format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n"),
                Reject::HostInvalid,
            )
        }),
        400,
    );
}

#[test]
fn accepts_the_hosts_that_clients_send() {
    for host in [
        "a",
        "example.com",
        "EXAMPLE.com.",
        "localhost:3000",
        "127.0.0.1:80",
        "[::1]",
        "[::1]:8080",
        "[::ffff:1.2.3.4]",
        "a_b.example",
        "a-b",
        "a:0",
        "a:65535",
        "xn--bcher-kva.example",
        "a%20b",
        "*",
    ] {
        accepted(format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        accepted(format!("GET / HTTP/1.1\r\nHost:\t{host} \r\n\r\n"));
    }
    accepted("GET / HTTP/1.0\r\n\r\n");
    let limits = HeadLimits {
        require_host: false,
        ..HeadLimits::default()
    };
    let lenient = head_every_way(b"GET / HTTP/1.1\r\n\r\n", &limits);
    assert!(matches!(lenient, Ok(Some(_))));
}

#[test]
fn finds_the_authority_of_an_absolute_target() {
    for (target, authority) in [
        ("http://example.com/a", "example.com"),
        ("http://example.com", "example.com"),
        ("HTTPS://example.com:8443?q", "example.com:8443"),
        ("http://[::1]:80/", "[::1]:80"),
        ("foo://x/", "x"),
    ] {
        let head = accepted(with_line(&format!("GET {target} HTTP/1.1")));
        assert_eq!(head.authority, authority.as_bytes(), "{target}");
        assert_eq!(head.target, target.as_bytes());
    }
    let bad = [
        "http:///a",
        "http://",
        "http://u@x/",
        "http://x:ab/",
        "http://x:/",
        "http:/x",
        "http:x",
        "http",
        "foo",
        "?x",
        "x/y",
        "://x/",
        "h1://x/",
        "http://a,b/",
        "http://[::1/",
        "a:80",
    ];
    refused(
        bad.map(|target| {
            (
                with_line(&format!("GET {target} HTTP/1.1")),
                Reject::TargetFormInvalid,
            )
        }),
        400,
    );
}

#[test]
fn takes_connect_in_authority_form_only() {
    let head = accepted(with_line("CONNECT example.com:443 HTTP/1.1"));
    assert_eq!(head.target, b"example.com:443");
    assert!(head.said.upgrade);
    let bad = [
        "/",
        "*",
        "a",
        "a:",
        "a:x",
        "u@a:80",
        "http://a:80/",
        "a:80/",
        "[::1]",
    ];
    refused(
        bad.map(|target| {
            (
                with_line(&format!("CONNECT {target} HTTP/1.1")),
                Reject::TargetFormInvalid,
            )
        }),
        400,
    );
}

#[test]
fn accepts_the_targets_that_node_accepts() {
    for target in [
        "/",
        "*",
        "//x",
        "/a?b?c",
        "/\"<>^`{|}\\",
        "/%zz%00",
        "/a/../b",
        "/a;b=c:d@e",
        "*x",
    ] {
        assert_eq!(
            accepted(with_line(&format!("OPTIONS {target} HTTP/1.1"))).target,
            target.as_bytes()
        );
    }
}

#[test]
fn refuses_malformed_request_lines() {
    refused(
        [
            (with_line("GET  / HTTP/1.1"), Reject::TargetInvalid),
            (with_line("GET /  HTTP/1.1"), Reject::VersionMissing),
            (with_line("GET\t/ HTTP/1.1"), Reject::MethodNotEnded),
            (with_line("GET /\tHTTP/1.1"), Reject::TargetInvalid),
            (with_line("GET /a b HTTP/1.1"), Reject::VersionMissing),
            (with_line("GET /a\tb HTTP/1.1"), Reject::TargetInvalid),
            (with_line("GET / HTTP/1.1 "), Reject::VersionInvalid),
            (with_line(" GET / HTTP/1.1"), Reject::GarbageFirstByte),
            (with_line("GET /\0 HTTP/1.1"), Reject::TargetInvalid),
            (with_line("GET /\x7f HTTP/1.1"), Reject::TargetInvalid),
            (with_line("GET /\u{e9} HTTP/1.1"), Reject::TargetInvalid),
            (with_line("GET /#a HTTP/1.1"), Reject::TargetInvalid),
            (with_line("GET http://a/#b HTTP/1.1"), Reject::TargetInvalid),
            (with_line("GET  HTTP/1.1"), Reject::TargetInvalid),
            (with_line("GET"), Reject::MethodNotEnded),
            (with_line("GET "), Reject::TargetInvalid),
            (with_line("GE"), Reject::UnknownMethod),
            (with_line("PRI"), Reject::UnknownMethod),
        ],
        400,
    );
}

#[test]
fn refuses_every_byte_in_a_target_that_is_not_visible_ascii() {
    for byte in 0..=u8::MAX {
        let mut bytes = b"GET /a".to_vec();
        bytes.push(byte);
        bytes.extend(b"b HTTP/1.1\r\nHost: a\r\n\r\n");
        let is_good = (0x21..=0x7e).contains(&byte) && byte != b'#';
        assert_eq!(matches!(verdict(&bytes), Ok(Some(_))), is_good, "{byte:#x}");
    }
}

#[test]
fn refuses_other_versions() {
    let unsupported = ["HTTP/1.2", "HTTP/1.9", "HTTP/2.0", "HTTP/3.0", "HTTP/9.9"];
    refused(
        unsupported.map(|version| {
            (
                with_line(&format!("GET / {version}")),
                Reject::VersionUnsupported,
            )
        }),
        505,
    );
    let invalid = [
        "HTTP/0.9",
        "HTTP/1",
        "HTTP/1.",
        "HTTP/1.11",
        "HTTP/01.1",
        "HTTP/1.x",
        "HTTP/-1.1",
        "HTTP/",
    ];
    refused(
        invalid.map(|version| {
            (
                with_line(&format!("GET / {version}")),
                Reject::VersionInvalid,
            )
        }),
        400,
    );
    let missing = [
        "http/1.1", "Http/1.1", "HTTP1.1", "XTTP/1.1", "RTSP/1.0", "ICE/1.0", "x", "",
    ];
    refused(
        missing.map(|version| {
            (
                with_line(&format!("GET / {version}")),
                Reject::VersionMissing,
            )
        }),
        400,
    );
}

#[test]
fn refuses_http_0_9_as_soon_as_the_line_ends() {
    refused(
        [
            ("GET /\r\n", Reject::VersionMissing),
            ("GET / \r\n", Reject::VersionMissing),
        ],
        400,
    );
}

#[test]
fn refuses_garbage_and_other_protocols_at_once() {
    refused(
        [
            (
                &b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"[..],
                Reject::Http2Preface,
            ),
            (b"PRI ", Reject::Http2Preface),
            (b"\x16\x03\x01\x02\x00\x01\x00", Reject::TlsHello),
            (b"\x16", Reject::TlsHello),
            (b"\0", Reject::GarbageFirstByte),
            (b"\xff\xfe", Reject::GarbageFirstByte),
            (b"get / HTTP/1.1", Reject::GarbageFirstByte),
            (b"{\"json\":1}", Reject::GarbageFirstByte),
            (b"SSH-2.0-x", Reject::UnknownMethod),
            (b"FOO", Reject::UnknownMethod),
            (b"GETT / HTTP/1.1", Reject::UnknownMethod),
            (b"GE / HTTP/1.1", Reject::UnknownMethod),
            (b"PRIX", Reject::UnknownMethod),
            (b"UNSUBSCRIBER", Reject::UnknownMethod),
            (b"\r\n\x16\x03", Reject::TlsHello),
        ],
        400,
    );
}

#[test]
fn keeps_fields_named_like_object_members_as_data() {
    let head = accepted(with_fields(
        "__proto__: 1\r\nconstructor: 2\r\nhasOwnProperty: 3\r\n",
    ));
    let names: Vec<&[u8]> = head.fields.iter().map(|(name, _)| &name[..]).collect();
    assert_eq!(
        names,
        [
            &b"Host"[..],
            b"__proto__",
            b"constructor",
            b"hasOwnProperty"
        ]
    );
}

#[test]
fn skips_a_bounded_number_of_empty_lines() {
    let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    assert_eq!(accepted(format!("\r\n{request}")).start, 2);
    assert_eq!(
        accepted(format!("{}{request}", "\r\n".repeat(64))).start,
        128
    );
    refused(
        [(
            format!("{}{request}", "\r\n".repeat(65)),
            Reject::TooManyEmptyLines,
        )],
        400,
    );
}

#[test]
fn waits_for_the_rest_of_every_prefix() {
    let request = "\r\nPOST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n";
    for end in 0..request.len() {
        assert_eq!(verdict(&request[..end]), Ok(None), "{end}");
    }
}

#[test]
fn answers_414_to_a_long_request_line() {
    let limits = HeadLimits {
        request_line_max: 40,
        head_max: 100,
        ..HeadLimits::default()
    };
    let line = |len: usize| format!("GET /{} HTTP/1.1", "a".repeat(len - 14));
    let request = |len| format!("{}\r\nHost: a\r\n\r\n", line(len));
    assert!(matches!(
        head_every_way(request(40).as_bytes(), &limits),
        Ok(Some(_))
    ));
    for bytes in [
        request(41),
        request(300),
        line(300),
        "GET /".to_owned() + &"a".repeat(38),
    ] {
        assert_eq!(
            head_every_way(bytes.as_bytes(), &limits),
            Err(Reject::RequestLineTooLong)
        );
    }
    assert_eq!(
        head_every_way(line(42).as_bytes(), &limits),
        Ok(None),
        "its CRLF may still come"
    );
    assert_eq!(Reject::RequestLineTooLong.status(), 414);
}

#[test]
fn answers_431_to_a_large_head() {
    let limits = HeadLimits {
        request_line_max: 40,
        head_max: 100,
        ..HeadLimits::default()
    };
    let request = |len: usize| {
        let start = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
        format!("{start}{}\r\n\r\n", "b".repeat(len - start.len() - 4))
    };
    assert!(matches!(
        head_every_way(request(100).as_bytes(), &limits),
        Ok(Some(_))
    ));
    assert!(matches!(
        head_every_way((request(100) + "more").as_bytes(), &limits),
        Ok(Some(_))
    ));
    for bytes in [request(101), request(500), request(500)[..101].to_owned()] {
        assert_eq!(
            head_every_way(bytes.as_bytes(), &limits),
            Err(Reject::HeadTooLarge)
        );
    }
    assert_eq!(Reject::HeadTooLarge.status(), 431);
}

#[test]
fn answers_431_to_too_many_fields_and_drops_none() {
    let limits = HeadLimits {
        header_count_max: 100,
        ..HeadLimits::default()
    };
    let request = |count: usize| with_fields(&"X: y\r\n".repeat(count - 1));
    for count in [1, 63, 64, 65, 100] {
        let head = head_every_way(request(count).as_bytes(), &limits)
            .expect("accepted")
            .expect("complete");
        assert_eq!(head.fields.len(), count);
    }
    assert_eq!(
        head_every_way(request(101).as_bytes(), &limits),
        Err(Reject::TooManyFields)
    );
    assert_eq!(Reject::TooManyFields.status(), 431);
}

#[test]
fn takes_the_default_number_of_fields() {
    let limits = HeadLimits {
        head_max: 64 * 1024,
        ..HeadLimits::default()
    };
    let request = |count: usize| with_fields(&"X:y\r\n".repeat(count - 1));
    let whole = |count| support::head_in_pieces(request(count).as_bytes(), &[], &limits);
    assert_eq!(
        whole(2000)
            .expect("accepted")
            .expect("complete")
            .fields
            .len(),
        2000
    );
    assert_eq!(whole(2001), Err(Reject::TooManyFields));
}

#[test]
fn refuses_bytes_that_are_not_one_complete_head() {
    let mut fields = Vec::new();
    let limits = HeadLimits {
        require_host: false,
        ..HeadLimits::default()
    };
    for bytes in [
        "",
        "GET",
        "GET / HTTP/1.1",
        "GET / HTTP/1.1\r",
        "GET / HTTP/1.1\r\n",
        "GET / HTTP/1.1\r\nA: b",
        "GET / HTTP/1.1\r\nA: b\r\n",
        "GET / HTTP/1.1\r\n\r\nA: b\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\n\r\n",
        "GET / HTTP/1.1\r\nA: b\nC: d\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\r\n\n",
        "GET / HTTP/1.1\r\n\n",
    ] {
        let result = fulmar_http1::parse_request_head(bytes.as_bytes(), &limits, &mut fields);
        assert!(result.is_err(), "{bytes:?}");
    }
}

#[test]
fn looks_at_each_byte_of_a_dribbled_head_once() {
    // Quadratic work on 1 MiB, byte by byte, would be 5 * 10^11 byte visits: this test would not end.
    let limits = HeadLimits {
        head_max: 2 << 20,
        header_count_max: 1 << 20,
        ..HeadLimits::default()
    };
    let bytes = with_fields(&format!("X: {}\r\n", "y".repeat(1 << 10)).repeat(1 << 10));
    let mut scanner = fulmar_http1::HeadScanner::default();
    for end in 0..bytes.len() {
        assert_eq!(
            scanner.scan(&bytes.as_bytes()[..end], &limits),
            Ok(fulmar_http1::Scan::Partial)
        );
    }
}

#[test]
fn gives_every_refusal_a_status_a_code_and_words() {
    let statuses = [400, 405, 408, 413, 414, 417, 431, 501, 505];
    for reject in Reject::ALL {
        assert!(statuses.contains(&reject.status()), "{reject:?}");
        assert!(!reject.reason().is_empty());
        assert_eq!(reject.to_string(), reject.reason());
    }
}
