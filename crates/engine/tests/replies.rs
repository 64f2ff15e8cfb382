//! Replies over real sockets: streamed, held, large, from files, interim; what the host is told about them.

mod support;

use std::cell::RefCell;
use std::fs::File;
use std::io::Write as _;
use std::rc::Rc;

use bytes::Bytes;
use fulmar_engine::{
    AbortReason, Body, DIGEST_PLACE_SHIFT, Engine, EventKind, Id, Reply, ServerConfig, WriteStatus,
    reply_flag,
};
use support::{Client, Server, answer, answered, answered_close, get, head};

const STREAMED: u32 =
    reply_flag::KEEP_ALIVE | reply_flag::NO_KEEP_ALIVE_HINT | reply_flag::CHUNKED_FIELD;
const STREAMED_HEAD: &str =
    "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n";

/// A server whose host does nothing, with the given requests received.
fn opened(request: &str, count: usize) -> (Server, Client, Vec<Id>) {
    let mut server = Server::new(ServerConfig::default(), |_, _| {});
    let mut client = server.client();
    client.send(request);
    server.until("the requests", |s| s.count(EventKind::Request) == count);
    let requests = server.log.iter().filter(|e| e.is(EventKind::Request));
    let ids = requests.map(|e| e.id).collect();
    (server, client, ids)
}

fn one() -> (Server, Client, Id) {
    let (server, client, ids) = opened(&get("/"), 1);
    (server, client, ids[0])
}

#[test]
fn streams_a_chunked_reply_with_trailers() {
    let (mut server, mut client, id) = one();
    server.engine.start(id, head(STREAMED), None);
    assert_eq!(server.engine.write(id, "hello".into()), WriteStatus::Room);
    assert_eq!(
        server.engine.write(id, Bytes::new().into()),
        WriteStatus::Room
    );
    server.engine.write(id, "0123456789abcdef!".into());
    server.engine.end(id, b"T: v\r\n");
    let chunks = "5\r\nhello\r\n11\r\n0123456789abcdef!\r\n0\r\nT: v\r\n\r\n";
    client.expect(&mut server, &format!("{STREAMED_HEAD}{chunks}"));
}

#[test]
fn a_complete_reply_may_be_chunked_or_without_content() {
    let (mut server, mut client, ids) = opened(&get("/").repeat(2), 2);
    let engine = &mut server.engine;
    engine.reply(ids[0], head(STREAMED), Body::Copy(b"hi"));
    engine.reply(
        ids[1],
        head(support::KEEP_ALIVE | reply_flag::NO_CONTENT),
        Body::Copy(b"hidden"),
    );
    let without = answered("hidden").replace("\r\n\r\nhidden", "\r\n\r\n");
    client.expect(
        &mut server,
        &format!("{STREAMED_HEAD}2\r\nhi\r\n0\r\n\r\n{without}"),
    );
}

#[test]
fn content_beyond_the_declared_length_is_cut_and_less_closes() {
    let (mut server, mut client, ids) = opened(&get("/").repeat(2), 2);
    for id in &ids {
        server.engine.start(*id, head(support::KEEP_ALIVE), Some(3));
    }
    server.engine.write(ids[0], "abcdef".into());
    server.engine.end(ids[0], b"");
    server.engine.write(ids[1], "x".into());
    server.engine.end(ids[1], b"");
    let cut = answered("abc") + &answered("xyz").replace("xyz", "x");
    assert_eq!(client.expect_end(&mut server), cut);
    assert_eq!(server.engine.stats().length_mismatch, 1);
}

