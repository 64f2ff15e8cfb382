//! Memory that is the host's or the program's: what may be written again, what is asked for anew, how much waits at most.

mod support;

use std::cell::Cell;
use std::rc::Rc;

use fulmar_engine::{
    Body, Engine, EventKind, LentContent, NextSlab, ServerConfig, Slab, reply_flag,
};
use support::{KEEP_ALIVE, Seen, Server, answer, get, head};

const CONTENT_GONE: u32 = 8;
/// More than a peer's system takes before it is read.
const HUGE: usize = 8_000_000;
const SLAB_BYTES: usize = 32 * 1024;

/// A program's buffer, which it may detach.
#[derive(Debug)]
struct Buffer {
    bytes: Vec<u8>,
    detached: Rc<Cell<bool>>,
}

impl LentContent for Buffer {
    fn bytes(&self) -> &[u8] {
        if self.detached.get() {
            &[]
        } else {
            &self.bytes
        }
    }
}

fn silent() -> Server {
    Server::new(ServerConfig::default(), |_: &mut Engine, _: &Seen| {})
}

fn lent(size: usize) -> (Body<'static>, Rc<Cell<bool>>) {
    let detached = Rc::new(Cell::new(false));
    let bytes = vec![b'x'; size];
    let buffer = Buffer {
        bytes,
        detached: Rc::clone(&detached),
    };
    (Body::Lent(Box::new(buffer)), detached)
}

#[test]
fn a_lent_body_is_sent_at_once_as_far_as_the_system_takes_it() {
    let mut server = silent();
    let mut client = server.client();
    client.send(get("/"));
    server.until("the request", |s| s.count(EventKind::Request) == 1);
    let id = server.find(EventKind::Request).id;
    let (body, detached) = lent(50_000);
    server.engine.reply(id, head(KEEP_ALIVE), body);
    detached.set(true); // Nobody asks for it any more.
    server.until("the reply", |_| {
        client.poll();
        client.got.len() > 50_000
    });
    assert!(client.got.ends_with(&vec![b'x'; 50_000]));
    assert_eq!(server.engine.connection_count(), 1);
}

#[test]
fn a_lent_body_that_is_taken_away_ends_the_connection_and_nothing_else() {
    let mut server = silent();
    let (mut client, mut other) = (server.client(), server.client());
    client.send(get("/"));
    other.send(get("/other"));
    server.until("the requests", |s| s.count(EventKind::Request) == 2);
    let ids: Vec<_> = server
        .log
        .iter()
        .map(|e| (e.target.clone(), e.id))
        .collect();
    let of = |target: &str| ids.iter().find(|(t, _)| t == target).expect("seen").1;
    let (body, detached) = lent(HUGE);
    let reply = head(KEEP_ALIVE | reply_flag::WANTS_SENT);
    server.engine.reply(of("/"), reply, body);
    detached.set(true);
    server.until("the end", |s| {
        client.poll();
        s.count(EventKind::Abort) == 1
    });
    assert_eq!(server.find(EventKind::Abort).reason(), CONTENT_GONE);
    answer(&mut server.engine, of("/other"), b"well");
    server.until("the other", |_| {
        other.poll();
        other.text().ends_with("well")
    });
}

#[test]
fn a_lent_piece_longer_than_the_declared_length_is_cut() {
    let mut server = silent();
    let mut client = server.client();
    client.send(get("/"));
    server.until("the request", |s| s.count(EventKind::Request) == 1);
    let id = server.find(EventKind::Request).id;
    server.engine.start(id, head(KEEP_ALIVE), Some(20_000));
    server.engine.write(id, lent(30_000).0);
    server.engine.end(id, &[]);
    server.until("the reply", |_| {
        client.poll();
        client.got.len() >= 20_000
    });
    server.settle();
    client.poll();
    let text = client.text();
    assert_eq!(text.matches('x').count(), 20_000);
}

/// One turn on a slab that begins at `cursor`.
fn turn(server: &mut Server, memory: &mut [u8], cursor: usize) -> (usize, NextSlab) {
    let mut slab = Slab::new(memory, cursor);
    server.engine.turn(&mut slab).expect("turn");
    let events = server.engine.events().len();
    let next = NextSlab::after(&slab, true);
    server.engine.clear_events();
    (events, next)
}

#[test]
fn heads_stay_in_the_slab_and_content_makes_room_again() {
    let mut server = silent();
    let mut client = server.client();
    let mut memory = vec![0; SLAB_BYTES];
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
    server.until("the request", |s| s.count(EventKind::Request) == 1);
    let id = server.find(EventKind::Request).id;
    server.engine.read_content(id);
    let mut received = 0;
    for _ in 0..50 {
        client.send([b'c'; 3_000]);
        let (events, next) = turn(&mut server, &mut memory, 100);
        received += events;
        assert_eq!(
            next,
            NextSlab {
                cursor: 100,
                bytes: 0
            }
        );
    }
    assert!(received > 0);
    let mut second = server.client();
    second.send(get("/second"));
    let mut cursor = 100;
    while cursor == 100 {
        cursor = turn(&mut server, &mut memory, 100).1.cursor;
    }
    assert!(cursor > 100 + get("/second").len(), "{cursor}");
}

