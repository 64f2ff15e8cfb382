//! The asynchronous context: which frame (the values of `AsyncLocalStorage`) the running code belongs to.
//!
//! A promise keeps the frame in which it was made, in a property only this file knows. A job runs in the
//! frame of the promise it settles: for `then` that is the promise `then` returned, for `await` the promise
//! of the async function, hence what Node does too. QuickJS has no hook for that, so the job is looked at
//! before it runs (`layout.rs`). Until somebody uses `AsyncLocalStorage` nothing of this happens.

mod layout;

use std::cell::{Cell, OnceCell};
use std::ffi::c_void;
use std::rc::Rc;

use rquickjs::{Ctx, Exception, Result, Value, qjs};

use layout::Layout;

/// More frames than QuickJS's stack can hold: the walk ends even if the chain were broken.
const STACK_FRAMES_MAX: usize = 100_000;

/// One per process.
pub(crate) struct AsyncFrames {
    /// Owned; undefined outside of any frame.
    current: Cell<qjs::JSValue>,
    tracker: OnceCell<Tracker>,
}

struct Tracker {
    layout: Layout,
    /// The property of promises.
    key: qjs::JSAtom,
}

/// A frame that is kept for later. Owned; given back by [`AsyncFrames::restore`].
pub(crate) struct Frame(qjs::JSValue);

/// A job that is about to run.
pub(crate) struct Job {
    before: qjs::JSValue,
    frame: qjs::JSValue,
    /// The promise or generator that goes on in this job; owned.
    resumed: Option<qjs::JSValue>,
}

impl AsyncFrames {
    pub(crate) fn new() -> Rc<Self> {
        Rc::new(Self {
            current: Cell::new(qjs::JS_UNDEFINED),
            tracker: OnceCell::new(),
        })
    }

    pub(crate) fn current<'js>(&self, ctx: &Ctx<'js>) -> Value<'js> {
        let raw = dup(ctx.as_raw().as_ptr(), self.current.get());
        // SAFETY: the reference just made is given away.
        unsafe { Value::from_raw(ctx.clone(), raw) }
    }

    pub(crate) fn set<'js>(&self, ctx: &Ctx<'js>, frame: &Value<'js>) {
        let raw = ctx.as_raw().as_ptr();
        self.replace(raw, dup(raw, frame.as_raw()));
    }

    /// Keeps the current frame: for what goes on later, or for when what is called has left another one.
    pub(crate) fn hold(&self, ctx: &Ctx<'_>) -> Frame {
        Frame(dup(ctx.as_raw().as_ptr(), self.current.get()))
    }

    /// The frame that was kept is the current one.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "the reference in it is given up"
    )]
    pub(crate) fn restore(&self, ctx: &Ctx<'_>, frame: Frame) {
        self.replace(ctx.as_raw().as_ptr(), frame.0);
    }

    /// Outside of any frame.
    pub(crate) fn reset(&self, ctx: &Ctx<'_>) {
        self.replace(ctx.as_raw().as_ptr(), qjs::JS_UNDEFINED);
    }

    /// Sets the frame also for what is running: async functions keep it when they wait, as after `enterWith`.
    pub(crate) fn enter<'js>(&self, ctx: &Ctx<'js>, frame: &Value<'js>) {
        self.set(ctx, frame);
        let Some(tracker) = self.tracker.get() else {
            return;
        };
        let raw = ctx.as_raw().as_ptr();
        let mut stack_frame = tracker.layout.stack_frame();
        for _ in 0..STACK_FRAMES_MAX {
            if stack_frame.is_null() {
                return;
            }
            if let Some(owner) = tracker.layout.owner_of_frame(stack_frame) {
                tracker.stamp(raw, owner, self.current.get());
            }
            stack_frame = layout::previous(stack_frame);
        }
    }

    /// Keeps the current frame with an object: an async generator that is asked for its next value.
    pub(crate) fn stamp<'js>(&self, ctx: &Ctx<'js>, owner: &Value<'js>) {
        if let Some(tracker) = self.tracker.get()
            && owner.is_object()
        {
            tracker.stamp(ctx.as_raw().as_ptr(), owner.as_raw(), self.current.get());
        }
    }

    /// From now on promises keep their frames.
    pub(crate) fn track(self: &Rc<Self>, ctx: &Ctx<'_>) -> Result<()> {
        if self.tracker.get().is_some() {
            return Ok(());
        }
        let raw = ctx.as_raw().as_ptr();
        // SAFETY: the context is alive, hence its runtime.
        let runtime = unsafe { qjs::JS_GetRuntime(raw) };
        // The process keeps it until it ends.
        let opaque = Rc::into_raw(Rc::clone(self)).cast_mut().cast::<c_void>();
        // SAFETY: the hook and what it gets live as long as the process.
        unsafe { qjs::JS_SetPromiseHook(runtime, Some(on_promise), opaque) };
        let Some(layout) = Layout::find(ctx, runtime, on_promise as *const c_void, opaque)? else {
            // SAFETY: no hook is a valid hook.
            unsafe { qjs::JS_SetPromiseHook(runtime, None, std::ptr::null_mut()) };
            return Err(Exception::throw_message(
                ctx,
                "AsyncLocalStorage is not available: the engine was built with another version of QuickJS than expected",
            ));
        };
        let key = new_key(raw);
        let _never_set = self.tracker.set(Tracker { layout, key });
        Ok(())
    }

    /// Called before a job of QuickJS runs, with none when nothing is tracked.
    pub(crate) fn begin_job(&self, ctx: &Ctx<'_>) -> Option<Job> {
        let tracker = self.tracker.get()?;
        let raw = ctx.as_raw().as_ptr();
        let (owner, resumes) = tracker.layout.owner_of_next_job()?;
        let frame = owner.map_or(qjs::JS_UNDEFINED, |owner| tracker.frame_of(raw, owner));
        Some(Job {
            before: self.current.replace(frame),
            frame,
            resumed: owner.filter(|_| resumes).map(|owner| dup(raw, owner)),
        })
    }

    pub(crate) fn end_job(&self, ctx: &Ctx<'_>, job: &Job) {
        let raw = ctx.as_raw().as_ptr();
        if let Some(owner) = job.resumed {
            // `enterWith` within an async function holds until its end.
            if let Some(tracker) = self.tracker.get()
                && !is_same(self.current.get(), job.frame)
            {
                tracker.stamp(raw, owner, self.current.get());
            }
            free(raw, owner);
        }
        self.replace(raw, job.before);
    }

    /// Takes over the reference.
    fn replace(&self, ctx: *mut qjs::JSContext, frame: qjs::JSValue) {
        free(ctx, self.current.replace(frame));
    }
}