#[test]
fn replies_of_later_exchanges_wait_for_the_first_even_streamed() {
    let (mut server, mut client, ids) = opened(&get("/").repeat(3), 3);
    let engine = &mut server.engine;
    engine.start(ids[1], head(STREAMED), None);
    engine.write(ids[1], "b".into());
    answer(engine, ids[2], b"c");
    engine.send_interim(ids[0], 103, b"Link: x\r\n");
    engine.flush();
    client.expect(&mut server, "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n");
    answer(&mut server.engine, ids[0], b"a");
    server.engine.flush();
    let first = answered("a") + STREAMED_HEAD + "1\r\nb\r\n";
    client.expect(&mut server, &first);
    server.engine.write(ids[1], "B".into());
    server.engine.end(ids[1], b"");
    client.expect(
        &mut server,
        &format!("1\r\nB\r\n0\r\n\r\n{}", answered("c")),
    );
}

#[test]
fn a_closing_reply_ends_the_exchanges_behind_it() {
    let (mut server, mut client, ids) = opened(&get("/").repeat(3), 3);
    let flags = reply_flag::CLOSE_FIELD | reply_flag::CONTENT_LENGTH | reply_flag::WANTS_SENT;
    answer(&mut server.engine, ids[2], b"held");
    server
        .engine
        .reply(ids[0], head(flags), Body::Copy(b"last"));
    assert_eq!(client.expect_end(&mut server), answered_close("last"));
    server.settle();
    assert_eq!(server.count(EventKind::Abort), 2);
    assert_eq!(server.find(EventKind::Sent).id, ids[0]);
    assert_eq!(server.engine.connection_count(), 0);
}

#[test]
fn a_second_reply_and_stale_ids_change_nothing() {
    let (mut server, mut client, id) = one();
    let engine = &mut server.engine;
    answer(engine, id, b"a");
    answer(engine, id, b"b");
    engine.start(id, head(STREAMED), None);
    assert_eq!(engine.write(id, "x".into()), WriteStatus::Gone);
    engine.end(id, b"");
    engine.send_interim(id, 100, b"");
    engine.read_content(id);
    engine.discard_content(id);
    engine.pause_content(id);
    engine.abort(id);
    assert!(engine.accept_upgrade(id).is_empty());
    client.expect(&mut server, &answered("a"));
    client.send(get("/"));
    server.until("the next", |s| s.count(EventKind::Request) == 2);
    let next = server.log.last().expect("an event").id;
    assert_eq!(next.slot, id.slot, "the slot is reused");
    answer(&mut server.engine, id, b"stale");
    answer(&mut server.engine, next, b"fresh");
    client.expect(&mut server, &answered("fresh"));
}

#[test]
fn large_shared_bodies_reach_a_slow_reader_whole_and_sent_comes_last() {
    let (mut server, mut client, ids) = opened(&get("/").repeat(2), 2);
    let body: Vec<u8> = (0..9_000_000_u32).map(|i| i.to_le_bytes()[1]).collect();
    let flags = support::KEEP_ALIVE | reply_flag::WANTS_SENT;
    let shared = Bytes::from(body.clone());
    server
        .engine
        .reply(ids[0], head(flags), Body::Shared(shared.clone()));
    server
        .engine
        .reply(ids[1], head(flags), Body::Shared(shared));
    server.settle();
    assert_eq!(server.count(EventKind::Sent), 0);
    server.until("everything", |_| {
        client.poll();
        client.got.len() >= 18_000_000
    });
    server.settle();
    assert_eq!(server.count(EventKind::Sent), 2);
    assert!(client.got[..9_000_200].ends_with(&body[..]) || client.got.ends_with(&body));
    assert_eq!(client.got.len(), 2 * (body.len() + answered("").len() + 6));
}

#[test]
fn the_end_of_a_small_reply_is_told_of_before_it_is_sent_once() {
    let (mut server, mut client, id) = one();
    let flags = support::KEEP_ALIVE | reply_flag::WANTS_SENT;
    let engine = &mut server.engine;
    engine.reply(id, head(flags), Body::Copy(b"small"));
    engine.tell_awaited();
    let told: Vec<Id> = engine
        .events()
        .iter()
        .map(fulmar_engine::Event::id)
        .collect();
    assert_eq!(told, [id]);
    client.poll();
    assert!(client.got.is_empty());
    client.expect(&mut server, &answered("small"));
    server.settle();
    assert_eq!(server.count(EventKind::Sent), 1);
}

