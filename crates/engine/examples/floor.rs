//! The floor of every comparison: the engine answering a constant from Rust, on one thread.
//!
//! `cargo run --release --example floor [port]` prints the port it listens on and serves until it is killed.
//! The reply has the field lines of Express's hello JSON, so that the bytes on the wire are the same.

use std::io::Write as _;

use fulmar_engine::{Body, Engine, EventKind, ListenTarget, Reply, ServerConfig, Slab, reply_flag};

const BLOCK: &[u8] = b"X-Powered-By: Express\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: 27\r\n\
ETag: W/\"1b-0000000000000000000000000000\"\r\n";
const BODY: &[u8] = br#"{"message":"Hello, World!"}"#;
const SLAB_BYTES: usize = 128 * 1024;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port = std::env::args().nth(1).map_or(Ok(0), |text| text.parse())?;
    let mut engine = Engine::new()?;
    let address = std::net::SocketAddr::from(([127, 0, 0, 1], port));
    let target = ListenTarget::Tcp {
        address,
        ipv6_only: false,
        backlog: 511,
        reuse_port: false,
    };
    let listener = engine.listen(target, ServerConfig::default())?;
    let bound = engine
        .listener_address(listener)
        .ok_or("the listener has no address")?;
    println!("{}", bound.port());
    std::io::stdout().flush()?;
    let mut memory = vec![0; SLAB_BYTES];
    loop {
        let timeout = engine.next_timer_ms().map(std::time::Duration::from_millis);
        engine.wait(&mut Slab::new(&mut memory, 0), timeout)?;
        let requests: Vec<_> = engine
            .events()
            .iter()
            .filter(|e| e.kind() == EventKind::Request as u8)
            .map(fulmar_engine::Event::id)
            .collect();
        engine.clear_events();
        for id in requests {
            let flags = reply_flag::DATE | reply_flag::KEEP_ALIVE;
            engine.reply(
                id,
                Reply {
                    status: 200,
                    reason: None,
                    block: BLOCK,
                    flags,
                },
                Body::Copy(BODY),
            );
        }
        engine.flush();
    }
}
