//! A peer that leaves while nothing is read from it: a reset is noticed in every state, an orderly end where
//! Node would have read it.

mod support;

use std::time::Duration;

use fulmar_engine::{Body, Engine, EventKind, Id, ServerConfig, event_flag, reply_flag};
use socket2::SockRef;
use support::{Client, Seen, Server, answer, answered, get, head};

const ORDERLY: u32 = 0;
const PEER_CLOSED: u32 = 1;
const PEER_RESET: u32 = 2;
/// More than a peer's system takes before it is read.
const HUGE: usize = 8_000_000;

/// How a peer leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leave {
    Reset,
    Close,
    HalfClose,
}

const LEAVES: [Leave; 3] = [Leave::Reset, Leave::Close, Leave::HalfClose];

fn leave(client: Client, how: Leave) -> Option<Client> {
    match how {
        Leave::Reset => SockRef::from(&client.stream)
            .set_linger(Some(Duration::ZERO))
            .expect("linger"),
        Leave::Close => {}
        Leave::HalfClose => {
            client.shut();
            return Some(client);
        }
    }
    None
}

/// A server that does with a request what its target says.
fn server(config: ServerConfig) -> Server {
    Server::new(config, |engine: &mut Engine, event: &Seen| {
        if event.is(EventKind::Content) && event.content.ends_with(b"!") {
            engine.pause_content(event.id);
        }
        if event.is(EventKind::Upgrade) {
            engine.accept_upgrade(event.id);
        }
        if !event.is(EventKind::Request) {
            return;
        }
        match event.target.as_str() {
            "/read" => engine.read_content(event.id),
            "/huge" => answer(engine, event.id, &vec![b'x'; HUGE]),
            _ => {}
        }
    })
}

/// Requests in states in which nothing is read, and how many exchanges are open then.
fn stopped() -> Vec<(&'static str, String, usize)> {
    let post = |target: &str, length: usize, content: &str| {
        format!("POST {target} HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n{content}")
    };
    vec![
        ("content that nobody asks for", post("/wait", 10, ""), 1),
        ("a part of content", post("/wait", 10, "01234"), 1),
        (
            "chunked content",
            "POST /wait HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab".into(),
            1,
        ),
        (
            "an expectation",
            "POST /wait HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
                .into(),
            1,
        ),
        ("a full pipeline", get("/wait").repeat(20), 16),
        (
            "a pipeline and half a head",
            get("/wait").repeat(16) + "GET /",
            16,
        ),
    ]
}

#[test]
fn a_peer_that_leaves_is_noticed_though_nothing_is_read_from_it() {
    for how in LEAVES {
        for (state, bytes, open) in stopped() {
            let mut server = server(ServerConfig::default());
            let mut client = server.client();
            client.send(&bytes);
            server.until(state, |s| s.count(EventKind::Request) == open);
            server.settle();
            assert_eq!(server.count(EventKind::Abort), 0, "{state}");
            let kept = leave(client, how);
            server.until(&format!("{how:?} in {state}"), |s| {
                s.count(EventKind::Abort) == open
            });
            let reason = server.find(EventKind::Abort).reason();
            let expected = if how == Leave::Reset {
                PEER_RESET
            } else {
                PEER_CLOSED
            };
            assert_eq!(reason, expected, "{how:?} in {state}");
            drop(kept);
            server.until("the descriptor", |s| s.engine.connection_count() == 0);
            assert_eq!(server.engine.exchange_count(), 0);
        }
    }
}

#[test]
fn a_reset_is_noticed_behind_a_reply_that_the_peer_does_not_read() {
    let mut server = server(ServerConfig::default());
    let mut client = server.client();
    client.send(get("/huge").repeat(2));
    server.until("a reply", |s| s.engine.stats().replies >= 1);
    server.settle();
    leave(client, Leave::Reset);
    server.until("the end", |s| s.engine.connection_count() == 0);
}

