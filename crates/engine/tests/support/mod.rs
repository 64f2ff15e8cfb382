//! A server driven on the test's own thread and clients that never block: no sleeps, no threads, no races.
#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(unreachable_pub, reason = "a module of several test crates")]

use std::collections::HashMap;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use fulmar_engine::{
    Body, Engine, Event, EventKind, Id, ListenTarget, NextSlab, Reply, ServerConfig, Slab,
    event_flag, reply_flag,
};

/// Receive memory of the test host, in bytes: what the JavaScript hosts use.
pub const SLAB_BYTES: usize = 32 * 1024;
/// No condition of a test takes longer unless it never comes true.
const PATIENCE: Duration = Duration::from_secs(20);

/// An event with everything it refers to copied out of the slab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub kind: u8,
    pub flags: u32,
    pub id: Id,
    pub connection: Id,
    pub listener: u32,
    pub head: String,
    pub target: String,
    pub fields: Vec<(String, String)>,
    pub content: Vec<u8>,
    pub words: [u32; 16],
}

impl Seen {
    pub fn is(&self, kind: EventKind) -> bool {
        self.kind == kind as u8
    }

    pub fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }

    /// Why an exchange or connection ended.
    pub fn reason(&self) -> u32 {
        self.words[4]
    }
}

pub type Host = Box<dyn FnMut(&mut Engine, &Seen)>;

pub struct Server {
    pub engine: Engine,
    pub listener: Id,
    pub address: SocketAddr,
    pub log: Vec<Seen>,
    pub memory: Vec<u8>,
    /// How much of the memory is in use.
    pub cursor: usize,
    /// Sizes of the slabs that replaced another, in bytes.
    pub replaced: Vec<usize>,
    host: Host,
}

pub fn tcp(reuse_port: bool, port: u16) -> ListenTarget {
    ListenTarget::Tcp {
        address: SocketAddr::from(([127, 0, 0, 1], port)),
        ipv6_only: false,
        backlog: 511,
        reuse_port,
    }
}

impl Server {
    pub fn new(config: ServerConfig, host: impl FnMut(&mut Engine, &Seen) + 'static) -> Self {
        let mut engine = Engine::new().expect("engine");
        let listener = engine.listen(tcp(false, 0), config).expect("listen");
        let address = engine.listener_address(listener).expect("address");
        Self {
            engine,
            listener,
            address,
            log: Vec::new(),
            memory: vec![0; SLAB_BYTES],
            cursor: 0,
            replaced: Vec::new(),
            host: Box::new(host),
        }
    }

    /// A server that answers every request with its target and its content.
    pub fn echo() -> Self {
        Self::new(ServerConfig::default(), echo_host())
    }

    pub fn client(&mut self) -> Client {
        let stream = TcpStream::connect(self.address).expect("connect");
        stream.set_nodelay(true).expect("nodelay");
        Client::new(stream)
    }

    /// One turn; returns what it has to tell. The slab goes on or is replaced as the engine says, as in a
    /// JavaScript host.
    pub fn turn(&mut self) -> Vec<Seen> {
        let mut slab = Slab::new(&mut self.memory, self.cursor);
        self.engine
            .wait(&mut slab, Some(Duration::from_millis(1)))
            .expect("turn");
        let next = NextSlab::after(&slab, true);
        let seen: Vec<Seen> = self
            .engine
            .events()
            .iter()
            .map(|event| copy(event, &self.memory))
            .collect();
        self.engine.clear_events();
        self.cursor = next.cursor;
        if next.bytes > 0 {
            self.memory = vec![0; SLAB_BYTES.max(next.bytes as usize)];
            self.cursor = 0;
            self.replaced.push(self.memory.len());
        }
        seen
    }

    /// One turn, the host's answers, one flush.
    pub fn step(&mut self) {
        let seen = self.turn();
        for event in &seen {
            (self.host)(&mut self.engine, event);
        }
        self.engine.flush();
        self.log.extend(seen);
    }

