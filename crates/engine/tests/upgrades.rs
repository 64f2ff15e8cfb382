//! Upgrades: accepted, declined, and the raw byte stream that follows.

mod support;

use std::cell::RefCell;
use std::rc::Rc;

use bytes::Bytes;
use fulmar_engine::{ContentAfterUpgrade, EventKind, Id, ServerConfig, WriteStatus, event_flag};
use support::{Client, End, Server, answer, answered, get};

const UPGRADE: &str = "GET /u HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n";
const SWITCHED: &str = "HTTP/1.1 101 Switching Protocols\r\n\r\n";

fn config() -> ServerConfig {
    ServerConfig {
        accept_upgrade: true,
        accept_connect: true,
        ..ServerConfig::default()
    }
}

/// A server that has accepted one upgrade and put back what had come with it.
fn upgraded(extra: &str) -> (Server, Client, Id, Vec<u8>) {
    let mut server = Server::new(config(), |_, _| {});
    let mut client = server.client();
    client.send(format!("{UPGRADE}{extra}"));
    server.until("the upgrade", |s| s.count(EventKind::Upgrade) == 1);
    server.settle();
    let event = server.find(EventKind::Upgrade);
    let first_bytes = server.engine.accept_upgrade(event.id);
    let connection = event.connection;
    server.engine.write_raw(connection, SWITCHED.into());
    server.engine.flush();
    client.expect(&mut server, SWITCHED);
    (server, client, connection, first_bytes)
}

#[test]
fn hands_over_early_bytes_then_raw_data_only_while_not_paused() {
    let (mut server, mut client, id, first) = upgraded("early");
    assert_eq!(first, b"early");
    client.send("one");
    server.settle();
    assert_eq!(server.count(EventKind::RawData), 0);
    server.engine.pause_raw(id, false);
    server.until("raw data", |s| s.count(EventKind::RawData) == 1);
    assert_eq!(server.find(EventKind::RawData).content, b"one");
    server.engine.pause_raw(id, true);
    client.send("GET / HTTP/1.1\r\n\r\n");
    server.settle();
    assert_eq!(server.count(EventKind::RawData), 1);
    server.engine.pause_raw(id, false);
    server.until("more raw data", |s| s.count(EventKind::RawData) == 2);
    assert!(server.targets().is_empty());
}

#[test]
fn writes_until_full_then_drains() {
    let (mut server, mut client, id, _) = upgraded("");
    let big = Bytes::from(vec![b'x'; 8_000_000]);
    assert_eq!(server.engine.write_raw(id, big.into()), WriteStatus::Full);
    server.settle();
    assert!(server.engine.buffered_raw(id) > 0);
    assert_eq!(server.count(EventKind::ConnectionDrain), 0);
    server.until("the drain", |s| {
        client.poll();
        s.count(EventKind::ConnectionDrain) == 1
    });
    server.until("the rest", |_| {
        client.poll();
        client.got.len() == 8_000_000
    });
}

#[test]
fn each_side_ends_on_its_own_whichever_comes_first() {
    for peer_first in [true, false] {
        let (mut server, mut client, id, _) = upgraded("");
        server.engine.pause_raw(id, false);
        if peer_first {
            client.shut();
            server.until("RawEnd", |s| s.count(EventKind::RawEnd) == 1);
            assert_eq!(server.engine.connection_count(), 1);
            server.engine.write_raw(id, "late".into());
            server.engine.end_raw(id);
        } else {
            server.engine.write_raw(id, "late".into());
            server.engine.end_raw(id);
            assert_eq!(server.engine.write_raw(id, "x".into()), WriteStatus::Gone);
            client.expect(&mut server, "late");
            client.send("still heard");
            server.until("raw data", |s| s.count(EventKind::RawData) == 1);
            client.shut();
        }
        let rest = client.expect_end(&mut server);
        assert_eq!(rest, if peer_first { "late" } else { "" });
        server.until("the close", |s| s.count(EventKind::ConnectionClosed) == 1);
        assert_eq!(server.count(EventKind::RawEnd), 1);
        assert_eq!(server.engine.connection_count(), 0);
    }
}

