//! The event loop's rules: how JavaScript is entered, what runs after it, and what keeps the process alive.
//!
//! Everything that calls into JavaScript goes through [`EventLoop::enter`]: the call, `process.nextTick`,
//! microtasks, unhandled rejections, in Node's order; an exception is reported as uncaught. Replies written
//! meanwhile are sent when the call is over.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use fulmar_quickjs_node::{Loop, error_value};
use rquickjs::{AsyncContext, AsyncRuntime, Ctx, Function, Object, Persistent, Result, Value, qjs};

use crate::async_frames::{AsyncFrames, Frame};
use crate::cycles::Cycles;
use crate::host::Host;
use crate::limits::Limits;

thread_local! {
    static EXITING: Cell<bool> = const { Cell::new(false) };
}

/// True once the process is about to end: no JavaScript is called any more.
pub(crate) fn is_exiting() -> bool {
    EXITING.get()
}

/// JavaScript's side of the loop, given by the boot module.
struct Hooks {
    /// Runs `nextTick` callbacks, microtasks and reports rejections until nothing is left.
    process_ticks: Persistent<Function<'static>>,
    /// `(error)`: reports an uncaught exception; may end the process.
    uncaught: Persistent<Function<'static>>,
    /// Nothing keeps the process alive: emits `beforeExit`, and `exit` when that added nothing.
    empty: Persistent<Function<'static>>,
    /// Runs the immediates that are there.
    immediates: Persistent<Function<'static>>,
    /// `(promise, reason, handled)`: a promise was rejected that nobody handles, or is handled after all.
    rejection: Persistent<Function<'static>>,
    /// Code was ended in the middle, without its `finally` blocks.
    interrupted: Persistent<Function<'static>>,
}

pub(crate) struct EventLoop {
    pub(crate) host: Rc<Host>,
    pub(crate) frames: Rc<AsyncFrames>,
    hooks: RefCell<Option<Hooks>>,
    /// Ticks or rejections wait.
    pending: Cell<bool>,
    /// Immediates wait.
    immediates: Cell<bool>,
    /// Timers, handles and operations that keep the process alive.
    references: Cell<usize>,
    depth: Cell<u32>,
    limits: Rc<Limits>,
    cycles: Cycles,
    /// The last code that was reported was ended by the limit of time.
    interrupted: Cell<bool>,
    /// The error of code that was ended, which QuickJS made the reason of a promise: a job that calls `then`
    /// of a promise asks of no error whether it may be caught.
    swallowed: RefCell<Option<Persistent<Value<'static>>>>,
}

impl EventLoop {
    pub(crate) fn new(host: Rc<Host>, limits: Rc<Limits>) -> Rc<Self> {
        Rc::new(Self {
            host,
            frames: AsyncFrames::new(),
            hooks: RefCell::new(None),
            pending: Cell::new(false),
            immediates: Cell::new(false),
            references: Cell::new(0),
            depth: Cell::new(0),
            limits,
            cycles: Cycles::new(),
            interrupted: Cell::new(false),
            swallowed: RefCell::new(None),
        })
    }

