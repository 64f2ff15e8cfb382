//! `node:crypto` for JavaScript; the algorithms are in `crates/node-crypto`. Names, arguments, streams and
//! errors are JavaScript's part (`packages/quickjs-node/src/crypto/index.ts`).

mod bytes;
mod cipher_ops;
mod derive_ops;
mod failure;
mod hash;
mod job;
mod key_ops;
mod random;
mod sign_ops;

use std::rc::Rc;

use rquickjs::{Ctx, Object, Result};

use crate::event_loop::Loop;

/// Adds `crypto()`, which gives the functions when they are first needed: an object with hashes and random
/// bytes alone is made at once.
pub(crate) fn install<'js>(ops: &Object<'js>, event_loop: &Rc<impl Loop>) -> Result<()> {
    hash::install(ops)?;
    random::install(ops)?;
    let event_loop = Rc::clone(event_loop);
    ops.set(
        "crypto",
        rquickjs::function::Func::from(move |ctx: Ctx<'js>| -> Result<Object<'js>> {
            let more = Object::new(ctx)?;
            key_ops::install(&more, &event_loop)?;
            sign_ops::install(&more, &event_loop)?;
            derive_ops::install(&more, &event_loop)?;
            cipher_ops::install(&more)?;
            Ok(more)
        }),
    )
}
