//! When QuickJS looks for garbage in cycles. By itself it does when half as much again is in use as after the
//! last time; every request of a server leaves a cycle (a request and its reply name each other), so a small
//! heap would be walked through for every few hundred of them.

use std::cell::Cell;

use rquickjs::{Ctx, qjs};

/// Memory in use before it looks for the first time, in bytes: what a server has loaded when it starts is no
/// garbage.
pub(crate) const FIRST: qjs::size_t = 8 * 1024 * 1024;
/// At least this much must have been added since the last time, in bytes.
const ADDED_MIN: qjs::size_t = 6 * 1024 * 1024;

pub(crate) struct Cycles {
    /// What was set last; another value says that QuickJS has looked and set its own.
    threshold: Cell<qjs::size_t>,
}

impl Cycles {
    pub(crate) fn new() -> Self {
        Self {
            threshold: Cell::new(FIRST),
        }
    }

    /// After a turn: puts the next time off when QuickJS has looked within it.
    #[inline]
    pub(crate) fn pace(&self, ctx: &Ctx<'_>) {
        // SAFETY: the context is alive, hence its runtime.
        let runtime = unsafe { qjs::JS_GetRuntime(ctx.as_raw().as_ptr()) };
        // SAFETY: reads one field.
        let threshold = unsafe { qjs::JS_GetGCThreshold(runtime) };
        if threshold == self.threshold.get() {
            return;
        }
        // It was set to one and a half times what was in use.
        let next = threshold.max(threshold / 3 * 2 + ADDED_MIN);
        self.threshold.set(next);
        // SAFETY: writes one field.
        unsafe { qjs::JS_SetGCThreshold(runtime, next) };
    }
}

#[cfg(test)]
mod tests;