#[test]
fn a_reset_is_noticed_while_content_is_paused_and_while_a_raw_stream_is() {
    let paused = "POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n";
    let raw = "GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n";
    for (head, content, kind) in [
        (paused, "0123!", EventKind::Content),
        (raw, "", EventKind::Upgrade),
    ] {
        let config = ServerConfig {
            accept_upgrade: true,
            ..ServerConfig::default()
        };
        let mut server = server(config);
        let mut client = server.client();
        client.send(head);
        server.until("the head", |s| !s.log.is_empty());
        client.send(content);
        server.until("the state", |s| s.count(kind) == 1);
        server.settle();
        leave(client, Leave::Reset);
        server.until("the end", |s| s.engine.connection_count() == 0);
    }
}

#[test]
fn content_that_is_paused_is_delivered_before_the_end_behind_it() {
    let mut server = server(ServerConfig::default());
    let mut client = server.client();
    client.send("POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n");
    server.until("the head", |s| s.count(EventKind::Request) == 1);
    client.send("0123!");
    server.until("a part", |s| s.count(EventKind::Content) == 1);
    client.send("4567");
    let client = leave(client, Leave::HalfClose);
    for _ in 0..20 {
        server.step();
    }
    assert_eq!(server.count(EventKind::Abort), 0);
    let id = server.find(EventKind::Request).id;
    server.engine.read_content(id);
    server.until("the rest", |s| s.count(EventKind::ContentEnd) == 1);
    drop(client);
}

#[test]
fn content_asked_for_at_once_comes_whole_although_the_peer_has_ended() {
    let mut server = server(ServerConfig::default());
    let mut client = server.client();
    let content = "x".repeat(40_000);
    client.send(format!(
        "POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 40000\r\n\r\n{content}"
    ));
    let client = leave(client, Leave::HalfClose);
    server.until("the end of it", |s| s.count(EventKind::ContentEnd) == 1);
    assert!(
        server
            .find(EventKind::Request)
            .has(event_flag::CONTENT_STREAMED)
    );
    drop(client);
}

#[test]
fn a_peer_may_end_its_side_where_half_open_connections_are_allowed() {
    for bytes in [get("/wait"), get("/wait").repeat(20)] {
        let config = ServerConfig {
            allow_half_open: true,
            ..ServerConfig::default()
        };
        let mut server = server(config);
        let mut client = server.client();
        client.send(&bytes);
        server.until("requests", |s| s.count(EventKind::Request) >= 1);
        server.settle();
        let mut client = leave(client, Leave::HalfClose).expect("kept");
        for _ in 0..20 {
            server.step();
        }
        assert_eq!(server.count(EventKind::Abort), 0);
        let id = server.find(EventKind::Request).id;
        answer(&mut server.engine, id, b"late");
        let reply = answered("late");
        server.until("the reply", |_| {
            client.poll();
            client.text().starts_with(&reply)
        });
    }
}

#[test]
fn a_peer_that_ends_its_side_gets_what_waits_for_it() {
    let mut server = server(ServerConfig::default());
    let mut client = server.client();
    client.send(get("/huge"));
    server.until("a reply", |s| s.engine.stats().replies >= 1);
    server.settle();
    let mut client = leave(client, Leave::HalfClose).expect("kept");
    let text = client.expect_end(&mut server);
    assert!(text.ends_with(&"x".repeat(HUGE)), "{}", text.len());
    server.until("the end", |s| s.engine.connection_count() == 0);
}

#[test]
fn a_reset_behind_an_end_that_was_told_is_no_error() {
    let config = ServerConfig {
        accept_upgrade: true,
        ..ServerConfig::default()
    };
    let mut server = server(config);
    let mut client = server.client();
    client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n");
    server.until("the head", |s| s.count(EventKind::Upgrade) == 1);
    let connection = server.find(EventKind::Upgrade).connection;
    assert!(server.engine.watch(connection));
    server.engine.pause_raw(connection, false);
    leave(client, Leave::Close);
    server.until("the end of its side", |s| s.count(EventKind::RawEnd) == 1);
    server.engine.write_raw(connection, Body::Copy(b"late"));
    server.until("the end", |s| s.count(EventKind::ConnectionClosed) == 1);
    assert_eq!(server.find(EventKind::ConnectionClosed).reason(), ORDERLY);
}

