//! CPython's start. It is asked to be what the application's own `python3` is: its name says where its
//! standard library and its packages are, a virtual environment's included.

use std::ffi::{CStr, CString, c_char};

use fulmar_guest::Settings;
use fulmar_guest::dynamic::{Opened, Scope, open};

use crate::ffi::Api;

/// Opens the library and starts CPython on this thread, unless somebody in this process has. The lock is not
/// held afterwards.
///
/// # Errors
/// Why not, and what to do.
pub(crate) fn start(settings: &Settings) -> Result<&'static Api, String> {
    let name = settings.text("library").unwrap_or("libpython3.so");
    let path = CString::new(name).map_err(|_| "a path with a NUL in it".to_owned())?;
    let library = open(&path, Scope::Process)
        .map_err(|problem| format!("the library of Python could not be opened: {problem}"))?;
    check_version(library, name)?;
    let api = Api::of(library).map_err(|missing| {
        format!(
            "{name} lacks {missing}: Python 3.9 or newer is expected, built as a shared library"
        )
    })?;
    let api: &'static Api = Box::leak(Box::new(api));
    // SAFETY: may be called at any time.
    if unsafe { (api.Py_IsInitialized)() } != 0 {
        return Ok(api);
    }
    match settings.text("executable") {
        Some(executable) if api.PyInitConfig_Create.is_some() => configure(api, executable)?,
        executable => {
            if let Some(executable) = executable {
                name_program(api, executable);
            }
            // SAFETY: the first start of the process; signals stay Node's.
            unsafe { (api.Py_InitializeEx)(0) };
        }
    }
    // SAFETY: Python runs, and this thread holds its lock.
    let _state = unsafe { (api.PyEval_SaveThread)() };
    Ok(api)
}

/// The oldest version whose functions do all that is asked of them.
const MINOR_MIN: u32 = 9;

fn check_version(library: Opened, name: &str) -> Result<(), String> {
    let Some(address) = library.symbol(c"Py_GetVersion") else {
        return Err(format!("{name} is no library of CPython's"));
    };
    // SAFETY: `const char *Py_GetVersion(void)`, in every version.
    let version: extern "C" fn() -> *const c_char = unsafe { std::mem::transmute(address) };
    // SAFETY: a static text.
    let text = unsafe { CStr::from_ptr(version()) }.to_string_lossy();
    let mut parts = text.split(|c: char| !c.is_ascii_digit());
    let major: u32 = parts.next().and_then(|part| part.parse().ok()).unwrap_or(0);
    let minor: u32 = parts.next().and_then(|part| part.parse().ok()).unwrap_or(0);
    if (major, minor) < (3, MINOR_MIN) {
        let found = text.split(' ').next().unwrap_or_default();
        return Err(format!(
            "{name} is Python {found}: 3.{MINOR_MIN} or newer is expected"
        ));
    }
    Ok(())
}

/// Until 3.13: from this name Python finds everything else.
fn name_program(api: &Api, executable: &str) {
    let (Some(decode), Some(set)) = (api.Py_DecodeLocale, api.Py_SetProgramName) else {
        return;
    };
    let Ok(executable) = CString::new(executable) else {
        return;
    };
    // SAFETY: a C string; the result is kept for ever, as `Py_SetProgramName` asks for.
    let name = unsafe { decode(executable.as_ptr(), std::ptr::null_mut()) };
    if !name.is_null() {
        // SAFETY: a wide string that is never freed, before the start.
        unsafe { set(name) };
    }
}

/// From 3.14 on.
fn configure(api: &Api, executable: &str) -> Result<(), String> {
    let (
        Some(create),
        Some(set_text),
        Some(set_number),
        Some(problem),
        Some(initialize),
        Some(free),
    ) = (
        api.PyInitConfig_Create,
        api.PyInitConfig_SetStr,
        api.PyInitConfig_SetInt,
        api.PyInitConfig_GetError,
        api.Py_InitializeFromInitConfig,
        api.PyInitConfig_Free,
    )
    else {
        return Err("this library of Python's is not whole".to_owned());
    };
    let executable = CString::new(executable).map_err(|_| "a path with a NUL in it".to_owned())?;
    // SAFETY: before the start.
    let config = unsafe { create() };
    if config.is_null() {
        return Err("Python had no memory to start".to_owned());
    }
    // An isolated configuration is what is made; this asks for what `python3` itself does.
    let numbers = [
        (c"use_environment", 1),
        (c"user_site_directory", 1),
        (c"site_import", 1),
        (c"install_signal_handlers", 0),
    ];
    let mut failed = false;
    for (name, value) in numbers {
        // SAFETY: a live configuration and a C string.
        failed |= unsafe { set_number(config, name.as_ptr(), value) } < 0;
    }
    for name in [c"program_name", c"executable"] {
        // SAFETY: a live configuration and C strings.
        failed |= unsafe { set_text(config, name.as_ptr(), executable.as_ptr()) } < 0;
    }
    // SAFETY: a live configuration, the first start of the process.
    failed = failed || unsafe { initialize(config) } < 0;
    let mut outcome = Ok(());
    if failed {
        let mut text = std::ptr::null();
        // SAFETY: a live configuration; the text lives as long.
        unsafe { problem(config, &raw mut text) };
        let text = if text.is_null() {
            "for an unknown reason".into()
        } else {
            // SAFETY: a C string of the configuration's.
            unsafe { CStr::from_ptr(text) }
                .to_string_lossy()
                .into_owned()
        };
        outcome = Err(format!("Python could not be started: {text}"));
    }
    // SAFETY: created above, used no more.
    unsafe { free(config) };
    outcome
}
