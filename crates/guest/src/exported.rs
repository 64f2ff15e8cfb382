//! The functions behind the table of `abi`: each is one step into a guest, and none lets a panic out.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use crate::abi::{
    ABI_VERSION, Api, Block, Delivery, Slice, Submitted, Wake, all_bytes_of, bytes_of, free,
    free_list, give,
};
use crate::callbacks::{Answer, Callbacks};
use crate::client::{Client, Waker};
use crate::language::{Language, Runtime, Settings};
use crate::queue::{Queue, THREADS_MAX};
use crate::request::Kind;
use crate::wire::{Reader, Writer};
use crate::worker::{Job, Worker};
use crate::{isolation, monitor};

/// Calls that may wait, unless the settings say otherwise (`queue`).
const WAITING_MAX: usize = 1_000;
/// How far threads of guests stand back: a third of the time that the JavaScript thread gets while both want it.
const NICE: i32 = 5;

/// Each function of the table, for one language.
#[must_use]
pub const fn api<L: Language>() -> Api {
    Api {
        version: ABI_VERSION,
        open: open::<L>,
        submit: submit::<L>,
        receive,
        wait,
        cancel: cancel::<L>,
        close: close::<L>,
        finish: finish::<L>,
        free,
        free_list,
    }
}

/// Makes a crate the library of a guest.
#[macro_export]
macro_rules! guest {
    ($language:ty) => {
        static SLOT: $crate::Slot<$language> = $crate::Slot::new();
        static API: $crate::abi::Api = $crate::exported::api::<$language>();

        /// The guest's functions (`fulmar_guest::abi`).
        #[unsafe(no_mangle)]
        pub extern "C" fn fulmar_guest() -> *const $crate::abi::Api {
            &raw const API
        }

        /// (where calls that have begun are told, the number behind which ids begin), before `open`
        /// (`fulmar_guest::isolation`).
        ///
        /// # Safety
        /// The address lives as long as the process.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn fulmar_guest_isolated(
            begun: *const std::sync::atomic::AtomicU64,
            ids_before: u64,
        ) {
            // SAFETY: the caller's promise.
            unsafe { $crate::isolation::begin(begun, ids_before) };
        }
    };
}

/// # Safety
/// A client that `open` gave and `close` has not had.
unsafe fn client_of<'a>(client: *mut c_void) -> &'a Arc<Client> {
    // SAFETY: see above; it was made of a box in `open`.
    unsafe { &*client.cast::<Arc<Client>>() }
}

fn runtime<L: Language>() -> Option<Arc<Runtime<L>>> {
    let slot = L::slot().0.lock();
    slot.unwrap_or_else(PoisonError::into_inner).clone()
}

unsafe extern "C" fn open<L: Language>(
    settings: Slice,
    wake: Wake,
    data: *mut c_void,
    problem: *mut Block,
) -> *mut c_void {
    static IDS: AtomicU64 = AtomicU64::new(1);
    let waker = Waker { wake, data };
    // SAFETY: the host's bytes, for the time of the call.
    let settings = unsafe { bytes_of(settings) };
    let outcome = catch_unwind(|| started::<L>(settings));
    let text = match outcome {
        Ok(Ok(())) => {
            let id = isolation::ids_before() + IDS.fetch_add(1, Ordering::Relaxed);
            let client = Client::new(id, waker);
            return Box::into_raw(Box::new(Arc::new(client))).cast();
        }
        Ok(Err(text)) => text,
        Err(_) => format!("{} failed to start, by a bug in Fulmar", L::NAME),
    };
    // SAFETY: the host's own place for it.
    unsafe { problem.write(give(text.into_bytes())) };
    std::ptr::null_mut()
}

/// Starts the language, unless it runs.
fn started<L: Language>(settings: &[u8]) -> Result<(), String> {
    let settings = Settings::read(settings).map_err(|problem| problem.0)?;
    // Held while it starts: whoever comes meanwhile waits for that.
    let mut slot = L::slot().0.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(runtime) = slot.as_ref() {
        return if runtime.settings == settings {
            Ok(())
        } else {
            Err(format!(
                "{} runs in this process already, with other settings: it can be started once, by whoever is first",
                L::NAME
            ))
        };
    }
    *slot = Some(start::<L>(settings)?);
    Ok(())
}

fn start<L: Language>(settings: Settings) -> Result<Arc<Runtime<L>>, String> {
    let (give_runtime, runtime) = sync_channel::<Result<Arc<Runtime<L>>, String>>(1);
    thread(&format!("{}-1", L::NAME), move || {
        let outcome = L::start(&settings).and_then(|language| {
            let parallel = language.parallel();
            let threads = settings.number("threads");
            let threads = threads.unwrap_or(L::THREADS.max(parallel));
            let threads = threads.clamp(1, THREADS_MAX);
            let waiting_max = settings.number("queue").unwrap_or(WAITING_MAX);
            let runtime = Arc::new(Runtime {
                language,
                queue: Arc::new(Queue::new(waiting_max, threads, parallel)),
                callbacks: Arc::default(),
                settings,
            });
            spawn_workers(&runtime, threads)?;
            Ok(runtime)
        });
        let started = outcome.as_ref().ok().map(Arc::clone);
        let _sent = give_runtime.send(outcome);
        if let Some(runtime) = started {
            run_worker(&runtime, 0);
        }
    })?;
    let runtime = runtime
        .recv()
        .map_err(|_| format!("{} failed to start, by a bug in Fulmar", L::NAME))??;
    let watched = Arc::clone(&runtime);
    thread(&format!("{}-monitor", L::NAME), move || {
        monitor::watch(&watched.queue, &watched.language, &|thread| {
            spawn_worker(&watched, thread)
        });
    })?;
    Ok(runtime)
}

