//! Wrong and missing replies are counted, each by its kind.

mod support;

use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    time::Duration,
};

use fulmar_load::{BodyRule, Errors, Expect, Plan, Template};
use support::{Server, load, ok, plan};

const COUNT: u64 = 5;

fn expect_hello() -> Expect {
    Expect {
        status: Some(200),
        headers: vec![("x-kind".into(), b"test".to_vec())],
        body: BodyRule::Exact(Template::parse(b"hello").unwrap()),
    }
}

fn limited(plan: Plan) -> Plan {
    Plan {
        duration: None,
        requests: Some(COUNT),
        timeout: Duration::from_millis(200),
        ..plan
    }
}

#[test]
fn each_wrong_reply_is_counted_by_its_kind() {
    type Pick = fn(&Errors) -> u64;
    let cases: [(&'static [u8], Pick); 5] = [
        (
            b"HTTP/1.1 500 No\r\nX-Kind: test\r\nContent-Length: 5\r\n\r\nhello",
            |e| e.wrong_status,
        ),
        (
            b"HTTP/1.1 200 OK\r\nX-Kind: other\r\nContent-Length: 5\r\n\r\nhello",
            |e| e.wrong_header,
        ),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", |e| {
            e.wrong_header
        }),
        (
            b"HTTP/1.1 200 OK\r\nX-Kind: test\r\nContent-Length: 4\r\n\r\nhell",
            |e| e.wrong_body,
        ),
        (
            b"HTTP/1.1 200 OK\r\nX-Kind: test\r\nContent-Length: 5\r\n\r\nhallo",
            |e| e.wrong_body,
        ),
    ];
    for (reply, kind) in cases {
        let server = Server::constant(reply);
        let report = load(&limited(server.plan(expect_hello())));
        assert_eq!(
            (kind(&report.errors), report.errors.total),
            (COUNT, COUNT),
            "{report:?}"
        );
        assert_eq!(
            (report.requests.answered, report.requests.verified),
            (COUNT, 0)
        );
        assert_eq!(
            report.latency_us.count, 0,
            "only verified replies have a latency"
        );
    }
}

#[test]
fn a_right_reply_among_wrong_ones_is_told_apart() {
    let server = Server::start(|request, stream| {
        let text = if request.index % 2 == 0 {
            "hello"
        } else {
            "HELLO"
        };
        let reply = format!("HTTP/1.1 200 OK\r\nX-Kind: test\r\nContent-Length: 5\r\n\r\n{text}");
        stream.write_all(reply.as_bytes()).map(|()| true)
    });
    let report = load(&limited(server.plan(expect_hello())));
    assert_eq!((report.requests.verified, report.errors.wrong_body), (3, 2));
    assert_eq!(report.status.get("200"), Some(&COUNT));
}

#[test]
fn a_connection_that_ends_within_a_reply_is_a_short_read() {
    for reply in [
        &b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"[..],
        b"HTTP/1.1 2",
        b"",
    ] {
        let server = Server::start(move |_, stream| stream.write_all(reply).map(|()| false));
        let report = load(&limited(server.plan(Expect::default())));
        assert_eq!(
            (report.errors.short_read, report.errors.total),
            (COUNT, COUNT),
            "{report:?}"
        );
        assert_eq!(report.requests.answered, 0);
    }
}

#[test]
fn bytes_that_are_no_reply_are_malformed() {
    let server = Server::constant(b"220 ready\r\n\r\n");
    let report = load(&limited(server.plan(Expect::default())));
    assert_eq!(
        (report.errors.malformed, report.errors.total),
        (COUNT, COUNT),
        "{report:?}"
    );
}

#[test]
fn a_reset_connection_is_counted() {
    // Closing with unread bytes resets.
    let server = Server::raw(|stream, _| stream.read_exact(&mut [0]));
    let report = load(&limited(server.plan(Expect::default())));
    assert_eq!(
        (report.errors.reset, report.errors.total),
        (COUNT, COUNT),
        "{report:?}"
    );
}

#[test]
fn a_silent_server_times_out() {
    let server = Server::start(|_, _| Ok(true));
    let report = load(&limited(server.plan(Expect::default())));
    assert_eq!(
        (report.errors.timeout, report.errors.total),
        (COUNT, COUNT),
        "{report:?}"
    );
}

#[test]
fn a_closed_port_is_a_connect_error() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let plan = Plan {
        duration: Some(Duration::from_millis(100)),
        ..plan(address, Expect::default())
    };
    let report = load(&plan);
    assert!(report.errors.connect > 0);
    assert_eq!(report.errors.total, report.errors.connect);
    assert_eq!(report.requests.answered, 0);
}

#[test]
fn a_server_that_closes_after_each_reply_is_no_error() {
    let server = Server::start(|_, stream| {
        let reply = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi";
        stream.write_all(reply).map(|()| false)
    });
    let report = load(&limited(server.plan(Expect::default())));
    assert_eq!(
        (report.requests.verified, report.errors.total),
        (COUNT, 0),
        "{report:?}"
    );
    assert!(report.connections.reopened >= COUNT - 1);
}

#[test]
fn a_server_that_never_answers_again_ends_a_run_without_a_duration() {
    // One reply, then the port refuses: no request can be sent any more.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let thread = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 4096]);
        stream.write_all(&ok("hi")).unwrap();
    });
    let report = load(&limited(plan(address, Expect::default())));
    thread.join().unwrap();
    assert!(report.partial, "{report:?}");
    assert_eq!(report.requests.verified, 1);
}
