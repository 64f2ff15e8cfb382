//! CPython's functions, found in its library when that is opened. Objects are addresses that only these
//! functions look behind, so that one build serves every version from 3.9 on, with and without a global lock:
//! what differs between them is the layout of objects, and nothing here knows it.

use std::ffi::{CStr, c_char, c_int, c_longlong, c_void};

use fulmar_guest::dynamic::Opened;

/// An object of CPython's.
#[repr(C)]
pub(crate) struct PyObject {
    _opaque: [u8; 0],
}

pub(crate) type Raw = *mut PyObject;

/// `PyCFunction`.
pub(crate) type Function = unsafe extern "C" fn(Raw, Raw) -> Raw;

/// `PyMethodDef`, which is part of the stable interface.
#[repr(C)]
pub(crate) struct MethodDefinition {
    pub(crate) name: *const c_char,
    pub(crate) function: Option<Function>,
    pub(crate) flags: c_int,
    pub(crate) doc: *const c_char,
}

// SAFETY: written once, read by CPython only.
unsafe impl Sync for MethodDefinition {}

/// `METH_VARARGS`.
pub(crate) const VARARGS: c_int = 1;

/// `Py_buffer`, the same in every version since 3.0 and part of the stable interface since 3.11.
#[repr(C)]
pub(crate) struct Buffer {
    pub(crate) data: *mut c_void,
    pub(crate) object: Raw,
    pub(crate) bytes: isize,
    item_bytes: isize,
    is_read_only: c_int,
    dimensions: c_int,
    format: *mut c_char,
    shape: *mut isize,
    strides: *mut isize,
    suboffsets: *mut isize,
    internal: *mut c_void,
}

/// `PyBUF_SIMPLE`: contiguous bytes.
pub(crate) const SIMPLE: c_int = 0;

macro_rules! table {
    (functions { $($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)* } optional { $($maybe:ident: fn($($given:ty),*) $(-> $gives:ty)?;)* } objects { $($object:ident;)* }) => {
        /// Everything that is used of CPython, by its own names.
        #[allow(non_snake_case, reason = "CPython's names")]
        pub(crate) struct Api {
            $(pub(crate) $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            $(pub(crate) $maybe: Option<unsafe extern "C" fn($($given),*) $(-> $gives)?>,)*
            $(pub(crate) $object: Raw,)*
        }

        // SAFETY: addresses of functions and of static objects.
        unsafe impl Send for Api {}
        // SAFETY: as above.
        unsafe impl Sync for Api {}

        impl Api {
            /// Finds all of it.
            ///
            /// # Errors
            /// The name of the function that the library lacks.
            pub(crate) fn of(library: Opened) -> Result<Self, String> {
                Ok(Self {
                    $($name: {
                        const NAME: &CStr = match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                            Ok(name) => name,
                            Err(_) => c"",
                        };
                        let address = library.symbol(NAME).ok_or(stringify!($name))?;
                        // SAFETY: CPython's documentation says what this function takes and gives.
                        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($argument),*) $(-> $result)?>(address) }
                    },)*
                    $($maybe: {
                        const NAME: &CStr = match CStr::from_bytes_with_nul(concat!(stringify!($maybe), "\0").as_bytes()) {
                            Ok(name) => name,
                            Err(_) => c"",
                        };
                        // SAFETY: as above.
                        library.symbol(NAME).map(|address| unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($given),*) $(-> $gives)?>(address) })
                    },)*
                    $($object: {
                        const NAME: &CStr = match CStr::from_bytes_with_nul(concat!(stringify!($object), "\0").as_bytes()) {
                            Ok(name) => name,
                            Err(_) => c"",
                        };
                        library.symbol(NAME).ok_or(stringify!($object))?.cast()
                    },)*
                })
            }
        }
    };
}

