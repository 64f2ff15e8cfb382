//! Stream sockets for `node:net`: TCP, Unix sockets and descriptors, listeners and connections. Each has a
//! number; what happens is told to one function per socket. Nothing here knows Node's events.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::fd::{FromRawFd as _, OwnedFd};
use std::rc::Rc;

use rquickjs::function::Func;
use rquickjs::{ArrayBuffer, Ctx, Function, IntoJs, Object, Persistent, Result, Value};
use socket2::{SockAddr, SockRef};
use tokio::io::unix::AsyncFd;
use tokio::sync::Notify;

use crate::event_loop::Loop;
use crate::memory::with_bytes;
use crate::text::{latin1, with_utf8};

use super::net_address as address;
use super::net_open as open;

/// What one read takes, in bytes.
const READ_BYTES_MAX: usize = 64 * 1024;
/// Connections accepted before others have their turn.
const ACCEPTS_MAX: usize = 32;
const EBADF: i32 = 9;
const EINVAL: i32 = 22;

/// First argument of a socket's function.
mod event {
    pub(super) const CONNECTED: u32 = 1;
    pub(super) const DATA: u32 = 2;
    pub(super) const END: u32 = 3;
    pub(super) const DRAINED: u32 = 4;
    pub(super) const SHUT: u32 = 5;
    pub(super) const READ_FAILED: u32 = 6;
    pub(super) const WRITE_FAILED: u32 = 7;
    pub(super) const ACCEPTED: u32 = 8;
}

#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Connecting,
    Open,
    Listening,
}

struct Socket {
    fd: AsyncFd<File>,
    phase: Cell<Phase>,
    reading: Cell<bool>,
    referenced: Cell<bool>,
    closed: Cell<bool>,
    /// The write side ends when all is written.
    ending: Cell<bool>,
    /// Counted in the event loop.
    retained: Cell<bool>,
    out: RefCell<Vec<u8>>,
    /// Bytes of `out` that are written.
    out_start: Cell<usize>,
    changed: Notify,
}

impl Socket {
    fn new(fd: OwnedFd, phase: Phase) -> io::Result<Rc<Self>> {
        // SAFETY: the file owns its descriptor and is dropped with the registration.
        let fd = unsafe { AsyncFd::register(File::from(fd)) }?;
        Ok(Rc::new(Self {
            fd,
            phase: Cell::new(phase),
            reading: Cell::new(false),
            referenced: Cell::new(true),
            closed: Cell::new(false),
            ending: Cell::new(false),
            retained: Cell::new(false),
            out: RefCell::new(Vec::new()),
            out_start: Cell::new(0),
            changed: Notify::new(),
        }))
    }

    fn waiting_bytes(&self) -> usize {
        self.out.borrow().len() - self.out_start.get()
    }

    fn wants_write(&self) -> bool {
        self.phase.get() == Phase::Connecting || self.waiting_bytes() > 0 || self.ending.get()
    }

    fn wants_read(&self) -> bool {
        self.phase.get() == Phase::Listening
            || (self.phase.get() == Phase::Open && self.reading.get())
    }

    /// A request under way keeps the process alive, so does a referenced socket that reads.
    fn keeps_alive(&self) -> bool {
        !self.closed.get() && (self.wants_write() || (self.referenced.get() && self.wants_read()))
    }

    fn update(&self, event_loop: &Rc<impl Loop>) {
        let alive = self.keeps_alive();
        if alive != self.retained.replace(alive) {
            if alive {
                event_loop.retain();
            } else {
                event_loop.release();
            }
        }
        self.changed.notify_one();
    }

    /// Writes what waits; true when nothing waits any more.
    fn flush(&self) -> io::Result<bool> {
        let mut out = self.out.borrow_mut();
        while self.out_start.get() < out.len() {
            match self
                .fd
                .get_ref()
                .write(out.get(self.out_start.get()..).unwrap_or_default())
            {
                Ok(count) => self.out_start.set(self.out_start.get() + count),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    *out = Vec::new();
                    self.out_start.set(0);
                    return Err(error);
                }
            }
        }
        *out = Vec::new();
        self.out_start.set(0);
        Ok(true)
    }

    /// Writes at once what the system takes, keeps the rest; returns how many bytes wait.
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        if self.phase.get() == Phase::Open && self.waiting_bytes() == 0 {
            while !rest.is_empty() {
                match self.fd.get_ref().write(rest) {
                    Ok(count) => rest = rest.get(count..).unwrap_or_default(),
                    Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
        }
        self.out.borrow_mut().extend_from_slice(rest);
        Ok(self.waiting_bytes())
    }
}

