//! Java as a language of a guest: its threads, and what they do with a call.

use std::collections::HashMap;
use std::ffi::CString;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use fulmar_guest::callbacks::Callbacks;
use fulmar_guest::wire::Writer;
use fulmar_guest::{Client, Job, Language, Settings, Slot, Worker};
use jni_sys::jobject;

use crate::classes::{self, Classes};
use crate::env::{Env, Global, Outcome, int, long, object};
use crate::machine::{self, Machine};

/// Up to here a message is copied into an array that a thread keeps for all.
const KEPT_BYTES: usize = 16 * 1024;

static STATE: OnceLock<State> = OnceLock::new();

/// Everything that is kept of Java, once it has started.
pub(crate) fn state() -> Option<&'static State> {
    STATE.get()
}

/// What a thread is at, for whoever interrupts it.
struct AtWork {
    /// `java.lang.Thread`.
    thread: Global,
    is_running: bool,
    was_interrupted: bool,
}

pub(crate) struct State {
    machine: Machine,
    pub(crate) classes: Classes,
    clients: Mutex<HashMap<u64, Weak<Client>>>,
    threads: Mutex<HashMap<usize, AtWork>>,
    callbacks: OnceLock<Arc<Callbacks>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    pub(crate) fn client(&self, id: u64) -> Option<Arc<Client>> {
        locked(&self.clients).get(&id)?.upgrade()
    }

    pub(crate) fn callbacks(&self) -> Option<&Callbacks> {
        self.callbacks.get().map(Arc::as_ref)
    }

    /// Has somebody interrupted this thread, in Java or from here?
    pub(crate) fn is_interrupted(&self, env: Env) -> bool {
        // SAFETY: a static method of this class, that takes nothing and gives a boolean.
        unsafe { env.call_bool(self.classes.guest(), self.classes.is_interrupted) }
    }

    /// Before a call: its client is known, and its thread may be interrupted.
    fn begin(&self, thread: usize, job: &Job) {
        let mut clients = locked(&self.clients);
        let known = clients.entry(job.client.id).or_default();
        if known.strong_count() == 0 {
            *known = Arc::downgrade(&job.client);
        }
        drop(clients);
        if let Some(own) = locked(&self.threads).get_mut(&thread) {
            own.is_running = true;
            own.was_interrupted = false;
        }
    }

    /// Behind a call: what was meant to interrupt it no longer does.
    fn end(&self, env: Env, thread: usize) {
        let mut threads = locked(&self.threads);
        let Some(own) = threads.get_mut(&thread) else {
            return;
        };
        own.is_running = false;
        if own.was_interrupted {
            // SAFETY: a static method of this class, that takes and gives nothing.
            let _cleared = unsafe { env.call_void(self.classes.guest(), self.classes.clear, &[]) };
        }
    }
}

/// What a thread needs for its calls.
struct Thread<'a> {
    state: &'static State,
    worker: &'a Worker,
    env: Env,
    /// An array of `KEPT_BYTES`.
    kept: Global,
}

impl<'a> Thread<'a> {
    fn begin(state: &'static State, worker: &'a Worker) -> Outcome<Self> {
        let name = CString::new(format!("fulmar-{}", worker.thread + 1)).unwrap_or_default();
        let env = state.machine.attach(&name)?;
        let classes = &state.classes;
        // SAFETY: a static method of this class, that takes nothing and gives an object.
        let own = unsafe { env.call_static(classes.guest(), classes.current, &[]) }?;
        let at_work = AtWork {
            thread: env.keep(own)?,
            is_running: false,
            was_interrupted: false,
        };
        locked(&state.threads).insert(worker.thread, at_work);
        Ok(Self {
            state,
            worker,
            env,
            kept: env.keep(env.new_bytes(KEPT_BYTES)?)?,
        })
    }

    fn run(&self, job: &Job) {
        if job.client.is_closed() {
            return;
        }
        self.state.begin(self.worker.thread, job);
        let outcome = self.env.framed(|| self.call(job));
        self.state.end(self.env, self.worker.thread);
        if let Err(problem) = outcome {
            refuse(job, &problem);
        }
    }

    /// Within a frame of local references.
    fn call(&self, job: &Job) -> Outcome<()> {
        let env = self.env;
        let classes = &self.state.classes;
        let message = self.message(&job.message)?;
        let attached = self.attached(&job.attached)?;
        let length = i32::try_from(job.message.len())
            .map_err(|_| "arguments of more than 2 GB".to_owned())?;
        let arguments = [
            long(job.client.id),
            long(job.call),
            object(message),
            int(length),
            object(attached),
        ];
        // SAFETY: a static method of this class, with what its signature says.
        unsafe { env.call_void(classes.guest(), classes.run, &arguments) }
    }