#[test]
fn the_end_of_what_has_to_wait_is_told_of_when_it_is_sent() {
    let (mut server, mut client, ids) = opened(&get("/").repeat(2), 2);
    let flags = support::KEEP_ALIVE | reply_flag::WANTS_SENT;
    let engine = &mut server.engine;
    let large = Bytes::from(vec![b'x'; 20_000_000]);
    engine.reply(ids[0], head(flags), Body::Shared(large));
    engine.tell_awaited();
    engine.reply(ids[1], head(flags), Body::Copy(b"small"));
    engine.tell_awaited();
    assert!(engine.events().is_empty());
    server.until("everything", |_| {
        client.poll();
        client.got.ends_with(b"small")
    });
    server.settle();
    assert_eq!(server.count(EventKind::Sent), 2);
}

#[test]
fn write_says_wait_and_drain_says_go_on() {
    let (mut server, mut client, id) = one();
    server.engine.start(id, head(STREAMED), None);
    let piece = Bytes::from(vec![b'x'; 3_000_000]);
    assert_eq!(
        server.engine.write(id, piece.clone().into()),
        WriteStatus::Full
    );
    assert!(server.engine.buffered(id) >= 3_000_000);
    server.engine.write(id, piece.into());
    server.settle();
    assert_eq!(server.count(EventKind::Drain), 0);
    server.until("Drain", |s| {
        client.poll();
        s.count(EventKind::Drain) == 1
    });
    assert_eq!(server.engine.write(id, "y".into()), WriteStatus::Room);
}

#[test]
fn going_on_writing_without_waiting_ends_the_connection_but_one_large_write_does_not() {
    let (mut server, mut client, id) = one();
    server.engine.start(id, head(STREAMED), None);
    let large = Bytes::from(vec![b'x'; 20_000_000]);
    assert_eq!(
        server.engine.write(id, large.clone().into()),
        WriteStatus::Full
    );
    // Nothing could have been sent in between: still one write, as far as the peer is concerned.
    assert_eq!(server.engine.write(id, "more".into()), WriteStatus::Full);
    server.step();
    assert_eq!(server.engine.write(id, large.into()), WriteStatus::Gone);
    assert_eq!(server.engine.stats().reply_overflow, 1);
    server.settle();
    let abort = server.find(EventKind::Abort);
    assert_eq!(
        (abort.id, abort.reason()),
        (id, AbortReason::Overflow as u32)
    );
    client.expect_end(&mut server);
}

fn file_of(bytes: usize) -> (File, std::path::PathBuf) {
    static SERIAL: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let serial = SERIAL.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let name = format!("fulmar-engine-{}-{serial}", std::process::id());
    let path = std::env::temp_dir().join(name);
    let mut file = File::create(&path).expect("create");
    file.write_all(&vec![b'f'; bytes]).expect("write");
    (File::open(&path).expect("open"), path)
}

#[test]
fn sends_parts_of_files_small_and_large_with_a_length_and_chunked() {
    let size = 5_000_000;
    let (file, path) = file_of(size);
    let (mut server, mut client, ids) = opened(&get("/").repeat(3), 3);
    let again = || file.try_clone().expect("clone");
    let engine = &mut server.engine;
    for (id, length) in [(ids[0], 10), (ids[1], size as u64 - 1)] {
        engine.start(id, head(support::KEEP_ALIVE), Some(length));
        engine.send_file(id, again(), 1, length);
    }
    engine.start(ids[2], head(STREAMED), None);
    engine.send_file(ids[2], again(), 0, 17);
    std::fs::remove_file(path).expect("remove");
    let expected = answered(&"f".repeat(10)) + &answered(&"f".repeat(size - 1));
    let chunked = format!("{STREAMED_HEAD}11\r\n{}\r\n0\r\n\r\n", "f".repeat(17));
    let expected = expected + &chunked;
    server.until("all of it", |_| {
        client.poll();
        client.got.len() >= expected.len()
    });
    assert!(client.text() == expected);
}

