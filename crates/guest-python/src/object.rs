//! Objects of Python's while its lock is held: owned references that are given up when they go out of scope.

use std::ffi::c_int;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;

use crate::ffi::{Api, Buffer, Raw, SIMPLE};

/// The lock is held on this thread (or, in a Python without one, the thread is known to it).
#[derive(Clone, Copy)]
pub(crate) struct Python<'py> {
    pub(crate) api: &'static Api,
    held: PhantomData<*const &'py ()>,
}

/// Gives the lock back when it is dropped.
pub(crate) struct Gil {
    api: &'static Api,
    state: c_int,
}

impl Gil {
    /// Waits for the lock. The thread need not be known to Python.
    pub(crate) fn take(api: &'static Api) -> Self {
        // SAFETY: Python runs, and is never taken down.
        let state = unsafe { (api.PyGILState_Ensure)() };
        Self { api, state }
    }

    pub(crate) fn python(&self) -> Python<'_> {
        Python {
            api: self.api,
            held: PhantomData,
        }
    }
}

impl Drop for Gil {
    fn drop(&mut self) {
        // SAFETY: taken by `take` on this thread.
        unsafe { (self.api.PyGILState_Release)(self.state) };
    }
}

/// An owned reference.
pub(crate) struct Object<'py> {
    raw: Raw,
    pub(crate) python: Python<'py>,
}

/// Why something did not come about.
pub(crate) enum Failure<'py> {
    /// An exception of Python's.
    Raised(Object<'py>),
    /// In our own words: of a value that cannot be given to Python.
    Value(String),
    /// What was asked for is not there.
    Gone(String),
    /// There is as much of it as may be.
    Busy(String),
}

impl From<fulmar_guest::wire::Malformed> for Failure<'_> {
    fn from(problem: fulmar_guest::wire::Malformed) -> Self {
        Self::Value(problem.0)
    }
}

pub(crate) type Outcome<'py, T> = Result<T, Failure<'py>>;

impl Clone for Object<'_> {
    fn clone(&self) -> Self {
        // SAFETY: a live object, and the lock is held.
        unsafe { (self.python.api.Py_IncRef)(self.raw) };
        Self {
            raw: self.raw,
            python: self.python,
        }
    }
}

impl Drop for Object<'_> {
    fn drop(&mut self) {
        // SAFETY: this reference is given up, and the lock is held.
        unsafe { (self.python.api.Py_DecRef)(self.raw) };
    }
}

impl<'py> Python<'py> {
    /// The lock is held already: within a function that Python has called.
    ///
    /// # Safety
    /// It is, for as long as `'py`.
    pub(crate) unsafe fn assumed(api: &'static Api) -> Self {
        Self {
            api,
            held: PhantomData,
        }
    }

    /// Takes what a function of Python's gave: null says that it raised.
    pub(crate) fn own(self, raw: Raw) -> Outcome<'py, Object<'py>> {
        if raw.is_null() {
            return Err(self.raised());
        }
        Ok(Object { raw, python: self })
    }

