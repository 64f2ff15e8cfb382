//! A thread of Ruby's own that waits without its lock for what other threads ask for: those of the host and the
//! monitor are none of Ruby's, and may touch nothing of it.

use std::collections::VecDeque;
use std::ffi::c_void;
use std::sync::mpsc::SyncSender;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::language::{self, State, Work};
use crate::ruby::Ruby;
use crate::signals;

/// Between two looks for children of Ruby's that have ended, while there is any child or any call.
const CHILDREN_EVERY: Duration = Duration::from_millis(20);

/// What is asked for.
pub(crate) enum Command {
    /// Breaks off what a thread is at, if the question says so; whoever asks waits for the answer.
    Interrupt {
        thread: usize,
        question: Question,
        done: SyncSender<()>,
    },
    /// A thread more, which does that.
    Spawn(Work),
    /// Handles of a client go.
    Forget(u64),
    /// The process ends.
    Finish(SyncSender<()>),
}

/// Is that thread still at it?
#[derive(Clone, Copy)]
pub(crate) struct Question(*const c_void);

// SAFETY: asked while whoever made it waits for that (`Watcher::interrupt`); what it asks is behind a lock.
unsafe impl Send for Question {}

impl Question {
    pub(crate) fn ask(self) -> bool {
        // SAFETY: whoever made it waits.
        let question = unsafe { &*self.0.cast::<&dyn Fn() -> bool>() };
        question()
    }
}

#[derive(Default)]
struct Queue {
    commands: VecDeque<Command>,
    is_poked: bool,
    /// Calls run, so that there may be children.
    is_busy: bool,
    are_children_there: bool,
}

/// The thread's queue.
#[derive(Default)]
pub(crate) struct Watcher {
    queue: Mutex<Queue>,
    arrived: Condvar,
}

impl Watcher {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for something. On any thread.
    pub(crate) fn ask(&self, command: Command) {
        self.queue().commands.push_back(command);
        self.arrived.notify_one();
    }

    /// Breaks off what a thread is at, if it is `is_still_at_it`, and returns when that is done.
    pub(crate) fn interrupt(&self, thread: usize, is_still_at_it: &dyn Fn() -> bool) {
        let (done, is_done) = std::sync::mpsc::sync_channel(1);
        self.ask(Command::Interrupt {
            thread,
            question: Question((&raw const is_still_at_it).cast()),
            done,
        });
        let _ended = is_done.recv();
    }

    /// Calls have begun, or have ended.
    pub(crate) fn set_busy(&self, is_busy: bool) {
        if !signals::are_children_awaited() {
            return;
        }
        let mut queue = self.queue();
        let rests = !queue.is_busy && !queue.are_children_there;
        queue.is_busy = is_busy;
        if is_busy && rests {
            self.arrived.notify_one();
        }
    }

    fn poke(&self) {
        self.queue().is_poked = true;
        self.arrived.notify_one();
    }

    /// The next command; none, where Ruby wants this thread.
    fn next(&self) -> Option<Command> {
        let mut queue = self.queue();
        loop {
            if let Some(command) = queue.commands.pop_front() {
                return Some(command);
            }
            if std::mem::take(&mut queue.is_poked) {
                return None;
            }
            if queue.is_busy || queue.are_children_there {
                let over;
                (queue, over) = self
                    .arrived
                    .wait_timeout(queue, CHILDREN_EVERY)
                    .unwrap_or_else(PoisonError::into_inner);
                if over.timed_out() {
                    queue.are_children_there = signals::tell_of_children();
                }
            } else {
                queue = self
                    .arrived
                    .wait(queue)
                    .unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// What the thread does, for as long as the process lives.
    pub(crate) fn run(&self, ruby: Ruby, state: &State) {
        loop {
            let (command, interruption) = ruby.without_lock(|| self.next(), &|| self.poke());
            if interruption.is_err() {
                // Somebody's `Thread#raise` or `kill`: nobody else does what this thread does.
                ruby.forget_jump();
            }
            match command.flatten() {
                Some(Command::Interrupt {
                    thread,
                    question,
                    done,
                }) => {
                    state.interrupt(ruby, thread, question);
                    let _told = done.send(());
                }
                // Without it calls wait until a thread has time for them.
                Some(Command::Spawn(work)) => drop(language::spawn(ruby, work)),
                Some(Command::Forget(client)) => state.forget_handles(ruby, client),
                Some(Command::Finish(done)) => {
                    let _outcome = ruby.protect(|| Ok(state.made(ruby, "finish_all", &[])));
                    ruby.forget_jump();
                    let _told = done.send(());
                }
                None => {}
            }
        }
    }
}
