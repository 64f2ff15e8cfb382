//! Descriptors that the application has taken: nothing of ours closes when they are free again. Alone in its
//! file: the limit belongs to the whole process.

mod support;

use std::fs::File;
use std::time::Instant;

use fulmar_engine::ServerConfig;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use support::{Server, answered, echo_host, get};

/// A waiting client is served this soon after descriptors are free again, in ms.
const SOON_MS: u64 = 1_000;
/// A limit that is reached quickly; the engine's reserve of 64 and a few connections are below it.
const LIMIT: u64 = 128;
/// Turns within the wait for the next try. A busy loop makes thousands.
const TURNS: u64 = 20;

#[test]
fn who_waits_is_served_soon_after_the_application_has_closed_its_files() {
    let before = getrlimit(Resource::Nofile);
    setrlimit(
        Resource::Nofile,
        Rlimit {
            current: Some(LIMIT),
            maximum: before.maximum,
        },
    )
    .expect("a lower limit");
    let mut server = Server::new(ServerConfig::default(), echo_host());
    let mut files: Vec<File> = Vec::new();
    while let Ok(file) = File::open("/dev/null") {
        files.push(file);
    }
    files.pop();
    let mut waiting = server.client();
    waiting.send(get("/"));
    server.settle();
    assert_eq!(server.engine.connection_count(), 0);
    for _ in 0..TURNS {
        server.step();
        assert!(
            !server.engine.has_ready(),
            "waits for its timer instead of spinning"
        );
        let next = server.engine.next_timer_ms();
        assert!(next.is_some_and(|ms| ms <= SOON_MS), "{next:?}");
    }
    let tries = server.engine.stats().accept_paused;
    assert!(tries >= 1);
    drop(files);
    let freed = Instant::now();
    waiting.expect(&mut server, &answered("/:"));
    assert!(freed.elapsed().as_millis() < u128::from(SOON_MS));
    assert_eq!(server.engine.next_timer_ms().filter(|ms| *ms == 0), None);
    assert!(server.engine.stats().accept_paused <= tries + 2);
}