    /// A reference of our own to what somebody else has.
    pub(crate) fn share(self, raw: Raw) -> Object<'py> {
        // SAFETY: a live object, and the lock is held.
        unsafe { (self.api.Py_IncRef)(raw) };
        Object { raw, python: self }
    }

    /// For functions that give -1 where they raise.
    pub(crate) fn check(self, code: c_int) -> Outcome<'py, ()> {
        if code < 0 { Err(self.raised()) } else { Ok(()) }
    }

    /// Whether an exception is waiting; it is then waiting no longer.
    pub(crate) fn check_raised(self) -> Outcome<'py, ()> {
        // SAFETY: the lock is held.
        if unsafe { (self.api.PyErr_Occurred)() }.is_null() {
            Ok(())
        } else {
            Err(self.raised())
        }
    }

    /// The exception that was raised, with its traceback.
    pub(crate) fn raised(self) -> Failure<'py> {
        let (mut kind, mut value, mut trace) = (
            std::ptr::null_mut(),
            std::ptr::null_mut(),
            std::ptr::null_mut(),
        );
        // SAFETY: three places for owned references, each null if there is none.
        unsafe { (self.api.PyErr_Fetch)(&raw mut kind, &raw mut value, &raw mut trace) };
        if kind.is_null() {
            return Failure::Value("Python failed without an exception".to_owned());
        }
        // SAFETY: the three as they were fetched.
        unsafe {
            (self.api.PyErr_NormalizeException)(&raw mut kind, &raw mut value, &raw mut trace);
        };
        let owned = |raw: Raw| (!raw.is_null()).then_some(Object { raw, python: self });
        let (kind, value, trace) = (owned(kind), owned(value), owned(trace));
        let Some(value) = value.or(kind) else {
            return Failure::Value("Python failed without an exception".to_owned());
        };
        if let Some(trace) = trace {
            // SAFETY: a live exception and its traceback.
            unsafe { (self.api.PyException_SetTraceback)(value.raw, trace.raw) };
        }
        Failure::Raised(value)
    }

    pub(crate) fn none(self) -> Object<'py> {
        self.share(self.api._Py_NoneStruct)
    }

    pub(crate) fn bool(self, value: bool) -> Object<'py> {
        self.share(if value {
            self.api._Py_TrueStruct
        } else {
            self.api._Py_FalseStruct
        })
    }

    pub(crate) fn int(self, value: i64) -> Outcome<'py, Object<'py>> {
        // SAFETY: the lock is held.
        self.own(unsafe { (self.api.PyLong_FromLongLong)(value) })
    }

    pub(crate) fn unsigned(self, value: u64) -> Outcome<'py, Object<'py>> {
        // SAFETY: the lock is held.
        self.own(unsafe { (self.api.PyLong_FromUnsignedLongLong)(value) })
    }

    pub(crate) fn float(self, value: f64) -> Outcome<'py, Object<'py>> {
        // SAFETY: the lock is held.
        self.own(unsafe { (self.api.PyFloat_FromDouble)(value) })
    }

    pub(crate) fn text(self, text: &str) -> Outcome<'py, Object<'py>> {
        let length = length_of(text.len());
        // SAFETY: UTF-8 of that length; the lock is held.
        self.own(unsafe { (self.api.PyUnicode_FromStringAndSize)(text.as_ptr().cast(), length) })
    }

    pub(crate) fn bytes(self, bytes: &[u8]) -> Outcome<'py, Object<'py>> {
        let (data, length) = (bytes.as_ptr().cast(), length_of(bytes.len()));
        // SAFETY: bytes of that length; the lock is held.
        self.own(unsafe { (self.api.PyBytes_FromStringAndSize)(data, length) })
    }

    pub(crate) fn dict(self) -> Outcome<'py, Object<'py>> {
        // SAFETY: the lock is held.
        self.own(unsafe { (self.api.PyDict_New)() })
    }

    pub(crate) fn set(self) -> Outcome<'py, Object<'py>> {
        // SAFETY: the lock is held; null asks for an empty one.
        self.own(unsafe { (self.api.PySet_New)(std::ptr::null_mut()) })
    }

    /// A list of as many as `items` gives.
    pub(crate) fn list(
        self,
        count: usize,
        mut item: impl FnMut() -> Outcome<'py, Object<'py>>,
    ) -> Outcome<'py, Object<'py>> {
        // SAFETY: the lock is held.
        let list = self.own(unsafe { (self.api.PyList_New)(length_of(count)) })?;
        for index in 0..length_of(count) {
            let value = item()?.into_raw();
            // SAFETY: within the list, which takes the reference over.
            self.check(unsafe { (self.api.PyList_SetItem)(list.raw, index, value) })?;
        }
        Ok(list)
    }

    pub(crate) fn tuple(self, items: Vec<Object<'py>>) -> Outcome<'py, Object<'py>> {
        // SAFETY: the lock is held.
        let tuple = self.own(unsafe { (self.api.PyTuple_New)(length_of(items.len())) })?;
        for (index, item) in (0..).zip(items) {
            let value = item.into_raw();
            // SAFETY: within the new tuple, which takes the reference over.
            self.check(unsafe { (self.api.PyTuple_SetItem)(tuple.raw, index, value) })?;
        }
        Ok(tuple)
    }
}

/// Python's lengths are signed; a slice is never longer than that.
fn length_of(length: usize) -> isize {
    isize::try_from(length).unwrap_or(isize::MAX)
}

