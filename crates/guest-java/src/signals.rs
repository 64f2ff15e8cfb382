//! Signals stay those of the host. The virtual machine takes over some at its start: those by which its own
//! code works (SIGSEGV, SIGBUS, SIGFPE, SIGILL) it has to have, and hands on what is not its own to whoever had
//! them before, such as V8's handler of WebAssembly's accesses; of all others the handlers are put back.

use std::mem::MaybeUninit;
use std::ptr;

/// The machine's own.
const KEPT_BY_JAVA: [libc::c_int; 4] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL];
const SIGNAL_MAX: libc::c_int = 31;

/// What was there before.
pub(crate) struct Handlers(Vec<(libc::c_int, libc::sigaction)>);

fn handler_of(signal: libc::c_int) -> Option<libc::sigaction> {
    let mut action = MaybeUninit::uninit();
    // SAFETY: asks only; the place is written where the call succeeds.
    let failed = unsafe { libc::sigaction(signal, ptr::null(), action.as_mut_ptr()) } != 0;
    // SAFETY: written.
    (!failed).then(|| unsafe { action.assume_init() })
}

impl Handlers {
    pub(crate) fn of_now() -> Self {
        let all = 1..=SIGNAL_MAX;
        let others = all.filter(|signal| !KEPT_BY_JAVA.contains(signal));
        Self(
            others
                .filter_map(|signal| Some((signal, handler_of(signal)?)))
                .collect(),
        )
    }

    /// Where nobody had set one, the machine's stays: it may wake its own threads by it (SIGUSR2), which
    /// would otherwise end the process. Whoever sets one later replaces it.
    pub(crate) fn put_back(self) {
        for (signal, before) in self.0 {
            let is_same =
                handler_of(signal).is_none_or(|now| now.sa_sigaction == before.sa_sigaction);
            if is_same || before.sa_sigaction == libc::SIG_DFL {
                continue;
            }
            // SAFETY: an action that was in force before.
            unsafe { libc::sigaction(signal, &raw const before, ptr::null_mut()) };
        }
    }
}
