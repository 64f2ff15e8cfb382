//! The closed loop: what is sent, what is counted, when it ends.

mod support;

use std::{
    collections::HashSet,
    io::{Read as _, Write as _},
    sync::{Arc, Mutex, OnceLock, atomic::AtomicBool},
    time::{Duration, Instant},
};

use fulmar_load::{BodyRule, Expect, Plan, Recipe, RequestText, Template, run};
use support::{Server, load, ok, plan};

/// Fixed by rule 2 of the benchmark's methodology.
const LITTLE_MAX: f64 = 0.05;

fn exactly(text: &str) -> Expect {
    Expect {
        body: BodyRule::Exact(Template::parse(text.as_bytes()).unwrap()),
        ..Expect::default()
    }
}

#[test]
fn sends_and_counts_exactly_the_requests_asked_for() {
    let server = Server::constant(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
    let plan = Plan {
        connections: 7,
        duration: None,
        requests: Some(1000),
        ..server.plan(exactly("hi"))
    };
    let report = load(&plan);
    assert_eq!(server.requests(), 1000);
    assert_eq!(
        (
            report.requests.sent,
            report.requests.verified,
            report.errors.total
        ),
        (1000, 1000, 0)
    );
    assert_eq!(
        (report.latency_us.count, report.connections.opened),
        (1000, 7)
    );
    assert!(!report.partial);
    assert_eq!(report.bytes_received, 1000 * 40);
}

#[test]
fn ends_after_the_duration_and_obeys_littles_law() {
    let server = Server::start(|_, stream| {
        std::thread::sleep(Duration::from_millis(5));
        stream.write_all(&ok("hi")).map(|()| true)
    });
    let duration = Duration::from_secs(1);
    let plan = Plan {
        connections: 8,
        duration: Some(duration),
        ..server.plan(exactly("hi"))
    };
    let report = load(&plan);
    assert!((report.window_s - 1.0).abs() < 1e-6);
    assert_eq!(report.errors.total, 0);
    assert!(
        report.little.deviation.unwrap() <= LITTLE_MAX,
        "{:?}",
        report.little
    );
    assert!(report.latency_us.min >= 5000, "{:?}", report.latency_us);
}

#[test]
fn keeps_as_many_requests_in_flight_as_the_pipelining_depth() {
    const DEPTH: usize = 4;
    // Answers only once all of them have arrived: a smaller depth would time out.
    let server = Server::raw(|stream, _| {
        let mut heads = 0;
        let mut input = Vec::new();
        loop {
            let mut piece = [0; 4096];
            let count = stream.read(&mut piece)?;
            if count == 0 {
                return Ok(());
            }
            input.extend_from_slice(&piece[..count]);
            while let Some(at) = input.windows(4).position(|part| part == b"\r\n\r\n") {
                input.drain(..at + 4);
                heads += 1;
            }
            if heads == DEPTH {
                stream.write_all(&ok("hi").repeat(DEPTH))?;
                heads = 0;
            }
        }
    });
    let plan = Plan {
        pipeline: DEPTH,
        duration: None,
        requests: Some(400),
        timeout: Duration::from_secs(2),
        ..server.plan(exactly("hi"))
    };
    let report = load(&plan);
    assert_eq!(
        (report.requests.verified, report.errors.total),
        (400, 0),
        "{report:?}"
    );
}

#[test]
fn a_connection_without_a_reply_holds_back_no_other() {
    const OTHERS: usize = 200;
    // The request that came first is answered last: whoever waits for all replies of a round would wait for
    // ever.
    let (send, receive) = std::sync::mpsc::channel();
    let (send, receive) = (Mutex::new(send), Mutex::new(receive));
    let server = Server::start(move |request, stream| {
        if request.index == 0 {
            for _ in 0..OTHERS {
                let _ = receive.lock().unwrap().recv();
            }
        } else {
            let _ = send.lock().unwrap().send(());
        }
        stream.write_all(&ok("hi")).map(|()| true)
    });
    let plan = Plan {
        connections: 3,
        duration: None,
        requests: Some(1 + OTHERS as u64),
        ..server.plan(exactly("hi"))
    };
    let report = load(&plan);
    assert_eq!(
        (report.requests.verified, report.errors.total),
        (1 + OTHERS as u64, 0),
        "{report:?}"
    );
}

#[test]
fn time_spent_waiting_is_no_work_of_the_generator() {
    let server = Server::constant(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    let plan = Plan {
        connections: 4,
        duration: None,
        requests: Some(500),
        ..server.plan(Expect::default())
    };
    let report = load(&plan);
    let cpu = report.cpu;
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let busy_us = (cpu.user_us + cpu.system_us - cpu.idle_us) as f64;
    let stated_us = cpu.us_per_reply.unwrap() * 500.0;
    assert!((stated_us - busy_us).abs() <= 3.0, "{cpu:?}");
}

#[test]
fn reads_chunked_replies_that_arrive_byte_by_byte() {
    let server = Server::start(|_, stream| {
        let reply = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\nX: y\r\n\r\n";
        for byte in reply {
            stream.write_all(&[*byte])?;
        }
        Ok(true)
    });
    let plan = Plan {
        duration: None,
        requests: Some(20),
        ..server.plan(exactly("hello"))
    };
    let report = load(&plan);
    assert_eq!(
        (report.requests.verified, report.errors.total),
        (20, 0),
        "{report:?}"
    );
}

#[test]
fn compares_large_replies_piece_by_piece() {
    let body = "0123456789abcdef".repeat(64 * 1024);
    let reply = ok(&body);
    let server = Server::start(move |_, stream| stream.write_all(&reply).map(|()| true));
    let plan = Plan {
        connections: 2,
        duration: None,
        requests: Some(20),
        ..server.plan(exactly(&body))
    };
    let report = load(&plan);
    assert_eq!((report.requests.verified, report.errors.total), (20, 0));
}

#[test]
fn generated_values_reach_the_server_and_are_expected_back() {
    let seen = Arc::new(Mutex::new(HashSet::new()));
    let targets = Arc::clone(&seen);
    let server = Server::start(move |request, stream| {
        let body = String::from_utf8_lossy(&request.body);
        let target = request.target();
        targets.lock().unwrap().insert(target.to_owned());
        stream
            .write_all(&ok(&format!("{target} {body}")))
            .map(|()| true)
    });
    let text = RequestText {
        method: "POST".into(),
        path: "/users/{{counter}}".into(),
        headers: vec![("X-Id".into(), "{{id}}".into())],
        body: Some(br#"{"id":"{{uuid}}","n":{{id}}}"#.to_vec()),
    };
    let expect = exactly(r#"/users/{{counter}} {"id":"{{uuid}}","n":{{id}}}"#);
    let recipe = Recipe::compile(&text, "test", expect).unwrap();
    let plan = Plan {
        connections: 3,
        pipeline: 2,
        duration: None,
        requests: Some(300),
        ..Plan::new(server.address, vec![recipe])
    };
    let report = load(&plan);
    assert_eq!(
        (report.requests.verified, report.errors.total),
        (300, 0),
        "{report:?}"
    );
    assert_eq!(seen.lock().unwrap().len(), 300);
}

#[test]
fn several_requests_are_sent_in_turn_each_with_its_own_expectation() {
    let server = Server::start(|request, stream| {
        let target = request.target().to_owned();
        stream.write_all(&ok(&target)).map(|()| true)
    });
    let recipe = |path: &str| {
        let text = RequestText {
            path: path.into(),
            ..RequestText::default()
        };
        Recipe::compile(&text, "test", exactly(path)).unwrap()
    };
    let recipes = vec![recipe("/a"), recipe("/b"), recipe("/c")];
    let plan = Plan {
        connections: 2,
        duration: None,
        requests: Some(90),
        ..Plan::new(server.address, recipes)
    };
    let report = load(&plan);
    assert_eq!(
        (report.requests.verified, report.errors.total),
        (90, 0),
        "{report:?}"
    );
}

#[test]
fn opens_connections_evenly_over_the_ramp() {
    let server = Server::constant(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    let plan = Plan {
        connections: 20,
        ramp: Duration::from_millis(400),
        duration: Some(Duration::from_millis(200)),
        ..server.plan(Expect::default())
    };
    let report = load(&plan);
    let accepted = server.counters.accepted.lock().unwrap();
    let spread = accepted.last().unwrap().duration_since(accepted[0]);
    assert!(spread >= Duration::from_millis(300), "{spread:?}");
    assert_eq!(
        (report.connections.opened, report.connections.open_max),
        (20, 20)
    );
    assert_eq!(report.errors.total, 0);
}

#[test]
fn sends_nothing_before_the_ramp_has_ended() {
    let first: Arc<OnceLock<Instant>> = Arc::default();
    let shared = Arc::clone(&first);
    let server = Server::start(move |_, stream| {
        shared.get_or_init(Instant::now);
        stream.write_all(&ok("hi")).map(|()| true)
    });
    let plan = Plan {
        connections: 5,
        ramp: Duration::from_millis(400),
        duration: None,
        requests: Some(10),
        ..server.plan(exactly("hi"))
    };
    assert_eq!(load(&plan).requests.verified, 10);
    let accepted = server.counters.accepted.lock().unwrap()[0];
    let quiet = first.get().unwrap().duration_since(accepted);
    assert!(quiet >= Duration::from_millis(300), "{quiet:?}");
}

#[test]
fn opens_hundreds_of_connections_without_a_ramp() {
    let server = Server::constant(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    let plan = Plan {
        connections: 300,
        duration: None,
        requests: Some(3000),
        ..server.plan(Expect::default())
    };
    let report = load(&plan);
    assert_eq!(
        (
            report.connections.open_max,
            report.requests.verified,
            report.errors.total
        ),
        (300, 3000, 0)
    );
}

#[test]
fn the_warm_up_is_not_counted() {
    // Wrong at first: nothing of it may be in the result but the note that there were faults.
    let server = Server::start(|request, stream| {
        let text = if request.index < 20 { "no" } else { "hi" };
        stream.write_all(&ok(text)).map(|()| true)
    });
    let plan = Plan {
        warm_up: Duration::from_millis(400),
        duration: Some(Duration::from_millis(200)),
        ..server.plan(exactly("hi"))
    };
    let report = load(&plan);
    assert_eq!(
        (report.errors.total, report.errors.before_measurement),
        (0, 20),
        "{report:?}"
    );
    assert!(report.requests.verified < server.requests() as u64 - 20);
}

#[test]
fn a_stopped_run_reports_what_it_has_and_says_so() {
    let server = Server::constant(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    let plan = Plan {
        duration: Some(Duration::from_secs(60)),
        ..server.plan(Expect::default())
    };
    let stop = AtomicBool::new(false);
    let begun = Instant::now();
    let report = std::thread::scope(|scope| {
        let running = scope.spawn(|| run(&plan, &stop).unwrap());
        while server.requests() < 100 {
            std::thread::yield_now();
        }
        stop.store(true, std::sync::atomic::Ordering::SeqCst);
        running.join().unwrap()
    });
    assert!(report.partial);
    assert!(
        report.requests.verified >= 98 && report.window_s < 30.0,
        "{report:?}"
    );
    assert!(begun.elapsed() < Duration::from_secs(30));
}

#[test]
fn refuses_plans_that_make_no_sense() {
    let address = "127.0.0.1:1".parse().unwrap();
    let good = plan(address, Expect::default());
    let bad = [
        Plan {
            connections: 0,
            ..good.clone()
        },
        Plan {
            connections: 10_001,
            ..good.clone()
        },
        Plan {
            pipeline: 0,
            ..good.clone()
        },
        Plan {
            rate: Some(0.0),
            ..good.clone()
        },
        Plan {
            rate: Some(f64::NAN),
            ..good.clone()
        },
        Plan {
            duration: None,
            requests: None,
            ..good.clone()
        },
        Plan {
            recipes: Vec::new(),
            ..good
        },
    ];
    for plan in bad {
        assert!(run(&plan, &AtomicBool::new(false)).is_err(), "{plan:?}");
    }
}
