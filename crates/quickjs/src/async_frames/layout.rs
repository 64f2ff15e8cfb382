//! Where QuickJS keeps its jobs and its stack: private structs of the one version this crate is built with
//! (`Cargo.toml` names it exactly). The offsets follow from `quickjs.c`; [`Layout::find`] checks all of them
//! on promises, functions and jobs it has made, and gives none when anything is not where it should be.

use std::cell::RefCell;
use std::ffi::c_void;
use std::rc::Rc;

use rquickjs::{Ctx, Function, Result, Value, qjs};

/// `JSRuntime`: where its promise hook lies at least and at most, in bytes.
const HOOK_OFFSETS: std::ops::Range<usize> = 1024..1440;
/// From the promise hook back to the current stack frame: the interrupt handler, its opaque and the frame.
const STACK_BEFORE_HOOK: usize = 3 * 8;
/// From the promise hook to the list of jobs: its opaque, the parent promise, the rejection tracker and its
/// opaque.
const JOBS_AFTER_HOOK: usize = 5 * 8;
/// `JSJobEntry`
const JOB_FUNCTION: usize = 24;
const JOB_ARGUMENTS: usize = 40;
/// `promise_reaction_job`'s arguments: the derived promise's functions, then the handler.
const ARGUMENT_HANDLER: usize = JOB_ARGUMENTS + 2 * 16;
/// `JSStackFrame`
const FRAME_FUNCTION: usize = 8;
/// `JSAsyncFunctionData`: its promise's functions, its stack frame.
const ASYNC_RESOLVE: usize = 16;
const ASYNC_FRAME: usize = 80;
/// `JSAsyncGeneratorData`: its object comes first, its stack frame.
const GENERATOR_FRAME: usize = 40;
/// `JSCFunctionDataRecord`
const FUNCTION_DATA: usize = 16;

/// What makes the probes: an async function and an async generator that wait.
const PROBE: &str = "(probe) => {
  const f = async () => { probe(); await 0; };
  const g = async function* () { probe(); await 0; };
  const p = f(), i = g();
  i.next();
  return [f, g, p, i];
}";

pub(super) struct Layout {
    runtime: *const u8,
    hook: usize,
    /// `promise_reaction_job`
    reaction: *const c_void,
    /// Class numbers; the one for rejecting follows the one for resolving.
    promise_resolve: qjs::JSClassID,
    async_resolve: qjs::JSClassID,
    function_data: qjs::JSClassID,
    async_function: qjs::JSClassID,
    generator_function: qjs::JSClassID,
    generator: qjs::JSClassID,
}

impl Layout {
    pub(super) fn find(
        ctx: &Ctx<'_>,
        runtime: *mut qjs::JSRuntime,
        hook_function: *const c_void,
        hook_opaque: *const c_void,
    ) -> Result<Option<Self>> {
        let runtime = runtime.cast::<u8>().cast_const();
        let hook = HOOK_OFFSETS.step_by(8).find(|offset| {
            read::<*const c_void>(runtime, *offset) == hook_function
                && read::<*const c_void>(runtime, *offset + 8) == hook_opaque
        });
        let Some(hook) = hook else {
            return Ok(None);
        };
        let layout = Self {
            runtime,
            hook,
            reaction: std::ptr::null(),
            promise_resolve: 0,
            async_resolve: 0,
            function_data: 0,
            async_function: 0,
            generator_function: 0,
            generator: 0,
        };
        layout.probed(ctx)
    }