/// All sockets of the process.
pub(crate) struct Sockets<L> {
    event_loop: Rc<L>,
    open: RefCell<HashMap<u32, Rc<Socket>>>,
    next: Cell<u32>,
    buffer: RefCell<Vec<u8>>,
}

fn errno(error: &io::Error) -> i32 {
    -error.raw_os_error().unwrap_or(EINVAL)
}

impl<L: Loop> Sockets<L> {
    fn add(&self, fd: OwnedFd, phase: Phase) -> i32 {
        match Socket::new(fd, phase) {
            Ok(socket) => {
                let id = self.next.get();
                self.next.set(id + 1);
                self.open.borrow_mut().insert(id, socket);
                i32::try_from(id).unwrap_or(-EINVAL)
            }
            Err(error) => errno(&error),
        }
    }

    fn connect(&self, fd: io::Result<(OwnedFd, bool)>) -> i32 {
        match fd {
            Ok((fd, _)) => self.add(fd, Phase::Connecting),
            Err(error) => errno(&error),
        }
    }

    fn with<T>(&self, id: u32, work: impl FnOnce(&Socket) -> T) -> Option<T> {
        let socket = self.open.borrow().get(&id).cloned()?;
        let result = work(&socket);
        socket.update(&self.event_loop);
        Some(result)
    }

    /// From now on `on_event` hears what happens.
    fn start<'js>(self: &Rc<Self>, ctx: &Ctx<'js>, id: u32, on_event: Function<'js>) {
        let Some(socket) = self.open.borrow().get(&id).cloned() else {
            return;
        };
        socket.update(&self.event_loop);
        let task = Task {
            sockets: Rc::clone(self),
            id,
            socket,
            ctx: ctx.clone(),
            on_event: Persistent::save(ctx, on_event),
        };
        ctx.spawn(task.run());
    }

    fn close(&self, id: u32, reset: bool) {
        if let Some(socket) = self.open.borrow_mut().remove(&id) {
            if reset {
                // A failure means an ordinary close.
                let _result =
                    SockRef::from(socket.fd.get_ref()).set_linger(Some(std::time::Duration::ZERO));
            }
            socket.closed.set(true);
            socket.update(&self.event_loop);
        }
    }
}

/// The life of one socket.
struct Task<'js, L> {
    sockets: Rc<Sockets<L>>,
    id: u32,
    socket: Rc<Socket>,
    ctx: Ctx<'js>,
    on_event: Persistent<Function<'static>>,
}

impl<'js, L: Loop> Task<'js, L> {
    async fn run(self) {
        let socket = &self.socket;
        while !socket.closed.get() {
            tokio::select! {
                biased;
                () = socket.changed.notified() => {}
                ready = socket.fd.writable(), if socket.wants_write() => {
                    if let Ok(mut guard) = ready && !self.write() {
                        guard.clear_ready();
                    }
                }
                ready = socket.fd.readable(), if socket.wants_read() => {
                    if let Ok(mut guard) = ready && !self.read() {
                        guard.clear_ready();
                    }
                }
            }
        }
    }

    fn tell(&self, kind: u32, value: impl IntoJs<'js>) {
        let event_loop = &self.sockets.event_loop;
        let called = event_loop.enter(&self.ctx, || {
            let function = self.on_event.clone().restore(&self.ctx)?;
            function.call::<_, Value<'js>>((kind, value))
        });
        if !called && event_loop.was_interrupted() {
            // Whoever waits for an answer of the code that was ended shall not wait for ever.
            self.sockets.close(self.id, true);
        }
    }

    /// False when the descriptor has to become ready again.
    fn write(&self) -> bool {
        let socket = &self.socket;
        if socket.phase.get() == Phase::Connecting {
            return self.connected();
        }
        match socket.flush() {
            Ok(false) => return false,
            Ok(true) => {}
            Err(error) => {
                socket.ending.set(false);
                socket.update(&self.sockets.event_loop);
                self.tell(event::WRITE_FAILED, errno(&error));
                return true;
            }
        }
        if socket.ending.replace(false) {
            let outcome = SockRef::from(socket.fd.get_ref()).shutdown(std::net::Shutdown::Write);
            socket.update(&self.sockets.event_loop);
            self.tell(event::SHUT, outcome.err().map_or(0, |e| errno(&e)));
        } else {
            socket.update(&self.sockets.event_loop);
            self.tell(event::DRAINED, 0);
        }
        true
    }

