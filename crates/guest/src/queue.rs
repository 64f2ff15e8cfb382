//! Calls that wait for a thread of the guest's, and which thread has which.
//!
//! Threads that wait are woken only as far as calls can run at the same time (`parallel`): one, where a lock
//! of the language lets no second one run. A thread that has been at the same call for a while, or waits for
//! JavaScript, does not count (`monitor`).

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::client::Client;
use crate::worker::Job;

/// Threads of a guest.
pub(crate) const THREADS_MAX: usize = 256;
/// Threads that wait for JavaScript, from which on those are needed that are left for what it asks meanwhile.
const CROWDED: usize = THREADS_MAX / 2;

/// What a thread is at.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts that do not depend on each other"
)]
pub(crate) struct Running {
    pub(crate) client: Arc<Client>,
    pub(crate) call: u64,
    /// It counts as one that will soon take the next call.
    pub(crate) is_counted: bool,
    /// The monitor has seen it before.
    pub(crate) was_seen: bool,
    /// Nobody waits for it any more.
    pub(crate) is_cancelled: bool,
    /// It waits for JavaScript.
    pub(crate) is_aside: bool,
}

#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) waiting: VecDeque<Job>,
    /// By thread.
    pub(crate) running: Vec<Option<Running>>,
    /// Threads that are expected to take the next call soon.
    pub(crate) active: usize,
    /// Threads that were woken and have not come yet.
    pub(crate) woken: usize,
    /// By thread: it waits.
    pub(crate) idle: Vec<bool>,
    /// By thread: it is to look up from its waiting (`Worker::poke`).
    pub(crate) poked: Vec<bool>,
    /// Calls that are to be interrupted: thread (none: it goes on without one), client, call.
    pub(crate) interrupts: Vec<(Option<usize>, u64, u64)>,
    pub(crate) monitor_rests: bool,
    /// Something was submitted since the monitor looked.
    pub(crate) is_busy: bool,
}

impl State {
    /// Calls wait, and all threads wait for JavaScript.
    pub(crate) fn is_stuck(&self) -> bool {
        let mut threads = self.running.iter();
        !self.waiting.is_empty() && threads.all(|one| one.as_ref().is_some_and(|one| one.is_aside))
    }

    /// The call that a thread takes: the oldest. Where half of all threads that there may be wait for JavaScript, the
    /// newest, which is likely to be one that JavaScript makes for them.
    pub(crate) fn take_next(&mut self) -> Option<Job> {
        let is_crowded = self.running.len() > CROWDED
            && self
                .running
                .iter()
                .flatten()
                .filter(|one| one.is_aside)
                .count()
                >= CROWDED;
        if is_crowded && self.waiting.front().is_some_and(|job| job.call != 0) {
            return self.waiting.pop_back();
        }
        self.waiting.pop_front()
    }

    /// There is no thread of the newest number.
    pub(crate) fn shrink(&mut self) {
        self.running.pop();
        self.idle.pop();
        self.poked.pop();
    }

    /// Calls that wait are given back, for no thread will come to them; what nobody waits for stays.
    pub(crate) fn give_back(&mut self) -> Vec<Job> {
        let waiting = std::mem::take(&mut self.waiting);
        let (calls, others): (VecDeque<Job>, VecDeque<Job>) =
            waiting.into_iter().partition(|job| job.call != 0);
        self.waiting = others;
        calls.into()
    }
}

/// One per guest.
#[derive(Debug)]
pub(crate) struct Queue {
    state: Mutex<State>,
    /// Each thread waits at its own for calls: the first ones are preferred, which have been at work.
    pub(crate) work: Vec<Condvar>,
    /// The monitor waits here.
    pub(crate) watch: Condvar,
    /// Calls that may wait, of all clients.
    waiting_max: usize,
    parallel: usize,
}

