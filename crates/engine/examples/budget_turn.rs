//! One turn of the engine, from readiness to the last send: `bench/budget` counts its instructions,
//! `bench/micro/turn.mjs` takes its time.
//!
//! `budget_turn <connections> <rounds> [time]`. In each round every connection sends one request; then the
//! engine polls, receives, parses, describes the batch as events, is answered, encodes and sends. Callgrind
//! collects within [`measured_turn`] alone: clients, accept and the start of the process are outside it, and
//! so is the kernel. With `time` it prints the median and the lowest time of a turn, in nanoseconds for each
//! request, the kernel's included; else it prints nothing.

use std::error::Error;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use fulmar_engine::{
    Body, Engine, Event, EventKind, ListenTarget, Reply, ServerConfig, Slab, reply_flag,
};

const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost:3000\r\n\r\n";
/// The field lines and the content of Express's hello JSON.
const BLOCK: &[u8] = b"X-Powered-By: Express\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: 27\r\n\
ETag: W/\"1b-0000000000000000000000000000\"\r\n";
const CONTENT: &[u8] = br#"{"message":"Hello, World!"}"#;
const SLAB_BYTES: usize = 128 * 1024;
/// Pools and queues have reached their size by then.
const WARM_UP_ROUNDS: u32 = 50;
/// A wait that lasts this long means that a request was lost.
const WAIT_MAX: Duration = Duration::from_secs(10);

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let count: usize = arguments
        .next()
        .ok_or("usage: budget_turn <connections> <rounds>")?
        .parse()?;
    let rounds: u32 = arguments.next().ok_or("no number of rounds")?.parse()?;
    let is_timed = arguments.next().is_some_and(|word| word == "time");
    let mut times = Vec::new();
    let mut host = Host::new()?;
    let mut clients = Vec::new();
    for _ in 0..count {
        let client = TcpStream::connect(host.address)?;
        client.set_nodelay(true)?;
        client.set_read_timeout(Some(WAIT_MAX))?;
        clients.push(client);
    }
    for _ in 0..WARM_UP_ROUNDS {
        ask(&mut clients)?;
        host.turn(count)?;
        check(&mut clients)?;
    }
    for _ in 0..rounds {
        ask(&mut clients)?;
        let start = Instant::now();
        measured_turn(&mut host, count)?;
        times.push(start.elapsed());
        check(&mut clients)?;
    }
    if is_timed {
        print_times(times, count);
    }
    Ok(())
}

fn print_times(mut times: Vec<Duration>, connections: usize) {
    times.sort_unstable();
    let per_request = |time: Option<&Duration>| {
        time.map_or(0, Duration::as_nanos) / u128::try_from(connections.max(1)).unwrap_or(1)
    };
    let median = per_request(times.get(times.len() / 2));
    println!("{median} {}", per_request(times.first()));
}

fn ask(clients: &mut [TcpStream]) -> Result<(), Box<dyn Error>> {
    for client in clients {
        client.write_all(REQUEST)?;
    }
    Ok(())
}

/// Reads one reply from each client.
fn check(clients: &mut [TcpStream]) -> Result<(), Box<dyn Error>> {
    let mut buffer = [0; 1024];
    for client in clients {
        let mut length = 0;
        while !buffer[..length].ends_with(CONTENT) {
            let read = client.read(&mut buffer[length..])?;
            if read == 0 {
                return Err("a connection was closed".into());
            }
            length += read;
        }
        if !buffer.starts_with(b"HTTP/1.1 200 OK\r\n") {
            return Err("a request was refused".into());
        }
    }
    Ok(())
}

#[inline(never)]
fn measured_turn(host: &mut Host, expected: usize) -> Result<(), Box<dyn Error>> {
    host.turn(expected)
}

/// The smallest host: a slab, a list of exchanges to answer, and one reply for all.
struct Host {
    engine: Engine,
    address: SocketAddr,
    slab: Vec<u8>,
    requests: Vec<fulmar_engine::Id>,
}

impl Host {
    fn new() -> Result<Self, Box<dyn Error>> {
        let mut engine = Engine::new()?;
        let target = ListenTarget::Tcp {
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            ipv6_only: false,
            backlog: 511,
            reuse_port: false,
        };
        let listener = engine.listen(target, ServerConfig::default())?;
        let address = engine
            .listener_address(listener)
            .ok_or("the listener has no address")?;
        Ok(Self {
            engine,
            address,
            slab: vec![0; SLAB_BYTES],
            requests: Vec::new(),
        })
    }

    /// Answers `expected` requests; one wake-up is enough unless the kernel delivers some of them late.
    fn turn(&mut self, expected: usize) -> Result<(), Box<dyn Error>> {
        let mut answered = 0;
        while answered < expected {
            self.engine
                .wait(&mut Slab::new(&mut self.slab, 0), Some(WAIT_MAX))?;
            let events = self.engine.events().iter();
            let requests = events.filter(|event| event.kind() == EventKind::Request as u8);
            self.requests.extend(requests.map(Event::id));
            self.engine.clear_events();
            answered += self.requests.len();
            for id in self.requests.drain(..) {
                let reply = Reply {
                    status: 200,
                    reason: None,
                    block: BLOCK,
                    flags: reply_flag::DATE | reply_flag::KEEP_ALIVE,
                };
                self.engine.reply(id, reply, Body::Copy(CONTENT));
            }
            self.engine.flush();
        }
        Ok(())
    }
}
