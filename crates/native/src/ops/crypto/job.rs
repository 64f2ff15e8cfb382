//! Work that takes long, on another thread: derived keys, generated keys, signatures.

use std::rc::Rc;

use rquickjs::{Ctx, Function, Persistent, Result, Value};

use fulmar_node_crypto::Failure;

use super::failure::Throw as _;
use crate::event_loop::EventLoop;

/// Runs `work` on another thread and calls `done(error)` or `done(null, result)`; the process stays alive until then.
pub(super) fn run<'js, T: Send + 'static>(
    ctx: &Ctx<'js>,
    event_loop: &Rc<EventLoop>,
    done: Function<'js>,
    work: impl FnOnce() -> std::result::Result<T, Failure> + Send + 'static,
    give: impl FnOnce(&Ctx<'js>, T) -> Result<Value<'js>> + 'js,
) {
    event_loop.retain();
    let (event_loop, context) = (Rc::clone(event_loop), ctx.clone());
    let done = Persistent::save(ctx, done);
    let frame = event_loop.frames.hold(ctx);
    ctx.spawn(async move {
        let outcome = tokio::task::spawn_blocking(work).await;
        event_loop.release();
        event_loop.enter_in(&context, frame, || {
            let done = done.restore(&context)?;
            match outcome.unwrap_or(Err(Failure::Failed)) {
                Ok(result) => {
                    let result = give(&context, result)?;
                    done.call::<_, Value<'js>>((Value::new_null(context.clone()), result))
                }
                Err(failure) => {
                    failure.throw(&context);
                    done.call::<_, Value<'js>>((context.catch(),))
                }
            }
        });
    });
}

/// Runs `work` on another thread where there is a callback in `done`, at once where there is none.
pub(super) fn either<'js, T: Send + 'static>(
    ctx: &Ctx<'js>,
    event_loop: &Rc<EventLoop>,
    done: Value<'js>,
    work: impl FnOnce() -> std::result::Result<T, Failure> + Send + 'static,
    give: impl FnOnce(&Ctx<'js>, T) -> Result<Value<'js>> + 'js,
) -> Result<Value<'js>> {
    if let Ok(done) = Function::from_value(done) {
        run(ctx, event_loop, done, work, give);
        return Ok(Value::new_undefined(ctx.clone()));
    }
    give(ctx, work().map_err(|failure| failure.throw(ctx))?)
}
