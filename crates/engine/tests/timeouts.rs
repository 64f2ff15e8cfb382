//! What happens when time is up, with short times.

mod support;

use std::time::{Duration, Instant};

use bytes::Bytes;
use fulmar_engine::{AbortReason, Body, Engine, EventKind, ServerConfig};
use support::{End, Seen, Server, answer, answered, echo_host, get, head};

const LATE: &str = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n";

fn config(change: impl FnOnce(&mut ServerConfig)) -> ServerConfig {
    let mut config = ServerConfig::default();
    change(&mut config);
    config
}

fn timed(server: &mut Server, what: &str, done: impl FnMut(&mut Server) -> bool) -> Duration {
    let start = Instant::now();
    server.until(what, done);
    start.elapsed()
}

#[test]
fn a_head_that_dribbles_in_or_never_comes_is_refused_in_time() {
    // The time of a whole request is also the longest its head may take.
    for (first, headers_ms, request_ms) in [
        ("", 200, 300_000),
        ("GET / HT", 200, 300_000),
        ("", 0, 200),
        ("GET / HT", 0, 200),
        ("GET / HT", 300_000, 200),
    ] {
        let config = config(|c| {
            c.headers_timeout_ms = headers_ms;
            c.request_timeout_ms = request_ms;
        });
        let mut server = Server::new(config, echo_host());
        let mut client = server.client();
        client.send(first);
        let mut more = "TP/1.1\r\nX: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy".bytes();
        let mut last = Instant::now();
        let took = timed(&mut server, "408", |_| {
            if !first.is_empty() && last.elapsed() > Duration::from_millis(20) {
                last = Instant::now();
                client.send([more.next().unwrap_or(b'z')]);
            }
            client.poll();
            !client.got.is_empty()
        });
        assert_eq!(client.text(), LATE);
        assert!((200..5_000).contains(&took.as_millis()), "{took:?}");
        assert_eq!(server.engine.stats().head_timeout, 1);
    }
}

#[test]
fn a_partial_head_behind_a_full_pipeline_is_timed_too() {
    let mut server = Server::new(config(|c| c.headers_timeout_ms = 150), echo_host());
    let mut client = server.client();
    client.send(get("/").repeat(16) + "GET / HT");
    client.expect(&mut server, &(answered("/:").repeat(16) + LATE));
}

#[test]
fn a_request_whose_content_does_not_come_is_refused_in_time() {
    let mut server = Server::new(config(|c| c.request_timeout_ms = 150), echo_host());
    let mut client = server.client();
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab");
    client.expect(&mut server, LATE);
    assert_eq!(
        server.find(EventKind::Abort).reason(),
        AbortReason::Timeout as u32
    );
    assert_eq!(server.engine.stats().request_timeout, 1);
}

#[test]
fn content_below_the_minimum_rate_is_refused_after_its_grace() {
    let mut server = Server::echo();
    let mut client = server.client();
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n");
    let mut last = Instant::now();
    let took = timed(&mut server, "408", |_| {
        if last.elapsed() > Duration::from_millis(100) {
            last = Instant::now();
            client.send("x");
        }
        client.poll();
        !client.got.is_empty()
    });
    assert_eq!(client.text(), LATE);
    assert!((5_000..10_000).contains(&took.as_millis()), "{took:?}");
    assert_eq!(server.engine.stats().slow_content, 1);
}

#[test]
fn an_idle_connection_is_closed_after_its_keep_alive_time_and_not_later() {
    let mut server = Server::new(config(|c| c.keep_alive_timeout_ms = 150), echo_host());
    let mut client = server.client();
    for _ in 0..3 {
        client.send(get("/"));
        client.expect(&mut server, &answered("/:"));
    }
    let took = timed(&mut server, "the end", |_| {
        client.poll();
        client.end.is_some()
    });
    assert_eq!(client.end, Some(End::Fin));
    assert!((100..5_000).contains(&took.as_millis()), "{took:?}");
    assert_eq!(server.engine.stats().idle_timeout, 1);
}

#[test]
fn a_request_that_waited_for_a_busy_host_is_served_though_its_time_is_up() {
    let busy = config(|c| {
        c.keep_alive_timeout_ms = 400;
        c.headers_timeout_ms = 400;
    });
    let mut server = Server::new(busy, |engine, event| {
        if event.is(EventKind::Request) {
            let start = Instant::now();
            while event.target == "/busy" && start.elapsed() < Duration::from_millis(900) {
                std::hint::spin_loop();
            }
            answer(engine, event.id, event.target.as_bytes());
        }
    });
    let mut idle = server.client();
    let mut dribbling = server.client();
    let mut busy = server.client();
    idle.send(get("/1"));
    idle.expect(&mut server, &answered("/1"));
    dribbling.send(&get("/3")[..7]);
    server.settle();
    busy.send(get("/busy"));
    server.until("the busy time", |s| s.targets().contains(&"/busy"));
    // What came meanwhile is read before the timers are looked at.
    idle.send(get("/2"));
    dribbling.send(&get("/3")[7..]);
    busy.expect(&mut server, &answered("/busy"));
    idle.expect(&mut server, &answered("/2"));
    dribbling.expect(&mut server, &answered("/3"));
}

