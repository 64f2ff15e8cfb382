//! Python as a language of a guest: what is kept of it, and its threads.

use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use fulmar_guest::callbacks::Callbacks;
use fulmar_guest::wire::Writer;
use fulmar_guest::{Client, Job, Language, Settings, Slot, Worker};

use crate::ffi::{Api, Raw};
use crate::functions::FUNCTIONS;
use crate::object::{Failure, Gil, Object, Outcome, Python};
use crate::{interpreter, operations};

/// `support.py` with the files in `support`, and the name under which tracebacks would show it.
const SUPPORT: &CStr = match CStr::from_bytes_with_nul(
    concat!(
        include_str!("support.py"),
        include_str!("support/modules.py"),
        // As a text: run once it is needed (`values.py`).
        "ARROW = r'''",
        include_str!("support/arrow.py"),
        "'''\n",
        include_str!("support/values.py"),
        include_str!("support/members.py"),
        include_str!("support/coroutines.py"),
        include_str!("support/process.py"),
        "\0"
    )
    .as_bytes(),
) {
    Ok(text) => text,
    Err(_) => c"",
};
const SUPPORT_NAME: &CStr = c"<fulmar>";
/// `Py_file_input`.
const STATEMENTS: i32 = 257;

static STATE: OnceLock<State> = OnceLock::new();

/// This process was made by `fork`, since Python was started. Said by the system: to ask for it costs each call a microsecond.
static IS_CHILD: AtomicBool = AtomicBool::new(false);

unsafe extern "C" fn note_child() {
    IS_CHILD.store(true, Ordering::Relaxed);
}

/// Everything that is kept of Python, once it has started.
pub(crate) fn state() -> Option<&'static State> {
    STATE.get()
}

/// An owned reference outside of the lock.
struct Kept(Raw);

// SAFETY: an address, used only with the lock held.
unsafe impl Send for Kept {}
// SAFETY: as above.
unsafe impl Sync for Kept {}

struct Handles {
    client: Weak<Client>,
    objects: HashMap<u64, Kept>,
    last: u64,
}

/// What a thread is at, for whoever interrupts it.
#[derive(Default)]
struct AtWork {
    /// The name that CPython knows the thread by.
    ident: std::ffi::c_ulong,
    is_running: bool,
    was_interrupted: bool,
}

pub(crate) struct State {
    pub(crate) api: &'static Api,
    /// Functions of `support.py`.
    support: HashMap<String, Kept>,
    clients: Mutex<HashMap<u64, Handles>>,
    threads: Mutex<HashMap<usize, AtWork>>,
    callbacks: OnceLock<Arc<Callbacks>>,
    parallel: usize,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    fn new(api: &'static Api) -> Result<Self, String> {
        let gil = Gil::take(api);
        let python = gil.python();
        let (support, parallel) = support(python).map_err(|failure| match failure {
            Failure::Raised(error) => error
                .attribute("args")
                .and_then(|args| args.tuple_item(0)?.as_text().map(str::to_owned))
                .unwrap_or_else(|_| "Python's own modules could not be loaded".to_owned()),
            Failure::Value(text) | Failure::Gone(text) | Failure::Busy(text) => text,
        })?;
        // SAFETY: a function that stays, as this library does; it stores a flag.
        let code = unsafe { libc::pthread_atfork(None, None, Some(note_child)) };
        if code != 0 {
            return Err(format!(
                "processes that fork makes cannot be told apart: {}",
                std::io::Error::from_raw_os_error(code)
            ));
        }
        Ok(Self {
            api,
            support,
            clients: Mutex::default(),
            threads: Mutex::default(),
            callbacks: OnceLock::new(),
            parallel,
        })
    }

    /// This process was made by `fork`: there is this thread alone, and locks of ours may be held for ever by others.
    pub(crate) fn is_child() -> bool {
        IS_CHILD.load(Ordering::Relaxed)
    }