impl<'py> Object<'py> {
    /// For the time of this reference.
    pub(crate) fn raw(&self) -> Raw {
        self.raw
    }

    /// The reference is somebody else's now.
    pub(crate) fn into_raw(self) -> Raw {
        ManuallyDrop::new(self).raw
    }

    pub(crate) fn attribute(&self, name: &str) -> Outcome<'py, Object<'py>> {
        let python = self.python;
        // Not one that Python keeps (`PyUnicode_InternInPlace`): in 3.12 that is for ever, and names may be what clients send.
        let name = python.text(name)?;
        // SAFETY: live objects, and the lock is held.
        python.own(unsafe { (python.api.PyObject_GetAttr)(self.raw, name.raw) })
    }

    /// Calls it; `named` is a dict.
    pub(crate) fn call(
        &self,
        arguments: Vec<Object<'py>>,
        named: Option<&Object<'py>>,
    ) -> Outcome<'py, Object<'py>> {
        let python = self.python;
        let arguments = python.tuple(arguments)?;
        let named = named.map_or(std::ptr::null_mut(), |named| named.raw);
        // SAFETY: live objects, a tuple and a dict or null; the lock is held.
        python.own(unsafe { (python.api.PyObject_Call)(self.raw, arguments.raw, named) })
    }

    /// Its type, by which exact ones are told; only for comparisons.
    pub(crate) fn kind(&self) -> Raw {
        // SAFETY: a live object, which keeps its type alive.
        let kind = unsafe { (self.python.api.PyObject_Type)(self.raw) };
        // SAFETY: an owned reference; the object has another one.
        unsafe { (self.python.api.Py_DecRef)(kind) };
        kind
    }

    pub(crate) fn is_none(&self) -> bool {
        self.raw == self.python.api._Py_NoneStruct
    }

