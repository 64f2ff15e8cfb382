//! The host: drives the engine from libuv on the JavaScript thread and calls JavaScript for each batch.
//!
//! `pump` is the heart: turn → copy events → calls into JavaScript (ticks and microtasks run at the end of
//! each) → collect the replies → flush. The engine is never borrowed while JavaScript runs, so JavaScript may
//! call any binding from within a batch.

use std::cell::{Cell, RefCell};
use std::ffi::{c_int, c_void};
use std::ptr;

use fulmar_batch::{Calls, SHARED_BYTES, has_commands};
use fulmar_engine::Engine;
use napi_sys as sys;

use crate::bindings::Bound;
use crate::deflate::Streams;
use crate::guests::Guests;
use crate::js::{AsyncContext, Env, JsError, Memory, Reference, Result, with_scope};
use crate::shared_memory::SharedMemory;
use crate::uv::{self, Handle};

/// Rounds of turn and delivery before libuv's other handles get their chance.
const ROUNDS_MAX: usize = 4;

/// Memory shared with JavaScript, and the function to call. Made by `setup`.
pub(crate) struct Shared {
    control: SharedMemory,
    events: SharedMemory,
    commands: SharedMemory,
    arena: SharedMemory,
    on_batch: Reference,
    receiver: Reference,
    context: AsyncContext,
}

impl Shared {
    /// Control, events, commands, arena.
    fn memories(&self) -> [&mut [u8]; 4] {
        [&self.control, &self.events, &self.commands, &self.arena].map(SharedMemory::bytes)
    }
}

/// A call of the batch function.
struct BatchCall {
    receiver: sys::napi_value,
    function: sys::napi_value,
    context: sys::napi_async_context,
    args: [sys::napi_value; 2],
}

impl BatchCall {
    /// When the call has returned, ticks and microtasks have run. Otherwise what it has thrown, if there is
    /// anything.
    fn run(&self, env: Env) -> std::result::Result<(), Option<sys::napi_value>> {
        let mut result = ptr::null_mut();
        // SAFETY: receiver, function and arguments are live values of this scope; nothing of the engine is
        // borrowed.
        let status = unsafe {
            sys::napi_make_callback(
                env.0,
                self.context,
                self.receiver,
                self.function,
                self.args.len(),
                self.args.as_ptr(),
                &raw mut result,
            )
        };
        if status == sys::Status::napi_ok {
            Ok(())
        } else {
            Err(env.take_pending_exception())
        }
    }
}

struct Handles {
    poll: Handle,
    timer: Handle,
    prepare: Handle,
    check: Handle,
    idle: Handle,
}

/// One per environment (main thread or worker).
pub(crate) struct Host {
    pub(crate) env: Env,
    pub(crate) engine: RefCell<Engine>,
    pub(crate) shared: RefCell<Option<Shared>>,
    /// The array that is received into. Its address is asked for in each turn.
    slab: RefCell<Option<Reference>>,
    slab_cursor: Cell<usize>,
    handles: RefCell<Option<Handles>>,
    /// Handles whose close callback has not run.
    closing: Cell<u32>,
    /// Open listeners that keep the loop alive.
    pub(crate) listeners_referenced: Cell<u32>,
    /// What the current call is about to throw is reported already.
    reported: Cell<bool>,
    /// A pump is running: nested calls only queue.
    pumping: Cell<bool>,
    /// When the timer fires, in ms of the engine's clock; `u64::MAX` when it is not armed.
    armed_at: Cell<u64>,
    cleanup: Cell<sys::napi_async_cleanup_hook_handle>,
    /// Replies that are being compressed.
    pub(crate) compressed: Streams,
    /// Other languages in this process.
    pub(crate) guests: Guests,
    /// What the functions given to JavaScript point to.
    pub(crate) bound: RefCell<Box<[Bound]>>,
}

