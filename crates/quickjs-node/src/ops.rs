//! What the host offers to its JavaScript modules (`packages/quickjs-node`): plain functions, one file per
//! subject. Those of the event loop and of archives are the program's (`crates/quickjs/src/ops.rs`).

mod background;
mod bytes;
mod children;
mod crypto;
mod dns;
mod environment;
mod errno;
mod fs;
mod http;
mod net;
mod net_address;
mod net_open;
mod numbers;
mod os;
mod process;
mod signals;
mod strings;
mod terminal;
mod tls;
mod url;
mod values;
mod web;
mod zlib;

use std::rc::Rc;

use rquickjs::{Ctx, Object, Result};

use crate::event_loop::Loop;
use crate::memory;
pub use strings::without_surrogates;

/// Adds the functions to the object that the boot module gets. Once, before any JavaScript runs.
pub fn install<'js>(ctx: &Ctx<'js>, ops: &Object<'js>, event_loop: &Rc<impl Loop>) -> Result<()> {
    memory::install(ctx);
    errno::install(ops)?;
    children::install(ops, event_loop)?;
    fs::install(ops, event_loop)?;
    crypto::install(ops, event_loop)?;
    os::install(ops)?;
    zlib::install(ops, event_loop)?;
    process::install(ops)?;
    environment::install(ops)?;
    signals::install(ops, event_loop)?;
    bytes::install(ops)?;
    numbers::install(ops)?;
    strings::install(ops)?;
    url::install(ops)?;
    terminal::install(ops)?;
    values::install(ops)?;
    web::install(ops)?;
    dns::install(ops, event_loop)?;
    http::install(ops)?;
    tls::install(ops)?;
    net::install(ctx, ops, event_loop)
}