    /// Takes `{ processTicks, uncaught, empty, immediates, rejection, interrupted }`.
    pub(crate) fn set_hooks<'js>(&self, ctx: &Ctx<'js>, hooks: &Object<'js>) -> Result<()> {
        let function = |name: &str| {
            hooks
                .get::<_, Function<'js>>(name)
                .map(|f| Persistent::save(ctx, f))
        };
        self.hooks.replace(Some(Hooks {
            process_ticks: function("processTicks")?,
            uncaught: function("uncaught")?,
            empty: function("empty")?,
            immediates: function("immediates")?,
            rejection: function("rejection")?,
            interrupted: function("interrupted")?,
        }));
        Ok(())
    }

    /// Something waits for `processTicks`.
    pub(crate) fn set_pending(&self) {
        self.pending.set(true);
    }

    /// Whether immediates wait.
    pub(crate) fn set_immediates(&self, waiting: bool) {
        self.immediates.set(waiting);
    }

    /// Tells JavaScript of a rejection that nobody handles, or that is handled after all.
    pub(crate) fn rejection<'js>(
        &self,
        ctx: &Ctx<'js>,
        promise: Value<'js>,
        reason: Value<'js>,
        handled: bool,
    ) {
        // SAFETY: the value is alive for the call, which only reads it.
        if !handled && unsafe { qjs::JS_IsUncatchableError(reason.as_raw()) } {
            *self.swallowed.borrow_mut() = Some(Persistent::save(ctx, reason));
            return;
        }
        if let Some(hook) = self.hook(ctx, |hooks| &hooks.rejection) {
            // It only notes it; `processTicks` decides. Lost for want of memory, the process would end as if
            // all were well.
            let note = || hook.call::<_, ()>((promise, reason, handled));
            let _result = crate::limits::with_reserve(note);
            self.pending.set(true);
        }
    }

    /// True while something keeps the process alive.
    pub(crate) fn is_alive(&self) -> bool {
        self.references.get() > 0 || self.host.is_referenced()
    }

    /// Runs ticks and microtasks until there are none.
    pub(crate) fn settle(&self, ctx: &Ctx<'_>) {
        if self.depth.get() > 0 {
            return;
        }
        self.depth.set(1);
        self.work_off(ctx);
        self.depth.set(0);
        self.cycles.pace(ctx);
    }

    /// As [`Self::settle`], within a call: for code that stands for several callers, one behind the other.
    /// What comes next has its own limit of time.
    pub(crate) fn settle_within(&self, ctx: &Ctx<'_>) {
        self.work_off(ctx);
        self.limits.begin();
    }

    /// What is called next has its own limit of time: another timer, or what one has left behind.
    pub(crate) fn begin_time(&self) {
        self.limits.begin();
    }

    /// All together has one limit of time, for a chain of promises may have no end.
    fn work_off(&self, ctx: &Ctx<'_>) {
        self.limits.begin();
        loop {
            if !self.pending.get() {
                self.run_microtasks(ctx);
            }
            if !self.pending.replace(false) || is_exiting() {
                break;
            }
            let hook = self.hook(ctx, |hooks| &hooks.process_ticks);
            let frame = self.frames.hold(ctx);
            if let Some(Err(error)) = hook.map(|f| f.call::<_, ()>(())) {
                self.report(ctx, error);
                self.pending.set(true); // What is left of the queue goes on.
            }
            self.frames.restore(ctx, frame);
        }
    }

    /// Runs all microtasks.
    pub(crate) fn run_microtasks(&self, ctx: &Ctx<'_>) {
        loop {
            let job = self.frames.begin_job(ctx);
            let mut context = std::ptr::null_mut();
            // SAFETY: the context is alive, hence its runtime; `context` is writable.
            let runtime = unsafe { qjs::JS_GetRuntime(ctx.as_raw().as_ptr()) };
            // SAFETY: as above; this thread holds the runtime's lock, as it has a `Ctx`.
            let status = unsafe { qjs::JS_ExecutePendingJob(runtime, &raw mut context) };
            if status < 0 {
                self.report(ctx, rquickjs::Error::Exception);
            }
            self.report_swallowed(ctx);
            if let Some(job) = job {
                self.frames.end_job(ctx, &job);
            }
            if status == 0 || is_exiting() {
                return;
            }
        }
    }

    /// The code of one event was ended: the others go on.
    fn report_interrupted<'js>(&self, ctx: &Ctx<'js>, value: &Value<'js>, limit: u128) {
        eprintln!(
            "fulmar: a handler ran longer than {limit} ms and was ended (FULMAR_NATIVE_SCRIPT_LIMIT_MS)"
        );
        crate::script::print_error(ctx, value);
        self.interrupted.set(true);
        self.frames.reset(ctx);
        self.pending.set(true);
        if let Some(Err(_)) = self
            .hook(ctx, |hooks| &hooks.interrupted)
            .map(|hook| hook.call::<_, ()>(()))
        {
            crate::script::print_error(ctx, &ctx.catch());
        }
    }

    fn report_swallowed(&self, ctx: &Ctx<'_>) {
        let Some(reason) = self.swallowed.take() else {
            return;
        };
        if let (Some(limit), Ok(value)) = (self.limits.take_interrupted(), reason.restore(ctx)) {
            self.report_interrupted(ctx, &value, limit);
            // Its promise is rejected, and that goes on: it is another's time.
            self.limits.begin();
        }
    }

    fn hook<'js>(
        &self,
        ctx: &Ctx<'js>,
        which: impl Fn(&Hooks) -> &Persistent<Function<'static>>,
    ) -> Option<Function<'js>> {
        let hooks = self.hooks.borrow();
        hooks
            .as_ref()
            .and_then(|hooks| which(hooks).clone().restore(ctx).ok())
    }

    /// Sends what is answered and ends the process.
    pub(crate) fn exit(&self, code: i32) -> ! {
        EXITING.set(true);
        self.host.collect();
        std::process::exit(code);
    }

    /// Runs until nothing keeps the process alive.
    pub(crate) async fn run(&self, runtime: &AsyncRuntime, context: &AsyncContext) {
        let mut drive = pin!(runtime.drive());
        std::future::poll_fn(|cx| {
            loop {
                // The runtime outlives this function, so driving never completes.
                let _ = drive.as_mut().poll(cx);
                if self.pending.get() {
                    with_context(context, cx, |ctx| self.settle(ctx));
                    continue;
                }
                self.host.after_turn();
                let alive = self.is_alive();
                if alive && self.immediates.replace(false) {
                    with_context(context, cx, |ctx| {
                        if let Some(hook) = self.hook(ctx, |hooks| &hooks.immediates) {
                            self.enter(ctx, || hook.call::<_, ()>(()));
                        }
                    });
                    self.host.after_turn();
                    // Other sources have their turn before the next immediates.
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
                if alive {
                    return Poll::Pending;
                }
                with_context(context, cx, |ctx| {
                    if let Some(hook) = self.hook(ctx, |hooks| &hooks.empty) {
                        self.enter(ctx, || hook.call::<_, ()>(()));
                    }
                });
                if !self.pending.get() && !self.is_alive() {
                    return Poll::Ready(());
                }
            }
        })
        .await;
    }
}