impl Host {
    /// Makes the host of an environment and ties its life to it. The pointer stays valid until the
    /// environment's clean-up has run.
    pub(crate) fn install(env: Env) -> std::result::Result<*mut Self, String> {
        let mut uv_loop = ptr::null_mut();
        // SAFETY: the environment is alive; `uv_loop` is writable.
        let status = unsafe { sys::napi_get_uv_event_loop(env.0, &raw mut uv_loop) };
        if status != sys::Status::napi_ok {
            return Err("this environment has no event loop".to_owned());
        }
        let engine =
            Engine::new().map_err(|error| format!("the engine could not start: {error}"))?;
        let fd = engine.as_raw_fd();
        let host = Box::into_raw(Box::new(Self {
            env,
            engine: RefCell::new(engine),
            shared: RefCell::new(None),
            slab: RefCell::new(None),
            slab_cursor: Cell::new(0),
            handles: RefCell::new(None),
            closing: Cell::new(0),
            listeners_referenced: Cell::new(0),
            reported: Cell::new(false),
            pumping: Cell::new(false),
            armed_at: Cell::new(u64::MAX),
            cleanup: Cell::new(ptr::null_mut()),
            compressed: Streams::default(),
            guests: Guests::default(),
            bound: RefCell::new(Box::default()),
        }));
        let handles = match Handles::open(uv_loop, fd, host.cast()) {
            Ok(handles) => handles,
            Err(error) => {
                // SAFETY: made by Box::into_raw above; `Handles::open` leaves no handle behind when it fails.
                drop(unsafe { Box::from_raw(host) });
                return Err(format!("libuv refused a handle ({})", error.0));
            }
        };
        // SAFETY: `host` was just made by Box::into_raw and is not shared yet.
        let this = unsafe { &*host };
        this.handles.replace(Some(handles));
        let mut hook = ptr::null_mut();
        // SAFETY: the hook runs once, before the environment is gone, with the pointer made above.
        let status = unsafe {
            sys::napi_add_async_cleanup_hook(env.0, Some(on_cleanup), host.cast(), &raw mut hook)
        };
        if status != sys::Status::napi_ok {
            this.close();
            return Err("the clean-up hook was refused".to_owned());
        }
        this.cleanup.set(hook);
        Ok(host)
    }

    /// Lets go of everything and closes the handles; the last close callback frees the host.
    fn close(&self) {
        self.pumping.set(true);
        if let Some(handles) = self.handles.borrow_mut().as_mut() {
            for handle in handles.all() {
                self.closing.set(self.closing.get() + 1);
                handle.close(on_closed);
            }
        }
        let closing = self.guests.close(on_closed);
        self.closing.set(self.closing.get() + closing);
        self.release();
    }

    /// Lets go of everything that belongs to JavaScript, while its references may still be deleted.
    fn release(&self) {
        self.engine.borrow_mut().shutdown();
        self.slab.replace(None);
        self.shared.replace(None);
    }

    /// Takes the receiver and the batch function; makes the shared memory (control, events, commands, arena),
    /// once.
    pub(crate) fn share(
        &self,
        receiver: sys::napi_value,
        on_batch: sys::napi_value,
    ) -> Result<[sys::napi_value; 4]> {
        if self.shared.borrow().is_some() {
            return Err(JsError("setup() expected once"));
        }
        let memories = SHARED_BYTES.map(SharedMemory::new);
        let mut buffers = [ptr::null_mut(); 4];
        for (buffer, memory) in buffers.iter_mut().zip(&memories) {
            *buffer = memory.array_buffer(self.env)?;
        }
        let [control, events, commands, arena] = memories;
        self.shared.replace(Some(Shared {
            control,
            events,
            commands,
            arena,
            on_batch: Reference::new(self.env, on_batch)?,
            receiver: Reference::new(self.env, receiver)?,
            context: AsyncContext::new(self.env, "fulmar")?,
        }));
        Ok(buffers)
    }

    /// Receives into this array from now on.
    pub(crate) fn set_slab(&self, value: sys::napi_value) -> Result<()> {
        self.slab.replace(Some(Reference::new(self.env, value)?));
        self.slab_cursor.set(0);
        Ok(())
    }

    /// Where the slab is now. Nowhere, if JavaScript has detached it: the engine then has no room, and asks
    /// for another.
    fn slab_memory(&self) -> Memory {
        let slab = self.slab.borrow();
        let value = slab.as_ref().and_then(|array| array.get().ok());
        value
            .and_then(|value| Memory::of(self.env, value).ok())
            .unwrap_or(Memory::EMPTY)
    }

