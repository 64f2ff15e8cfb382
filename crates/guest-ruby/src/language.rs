//! CRuby as a language of a guest: what is kept of it, and its threads.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use fulmar_guest::callbacks::Callbacks;
use fulmar_guest::wire::Writer;
use fulmar_guest::{Client, Job, Language, Settings, Slot, Worker};

use crate::ffi::{Id, Value};
use crate::functions::FUNCTIONS;
use crate::ruby::{Failure, Outcome, Ruby, Vm};
use crate::watcher::{Command, Question, Watcher};
use crate::{interpreter, operations, signals};

/// `support.rb` with the files in `support`, and the name under which backtraces would show it.
const SUPPORT: &str = concat!(
    include_str!("support.rb"),
    include_str!("support/files.rb"),
    include_str!("support/members.rb"),
    include_str!("support/values.rb"),
    include_str!("support/process.rb"),
);
const SUPPORT_NAME: &str = "<fulmar>";

/// Exceptions that may wait for one thread.
const PENDING_MAX: usize = 100;

static STATE: OnceLock<State> = OnceLock::new();

/// Everything that is kept of Ruby, once it has started.
pub(crate) fn state() -> Option<&'static State> {
    STATE.get()
}

/// What a thread is at, for whoever interrupts it.
struct AtWork {
    /// Ruby's own object of the thread, which is kept for ever.
    thread: Value,
    is_running: bool,
    was_interrupted: bool,
}

/// Objects of Ruby's stand here only where they are kept for ever, and stay where they are
/// (`Ruby::keep_for_ever`).
pub(crate) struct State {
    vm: &'static Vm,
    /// The module that `support.rb` gives.
    support: Value,
    /// By client: objects by their number.
    handles: Value,
    object_class: Value,
    function_class: Value,
    /// Of what `import` gives.
    pub(crate) loaded_class: Value,
    pub(crate) functions_name: Id,
    cancelled: Value,
    /// The last number of a handle, by client.
    clients: Mutex<HashMap<u64, u64>>,
    threads: Mutex<HashMap<usize, AtWork>>,
    callbacks: OnceLock<Arc<Callbacks>>,
    pub(crate) watcher: Watcher,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    /// Within `protect`.
    fn new(ruby: Ruby) -> Self {
        let support = load_support(ruby);
        let constant = |name: &str| {
            let value = ruby.call(support, ruby.id("own"), &[ruby.text(name)]);
            ruby.keep_for_ever(value);
            value
        };
        let handles = ruby.hash();
        for value in [support, handles] {
            ruby.keep_for_ever(value);
        }
        let object_class = constant("JavaScriptObject");
        let function_class = constant("JavaScriptFunction");
        for class in [object_class, function_class] {
            // SAFETY: a class whose objects are made here alone.
            unsafe { (ruby.api().rb_undef_alloc_func)(class) };
        }
        for (name, function) in FUNCTIONS {
            // SAFETY: a live module, a C string and a function of the kind that takes any count of arguments.
            unsafe {
                (ruby.api().rb_define_singleton_method)(support, name.as_ptr(), function, -1);
            }
        }
        ruby.call(support, ruby.id("begin_all"), &[]);
        Self {
            vm: ruby.vm(),
            support,
            handles,
            object_class,
            function_class,
            loaded_class: constant("Loaded"),
            functions_name: ruby.id("@functions"),
            cancelled: constant("Cancelled"),
            clients: Mutex::default(),
            threads: Mutex::default(),
            callbacks: OnceLock::new(),
            watcher: Watcher::default(),
        }
    }

    /// Within a function that Ruby has called, which holds the lock.
    pub(crate) fn ruby_here(&self) -> Ruby {
        // SAFETY: see above.
        unsafe { Ruby::assumed(self.vm) }
    }

    /// What a function of `support.rb` returns. Within `protect`.
    pub(crate) fn made(&self, ruby: Ruby, name: &str, arguments: &[Value]) -> Value {
        ruby.call(self.support, ruby.id(name), arguments)
    }

