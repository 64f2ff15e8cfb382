//! What a language is to the rest of a guest.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::callbacks::Callbacks;
use crate::client::Client;
use crate::queue::Queue;
use crate::wire::{Malformed, Reader, Token};
use crate::worker::Worker;

/// How a guest is opened: texts and numbers by name, which the language's own package in
/// `packages/fulmar/src/polyglot` writes.
#[derive(Debug, Default, PartialEq, Eq, Clone)]
pub struct Settings {
    texts: HashMap<String, String>,
    numbers: HashMap<String, i64>,
    lists: HashMap<String, Vec<String>>,
}

impl Settings {
    /// # Errors
    /// What is no object of texts, numbers and lists of texts.
    pub fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes, &[]);
        let mut settings = Self::default();
        let Token::Object(count) = reader.token()? else {
            return Err(Malformed("settings that are no object".to_owned()));
        };
        for _ in 0..count {
            let name = reader.text()?.to_owned();
            match reader.token()? {
                Token::Text(text) => {
                    settings.texts.insert(name, text.to_owned());
                }
                Token::Int(number) => {
                    settings.numbers.insert(name, number);
                }
                Token::List(items) => {
                    let mut list = Vec::new();
                    for _ in 0..items {
                        if let Token::Text(text) = reader.token()? {
                            list.push(text.to_owned());
                        }
                    }
                    settings.lists.insert(name, list);
                }
                Token::Null => {}
                _ => return Err(Malformed(format!("a setting {name} of another kind"))),
            }
        }
        Ok(settings)
    }

    /// A text, if it was given.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    /// A number that is not negative, if it was given.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<usize> {
        self.numbers
            .get(name)
            .and_then(|number| usize::try_from(*number).ok())
    }

    /// A list; empty, if none was given.
    #[must_use]
    pub fn list(&self, name: &str) -> &[String] {
        self.lists.get(name).map_or(&[], Vec::as_slice)
    }
}

/// A language. There is one of it in a process, and it is never taken down: libraries that it has loaded do
/// not expect that.
pub trait Language: Send + Sync + Sized + 'static {
    /// For names of threads and messages.
    const NAME: &'static str;

    /// Threads that it has unless the settings say otherwise, or more calls can run at the same time: as many can wait
    /// for something side by side.
    const THREADS: usize = 4;

    /// Whether `spawn` can be called later, on the monitor's thread: where all threads wait for JavaScript.
    const GROWS: bool = true;

    /// Starts it, on the thread that is its first worker and lives as long as the process.
    ///
    /// # Errors
    /// Why it could not be started, in a sentence.
    fn start(settings: &Settings) -> Result<Self, String>;

    /// How many calls can run at the same time.
    fn parallel(&self) -> usize;

    /// What a thread does for ever: `worker.wait(); while let Some(job) = worker.next() { … }`. The first one is that
    /// of `start`.
    fn work(&self, worker: &Worker);

    /// Makes a thread more, which runs `body`. On the thread of `start`, before that works. For languages that
    /// know no threads but their own.
    ///
    /// # Errors
    /// Why it could not be made, in a sentence.
    fn spawn(&self, name: &str, body: Box<dyn FnOnce() + Send>) -> Result<(), String> {
        crate::exported::thread(name, body)
    }

    /// Breaks off what a thread is at, if `is_still_at_it`. On the monitor's thread.
    fn interrupt(&self, thread: usize, is_still_at_it: &dyn Fn() -> bool);

    /// Nobody waits any more for a call that goes on without a thread, if there is one. On the monitor's thread.
    fn cancel_later(&self, client: u64, call: u64);

    /// A client is gone, with everything that it had. On any thread.
    fn forget(&self, client: &Arc<Client>);

    /// The process ends: what is buffered is written. On any thread.
    fn finish(&self);

    /// Where the one of this process is kept.
    fn slot() -> &'static Slot<Self>;
}

/// Where a language is kept once it has started.
#[derive(Debug)]
pub struct Slot<L>(pub(crate) Mutex<Option<Arc<Runtime<L>>>>);

impl<L> Slot<L> {
    /// Nothing started yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(Mutex::new(None))
    }
}

impl<L> Default for Slot<L> {
    fn default() -> Self {
        Self::new()
    }
}

/// A language that runs.
#[derive(Debug)]
pub(crate) struct Runtime<L> {
    pub(crate) language: L,
    pub(crate) queue: Arc<Queue>,
    pub(crate) callbacks: Arc<Callbacks>,
    pub(crate) settings: Settings,
}
