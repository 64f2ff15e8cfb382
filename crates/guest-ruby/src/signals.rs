//! Signals stay with those who had them. Ruby takes a dozen for itself when it starts; afterwards all are as
//! they were, but for the one by which it wakes its own threads, which nobody else uses.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

use crate::overflow;

/// Linux has so many, which are numbered from one.
const SIGNALS: c_int = 64;

/// Ruby's own handler of `SIGCHLD`, as an address; 0 where it has none (from 3.3 on).
static ON_CHILD: AtomicUsize = AtomicUsize::new(0);
/// The process that has the guest; 0 until that has started.
static PROCESS: AtomicI32 = AtomicI32::new(0);

/// What each signal does.
pub(crate) struct Signals(Vec<(c_int, libc::sigaction)>);

impl Signals {
    /// As they are now.
    pub(crate) fn now() -> Self {
        let all = (1..=SIGNALS).filter(|signal| *signal != libc::SIGVTALRM);
        Self(
            all.filter_map(|signal| Some((signal, action(signal)?)))
                .collect(),
        )
    }

    /// As they were then, but for faults on threads of Ruby's.
    pub(crate) fn restore(&self, is_thread_of_ruby: unsafe extern "C" fn() -> c_int) {
        let fault = action(libc::SIGSEGV);
        if let Some(own) = action(libc::SIGCHLD)
            && own.sa_sigaction != libc::SIG_DFL
            && own.sa_sigaction != libc::SIG_IGN
            && !self.has(libc::SIGCHLD, own.sa_sigaction)
        {
            ON_CHILD.store(own.sa_sigaction, Ordering::Release);
        }
        for (signal, before) in &self.0 {
            // SAFETY: a description that the system gave; it is not asked for another one.
            unsafe { libc::sigaction(*signal, before, std::ptr::null_mut()) };
        }
        let before = self.0.iter().find(|(signal, _)| *signal == libc::SIGSEGV);
        if let (Some(own), Some((_, before))) = (fault, before) {
            overflow::install(&own, before, is_thread_of_ruby);
        }
    }

    fn has(&self, signal: c_int, handler: usize) -> bool {
        let mut all = self.0.iter();
        all.any(|(one, before)| *one == signal && before.sa_sigaction == handler)
    }
}

fn action(signal: c_int) -> Option<libc::sigaction> {
    let mut action = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: room for the description; nothing is changed.
    let code = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) };
    // SAFETY: written, says the code.
    (code == 0).then(|| unsafe { action.assume_init() })
}

/// This thread takes signals again, and with it the threads and child processes that Ruby makes from it: a
/// child that can be ended by none of them would be nobody's wish. Handlers are those of the host, which may run
/// on any thread.
pub(crate) fn unblock() {
    let mut none = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: the set is written by the call.
    unsafe { libc::sigemptyset(none.as_mut_ptr()) };
    // SAFETY: the set is initialised; only the calling thread is concerned.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, none.as_ptr(), std::ptr::null_mut()) };
}

/// Whether Ruby learns of its children's ends by a signal, which is not its own here.
pub(crate) fn are_children_awaited() -> bool {
    ON_CHILD.load(Ordering::Acquire) != 0
}

/// Until 3.2 Ruby waits for its children by `SIGCHLD`, which the host may want for its own: it is told by us
/// when one has ended. Only Ruby's own are waited for by it, as the host does with its own. Whether there is a
/// child at all.
pub(crate) fn tell_of_children() -> bool {
    let address = ON_CHILD.load(Ordering::Acquire);
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: room for the answer; no child is taken away by this.
    if unsafe { libc::waitid(libc::P_ALL, 0, info.as_mut_ptr(), flags) } != 0 {
        return false;
    }
    // SAFETY: zero before, written by the call.
    let info = unsafe { info.assume_init() };
    // SAFETY: an answer of `waitid`, or zeroes.
    if unsafe { info.si_pid() } != 0 && address != 0 {
        // SAFETY: Ruby's handler, which looks at the signal only, and may be called at any time, says its being
        // one.
        let handler: extern "C" fn(c_int) = unsafe { std::mem::transmute::<usize, _>(address) };
        handler(libc::SIGCHLD);
    }
    true
}

/// In a process that Ruby has made by `fork`: the host's handlers would tell the parent, with which it shares what they
/// write to. Ruby has its own one for children, and may have others from now on.
pub(crate) fn leave_host() {
    let own = ON_CHILD.load(Ordering::Acquire);
    for signal in 1..=SIGNALS {
        let Some(mut action) = action(signal) else {
            continue;
        };
        let is_handled = ![libc::SIG_DFL, libc::SIG_IGN].contains(&action.sa_sigaction);
        if signal == libc::SIGCHLD && own != 0 {
            action.sa_sigaction = own;
            action.sa_flags &= !libc::SA_SIGINFO;
        } else if is_handled && ![libc::SIGVTALRM, libc::SIGSEGV].contains(&signal) {
            action.sa_sigaction = libc::SIG_DFL;
        }
        // SAFETY: a description that the system gave, with a handler of the kind that its flags say.
        unsafe { libc::sigaction(signal, &raw const action, std::ptr::null_mut()) };
    }
}

/// Sends a signal to this process: one that Ruby has taken, to whoever it was for.
pub(crate) fn send_again(signal: c_int) {
    // SAFETY: a number of a signal, to ourselves.
    unsafe { libc::kill(std::process::id().cast_signed(), signal) };
}

/// From here on `is_child` is true in processes that are made by `fork`.
pub(crate) fn begin_process() {
    PROCESS.store(std::process::id().cast_signed(), Ordering::Release);
}

/// Nobody waits for replies here: the host's threads are another process's.
pub(crate) fn is_child() -> bool {
    PROCESS.load(Ordering::Acquire) != std::process::id().cast_signed()
}