table! {
    functions {
        Py_InitializeEx: fn(c_int);
        Py_IsInitialized: fn() -> c_int;
        PyEval_SaveThread: fn() -> *mut c_void;
        PyEval_RestoreThread: fn(*mut c_void);
        PyGILState_Ensure: fn() -> c_int;
        PyGILState_Release: fn(c_int);
        PyThreadState_SetAsyncExc: fn(std::ffi::c_ulong, Raw) -> c_int;
        Py_IncRef: fn(Raw);
        Py_DecRef: fn(Raw);
        PyErr_Occurred: fn() -> Raw;
        PyErr_Fetch: fn(*mut Raw, *mut Raw, *mut Raw);
        PyErr_NormalizeException: fn(*mut Raw, *mut Raw, *mut Raw);
        PyErr_SetObject: fn(Raw, Raw);
        PyException_SetTraceback: fn(Raw, Raw) -> c_int;
        PyObject_Type: fn(Raw) -> Raw;
        PyObject_GetAttr: fn(Raw, Raw) -> Raw;
        PyObject_Call: fn(Raw, Raw, Raw) -> Raw;
        PyObject_IsTrue: fn(Raw) -> c_int;
        PyObject_GetBuffer: fn(Raw, *mut Buffer, c_int) -> c_int;
        PyBuffer_Release: fn(*mut Buffer);
        PyUnicode_FromStringAndSize: fn(*const c_char, isize) -> Raw;
        PyUnicode_AsUTF8AndSize: fn(Raw, *mut isize) -> *const c_char;
        PyLong_FromLongLong: fn(c_longlong) -> Raw;
        PyLong_FromUnsignedLongLong: fn(u64) -> Raw;
        PyLong_AsUnsignedLongLong: fn(Raw) -> u64;
        PyLong_AsLongLongAndOverflow: fn(Raw, *mut c_int) -> c_longlong;
        PyFloat_FromDouble: fn(f64) -> Raw;
        PyFloat_AsDouble: fn(Raw) -> f64;
        PyBytes_FromStringAndSize: fn(*const c_char, isize) -> Raw;
        PyList_New: fn(isize) -> Raw;
        PyList_SetItem: fn(Raw, isize, Raw) -> c_int;
        PyList_Size: fn(Raw) -> isize;
        PyList_GetItem: fn(Raw, isize) -> Raw;
        PyTuple_New: fn(isize) -> Raw;
        PyTuple_SetItem: fn(Raw, isize, Raw) -> c_int;
        PyTuple_Size: fn(Raw) -> isize;
        PyTuple_GetItem: fn(Raw, isize) -> Raw;
        PyDict_New: fn() -> Raw;
        PyDict_SetItem: fn(Raw, Raw, Raw) -> c_int;
        PyDict_GetItemString: fn(Raw, *const c_char) -> Raw;
        PyDict_SetItemString: fn(Raw, *const c_char, Raw) -> c_int;
        PyDict_Size: fn(Raw) -> isize;
        PyDict_Next: fn(Raw, *mut isize, *mut Raw, *mut Raw) -> c_int;
        PySet_New: fn(Raw) -> Raw;
        PySet_Add: fn(Raw, Raw) -> c_int;
        PyCFunction_NewEx: fn(*const MethodDefinition, Raw, Raw) -> Raw;
        Py_CompileString: fn(*const c_char, *const c_char, c_int) -> Raw;
        PyEval_EvalCode: fn(Raw, Raw, Raw) -> Raw;
        PyEval_GetBuiltins: fn() -> Raw;
    }
    optional {
        // Until 3.14, whose `PyInitConfig` replaces it.
        Py_SetProgramName: fn(*const libc::wchar_t);
        Py_DecodeLocale: fn(*const c_char, *mut usize) -> *mut libc::wchar_t;
        PyInitConfig_Create: fn() -> *mut c_void;
        PyInitConfig_SetStr: fn(*mut c_void, *const c_char, *const c_char) -> c_int;
        PyInitConfig_SetInt: fn(*mut c_void, *const c_char, i64) -> c_int;
        PyInitConfig_GetError: fn(*mut c_void, *mut *const c_char) -> c_int;
        Py_InitializeFromInitConfig: fn(*mut c_void) -> c_int;
        PyInitConfig_Free: fn(*mut c_void);
    }
    objects {
        _Py_NoneStruct;
        _Py_TrueStruct;
        _Py_FalseStruct;
        PyLong_Type;
        PyFloat_Type;
        PyUnicode_Type;
        PyBytes_Type;
        PyByteArray_Type;
        PyList_Type;
        PyTuple_Type;
        PyDict_Type;
    }
}