#[test]
fn destroys_with_an_end_or_a_reset() {
    for (reset, end) in [(false, End::Fin), (true, End::Reset)] {
        let (mut server, mut client, id, _) = upgraded("");
        server.engine.destroy(id, reset);
        client.expect_end(&mut server);
        assert_eq!(client.end, Some(end));
        server.settle();
        assert_eq!(server.count(EventKind::ConnectionClosed), 1);
        server.engine.destroy(id, reset);
        server.engine.end_raw(id);
        server.engine.pause_raw(id, false);
        assert_eq!(server.engine.write_raw(id, "x".into()), WriteStatus::Gone);
        assert!(!server.engine.watch(id));
        server.settle();
    }
}

#[test]
fn a_declined_upgrade_goes_on_as_a_plain_request_with_or_without_content() {
    let with = |framing: &str| UPGRADE.replace("\r\n\r\n", &format!("\r\n{framing}\r\n\r\n"));
    let cases = [
        (UPGRADE.to_owned(), ContentAfterUpgrade::None, ""),
        (
            with("Content-Length: 2") + "hi",
            ContentAfterUpgrade::Streamed,
            "hi",
        ),
        (
            with("Transfer-Encoding: chunked") + "2\r\nhi\r\n0\r\n\r\n",
            ContentAfterUpgrade::Streamed,
            "hi",
        ),
    ];
    for (request, content, body) in cases {
        let expected = content;
        let seen: Rc<RefCell<Vec<u8>>> = Rc::default();
        let mut server = Server::new(config(), move |engine, event| {
            if event.is(EventKind::Upgrade) {
                let content = engine.decline_upgrade(event.id);
                assert_eq!(content, expected);
                if content == ContentAfterUpgrade::None {
                    answer(engine, event.id, b"");
                } else {
                    engine.read_content(event.id);
                }
            } else if event.is(EventKind::Content) {
                seen.borrow_mut().extend_from_slice(&event.content);
            } else if event.is(EventKind::ContentEnd) {
                answer(engine, event.id, &seen.borrow());
            } else if event.is(EventKind::Request) {
                answer(engine, event.id, event.target.as_bytes());
            }
        });
        let mut client = server.client();
        client.send(request + &get("/n"));
        client.expect(&mut server, &(answered(body) + &answered("/n")));
    }
}

#[test]
fn an_upgrade_nobody_listens_for_is_a_plain_request() {
    let mut server = Server::echo();
    let mut client = server.client();
    client.send(UPGRADE);
    client.expect(&mut server, &answered("/u:"));
    assert!(server.find(EventKind::Request).has(event_flag::UPGRADE));
}

#[test]
fn connect_is_an_upgrade() {
    let mut server = Server::new(config(), |_, _| {});
    let mut client = server.client();
    client.send("CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\nbytes");
    server.until("the upgrade", |s| s.count(EventKind::Upgrade) == 1);
    server.settle();
    let event = server.find(EventKind::Upgrade);
    assert_eq!(event.target, "a:80");
    assert_eq!(server.engine.accept_upgrade(event.id), b"bytes");
}

#[test]
fn an_answer_to_an_undecided_upgrade_declines_it() {
    let mut server = Server::new(config(), |engine, event| {
        if event.is(EventKind::Upgrade) || event.is(EventKind::Request) {
            answer(engine, event.id, event.target.as_bytes());
        }
    });
    let mut client = server.client();
    client.send(format!("{UPGRADE}{}", get("/n")));
    client.expect(&mut server, &(answered("/u") + &answered("/n")));
}

#[test]
fn an_undecided_upgrade_is_timed_although_nothing_else_is() {
    let untimed = ServerConfig {
        headers_timeout_ms: 0,
        request_timeout_ms: 0,
        keep_alive_timeout_ms: 0,
        ..config()
    };
    let mut server = Server::new(untimed, |_, _| {});
    let mut client = server.client();
    client.send(UPGRADE);
    server.until("the upgrade", |s| s.count(EventKind::Upgrade) == 1);
    assert!(server.engine.next_timer_at().is_some());
}
