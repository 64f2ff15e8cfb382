//! Errors for JavaScript, as values.

use rquickjs::{Ctx, Exception, Value};

/// An `Error` with this message.
#[must_use]
pub fn error_value<'js>(ctx: &Ctx<'js>, message: &str) -> Value<'js> {
    match Exception::from_message(ctx.clone(), message) {
        Ok(error) => error.into_value(),
        Err(_) => ctx.catch(),
    }
}