    /// Ends such a process, where its call does: JavaScript and what called are in the other one.
    pub(crate) fn end_child<'py>(&self, python: Python<'py>, error: Option<Object<'py>>) {
        let error = error.unwrap_or(python.none());
        drop(self.made(python, "end_child", vec![error]));
        // SAFETY: ends the process at once.
        unsafe { libc::_exit(1) };
    }

    /// What a function of `support.py` returns.
    pub(crate) fn made<'py>(
        &self,
        python: Python<'py>,
        name: &str,
        arguments: Vec<Object<'py>>,
    ) -> Outcome<'py, Object<'py>> {
        let function = self.support.get(name);
        let function = function.ok_or_else(|| Failure::Value(format!("no function {name}")))?;
        python.share(function.0).call(arguments, None)
    }

    pub(crate) fn is_awaitable(&self, value: &Object<'_>) -> Option<bool> {
        let api = self.api;
        let kind = value.kind();
        let plain = [
            api.PyDict_Type,
            api.PyUnicode_Type,
            api.PyLong_Type,
            api.PyFloat_Type,
            api.PyList_Type,
            api.PyTuple_Type,
            api.PyBytes_Type,
        ];
        let is_bool = [api._Py_TrueStruct, api._Py_FalseStruct].contains(&value.raw());
        if is_bool || value.is_none() || plain.contains(&kind) {
            return Some(false);
        }
        let answer = self.made(value.python, "is_awaitable", vec![value.clone()]);
        answer.ok()?.is_true().ok()
    }

    /// Lets Python's code have a failure as an exception.
    pub(crate) fn raise<'py>(&self, python: Python<'py>, failure: Failure<'py>) {
        let error = match failure {
            Failure::Raised(error) => Ok(error),
            Failure::Value(text) | Failure::Busy(text) => python
                .text(&text)
                .and_then(|text| self.made(python, "ValueError", vec![text])),
            Failure::Gone(text) => python
                .text(&text)
                .and_then(|text| self.made(python, "Cancelled", vec![text])),
        };
        if let Ok(error) = error {
            // SAFETY: a live exception and its type; the lock is held.
            unsafe { (self.api.PyErr_SetObject)(error.kind(), error.raw()) };
        }
    }

    pub(crate) fn callbacks(&self) -> Arc<Callbacks> {
        self.callbacks.get().map(Arc::clone).unwrap_or_default()
    }

    pub(crate) fn client<'py>(&self, id: u64) -> Outcome<'py, Arc<Client>> {
        let clients = locked(&self.clients);
        let client = clients
            .get(&id)
            .and_then(|handles| handles.client.upgrade());
        client.ok_or_else(|| Failure::Gone("JavaScript is gone".to_owned()))
    }

    /// Keeps an object for JavaScript, by a number.
    pub(crate) fn keep<'py>(&self, client: u64, value: &Object<'py>) -> Outcome<'py, u64> {
        let mut clients = locked(&self.clients);
        let Some(handles) = clients.get_mut(&client) else {
            return Err(Failure::Gone("JavaScript is gone".to_owned()));
        };
        handles.last += 1;
        let id = handles.last;
        handles.objects.insert(id, Kept(value.clone().into_raw()));
        Ok(id)
    }

    pub(crate) fn handle<'py>(
        &self,
        python: Python<'py>,
        client: u64,
        id: u64,
    ) -> Outcome<'py, Object<'py>> {
        let clients = locked(&self.clients);
        let kept = clients
            .get(&client)
            .and_then(|handles| handles.objects.get(&id));
        match kept {
            Some(kept) => Ok(python.share(kept.0)),
            None => Err(Failure::Gone(
                "this object was let go of: nothing of Python's stands behind it any more"
                    .to_owned(),
            )),
        }
    }

    /// Nobody waits any more for a coroutine; without a call for none of the client's.
    pub(crate) fn cancel_later(&self, python: Python<'_>, client: u64, call: Option<u64>) {
        let number = |value| python.unsigned(value);
        let cancelled = number(client)
            .and_then(|client| Ok(vec![client, call.map_or(Ok(python.none()), number)?]))
            .and_then(|arguments| self.made(python, "cancel_later", arguments));
        drop(cancelled);
    }

    pub(crate) fn release(&self, python: Python<'_>, client: u64, id: u64) {
        let kept = locked(&self.clients)
            .get_mut(&client)
            .and_then(|handles| handles.objects.remove(&id));
        // Behind the lock of the table: an object's end may run Python code.
        if let Some(kept) = kept {
            drop(python.own(kept.0));
        }
    }

    /// Objects that a message would have given to JavaScript which came to nothing.
    pub(crate) fn take_back(&self, python: Python<'_>, client: u64, message: &Writer) {
        for id in &message.handles {
            self.release(python, client, *id);
        }
    }

    /// Before a call: its client is known, and its thread may be interrupted.
    pub(crate) fn begin(&self, thread: usize, job: &Job) {
        let mut clients = locked(&self.clients);
        // Behind its end it is not taken up again: `forget` comes once.
        if !job.client.is_closed() {
            clients.entry(job.client.id).or_insert_with(|| Handles {
                client: Arc::downgrade(&job.client),
                objects: HashMap::new(),
                last: job.client.id,
            });
        }
        drop(clients);
        let mut threads = locked(&self.threads);
        let own = threads.entry(thread).or_default();
        // SAFETY: asks for the calling thread's name.
        own.ident = unsafe { libc::pthread_self() };
        own.is_running = true;
        own.was_interrupted = false;
    }

    /// Behind a call: what was meant to interrupt it no longer does.
    pub(crate) fn end(&self, _python: Python<'_>, thread: usize) {
        let mut threads = locked(&self.threads);
        let Some(own) = threads.get_mut(&thread) else {
            return;
        };
        own.is_running = false;
        if own.was_interrupted {
            // SAFETY: this thread's own name; null takes back what was set. The lock is held.
            unsafe { (self.api.PyThreadState_SetAsyncExc)(own.ident, std::ptr::null_mut()) };
        }
    }
}