    /// Learns the rest from probes, and checks it.
    fn probed(mut self, ctx: &Ctx<'_>) -> Result<Option<Self>> {
        let frames = Rc::new(RefCell::new(Vec::new()));
        let (seen, runtime, hook) = (Rc::clone(&frames), self.runtime, self.hook);
        let probe = Function::new(ctx.clone(), move || {
            let mut frame = read::<*const u8>(runtime, hook - STACK_BEFORE_HOOK);
            // The probe's own frame, if it has one, then the caller's.
            for _ in 0..2 {
                if !frame.is_null() {
                    seen.borrow_mut().push(frame);
                    frame = previous(frame);
                }
            }
        })?;
        let prepare: Function<'_> = ctx.eval(PROBE)?;
        let made: Vec<Value<'_>> = prepare.call((probe,))?;
        let [function, generator_function, promise, generator] = made.as_slice() else {
            return Ok(None);
        };
        self.async_function = class_of(function.as_raw());
        self.generator_function = class_of(generator_function.as_raw());
        self.generator = class_of(generator.as_raw());
        Ok(self
            .learn_jobs(promise.as_raw(), generator.as_raw())
            .filter(|layout| {
                let frames = frames.borrow();
                let has = |owner: &Value<'_>| {
                    frames.iter().any(|frame| {
                        layout
                            .owner_of_frame(*frame)
                            .is_some_and(|found| is_object(found, owner.as_raw()))
                    })
                };
                has(promise) && has(generator)
            }))
    }

    /// The last two jobs are the probes'.
    fn learn_jobs(mut self, promise: qjs::JSValue, generator: qjs::JSValue) -> Option<Self> {
        let list = self.job_list();
        let second: *const u8 = read(list, 0);
        let first: *const u8 = read(second, 0);
        if second == list || first == list || read::<*const u8>(first, 8) != second {
            return None;
        }
        self.reaction = read(first, JOB_FUNCTION);
        if read::<*const c_void>(second, JOB_FUNCTION) != self.reaction {
            return None;
        }
        let (class, data) = opaque(read(first, ARGUMENT_HANDLER));
        self.async_resolve = class;
        self.function_data = opaque(read(second, ARGUMENT_HANDLER)).0;
        self.promise_resolve = class_of(read(data, ASYNC_RESOLVE));
        let (one, two) = (self.owner_of_job(first), self.owner_of_job(second));
        let found = one.is_some_and(|owner| is_object(owner, promise))
            && two.is_some_and(|owner| is_object(owner, generator));
        found.then_some(self)
    }

    fn job_list(&self) -> *const u8 {
        self.runtime.wrapping_add(self.hook + JOBS_AFTER_HOOK)
    }

    pub(super) fn stack_frame(&self) -> *const u8 {
        read(self.runtime, self.hook - STACK_BEFORE_HOOK)
    }

    /// For a reaction to a promise: what its frame is kept with, and whether an async function or generator
    /// goes on in it. None for other jobs.
    pub(super) fn owner_of_next_job(&self) -> Option<(Option<qjs::JSValue>, bool)> {
        let list = self.job_list();
        let entry: *const u8 = read(list, 8);
        if entry == list || read::<*const c_void>(entry, JOB_FUNCTION) != self.reaction {
            return None;
        }
        let derived: qjs::JSValue = read(entry, JOB_ARGUMENTS);
        Some((self.owner_of_job(entry), !has_object(derived)))
    }

    fn owner_of_job(&self, entry: *const u8) -> Option<qjs::JSValue> {
        let derived: qjs::JSValue = read(entry, JOB_ARGUMENTS);
        if has_object(derived) {
            return self.promise_of(derived);
        }
        let (class, data) = opaque(read(entry, ARGUMENT_HANDLER));
        if class == self.async_resolve || class == self.async_resolve + 1 {
            return self.promise_of(read(data, ASYNC_RESOLVE));
        }
        if class != self.function_data || read::<u8>(data, 9) == 0 {
            return None;
        }
        let owner: qjs::JSValue = read(data, FUNCTION_DATA);
        (class_of(owner) == self.generator).then_some(owner)
    }

    /// The promise that one of its two functions settles.
    fn promise_of(&self, function: qjs::JSValue) -> Option<qjs::JSValue> {
        let (class, data) = opaque(function);
        (class == self.promise_resolve || class == self.promise_resolve + 1)
            .then(|| read::<qjs::JSValue>(data, 0))
            .filter(|promise| has_object(*promise))
    }

    /// The promise of the async function, or the async generator, that this stack frame belongs to.
    pub(super) fn owner_of_frame(&self, frame: *const u8) -> Option<qjs::JSValue> {
        let class = class_of(read(frame, FRAME_FUNCTION));
        if class == self.async_function {
            return self.promise_of(read(frame.wrapping_sub(ASYNC_FRAME), ASYNC_RESOLVE));
        }
        if class == self.generator_function {
            let object: *mut c_void = read(frame.wrapping_sub(GENERATOR_FRAME), 0);
            let owner = qjs::JSValue {
                u: qjs::JSValueUnion { ptr: object },
                tag: i64::from(qjs::JS_TAG_OBJECT),
            };
            return (class_of(owner) == self.generator).then_some(owner);
        }
        None
    }
}

/// The caller's stack frame.
pub(super) fn previous(frame: *const u8) -> *const u8 {
    read(frame, 0)
}

/// A field of one of QuickJS's structs.
fn read<T: Copy>(base: *const u8, offset: usize) -> T {
    let field = base.wrapping_add(offset).cast::<T>();
    // SAFETY: the bases are the runtime, its jobs, stack frames and the data of objects whose class was
    // looked at, all alive while this thread holds the runtime; the offsets lie within those structs, as
    // `Layout::find` has checked.
    unsafe { field.read() }
}

fn has_object(value: qjs::JSValue) -> bool {
    value.tag == i64::from(qjs::JS_TAG_OBJECT)
}

fn class_of(value: qjs::JSValue) -> qjs::JSClassID {
    // SAFETY: a live value of any kind.
    unsafe { qjs::JS_GetClassID(value) }
}

/// An object's class and what its class keeps with it.
fn opaque(value: qjs::JSValue) -> (qjs::JSClassID, *const u8) {
    let mut class = 0;
    // SAFETY: a live value of any kind; `class` is writable.
    let data = unsafe { qjs::JS_GetAnyOpaque(value, &raw mut class) };
    (class, data.cast::<u8>().cast_const())
}

fn is_object(a: qjs::JSValue, b: qjs::JSValue) -> bool {
    if !has_object(a) || !has_object(b) {
        return false;
    }
    // SAFETY: an object has a pointer.
    let a = unsafe { qjs::JS_VALUE_GET_PTR(a) };
    // SAFETY: as above.
    let b = unsafe { qjs::JS_VALUE_GET_PTR(b) };
    a == b
}