    /// Of a text.
    pub(crate) fn as_text(&self) -> Outcome<'py, &str> {
        let mut length = 0isize;
        // SAFETY: anything but a text raises; the UTF-8 lives as long as the object.
        let data = unsafe { (self.python.api.PyUnicode_AsUTF8AndSize)(self.raw, &raw mut length) };
        if data.is_null() {
            return Err(self.python.raised());
        }
        let length = usize::try_from(length).unwrap_or(0);
        // SAFETY: so many bytes, in memory of the object, which this borrows.
        let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), length) };
        // SAFETY: CPython gives UTF-8 without surrogates, or raises.
        Ok(unsafe { std::str::from_utf8_unchecked(bytes) })
    }

    /// Of an integer; `None`: it is larger.
    pub(crate) fn as_int(&self) -> Outcome<'py, Option<i64>> {
        let mut overflow = 0;
        // SAFETY: a live object; anything but an integer raises.
        let value =
            unsafe { (self.python.api.PyLong_AsLongLongAndOverflow)(self.raw, &raw mut overflow) };
        if overflow != 0 {
            return Ok(None);
        }
        if value == -1 {
            self.python.check_raised()?;
        }
        Ok(Some(value))
    }

    /// Of an integer that is an id.
    pub(crate) fn as_id(&self) -> Outcome<'py, u64> {
        // SAFETY: a live object; anything but an integer raises.
        let value = unsafe { (self.python.api.PyLong_AsUnsignedLongLong)(self.raw) };
        if value == u64::MAX {
            self.python.check_raised()?;
        }
        Ok(value)
    }

    pub(crate) fn as_float(&self) -> Outcome<'py, f64> {
        // SAFETY: a live object; anything but a number raises.
        let value = unsafe { (self.python.api.PyFloat_AsDouble)(self.raw) };
        if value.to_bits() == (-1.0f64).to_bits() {
            self.python.check_raised()?;
        }
        Ok(value)
    }

    pub(crate) fn is_true(&self) -> Outcome<'py, bool> {
        // SAFETY: a live object.
        let value = unsafe { (self.python.api.PyObject_IsTrue)(self.raw) };
        self.python.check(value)?;
        Ok(value == 1)
    }

    pub(crate) fn list_length(&self) -> usize {
        // SAFETY: a live object; what is no list raises, and has none.
        let length = unsafe { (self.python.api.PyList_Size)(self.raw) };
        usize::try_from(length).unwrap_or(0)
    }

    /// Of a list that may have become shorter meanwhile.
    pub(crate) fn list_item(&self, index: usize) -> Outcome<'py, Object<'py>> {
        // SAFETY: a live list; an index outside of it raises.
        let item = unsafe { (self.python.api.PyList_GetItem)(self.raw, length_of(index)) };
        if item.is_null() {
            return Err(self.python.raised());
        }
        Ok(self.python.share(item))
    }

    pub(crate) fn tuple_length(&self) -> usize {
        // SAFETY: a live object; what is no tuple raises, and has none.
        let length = unsafe { (self.python.api.PyTuple_Size)(self.raw) };
        usize::try_from(length).unwrap_or(0)
    }

    pub(crate) fn tuple_item(&self, index: usize) -> Outcome<'py, Object<'py>> {
        // SAFETY: a live tuple; an index outside of it raises.
        let item = unsafe { (self.python.api.PyTuple_GetItem)(self.raw, length_of(index)) };
        if item.is_null() {
            return Err(self.python.raised());
        }
        Ok(self.python.share(item))
    }

    pub(crate) fn set_item(&self, key: &Self, value: &Self) -> Outcome<'py, ()> {
        let python = self.python;
        // SAFETY: a live dict and live objects, of which it takes references of its own.
        python.check(unsafe { (python.api.PyDict_SetItem)(self.raw, key.raw, value.raw) })
    }

    pub(crate) fn add(&self, value: &Self) -> Outcome<'py, ()> {
        let python = self.python;
        // SAFETY: a live set and a live object, of which it takes a reference of its own.
        python.check(unsafe { (python.api.PySet_Add)(self.raw, value.raw) })
    }

    /// The pairs of a dict as they are now: Python's code may change it while they are used.
    pub(crate) fn pairs(&self) -> Vec<(Object<'py>, Object<'py>)> {
        let python = self.python;
        // SAFETY: a live object; what is no dict has none.
        let count = unsafe { (python.api.PyDict_Size)(self.raw) };
        let mut pairs = Vec::with_capacity(usize::try_from(count).unwrap_or(0));
        let (mut at, mut key, mut value) = (0isize, std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: a live dict; no Python code runs in this loop.
        while unsafe {
            (python.api.PyDict_Next)(self.raw, &raw mut at, &raw mut key, &raw mut value)
        } == 1
        {
            pairs.push((python.share(key), python.share(value)));
        }
        pairs
    }

    /// Calls `read` with the bytes behind an object that has the buffer interface, contiguous ones.
    pub(crate) fn with_bytes<T>(&self, read: impl FnOnce(&[u8]) -> T) -> Outcome<'py, T> {
        let python = self.python;
        let mut buffer = std::mem::MaybeUninit::<Buffer>::uninit();
        // SAFETY: a live object, and a place for its description; what has no such bytes raises.
        python.check(unsafe {
            (python.api.PyObject_GetBuffer)(self.raw, buffer.as_mut_ptr(), SIMPLE)
        })?;
        // SAFETY: written, or the call above had failed.
        let mut buffer = unsafe { buffer.assume_init() };
        let length = usize::try_from(buffer.bytes).unwrap_or(0);
        let outcome = if length == 0 {
            read(&[])
        } else {
            // SAFETY: so many bytes, which stay where they are until the release. Where the lock does not
            // keep others from writing to them, the application gets the mixture that it made: nothing is
            // decided by them.
            read(unsafe { std::slice::from_raw_parts(buffer.data.cast::<u8>(), length) })
        };
        // SAFETY: got above, released once.
        unsafe { (python.api.PyBuffer_Release)(&raw mut buffer) };
        Ok(outcome)
    }
}

/// Runs `work` without the lock, which others may have meanwhile.
pub(crate) fn without_lock<T>(python: Python<'_>, work: impl FnOnce() -> T) -> T {
    struct Restore(&'static Api, *mut std::ffi::c_void);
    impl Drop for Restore {
        fn drop(&mut self) {
            // SAFETY: the state that this thread gave up below.
            unsafe { (self.0.PyEval_RestoreThread)(self.1) };
        }
    }
    // SAFETY: the lock is held, says `python`; nothing of Python's is used until it is taken again.
    let state = unsafe { (python.api.PyEval_SaveThread)() };
    let _restore = Restore(python.api, state);
    work()
}
