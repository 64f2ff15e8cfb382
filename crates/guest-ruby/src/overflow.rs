//! A stack that overflows. Ruby learns of it by `SIGSEGV` on its own threads, and makes an exception of it; on all
//! others that signal is the host's, which has it for traps of WebAssembly. Without this, a method that calls itself
//! through C for ever would end the process.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::sync::OnceLock;

type Handler = unsafe extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);

/// Read in a signal's handler: complete before that is installed, and never changed.
struct Chain {
    is_thread_of_ruby: unsafe extern "C" fn() -> c_int,
    ruby: Handler,
    before: libc::sigaction,
}

static CHAIN: OnceLock<Chain> = OnceLock::new();

unsafe extern "C" fn on_fault(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let Some(chain) = CHAIN.get() else {
        return;
    };
    // SAFETY: looks at what belongs to the calling thread, and takes no lock.
    if unsafe { (chain.is_thread_of_ruby)() } != 0 {
        // SAFETY: Ruby's own handler, on its own thread and signal stack, with what the system gave. Where the stack
        // has overflown it jumps to the innermost `rb_protect` or `rescue`; else it reports, and ends the process.
        unsafe { (chain.ruby)(signal, info, context) };
        return;
    }
    let before = &chain.before;
    if before.sa_sigaction == libc::SIG_DFL || before.sa_sigaction == libc::SIG_IGN {
        // What has failed fails again, and ends the process.
        // SAFETY: the default, which may be set in a handler.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    } else if before.sa_flags & libc::SA_SIGINFO != 0 {
        // SAFETY: a handler of this kind, say its flags.
        let handler: Handler = unsafe { std::mem::transmute::<usize, _>(before.sa_sigaction) };
        // SAFETY: with what the system gave.
        unsafe { handler(signal, info, context) };
    } else {
        // SAFETY: a handler of the other kind, say its flags.
        let handler: extern "C" fn(c_int) =
            unsafe { std::mem::transmute::<usize, _>(before.sa_sigaction) };
        handler(signal);
    }
}

/// `own` is what Ruby has installed for `SIGSEGV`, `before` what was there: both are kept, each for its threads.
pub(crate) fn install(
    own: &libc::sigaction,
    before: &libc::sigaction,
    is_thread_of_ruby: unsafe extern "C" fn() -> c_int,
) {
    if own.sa_flags & libc::SA_SIGINFO == 0 || own.sa_sigaction == before.sa_sigaction {
        return;
    }
    let chain = Chain {
        is_thread_of_ruby,
        // SAFETY: a handler of this kind, say its flags.
        ruby: unsafe { std::mem::transmute::<usize, Handler>(own.sa_sigaction) },
        before: *before,
    };
    if CHAIN.set(chain).is_err() {
        return;
    }
    let mut mask = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: the set is written by the call.
    unsafe { libc::sigemptyset(mask.as_mut_ptr()) };
    let mut ours = *before;
    ours.sa_sigaction = on_fault as *const () as usize;
    ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: written above.
    ours.sa_mask = unsafe { mask.assume_init() };
    // SAFETY: a handler of the kind that the flags say.
    unsafe { libc::sigaction(libc::SIGSEGV, &raw const ours, std::ptr::null_mut()) };
}
