//! Memory that is the host's or the program's: what may be written again, what is asked for anew, how much
//! waits at most.

mod support;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use fulmar_engine::{
    Body, Engine, EventKind, LentContent, NextSlab, ServerConfig, Slab, reply_flag,
};
use support::{Client, KEEP_ALIVE, SLAB_BYTES, Seen, Server, answer, get, head};

const CONTENT_GONE: u32 = 8;
/// More than a peer's system takes before it is read.
const HUGE: usize = 8_000_000;

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

#[test]
fn heads_stay_in_the_slab_and_content_makes_room_again() {
    let mut server = silent();
    let mut client = server.client();
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
    server.until("the request", |s| s.count(EventKind::Request) == 1);
    let id = server.find(EventKind::Request).id;
    server.engine.read_content(id);
    let kept = server.cursor;
    let mut received = 0;
    for _ in 0..50 {
        client.send([b'c'; 3_000]);
        received += server.turn().len();
        assert_eq!((server.cursor, server.memory.len()), (kept, SLAB_BYTES));
    }
    assert!(received > 0);
    let mut second = server.client();
    second.send(get("/second"));
    server.until("the second request", |s| s.count(EventKind::Request) == 2);
    assert!(server.cursor > kept + get("/second").len());
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

/// Lets heads be as large as they like.
fn roomy(host: impl FnMut(&mut Engine, &Seen) + 'static) -> Server {
    let config = ServerConfig {
        head_bytes_max: 1024 * 1024,
        request_line_bytes_max: 1024 * 1024,
        ..ServerConfig::default()
    };
    Server::new(config, host)
}

#[test]
fn more_room_is_asked_for_where_the_slab_is_too_small_and_only_there() {
    let mut server = roomy(|_: &mut Engine, _: &Seen| {});
    let mut client = server.client();
    client.send(get(&format!("/{}", "x".repeat(40_000))));
    server.until("the request", |s| s.count(EventKind::Request) == 1);
    assert!(server.replaced.iter().any(|size| *size > 40_000));
    client.send(get("/").repeat(1_000));
    server.until("a smaller slab", |s| s.memory.len() == SLAB_BYTES);
}

#[test]
fn a_head_with_many_lines_asks_once_for_all_the_room_it_takes() {
    let mut server = roomy(|_: &mut Engine, _: &Seen| {});
    let mut client = server.client();
    let head = format!(
        "GET / HTTP/1.1\r\nHost: a\r\n{}\r\n",
        "A:\r\n".repeat(1_900)
    );
    let (begin, end) = head.split_at(head.len() - 10);
    client.send(begin);
    server.settle();
    (server.cursor, server.replaced) = (SLAB_BYTES - 5_000, Vec::new());
    client.send(end);
    server.until("the request", |s| s.count(EventKind::Request) == 1);
    let large = server.replaced.iter().filter(|size| **size > SLAB_BYTES);
    assert_eq!((server.replaced.len(), large.count()), (1, 1));
}

#[test]
fn a_slab_that_was_taken_away_is_no_room_and_loses_nothing() {
    let mut server = silent();
    let mut client = server.client();
    client.send(get("/"));
    (server.memory, server.cursor) = (Vec::new(), 5_000);
    while server.memory.is_empty() {
        assert!(server.turn().is_empty());
    }
    server.until("the request", |s| s.count(EventKind::Request) == 1);
    assert_eq!(server.targets(), ["/"]);
}

/// Turns that pass at most until somebody who waits for room is served.
const FAIR_TURNS: usize = 60;

/// Answers requests, but for those to `/open`.
fn answers() -> impl FnMut(&mut Engine, &Seen) {
    |engine: &mut Engine, event: &Seen| {
        if event.is(EventKind::Request) && event.target != "/open" {
            answer(engine, event.id, b"x");
        }
    }
}

#[test]
fn a_large_head_is_served_though_others_fill_each_slab() {
    for crowd in 90..100 {
        let mut server = roomy(answers());
        let mut client = server.client();
        let head = get(&format!("/{}", "z".repeat(26_000)));
        let (begin, end) = head.split_at(20_000);
        client.send(begin);
        server.settle();
        let mut others: Vec<Client> = (0..crowd).map(|_| server.client()).collect();
        let request = get(&format!("/{}", "y".repeat(600)));
        for turn in 0..FAIR_TURNS {
            for other in &mut others {
                other.poll();
                other.send(&request);
            }
            if turn == 2 {
                client.send(end);
            }
            server.step();
        }
        let targets = server.targets();
        assert!(targets.iter().any(|t| t.starts_with("/z")), "{crowd}");
    }
}

#[test]
fn small_requests_are_served_though_another_client_sends_nothing_but_large_heads() {
    let mut server = roomy(answers());
    let lines = "A:\r\n".repeat(500);
    let large = format!("GET /large HTTP/1.1\r\nHost: a\r\n{lines}\r\n");
    let mut greedy = server.client();
    let mut others: Vec<Client> = (0..10).map(|_| server.client()).collect();
    for turn in 0..FAIR_TURNS {
        greedy.poll();
        greedy.send(large.repeat(8));
        if turn == 10 {
            for other in &mut others {
                other.send(get("/small"));
            }
        }
        server.step();
    }
    let targets = server.targets();
    assert_eq!(targets.iter().filter(|t| **t == "/small").count(), 10);
    assert!(targets.len() > 10 + FAIR_TURNS);
}

#[test]
fn every_one_of_many_uploads_goes_on() {
    let received = Rc::new(RefCell::new(HashMap::new()));
    let counts = Rc::clone(&received);
    let mut server = Server::new(ServerConfig::default(), move |engine, event| {
        if event.is(EventKind::Request) {
            engine.read_content(event.id);
        } else if event.is(EventKind::Content) {
            *counts.borrow_mut().entry(event.id).or_insert(0) += event.content.len();
        }
    });
    // One more than a slab for streaming has room for.
    let mut clients: Vec<_> = (0..5).map(|_| server.client()).collect();
    for client in &mut clients {
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n");
    }
    server.until("the requests", |s| s.count(EventKind::Request) == 5);
    for _ in 0..FAIR_TURNS {
        for client in &mut clients {
            if client.is_sent() {
                client.send(vec![b'c'; 1_000_000]);
            }
            client.poll();
        }
        server.step();
    }
    let received = received.borrow();
    let most = received.values().max().expect("content");
    assert_eq!(received.len(), 5);
    assert!(
        received.values().all(|bytes| bytes * 2 > *most),
        "{received:?}"
    );
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
    // All of the slab but a little is in use: there is room for the content, none for a copy of the trailer
    // section.
    (server.memory, server.cursor) = (vec![0; chunk.len() + 100], 0);
    let mut seen = Vec::new();
    while !seen.iter().any(|event: &Seen| event.is(EventKind::Content)) {
        seen.extend(server.turn());
    }
    assert!(!seen.iter().any(|event| event.is(EventKind::ContentEnd)));
    server.until("the end", |s| s.count(EventKind::ContentEnd) == 1);
    let fields = server.find(EventKind::ContentEnd).fields;
    assert_eq!(fields, [("T".to_owned(), "t".repeat(900))]);
}