/// All but the first, which is the calling thread.
fn spawn_workers<L: Language>(runtime: &Arc<Runtime<L>>, threads: usize) -> Result<(), String> {
    (1..threads).try_for_each(|number| spawn_worker(runtime, number))
}

fn spawn_worker<L: Language>(runtime: &Arc<Runtime<L>>, number: usize) -> Result<(), String> {
    let own = Arc::clone(runtime);
    let body = Box::new(move || run_worker(&own, number));
    let name = format!("{}-{}", L::NAME, number + 1);
    runtime.language.spawn(&name, body)
}

fn run_worker<L: Language>(runtime: &Runtime<L>, thread: usize) {
    let worker = Worker {
        queue: Arc::clone(&runtime.queue),
        callbacks: Arc::clone(&runtime.callbacks),
        thread,
    };
    runtime.language.work(&worker);
}

/// They take signals as any thread: what the hosts do about one is the same wherever it comes, and what a language starts
/// inherits what is blocked.
pub(crate) fn thread(name: &str, body: impl FnOnce() + Send + 'static) -> Result<(), String> {
    const STACK_BYTES: usize = 8 * 1024 * 1024;
    let body = move || {
        step_back();
        body();
    };
    std::thread::Builder::new()
        .name(name.to_owned())
        .stack_size(STACK_BYTES)
        .spawn(body)
        .map(drop)
        .map_err(|error| format!("the thread {name} could not be made: {error}"))
}

/// The JavaScript thread, which answers everybody, comes first where there are too few processors. Threads that a
/// language makes have this from the one that makes them.
fn step_back() {
    // SAFETY: of the calling thread alone, which on Linux has a number of its own. A refusal changes nothing.
    unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, NICE) };
}

unsafe extern "C" fn submit<L: Language>(
    client: *mut c_void,
    message: Slice,
    attached: *const Slice,
    attached_count: usize,
    is_counted: bool,
) -> u32 {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the host's client.
        let client = unsafe { client_of(client) };
        let Some(runtime) = runtime::<L>() else {
            return Submitted::Closed;
        };
        // SAFETY: the host's bytes, for the time of the call.
        let message = unsafe { bytes_of(message) };
        // SAFETY: as above.
        let attached = unsafe { all_bytes_of(attached, attached_count) };
        let Some((number, message)) = message.split_first_chunk::<8>() else {
            return Submitted::Closed;
        };
        let job = Job {
            client: Arc::clone(client),
            call: u64::from_le_bytes(*number),
            message: message.to_vec(),
            attached: attached.into_iter().map(<[u8]>::to_vec).collect(),
        };
        let Some(job) = unless_awaited(&runtime.callbacks, job) else {
            return Submitted::Taken;
        };
        if runtime.queue.push(job, is_counted) {
            Submitted::Taken
        } else {
            Submitted::Busy
        }
    }));
    outcome.unwrap_or(Submitted::Closed) as u32
}

/// An answer of JavaScript's is given to the thread that waits for it: no other has to be there for that.
fn unless_awaited(callbacks: &Callbacks, job: Job) -> Option<Job> {
    let mut reader = Reader::new(&job.message, &job.attached);
    if reader.byte().ok() != Some(Kind::Resolve as u8) {
        return Some(job);
    }
    let number = reader.id().ok()?;
    if !callbacks.is_awaited(number) {
        return Some(job);
    }
    let answer = Answer {
        message: job.message,
        attached: job.attached,
    };
    let _waited = callbacks.answer(number, Some(answer));
    None
}

unsafe extern "C" fn receive(client: *mut c_void, delivery: *mut Delivery) -> bool {
    // SAFETY: the host's client.
    let client = unsafe { client_of(client) };
    let Some(received) = client.receive() else {
        return false;
    };
    // SAFETY: the host's own place for it.
    unsafe { delivery.write(Delivery::of(received)) };
    true
}

unsafe extern "C" fn wait(client: *mut c_void, timeout_ms: u64) -> bool {
    // SAFETY: the host's client.
    let client = unsafe { client_of(client) };
    client.wait(Duration::from_millis(timeout_ms))
}

unsafe extern "C" fn cancel<L: Language>(client: *mut c_void, call: u64) {
    // SAFETY: the host's client.
    let client = unsafe { client_of(client) };
    let _caught = catch_unwind(AssertUnwindSafe(|| {
        let given_back = runtime::<L>()?.queue.cancel(client.id, call)?;
        // Each call has one reply, also where nobody waits for it: who counts them can rely on that.
        let text = "it was given up before it began";
        let reply = Writer::error(call, "ERR_GUEST_TIMEOUT", text);
        given_back.client.reply(reply);
        Some(())
    }));
}

unsafe extern "C" fn close<L: Language>(client: *mut c_void) {
    // SAFETY: the host's client, which it gives up by this.
    let client = unsafe { Box::from_raw(client.cast::<Arc<Client>>()) };
    client.close();
    if let Some(runtime) = runtime::<L>() {
        runtime.callbacks.forget(client.id);
        runtime.queue.cancel_all(client.id);
        let _caught = catch_unwind(AssertUnwindSafe(|| runtime.language.forget(&client)));
    }
}

unsafe extern "C" fn finish<L: Language>(timeout_ms: u64) {
    let Some(runtime) = runtime::<L>() else {
        return;
    };
    let (tell, told) = sync_channel(1);
    // On a thread of its own: the language's lock may be held by what never ends.
    let begun = thread(&format!("{}-end", L::NAME), move || {
        runtime.language.finish();
        let _sent = tell.send(());
    });
    if begun.is_ok() {
        let _ended = told.recv_timeout(Duration::from_millis(timeout_ms));
    }
}
