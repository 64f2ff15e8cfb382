//! Ruby while its lock is held.
//!
//! Two rules keep this sound, since nothing of Ruby's knows of Rust:
//!
//! - **Raising jumps** (`longjmp`) to the innermost `Ruby::protect` over every frame between. So whatever may
//!   raise is called within one, and between it and the call no frame has anything to drop: messages, writers
//!   and counted references belong to frames outside. Texts of failures are made last, and returned at once.
//! - **Values live on the machine stack**, where Ruby's collector looks, or in objects of Ruby's: never in a
//!   `Vec`, a box or a map. What is only used through an address of its memory is kept alive by `keep`.
//!
//! Ruby may move objects only where nothing on a stack names them, so that values in these frames stay valid.

use std::ffi::{c_char, c_int, c_long, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use fulmar_guest::wire::Malformed;

use crate::ffi::{Api, Id, LITTLE_ENDIAN, NEGATIVE, TAG_RAISE, Value};

/// Arguments that a call takes from the machine stack; `support.rb` makes calls with more.
pub(crate) const ARGUMENTS_MAX: usize = 16;

const BUG: &str = "Fulmar failed unexpectedly; this is a bug in it";

/// Ruby's functions and the values that are its own, which differ between versions.
pub(crate) struct Vm {
    pub(crate) api: Api,
    pub(crate) nil: Value,
    pub(crate) yes: Value,
    pub(crate) no: Value,
    pub(crate) utf8: c_int,
    pub(crate) ascii: c_int,
    pub(crate) binary: c_int,
    pub(crate) byte_size: Id,
    pub(crate) length: Id,
}

/// The lock is held on this thread.
#[derive(Clone, Copy)]
pub(crate) struct Ruby {
    vm: &'static Vm,
    /// Not for another thread.
    _held: std::marker::PhantomData<*const ()>,
}

/// Why something did not come about.
pub(crate) enum Failure {
    /// An exception of Ruby's.
    Raised(Value),
    /// Something else that ends a call early: `throw`, the end of a thread. It is on its way still.
    Jump(c_int),
    /// In our own words: of a value that cannot be given to the other side.
    Value(String),
    /// What was asked for is not there.
    Gone(String),
}

impl From<Malformed> for Failure {
    fn from(problem: Malformed) -> Self {
        Self::Value(problem.0)
    }
}

pub(crate) type Outcome<T> = Result<T, Failure>;

/// Ruby's collector sees this value until here.
pub(crate) fn keep(value: Value) {
    std::hint::black_box(value);
}

fn long(length: usize) -> c_long {
    // Nothing that is in memory is longer.
    c_long::try_from(length).unwrap_or(c_long::MAX)
}

impl Ruby {
    /// The lock is held: on a thread of Ruby's that is not within `without_lock`.
    ///
    /// # Safety
    /// It is, for as long as this is used.
    pub(crate) unsafe fn assumed(vm: &'static Vm) -> Self {
        Self {
            vm,
            _held: std::marker::PhantomData,
        }
    }

    pub(crate) fn vm(self) -> &'static Vm {
        self.vm
    }

    pub(crate) fn api(self) -> &'static Api {
        &self.vm.api
    }

    // Raising

    /// Runs `body`, where Ruby may raise. It has nothing to drop but what it returns (see the head).
    pub(crate) fn protect<T>(self, body: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
        struct Frame<F, T> {
            body: Option<F>,
            outcome: Option<std::thread::Result<Outcome<T>>>,
        }
        unsafe extern "C" fn run<F: FnOnce() -> Outcome<T>, T>(frame: Value) -> Value {
            // SAFETY: the frame below, which waits for this function.
            let frame = unsafe { &mut *(frame.0 as *mut Frame<F, T>) };
            if let Some(body) = frame.body.take() {
                frame.outcome = Some(catch_unwind(AssertUnwindSafe(body)));
            }
            Value(0)
        }
        fn entry<F: FnOnce() -> Outcome<T>, T>(_: &Frame<F, T>) -> crate::ffi::Body {
            run::<F, T>
        }
        let mut frame = Frame {
            body: Some(body),
            outcome: None,
        };
        let run = entry(&frame);
        let mut state = 0;
        // SAFETY: the function above with its frame, which outlives the call.
        unsafe {
            (self.api().rb_protect)(run, Value(&raw mut frame as usize), &raw mut state);
        }
        match (state, frame.outcome) {
            (0, Some(Ok(outcome))) => outcome,
            (0, _) => Err(Failure::Value(BUG.to_owned())),
            (TAG_RAISE, _) => {
                // SAFETY: the lock is held; a live exception.
                let error = unsafe { (self.api().rb_errinfo)() };
                self.forget_jump();
                Err(Failure::Raised(error))
            }
            (state, _) => Err(Failure::Jump(state)),
        }
    }

    /// What was on its way is no longer.
    pub(crate) fn forget_jump(self) {
        // SAFETY: the lock is held; nothing is a value that this takes.
        unsafe { (self.api().rb_set_errinfo)(self.vm.nil) };
    }

    /// Runs `work` without the lock, which others may have meanwhile. `wake` may be called on any thread, and
    /// ends it early: Ruby wants this thread. The second one is what was waiting for it.
    pub(crate) fn without_lock<T>(
        self,
        work: impl FnOnce() -> T,
        wake: &(dyn Fn() + Sync),
    ) -> (Option<T>, Outcome<()>) {
        struct Frame<F, T> {
            work: Option<F>,
            result: Option<std::thread::Result<T>>,
        }
        unsafe extern "C" fn run<F: FnOnce() -> T, T>(frame: *mut c_void) -> *mut c_void {
            // SAFETY: the frame below, which waits for this function.
            let frame = unsafe { &mut *frame.cast::<Frame<F, T>>() };
            if let Some(work) = frame.work.take() {
                frame.result = Some(catch_unwind(AssertUnwindSafe(work)));
            }
            std::ptr::null_mut()
        }
        unsafe extern "C" fn unblock(wake: *mut c_void) {
            // SAFETY: the reference below, which lives until the work is over.
            let wake = unsafe { &*wake.cast::<&(dyn Fn() + Sync)>() };
            let _caught = catch_unwind(AssertUnwindSafe(wake));
        }
        fn entry<F: FnOnce() -> T, T>(_: &Frame<F, T>) -> crate::ffi::Blocking {
            run::<F, T>
        }
        let mut frame = Frame {
            work: Some(work),
            result: None,
        };
        let run = entry(&frame);
        let data = &raw mut frame;
        let interruption = self.protect(|| {
            // SAFETY: functions of the kinds that it takes, with their data, which outlive the call.
            unsafe {
                (self.api().rb_thread_call_without_gvl)(
                    run,
                    data.cast(),
                    Some(unblock),
                    (&raw const wake).cast_mut().cast(),
                );
            }
            Ok(())
        });
        // SAFETY: the frame above; Ruby is done with it.
        let result = unsafe { (*data).result.take() };
        match result {
            Some(Ok(result)) => (Some(result), interruption),
            Some(Err(_)) | None => (None, interruption),
        }
    }

    // Small values

    pub(crate) fn bool(self, value: bool) -> Value {
        if value { self.vm.yes } else { self.vm.no }
    }

    pub(crate) fn class(self, value: Value) -> Value {
        // SAFETY: a live value.
        unsafe { (self.api().rb_obj_class)(value) }
    }

    pub(crate) fn int(self, value: i64) -> Value {
        // SAFETY: the lock is held.
        unsafe { (self.api().rb_ll2inum)(value) }
    }

    pub(crate) fn unsigned(self, value: u64) -> Value {
        // SAFETY: the lock is held.
        unsafe { (self.api().rb_ull2inum)(value) }
    }

    pub(crate) fn float(self, value: f64) -> Value {
        // SAFETY: the lock is held.
        unsafe { (self.api().rb_float_new)(value) }
    }

    /// Of a float. Raises for what is none.
    pub(crate) fn as_float(self, value: Value) -> f64 {
        // SAFETY: a live value, within `protect`.
        unsafe { (self.api().rb_num2dbl)(value) }
    }

    /// Of an integer that a word holds. Raises for what is none.
    pub(crate) fn as_int(self, value: Value) -> i64 {
        // SAFETY: a live value, within `protect`.
        unsafe { (self.api().rb_num2ll)(value) }
    }

    /// Bytes of an integer's magnitude.
    pub(crate) fn magnitude_bytes(self, value: Value) -> usize {
        // SAFETY: a live integer; the bits that are left are not asked for.
        unsafe { (self.api().rb_absint_size)(value, std::ptr::null_mut()) }
    }

    /// Writes an integer's magnitude, the lowest byte first. Whether it is negative.
    pub(crate) fn magnitude(self, value: Value, bytes: &mut [u8]) -> bool {
        // SAFETY: a live integer and room for so many bytes.
        let sign = unsafe {
            (self.api().rb_integer_pack)(
                value,
                bytes.as_mut_ptr().cast(),
                bytes.len(),
                1,
                0,
                LITTLE_ENDIAN,
            )
        };
        sign < 0
    }

    pub(crate) fn big(self, negative: bool, magnitude: &[u8]) -> Value {
        let sign = if negative { NEGATIVE } else { 0 };
        // SAFETY: the lock is held; so many bytes.
        unsafe {
            (self.api().rb_integer_unpack)(
                magnitude.as_ptr().cast(),
                magnitude.len(),
                1,
                0,
                LITTLE_ENDIAN | sign,
            )
        }
    }

    // Texts and bytes

    pub(crate) fn text(self, text: &str) -> Value {
        // SAFETY: the lock is held; so many bytes.
        unsafe { (self.api().rb_utf8_str_new)(text.as_ptr().cast(), long(text.len())) }
    }

    pub(crate) fn bytes(self, bytes: &[u8]) -> Value {
        // SAFETY: the lock is held; so many bytes.
        unsafe { (self.api().rb_str_new)(bytes.as_ptr().cast(), long(bytes.len())) }
    }

    pub(crate) fn symbol(self, name: &str) -> Value {
        let text = self.text(name);
        // SAFETY: a live text.
        unsafe { (self.api().rb_str_intern)(text) }
    }

    pub(crate) fn symbol_text(self, symbol: Value) -> Value {
        // SAFETY: a live symbol.
        unsafe { (self.api().rb_sym2str)(symbol) }
    }

    /// The id of a name that anything in this process has; none has a method of any other name. One that is made is never
    /// forgotten, and names may be what clients send.
    pub(crate) fn known_id(self, name: Value) -> Option<Id> {
        let mut place = name;
        // SAFETY: a live text, within `protect`.
        let id = unsafe { (self.api().rb_check_id)(&raw mut place) };
        keep(place);
        (id != Id(0)).then_some(id)
    }

    /// Of a name of ours.
    pub(crate) fn id(self, name: &str) -> Id {
        let name_bytes: *const c_char = name.as_ptr().cast();
        // SAFETY: Ruby's own description of UTF-8.
        let encoding = unsafe { (self.api().rb_utf8_encoding)() };
        // SAFETY: so many bytes.
        unsafe { (self.api().rb_intern3)(name_bytes, long(name.len()), encoding) }
    }

    pub(crate) fn encoding(self, text: Value) -> c_int {
        // SAFETY: a live text.
        unsafe { (self.api().rb_enc_get_index)(text) }
    }

    /// Calls `read` with the bytes of a text, which calls nothing of Ruby's. Raises for what is no text. The length is
    /// Ruby's own (`vm` of `language.rs`).
    pub(crate) fn with_bytes<T>(self, text: Value, read: impl FnOnce(&[u8]) -> T) -> T {
        let length = self.as_int(self.call(text, self.vm.byte_size, &[]));
        let mut place = text;
        // SAFETY: a live text.
        let data = unsafe { (self.api().rb_string_value_ptr)(&raw mut place) };
        let length = usize::try_from(length).unwrap_or(0);
        // SAFETY: so many bytes, which stay until Ruby runs again.
        let result = read(unsafe { std::slice::from_raw_parts(data.cast(), length) });
        keep(place);
        result
    }

    // Containers

    pub(crate) fn list(self, count: usize) -> Value {
        // SAFETY: the lock is held. Grows on its own: a count is no promise.
        unsafe { (self.api().rb_ary_new_capa)(long(count.min(1 << 16))) }
    }

    pub(crate) fn push(self, list: Value, item: Value) {
        // SAFETY: a live list and a live value.
        unsafe { (self.api().rb_ary_push)(list, item) };
    }

    /// Nothing, where there is none.
    pub(crate) fn item(self, list: Value, index: usize) -> Value {
        // SAFETY: a live list.
        unsafe { (self.api().rb_ary_entry)(list, long(index)) }
    }

    /// Of a list or a hash.
    pub(crate) fn length(self, value: Value) -> usize {
        let length = self.call(value, self.vm.length, &[]);
        usize::try_from(self.as_int(length)).unwrap_or(0)
    }

    pub(crate) fn hash(self) -> Value {
        // SAFETY: the lock is held.
        unsafe { (self.api().rb_hash_new)() }
    }

    pub(crate) fn set(self, hash: Value, key: Value, value: Value) {
        // SAFETY: a live hash and live values.
        unsafe { (self.api().rb_hash_aset)(hash, key, value) };
    }

    pub(crate) fn lookup(self, hash: Value, key: Value) -> Option<Value> {
        // A list's own end is nobody's value.
        const NONE: Value = Value(0);
        // SAFETY: a live hash and a live key.
        let found = unsafe { (self.api().rb_hash_lookup2)(hash, key, NONE) };
        (found != NONE).then_some(found)
    }

    pub(crate) fn delete(self, hash: Value, key: Value) {
        // SAFETY: a live hash and a live key.
        unsafe { (self.api().rb_hash_delete)(hash, key) };
    }

    /// Keys and values in turn, in a list: Ruby's code may change the hash while they are used.
    pub(crate) fn pairs(self, hash: Value) -> Value {
        struct Frame {
            ruby: Ruby,
            list: Value,
        }
        unsafe extern "C" fn add(key: Value, value: Value, frame: Value) -> c_int {
            // SAFETY: the frame below.
            let Frame { ruby, list } = unsafe { &*(frame.0 as *const Frame) };
            ruby.push(*list, key);
            ruby.push(*list, value);
            0
        }
        let frame = Frame {
            ruby: self,
            list: self.list(0),
        };
        // SAFETY: a live hash; the function takes what is given with it.
        unsafe { (self.api().rb_hash_foreach)(hash, add, Value(&raw const frame as usize)) };
        frame.list
    }

    // Calls

    /// Any method, private ones included, with at most `ARGUMENTS_MAX` arguments.
    pub(crate) fn call(self, receiver: Value, method: Id, arguments: &[Value]) -> Value {
        // SAFETY: live values, within `protect`.
        unsafe { (self.api().rb_funcallv)(receiver, method, count(arguments), arguments.as_ptr()) }
    }

    /// A public method.
    pub(crate) fn call_public(self, receiver: Value, method: Id, arguments: &[Value]) -> Value {
        let (count, data) = (count(arguments), arguments.as_ptr());
        // SAFETY: live values, within `protect`.
        unsafe { (self.api().rb_funcallv_public)(receiver, method, count, data) }
    }

    pub(crate) fn responds_to(self, value: Value, method: Id) -> bool {
        // SAFETY: live values, within `protect`; public methods only.
        unsafe { (self.api().rb_obj_respond_to)(value, method, 0) != 0 }
    }

    pub(crate) fn instance_variable(self, value: Value, name: Id) -> Value {
        // SAFETY: a live object.
        unsafe { (self.api().rb_ivar_get)(value, name) }
    }

    /// What waits for this thread is done: other threads' turns, exceptions for it.
    pub(crate) fn check_interrupts(self) -> Outcome<()> {
        self.protect(|| {
            // SAFETY: within `protect`.
            unsafe { (self.api().rb_thread_check_ints)() };
            Ok(())
        })
    }

    /// Alive as long as the process, and where it is.
    pub(crate) fn keep_for_ever(self, value: Value) {
        // SAFETY: a live value.
        unsafe { (self.api().rb_gc_register_mark_object)(value) };
    }
}

fn count(arguments: &[Value]) -> c_int {
    c_int::try_from(arguments.len()).unwrap_or(0)
}
