//! Signals: Ctrl-C goes to the whole group of processes, and the parent decides what it means. SIGTERM lets the
//! calls end that run, for a while; the parent's end, which is a SIGTERM too, does not.

use std::mem::MaybeUninit;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::Worker;

/// How long calls may go on after SIGTERM.
const DRAIN_MAX: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(20);

fn ours() -> libc::sigset_t {
    let mut set = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: the set is written by the call.
    unsafe { libc::sigemptyset(set.as_mut_ptr()) };
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: the set is initialised.
        unsafe { libc::sigaddset(set.as_mut_ptr(), signal) };
    }
    // SAFETY: initialised above.
    unsafe { set.assume_init() }
}

/// For this thread and all that it makes: `watch` takes them. With the parent's end there is a SIGTERM.
pub(crate) fn block() {
    let set = ours();
    // SAFETY: the set is initialised; only the calling thread is concerned.
    unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut()) };
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

/// Takes them, on a thread of its own.
pub(crate) fn watch(worker: &Arc<Worker>) {
    let worker = Arc::clone(worker);
    let _begun = std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            let set = ours();
            loop {
                let mut signal = 0;
                // SAFETY: an initialised set, and a place for the number.
                let problem = unsafe { libc::sigwait(&raw const set, &raw mut signal) };
                if problem == 0 && signal == libc::SIGTERM {
                    drain(&worker);
                }
            }
        });
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
