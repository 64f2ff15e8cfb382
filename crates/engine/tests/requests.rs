//! Requests over real sockets: order, fragmentation, content, expectations, ends.

mod support;

use fulmar_engine::{Engine, EventKind, Id, ServerConfig, event_flag};
use std::cell::RefCell;
use std::rc::Rc;
use support::{Client, Seen, Server, answer, answered, answered_close, echo_host, get};

const CHUNKED: &str = "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

#[test]
fn answers_one_request_after_the_other_on_one_connection() {
    let mut server = Server::echo();
    let mut client = server.client();
    for target in ["/1", "/2", "/3"] {
        client.send(get(target));
        client.expect(&mut server, &answered(&format!("{target}:")));
    }
    assert_eq!(server.engine.stats().accepted, 1);
    assert_eq!(server.engine.stats().requests, 3);
}

#[test]
fn answers_pipelined_requests_in_order_even_if_the_host_answers_backwards() {
    let seen: Rc<RefCell<Vec<(Id, String)>>> = Rc::default();
    let inner = Rc::clone(&seen);
    let mut server = Server::new(ServerConfig::default(), move |engine, event| {
        if !event.is(EventKind::Request) {
            return;
        }
        let mut seen = inner.borrow_mut();
        seen.push((event.id, event.target.clone()));
        if seen.len() == 5 {
            for (id, target) in seen.iter().rev() {
                answer(engine, *id, target.as_bytes());
            }
        }
    });
    let mut client = server.client();
    let targets = ["/0", "/1", "/2", "/3", "/4"];
    client.send(targets.map(get).concat());
    client.expect(&mut server, &targets.map(answered).concat());
}

#[test]
fn parses_sixteen_requests_ahead_and_not_one_more() {
    let open: Rc<RefCell<Vec<Id>>> = Rc::default();
    let inner = Rc::clone(&open);
    let mut server = Server::new(
        ServerConfig::default(),
        move |_: &mut Engine, event: &Seen| {
            if event.is(EventKind::Request) {
                inner.borrow_mut().push(event.id);
            }
        },
    );
    let mut client = server.client();
    client.send(get("/").repeat(40));
    server.until("16 requests", |s| s.count(EventKind::Request) == 16);
    server.settle();
    assert_eq!(server.count(EventKind::Request), 16);
    let ids: Vec<Id> = open.borrow_mut().drain(..).collect();
    for id in ids {
        answer(&mut server.engine, id, b"x");
    }
    server.engine.flush();
    server.until("32 requests", |s| s.count(EventKind::Request) == 32);
    client.expect(&mut server, &answered("x").repeat(16));
}

/// Sequences of requests and what an echo server answers.
fn sequences() -> Vec<(String, String)> {
    let post = "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";
    let close = "GET /z HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    vec![
        (get("/a") + &get("/b"), answered("/a:") + &answered("/b:")),
        (
            format!("{post}{}", get("/n")),
            answered("/p:hello") + &answered("/n:"),
        ),
        (
            format!("{CHUNKED}3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n{}", get("/n")),
            answered("/c:abcde") + &answered("/n:"),
        ),
        (
            format!("{CHUNKED}1\r\na\r\n0\r\nT: v\r\nU: w\r\n\r\n{}", get("/n")),
            answered("/c:a|T=v|U=w") + &answered("/n:"),
        ),
        (
            format!("{post}{close}{}", get("/never")),
            answered("/p:hello") + &answered_close("/z:"),
        ),
        (
            format!("{}{CHUNKED}2\r\nok\r\nzz\r\n", get("/a")),
            answered("/a:") + "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n",
        ),
        (
            format!("{}GET / HTTP/1.1\r\nHost: a\r\n bad: x\r\n\r\n", get("/a")),
            answered("/a:") + "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n",
        ),
        (format!("\r\n\r\n{}", get("/a")), answered("/a:")),
    ]
}