#[test]
fn a_reply_the_peer_does_not_read_ends_in_a_reset() {
    let mut server = Server::new(config(|c| c.write_timeout_ms = 200), |engine, event| {
        if event.is(EventKind::Request) {
            let body = Bytes::from(vec![b'x'; 20_000_000]);
            engine.reply(event.id, head(support::KEEP_ALIVE), Body::Shared(body));
        }
    });
    let mut client = server.client();
    client.send(get("/"));
    let took = timed(&mut server, "the reset", |s| s.engine.stats().closed == 1);
    assert!((200..5_000).contains(&took.as_millis()), "{took:?}");
    client.expect_end(&mut server);
    assert_eq!(client.end, Some(End::Reset));
    assert_eq!(server.engine.stats().write_timeout, 1);
}

#[test]
fn a_slow_reader_that_makes_progress_is_left_alone() {
    let mut server = Server::new(config(|c| c.write_timeout_ms = 150), |engine, event| {
        if event.is(EventKind::Request) {
            let body = Bytes::from(vec![b'x'; 12_000_000]);
            engine.reply(event.id, head(support::KEEP_ALIVE), Body::Shared(body));
        }
    });
    let mut client = server.client();
    client.send(get("/"));
    let start = Instant::now();
    let mut last = Instant::now();
    server.until("everything", |_| {
        if last.elapsed() > Duration::from_millis(40) {
            last = Instant::now();
            let mut piece = vec![0; 2_000_000];
            if let Ok(count) = std::io::Read::read(&mut client.stream, &mut piece) {
                client.got.extend_from_slice(&piece[..count]);
            }
        }
        client.got.len() >= 12_000_000
    });
    assert!(start.elapsed() > Duration::from_millis(150));
    assert_eq!(server.engine.stats().write_timeout, 0);
}

/// Longer than the short timeouts here.
fn pause(server: &mut Server) {
    let start = Instant::now();
    server.until("some time", |_| {
        start.elapsed() > Duration::from_millis(250)
    });
}

#[test]
fn inactivity_is_reported_once_until_something_moves_and_closes_nothing() {
    let mut server = Server::new(config(|c| c.socket_timeout_ms = 100), |_, _| {});
    let mut client = server.client();
    client.send(get("/"));
    server.until("a report", |s| s.count(EventKind::Timeout) == 1);
    pause(&mut server);
    assert_eq!(server.count(EventKind::Timeout), 1);
    let request = server.find(EventKind::Request);
    let report = server.find(EventKind::Timeout);
    assert_eq!(report.id, request.connection);
    assert_eq!(
        report.words[10..12],
        [request.id.slot, request.id.generation]
    );
    server.engine.set_socket_timeout(request.connection, 50);
    server.until("another", |s| s.count(EventKind::Timeout) == 2);
    server.engine.set_socket_timeout(request.connection, 0);
    answer(&mut server.engine, request.id, b"x");
    client.expect(&mut server, &answered("x"));
    pause(&mut server);
    assert_eq!(server.count(EventKind::Timeout), 2);
}

#[test]
fn a_socket_timeout_holds_for_one_request_and_not_between_two() {
    let mut server = Server::new(config(|c| c.keep_alive_timeout_ms = 60_000), |_, _| {});
    let mut client = server.client();
    client.send(get("/"));
    server.until("a request", |s| s.count(EventKind::Request) == 1);
    let request = server.find(EventKind::Request);
    server.engine.set_socket_timeout(request.connection, 100);
    answer(&mut server.engine, request.id, b"x");
    client.expect(&mut server, &answered("x"));
    client.got.clear();
    pause(&mut server);
    client.send(get("/"));
    server.until("another", |s| s.count(EventKind::Request) == 2);
    pause(&mut server);
    assert_eq!(server.count(EventKind::Timeout), 0);
}

#[test]
fn the_listeners_socket_timeout_holds_again_for_the_next_request() {
    let timeouts = config(|c| {
        c.keep_alive_timeout_ms = 60_000;
        c.socket_timeout_ms = 100;
    });
    let mut server = Server::new(timeouts, |_, _| {});
    let mut client = server.client();
    client.send(get("/"));
    server.until("a request", |s| s.count(EventKind::Request) == 1);
    let request = server.find(EventKind::Request);
    server.engine.set_socket_timeout(request.connection, 0);
    answer(&mut server.engine, request.id, b"x");
    client.expect(&mut server, &answered("x"));
    client.send(get("/"));
    server.until("a report", |s| s.count(EventKind::Timeout) == 1);
}

