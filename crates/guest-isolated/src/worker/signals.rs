//! Signals: Ctrl-C goes to the whole group of processes, and the parent decides what it means. SIGTERM lets the
//! calls end that run, for a while; the parent's end, which is a SIGTERM too, does not.
//!
//! They are handled, neither blocked nor ignored: what the guest starts would inherit that, and could be ended by none.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::{Duration, Instant};

use rustix::event::EventfdFlags;
use rustix::process::Signal;

use crate::Worker;

/// How long calls may go on after SIGTERM.
const DRAIN_MAX: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// SIGTERM has come.
static IS_TERMINATED: AtomicBool = AtomicBool::new(false);
/// Rung when it comes; -1 until `watch`.
static BELL: AtomicI32 = AtomicI32::new(-1);

/// Calls only what a handler may call.
extern "C" fn on_signal(signal: c_int) {
    if signal != libc::SIGTERM {
        return;
    }
    IS_TERMINATED.store(true, Ordering::SeqCst);
    let bell = BELL.load(Ordering::SeqCst);
    if bell >= 0 {
        let one = 1u64;
        // SAFETY: this thread's own place.
        let place = unsafe { libc::__errno_location() };
        // SAFETY: as above.
        let before = unsafe { place.read() };
        // SAFETY: a descriptor that is never closed, and eight bytes.
        unsafe { libc::write(bell, (&raw const one).cast(), size_of::<u64>()) };
        // SAFETY: as above: what was interrupted does not see it.
        unsafe { place.write(before) };
    }
}

fn handle(signal: c_int) {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    let at = action.as_mut_ptr();
    // SAFETY: room for the description, which zeroes are one of.
    let action = unsafe { &mut *at };
    action.sa_sigaction = on_signal as *const () as usize;
    action.sa_flags = libc::SA_RESTART;
    // SAFETY: a handler of the kind that the flags say.
    unsafe { libc::sigaction(signal, &raw const *action, std::ptr::null_mut()) };
}

/// From the process's first step on. With the parent's end there is a SIGTERM.
pub(crate) fn begin() {
    let mut ours = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: the set is written by the call.
    unsafe { libc::sigemptyset(ours.as_mut_ptr()) };
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        handle(signal);
        // SAFETY: the set is initialised.
        unsafe { libc::sigaddset(ours.as_mut_ptr(), signal) };
    }
    // Whoever started this process may have blocked them.
    // SAFETY: an initialised set; only the calling thread is concerned.
    unsafe { libc::pthread_sigmask(libc::SIG_UNBLOCK, ours.as_ptr(), std::ptr::null_mut()) };
    for signal in [libc::SIGSEGV, libc::SIGBUS] {
        // SAFETY: as the process is begun with. Rust's own handlers would take one that somebody sends for none.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    let _asked = rustix::process::set_parent_process_death_signal(Some(Signal::TERM));
    if !has_parent() {
        std::process::exit(0);
    }
}

/// Whether the process that started this one, which its argument names, is still there.
fn has_parent() -> bool {
    let named = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let parent = rustix::process::getppid().map(rustix::process::Pid::as_raw_pid);
    named.is_none() || named == parent
}

/// Waits for SIGTERM, on a thread of its own.
///
/// # Errors
/// The system has no descriptor or no thread for it.
pub(crate) fn watch(worker: &Arc<Worker>) -> std::io::Result<()> {
    let bell = rustix::event::eventfd(0, EventfdFlags::CLOEXEC)?;
    BELL.store(bell.as_raw_fd(), Ordering::SeqCst);
    let worker = Arc::clone(worker);
    let body = move || {
        wait(&bell);
        drain(&worker);
    };
    let thread = std::thread::Builder::new().name("signals".to_owned());
    thread.spawn(body).map(drop)
}

fn wait(bell: &OwnedFd) {
    let mut count = [0u8; size_of::<u64>()];
    // One that came before there was a bell has rung none.
    while !IS_TERMINATED.load(Ordering::SeqCst) {
        let _rung = rustix::io::read(bell, &mut count);
    }
}

/// Ends when no call runs, the parent is gone, or the time is over. What the parent sends meanwhile is not
/// taken, and goes to another process.
fn drain(worker: &Worker) -> ! {
    let end = Instant::now() + DRAIN_MAX;
    worker.is_draining.store(true, Ordering::Release);
    let _shut = rustix::net::shutdown(&worker.socket, rustix::net::Shutdown::Read);
    while worker.unanswered.load(Ordering::Acquire) > 0 && has_parent() && Instant::now() < end {
        std::thread::sleep(LOOK_EVERY);
    }
    worker.end();
}
