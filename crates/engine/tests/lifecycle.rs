//! Listeners and connections from the first to the last: drain, closes, limits, ids, memory.

mod support;

use std::net::TcpStream;
use std::os::unix::net::UnixStream;

use fulmar_engine::{Engine, EventKind, Id, ListenTarget, ServerConfig};
use support::{Client, Server, answer, answered, answered_close, echo_host, get, tcp};

fn silent(config: ServerConfig) -> Server {
    Server::new(config, |_, _| {})
}

fn unix_path(name: &str) -> std::path::PathBuf {
    std::env::temp_dir().join(format!("fulmar-{}-{name}.sock", std::process::id()))
}

#[test]
fn a_closed_listener_serves_its_connections_and_then_says_so() {
    let mut server = Server::echo();
    let mut client = server.client();
    client.send(get("/1"));
    client.expect(&mut server, &answered("/1:"));
    server.engine.close_listener(server.listener);
    assert!(TcpStream::connect(server.address).is_err());
    client.send(get("/2"));
    client.expect(&mut server, &answered("/2:"));
    assert_eq!(server.count(EventKind::ListenerClosed), 0);
    drop(client);
    server.until("the end", |s| s.count(EventKind::ListenerClosed) == 1);
    assert_eq!(server.find(EventKind::ListenerClosed).id, server.listener);
    server.engine.close_listener(server.listener);
    server.engine.drain_listener(server.listener);
    server.settle();
    assert_eq!(server.count(EventKind::ListenerClosed), 1);
}

#[test]
fn a_kept_connection_of_a_closed_listener_ends_as_soon_as_nodes_would() {
    let mut server = silent(ServerConfig::default());
    let mut client = server.client();
    client.send(get("/"));
    server.until("the request", |s| s.count(EventKind::Request) == 1);
    server.engine.close_listener(server.listener);
    let id = server.find(EventKind::Request).id;
    answer(&mut server.engine, id, b"last");
    client.expect(&mut server, &answered("last"));
    let start = std::time::Instant::now();
    assert_eq!(client.expect_end(&mut server), "");
    // Node's `keepAliveTimeout`, and far from ours.
    assert!(start.elapsed().as_secs() < 10);
    server.until("the end", |s| s.count(EventKind::ListenerClosed) == 1);
}

#[test]
fn draining_loses_no_request_and_ends_soon() {
    let mut server = silent(ServerConfig::default());
    let mut idle = server.client();
    let mut open = server.client();
    idle.send(get("/i"));
    open.send(get("/o"));
    server.until("both", |s| s.count(EventKind::Request) == 2);
    let ids: Vec<(Id, String)> = server
        .log
        .iter()
        .map(|e| (e.id, e.target.clone()))
        .collect();
    let of = |target: &str| ids.iter().find(|(_, t)| t == target).expect("seen").0;
    answer(&mut server.engine, of("/i"), b"i");
    idle.expect(&mut server, &answered("i"));
    let mut waiting = server.client(); // In the backlog when the drain begins.
    server.engine.drain_listener(server.listener);
    waiting.send(get("/w"));
    idle.send(get("/l")); // On its way when the drain begins.
    server.until("the late ones", |s| s.count(EventKind::Request) == 4);
    for event in server
        .log
        .clone()
        .iter()
        .filter(|e| e.is(EventKind::Request))
    {
        answer(&mut server.engine, event.id, event.target.as_bytes());
    }
    assert_eq!(open.expect_end(&mut server), answered_close("/o"));
    assert_eq!(idle.expect_end(&mut server), answered_close("/l"));
    assert_eq!(waiting.expect_end(&mut server), answered_close("/w"));
    server.until("the end", |s| s.count(EventKind::ListenerClosed) == 1);
}

