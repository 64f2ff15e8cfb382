//! A tiny HTTP server for tests: a thread for each connection, and a function that decides what is answered.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::{
    io::{self, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::JoinHandle,
    time::Instant,
};

use fulmar_load::{Expect, Plan, Recipe, Report, RequestText, run};

/// A request as the server saw it.
pub struct Request {
    /// Number of the request, over all connections, from 0.
    pub index: usize,
    pub head: String,
    pub body: Vec<u8>,
}

impl Request {
    pub fn target(&self) -> &str {
        self.head.split(' ').nth(1).unwrap_or_default()
    }
}

/// What connections do; an error or the end of the function ends the connection.
type Serve = dyn Fn(&mut TcpStream, &Counters) -> io::Result<()> + Send + Sync;

/// What the server saw.
#[derive(Default)]
pub struct Counters {
    pub requests: AtomicUsize,
    pub accepted: Mutex<Vec<Instant>>,
    stop: AtomicBool,
}

pub struct Server {
    pub address: SocketAddr,
    pub counters: Arc<Counters>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Answers each request with what `answer` writes; false ends the connection.
    pub fn start<F>(answer: F) -> Self
    where
        F: Fn(&Request, &mut TcpStream) -> io::Result<bool> + Send + Sync + 'static,
    {
        Self::raw(move |stream, counters| {
            let mut input = Vec::new();
            while let Some(mut request) = next_request(stream, &mut input)? {
                request.index = counters.requests.fetch_add(1, Ordering::SeqCst);
                if !answer(&request, stream)? {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Gives each connection to `serve`.
    pub fn raw<F>(serve: F) -> Self
    where
        F: Fn(&mut TcpStream, &Counters) -> io::Result<()> + Send + Sync + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let counters = Arc::new(Counters::default());
        let shared = Arc::clone(&counters);
        let serve: Arc<Serve> = Arc::new(serve);
        let thread = std::thread::spawn(move || accept(&listener, &shared, &serve));
        Self {
            address,
            counters,
            thread: Some(thread),
        }
    }

    /// A server that answers everything with `reply`.
    pub fn constant(reply: &'static [u8]) -> Self {
        Self::start(move |_, stream| stream.write_all(reply).map(|()| true))
    }

    pub fn requests(&self) -> usize {
        self.counters.requests.load(Ordering::SeqCst)
    }

    /// A plan for `GET /` that expects `expect`.
    pub fn plan(&self, expect: Expect) -> Plan {
        plan(self.address, expect)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.counters.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn accept(listener: &TcpListener, counters: &Arc<Counters>, serve: &Arc<Serve>) {
    while let Ok((mut stream, _)) = listener.accept() {
        if counters.stop.load(Ordering::SeqCst) {
            return;
        }
        counters.accepted.lock().unwrap().push(Instant::now());
        let (counters, serve) = (Arc::clone(counters), Arc::clone(serve));
        // It ends with its connection, which the generator closes.
        std::thread::spawn(move || {
            let _ = stream.set_nodelay(true);
            serve(&mut stream, &counters)
        });
    }
}

fn next_request(stream: &mut TcpStream, input: &mut Vec<u8>) -> io::Result<Option<Request>> {
    loop {
        if let Some((request, used)) = split_request(input) {
            input.drain(..used);
            return Ok(Some(request));
        }
        let mut piece = [0; 4096];
        let count = stream.read(&mut piece)?;
        if count == 0 {
            return Ok(None);
        }
        input.extend_from_slice(&piece[..count]);
    }
}

fn split_request(input: &[u8]) -> Option<(Request, usize)> {
    let end = input.windows(4).position(|part| part == b"\r\n\r\n")? + 4;
    let head = String::from_utf8(input[..end].to_vec()).unwrap();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("Content-Length: "));
    let length: usize = length.map_or(0, |text| text.parse().unwrap());
    let body = input.get(end..end + length)?.to_vec();
    Some((
        Request {
            index: 0,
            head,
            body,
        },
        end + length,
    ))
}

/// A reply of `body`.
pub fn ok(body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// A plan for `GET /`.
pub fn plan(address: SocketAddr, expect: Expect) -> Plan {
    let text = RequestText {
        path: "/".into(),
        ..RequestText::default()
    };
    Plan::new(
        address,
        vec![Recipe::compile(&text, "test", expect).unwrap()],
    )
}

/// Runs a plan to its end.
pub fn load(plan: &Plan) -> Report {
    run(plan, &AtomicBool::new(false)).unwrap()
}