    fn message(&self, bytes: &[u8]) -> Outcome<jobject> {
        if bytes.len() > KEPT_BYTES {
            return self.env.bytes(bytes);
        }
        self.env.fill(self.kept.raw(), bytes)?;
        Ok(self.kept.raw())
    }

    fn attached(&self, blocks: &[Vec<u8>]) -> Outcome<jobject> {
        if blocks.is_empty() {
            return Ok(std::ptr::null_mut());
        }
        let env = self.env;
        let list = env.list(self.state.classes.objects(), blocks.len())?;
        for (index, block) in blocks.iter().enumerate() {
            env.put(list, index, env.bytes(block)?)?;
        }
        Ok(list)
    }
}

/// What could not even be begun: Java has no memory for it.
fn refuse(job: &Job, problem: &str) {
    if job.call == 0 {
        return;
    }
    let text = format!("the call could not be given to Java: {problem}");
    job.client
        .reply(Writer::error(job.call, "ERR_GUEST_VALUE", &text));
}

/// The Java virtual machine.
pub(crate) struct JavaLanguage(&'static State);

impl Language for JavaLanguage {
    const NAME: &'static str = "java";

    fn start(settings: &Settings) -> Result<Self, String> {
        let (machine, env) = machine::start(settings)?;
        let classes = Classes::define(env).map_err(|problem| {
            format!("Java started, but Fulmar's own classes could not be loaded: {problem}")
        })?;
        let made = State {
            machine,
            classes,
            clients: Mutex::default(),
            threads: Mutex::default(),
            callbacks: OnceLock::new(),
        };
        Ok(Self(STATE.get_or_init(|| made)))
    }

    fn parallel(&self) -> usize {
        std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
    }

    fn work(&self, worker: &Worker) {
        let _first = self.0.callbacks.set(Arc::clone(&worker.callbacks));
        let thread = Thread::begin(self.0, worker);
        loop {
            worker.wait();
            while let Some(job) = worker.next() {
                worker.perform(&job, || match &thread {
                    Ok(thread) => thread.run(&job),
                    Err(problem) => refuse(&job, problem),
                });
            }
        }
    }

    fn interrupt(&self, thread: usize, is_still_at_it: &dyn Fn() -> bool) {
        let state = self.0;
        // Stays attached: the monitor lives as long as the process.
        let Ok(env) = state.machine.attach(c"fulmar-monitor") else {
            return;
        };
        let mut threads = locked(&state.threads);
        let Some(own) = threads.get_mut(&thread) else {
            return;
        };
        if !own.is_running || !is_still_at_it() {
            return;
        }
        own.was_interrupted = true;
        let (guest, method) = (state.classes.guest(), state.classes.interrupt);
        // SAFETY: a static method of this class, with what its signature says.
        let _interrupted = unsafe { env.call_void(guest, method, &[object(own.thread.raw())]) };
    }

    fn cancel_later(&self, client: u64, call: u64) {
        let state = self.0;
        let Ok(env) = state.machine.attach(c"fulmar-monitor") else {
            return;
        };
        let (guest, method) = (state.classes.guest(), state.classes.cancel_later);
        // SAFETY: a static method of this class, with what its signature says.
        let _cancelled = unsafe { env.call_void(guest, method, &[long(client), long(call)]) };
    }

    fn forget(&self, client: &Arc<Client>) {
        let id = client.id;
        let state = self.0;
        locked(&state.clients).remove(&id);
        // On a thread of its own: whoever closes is not attached, and must not wait.
        let _thread = std::thread::Builder::new()
            .name("java-forget".to_owned())
            .spawn(move || {
                if let Ok(visit) = state.machine.visit(c"fulmar-forget") {
                    let (guest, method) = (state.classes.guest(), state.classes.forget);
                    // SAFETY: a static method of this class, with what its signature says.
                    let _forgotten = unsafe { visit.env.call_void(guest, method, &[long(id)]) };
                }
            });
    }

    fn finish(&self) {
        let state = self.0;
        if let Ok(visit) = state.machine.visit(c"fulmar-end") {
            classes::run_shutdown_hooks(visit.env);
            let (guest, method) = (state.classes.guest(), state.classes.flush);
            // SAFETY: a static method of this class, that takes and gives nothing.
            let _flushed = unsafe { visit.env.call_void(guest, method, &[]) };
        }
    }

    fn slot() -> &'static Slot<Self> {
        &crate::SLOT
    }
}