#[test]
fn every_cut_into_two_gives_the_same_bytes() {
    let mut server = Server::echo();
    for (request, expected) in sequences() {
        for cut in 1..request.len() {
            let mut client = server.client();
            client.send(&request[..cut]);
            server.step();
            server.step();
            client.send(&request[cut..]);
            client.expect(&mut server, &expected);
        }
    }
}

#[test]
fn byte_by_byte_gives_the_same_bytes() {
    let mut server = Server::echo();
    for (request, expected) in sequences() {
        let mut client = server.client();
        for byte in request.bytes() {
            client.send([byte]);
            server.step();
        }
        client.expect(&mut server, &expected);
    }
}

#[test]
fn hands_over_small_content_with_its_head_and_streams_the_rest() {
    let mut server = Server::echo();
    let mut client = server.client();
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi");
    client.expect(&mut server, &answered("/:hi"));
    assert!(
        server
            .find(EventKind::Request)
            .has(event_flag::CONTENT_INLINE)
    );
    server.log.clear();
    let big = "x".repeat(1_000_000);
    client.send(format!(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\n\r\n{big}",
        big.len()
    ));
    client.expect(&mut server, &answered(&format!("/:{big}")));
    assert!(
        server
            .find(EventKind::Request)
            .has(event_flag::CONTENT_STREAMED)
    );
    assert_eq!(server.count(EventKind::ContentEnd), 1);
}

#[test]
fn content_nobody_reads_stays_with_the_peer_until_it_is_asked_for() {
    let mut server = Server::new(ServerConfig::default(), |_, _| {});
    let mut client = server.client();
    let big = vec![b'x'; 8 * 1024 * 1024];
    client.send(format!(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\n\r\n",
        big.len()
    ));
    client.send(&big);
    server.until("the request", |s| s.count(EventKind::Request) == 1);
    server.settle();
    client.poll();
    assert!(!client.is_sent(), "the window has closed");
    assert_eq!(server.count(EventKind::Content), 0);
    let id = server.find(EventKind::Request).id;
    server.engine.read_content(id);
    server.until("some content", |s| s.count(EventKind::Content) > 2);
    server.engine.pause_content(id);
    server.step();
    let paused_at = server.count(EventKind::Content);
    server.settle();
    assert_eq!(server.count(EventKind::Content), paused_at);
    server.engine.read_content(id);
    server.until("the end", |s| {
        client.poll();
        s.count(EventKind::ContentEnd) == 1
    });
    let received: usize = server.log.iter().map(|e| e.content.len()).sum();
    assert_eq!(received, big.len());
}

#[test]
fn content_that_is_taken_survives_the_reply_and_a_pause() {
    let mut server = Server::new(ServerConfig::default(), |_, _| {});
    let mut client = server.client();
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n");
    server.until("the request", |s| s.count(EventKind::Request) == 1);
    let id = server.find(EventKind::Request).id;
    server.engine.read_content(id);
    server.engine.pause_content(id);
    answer(&mut server.engine, id, b"early");
    client.send(vec![b'x'; 300_000]);
    client.expect(&mut server, &answered("early"));
    assert_eq!(server.count(EventKind::Content), 0);
    server.engine.read_content(id);
    server.until("the end", |s| {
        client.poll();
        s.count(EventKind::ContentEnd) == 1
    });
    let received: usize = server.log.iter().map(|e| e.content.len()).sum();
    assert_eq!(received, 300_000);
}

#[test]
fn a_held_reply_outlives_the_end_of_its_content() {
    let mut server = Server::new(ServerConfig::default(), |engine, event| {
        if event.is(EventKind::Request) && event.target == "/p" {
            answer(engine, event.id, b"held");
        }
    });
    let mut client = server.client();
    let post = "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe";
    client.send(get("/first") + post);
    server.until("both", |s| s.count(EventKind::Request) == 2);
    client.send("llo");
    server.settle();
    let first = server.find(EventKind::Request).id;
    answer(&mut server.engine, first, b"first");
    client.expect(&mut server, &(answered("first") + &answered("held")));
}

