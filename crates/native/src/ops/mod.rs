//! What the runtime offers to its JavaScript modules (`packages/quickjs-node`): plain functions, one file per subject.

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
mod scripts;
mod signals;
mod strings;
mod terminal;
mod tls;
mod url;
mod values;
mod web;
mod zlib;

use std::rc::Rc;
pub(crate) use strings::without_surrogates;

use rquickjs::{Ctx, Object, Result};

use crate::event_loop::EventLoop;
use crate::memory;
use crate::modules::Modules;

/// Makes the object that the boot module gets.
pub(crate) fn object<'js>(
    ctx: &Ctx<'js>,
    event_loop: &Rc<EventLoop>,
    modules: &Rc<Modules>,
) -> Result<Object<'js>> {
    memory::install(ctx);
    let ops = Object::new(ctx.clone())?;
    errno::install(&ops)?;
    children::install(&ops, event_loop)?;
    fs::install(&ops, event_loop)?;
    crypto::install(&ops, event_loop)?;
    os::install(&ops)?;
    zlib::install(&ops, event_loop)?;
    process::install(&ops, event_loop)?;
    environment::install(&ops)?;
    signals::install(&ops, event_loop)?;
    scripts::install(&ops, modules)?;
    bytes::install(&ops)?;
    numbers::install(&ops)?;
    strings::install(&ops)?;
    url::install(&ops)?;
    terminal::install(&ops)?;
    values::install(&ops)?;
    web::install(&ops)?;
    dns::install(&ops, event_loop)?;
    http::install(&ops)?;
    tls::install(&ops)?;
    net::install(ctx, &ops, event_loop)?;
    Ok(ops)
}