impl Tracker {
    fn stamp(&self, ctx: *mut qjs::JSContext, owner: qjs::JSValue, frame: qjs::JSValue) {
        let flags = (qjs::JS_PROP_CONFIGURABLE | qjs::JS_PROP_WRITABLE).cast_signed();
        // SAFETY: both values are alive; the callee takes over the new reference to `frame`.
        let status =
            unsafe { qjs::JS_DefinePropertyValue(ctx, owner, self.key, dup(ctx, frame), flags) };
        if status < 0 {
            // Out of memory: the promise runs outside of the frame.
            // SAFETY: the context is alive.
            let exception = unsafe { qjs::JS_GetException(ctx) };
            free(ctx, exception);
        }
    }

    /// Owned.
    fn frame_of(&self, ctx: *mut qjs::JSContext, owner: qjs::JSValue) -> qjs::JSValue {
        // SAFETY: the owner is alive; a plain property that is there or not.
        unsafe { qjs::JS_GetProperty(ctx, owner, self.key) }
    }
}

/// Called by QuickJS for each promise that is made, and around the jobs that call a thenable's `then`.
unsafe extern "C" fn on_promise(
    ctx: *mut qjs::JSContext,
    kind: qjs::JSPromiseHookType,
    promise: qjs::JSValue,
    _parent: qjs::JSValue,
    opaque: *mut c_void,
) {
    // SAFETY: `track` gave this pointer, which the process keeps.
    let frames = unsafe { &*opaque.cast::<AsyncFrames>() };
    let Some(tracker) = frames.tracker.get() else {
        return;
    };
    let has_frame = !is_same(frames.current.get(), qjs::JS_UNDEFINED);
    match kind {
        qjs::JSPromiseHookType_JS_PROMISE_HOOK_INIT if has_frame => {
            tracker.stamp(ctx, promise, frames.current.get());
        }
        qjs::JSPromiseHookType_JS_PROMISE_HOOK_BEFORE => {
            frames.replace(ctx, tracker.frame_of(ctx, promise));
        }
        _ => {}
    }
}

fn new_key(ctx: *mut qjs::JSContext) -> qjs::JSAtom {
    // SAFETY: the context is alive; the description is a C string.
    let symbol = unsafe { qjs::JS_NewSymbol(ctx, c"fulmar.frame".as_ptr(), false) };
    // SAFETY: a live value; the atom stays for the life of the process.
    let key = unsafe { qjs::JS_ValueToAtom(ctx, symbol) };
    free(ctx, symbol);
    key
}

fn dup(ctx: *mut qjs::JSContext, value: qjs::JSValue) -> qjs::JSValue {
    // SAFETY: the value is alive.
    unsafe { qjs::JS_DupValue(ctx, value) }
}

fn free(ctx: *mut qjs::JSContext, value: qjs::JSValue) {
    // SAFETY: the caller gives up its reference.
    unsafe { qjs::JS_FreeValue(ctx, value) }
}

/// The same object, or the same kind of nothing.
fn is_same(a: qjs::JSValue, b: qjs::JSValue) -> bool {
    // SAFETY: looks at the word, whatever it means.
    let first = unsafe { qjs::JS_VALUE_GET_PTR(a) };
    // SAFETY: as above.
    let second = unsafe { qjs::JS_VALUE_GET_PTR(b) };
    a.tag == b.tag && (a.tag != i64::from(qjs::JS_TAG_OBJECT) || first == second)
}
