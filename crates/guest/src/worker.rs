//! A thread of a guest's: takes one call after the other. The language says what it does between them
//! (`Language::work`): Python holds its lock from the first of a row to the last.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};

use crate::callbacks::Callbacks;
use crate::client::Client;
use crate::isolation;
use crate::queue::{Queue, Running};
use crate::wire::Writer;

thread_local! {
    /// The worker that this thread is, while it does a call (`Worker::perform`).
    static CURRENT: Cell<Option<*const Worker>> = const { Cell::new(None) };
}

/// Runs `wait`, which takes as long as JavaScript does, with another thread in this one's place where it is one of the
/// guest's. `wait` is told whether what it waits for is still wanted.
pub fn aside<T>(wait: impl FnOnce(&dyn Fn() -> bool) -> T) -> T {
    let Some(worker) = CURRENT.get() else {
        return wait(&|| true);
    };
    // SAFETY: set by `Worker::perform` of this thread, which has not returned, and has the worker borrowed.
    let worker = unsafe { &*worker };
    worker.aside(|| wait(&|| !worker.is_cancelled()))
}

/// A call, as it came.
#[derive(Debug)]
pub struct Job {
    /// Whose.
    pub client: Arc<Client>,
    /// Its number, of the client's own counting; 0 where nobody waits for a reply.
    pub call: u64,
    /// What is to be done (`request`).
    pub message: Vec<u8>,
    /// Large values of it.
    pub attached: Vec<Vec<u8>>,
}

/// What one thread has of the queue.
#[derive(Debug)]
pub struct Worker {
    pub(crate) queue: Arc<Queue>,
    /// Calls into JavaScript.
    pub callbacks: Arc<Callbacks>,
    /// Its number among the guest's threads.
    pub thread: usize,
}

impl Worker {
    /// Waits for calls, without anything of the language's held.
    pub fn wait(&self) {
        let queue = &self.queue;
        let Some(work) = queue.work.get(self.thread) else {
            return;
        };
        let mut state = queue.state();
        while state.waiting.is_empty() && !state.poked[self.thread] {
            state.idle[self.thread] = true;
            while state.idle[self.thread] && !state.poked[self.thread] {
                state = work.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if !state.idle[self.thread] {
                // Somebody has woken it for a call.
                state.woken = state.woken.saturating_sub(1);
            }
            state.idle[self.thread] = false;
        }
        state.poked[self.thread] = false;
    }

    /// Lets `wait` of this worker's thread return, though there may be nothing to do. On any thread.
    pub fn poke(&self) {
        let mut state = self.queue.state();
        state.poked[self.thread] = true;
        if let Some(work) = self.queue.work.get(self.thread) {
            work.notify_one();
        }
    }

    /// The next call, if there is one. What this thread did before is done with it.
    #[must_use]
    pub fn next(&self) -> Option<Job> {
        let mut state = self.queue.state();
        let before = state.running.get_mut(self.thread)?.take();
        if before.is_some_and(|one| one.is_counted) {
            state.active -= 1;
        }
        let job = state.take_next()?;
        state.active += 1;
        isolation::has_begun(job.call);
        // Another may run beside this one.
        self.queue.wake_one(&mut state);
        *state.running.get_mut(self.thread)? = Some(Running {
            client: Arc::clone(&job.client),
            call: job.call,
            is_counted: true,
            was_seen: false,
            is_cancelled: false,
            is_aside: false,
        });
        Some(job)
    }

    /// Runs `body`, which does what `job` asks for and replies. A panic of ours is an error of that call, and the thread
    /// takes the next one.
    pub fn perform(&self, job: &Job, body: impl FnOnce()) {
        let before = CURRENT.replace(Some(std::ptr::from_ref(self)));
        let outcome = catch_unwind(AssertUnwindSafe(body));
        CURRENT.set(before);
        if outcome.is_err() && job.call != 0 {
            let text = "Fulmar failed unexpectedly; this is a bug in it";
            let reply = Writer::error(job.call, "ERR_GUEST_EXCEPTION", text);
            job.client.reply(reply);
        }
    }

    /// Nobody waits any more for what this thread is at.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        let state = self.queue.state();
        let running = state.running.get(self.thread).and_then(Option::as_ref);
        running.is_some_and(|one| one.is_cancelled)
    }

    /// See above, for this one.
    pub(crate) fn aside<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.set_counted(false);
        let outcome = wait();
        self.set_counted(true);
        outcome
    }

    fn set_counted(&self, is_counted: bool) {
        let mut state = self.queue.state();
        let Some(Some(running)) = state.running.get_mut(self.thread) else {
            return;
        };
        if running.is_counted == is_counted {
            // The monitor no longer counts it.
            running.is_aside = !is_counted;
            return;
        }
        running.is_counted = is_counted;
        running.is_aside = !is_counted;
        if is_counted {
            state.active += 1;
        } else {
            state.active -= 1;
            self.queue.wake_one(&mut state);
        }
    }
}
