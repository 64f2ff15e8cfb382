//! The functions of JNI that are used, on a thread that is attached. References to objects are local to a
//! call from Java, or let go of by whoever made them.

use std::ffi::{CStr, CString};
use std::ptr;

use jni_sys::{
    JNI_OK, JNIEnv, JNINativeInterface__1_4, JNINativeMethod, jclass, jint, jmethodID, jobject,
    jvalue,
};

/// Something that Java has thrown, in words.
pub(crate) type Outcome<T> = Result<T, String>;

/// The calling thread's way into the machine. Not given to other threads.
#[derive(Clone, Copy)]
pub(crate) struct Env(*mut JNIEnv);

/// A reference that lives until the process ends.
#[derive(Clone, Copy)]
pub(crate) struct Global(jobject);

// SAFETY: a global reference may be used on any thread.
unsafe impl Send for Global {}
// SAFETY: as above.
unsafe impl Sync for Global {}

impl Global {
    pub(crate) fn raw(self) -> jobject {
        self.0
    }
}

/// A method; valid as long as its class.
#[derive(Clone, Copy)]
pub(crate) struct Method(jmethodID);

// SAFETY: an identifier, which is the same on any thread.
unsafe impl Send for Method {}
// SAFETY: as above.
unsafe impl Sync for Method {}

pub(crate) fn int(value: jint) -> jvalue {
    jvalue { i: value }
}

/// Numbers that are only handed through: Java's are signed.
pub(crate) fn long(value: u64) -> jvalue {
    jvalue {
        j: value.cast_signed(),
    }
}

pub(crate) fn object(value: jobject) -> jvalue {
    jvalue { l: value }
}

impl Env {
    /// # Safety
    /// That of the calling thread, which is attached until this is used for the last time.
    pub(crate) unsafe fn of(raw: *mut JNIEnv) -> Self {
        Self(raw)
    }

    fn table<'a>(self) -> &'a JNINativeInterface__1_4 {
        // SAFETY: a live environment begins with the address of its table.
        let interface = unsafe { *self.0 };
        // SAFETY: which lives as long as the machine.
        let interface = unsafe { &*interface };
        // SAFETY: every version since 1.4 has these.
        unsafe { &interface.v1_4 }
    }

    /// What was thrown, if something was; it is pending no more.
    fn thrown(self) -> Option<String> {
        let table = self.table();
        // SAFETY: may be called at any time.
        let error = unsafe { (table.ExceptionOccurred)(self.0) };
        if error.is_null() {
            return None;
        }
        // SAFETY: as above.
        unsafe { (table.ExceptionClear)(self.0) };
        let text = self.text_of(error);
        self.let_go(error);
        Some(text.unwrap_or_else(|| "an exception that cannot be described".to_owned()))
    }

    fn text_of(self, value: jobject) -> Option<String> {
        let table = self.table();
        // SAFETY: a live object.
        let class = unsafe { (table.GetObjectClass)(self.0, value) };
        let name = c"toString".as_ptr();
        let signature = c"()Ljava/lang/String;".as_ptr();
        // SAFETY: a live class and C strings.
        let method = unsafe { (table.GetMethodID)(self.0, class, name, signature) };
        self.let_go(class);
        if method.is_null() {
            return self.cleared();
        }
        // SAFETY: a method of the object's without parameters.
        let text = unsafe { (table.CallObjectMethodA)(self.0, value, method, ptr::null()) };
        if text.is_null() {
            return self.cleared();
        }
        // SAFETY: a live string.
        let bytes = unsafe { (table.GetStringUTFChars)(self.0, text, ptr::null_mut()) };
        if bytes.is_null() {
            return self.cleared();
        }
        // SAFETY: a C string until it is given back.
        let copy = unsafe { CStr::from_ptr(bytes) }
            .to_string_lossy()
            .into_owned();
        // SAFETY: given above.
        unsafe { (table.ReleaseStringUTFChars)(self.0, text, bytes) };
        self.let_go(text);
        Some(copy)
    }

    fn cleared<T>(self) -> Option<T> {
        // SAFETY: may be called at any time.
        unsafe { (self.table().ExceptionClear)(self.0) };
        None
    }

