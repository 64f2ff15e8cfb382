//! What the functions of this crate need of the loop that runs them: to keep the process alive, and to call
//! JavaScript when something has happened. The loop itself, with the engine that it drives, is the program's
//! (`crates/quickjs`).
//!
//! A trait, and never `dyn`: a program has one loop, so what is made with one is compiled for that loop
//! alone, in the program's crate. Each call is a direct one there, the counting is inlined, and `enter` takes
//! any closure without a box, once for each event of a socket.

use rquickjs::{Ctx, Error, Result};

/// The event loop, on the one thread that runs JavaScript.
pub trait Loop: 'static {
    /// The asynchronous context (the values of `AsyncLocalStorage`) of who asked for something.
    type Frame: 'static;

    /// One more thing keeps the process alive.
    fn retain(&self);

    /// One thing less keeps it alive.
    fn release(&self);

    /// Keeps the current frame: for what goes on later.
    fn hold(&self, ctx: &Ctx<'_>) -> Self::Frame;

    /// Calls into JavaScript from outside; returns whether the call ended normally. An error is reported in
    /// the frame where it was thrown.
    fn enter<'js, T>(&self, ctx: &Ctx<'js>, call: impl FnOnce() -> Result<T>) -> bool;

    /// As [`Self::enter`], in the frame of who asked for it.
    fn enter_in<'js, T>(
        &self,
        ctx: &Ctx<'js>,
        frame: Self::Frame,
        call: impl FnOnce() -> Result<T>,
    ) -> bool;

    /// Was the code of the last call ended by the limit of time?
    fn was_interrupted(&self) -> bool;

    /// Reports an error that nobody caught.
    fn report(&self, ctx: &Ctx<'_>, error: Error);
}