#[test]
fn content_that_is_taken_after_the_reply_is_aborted_with_its_connection() {
    for by_peer in [true, false] {
        let mut server = Server::new(ServerConfig::default(), |_, _| {});
        let mut client = server.client();
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n");
        server.until("the request", |s| s.count(EventKind::Request) == 1);
        let id = server.find(EventKind::Request).id;
        server.engine.read_content(id);
        answer(&mut server.engine, id, b"early");
        client.expect(&mut server, &answered("early"));
        assert_eq!(server.engine.exchange_count(), 1);
        if by_peer {
            drop(client);
        } else {
            server.engine.close_all(server.listener);
        }
        server.until("the abort", |s| s.count(EventKind::Abort) == 1);
        assert_eq!(server.engine.connection_count(), 0);
        assert_eq!(server.engine.exchange_count(), 0);
    }
}

#[test]
fn a_little_unread_content_is_read_away_and_the_connection_lives_on() {
    for (name, size, lives) in [("112 KiB", 112 * 1024, true), ("more", 113 * 1024, false)] {
        let mut server = Server::new(ServerConfig::default(), |engine, event| {
            if event.is(EventKind::Request) {
                answer(engine, event.id, event.target.as_bytes());
            }
        });
        let mut client = server.client();
        client.send(format!(
            "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: {size}\r\n\r\n"
        ));
        server.until("the request", |s| s.count(EventKind::Request) == 1);
        client.send(vec![b'G'; size]);
        client.send(get("/n"));
        let expected = if lives {
            answered("/p") + &answered("/n")
        } else {
            answered_close("/p")
        };
        client.expect(&mut server, &expected);
        if !lives {
            client.shut();
            assert_eq!(client.expect_end(&mut server), "", "{name}");
        }
        assert_eq!(server.targets().len(), if lives { 2 } else { 1 }, "{name}");
    }
}

#[test]
fn unread_chunked_content_is_read_away_up_to_the_same_bound() {
    for (chunks, lives) in [(27, true), (29, false)] {
        let mut server = Server::new(ServerConfig::default(), |engine, event| {
            if event.is(EventKind::Request) {
                answer(engine, event.id, event.target.as_bytes());
            }
        });
        let mut client = server.client();
        client.send(CHUNKED);
        client.expect(&mut server, &answered("/c"));
        for _ in 0..chunks {
            client.send(format!("1000\r\n{}\r\n", "G".repeat(4096)));
        }
        client.send(format!("0\r\n\r\n{}", get("/n")));
        if lives {
            client.expect(&mut server, &answered("/n"));
        } else {
            client.shut();
            assert_eq!(client.expect_end(&mut server), "");
            assert_eq!(server.targets(), ["/c"]);
        }
    }
}

#[test]
fn sends_one_100_and_only_when_the_content_is_wanted() {
    let mut server = Server::echo();
    let mut client = server.client();
    let expecting =
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n";
    client.send(expecting);
    client.expect(&mut server, "HTTP/1.1 100 Continue\r\n\r\n");
    client.send("hi");
    client.expect(&mut server, &answered("/:hi"));
    // Content that comes unasked needs no 100.
    client.send(format!("{expecting}yo"));
    client.expect(&mut server, &answered("/:yo"));
}

#[test]
fn an_expectation_that_is_not_met_closes_after_the_reply() {
    let mut server = Server::new(ServerConfig::default(), |engine, event| {
        if event.is(EventKind::Request) {
            answer(engine, event.id, b"no");
        }
    });
    let mut client = server.client();
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
    client.expect(&mut server, &answered_close("no"));
    client.shut();
    assert_eq!(client.expect_end(&mut server), "");
}