#[test]
fn nothing_makes_room_while_events_are_not_handed_over() {
    let mut server = silent();
    let mut client = server.client();
    let mut memory = vec![0; SLAB_BYTES];
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
    server.until("the request", |s| s.count(EventKind::Request) == 1);
    let id = server.find(EventKind::Request).id;
    server.engine.read_content(id);
    client.send([b'c'; 3_000]);
    loop {
        let mut slab = Slab::new(&mut memory, 0);
        server.engine.turn(&mut slab).expect("turn");
        if !server.engine.events().is_empty() {
            let next = NextSlab::after(&slab, false);
            assert_eq!(next.bytes, 0);
            assert!(next.cursor >= 3_000);
            return;
        }
    }
}

#[test]
fn more_room_is_asked_for_where_the_slab_is_too_small_and_only_there() {
    let mut server = silent();
    let mut client = server.client();
    let mut memory = vec![0; 6 * 1024];
    let head = format!("GET /{} HTTP/1.1\r\nHost: a\r\n\r\n", "x".repeat(8_000));
    client.send(&head);
    let mut asked = 0;
    while asked == 0 {
        asked = turn(&mut server, &mut memory, 0).1.bytes;
    }
    assert!(asked as usize > head.len(), "{asked}");
    let mut memory = vec![0; asked as usize];
    let mut events = 0;
    while events == 0 {
        events = turn(&mut server, &mut memory, 0).0;
    }
    assert_eq!(server.engine.exchange_count(), 1);
}

#[test]
fn a_slab_that_was_taken_away_is_no_room_and_loses_nothing() {
    let mut server = silent();
    let mut client = server.client();
    client.send(get("/"));
    let mut asked = 0;
    while asked == 0 {
        let (events, next) = turn(&mut server, &mut [], 5_000);
        assert_eq!(events, 0);
        asked = next.bytes;
    }
    server.until("the request", |s| s.count(EventKind::Request) == 1);
    assert_eq!(server.targets(), ["/"]);
}

/// Requests that begin before the peer has taken a byte, when each is answered with `size` bytes at once.
fn begun(server: &mut Server, first: &str) -> usize {
    let mut client = server.client();
    client.send(get(first) + &get("/").repeat(15));
    server.until("a request", |s| s.count(EventKind::Request) > 0);
    server.settle();
    server.count(EventKind::Request)
}

#[test]
fn a_pipeline_of_large_replies_waits_for_the_peer() {
    let mut server = Server::new(
        ServerConfig::default(),
        |engine: &mut Engine, event: &Seen| {
            if event.is(EventKind::Request) {
                answer(engine, event.id, &vec![b'x'; HUGE]);
            }
        },
    );
    assert!(begun(&mut server, "/") <= 4);
}

#[test]
fn replies_held_for_an_earlier_one_count_as_waiting() {
    let mut server = Server::new(
        ServerConfig::default(),
        |engine: &mut Engine, event: &Seen| {
            if event.is(EventKind::Request) && event.target == "/" {
                answer(engine, event.id, &vec![b'x'; 100_000]);
            }
        },
    );
    assert!(begun(&mut server, "/wait") <= 4);
}

#[test]
fn files_of_a_pipeline_wait_for_the_peer_like_memory() {
    let path = std::env::temp_dir().join(format!("fulmar-pipeline-{}", std::process::id()));
    std::fs::write(&path, vec![b'f'; HUGE]).expect("a file");
    let opened = path.clone();
    let mut server = Server::new(
        ServerConfig::default(),
        move |engine: &mut Engine, event: &Seen| {
            if event.is(EventKind::Request) {
                let file = std::fs::File::open(&opened).expect("the file");
                engine.start(event.id, head(KEEP_ALIVE), Some(HUGE as u64));
                engine.send_file(event.id, file, 0, HUGE as u64);
            }
        },
    );
    let begun = begun(&mut server, "/");
    std::fs::remove_file(&path).expect("removed");
    assert!(begun <= 4, "{begun}");
}

#[test]
fn a_pipeline_of_small_replies_is_answered_whole() {
    let mut server = Server::echo();
    let mut client = server.client();
    client.send(get("/").repeat(1_000));
    server.until("all", |s| {
        client.poll();
        s.engine.stats().replies == 1_000
    });
}

#[test]
fn a_trailer_section_waits_for_room_and_is_never_lost() {
    let mut server = silent();
    let mut client = server.client();
    client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    server.until("the request", |s| s.count(EventKind::Request) == 1);
    let id = server.find(EventKind::Request).id;
    server.engine.read_content(id);
    let chunk = format!(
        "1388\r\n{}\r\n0\r\nT: {}\r\n\r\n",
        "c".repeat(5_000),
        "t".repeat(900)
    );
    client.send(&chunk);
    // All of the slab but a little is in use: there is room for the content, none for a copy of the trailer section.
    let mut memory = vec![0; chunk.len() + 100];
    let mut seen = Vec::new();
    while !seen.contains(&(EventKind::Content as u8)) {
        let mut slab = Slab::new(&mut memory, 0);
        server.engine.turn(&mut slab).expect("turn");
        seen.extend(
            server
                .engine
                .events()
                .iter()
                .map(fulmar_engine::Event::kind),
        );
        server.engine.clear_events();
    }
    assert!(!seen.contains(&(EventKind::ContentEnd as u8)));
    server.until("the end", |s| s.count(EventKind::ContentEnd) == 1);
    let fields = server.find(EventKind::ContentEnd).fields;
    assert_eq!(fields, [("T".to_owned(), "t".repeat(900))]);
}