impl Queue {
    pub(crate) fn new(waiting_max: usize, threads: usize, parallel: usize) -> Self {
        let running = (0..threads).map(|_| None).collect();
        Self {
            state: Mutex::new(State {
                running,
                idle: vec![false; threads],
                poked: vec![false; threads],
                ..State::default()
            }),
            work: (0..THREADS_MAX).map(|_| Condvar::new()).collect(),
            watch: Condvar::new(),
            waiting_max,
            parallel,
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        // Nothing that holds it panics halfway through a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// False: as many wait as may.
    pub(crate) fn push(&self, job: Job, is_counted: bool) -> bool {
        let mut state = self.state();
        if is_counted && state.waiting.len() >= self.waiting_max {
            return false;
        }
        if is_counted {
            state.waiting.push_back(job);
        } else {
            // Lets go of something, or answers: nobody has to wait for it.
            state.waiting.push_front(job);
        }
        state.is_busy = true;
        self.wake_one(&mut state);
        if state.monitor_rests {
            self.watch.notify_one();
        }
        true
    }

    /// Whether calls wait, and all threads wait for JavaScript, which may wait for those calls: then there is
    /// room for one more from now on. Returns its number.
    pub(crate) fn grow(state: &mut State) -> Option<usize> {
        if !state.is_stuck() || state.running.len() >= THREADS_MAX {
            return None;
        }
        state.running.push(None);
        state.idle.push(false);
        state.poked.push(false);
        Some(state.running.len() - 1)
    }

    /// A thread more, where one can run.
    pub(crate) fn wake_one(&self, state: &mut State) {
        if state.waiting.is_empty() || state.active + state.woken >= self.parallel {
            return;
        }
        if let Some(thread) = state.idle.iter().position(|is_idle| *is_idle)
            && let Some(work) = self.work.get(thread)
        {
            state.idle[thread] = false;
            state.woken += 1;
            work.notify_one();
        }
    }

    /// What waits is given back, and will not run; what runs is interrupted. Whoever asked has been answered.
    pub(crate) fn cancel(&self, client: u64, call: u64) -> Option<Job> {
        let mut state = self.state();
        let is_it = |job: &Job| job.client.id == client && job.call == call;
        if let Some(at) = state.waiting.iter().position(is_it) {
            return state.waiting.remove(at);
        }
        let is_meant = |one: &Running| one.client.id == client && one.call == call;
        if !self.interrupt(&mut state, is_meant) {
            state.interrupts.push((None, client, call));
            self.watch.notify_one();
        }
        None
    }

    /// Forgets what a client has waiting, interrupts what it has running.
    pub(crate) fn cancel_all(&self, client: u64) {
        let mut state = self.state();
        state.waiting.retain(|job| job.client.id != client);
        self.interrupt(&mut state, |one| one.client.id == client);
    }

    /// Tells the thread of what runs. False: no thread has it.
    fn interrupt(&self, state: &mut State, is_meant: impl Fn(&Running) -> bool) -> bool {
        let State {
            running,
            interrupts,
            ..
        } = state;
        let before = interrupts.len();
        for (thread, one) in running.iter_mut().enumerate() {
            if let Some(one) = one.as_mut().filter(|one| is_meant(one)) {
                one.is_cancelled = true;
                interrupts.push((Some(thread), one.client.id, one.call));
            }
        }
        // Others that the monitor has not come to yet are none of these.
        let has_found = interrupts.len() > before;
        if has_found {
            self.watch.notify_one();
        }
        has_found
    }

    /// Does this thread still run that call?
    pub(crate) fn runs(&self, thread: usize, client: u64, call: u64) -> bool {
        self.state()
            .running
            .get(thread)
            .and_then(Option::as_ref)
            .is_some_and(|one| one.client.id == client && one.call == call)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::callbacks::Callbacks;
    use crate::client::Waker;
    use crate::worker::Worker;

    unsafe extern "C" fn nobody(_: *mut std::ffi::c_void) {}

    fn client(id: u64) -> Arc<Client> {
        let waker = Waker {
            wake: nobody,
            data: std::ptr::null_mut(),
        };
        Arc::new(Client::new(id, waker))
    }

    fn job(client: &Arc<Client>, call: u64) -> Job {
        Job {
            client: Arc::clone(client),
            call,
            message: Vec::new(),
            attached: Vec::new(),
        }
    }

    fn worker(queue: &Arc<Queue>, thread: usize) -> Worker {
        Worker {
            queue: Arc::clone(queue),
            callbacks: Arc::<Callbacks>::default(),
            thread,
        }
    }

    #[test]
    fn calls_are_refused_beyond_the_maximum_and_what_nobody_waits_for_is_not() {
        let (queue, own) = (Queue::new(2, 1, 1), client(1));
        assert!(queue.push(job(&own, 1), true));
        assert!(queue.push(job(&own, 2), true));
        assert!(!queue.push(job(&own, 3), true));
        assert!(queue.push(job(&own, 0), false));
    }

    #[test]
    fn a_call_that_waits_is_given_back_and_runs_no_more() {
        let (queue, own) = (Arc::new(Queue::new(9, 1, 1)), client(1));
        for call in 1..=2 {
            assert!(queue.push(job(&own, call), true));
        }
        assert_eq!(queue.cancel(1, 1).map(|job| job.call), Some(1));
        assert_eq!(worker(&queue, 0).next().map(|job| job.call), Some(2));
        assert!(queue.state().interrupts.is_empty());
    }

    #[test]
    fn each_of_several_calls_that_no_thread_has_is_asked_for() {
        let queue = Queue::new(9, 1, 1);
        for call in 1..=3 {
            assert!(queue.cancel(1, call).is_none());
        }
        let expected = vec![(None, 1, 1), (None, 1, 2), (None, 1, 3)];
        assert_eq!(queue.state().interrupts, expected);
    }

    #[test]
    fn a_call_that_runs_is_interrupted_where_it_runs() {
        let (queue, own) = (Arc::new(Queue::new(9, 2, 2)), client(1));
        assert!(queue.push(job(&own, 5), true));
        let thread = worker(&queue, 1);
        assert!(thread.next().is_some());
        assert!(queue.cancel(1, 5).is_none());
        assert!(thread.is_cancelled());
        assert_eq!(queue.state().interrupts, vec![(Some(1), 1, 5)]);
    }

    #[test]
    fn with_a_client_its_calls_go_and_no_others() {
        let (queue, own, other) = (Arc::new(Queue::new(9, 2, 2)), client(1), client(2));
        assert!(queue.push(job(&own, 1), true));
        let thread = worker(&queue, 0);
        assert!(thread.next().is_some());
        assert!(queue.push(job(&own, 2), true));
        assert!(queue.push(job(&other, 2), true));
        queue.cancel_all(1);
        assert!(thread.is_cancelled());
        let left = thread.next().map(|job| (job.client.id, job.call));
        assert_eq!(left, Some((2, 2)));
        assert!(!thread.is_cancelled());
    }

    #[test]
    fn a_panic_is_an_error_of_its_call_and_the_next_one_runs() {
        let (queue, own) = (Arc::new(Queue::new(9, 1, 1)), client(1));
        let thread = worker(&queue, 0);
        let failing = job(&own, 4);
        thread.perform(&failing, || panic!("on purpose"));
        let told = own.receive().map(|(messages, _)| messages);
        let told = told.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        assert!(told.is_some_and(|text| text.contains("this is a bug in it")));
        let mut has_run = false;
        thread.perform(&job(&own, 5), || has_run = true);
        assert!(has_run);
    }

    #[test]
    fn another_thread_comes_only_where_all_wait_for_javascript() {
        let (queue, own) = (Arc::new(Queue::new(9, 1, 1)), client(1));
        assert!(queue.push(job(&own, 1), true));
        let thread = worker(&queue, 0);
        assert!(thread.next().is_some());
        assert!(queue.push(job(&own, 2), true));
        assert_eq!(Queue::grow(&mut queue.state()), None);
        thread.aside(|| assert_eq!(Queue::grow(&mut queue.state()), Some(1)));
        queue.state().shrink();
        assert_eq!(queue.state().running.len(), 1);
    }
}