    pub(crate) fn reference_class(&self, is_function: bool) -> Value {
        if is_function {
            self.function_class
        } else {
            self.object_class
        }
    }

    pub(crate) fn callbacks(&self) -> Arc<Callbacks> {
        self.callbacks.get().map(Arc::clone).unwrap_or_default()
    }

    // Handles

    /// Keeps an object for JavaScript, by a number.
    pub(crate) fn keep(&self, ruby: Ruby, client: u64, value: Value) -> Outcome<u64> {
        let Some(id) = self.next_id(client) else {
            return Err(Failure::Gone("JavaScript is gone".to_owned()));
        };
        let key = ruby.unsigned(client);
        let objects = ruby.lookup(self.handles, key).unwrap_or_else(|| {
            let made = ruby.hash();
            ruby.set(self.handles, key, made);
            made
        });
        ruby.set(objects, ruby.unsigned(id), value);
        Ok(id)
    }

    fn next_id(&self, client: u64) -> Option<u64> {
        let mut clients = locked(&self.clients);
        let last = clients.get_mut(&client)?;
        *last += 1;
        Some(*last)
    }

    pub(crate) fn handle(&self, ruby: Ruby, client: u64, id: u64) -> Outcome<Value> {
        let objects = ruby.lookup(self.handles, ruby.unsigned(client));
        let found = objects.and_then(|objects| ruby.lookup(objects, ruby.unsigned(id)));
        found.ok_or_else(|| {
            Failure::Gone(
                "this object was let go of: nothing of Ruby's stands behind it any more".to_owned(),
            )
        })
    }

    pub(crate) fn release(&self, ruby: Ruby, client: u64, id: u64) {
        if let Some(objects) = ruby.lookup(self.handles, ruby.unsigned(client)) {
            ruby.delete(objects, ruby.unsigned(id));
        }
    }

    /// Objects that a message would have given to JavaScript which came to nothing.
    pub(crate) fn take_back(&self, ruby: Ruby, client: u64, message: &Writer) {
        let _released = ruby.protect(|| {
            for id in &message.handles {
                self.release(ruby, client, *id);
            }
            Ok(())
        });
    }

    /// A client is gone, with everything that it had. On the watcher's thread.
    pub(crate) fn forget_handles(&self, ruby: Ruby, client: u64) {
        let _deleted = ruby.protect(|| {
            ruby.delete(self.handles, ruby.unsigned(client));
            Ok(())
        });
    }

    // Calls

    /// A thread of Ruby's works for the guest from now on.
    fn enlist(&self, ruby: Ruby, worker: &Worker) {
        let _first = self.callbacks.set(Arc::clone(&worker.callbacks));
        // SAFETY: the lock is held, by a thread of Ruby's.
        let thread = unsafe { (self.vm.api.rb_thread_current)() };
        ruby.keep_for_ever(thread);
        let own = AtWork {
            thread,
            is_running: false,
            was_interrupted: false,
        };
        locked(&self.threads).insert(worker.thread, own);
    }

    /// Before a call: its client is known, and its thread may be interrupted.
    pub(crate) fn begin(&self, thread: usize, job: &Job) {
        let mut clients = locked(&self.clients);
        // Behind its end it is not taken up again: `forget` comes once.
        if !job.client.is_closed() {
            clients.entry(job.client.id).or_insert(job.client.id);
        }
        drop(clients);
        if let Some(own) = locked(&self.threads).get_mut(&thread) {
            own.is_running = true;
            own.was_interrupted = false;
        }
    }

    /// Behind a call: what was meant to interrupt it no longer does.
    pub(crate) fn end(&self, ruby: Ruby, thread: usize) {
        let was_interrupted = {
            let mut threads = locked(&self.threads);
            let own = threads.get_mut(&thread);
            own.is_some_and(|own| {
                own.is_running = false;
                own.was_interrupted
            })
        };
        if was_interrupted {
            drain(ruby);
        }
    }