#[test]
fn a_file_that_is_cut_ends_the_reply_and_the_connection() {
    let size = 32_000_000;
    let (file, path) = file_of(size);
    std::fs::remove_file(path).expect("remove");
    let (mut server, mut client, ids) = opened(&get("/").repeat(3), 3);
    let flags = support::KEEP_ALIVE | reply_flag::WANTS_SENT;
    for id in [ids[0], ids[1]] {
        server.engine.start(id, head(flags), Some(size as u64));
        let file = file.try_clone().expect("clone");
        server.engine.send_file(id, file, 0, size as u64);
    }
    server.settle();
    assert_eq!(server.count(EventKind::Sent), 0);
    assert!(server.engine.cut_file(ids[0]));
    assert!(!server.engine.cut_file(ids[0]));
    server.settle();
    assert_eq!(server.find(EventKind::Sent).id, ids[0]);
    let ends = server.log.iter().filter(|e| e.is(EventKind::Abort));
    let mut aborted: Vec<Id> = ends.map(|e| e.id).collect();
    aborted.sort_by_key(|id| id.slot);
    assert_eq!(aborted, [ids[1], ids[2]]);
    let got = client.expect_end(&mut server);
    assert!(got.len() < size && got.ends_with('f'));
    assert_eq!(server.engine.stats().length_mismatch, 1);
    assert!(!server.engine.cut_file(ids[0]));
}

#[test]
fn a_file_is_cut_behind_another_reply_and_before_it_is_sent() {
    let (file, path) = file_of(1_000);
    std::fs::remove_file(path).expect("remove");
    let (mut server, mut client, ids) = opened(&get("/").repeat(2), 2);
    let flags = support::KEEP_ALIVE | reply_flag::WANTS_SENT;
    server.engine.start(ids[1], head(flags), Some(1_000));
    server.engine.send_file(ids[1], file, 0, 1_000);
    assert!(server.engine.cut_file(ids[1]));
    answer(&mut server.engine, ids[0], b"first");
    let got = client.expect_end(&mut server);
    assert!(
        got.starts_with(&answered("first")) && got.ends_with("Length: 1000\r\n\r\n"),
        "{got}"
    );
    server.settle();
    assert_eq!(server.find(EventKind::Sent).id, ids[1]);
}

#[test]
fn a_file_that_is_shorter_than_promised_aborts_the_connection() {
    let (file, path) = file_of(1_000);
    std::fs::remove_file(path).expect("remove");
    let (mut server, mut client, id) = one();
    let flags = support::KEEP_ALIVE | reply_flag::WANTS_SENT;
    server.engine.start(id, head(flags), Some(2_000));
    server.engine.send_file(id, file, 0, 2_000);
    let got = client.expect_end(&mut server);
    assert!(got.ends_with(&"f".repeat(1_000)) && got.contains("Length: 2000"));
    server.settle();
    assert_eq!(
        server.find(EventKind::Abort).reason(),
        AbortReason::Io as u32
    );
}

#[test]
fn interim_replies_come_before_the_reply_and_never_after_or_for_http_1_0() {
    let (mut server, mut client, id) = one();
    server.engine.send_interim(id, 102, b"");
    answer(&mut server.engine, id, b"x");
    server.engine.send_interim(id, 102, b"");
    let expected = format!("HTTP/1.1 102 Processing\r\n\r\n{}", answered("x"));
    client.expect(&mut server, &expected);
    client.send("GET / HTTP/1.0\r\n\r\n");
    server.until("the next", |s| s.count(EventKind::Request) == 2);
    let id = server.log.last().expect("an event").id;
    server.engine.send_interim(id, 102, b"");
    answer(&mut server.engine, id, b"y");
    client.expect(&mut server, &answered_close("y"));
}