/// The functions of `support.py`, and how many threads can run at the same time.
fn support(python: Python<'_>) -> Outcome<'_, (HashMap<String, Kept>, usize)> {
    let api = python.api;
    let scope = python.dict()?;
    // SAFETY: the lock is held; a borrowed reference.
    let builtins = unsafe { (api.PyEval_GetBuiltins)() };
    // SAFETY: live objects and a C string.
    python.check(unsafe {
        (api.PyDict_SetItemString)(scope.raw(), c"__builtins__".as_ptr(), builtins)
    })?;
    // SAFETY: C strings.
    let code = python.own(unsafe {
        (api.Py_CompileString)(SUPPORT.as_ptr(), SUPPORT_NAME.as_ptr(), STATEMENTS)
    })?;
    // SAFETY: live code and a dict.
    python.own(unsafe { (api.PyEval_EvalCode)(code.raw(), scope.raw(), scope.raw()) })?;
    let find = |name: &str| -> Outcome<'_, Object<'_>> {
        let text = CString::new(name).map_err(|_| Failure::Value("a name".to_owned()))?;
        // SAFETY: a live dict and a C string; the reference is borrowed.
        let found = unsafe { (api.PyDict_GetItemString)(scope.raw(), text.as_ptr()) };
        if found.is_null() {
            return Err(Failure::Value(format!("no {name} in support.py")));
        }
        Ok(python.share(found))
    };
    let native = find("native")?.attribute("__dict__")?;
    for (name, definition) in FUNCTIONS {
        // SAFETY: a static definition; no object and no module.
        let function = python.own(unsafe {
            (api.PyCFunction_NewEx)(definition, std::ptr::null_mut(), std::ptr::null_mut())
        })?;
        // SAFETY: a live dict, a C string and a live function.
        python.check(unsafe {
            (api.PyDict_SetItemString)(native.raw(), name.as_ptr(), function.raw())
        })?;
    }
    find("begin")?.call(vec![], None)?;
    let mut functions = HashMap::new();
    for (name, value) in scope.pairs() {
        let name = name.as_text()?.to_owned();
        functions.insert(name, Kept(value.into_raw()));
    }
    let has_lock = find("has_global_lock")?.call(vec![], None)?.is_true()?;
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Ok((functions, if has_lock { 1 } else { processors }))
}

/// CPython.
pub(crate) struct PythonLanguage(&'static State);

impl Language for PythonLanguage {
    const NAME: &'static str = "python";

    fn start(settings: &Settings) -> Result<Self, String> {
        let api = interpreter::start(settings)?;
        let made = State::new(api)?;
        Ok(Self(STATE.get_or_init(|| made)))
    }

    fn parallel(&self) -> usize {
        self.0.parallel
    }

    fn work(&self, worker: &Worker) {
        let _first = self.0.callbacks.set(Arc::clone(&worker.callbacks));
        loop {
            worker.wait();
            let gil = Gil::take(self.0.api);
            while let Some(job) = worker.next() {
                worker.perform(&job, || {
                    operations::run(gil.python(), self.0, worker, &job);
                });
            }
        }
    }

    fn interrupt(&self, thread: usize, is_still_at_it: &dyn Fn() -> bool) {
        let gil = Gil::take(self.0.api);
        let _python = gil.python();
        let mut threads = locked(&self.0.threads);
        let Some(own) = threads.get_mut(&thread) else {
            return;
        };
        if !own.is_running || !is_still_at_it() {
            return;
        }
        let Some(cancelled) = self.0.support.get("Cancelled") else {
            return;
        };
        own.was_interrupted = true;
        // SAFETY: a thread of ours that runs, and a class of exceptions; the lock is held.
        unsafe { (self.0.api.PyThreadState_SetAsyncExc)(own.ident, cancelled.0) };
    }

    fn cancel_later(&self, client: u64, call: u64) {
        let gil = Gil::take(self.0.api);
        self.0.cancel_later(gil.python(), client, Some(call));
    }

    fn forget(&self, client: &Arc<Client>) {
        let id = client.id;
        let handles = locked(&self.0.clients).remove(&id);
        let Some(handles) = handles else {
            return;
        };
        let state = self.0;
        // On a thread of its own: whoever closes must not wait for the lock.
        let _thread = std::thread::Builder::new()
            .name("python-forget".to_owned())
            .spawn(move || {
                let gil = Gil::take(state.api);
                state.cancel_later(gil.python(), id, None);
                for (_, kept) in handles.objects {
                    drop(gil.python().own(kept.0));
                }
            });
    }

    fn finish(&self) {
        let gil = Gil::take(self.0.api);
        drop(self.0.made(gil.python(), "flush", vec![]));
    }

    fn slot() -> &'static Slot<Self> {
        &crate::SLOT
    }
}