#[test]
fn draining_sends_the_replies_behind_a_slow_one() {
    let mut server = silent(ServerConfig::default());
    let mut client = server.client();
    client.send([get("/1"), get("/2"), get("/3")].concat());
    server.until("all", |s| s.count(EventKind::Request) == 3);
    let ids: Vec<Id> = server.log.iter().map(|e| e.id).collect();
    answer(&mut server.engine, ids[1], b"second");
    server.engine.drain_listener(server.listener);
    answer(&mut server.engine, ids[0], b"first");
    answer(&mut server.engine, ids[2], b"third");
    let expected = [
        answered("first"),
        answered("second"),
        answered_close("third"),
    ]
    .concat();
    assert_eq!(client.expect_end(&mut server), expected);
    server.until("the end", |s| s.count(EventKind::ListenerClosed) == 1);
}

#[test]
fn draining_closes_a_connection_that_stays_idle() {
    let mut server = Server::echo();
    let mut client = server.client();
    client.send(get("/"));
    client.expect(&mut server, &answered("/:"));
    server.engine.drain_listener(server.listener);
    assert_eq!(client.expect_end(&mut server), "");
    server.settle();
    assert_eq!(server.count(EventKind::ListenerClosed), 1);
}

#[test]
fn close_idle_spares_connections_with_an_open_exchange_and_close_all_spares_none() {
    let mut server = Server::new(ServerConfig::default(), |engine: &mut Engine, event| {
        if event.is(EventKind::Request) && event.target == "/answered" {
            answer(engine, event.id, b"");
        }
    });
    let (mut idle, mut open) = (server.client(), server.client());
    idle.send(get("/answered"));
    open.send(get("/open"));
    idle.expect(&mut server, &answered(""));
    server.until("both", |s| s.count(EventKind::Request) == 2);
    server.settle();
    server.engine.close_idle(server.listener);
    assert_eq!(idle.expect_end(&mut server), "");
    assert_eq!(server.engine.listener_connections(server.listener), 1);
    server.engine.close_all(server.listener);
    open.expect_end(&mut server);
    server.settle();
    assert_eq!(server.count(EventKind::Abort), 1);
    assert_eq!(server.engine.connection_count(), 0);
}

#[test]
fn connections_beyond_the_maximum_are_dropped_and_reported_with_their_ports() {
    let config = ServerConfig {
        connections_max: 2_usize.into(),
        ..ServerConfig::default()
    };
    let mut server = Server::new(config, echo_host());
    let mut kept: Vec<Client> = (0..2).map(|_| server.client()).collect();
    server.settle();
    let mut dropped = server.client();
    let port = dropped.stream.local_addr().expect("address").port();
    dropped.expect_end(&mut server);
    let event = server.find(EventKind::Drop);
    assert_eq!(event.words[7], u32::from(port));
    assert_eq!(server.engine.stats().dropped, 1);
    kept.pop();
    server.until("room", |s| s.engine.connection_count() == 1);
    let mut next = server.client();
    next.send(get("/"));
    next.expect(&mut server, &answered("/:"));
}

#[test]
fn reports_connections_their_addresses_and_what_they_transferred() {
    let config = ServerConfig {
        report_connections: true,
        ..ServerConfig::default()
    };
    let mut server = Server::new(config, echo_host());
    let mut client = server.client();
    client.send(get("/"));
    client.expect(&mut server, &answered("/:"));
    let id = server.find(EventKind::Connection).id;
    assert_eq!(server.find(EventKind::Request).connection, id);
    let engine = &mut server.engine;
    assert_eq!(engine.peer_address(id), client.stream.local_addr().ok());
    assert_eq!(engine.local_address(id), client.stream.peer_addr().ok());
    let (received, sent) = (get("/").len() as u64, answered("/:").len() as u64);
    assert_eq!(engine.transferred(id), (received, sent));
    assert!(engine.watch(id));
    engine.set_referenced(id, false);
    assert_eq!(engine.referenced_connections(), 0);
    drop(client);
    server.until("the end", |s| s.count(EventKind::ConnectionClosed) == 1);
    let closed = server.find(EventKind::ConnectionClosed);
    let wide = |low: usize| u64::from(closed.words[low + 1]) << 32 | u64::from(closed.words[low]);
    assert_eq!((wide(12), wide(10)), (received, sent));
    assert_eq!(server.engine.referenced_connections(), 0);
    assert_eq!(server.engine.transferred(id), (0, 0));
}