#[test]
fn a_lingering_close_waits_for_the_peer_but_not_for_ever() {
    let mut server = Server::echo();
    let mut client = server.client();
    client.send("nonsense\r\n\r\n");
    server.until("the refusal", |_| {
        client.poll();
        client.end.is_some()
    });
    assert_eq!(
        server.engine.connection_count(),
        1,
        "waits for the peer's end"
    );
    let took = timed(&mut server, "the close", |s| {
        s.engine.connection_count() == 0
    });
    assert!((1_500..10_000).contains(&took.as_millis()), "{took:?}");
}

#[test]
fn hundreds_of_silent_connections_are_closed_in_time_while_one_is_served() {
    const SILENT: usize = 400;
    let mut server = Server::new(config(|c| c.headers_timeout_ms = 1_000), echo_host());
    let mut silent = Vec::new();
    for _ in 0..SILENT {
        silent.push(server.client());
        if silent.len() % 100 == 0 {
            server.settle();
        }
    }
    // Last of all, and at once: on a slow machine the others take as long as a head may.
    let mut busy = server.client();
    busy.send(get("/"));
    server.settle();
    server.until("408 for all", |s| {
        busy.poll();
        if busy.text() == answered("/:") {
            busy.got.clear();
            busy.send(get("/"));
        }
        s.engine.stats().head_timeout >= SILENT as u64
    });
    for client in &mut silent {
        client.expect(&mut server, LATE);
    }
    assert!(busy.end.is_none());
}

/// Takes the content of a request, answers it, and from then on reads no more.
fn answers_and_pauses(engine: &mut Engine, event: &Seen) {
    if event.is(EventKind::Request) {
        engine.read_content(event.id);
        engine.pause_content(event.id);
        answer(engine, event.id, b"early");
    } else if event.is(EventKind::Timeout) {
        engine.destroy(event.id, false);
    }
}

const UPLOAD: &str = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nabc";

fn ended(client: &mut support::Client) -> bool {
    client.poll();
    client.end.is_some()
}

#[test]
fn content_that_nobody_reads_behind_its_reply_ends_with_the_keep_alive_time() {
    for more in ["", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"] {
        let mut server = Server::new(
            config(|c| c.keep_alive_timeout_ms = 200),
            answers_and_pauses,
        );
        let mut client = server.client();
        if more.is_empty() {
            client.send(UPLOAD);
        } else {
            client.send(format!("POST / HTTP/1.1\r\nHost: a\r\n{more}"));
        }
        let took = timed(&mut server, "the end", |_| ended(&mut client));
        assert!((200..4_000).contains(&took.as_millis()), "{took:?}");
        assert_eq!(client.text(), answered("early"));
        assert_eq!(server.count(EventKind::Timeout), 1);
        assert_eq!(server.engine.connection_count(), 0);
    }
}

#[test]
fn content_that_is_read_behind_its_reply_has_the_keep_alive_time_after_each_piece() {
    let mut server = Server::new(
        config(|c| c.keep_alive_timeout_ms = 300),
        |engine, event| {
            if event.is(EventKind::Request) {
                engine.read_content(event.id);
                answer(engine, event.id, b"early");
            }
        },
    );
    let mut client = server.client();
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n");
    let start = Instant::now();
    let mut sent = 0;
    server.until("the content", |server| {
        if start.elapsed() > Duration::from_millis(100 * (sent + 1)) && sent < 10 {
            sent += 1;
            client.send("x");
        }
        server.count(EventKind::ContentEnd) == 1
    });
    assert!(start.elapsed() > Duration::from_millis(900));
    client.send(get("/"));
    client.expect(&mut server, &(answered("early") + &answered("early")));
}

#[test]
fn a_drain_does_not_wait_for_content_that_nobody_reads() {
    for gone in [false, true] {
        let mut server = Server::new(
            config(|c| c.keep_alive_timeout_ms = 600_000),
            answers_and_pauses,
        );
        let mut client = server.client();
        client.send(UPLOAD);
        client.expect(&mut server, &answered("early"));
        server.engine.drain_listener(server.listener);
        let took = timed(&mut server, "the end", |s| {
            if gone {
                client.stream.shutdown(std::net::Shutdown::Both).ok();
            }
            s.engine.connection_count() == 0
        });
        assert!(took < Duration::from_secs(8), "{took:?}");
    }
}
