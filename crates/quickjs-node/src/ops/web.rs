//! `Intl`, from LLRT: its names are put on the global object when somebody first asks for one.

use rquickjs::function::Func;
use rquickjs::{Ctx, Object, Result};

pub(crate) fn install<'js>(ops: &Object<'js>) -> Result<()> {
    ops.set(
        "initialiseIntl",
        Func::from(|ctx: Ctx<'js>| llrt_intl::init(&ctx)),
    )
}