    /// Breaks off what a thread is at. On the watcher's thread.
    pub(crate) fn interrupt(&self, ruby: Ruby, thread: usize, question: Question) {
        let (new, raise) = (ruby.id("new"), ruby.id("raise"));
        let error = ruby.protect(|| Ok(ruby.call(self.cancelled, new, &[])));
        let Ok(error) = error else {
            return;
        };
        let mut threads = locked(&self.threads);
        let Some(own) = threads.get_mut(&thread) else {
            return;
        };
        if !own.is_running || !question.ask() {
            return;
        }
        own.was_interrupted = true;
        // None of Ruby's code runs in this: the lock stays here, and the thread cannot end its call meanwhile.
        let _raised = ruby.protect(|| Ok(ruby.call(own.thread, raise, &[error])));
    }
}

/// Exceptions that wait for this thread were meant for what it has ended.
fn drain(ruby: Ruby) {
    for _ in 0..PENDING_MAX {
        if ruby.check_interrupts().is_ok() {
            break;
        }
        ruby.forget_jump();
    }
}

/// What came for the process while Ruby had its signals waits here as exceptions.
fn send_signals_again(ruby: Ruby) {
    let number = ruby.id("signo");
    for _ in 0..PENDING_MAX {
        let Err(Failure::Raised(error)) = ruby.check_interrupts() else {
            break;
        };
        let signal = ruby.protect(|| Ok(ruby.as_int(ruby.call(error, number, &[]))));
        if let Some(signal) = signal.ok().and_then(|signal| i32::try_from(signal).ok()) {
            signals::send_again(signal);
        }
    }
}

/// The module of `support.rb`. Within `protect`.
fn load_support(ruby: Ruby) -> Value {
    // SAFETY: a C string of code.
    let scope = unsafe { (ruby.api().rb_eval_string)(c"TOPLEVEL_BINDING".as_ptr()) };
    let arguments = [ruby.text(SUPPORT), ruby.text(SUPPORT_NAME), ruby.int(1)];
    ruby.call(scope, ruby.id("eval"), &arguments)
}

/// Ruby runs on this thread, and its lock is held: its own values.
fn vm(api: crate::ffi::Api) -> &'static Vm {
    let evaluated = |code: &std::ffi::CStr| {
        // SAFETY: a C string of code that cannot raise.
        unsafe { (api.rb_eval_string)(code.as_ptr()) }
    };
    let (nil, yes, no) = (evaluated(c"nil"), evaluated(c"true"), evaluated(c"false"));
    // SAFETY: Ruby runs.
    let utf8 = unsafe { (api.rb_utf8_encindex)() };
    // SAFETY: as above.
    let ascii = unsafe { (api.rb_usascii_encindex)() };
    // SAFETY: as above.
    let binary = unsafe { (api.rb_ascii8bit_encindex)() };
    // SAFETY: as above.
    let encoding = unsafe { (api.rb_utf8_encoding)() };
    let name = |text: &str| {
        let length = std::ffi::c_long::try_from(text.len()).unwrap_or(0);
        // SAFETY: so many bytes.
        unsafe { (api.rb_intern3)(text.as_ptr().cast(), length, encoding) }
    };
    // Memory is read by what this gives: under a name of ours it stays Ruby's own, whoever replaces `bytesize`.
    evaluated(
        c"String.class_eval { alias_method :__fulmar_bytesize, :bytesize; private :__fulmar_bytesize }",
    );
    let (byte_size, length) = (name("__fulmar_bytesize"), name("length"));
    Box::leak(Box::new(Vm {
        api,
        nil,
        yes,
        no,
        utf8,
        ascii,
        binary,
        byte_size,
        length,
    }))
}

/// CRuby.
pub(crate) struct RubyLanguage(&'static State);

impl RubyLanguage {
    fn ruby(&self) -> Ruby {
        // SAFETY: called on threads of Ruby's, which hold the lock unless they wait.
        unsafe { Ruby::assumed(self.0.vm) }
    }
}

/// What a thread does.
pub(crate) type Work = Box<dyn FnOnce() + Send>;

/// What a thread of Ruby's runs.
unsafe extern "C" fn run_thread(body: *mut c_void) -> Value {
    // SAFETY: made of a box by `spawn`, given up here.
    let body = unsafe { Box::from_raw(body.cast::<Work>()) };
    let _caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(*body));
    state().map_or(Value(0), |state| state.vm.nil)
}

