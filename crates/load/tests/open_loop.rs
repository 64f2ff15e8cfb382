//! The open loop: its rate does not depend on the server, and no stall can hide.

mod support;

use std::{
    io::Write as _,
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use fulmar_load::{Expect, Plan};
use support::{Server, load, ok};

const PAUSE_START: Duration = Duration::from_millis(800);
const PAUSE_END: Duration = Duration::from_millis(1200);

/// Answers at once, but not between 0.8 s and 1.2 s after its first request.
fn pausing_server() -> Server {
    let first: Arc<OnceLock<Instant>> = Arc::default();
    Server::start(move |_, stream| {
        let passed = first.get_or_init(Instant::now).elapsed();
        if (PAUSE_START..PAUSE_END).contains(&passed) {
            std::thread::sleep(PAUSE_END.saturating_sub(passed));
        }
        stream.write_all(&ok("hi")).map(|()| true)
    })
}

#[test]
fn a_paused_server_shows_in_all_requests_that_should_have_been_sent() {
    let server = pausing_server();
    let plan = Plan {
        connections: 8,
        rate: Some(500.0),
        duration: Some(Duration::from_secs(2)),
        ..server.plan(Expect::default())
    };
    let report = load(&plan);
    let latency = report.latency_us;
    // A fifth of the requests were due in the pause and waited for its end: 0 to 400 ms, evenly.
    assert_eq!(
        (report.errors.total, report.requests.unsent),
        (0, 0),
        "{report:?}"
    );
    assert!(latency.max >= 380_000, "{latency:?}");
    assert!(latency.p99 >= 340_000, "{latency:?}");
    assert!((150_000..=300_000).contains(&latency.p90), "{latency:?}");
    assert!(latency.p50 < 100_000, "{latency:?}");
}

#[test]
fn the_closed_loop_shows_the_same_pause_once_for_each_connection() {
    let server = pausing_server();
    let plan = Plan {
        connections: 8,
        duration: Some(Duration::from_secs(2)),
        ..server.plan(Expect::default())
    };
    let latency = load(&plan).latency_us;
    assert!(latency.max >= 350_000, "{latency:?}");
    assert!(latency.p90 < 100_000, "{latency:?}");
}

#[test]
fn sends_as_many_requests_as_the_rate_says() {
    let server = Server::constant(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    let plan = Plan {
        connections: 4,
        rate: Some(1000.0),
        warm_up: Duration::from_millis(200),
        duration: Some(Duration::from_secs(1)),
        ..server.plan(Expect::default())
    };
    let report = load(&plan);
    assert!(
        (999..=1001).contains(&report.requests.verified),
        "{report:?}"
    );
    assert_eq!((report.errors.total, report.requests.unsent), (0, 0));
    assert!(server.requests() >= 1199);
    assert_eq!(report.send_lag_us.unwrap().count, report.requests.sent);
}

#[test]
fn what_an_overloaded_server_never_got_is_told() {
    // One connection, 20 ms each: 50 of 1000 requests per second.
    let server = Server::start(|_, stream| {
        std::thread::sleep(Duration::from_millis(20));
        stream.write_all(&ok("hi")).map(|()| true)
    });
    let plan = Plan {
        rate: Some(1000.0),
        duration: Some(Duration::from_millis(500)),
        timeout: Duration::from_millis(500),
        ..server.plan(Expect::default())
    };
    let report = load(&plan);
    assert!(report.requests.unsent >= 400, "{report:?}");
    assert!(report.latency_us.max >= 400_000, "{report:?}");
}

#[test]
fn a_number_of_requests_ends_the_open_loop_too() {
    let server = Server::constant(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    let plan = Plan {
        connections: 2,
        rate: Some(2000.0),
        duration: None,
        requests: Some(200),
        ..server.plan(Expect::default())
    };
    let report = load(&plan);
    assert_eq!((server.requests(), report.requests.verified), (200, 200));
    assert_eq!(report.requests.unsent, 0);
}