impl Loop for EventLoop {
    type Frame = Frame;

    fn retain(&self) {
        self.references.set(self.references.get() + 1);
    }

    fn release(&self) {
        self.references.set(self.references.get().saturating_sub(1));
    }

    fn hold(&self, ctx: &Ctx<'_>) -> Frame {
        self.frames.hold(ctx)
    }

    fn enter<'js, T>(&self, ctx: &Ctx<'js>, call: impl FnOnce() -> Result<T>) -> bool {
        if is_exiting() {
            return false;
        }
        self.depth.set(self.depth.get() + 1);
        if self.depth.get() == 1 {
            self.limits.begin();
        }
        self.interrupted.set(false);
        let frame = self.frames.hold(ctx);
        let outcome = call();
        let normal = outcome.is_ok();
        if let Err(error) = outcome {
            self.report(ctx, error);
        }
        self.frames.restore(ctx, frame);
        self.depth.set(self.depth.get() - 1);
        self.settle(ctx);
        normal
    }

    fn enter_in<'js, T>(
        &self,
        ctx: &Ctx<'js>,
        frame: Frame,
        call: impl FnOnce() -> Result<T>,
    ) -> bool {
        self.enter(ctx, || {
            self.frames.restore(ctx, frame);
            call()
        })
    }

    fn was_interrupted(&self) -> bool {
        self.interrupted.get()
    }

    fn report(&self, ctx: &Ctx<'_>, error: rquickjs::Error) {
        let value = match error {
            rquickjs::Error::Exception => ctx.catch(),
            other => error_value(ctx, &other.to_string()),
        };
        if is_exiting() {
            return;
        }
        let interrupted = self.limits.take_interrupted();
        let Some(hook) = self.hook(ctx, |hooks| &hooks.uncaught) else {
            crate::script::print_error(ctx, &value);
            std::process::exit(1);
        };
        if let Some(limit) = interrupted {
            self.report_interrupted(ctx, &value, limit);
            return;
        }
        let call = || hook.call::<_, Value<'_>>((value,)).is_err();
        if crate::limits::with_reserve(call) {
            crate::script::print_error(ctx, &ctx.catch());
            self.exit(7);
        }
    }
}

/// Runs `work` in the context. Between two polls of the driver nobody holds the lock, so one poll is enough.
fn with_context(context: &AsyncContext, cx: &mut Context<'_>, work: impl FnOnce(&Ctx<'_>)) {
    let future = pin!(context.with(|ctx| work(&ctx)));
    let _ = future.poll(cx);
}