    fn connected(&self) -> bool {
        let socket = &self.socket;
        let status = SockRef::from(socket.fd.get_ref())
            .take_error()
            .unwrap_or_else(Some);
        socket.phase.set(Phase::Open);
        socket.update(&self.sockets.event_loop);
        self.tell(event::CONNECTED, status.as_ref().map_or(0, errno));
        true
    }

    /// False when the descriptor has to become ready again.
    fn read(&self) -> bool {
        if self.socket.phase.get() == Phase::Listening {
            return self.accept();
        }
        let mut buffer = self.sockets.buffer.take();
        if buffer.is_empty() {
            buffer.resize(READ_BYTES_MAX, 0);
        }
        let outcome = self.socket.fd.get_ref().read(&mut buffer);
        let again = match outcome {
            Ok(0) => {
                self.socket.reading.set(false);
                self.socket.update(&self.sockets.event_loop);
                self.tell(event::END, 0);
                true
            }
            Ok(count) => {
                let bytes = buffer.get(..count).unwrap_or_default();
                let copy = ArrayBuffer::new_copy(self.ctx.clone(), bytes);
                self.sockets.buffer.replace(buffer);
                match copy {
                    Ok(copy) => self.tell(event::DATA, copy),
                    Err(error) => self.sockets.event_loop.report(&self.ctx, error),
                }
                return true;
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => false,
            Err(error) if error.kind() == ErrorKind::Interrupted => true,
            Err(error) => {
                self.socket.reading.set(false);
                self.socket.update(&self.sockets.event_loop);
                self.tell(event::READ_FAILED, errno(&error));
                true
            }
        };
        self.sockets.buffer.replace(buffer);
        again
    }

    fn accept(&self) -> bool {
        for _ in 0..ACCEPTS_MAX {
            if self.socket.closed.get() {
                return true;
            }
            match SockRef::from(self.socket.fd.get_ref()).accept() {
                Ok((accepted, _)) => {
                    let ready = accepted.set_nonblocking(true);
                    let id = match ready {
                        Ok(()) => self.sockets.add(accepted.into(), Phase::Open),
                        Err(error) => errno(&error),
                    };
                    self.tell(event::ACCEPTED, id);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return false,
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::Interrupted | ErrorKind::ConnectionAborted
                    ) => {}
                Err(error) => {
                    self.tell(event::ACCEPTED, errno(&error));
                    return false;
                }
            }
        }
        true
    }
}

pub(crate) fn install<'js>(
    ctx: &Ctx<'js>,
    ops: &Object<'js>,
    event_loop: &Rc<impl Loop>,
) -> Result<()> {
    let sockets = Rc::new(Sockets {
        event_loop: Rc::clone(event_loop),
        open: RefCell::new(HashMap::new()),
        next: Cell::new(1),
        buffer: RefCell::new(Vec::new()),
    });
    let net = Object::new(ctx.clone())?;
    opening(&net, &sockets)?;
    transfer(&net, &sockets)?;
    options(&net, &sockets)?;
    ops.set("net", net)
}

fn opening<'js>(net: &Object<'js>, sockets: &Rc<Sockets<impl Loop>>) -> Result<()> {
    let s = Rc::clone(sockets);
    // (address, port, local address or '', local port) → id or negative errno
    net.set(
        "connect",
        Func::from(
            move |host: String, port: u16, local: String, local_port: u16| {
                s.connect(open::tcp(&host, port, &local, local_port))
            },
        ),
    )?;
    let s = Rc::clone(sockets);
    net.set(
        "connectPath",
        Func::from(move |path: String| s.connect(open::unix(&path))),
    )?;
    let s = Rc::clone(sockets);
    // A pipe or a socket that is open already.
    net.set(
        "adopt",
        Func::from(move |fd: i32| match open::inherited(fd) {
            Ok(fd) => s.add(fd, Phase::Open),
            Err(error) => errno(&error),
        }),
    )?;
    let s = Rc::clone(sockets);
    // (address, port, backlog, flags) → id or negative errno
    net.set(
        "listen",
        Func::from(
            move |host: String, port: u16, backlog: i32, flags: u32| match open::listen_tcp(
                &host, port, backlog, flags,
            ) {
                Ok(fd) => s.add(fd, Phase::Listening),
                Err(error) => errno(&error),
            },
        ),
    )?;
    let s = Rc::clone(sockets);
    net.set(
        "listenPath",
        Func::from(
            move |path: String, backlog: i32| match open::listen_unix(&path, backlog) {
                Ok(fd) => s.add(fd, Phase::Listening),
                Err(error) => errno(&error),
            },
        ),
    )?;
    let s = Rc::clone(sockets);
    net.set(
        "listenFd",
        Func::from(
            move |fd: i32, backlog: i32| match open::listen_fd(fd, backlog) {
                Ok(fd) => s.add(fd, Phase::Listening),
                Err(error) => errno(&error),
            },
        ),
    )?;
    let s = Rc::clone(sockets);
    net.set(
        "start",
        Func::from(move |ctx: Ctx<'js>, id: u32, on_event: Function<'js>| {
            s.start(&ctx, id, on_event);
        }),
    )
}

