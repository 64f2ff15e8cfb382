//! Running out of descriptors. Alone in its file: the limit belongs to the whole process.

mod support;

use fulmar_engine::Engine;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use support::{Client, Server, answered, echo_host, get};

#[test]
fn accepting_pauses_at_the_descriptor_limit_without_a_busy_loop_and_goes_on_after_it() {
    let before = getrlimit(Resource::Nofile);
    // 64 are the engine's reserve for the application; 10 connections are left.
    let limit = |current| Rlimit {
        current,
        maximum: before.maximum,
    };
    setrlimit(Resource::Nofile, limit(Some(74))).expect("a lower limit");
    let mut server = Server::new(fulmar_engine::ServerConfig::default(), echo_host());
    setrlimit(Resource::Nofile, limit(before.current)).expect("the limit as before");
    let mut clients: Vec<Client> = (0..15).map(|_| server.client()).collect();
    server.settle();
    assert_eq!(server.engine.connection_count(), 10);
    assert!(server.engine.stats().accept_paused > 0);
    assert!(
        !Engine::has_ready(&server.engine),
        "waits instead of spinning"
    );
    for client in &mut clients {
        client.send(get("/"));
    }
    for mut client in clients {
        client.expect(&mut server, &answered("/:"));
    }
}
