//! Work on another thread: what would block the event loop runs there, its result comes back as a call.

use std::rc::Rc;

use rquickjs::{Ctx, Result};

use crate::event_loop::Loop;

/// Runs `work` on a thread of the pool, then `finish` on the event loop's. Keeps the process alive until
/// then. `None` when `work` panicked.
pub(crate) fn run<'js, T: Send + 'static>(
    ctx: &Ctx<'js>,
    event_loop: &Rc<impl Loop>,
    work: impl FnOnce() -> T + Send + 'static,
    finish: impl FnOnce(&Ctx<'js>, Option<T>) -> Result<()> + 'js,
) {
    event_loop.retain();
    let (event_loop, context) = (Rc::clone(event_loop), ctx.clone());
    let frame = event_loop.hold(ctx);
    ctx.spawn(async move {
        let outcome = tokio::task::spawn_blocking(work).await.ok();
        event_loop.release();
        event_loop.enter_in(&context, frame, || finish(&context, outcome));
    });
}

/// Runs `finish` on the event loop in a turn of its own. Keeps the process alive until then.
pub(crate) fn soon<'js>(
    ctx: &Ctx<'js>,
    event_loop: &Rc<impl Loop>,
    finish: impl FnOnce(&Ctx<'js>) -> Result<()> + 'js,
) {
    event_loop.retain();
    let (event_loop, context) = (Rc::clone(event_loop), ctx.clone());
    let frame = event_loop.hold(ctx);
    ctx.spawn(async move {
        tokio::task::yield_now().await;
        event_loop.release();
        event_loop.enter_in(&context, frame, || finish(&context));
    });
}