#[test]
fn a_peer_that_goes_away_is_told_once_per_open_exchange() {
    let (mut server, client, ids) = opened(&get("/").repeat(3), 3);
    let told: Rc<RefCell<Vec<Id>>> = Rc::default();
    drop(client);
    server.until("the aborts", |s| s.count(EventKind::Abort) == 3);
    server.settle();
    for event in server.log.iter().filter(|e| e.is(EventKind::Abort)) {
        told.borrow_mut().push(event.id);
    }
    assert_eq!(*told.borrow(), ids);
    assert_eq!(server.engine.connection_count(), 0);
}

#[test]
fn writes_the_digest_and_the_keep_alive_hint() {
    let config = ServerConfig {
        requests_per_connection_max: 7,
        keep_alive_timeout_ms: 5_000,
        ..ServerConfig::default()
    };
    let mut server = Server::new(config, |engine: &mut Engine, event| {
        if event.is(EventKind::Request) {
            let block = b"ETag: W/\"b-000000000000000000000000000\"\r\n";
            let flags = reply_flag::KEEP_ALIVE
                | reply_flag::CONTENT_LENGTH
                | reply_flag::DIGEST
                | (30 << DIGEST_PLACE_SHIFT);
            let reply = Reply {
                status: 299,
                reason: Some(b"Fine"),
                block,
                flags,
            };
            let tag = engine.reply(event.id, reply, Body::Copy(b"Hello World"));
            assert_eq!(&tag.unwrap(), b"Ck1VqNd45QIvq3AZd8XYQLvEhtA");
            assert_eq!(engine.reply(event.id, reply, Body::None), None, "answered");
        }
    });
    let mut client = server.client();
    client.send(get("/"));
    let expected = "HTTP/1.1 299 Fine\r\nETag: W/\"b-Ck1VqNd45QIvq3AZd8XYQLvEhtA\"\r\n\
        Connection: keep-alive\r\nKeep-Alive: timeout=5, max=7\r\nContent-Length: 11\r\n\r\nHello World";
    client.expect(&mut server, expected);
}

#[test]
fn writes_the_digest_where_it_is_asked_for_and_never_outside_of_the_block() {
    const EMPTY: &str = "2jmj7l5rSw0yVb/vlWAYkK/YBwk";
    let room = "0".repeat(27);
    let cases = [
        (
            format!("A: {room}\r\nB: x\r\n"),
            35,
            format!("A: {EMPTY}\r\nB: x\r\n"),
        ),
        (format!("{room}\r\n"), 29, format!("{EMPTY}\r\n")),
        (format!("A: {room}\r\n"), 26, format!("A: {room}\r\n")),
        (format!("A: {room}\r\n"), 0, format!("A: {room}\r\n")),
        (format!("A: {room}\r\n"), 33, format!("A: {room}\r\n")),
        (format!("A: {room}\r\n"), 0xffff, format!("A: {room}\r\n")),
        (String::new(), 27, String::new()),
    ];
    for (block, from_end, expected) in cases {
        let mut server = Server::new(
            ServerConfig::default(),
            move |engine: &mut Engine, event| {
                if event.is(EventKind::Request) {
                    let flags = reply_flag::CLOSE_AFTER
                        | reply_flag::DIGEST
                        | (from_end << DIGEST_PLACE_SHIFT);
                    let reply = Reply {
                        status: 204,
                        reason: None,
                        block: block.as_bytes(),
                        flags,
                    };
                    engine.reply(event.id, reply, Body::None);
                }
            },
        );
        let mut client = server.client();
        client.send(get("/"));
        client.expect(
            &mut server,
            &format!("HTTP/1.1 204 No Content\r\n{expected}\r\n"),
        );
    }
}
