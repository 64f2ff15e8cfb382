//! What the host offers to its JavaScript modules (`packages/quickjs-node`). Here are the functions that are
//! the program's own: of its event loop and engine, and of the archives that it carries. All others are of
//! `crates/quickjs-node`, which knows neither.

mod event_loop;
mod scripts;

use std::rc::Rc;

use rquickjs::{Ctx, Object, Result};

use crate::event_loop::EventLoop;
use crate::modules::Modules;

/// Makes the object that the boot module gets.
pub(crate) fn object<'js>(
    ctx: &Ctx<'js>,
    event_loop: &Rc<EventLoop>,
    modules: &Rc<Modules>,
) -> Result<Object<'js>> {
    let ops = Object::new(ctx.clone())?;
    fulmar_quickjs_node::install(ctx, &ops, event_loop)?;
    event_loop::install(&ops, event_loop)?;
    scripts::install(&ops, modules)?;
    Ok(ops)
}