#[test]
fn serves_unix_sockets_and_removes_their_file() {
    let mut server = Server::echo();
    let path = unix_path("serve");
    let target = || ListenTarget::Unix {
        path: path.clone(),
        backlog: 16,
    };
    let id = server
        .engine
        .listen(target(), ServerConfig::default())
        .expect("listen");
    assert!(
        server
            .engine
            .listen(target(), ServerConfig::default())
            .is_err()
    );
    assert_eq!(server.engine.listener_path(id), Some(path.clone()));
    let mut client = Client::new(UnixStream::connect(&path).expect("connect"));
    client.send(get("/u").repeat(3));
    client.expect(&mut server, &answered("/u:").repeat(3));
    server.engine.close_listener(id);
    assert!(!path.exists());
    drop(client);
    server.until("the end", |s| s.count(EventKind::ListenerClosed) == 1);
}

#[test]
fn serves_sockets_that_others_have_opened() {
    let mut server = Server::echo();
    let inherited = std::net::TcpListener::bind("127.0.0.1:0").expect("bind");
    let address = inherited.local_addr().expect("address");
    let path = unix_path("inherited");
    let unix = std::os::unix::net::UnixListener::bind(&path).expect("bind");
    let listeners = [
        ListenTarget::InheritedTcp(inherited),
        ListenTarget::InheritedUnix(unix),
    ]
    .map(|target| {
        let listener = server.engine.listen(target, ServerConfig::default());
        listener.expect("listen")
    });
    let mut over_tcp = Client::new(TcpStream::connect(address).expect("connect"));
    over_tcp.send(get("/t"));
    over_tcp.expect(&mut server, &answered("/t:"));
    let mut over_unix = Client::new(UnixStream::connect(&path).expect("connect"));
    over_unix.send(get("/u"));
    over_unix.expect(&mut server, &answered("/u:"));
    for listener in listeners {
        assert_eq!(server.engine.listener_path(listener), None);
        server.engine.close_listener(listener);
    }
    std::fs::remove_file(path).expect("the file, which is not ours to remove");
}

#[test]
fn a_port_is_shared_only_when_asked_to() {
    let mut engine = Engine::new().expect("engine");
    let shared = engine
        .listen(tcp(true, 0), ServerConfig::default())
        .expect("listen");
    let port = engine.listener_address(shared).expect("address").port();
    engine
        .listen(tcp(true, port), ServerConfig::default())
        .expect("shares");
    assert!(
        engine
            .listen(tcp(false, port), ServerConfig::default())
            .is_err()
    );
}

#[test]
fn ten_thousand_connections_leave_nothing_behind() {
    const ROUNDS: usize = 100;
    const AT_ONCE: usize = 100;
    let mut server = Server::echo();
    for round in 0..ROUNDS {
        let mut clients: Vec<Client> = (0..AT_ONCE).map(|_| server.client()).collect();
        for (i, client) in clients.iter_mut().enumerate() {
            // Answered, cut off in the middle, silent, refused.
            match (i + round) % 4 {
                0 => client.send(get("/")),
                1 => client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx"),
                2 => {}
                _ => client.send("bad\r\n\r\n"),
            }
        }
        server.step();
        drop(clients);
        server.until("all gone", |s| {
            s.log.clear();
            let stats = s.engine.stats();
            stats.closed == ((round + 1) * AT_ONCE) as u64
        });
    }
    assert_eq!(server.engine.connection_count(), 0);
    assert_eq!(server.engine.referenced_connections(), 0);
    assert_eq!(server.engine.listener_connections(server.listener), 0);
}