    fn check<T>(self, value: T, is_there: bool) -> Outcome<T> {
        match self.thrown() {
            Some(text) => Err(text),
            None if is_there => Ok(value),
            None => Err("Java gave nothing where something is expected".to_owned()),
        }
    }

    fn found(self, value: jobject) -> Outcome<jobject> {
        self.check(value, !value.is_null())
    }

    /// Runs `work`, and lets go of all local references that are left of it, as of those that an error leaves: threads
    /// of ours never return to Java, which would do it.
    pub(crate) fn framed(self, work: impl FnOnce() -> Outcome<()>) -> Outcome<()> {
        const EXPECTED: jint = 8;
        // SAFETY: may be called where nothing was thrown; a failure has thrown.
        let failed = unsafe { (self.table().PushLocalFrame)(self.0, EXPECTED) } != JNI_OK;
        self.check((), !failed)?;
        let outcome = work();
        // SAFETY: the frame of above, of which nothing is kept.
        unsafe { (self.table().PopLocalFrame)(self.0, ptr::null_mut()) };
        outcome
    }

    pub(crate) fn let_go(self, local: jobject) {
        // SAFETY: a local reference of this thread's, or null.
        unsafe { (self.table().DeleteLocalRef)(self.0, local) };
    }

    /// Keeps an object for ever, and lets go of the local reference.
    pub(crate) fn keep(self, local: jobject) -> Outcome<Global> {
        // SAFETY: a live local reference.
        let global = unsafe { (self.table().NewGlobalRef)(self.0, local) };
        self.let_go(local);
        self.found(global).map(Global)
    }

    pub(crate) fn find_class(self, name: &CStr) -> Outcome<jclass> {
        // SAFETY: a C string.
        let class = unsafe { (self.table().FindClass)(self.0, name.as_ptr()) };
        self.found(class)
    }

    pub(crate) fn define_class(self, loader: jobject, bytes: &[u8]) -> Outcome<jclass> {
        let length = length_of(bytes.len())?;
        let data = bytes.as_ptr().cast();
        // SAFETY: a live loader and so many bytes; the class has its own name.
        let class =
            unsafe { (self.table().DefineClass)(self.0, ptr::null(), loader, data, length) };
        self.found(class)
    }

    pub(crate) fn method(self, class: jclass, name: &CStr, signature: &CStr) -> Outcome<Method> {
        let (name, signature) = (name.as_ptr(), signature.as_ptr());
        // SAFETY: a live class and C strings.
        let method = unsafe { (self.table().GetMethodID)(self.0, class, name, signature) };
        self.check(Method(method), !method.is_null())
    }

    pub(crate) fn static_method(
        self,
        class: jclass,
        name: &CStr,
        signature: &CStr,
    ) -> Outcome<Method> {
        let (name, signature) = (name.as_ptr(), signature.as_ptr());
        // SAFETY: a live class and C strings.
        let method = unsafe { (self.table().GetStaticMethodID)(self.0, class, name, signature) };
        self.check(Method(method), !method.is_null())
    }

    /// # Safety
    /// The functions have the parameters and results that their signatures say.
    pub(crate) unsafe fn register(self, class: jclass, methods: &[JNINativeMethod]) -> Outcome<()> {
        let count = length_of(methods.len())?;
        // SAFETY: a live class; the rest is the caller's promise.
        let code =
            unsafe { (self.table().RegisterNatives)(self.0, class, methods.as_ptr(), count) };
        self.check((), code == JNI_OK)
    }

    /// # Safety
    /// A constructor of the class, and what it takes.
    pub(crate) unsafe fn new_object(
        self,
        class: jclass,
        constructor: Method,
        arguments: &[jvalue],
    ) -> Outcome<jobject> {
        let table = self.table();
        // SAFETY: the caller's promise.
        let made = unsafe { (table.NewObjectA)(self.0, class, constructor.0, arguments.as_ptr()) };
        self.found(made)
    }

    /// # Safety
    /// A static method of the class that gives an object, and what it takes.
    pub(crate) unsafe fn call_static(
        self,
        class: jclass,
        method: Method,
        arguments: &[jvalue],
    ) -> Outcome<jobject> {
        let table = self.table();
        // SAFETY: the caller's promise.
        let given =
            unsafe { (table.CallStaticObjectMethodA)(self.0, class, method.0, arguments.as_ptr()) };
        self.found(given)
    }