/// A thread of Ruby's. Its lock is held, and stays with the caller until that waits.
pub(crate) fn spawn(ruby: Ruby, body: Work) -> Result<(), String> {
    let body = Box::into_raw(Box::new(body)).cast::<c_void>();
    let made = ruby.protect(|| {
        // SAFETY: a function with its data, within `protect`.
        Ok(unsafe { (ruby.api().rb_thread_create)(run_thread, body) })
    });
    if made.is_ok() {
        return Ok(());
    }
    // SAFETY: the thread was not made, and has not taken it.
    drop(unsafe { Box::from_raw(body.cast::<Work>()) });
    Err("a thread of Ruby's could not be made".to_owned())
}

impl Language for RubyLanguage {
    const NAME: &'static str = "ruby";

    fn start(settings: &Settings) -> Result<Self, String> {
        let api = interpreter::start(settings)?;
        // SAFETY: Ruby was started on this thread, which holds its lock.
        let ruby = unsafe { Ruby::assumed(vm(api)) };
        let made = ruby.protect(|| Ok(State::new(ruby)));
        let made = made.map_err(|failure| match failure {
            Failure::Raised(error) => reason_of(ruby, error),
            _ => "Ruby could not be started".to_owned(),
        })?;
        send_signals_again(ruby);
        let state = STATE.get_or_init(|| made);
        let watch: Work = Box::new(move || {
            // SAFETY: a thread of Ruby's, which holds the lock.
            state.watcher.run(unsafe { Ruby::assumed(state.vm) }, state);
        });
        spawn(ruby, watch)?;
        Ok(Self(state))
    }

    /// Ruby has one lock.
    fn parallel(&self) -> usize {
        1
    }

    fn spawn(&self, _name: &str, body: Work) -> Result<(), String> {
        // SAFETY: asks for the calling thread.
        if unsafe { (self.0.vm.api.ruby_native_thread_p)() } == 0 {
            // The monitor, which is none of Ruby's.
            self.0.watcher.ask(Command::Spawn(body));
            return Ok(());
        }
        spawn(self.ruby(), body)
    }

    fn work(&self, worker: &Worker) {
        let ruby = self.ruby();
        self.0.enlist(ruby, worker);
        loop {
            let (_waited, interruption) = ruby.without_lock(|| worker.wait(), &|| worker.poke());
            if interruption.is_err() {
                // Nobody's call: an exception that came too late, or one for a thread that is none of theirs.
                ruby.forget_jump();
            }
            while let Some(job) = worker.next() {
                worker.perform(&job, || operations::run(ruby, self.0, worker, &job));
            }
            self.0.watcher.set_busy(false);
        }
    }

    fn interrupt(&self, thread: usize, is_still_at_it: &dyn Fn() -> bool) {
        self.0.watcher.interrupt(thread, is_still_at_it);
    }

    /// Ruby has no calls that go on without a thread.
    fn cancel_later(&self, _client: u64, _call: u64) {}

    fn forget(&self, client: &Arc<Client>) {
        if locked(&self.0.clients).remove(&client.id).is_some() {
            self.0.watcher.ask(Command::Forget(client.id));
        }
    }

    fn finish(&self) {
        let (done, is_done) = std::sync::mpsc::sync_channel(1);
        self.0.watcher.ask(Command::Finish(done));
        let _ended = is_done.recv();
    }

    fn slot() -> &'static Slot<Self> {
        &crate::SLOT
    }
}

/// Why `support.rb` could not be loaded.
fn reason_of(ruby: Ruby, error: Value) -> String {
    let mut text = String::new();
    let method = ruby.id("full_message");
    let _written = ruby.protect(|| {
        let message = ruby.call(error, method, &[]);
        ruby.with_bytes(message, |bytes| {
            text.push_str(&String::from_utf8_lossy(bytes));
        });
        Ok(())
    });
    format!("Ruby's own libraries could not be loaded: {text}")
}