    /// Works until there is nothing to do or others must have their turn.
    pub(crate) fn pump(&self) {
        if self.pumping.get() || self.shared.borrow().is_none() {
            return;
        }
        self.pumping.set(true);
        for _ in 0..ROUNDS_MAX {
            self.collect();
            let (count, slab_bytes) = self.turn();
            if count == 0 && slab_bytes == 0 {
                break;
            }
            self.deliver(count, slab_bytes);
            self.collect();
            if !self.engine.borrow().has_ready() {
                break;
            }
        }
        self.pumping.set(false);
        self.schedule();
    }

    /// Called in every phase of the loop: is there anything that readiness will not announce?
    fn pump_if_needed(&self) {
        let waiting = self
            .shared
            .borrow()
            .as_ref()
            .is_some_and(|shared| has_commands(shared.control.bytes()));
        let (engine_waits, nearer_timer) = {
            let engine = self.engine.borrow();
            let nearer = engine
                .next_timer_at()
                .is_some_and(|at| at < self.armed_at.get());
            (engine.is_dirty() || engine.has_ready(), nearer)
        };
        if waiting || engine_waits {
            with_scope(self.env, || self.pump());
        } else if nearer_timer {
            self.schedule();
        }
    }

    /// Lets the engine work; returns how many events were copied for JavaScript, and the bytes that another
    /// slab must have at least (0: the slab stays).
    fn turn(&self) -> (u32, u32) {
        let shared = self.shared.borrow();
        let Some(shared) = shared.as_ref() else {
            return (0, 0);
        };
        let slab = self.slab_memory();
        let (count, next) = fulmar_batch::turn(
            &mut self.engine.borrow_mut(),
            slab.bytes_mut(),
            self.slab_cursor.get(),
            shared.events.bytes(),
        );
        self.slab_cursor.set(next.cursor);
        (count, next.bytes)
    }

    /// Hands `count` events to JavaScript, in as many calls as it wants. A handler that throws is reported as
    /// uncaught; the rest of the batch goes on.
    fn deliver(&self, count: u32, slab_bytes: u32) {
        let begin = |shared: &Shared| Calls::begin(shared.control.bytes(), count);
        let (Some(mut calls), Ok(call)) =
            (self.with_shared(begin), self.batch_call(count, slab_bytes))
        else {
            return;
        };
        loop {
            let outcome = call.run(self.env);
            if let Err(error) = outcome
                && !self.reported.take()
                && let Some(error) = error
            {
                self.report_uncaught(error);
            }
            let returned = outcome.is_ok();
            let goes_on = self.with_shared(|shared| {
                let engine = &mut self.engine.borrow_mut();
                calls.next(engine, shared.memories(), returned)
            });
            if goes_on != Some(true) {
                return;
            }
        }
    }

    fn with_shared<T>(&self, work: impl FnOnce(&Shared) -> T) -> Option<T> {
        self.shared.borrow().as_ref().map(work)
    }

    /// What is the same for all calls of a batch; live in the current scope.
    fn batch_call(&self, count: u32, slab_bytes: u32) -> Result<BatchCall> {
        let shared = self.shared.borrow();
        let shared = shared.as_ref().ok_or(JsError("setup() expected first"))?;
        Ok(BatchCall {
            receiver: shared.receiver.get()?,
            function: shared.on_batch.get()?,
            context: shared.context.raw,
            args: [
                self.env.number(count.into())?,
                self.env.number(slab_bytes.into())?,
            ],
        })
    }

    /// Gives the engine the replies JavaScript has written, then sends.
    pub(crate) fn collect(&self) {
        let shared = self.shared.borrow();
        let Some(shared) = shared.as_ref() else {
            return;
        };
        fulmar_batch::collect(
            &mut self.engine.borrow_mut(),
            shared.control.bytes(),
            shared.commands.bytes(),
            shared.arena.bytes(),
        );
    }

    /// Gives the engine the replies JavaScript has written, and sends nothing.
    pub(crate) fn give(&self) {
        self.with_shared(|shared| {
            let [control, _, commands, arena] = shared.memories();
            fulmar_batch::give(&mut self.engine.borrow_mut(), control, commands, arena);
        });
    }

    /// Within a call of the batch function: the news of ends that somebody waits for stands at the cursor.
    pub(crate) fn tell_awaited(&self) {
        self.with_shared(|shared| {
            fulmar_batch::tell_awaited(&mut self.engine.borrow_mut(), shared.memories());
        });
    }