    /// Turns until `done` says so.
    pub fn until(&mut self, what: &str, mut done: impl FnMut(&mut Self) -> bool) {
        let start = Instant::now();
        while !done(self) {
            assert!(
                start.elapsed() < PATIENCE,
                "never happened: {what}; {:?}",
                self.engine.stats()
            );
            self.step();
        }
    }

    /// Turns until nothing is left to do.
    pub fn settle(&mut self) {
        for _ in 0..3 {
            self.step();
            while self.engine.has_ready() || self.engine.is_dirty() {
                self.step();
            }
        }
    }

    pub fn count(&self, kind: EventKind) -> usize {
        self.log.iter().filter(|e| e.is(kind)).count()
    }

    pub fn find(&self, kind: EventKind) -> Seen {
        self.log
            .iter()
            .find(|e| e.is(kind))
            .unwrap_or_else(|| panic!("no {kind:?}"))
            .clone()
    }

    /// Targets of the requests in the order in which the host saw them.
    pub fn targets(&self) -> Vec<&str> {
        self.log
            .iter()
            .filter(|e| e.is(EventKind::Request))
            .map(|e| e.target.as_str())
            .collect()
    }
}

/// Five words: head and content, each with start and length, and the number of field lines.
const RECORD_BYTES: u32 = 20;

fn copy(event: &Event, memory: &[u8]) -> Seen {
    let part = |start: u32, len: u32| memory[start as usize..(start + len) as usize].to_vec();
    let kind = event.kind();
    let is = |k: EventKind| kind == k as u8;
    let is_head = is(EventKind::Request) || is(EventKind::Upgrade);
    let has_head = is_head || is(EventKind::ContentEnd) || is(EventKind::Reject);
    let has_content = is_head || is(EventKind::Content) || is(EventKind::RawData);
    let when = |yes: bool, start: u32, len: u32| {
        if yes { part(start, len) } else { Vec::new() }
    };
    let head = when(has_head, event.head_start, event.head_len);
    let target = when(
        is_head,
        event.head_start + event.target_start,
        event.target_len,
    );
    // In front of a head's table stands where its content is.
    let record = when(is_head, event.fields_start, RECORD_BYTES);
    let content_start = record.get(8..12).map_or(event.content_start, |word| {
        u32::from_ne_bytes(word.try_into().expect("4 bytes"))
    });
    let table = when(
        is_head || is(EventKind::ContentEnd),
        event.fields_start + u32::try_from(record.len()).expect("few bytes"),
        event.fields_len * 16,
    );
    let fields = table
        .chunks_exact(16)
        .map(|row| {
            let word = |i: usize| {
                u32::from_ne_bytes(row[i * 4..i * 4 + 4].try_into().expect("4 bytes")) as usize
            };
            let text = |at: usize, len: usize| String::from_utf8_lossy(&head[at..at + len]).into();
            (text(word(0), word(1)), text(word(2), word(3)))
        })
        .collect();
    Seen {
        kind,
        flags: event.head >> 16,
        id: event.id(),
        connection: Id {
            slot: event.connection_slot,
            generation: event.connection_generation,
        },
        listener: event.listener,
        head: String::from_utf8_lossy(&head).into(),
        target: String::from_utf8_lossy(&target).into(),
        fields,
        content: when(has_content, content_start, event.content_len),
        words: event.words(),
    }
}

/// Answers requests with `target` or `target:content`, trailers appended.
pub fn echo_host() -> impl FnMut(&mut Engine, &Seen) {
    let mut open: HashMap<Id, Vec<u8>> = HashMap::new();
    move |engine, event| {
        if event.is(EventKind::Request) {
            let mut body = event.target.clone().into_bytes();
            body.push(b':');
            body.extend_from_slice(&event.content);
            if event.has(event_flag::CONTENT_STREAMED) {
                open.insert(event.id, body);
                engine.read_content(event.id);
            } else {
                answer(engine, event.id, &body);
            }
        } else if event.is(EventKind::Content) {
            open.get_mut(&event.id)
                .expect("content of an open exchange")
                .extend_from_slice(&event.content);
        } else if event.is(EventKind::ContentEnd) {
            let mut body = open.remove(&event.id).expect("end of an open exchange");
            for (name, value) in &event.fields {
                body.extend_from_slice(format!("|{name}={value}").as_bytes());
            }
            answer(engine, event.id, &body);
        } else if event.is(EventKind::Abort) {
            open.remove(&event.id);
        }
    }
}

