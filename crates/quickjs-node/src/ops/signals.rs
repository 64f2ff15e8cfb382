//! Signals as events: a handler writes the signal's number to a pipe, the event loop reads it.
//!
//! The default action is back when nobody listens any more, as in Node. (tokio's own signals would stay
//! installed.)

use std::cell::{Cell, RefCell};
use std::os::fd::{AsRawFd as _, OwnedFd, RawFd};
use std::rc::Rc;
use std::sync::atomic::{AtomicI32, Ordering};

use rquickjs::function::Func;
use rquickjs::{Ctx, Exception, Function, Object, Persistent, Result};
use tokio::io::AsyncReadExt as _;
use tokio::net::unix::pipe;

use crate::event_loop::Loop;

/// The pipe's end that the handler writes to.
static PIPE: AtomicI32 = AtomicI32::new(-1);

/// Named numbers, in Node's order.
const SIGNALS: &[(&str, i32)] = &[
    ("SIGHUP", libc::SIGHUP),
    ("SIGINT", libc::SIGINT),
    ("SIGQUIT", libc::SIGQUIT),
    ("SIGILL", libc::SIGILL),
    ("SIGTRAP", libc::SIGTRAP),
    ("SIGABRT", libc::SIGABRT),
    ("SIGIOT", libc::SIGABRT),
    ("SIGBUS", libc::SIGBUS),
    ("SIGFPE", libc::SIGFPE),
    ("SIGKILL", libc::SIGKILL),
    ("SIGUSR1", libc::SIGUSR1),
    ("SIGSEGV", libc::SIGSEGV),
    ("SIGUSR2", libc::SIGUSR2),
    ("SIGPIPE", libc::SIGPIPE),
    ("SIGALRM", libc::SIGALRM),
    ("SIGTERM", libc::SIGTERM),
    ("SIGCHLD", libc::SIGCHLD),
    #[cfg(target_os = "linux")]
    ("SIGSTKFLT", libc::SIGSTKFLT),
    ("SIGCONT", libc::SIGCONT),
    ("SIGSTOP", libc::SIGSTOP),
    ("SIGTSTP", libc::SIGTSTP),
    ("SIGTTIN", libc::SIGTTIN),
    ("SIGTTOU", libc::SIGTTOU),
    ("SIGURG", libc::SIGURG),
    ("SIGXCPU", libc::SIGXCPU),
    ("SIGXFSZ", libc::SIGXFSZ),
    ("SIGVTALRM", libc::SIGVTALRM),
    ("SIGPROF", libc::SIGPROF),
    ("SIGWINCH", libc::SIGWINCH),
    ("SIGIO", libc::SIGIO),
    #[cfg(target_os = "linux")]
    ("SIGPOLL", libc::SIGPOLL),
    #[cfg(target_os = "linux")]
    ("SIGPWR", libc::SIGPWR),
    ("SIGSYS", libc::SIGSYS),
    #[cfg(target_os = "macos")]
    ("SIGINFO", libc::SIGINFO),
];

struct Signals<L> {
    event_loop: Rc<L>,
    listener: RefCell<Option<Persistent<Function<'static>>>>,
    started: Cell<bool>,
}

pub(crate) fn install<'js>(ops: &Object<'js>, event_loop: &Rc<impl Loop>) -> Result<()> {
    ops.set(
        "signals",
        Func::from(|ctx: Ctx<'js>| {
            let table = Object::new(ctx)?;
            for (name, number) in SIGNALS {
                table.set(*name, *number)?;
            }
            Ok::<_, rquickjs::Error>(table)
        }),
    )?;
    let signals = Rc::new(Signals {
        event_loop: Rc::clone(event_loop),
        listener: RefCell::new(None),
        started: Cell::new(false),
    });
    let s = Rc::clone(&signals);
    // Who hears of signals: `(number) => void`.
    ops.set(
        "onSignal",
        Func::from(move |ctx: Ctx<'js>, listener: Function<'js>| {
            s.listener.replace(Some(Persistent::save(&ctx, listener)));
        }),
    )?;
    // Negative errno, as for SIGKILL.
    ops.set(
        "watchSignal",
        Func::from(move |ctx: Ctx<'js>, signal: i32| signals.watch(&ctx, signal)),
    )?;
    ops.set(
        "unwatchSignal",
        Func::from(|signal: i32| -> i32 {
            let default = if signal == libc::SIGPIPE {
                libc::SIG_IGN
            } else {
                libc::SIG_DFL
            };
            set_action(signal, default)
        }),
    )
}

