//! What the engine refuses, and that nothing behind it is parsed and nothing before it is lost.

mod support;

use fulmar_engine::{AbortReason, EventKind, ServerConfig, event_flag};
use support::{Server, answer, answered, echo_host, get};

const REFUSED: &str = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n";
const BAD: &str = "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n";
const CHUNKED: &str = "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

fn reporting() -> ServerConfig {
    ServerConfig {
        report_rejects: true,
        ..ServerConfig::default()
    }
}

#[test]
fn refuses_with_the_status_of_the_reason_and_lingers() {
    let long = format!("GET /{} HTTP/1.1\r\n", "x".repeat(9_000));
    let large = format!("GET / HTTP/1.1\r\nHost: a\r\nX: {}\r\n", "x".repeat(17_000));
    let cases = [
        (BAD, "HTTP/1.1 400 Bad Request"),
        (long.as_str(), "HTTP/1.1 414 URI Too Long"),
        (
            large.as_str(),
            "HTTP/1.1 431 Request Header Fields Too Large",
        ),
        (
            "GET / HTTP/1.2\r\n\r\n",
            "HTTP/1.1 505 HTTP Version Not Supported",
        ),
        (
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "HTTP/1.1 400 Bad Request",
        ),
        (
            "\x16\x03\x01\x02\x00\x01\x00\x01\x03\x03",
            "HTTP/1.1 400 Bad Request",
        ),
    ];
    let mut server = Server::echo();
    for (request, status) in cases {
        let mut client = server.client();
        client.send(request);
        client.expect(
            &mut server,
            &format!("{status}\r\nConnection: close\r\n\r\n"),
        );
        client.send(get("/never"));
        client.shut();
        assert_eq!(client.expect_end(&mut server), "");
    }
    assert!(server.targets().is_empty());
    assert_eq!(server.engine.stats().rejected, cases.len() as u64);
    server.until("no connections", |s| s.engine.connection_count() == 0);
}

#[test]
fn a_refusal_goes_out_behind_the_replies_of_open_exchanges_however_late() {
    let mut server = Server::new(ServerConfig::default(), |_, _| {});
    let mut client = server.client();
    client.send(get("/a") + &get("/b") + BAD);
    server.until("the refusal", |s| s.engine.stats().rejected == 1);
    let ids: Vec<_> = server.log.iter().map(|e| e.id).collect();
    let start = std::time::Instant::now();
    server.until("more than the linger time", |_| {
        start.elapsed().as_millis() > 2_300
    });
    answer(&mut server.engine, ids[1], b"b");
    answer(&mut server.engine, ids[0], b"a");
    client.expect(&mut server, &(answered("a") + &answered("b") + REFUSED));
    client.shut();
    assert_eq!(client.expect_end(&mut server), "");
}

#[test]
fn reports_a_refusal_with_its_bytes_and_leaves_the_answer_to_the_host() {
    let mut server = Server::new(reporting(), |engine, event| {
        if event.is(EventKind::Reject) {
            engine.write_raw(event.id, "HTTP/1.1 418 teapot\r\n\r\n".into());
            engine.end_raw(event.id);
        }
    });
    let mut client = server.client();
    client.send(BAD);
    client.expect(&mut server, "HTTP/1.1 418 teapot\r\n\r\n");
    client.shut();
    client.expect_end(&mut server);
    let reject = server.find(EventKind::Reject);
    assert_eq!(reject.head, BAD);
    assert_eq!(reject.words[7], 400);
    let index = reject.words[6] as usize;
    let reason = fulmar_http1::Reject::ALL[index];
    assert_eq!(reason, fulmar_http1::Reject::HostRepeated);
    server.until("the close", |s| s.count(EventKind::ConnectionClosed) == 1);
}

#[test]
fn a_reported_refusal_nobody_answers_is_closed_all_the_same() {
    let mut server = Server::new(reporting(), |_, _| {});
    let mut client = server.client();
    client.send(BAD);
    assert_eq!(client.expect_end(&mut server), "");
    assert_eq!(server.engine.connection_count(), 0);
}

#[test]
fn a_head_that_ends_in_the_middle_is_refused() {
    let mut server = Server::echo();
    let mut client = server.client();
    client.send("GET / HTTP/1.1\r\nHost:");
    server.settle();
    client.shut();
    assert_eq!(client.expect_end(&mut server), REFUSED);
    server.settle();
    assert_eq!(server.engine.connection_count(), 0);
}