#[test]
fn exchanges_end_in_their_order_when_content_breaks_off() {
    for target in ["/wait", "/read"] {
        let mut server = server(ServerConfig::default());
        let mut client = server.client();
        let post = format!("POST {target} HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n0123");
        client.send(get("/wait") + &post);
        server.until("requests", |s| s.count(EventKind::Request) == 2);
        server.settle();
        leave(client, Leave::Close);
        server.until("ends", |s| s.count(EventKind::Abort) == 2);
        assert_eq!(
            ids(&server, EventKind::Abort),
            ids(&server, EventKind::Request)
        );
    }
}

#[test]
fn half_a_head_behind_a_waiting_request_is_refused_before_that_is_over() {
    let config = ServerConfig {
        report_rejects: true,
        ..ServerConfig::default()
    };
    let mut server = server(config);
    let mut client = server.client();
    client.send(get("/wait") + "GET / HT");
    server.until("the request", |s| s.count(EventKind::Request) == 1);
    server.settle();
    let client = leave(client, Leave::HalfClose);
    server.until("the end", |s| s.count(EventKind::Abort) == 1);
    let kinds: Vec<u8> = server.log.iter().map(|event| event.kind).collect();
    let expected = [EventKind::Request, EventKind::Reject, EventKind::Abort];
    assert_eq!(kinds, expected.map(|kind| kind as u8));
    drop(client);
}

#[test]
fn a_refusal_is_sent_at_the_end_of_a_peer_unless_a_reply_has_begun() {
    for (begun, bytes) in [
        (false, "GET / HT"),
        (true, "GET / HT"),
        (true, "NOT HTTP\r\n\r\n"),
    ] {
        let mut server = server(ServerConfig::default());
        let mut client = server.client();
        client.send(get("/wait") + bytes);
        server.until("the request", |s| s.count(EventKind::Request) == 1);
        let id = server.find(EventKind::Request).id;
        if begun {
            let flags = reply_flag::KEEP_ALIVE | reply_flag::CHUNKED;
            server.engine.start(id, head(flags), None);
            server.engine.write(id, Body::Copy(b"part"));
        }
        server.settle();
        let mut client = leave(client, Leave::HalfClose).expect("kept");
        let text = client.expect_end(&mut server);
        assert_eq!(text.contains("400 Bad Request"), !begun, "{text}");
        assert_eq!(text.ends_with("part\r\n"), begun, "{text}");
        server.until("the end", |s| s.engine.connection_count() == 0);
    }
}

#[test]
fn a_lost_connection_is_reported_once_to_a_host_that_asks_for_errors() {
    for (reports, watched) in [(true, false), (true, true), (false, false)] {
        let config = ServerConfig {
            report_rejects: reports,
            ..ServerConfig::default()
        };
        let mut server = server(config);
        let mut client = server.client();
        client.send(get("/wait"));
        server.until("the request", |s| s.count(EventKind::Request) == 1);
        if watched {
            let connection = server.find(EventKind::Request).connection;
            assert!(server.engine.watch(connection));
        }
        leave(client, Leave::Reset);
        server.until("the end", |s| s.count(EventKind::Abort) == 1);
        server.settle();
        let kinds: Vec<u8> = server.log.iter().skip(1).map(|event| event.kind).collect();
        let expected: &[EventKind] = match (reports, watched) {
            (true, false) => &[EventKind::ConnectionLost, EventKind::Abort],
            (_, true) => &[EventKind::Abort, EventKind::ConnectionClosed],
            _ => &[EventKind::Abort],
        };
        let expected: Vec<u8> = expected.iter().map(|kind| *kind as u8).collect();
        assert_eq!(kinds, expected, "{reports} {watched}");
    }
}

fn ids(server: &Server, kind: EventKind) -> Vec<Id> {
    let events = server.log.iter().filter(|event| event.is(kind));
    events.map(|event| event.id).collect()
}
