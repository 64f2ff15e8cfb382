//! Java as a guest (`crates/guest`): a library that finds `libjvm` when it is opened, version 11 or newer.
//!
//! `machine` starts the virtual machine, `env` are the functions of JNI that are used, `classes` finds ours,
//! `natives` is what Java calls, `signals` keeps Node's, `language` ties it to queue and threads. Messages are
//! read, done and written in Java (`../java`), whose classes are part of this library (`guest.jar`, made by
//! `scripts/java-classes.mjs`).

mod classes;
mod env;
mod jar;
mod language;
mod machine;
mod natives;
mod signals;

fulmar_guest::guest!(language::JavaLanguage);
