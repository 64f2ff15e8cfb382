//! Work that takes long, on another thread: derived keys, generated keys, signatures.

use std::rc::Rc;
use std::sync::LazyLock;

use rquickjs::{Ctx, Function, Persistent, Result, Value};
use tokio::sync::Semaphore;

use fulmar_node_crypto::Failure;

use super::failure::Throw as _;
use crate::event_loop::Loop;

/// Jobs that run at the same time where `UV_THREADPOOL_SIZE` says nothing else, and the most that it may say:
/// libuv's.
const JOBS: usize = 4;
const JOBS_MAX: usize = 1024;

/// The others wait: each job may take as much memory as its caller asked for (of scrypt 16 MiB), and tokio
/// has threads for 512.
static FREE: LazyLock<Semaphore> = LazyLock::new(|| {
    let asked = std::env::var("UV_THREADPOOL_SIZE").ok();
    let asked = asked.and_then(|text| text.trim().parse::<usize>().ok());
    Semaphore::new(asked.unwrap_or(JOBS).clamp(1, JOBS_MAX))
});

/// Runs `work` on another thread and calls `done(error)` or `done(null, result)`; the process stays alive
/// until then.
pub(super) fn run<'js, T: Send + 'static>(
    ctx: &Ctx<'js>,
    event_loop: &Rc<impl Loop>,
    done: Function<'js>,
    work: impl FnOnce() -> std::result::Result<T, Failure> + Send + 'static,
    give: impl FnOnce(&Ctx<'js>, T) -> Result<Value<'js>> + 'js,
) {
    event_loop.retain();
    let (event_loop, context) = (Rc::clone(event_loop), ctx.clone());
    let done = Persistent::save(ctx, done);
    let frame = event_loop.hold(ctx);
    ctx.spawn(async move {
        // Nobody closes the semaphore.
        let permit = FREE.acquire().await.ok();
        let outcome = tokio::task::spawn_blocking(work).await;
        drop(permit);
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
    event_loop: &Rc<impl Loop>,
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