#[test]
fn content_that_ends_in_the_middle_aborts_its_exchange_without_a_reply() {
    let length = "POST /c HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc".to_owned();
    for request in [length, format!("{CHUNKED}5\r\nabc")] {
        let mut server = Server::echo();
        let mut client = server.client();
        client.send(get("/a") + &request);
        client.expect(&mut server, &answered("/a:"));
        client.shut();
        assert_eq!(client.expect_end(&mut server), "");
        let abort = server.find(EventKind::Abort);
        assert_eq!(abort.reason(), AbortReason::PeerClosed as u32);
        server.settle();
        assert_eq!(server.engine.connection_count(), 0);
    }
}

#[test]
fn a_broken_chunk_aborts_the_exchange_and_is_refused_if_no_reply_has_begun() {
    for bad in ["zz\r\n", "3\r\nabcd\r\n", "-1\r\n", "1\r\na\nx"] {
        let mut server = Server::echo();
        let mut client = server.client();
        client.send(format!("{CHUNKED}2\r\nok\r\n{bad}"));
        client.expect(&mut server, REFUSED);
        client.send(get("/never"));
        client.shut();
        assert_eq!(client.expect_end(&mut server), "");
        let abort = server.find(EventKind::Abort);
        assert_eq!(abort.reason(), AbortReason::Framing as u32);
        assert_eq!(server.targets(), ["/c"]);
    }
}

#[test]
fn a_broken_chunk_behind_an_open_exchange_leaves_that_one_its_reply() {
    let mut server = Server::new(ServerConfig::default(), |engine, event| {
        if event.has(event_flag::CONTENT_STREAMED) && event.is(EventKind::Request) {
            engine.read_content(event.id);
        }
    });
    let mut client = server.client();
    client.send(format!("{}{CHUNKED}zz\r\n", get("/a")));
    server.until("the abort", |s| s.count(EventKind::Abort) == 1);
    let first = server.find(EventKind::Request).id;
    answer(&mut server.engine, first, b"a");
    client.expect(&mut server, &(answered("a") + REFUSED));
}

#[test]
fn a_broken_chunk_behind_a_given_reply_does_not_take_the_reply_away() {
    let mut server = Server::new(ServerConfig::default(), |engine, event| {
        if event.is(EventKind::Request) {
            answer(engine, event.id, b"early");
        }
    });
    let mut client = server.client();
    client.send(CHUNKED);
    client.expect(&mut server, &answered("early"));
    client.send(format!("zz\r\n{}", get("/never")));
    client.shut();
    assert_eq!(client.expect_end(&mut server), "");
    assert_eq!(server.targets(), ["/c"]);
    assert_eq!(server.engine.stats().rejected, 1);
}

#[test]
fn a_broken_chunk_in_the_middle_of_a_streamed_reply_ends_the_connection() {
    let mut server = Server::new(ServerConfig::default(), |engine, event| {
        if event.is(EventKind::Request) {
            engine.start(event.id, support::head(support::KEEP_ALIVE), Some(10));
            engine.write(event.id, "abc".into());
            engine.read_content(event.id);
        }
    });
    let mut client = server.client();
    client.send(CHUNKED);
    server.until("the request", |s| s.count(EventKind::Request) == 1);
    client.send("zz\r\n");
    assert!(client.expect_end(&mut server).ends_with("abc"));
    assert_eq!(server.count(EventKind::Abort), 1);
}

#[test]
fn connect_without_a_listener_gets_no_handler_and_the_connection_ends() {
    let mut server = Server::new(ServerConfig::default(), echo_host());
    let mut client = server.client();
    client.send("CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n");
    client.shut();
    client.expect_end(&mut server);
    assert!(server.targets().is_empty());
    assert_eq!(server.count(EventKind::Upgrade), 0);
}

#[test]
fn a_missing_host_is_answered_by_the_engine_even_when_the_host_wants_to_know_of_refusals() {
    let mut server = Server::new(reporting(), echo_host());
    for (method, end) in [
        ("GET", "\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        ("HEAD", "\r\n\r\n"),
    ] {
        let mut client = server.client();
        client.send(format!(
            "{method} / HTTP/1.1\r\nX: y\r\n\r\n{}",
            get("/never")
        ));
        client.shut();
        let reply = client.expect_end(&mut server);
        let start = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nDate: ";
        assert!(reply.starts_with(start), "{reply}");
        assert_eq!(
            &reply[start.len() + "Sun, 06 Nov 1994 08:49:37 GMT".len()..],
            end
        );
    }
    assert!(server.targets().is_empty());
    assert_eq!(server.count(EventKind::Reject), 0);
    assert_eq!(server.engine.stats().rejected, 2);
}