    fn report_uncaught(&self, error: sys::napi_value) {
        self.collect(); // The process may end by it; what is answered is answered.
        self.env.report_uncaught(error);
    }

    /// Within a call of the batch function, which throws the error afterwards: reports it, once.
    pub(crate) fn report_within_call(&self, error: sys::napi_value) {
        if !self.reported.replace(true) {
            self.report_uncaught(error);
        }
    }

    /// Arms the timer and the idle handle, and decides whether the loop is kept alive.
    pub(crate) fn schedule(&self) {
        let engine = self.engine.borrow();
        let mut handles = self.handles.borrow_mut();
        let Some(handles) = handles.as_mut() else {
            return;
        };
        if engine.has_ready() {
            handles.idle.start_idle(on_idle);
        } else {
            handles.idle.stop_idle();
        }
        if self.listeners_referenced.get() > 0 || engine.referenced_connections() > 0 {
            handles.poll.reference();
        } else {
            handles.poll.unref();
        }
        if let (Some(at), Some(timeout_ms)) = (engine.next_timer_at(), engine.next_timer_ms())
            && at < self.armed_at.get()
        {
            self.armed_at.set(at);
            handles.timer.start_timer(timeout_ms.max(1), on_timer);
        }
    }
}

impl Handles {
    /// Fails before there is any handle, or not at all.
    fn open(
        uv_loop: *mut sys::uv_loop_s,
        fd: c_int,
        data: *mut c_void,
    ) -> std::result::Result<Self, uv::UvError> {
        let mut poll = Handle::poll(uv_loop, fd, data, on_readable)?;
        poll.unref();
        Ok(Self {
            poll,
            timer: Handle::timer(uv_loop, data),
            prepare: Handle::prepare(uv_loop, data, on_phase),
            check: Handle::check(uv_loop, data, on_phase),
            idle: Handle::idle(uv_loop, data),
        })
    }

    fn all(&mut self) -> [&mut Handle; 5] {
        [
            &mut self.poll,
            &mut self.timer,
            &mut self.prepare,
            &mut self.check,
            &mut self.idle,
        ]
    }
}

/// Runs `body` with the host of a libuv callback; a panic must not cross into C.
fn guarded(handle: *mut uv::Raw, body: impl FnOnce(&Host)) {
    let host = uv::data_of(handle).cast::<Host>();
    // SAFETY: `data` was set to the host, which lives until every handle is closed.
    let host = unsafe { &*host };
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| body(host)));
    if outcome.is_err() {
        host.pumping.set(false);
    }
}

unsafe extern "C" fn on_readable(handle: *mut uv::Raw, _status: c_int, _events: c_int) {
    guarded(handle, |host| with_scope(host.env, || host.pump()));
}

unsafe extern "C" fn on_phase(handle: *mut uv::Raw) {
    guarded(handle, Host::pump_if_needed);
}

unsafe extern "C" fn on_idle(handle: *mut uv::Raw) {
    guarded(handle, |host| with_scope(host.env, || host.pump()));
}

unsafe extern "C" fn on_timer(handle: *mut uv::Raw) {
    guarded(handle, |host| {
        host.armed_at.set(u64::MAX);
        with_scope(host.env, || host.pump());
    });
}

/// The environment ends: close the handles; the last close callback frees the host.
unsafe extern "C" fn on_cleanup(_hook: sys::napi_async_cleanup_hook_handle, data: *mut c_void) {
    // SAFETY: `data` is the host given to napi_add_async_cleanup_hook; it is freed in `on_closed` only.
    let host = unsafe { &*data.cast::<Host>() };
    host.close();
}

unsafe extern "C" fn on_closed(handle: *mut uv::Raw) {
    let data = uv::data_of(handle).cast::<Host>();
    // SAFETY: the host lives until the last of these callbacks.
    let host = unsafe { &*data };
    host.closing.set(host.closing.get() - 1);
    if host.closing.get() > 0 {
        return;
    }
    let hook = host.cleanup.get();
    // SAFETY: all handles are closed, so this is the last use of the pointer made by Box::into_raw.
    drop(unsafe { Box::from_raw(data) });
    if hook.is_null() {
        return; // It was refused.
    }
    // SAFETY: the hook was given by napi_add_async_cleanup_hook and is removed once; it tells Node that
    // clean-up is complete.
    let _status = unsafe { sys::napi_remove_async_cleanup_hook(hook) };
}
