//! Libraries that are opened at run time: those of languages by guests, those of guests by hosts. None is ever
//! closed.

use std::ffi::{CStr, c_void};

/// Who finds its functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Whoever asks for them by `symbol`.
    Own,
    /// Every library that is opened later, as extensions of a language ask for.
    Process,
}

/// A library that is open, for ever.
#[derive(Debug, Clone, Copy)]
pub struct Opened(*mut c_void);

/// Opens a library: a path, or a name that the system knows.
///
/// # Errors
/// What the system's loader says.
pub fn open(name: &CStr, scope: Scope) -> Result<Opened, String> {
    let scope = match scope {
        Scope::Own => libc::RTLD_LOCAL,
        Scope::Process => libc::RTLD_GLOBAL,
    };
    // SAFETY: a C string; what runs at the start of these libraries asks nothing of anybody.
    let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | scope) };
    if !library.is_null() {
        return Ok(Opened(library));
    }
    // SAFETY: asks for the calling thread's last problem.
    let text = unsafe { libc::dlerror() };
    if text.is_null() {
        return Err("the library could not be opened".to_owned());
    }
    // SAFETY: a C string, valid until the next call of its kind on this thread.
    let text = unsafe { CStr::from_ptr(text) };
    Err(text.to_string_lossy().into_owned())
}

impl Opened {
    /// The address of one of its functions or variables.
    #[must_use]
    pub fn symbol(self, name: &CStr) -> Option<*mut c_void> {
        // SAFETY: a library that is never closed, and a C string.
        let address = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        (!address.is_null()).then_some(address)
    }
}
