//! Waiting for JavaScript: a guest's thread has called one of its functions, and needs what it returns.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What JavaScript answered: the message with its attached values, or nothing, where it is gone.
#[derive(Debug)]
pub struct Answer {
    /// The message of `request::Kind::Resolve`, from its beginning.
    pub message: Vec<u8>,
    /// Large values of it.
    pub attached: Vec<Vec<u8>>,
}

#[derive(Debug)]
enum Waiting {
    Unanswered,
    Answered(Option<Answer>),
}

#[derive(Debug, Default)]
struct State {
    calls: HashMap<u64, (u64, Waiting)>,
    last: u32,
}

/// The calls into JavaScript that are not answered.
#[derive(Debug, Default)]
pub struct Callbacks {
    state: Mutex<State>,
    answered: Condvar,
}

impl Callbacks {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A number for a call whose answer a thread waits for (`wait`): an even one, for a language may have calls that
    /// no thread waits for. Of 32 bits: behind that stands which process it is, where the guest is isolated.
    pub fn begin(&self, client: u64) -> u64 {
        let mut state = self.state();
        loop {
            state.last = state.last.wrapping_add(2);
            let number = u64::from(state.last);
            if number != 0 && !state.calls.contains_key(&number) {
                state.calls.insert(number, (client, Waiting::Unanswered));
                return number;
            }
        }
    }

    /// Waits for the answer, for as long as `is_wanted` says, which is asked every few milliseconds.
    pub fn wait(&self, number: u64, is_wanted: &dyn Fn() -> bool) -> Option<Answer> {
        let answer = self.wait_for_now(number, is_wanted);
        if answer.is_none() {
            self.give_up(number);
        }
        answer.flatten()
    }

    /// The same, where it can be waited for again: `None`, unless it is answered.
    pub fn wait_for_now(
        &self,
        number: u64,
        is_wanted: &dyn Fn() -> bool,
    ) -> Option<Option<Answer>> {
        const ASKED_EVERY: std::time::Duration = std::time::Duration::from_millis(20);
        let mut state = self.state();
        while let Some((_, Waiting::Unanswered)) = state.calls.get(&number) {
            if !is_wanted() {
                return None;
            }
            (state, _) = self
                .answered
                .wait_timeout(state, ASKED_EVERY)
                .unwrap_or_else(PoisonError::into_inner);
        }
        match state.calls.remove(&number) {
            Some((_, Waiting::Answered(answer))) => Some(answer),
            _ => Some(None),
        }
    }

    /// Nobody waits for it any more.
    pub fn give_up(&self, number: u64) {
        self.state().calls.remove(&number);
    }

    /// Does a thread wait for this answer?
    #[must_use]
    pub fn is_awaited(&self, number: u64) -> bool {
        matches!(
            self.state().calls.get(&number),
            Some((_, Waiting::Unanswered))
        )
    }

    /// JavaScript has answered. False: no thread waits for it.
    pub fn answer(&self, number: u64, answer: Option<Answer>) -> bool {
        let mut state = self.state();
        let Some((_, waiting)) = state.calls.get_mut(&number) else {
            return false;
        };
        *waiting = Waiting::Answered(answer);
        drop(state);
        self.answered.notify_all();
        true
    }

    /// A client is gone: nothing of its is answered any more.
    pub fn forget(&self, client: u64) {
        let numbers: Vec<u64> = {
            let state = self.state();
            let own = state.calls.iter().filter(|(_, (of, _))| *of == client);
            own.map(|(number, _)| *number).collect()
        };
        for number in numbers {
            let _waited = self.answer(number, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(byte: u8) -> Answer {
        Answer {
            message: vec![byte],
            attached: Vec::new(),
        }
    }

    #[test]
    fn an_answer_that_came_first_is_there() {
        let callbacks = Callbacks::default();
        let number = callbacks.begin(1);
        assert!(callbacks.answer(number, Some(answer(7))));
        let given = callbacks.wait(number, &|| true);
        assert_eq!(given.map(|answer| answer.message), Some(vec![7]));
        assert!(!callbacks.answer(number, Some(answer(8))));
    }

    #[test]
    fn what_is_waited_for_again_is_still_awaited() {
        let callbacks = Callbacks::default();
        let number = callbacks.begin(1);
        assert!(callbacks.wait_for_now(number, &|| false).is_none());
        assert!(callbacks.is_awaited(number));
        assert!(callbacks.answer(number, Some(answer(7))));
        assert!(
            callbacks
                .wait_for_now(number, &|| false)
                .flatten()
                .is_some()
        );
    }

    #[test]
    fn what_is_wanted_no_more_is_forgotten() {
        let callbacks = Callbacks::default();
        let number = callbacks.begin(1);
        assert!(callbacks.wait(number, &|| false).is_none());
        assert!(!callbacks.is_awaited(number));
        let number = callbacks.begin(1);
        callbacks.give_up(number);
        assert!(!callbacks.answer(number, Some(answer(7))));
    }

    #[test]
    fn with_its_client_a_call_has_no_answer() {
        let callbacks = Callbacks::default();
        let (own, other) = (callbacks.begin(1), callbacks.begin(2));
        callbacks.forget(1);
        assert!(callbacks.wait(own, &|| true).is_none());
        assert!(callbacks.is_awaited(other));
    }
}
