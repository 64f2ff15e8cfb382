//! Our classes in Java, and their methods that are called.

use std::ffi::CStr;

use jni_sys::{jclass, jobject};

use crate::env::{Env, Global, Method, Outcome, object};
use crate::{jar, natives};

/// `fulmar.guest.Guest`.
pub(crate) struct Classes {
    guest: Global,
    bytes: Global,
    objects: Global,
    pub(crate) run: Method,
    pub(crate) forget: Method,
    pub(crate) cancel_later: Method,
    pub(crate) is_interrupted: Method,
    pub(crate) interrupt: Method,
    pub(crate) current: Method,
    pub(crate) clear: Method,
    pub(crate) flush: Method,
}

impl Classes {
    pub(crate) fn define(env: Env) -> Outcome<Self> {
        let loader = make_loader(env)?;
        let load = |name: &CStr| load(env, loader, name);
        let native = load(c"fulmar.guest.Native")?;
        natives::register(env, native)?;
        env.let_go(native);
        let guest = load(c"fulmar.guest.Guest")?;
        let find = |name: &CStr, signature: &CStr| env.static_method(guest, name, signature);
        Ok(Self {
            run: find(c"run", c"(JJ[BI[Ljava/lang/Object;)V")?,
            forget: find(c"forget", c"(J)V")?,
            cancel_later: find(c"cancelLater", c"(JJ)V")?,
            is_interrupted: find(c"isInterrupted", c"()Z")?,
            interrupt: find(c"interrupt", c"(Ljava/lang/Thread;)V")?,
            current: find(c"current", c"()Ljava/lang/Thread;")?,
            clear: find(c"clear", c"()V")?,
            flush: find(c"flush", c"()V")?,
            guest: env.keep(guest)?,
            bytes: env.keep(env.find_class(c"[B")?)?,
            objects: env.keep(env.find_class(c"java/lang/Object")?)?,
        })
    }

    pub(crate) fn guest(&self) -> jclass {
        self.guest.raw()
    }

    /// Class of arrays of bytes.
    pub(crate) fn bytes(&self) -> jclass {
        self.bytes.raw()
    }

    /// Class of all objects.
    pub(crate) fn objects(&self) -> jclass {
        self.objects.raw()
    }
}

/// The loader of all others, from the bytes of the jar.
fn make_loader(env: Env) -> Outcome<jobject> {
    let bytes = jar::loader_class().ok_or("Fulmar's own jar is not whole")?;
    let system = env.find_class(c"java/lang/ClassLoader")?;
    let signature = c"()Ljava/lang/ClassLoader;";
    let parent = env.static_method(system, c"getSystemClassLoader", signature)?;
    // SAFETY: a static method that takes nothing and gives an object.
    let parent = unsafe { env.call_static(system, parent, &[]) }?;
    env.let_go(system);
    let class = env.define_class(parent, bytes)?;
    let constructor = env.method(class, c"<init>", c"(Ljava/lang/ClassLoader;[B)V")?;
    let jar = env.bytes(jar::JAR)?;
    // SAFETY: the constructor with what its signature says.
    let loader = unsafe { env.new_object(class, constructor, &[object(parent), object(jar)]) }?;
    env.let_go(jar);
    env.let_go(parent);
    env.let_go(class);
    Ok(loader)
}

fn load(env: Env, loader: jobject, name: &CStr) -> Outcome<jclass> {
    let class = env.find_class(c"java/lang/Class")?;
    let signature = c"(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;";
    let find = env.static_method(class, c"forName", signature)?;
    let text = env.text(&name.to_string_lossy())?;
    let arguments = [object(text), jni_sys::jvalue { z: true }, object(loader)];
    // SAFETY: the method with what its signature says.
    let found = unsafe { env.call_static(class, find, &arguments) };
    env.let_go(text);
    env.let_go(class);
    found
}

/// What applications have asked to be done at the end (`Runtime.addShutdownHook`, `File.deleteOnExit`). Java itself
/// does it when a machine is taken down, which ours never is; JNI may call what is hidden. Where a newer Java has
/// no such method, nothing is done.
pub(crate) fn run_shutdown_hooks(env: Env) {
    let Ok(class) = env.find_class(c"java/lang/Shutdown") else {
        return;
    };
    if let Ok(method) = env.static_method(class, c"runHooks", c"()V") {
        // SAFETY: a static method of this class, that takes and gives nothing.
        let _run = unsafe { env.call_void(class, method, &[]) };
    }
    env.let_go(class);
}