pub const KEEP_ALIVE: u32 =
    reply_flag::KEEP_ALIVE | reply_flag::NO_KEEP_ALIVE_HINT | reply_flag::CONTENT_LENGTH;

pub fn head(flags: u32) -> Reply<'static> {
    Reply {
        status: 200,
        reason: None,
        block: b"",
        flags,
    }
}

pub fn answer(engine: &mut Engine, id: Id, body: &[u8]) {
    engine.reply(id, head(KEEP_ALIVE), Body::Copy(body));
}

/// What `answer` puts on the wire.
pub fn answered(body: &str) -> String {
    let len = body.len();
    format!("HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: {len}\r\n\r\n{body}")
}

pub fn answered_close(body: &str) -> String {
    answered(body).replace("keep-alive", "close")
}

pub fn get(target: &str) -> String {
    format!("GET {target} HTTP/1.1\r\nHost: a\r\n\r\n")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Fin,
    Reset,
}

/// A client whose reads and writes never block.
pub struct Client<S = TcpStream> {
    pub stream: S,
    pub got: Vec<u8>,
    pub end: Option<End>,
    pending: Vec<u8>,
}

pub trait Socket: Read + Write {
    fn non_blocking(&self);
}

impl Socket for TcpStream {
    fn non_blocking(&self) {
        self.set_nonblocking(true).expect("nonblocking");
    }
}

impl Socket for std::os::unix::net::UnixStream {
    fn non_blocking(&self) {
        self.set_nonblocking(true).expect("nonblocking");
    }
}

impl Client<TcpStream> {
    pub fn shut(&self) {
        let _gone_already = self.stream.shutdown(Shutdown::Write);
    }
}

impl<S: Socket> Client<S> {
    pub fn new(stream: S) -> Self {
        stream.non_blocking();
        Self {
            stream,
            got: Vec::new(),
            end: None,
            pending: Vec::new(),
        }
    }

    /// Queues bytes and writes what the socket takes; `poll` writes the rest.
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.pending.extend_from_slice(bytes.as_ref());
        self.write();
    }

    fn write(&mut self) {
        while !self.pending.is_empty() {
            match self.stream.write(&self.pending) {
                Ok(count) => drop(self.pending.drain(..count)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => self.pending.clear(),
            }
        }
    }

    pub fn is_sent(&self) -> bool {
        self.pending.is_empty()
    }

    /// Writes and reads what is possible.
    pub fn poll(&mut self) {
        self.write();
        let mut buffer = [0; 16 * 1024];
        while self.end.is_none() {
            match self.stream.read(&mut buffer) {
                Ok(0) => self.end = Some(End::Fin),
                Ok(count) => self.got.extend_from_slice(&buffer[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => self.end = Some(End::Reset),
            }
        }
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.got).into()
    }

    /// Turns the server until these bytes, and no others, have come.
    pub fn expect(&mut self, server: &mut Server, expected: &str) {
        let expected_len = expected.len();
        server.until(
            &format!("reply {expected:?}, got {:?}", self.text()),
            |_| {
                self.poll();
                self.got.len() >= expected_len || self.end.is_some()
            },
        );
        assert_eq!(self.text(), expected);
        self.got.clear();
    }

    /// Turns the server until the connection has ended; returns what came until then.
    pub fn expect_end(&mut self, server: &mut Server) -> String {
        server.until("the connection's end", |_| {
            self.poll();
            self.end.is_some()
        });
        let text = self.text();
        self.got.clear();
        text
    }
}
