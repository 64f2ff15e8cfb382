//! The virtual machine's start, and threads that come to it.

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;

use fulmar_guest::Settings;
use fulmar_guest::dynamic::{Scope, open};
use jni_sys::{
    JNI_OK, JNI_VERSION_10, JavaVM, JavaVMAttachArgs, JavaVMInitArgs, JavaVMOption, jint, jsize,
};

use crate::env::Env;
use crate::signals::Handlers;

/// Before those of the settings: it leaves signals to the host, writes nothing to a disk, collects beside what
/// runs where it is asked to (`Pressure.java`), and texts are UTF-8 whatever the locale is, as in newer versions.
const OPTIONS: [&CStr; 6] = [
    c"-Xrs",
    c"-XX:-UsePerfData",
    c"-XX:+ExplicitGCInvokesConcurrent",
    c"-Dfile.encoding=UTF-8",
    c"-Dsun.stdout.encoding=UTF-8",
    c"-Dsun.stderr.encoding=UTF-8",
];

type Create = unsafe extern "system" fn(*mut *mut JavaVM, *mut *mut c_void, *mut c_void) -> jint;
type Created = unsafe extern "system" fn(*mut *mut JavaVM, jsize, *mut jsize) -> jint;

/// The one machine of the process. It is never taken down.
#[derive(Clone, Copy)]
pub(crate) struct Machine(*mut JavaVM);

// SAFETY: its functions may be called on any thread.
unsafe impl Send for Machine {}
// SAFETY: as above.
unsafe impl Sync for Machine {}

/// Opens the library and starts the machine on this thread, unless somebody in this process has.
///
/// # Errors
/// Why not, and what to do.
pub(crate) fn start(settings: &Settings) -> Result<(Machine, Env), String> {
    let name = settings.text("library").unwrap_or("libjvm.so");
    let path = CString::new(name).map_err(|_| "a path with a NUL in it".to_owned())?;
    let library = open(&path, Scope::Own)
        .map_err(|problem| format!("the library of Java could not be opened: {problem}"))?;
    let created = library.symbol(c"JNI_GetCreatedJavaVMs");
    let create = library.symbol(c"JNI_CreateJavaVM");
    let (Some(created), Some(create)) = (created, create) else {
        return Err(format!("{name} is no library of a Java virtual machine"));
    };
    // SAFETY: the name stands for this type, in every version.
    let created: Created = unsafe { std::mem::transmute(created) };
    // SAFETY: as above.
    let create: Create = unsafe { std::mem::transmute(create) };
    if let Some(machine) = existing(created) {
        let env = machine.attach(c"fulmar")?;
        return Ok((machine, env));
    }
    let handlers = Handlers::of_now();
    let made = make(create, settings.list("jvmOptions"), name);
    handlers.put_back();
    made
}

fn existing(created: Created) -> Option<Machine> {
    let mut machine = ptr::null_mut();
    let mut count = 0;
    // SAFETY: room for one, and for how many there are.
    let code = unsafe { created(&raw mut machine, 1, &raw mut count) };
    (code == JNI_OK && count > 0).then_some(Machine(machine))
}

fn make(create: Create, own: &[String], name: &str) -> Result<(Machine, Env), String> {
    let mut texts: Vec<CString> = OPTIONS.iter().map(|&text| text.to_owned()).collect();
    for text in own {
        let text = CString::new(text.as_str());
        texts.push(text.map_err(|_| "jvmOptions: an option with a NUL in it".to_owned())?);
    }
    let mut options: Vec<JavaVMOption> = texts
        .iter()
        .map(|text| JavaVMOption {
            optionString: text.as_ptr().cast_mut(),
            extraInfo: ptr::null_mut(),
        })
        .collect();
    let mut arguments = JavaVMInitArgs {
        version: JNI_VERSION_10,
        nOptions: jint::try_from(options.len()).unwrap_or(0),
        options: options.as_mut_ptr(),
        ignoreUnrecognized: false,
    };
    let mut machine = ptr::null_mut();
    let mut env = ptr::null_mut();
    let given = (&raw mut arguments).cast();
    // SAFETY: the first start of the process; the options live for its time.
    let code = unsafe { create(&raw mut machine, &raw mut env, given) };
    match code {
        // SAFETY: this thread is the machine's first, and stays attached.
        JNI_OK => Ok((Machine(machine), unsafe { Env::of(env.cast()) })),
        jni_sys::JNI_EVERSION => Err(format!("{name} is too old: Java 11 or newer is expected")),
        _ if own.is_empty() => Err(format!(
            "the Java virtual machine of {name} did not start (code {code}); what it says itself is on the error output"
        )),
        _ => Err(format!(
            "the Java virtual machine of {name} did not start (code {code}) with the options {}; what it says itself is on the error output",
            own.join(" ")
        )),
    }
}

/// A thread that was attached for a while.
pub(crate) struct Visit {
    machine: Machine,
    pub(crate) env: Env,
}

impl Drop for Visit {
    fn drop(&mut self) {
        let table = self.machine.table();
        // SAFETY: attached by `visit`; nothing of Java's is on its stack.
        unsafe { (table.DetachCurrentThread)(self.machine.0) };
    }
}

impl Machine {
    fn table<'a>(self) -> &'a jni_sys::JNIInvokeInterface__1_4 {
        // SAFETY: a live machine begins with the address of its table.
        let interface = unsafe { *self.0 };
        // SAFETY: which lives as long as the process.
        let interface = unsafe { &*interface };
        // SAFETY: every version since 1.4 has these.
        unsafe { &interface.v1_4 }
    }

    /// Attaches this thread, if it is not. Java does not wait for such threads when it ends.
    pub(crate) fn attach(self, name: &CStr) -> Result<Env, String> {
        let mut env = ptr::null_mut();
        let mut arguments = JavaVMAttachArgs {
            version: JNI_VERSION_10,
            name: name.as_ptr().cast_mut().cast::<c_char>(),
            group: ptr::null_mut(),
        };
        let table = self.table();
        let given = (&raw mut arguments).cast();
        // SAFETY: a live machine; the name is copied.
        let code = unsafe { (table.AttachCurrentThreadAsDaemon)(self.0, &raw mut env, given) };
        if code != JNI_OK {
            return Err(format!(
                "a thread could not be attached to Java (code {code})"
            ));
        }
        // SAFETY: this thread's, which is attached.
        Ok(unsafe { Env::of(env.cast()) })
    }

    /// Attaches a thread that ends soon.
    pub(crate) fn visit(self, name: &CStr) -> Result<Visit, String> {
        let env = self.attach(name)?;
        Ok(Visit { machine: self, env })
    }
}