#[test]
fn tells_what_the_peer_expects_and_speaks() {
    let mut server = Server::echo();
    let mut client = server.client();
    client.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    client.expect(&mut server, &answered("/a:"));
    client.send("GET /b HTTP/1.1\r\nHost: a\r\nExpect: x\r\nIf-Match: *\r\n\r\n");
    client.expect(&mut server, &answered("/b:"));
    client.send("GET /c HTTP/1.0\r\n\r\n");
    client.expect(&mut server, &answered_close("/c:"));
    assert_eq!(client.expect_end(&mut server), "");
    let requests: Vec<_> = server
        .log
        .iter()
        .filter(|e| e.is(EventKind::Request))
        .collect();
    assert!(!requests[0].has(event_flag::MINOR_1) && requests[0].has(event_flag::KEEP_ALIVE));
    assert!(requests[1].has(event_flag::MINOR_1 | event_flag::EXPECT_OTHER));
    assert!(requests[1].has(event_flag::CONDITIONAL));
    assert!(!requests[2].has(event_flag::KEEP_ALIVE));
}

#[test]
fn a_request_that_closes_is_answered_and_what_follows_is_never_parsed() {
    let mut server = Server::echo();
    let mut client = server.client();
    client.send("POST /p HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi");
    client.send(get("/never").repeat(3));
    client.expect(&mut server, &answered_close("/p:hi"));
    client.send(get("/never"));
    client.shut();
    assert_eq!(client.expect_end(&mut server), "");
    assert_eq!(server.targets(), ["/p"]);
}

#[test]
fn content_that_ends_behind_a_closing_reply_is_not_followed_by_a_request() {
    // The reply is too large for the socket, so the connection stays open while the content's end and more
    // arrive.
    let mut server = Server::new(ServerConfig::default(), |engine, event| {
        if event.is(EventKind::Request) {
            let flags = support::KEEP_ALIVE | fulmar_engine::reply_flag::CLOSE_AFTER;
            let body = bytes::Bytes::from(vec![b'x'; 20_000_000]);
            engine.reply(
                event.id,
                support::head(flags),
                fulmar_engine::Body::Shared(body),
            );
        }
    });
    let mut client = server.client();
    client.send("POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe");
    server.until("the request", |s| s.count(EventKind::Request) == 1);
    server.settle();
    client.send(format!("llo{}", get("/never")));
    server.settle();
    client.shut();
    client.expect_end(&mut server);
    assert_eq!(server.targets(), ["/p"]);
}

#[test]
fn flags_the_last_request_of_a_connection_and_those_beyond() {
    let config = ServerConfig {
        requests_per_connection_max: 2,
        ..ServerConfig::default()
    };
    let mut server = Server::new(config, echo_host());
    let mut client = server.client();
    client.send(get("/").repeat(3));
    server.until("3 requests", |s| s.count(EventKind::Request) == 3);
    let limits: Vec<u32> = server
        .log
        .iter()
        .filter(|e| e.is(EventKind::Request))
        .map(|e| e.flags & (event_flag::LIMIT_LAST | event_flag::LIMIT_BEYOND))
        .collect();
    assert_eq!(
        limits,
        [0, event_flag::LIMIT_LAST, event_flag::LIMIT_BEYOND]
    );
}

#[test]
fn one_connection_that_pipelines_100_000_requests_does_not_keep_others_waiting() {
    const REQUESTS: usize = 100_000;
    let mut server = Server::echo();
    let mut greedy = server.client();
    greedy.send(get("/g").repeat(REQUESTS));
    server.until("the flood has begun", |s| s.engine.stats().requests > 100);
    let mut modest: Client = server.client();
    modest.send(get("/m"));
    let before = server.engine.stats().requests;
    server.until("the modest reply", |s| {
        s.log.clear();
        greedy.poll();
        modest.poll();
        !modest.got.is_empty()
    });
    let meanwhile = server.engine.stats().requests - before;
    assert!(meanwhile < 500, "{meanwhile} requests were served before");
    let expected = answered("/g:").len() * REQUESTS;
    server.until("all replies", |s| {
        s.log.clear();
        greedy.poll();
        greedy.got.len() >= expected
    });
    assert_eq!(greedy.text(), answered("/g:").repeat(REQUESTS));
}