impl<L: Loop> Signals<L> {
    fn watch(self: &Rc<Self>, ctx: &Ctx<'_>, signal: i32) -> Result<i32> {
        if !self.started.get() {
            let reader = open_pipe().map_err(|error| {
                Exception::throw_message(ctx, &format!("signals cannot be watched: {error}"))
            })?;
            self.started.set(true);
            let (this, context) = (Rc::clone(self), ctx.clone());
            ctx.spawn(async move { this.read(&context, reader).await });
        }
        let handler: extern "C" fn(i32) = handle;
        Ok(set_action(signal, handler as libc::sighandler_t))
    }

    async fn read(&self, ctx: &Ctx<'_>, mut reader: pipe::Receiver) {
        let mut numbers = [0_u8; 64];
        loop {
            let Ok(count) = reader.read(&mut numbers).await else {
                return;
            };
            for number in numbers.iter().take(count) {
                let listener = self.listener.borrow().clone();
                let Some(Ok(listener)) = listener.map(|saved| saved.restore(ctx)) else {
                    continue;
                };
                self.event_loop
                    .enter(ctx, || listener.call::<_, ()>((i32::from(*number),)));
            }
        }
    }
}

/// Called by the kernel at any time: only async-signal-safe functions.
extern "C" fn handle(signal: i32) {
    let errno = std::io::Error::last_os_error().raw_os_error().unwrap_or(0);
    let number = signal.to_ne_bytes();
    let byte = if cfg!(target_endian = "little") {
        number[0]
    } else {
        number[3]
    };
    // SAFETY: one byte from a live variable; a full pipe loses the signal, as signals merge anyway.
    unsafe { libc::write(PIPE.load(Ordering::Relaxed), (&raw const byte).cast(), 1) };
    restore_errno(errno);
}

fn restore_errno(errno: i32) {
    #[cfg(target_os = "linux")]
    // SAFETY: takes nothing.
    let place = unsafe { libc::__errno_location() };
    #[cfg(not(target_os = "linux"))]
    // SAFETY: takes nothing.
    let place = unsafe { libc::__error() };
    // SAFETY: this thread's own, always there.
    unsafe { *place = errno };
}

/// 0 or a negative errno.
fn set_action(signal: i32, action: libc::sighandler_t) -> i32 {
    // SAFETY: all zero is a valid `sigaction`.
    let mut new: libc::sigaction = unsafe { std::mem::zeroed() };
    new.sa_sigaction = action;
    new.sa_flags = libc::SA_RESTART;
    // SAFETY: `new` is live; `handle` is async-signal-safe.
    if unsafe { libc::sigaction(signal, &raw const new, std::ptr::null_mut()) } == 0 {
        0
    } else {
        -std::io::Error::last_os_error()
            .raw_os_error()
            .unwrap_or(libc::EINVAL)
    }
}

fn open_pipe() -> std::io::Result<pipe::Receiver> {
    let (sender, receiver) = pipe::pipe()?;
    let writer: OwnedFd = sender.into_nonblocking_fd()?;
    let fd: RawFd = writer.as_raw_fd();
    // The handler may run at any time until the process ends.
    std::mem::forget(writer);
    PIPE.store(fd, Ordering::Relaxed);
    Ok(receiver)
}