fn transfer<'js>(net: &Object<'js>, sockets: &Rc<Sockets<impl Loop>>) -> Result<()> {
    let s = Rc::clone(sockets);
    net.set(
        "read",
        Func::from(move |id: u32, on: bool| {
            s.with(id, |socket| socket.reading.set(on));
        }),
    )?;
    let s = Rc::clone(sockets);
    // (id, bytes or text, latin1) → bytes that wait, or negative errno
    net.set(
        "write",
        Func::from(
            move |ctx: Ctx<'js>, id: u32, data: Value<'js>, is_latin1: bool| {
                write(&s, &ctx, id, &data, is_latin1)
            },
        ),
    )?;
    let s = Rc::clone(sockets);
    net.set(
        "shutdown",
        Func::from(move |id: u32| {
            s.with(id, |socket| socket.ending.set(true));
        }),
    )?;
    let s = Rc::clone(sockets);
    net.set(
        "close",
        Func::from(move |id: u32, reset: bool| s.close(id, reset)),
    )?;
    let s = Rc::clone(sockets);
    net.set(
        "reference",
        Func::from(move |id: u32, on: bool| {
            s.with(id, |socket| socket.referenced.set(on));
        }),
    )
}

fn write<'js>(
    sockets: &Sockets<impl Loop>,
    ctx: &Ctx<'js>,
    id: u32,
    data: &Value<'js>,
    is_latin1: bool,
) -> Result<f64> {
    let send = |bytes: &[u8]| match sockets.with(id, |socket| socket.write(bytes)) {
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        Some(Ok(waiting)) => waiting as f64,
        Some(Err(error)) => f64::from(errno(&error)),
        None => f64::from(-EBADF),
    };
    match data.as_string() {
        Some(text) if is_latin1 => Ok(send(&latin1(text)?)),
        Some(text) => with_utf8(text, send),
        None => {
            // The system copies: JavaScript does not run meanwhile.
            with_bytes(ctx, data, |bytes| send(bytes))
        }
    }
}

fn options<'js>(net: &Object<'js>, sockets: &Rc<Sockets<impl Loop>>) -> Result<()> {
    let s = Rc::clone(sockets);
    net.set(
        "setNoDelay",
        Func::from(move |id: u32, on: bool| {
            outcome(s.with(id, |x| SockRef::from(x.fd.get_ref()).set_tcp_nodelay(on)))
        }),
    )?;
    let s = Rc::clone(sockets);
    // Delay in seconds; 0 leaves it.
    net.set(
        "setKeepAlive",
        Func::from(move |id: u32, on: bool, seconds: u32| {
            outcome(s.with(id, |x| open::keep_alive(x.fd.get_ref(), on, seconds)))
        }),
    )?;
    let s = Rc::clone(sockets);
    // `[address, family, port]`, a path, or undefined.
    net.set(
        "localName",
        Func::from(move |ctx: Ctx<'js>, id: u32| {
            name(
                &ctx,
                s.with(id, |x| SockRef::from(x.fd.get_ref()).local_addr()),
            )
        }),
    )?;
    let s = Rc::clone(sockets);
    net.set(
        "peerName",
        Func::from(move |ctx: Ctx<'js>, id: u32| {
            name(
                &ctx,
                s.with(id, |x| SockRef::from(x.fd.get_ref()).peer_addr()),
            )
        }),
    )
}

fn outcome(result: Option<io::Result<()>>) -> i32 {
    match result {
        Some(Ok(())) => 0,
        Some(Err(error)) => errno(&error),
        None => -EBADF,
    }
}

fn name<'js>(ctx: &Ctx<'js>, result: Option<io::Result<SockAddr>>) -> Result<Value<'js>> {
    match result {
        Some(Ok(at)) => address::to_js(ctx, &at),
        _ => Ok(Value::new_undefined(ctx.clone())),
    }
}

/// A descriptor that JavaScript names and gives up.
pub(super) fn owned(fd: i32) -> OwnedFd {
    // SAFETY: the caller passes a descriptor that it gives up; using it fails where it is none.
    unsafe { OwnedFd::from_raw_fd(fd) }
}
