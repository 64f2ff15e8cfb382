//! One connection: its socket, what is still to be written, and its requests in flight, oldest first.

use std::{collections::VecDeque, io, io::Write as _, time::Instant};

use mio::net::TcpStream;

use crate::reply::ReplyReader;

/// A request whose reply is not complete.
#[derive(Clone, Copy, Debug)]
pub struct Flight {
    /// When it was to be sent; in the closed loop, when it was.
    pub start: Instant,
    /// When it was sent.
    pub sent: Instant,
    /// Its number.
    pub serial: u64,
    /// Whether it started within the measurement.
    pub counts: bool,
}

/// State of the socket.
#[derive(Debug)]
pub enum Link {
    /// None, or one that has ended.
    Closed,
    /// Opening since.
    Opening(TcpStream, Instant),
    /// Usable.
    Open(TcpStream),
}

/// One of the run's connections; it may be reopened.
#[derive(Debug)]
pub struct Connection {
    /// Socket.
    pub link: Link,
    /// Bytes to write; `written` of them are.
    pub out: Vec<u8>,
    /// How much of `out` the socket has taken.
    pub written: usize,
    /// Requests in flight, never more than the plan's pipelining depth.
    pub flights: VecDeque<Flight>,
    /// Reply in progress.
    pub reader: ReplyReader,
    /// Whether it was open before.
    pub was_open: bool,
    /// Whether a reply came since it was opened: then a lost connection is reopened at once.
    pub has_answered: bool,
    /// Open loop: whether it waits in the queue of free connections.
    pub is_queued: bool,
}

impl Connection {
    /// A connection for up to `pipeline` requests in flight.
    #[must_use]
    pub fn new(pipeline: usize) -> Self {
        Self {
            link: Link::Closed,
            out: Vec::new(),
            written: 0,
            flights: VecDeque::with_capacity(pipeline),
            reader: ReplyReader::default(),
            was_open: false,
            has_answered: false,
            is_queued: false,
        }
    }

    /// Whether requests can be written.
    #[must_use]
    pub fn is_open(&self) -> bool {
        matches!(self.link, Link::Open(_))
    }

    /// Writes what the socket takes.
    ///
    /// # Errors
    /// Those of the socket, "would block" excepted: the next writable event goes on.
    pub fn flush(&mut self) -> io::Result<()> {
        let Link::Open(stream) = &mut self.link else {
            return Ok(());
        };
        while self.written < self.out.len() {
            match stream.write(&self.out[self.written..]) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => self.written += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.out.drain(..self.written);
                    self.written = 0;
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.out.clear();
        self.written = 0;
        Ok(())
    }

    /// Forgets everything of the former socket.
    pub fn clear(&mut self) {
        self.out.clear();
        self.written = 0;
        self.flights.clear();
        self.reader.reset();
        self.has_answered = false;
    }
}
