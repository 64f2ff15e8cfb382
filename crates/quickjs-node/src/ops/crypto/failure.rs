//! Throws what goes wrong in `crypto` as Node's errors.

use fulmar_node_crypto::Failure;
use rquickjs::function::Constructor;
use rquickjs::{Ctx, Error, Object};

/// Throws a failure.
pub(super) trait Throw {
    fn throw(self, ctx: &Ctx<'_>) -> Error;
}

impl Throw for Failure {
    fn throw(self, ctx: &Ctx<'_>) -> Error {
        match error(self, ctx) {
            Ok(error) | Err(error) => error,
        }
    }
}

fn error(failure: Failure, ctx: &Ctx<'_>) -> rquickjs::Result<Error> {
    let message = match failure.openssl() {
        Some((number, library, reason, _)) => format!("error:{number}:{library}::{reason}"),
        None => failure.message().to_owned(),
    };
    let class = match failure {
        Failure::MissingPassphrase | Failure::InvalidDigest => "TypeError",
        _ => "Error",
    };
    let class: Constructor<'_> = ctx.globals().get(class)?;
    let error: Object<'_> = class.construct((message.clone(),))?;
    if let Some((_, library, reason, code)) = failure.openssl() {
        if matches!(
            failure,
            Failure::Unsupported | Failure::WrongFinalBlock | Failure::BadPadding
        ) {
            error.set("opensslErrorStack", vec![message.clone()])?;
        }
        error.set("library", library)?;
        error.set("reason", reason)?;
        error.set("code", code)?;
    } else if let Some(code) = failure.code() {
        error.set("code", code)?;
    }
    Ok(ctx.throw(error.into_value()))
}
