//! A thread that looks after the others: one that has been at the same call from one look to the next gets
//! another beside it where calls wait, and calls that nobody waits for any more are interrupted. It rests
//! while nothing happens.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use crate::language::Language;
use crate::queue::{Queue, State};
use crate::wire::Writer;
use crate::worker::Job;

/// Between two looks while calls run.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// Looks without a call, after which it rests: one second.
const IDLE_LOOKS_MAX: u32 = 200;
/// Looks at which all threads waited for JavaScript, and there may be no more of them: one second.
const STUCK_LOOKS_MAX: u32 = 200;

/// `add` makes the thread of that number.
pub(crate) fn watch<L: Language>(
    queue: &Arc<Queue>,
    language: &L,
    add: &dyn Fn(usize) -> Result<(), String>,
) -> ! {
    let mut idle_looks = 0;
    let mut stuck_looks = 0;
    let mut state = queue.state();
    loop {
        if !state.interrupts.is_empty() {
            let interrupts = std::mem::take(&mut state.interrupts);
            drop(state);
            // May take long: the language's lock is asked for.
            for (thread, client, call) in interrupts {
                if let Some(thread) = thread {
                    language.interrupt(thread, &|| queue.runs(thread, client, call));
                }
                // Also where a thread was at it: it may be going on without one by now.
                language.cancel_later(client, call);
            }
            state = queue.state();
            continue;
        }
        if let Some(thread) = L::GROWS.then(|| Queue::grow(&mut state)).flatten() {
            drop(state);
            let added = add(thread);
            state = queue.state();
            if added.is_err() {
                // The system has none now: asked again with the next look.
                state.shrink();
            }
        }
        stuck_looks = if state.is_stuck() { stuck_looks + 1 } else { 0 };
        if stuck_looks > STUCK_LOOKS_MAX {
            stuck_looks = 0;
            let calls = state.give_back();
            drop(state);
            refuse(calls);
            state = queue.state();
        }
        idle_looks = if state.is_busy || state.active > 0 || !state.waiting.is_empty() {
            0
        } else {
            idle_looks + 1
        };
        state.is_busy = false;
        look(queue, &mut state);
        if idle_looks > IDLE_LOOKS_MAX {
            state.monitor_rests = true;
            state = queue
                .watch
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
            state.monitor_rests = false;
        } else {
            (state, _) = queue
                .watch
                .wait_timeout(state, LOOK_EVERY)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// What all threads wait for may be these very calls: functions of JavaScript's that call the guest again.
fn refuse(calls: Vec<Job>) {
    let text = "every thread waits for a function of JavaScript's, and there are as many as may be: try again later";
    for job in calls {
        job.client
            .reply(Writer::error(job.call, "ERR_GUEST_BUSY", text));
    }
}

/// Threads that are slow no longer count, so that others are woken for what waits.
fn look(queue: &Queue, state: &mut State) {
    let mut slow = 0;
    for running in state.running.iter_mut().flatten() {
        if running.was_seen && running.is_counted {
            running.is_counted = false;
            slow += 1;
        }
        running.was_seen = true;
    }
    state.active -= slow;
    queue.wake_one(state);
}
