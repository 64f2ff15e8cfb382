//! CRuby's start, on the thread that is its main one from then on. It is what the application's own `ruby` is:
//! its library says where its standard library and its gems are, and `RUBYOPT`, `RUBYLIB` and `GEM_HOME` hold.

use std::ffi::{CString, c_char, c_int, c_void};

use fulmar_guest::Settings;
use fulmar_guest::dynamic::{Opened, Scope, open};

use crate::ffi::Api;
use crate::signals::{self, Signals};

/// Opens the library and starts Ruby on this thread, which holds its lock afterwards.
///
/// # Errors
/// Why not, and what to do.
pub(crate) fn start(settings: &Settings) -> Result<Api, String> {
    let name = settings.text("library").unwrap_or("libruby.so");
    let path = CString::new(name).map_err(|_| "a path with a NUL in it".to_owned())?;
    let library = open(&path, Scope::Process)
        .map_err(|problem| format!("the library of Ruby could not be opened: {problem}"))?;
    check_version(library, name)?;
    let api = Api::of(library).map_err(|missing| {
        format!("{name} lacks {missing}: CRuby 3.0 or newer is expected, built as a shared library")
    })?;
    let before = Signals::now();
    signals::unblock();
    let started = run(&api);
    before.restore(api.ruby_native_thread_p);
    signals::begin_process();
    // One that came meanwhile told Ruby, and not who waits for a child here: they look again.
    signals::send_again(libc::SIGCHLD);
    started.map(|()| api)
}

/// The oldest version whose functions do all that is asked of them.
const MAJOR_MIN: c_int = 3;

fn check_version(library: Opened, name: &str) -> Result<(), String> {
    let Some(address) = library.symbol(c"ruby_api_version") else {
        return Err(format!("{name} is no library of CRuby's"));
    };
    // SAFETY: `const int ruby_api_version[3]`, in every version since 1.9.
    let [major, minor, _] = unsafe { *address.cast::<[c_int; 3]>() };
    if major < MAJOR_MIN {
        return Err(format!(
            "{name} is Ruby {major}.{minor}: {MAJOR_MIN}.0 or newer is expected"
        ));
    }
    Ok(())
}

fn run(api: &Api) -> Result<(), String> {
    // For ever, and one behind the other: Ruby writes over them where somebody sets `$0`.
    let text: &'static mut [u8] = Box::leak(Box::from(*b"fulmar\0-e\0\0"));
    let start = text.as_mut_ptr().cast::<c_char>();
    let offsets = [0, "fulmar\0".len(), "fulmar\0-e\0".len()];
    let mut arguments: Vec<*mut c_char> = offsets.map(|at| start.wrapping_add(at)).into();
    arguments.push(std::ptr::null_mut());
    let arguments = Box::leak(arguments.into_boxed_slice());
    let mut count = 3;
    let mut list = arguments.as_mut_ptr();
    // SAFETY: arguments as `main` has them, for ever.
    unsafe { (api.ruby_sysinit)(&raw mut count, &raw mut list) };
    let top = stack_top().ok_or("the thread's stack could not be asked for")?;
    // SAFETY: the first start of the process, on the thread that stays Ruby's main one.
    unsafe { (api.ruby_init_stack)(top) };
    // SAFETY: as above.
    let code = unsafe { (api.ruby_setup)() };
    if code != 0 {
        return Err(format!("Ruby could not be started (code {code})"));
    }
    // SAFETY: Ruby is set up; arguments as above. Loads encodings, gems, and what `RUBYOPT` asks for.
    let node = unsafe { (api.ruby_options)(count, list) };
    let mut status = 0;
    // SAFETY: what `ruby_options` gave.
    if unsafe { (api.ruby_executable_node)(node, &raw mut status) } == 0 {
        return Err(format!(
            "Ruby could not be started: it ended with {status}, and wrote the reason to stderr (RUBYOPT is read)"
        ));
    }
    Ok(())
}

/// Where this thread's stack begins: frames of ours may stand above that of the start, and Ruby's collector has
/// to look at them, too.
#[cfg(target_os = "macos")]
fn stack_top() -> Option<*mut c_void> {
    // SAFETY: the calling thread.
    let own = unsafe { libc::pthread_self() };
    // SAFETY: as above.
    let top = unsafe { libc::pthread_get_stackaddr_np(own) };
    Some(top.wrapping_byte_sub(size_of::<usize>()))
}

/// The same on other systems.
#[cfg(not(target_os = "macos"))]
fn stack_top() -> Option<*mut c_void> {
    let mut attributes = std::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
    // SAFETY: the calling thread.
    let own = unsafe { libc::pthread_self() };
    // SAFETY: room for the description.
    if unsafe { libc::pthread_getattr_np(own, attributes.as_mut_ptr()) } != 0 {
        return None;
    }
    let (mut low, mut bytes) = (std::ptr::null_mut(), 0);
    // SAFETY: written by the call above.
    let code =
        unsafe { libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut low, &raw mut bytes) };
    // SAFETY: as above, used no more.
    unsafe { libc::pthread_attr_destroy(attributes.as_mut_ptr()) };
    let top = low.wrapping_byte_add(bytes - size_of::<usize>());
    (code == 0).then_some(top)
}