    /// # Safety
    /// A static method of the class that gives nothing, and what it takes.
    pub(crate) unsafe fn call_void(
        self,
        class: jclass,
        method: Method,
        arguments: &[jvalue],
    ) -> Outcome<()> {
        let table = self.table();
        // SAFETY: the caller's promise.
        unsafe { (table.CallStaticVoidMethodA)(self.0, class, method.0, arguments.as_ptr()) };
        self.check((), true)
    }

    /// # Safety
    /// A static method of the class that gives a boolean and takes nothing.
    pub(crate) unsafe fn call_bool(self, class: jclass, method: Method) -> bool {
        let table = self.table();
        // SAFETY: the caller's promise.
        let given =
            unsafe { (table.CallStaticBooleanMethodA)(self.0, class, method.0, ptr::null()) };
        self.thrown().is_none() && given
    }

    pub(crate) fn text(self, text: &str) -> Outcome<jobject> {
        let text = CString::new(text).map_err(|_| "a text with a NUL in it".to_owned())?;
        // SAFETY: a C string; ours are ASCII, which is the same in Java's own form of UTF-8.
        self.found(unsafe { (self.table().NewStringUTF)(self.0, text.as_ptr()) })
    }

    pub(crate) fn new_bytes(self, length: usize) -> Outcome<jobject> {
        let length = length_of(length)?;
        // SAFETY: a length that is not negative.
        self.found(unsafe { (self.table().NewByteArray)(self.0, length) })
    }

    /// A new array of bytes.
    pub(crate) fn bytes(self, bytes: &[u8]) -> Outcome<jobject> {
        let array = self.new_bytes(bytes.len())?;
        self.fill(array, bytes)?;
        Ok(array)
    }

    /// Writes bytes to the beginning of an array that has as many.
    pub(crate) fn fill(self, array: jobject, bytes: &[u8]) -> Outcome<()> {
        let length = length_of(bytes.len())?;
        let data = bytes.as_ptr().cast();
        // SAFETY: a live array of bytes, and so many to read; Java checks the array's own length.
        unsafe { (self.table().SetByteArrayRegion)(self.0, array, 0, length, data) };
        self.check((), true)
    }

    pub(crate) fn length(self, array: jobject) -> usize {
        // SAFETY: a live array.
        let length = unsafe { (self.table().GetArrayLength)(self.0, array) };
        usize::try_from(length).unwrap_or(0)
    }

    /// The first so many bytes of an array.
    pub(crate) fn read(self, array: jobject, length: usize) -> Outcome<Vec<u8>> {
        let count = length_of(length)?;
        let mut bytes = Vec::<u8>::with_capacity(length);
        let data = bytes.as_mut_ptr().cast();
        // SAFETY: a live array of bytes, and room for as many.
        unsafe { (self.table().GetByteArrayRegion)(self.0, array, 0, count, data) };
        self.check((), true)?;
        // SAFETY: written, since nothing was thrown.
        unsafe { bytes.set_len(length) };
        Ok(bytes)
    }

    pub(crate) fn list(self, class: jclass, length: usize) -> Outcome<jobject> {
        let length = length_of(length)?;
        let table = self.table();
        // SAFETY: a live class and a length that is not negative.
        self.found(unsafe { (table.NewObjectArray)(self.0, length, class, ptr::null_mut()) })
    }

    pub(crate) fn item(self, list: jobject, index: usize) -> Outcome<jobject> {
        let index = length_of(index)?;
        // SAFETY: a live list; Java checks the index.
        self.found(unsafe { (self.table().GetObjectArrayElement)(self.0, list, index) })
    }

    /// Puts an object into a list, and lets go of the local reference.
    pub(crate) fn put(self, list: jobject, index: usize, local: jobject) -> Outcome<()> {
        let index = length_of(index)?;
        // SAFETY: a live list and object; Java checks index and class.
        unsafe { (self.table().SetObjectArrayElement)(self.0, list, index, local) };
        self.let_go(local);
        self.check((), true)
    }
}

fn length_of(length: usize) -> Outcome<jint> {
    jint::try_from(length).map_err(|_| "more than Java can hold in one array: 2 GB".to_owned())
}
