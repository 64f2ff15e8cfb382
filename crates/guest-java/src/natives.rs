//! What Java calls of ours (`../java/fulmar/guest/Native.java`).

use std::ffi::{CStr, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use fulmar_guest::callbacks::Answer;
use fulmar_guest::wire::Writer;
use jni_sys::{JNIEnv, JNINativeMethod, jclass, jint, jlong, jobject};

use crate::env::{Env, Outcome};
use crate::language::{State, state};

pub(crate) fn register(env: Env, class: jclass) -> Outcome<()> {
    let method =
        |name: &'static CStr, signature: &'static CStr, function: *mut c_void| JNINativeMethod {
            name: name.as_ptr().cast_mut(),
            signature: signature.as_ptr().cast_mut(),
            fnPtr: function,
        };
    let methods = [
        method(c"reply", c"(J[BI[[B)V", reply as *mut c_void),
        method(c"begin", c"(J)J", begin as *mut c_void),
        method(c"giveUp", c"(J)V", give_up as *mut c_void),
        method(c"call", c"(JJ[BI[[B)[[B", call as *mut c_void),
    ];
    // SAFETY: the functions below have these parameters.
    unsafe { env.register(class, &methods) }
}

/// The one door from Java. Nothing comes of a bug of ours but what stands for nothing.
fn enter<T>(
    raw: *mut JNIEnv,
    nothing: T,
    body: impl FnOnce(&'static State, Env) -> Option<T>,
) -> T {
    let Some(state) = state() else {
        return nothing;
    };
    // SAFETY: Java has called: this thread is attached.
    let env = unsafe { Env::of(raw) };
    let outcome = catch_unwind(AssertUnwindSafe(|| body(state, env)));
    outcome.ok().flatten().unwrap_or(nothing)
}

fn message(env: Env, bytes: jobject, length: jint, attached: jobject) -> Option<Writer> {
    let length = usize::try_from(length).ok()?;
    let mut writer = Writer {
        bytes: env.read(bytes, length).ok()?,
        ..Writer::default()
    };
    if attached.is_null() {
        return Some(writer);
    }
    for index in 0..env.length(attached) {
        let block = env.item(attached, index).ok()?;
        writer
            .attached
            .push(env.read(block, env.length(block)).ok()?);
        env.let_go(block);
    }
    Some(writer)
}

/// (client, bytes, length, attached)
extern "system" fn reply(
    env: *mut JNIEnv,
    _class: jclass,
    client: jlong,
    bytes: jobject,
    length: jint,
    attached: jobject,
) {
    enter(env, (), |state, env| {
        let client = state.client(client.cast_unsigned())?;
        client.reply(message(env, bytes, length, attached)?);
        Some(())
    });
}

/// (client) → number
extern "system" fn begin(env: *mut JNIEnv, _class: jclass, client: jlong) -> jlong {
    enter(env, 0, |state, _env| {
        let number = state.callbacks()?.begin(client.cast_unsigned());
        Some(number.cast_signed())
    })
}

/// (number)
extern "system" fn give_up(env: *mut JNIEnv, _class: jclass, number: jlong) {
    enter(env, (), |state, _env| {
        state.callbacks()?.give_up(number.cast_unsigned());
        Some(())
    });
}

/// (client, number, bytes, length, attached) → the answer, or null
extern "system" fn call(
    env: *mut JNIEnv,
    _class: jclass,
    client: jlong,
    number: jlong,
    bytes: jobject,
    length: jint,
    attached: jobject,
) -> jobject {
    enter(env, ptr::null_mut(), |state, env| {
        let callbacks = state.callbacks()?;
        let number = number.cast_unsigned();
        let sent = state.client(client.cast_unsigned()).and_then(|client| {
            client.reply(message(env, bytes, length, attached)?);
            Some(client)
        });
        let Some(client) = sent else {
            // Nobody will answer.
            callbacks.give_up(number);
            return None;
        };
        let is_wanted = || !client.is_closed() && !state.is_interrupted(env);
        let answer = fulmar_guest::aside(|is_still_wanted| {
            callbacks.wait(number, &|| is_still_wanted() && is_wanted())
        });
        answered(state, env, &answer?).ok()
    })
}

fn answered(state: &State, env: Env, answer: &Answer) -> Outcome<jobject> {
    let list = env.list(state.classes.bytes(), answer.attached.len() + 1)?;
    env.put(list, 0, env.bytes(&answer.message)?)?;
    for (index, block) in answer.attached.iter().enumerate() {
        env.put(list, index + 1, env.bytes(block)?)?;
    }
    Ok(list)
}
