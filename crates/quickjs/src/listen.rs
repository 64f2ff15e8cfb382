//! Listening on behalf of JavaScript, and changing a listener's configuration.

use std::path::PathBuf;

use fulmar_batch::{inherit, parse_address};
use fulmar_engine::{Id, ListenTarget, ServerConfig};
use rquickjs::{Array, Ctx, Exception, IntoJs as _, Result, Value};

use crate::bindings::whole;
use crate::host::Host;

const EINVAL: i32 = 22;

pub(crate) struct Request {
    /// 0 TCP, 1 Unix socket, 2 descriptor.
    pub(crate) kind: u32,
    /// Host or path.
    pub(crate) text: String,
    /// Port or descriptor.
    pub(crate) number: u32,
    pub(crate) backlog: u32,
    pub(crate) ipv6_only: bool,
    pub(crate) reuse_port: bool,
}

/// Returns `[slot, generation]`, or a negative errno.
pub(crate) fn listen<'js>(ctx: &Ctx<'js>, host: &Host, request: Request) -> Result<Value<'js>> {
    let backlog = i32::try_from(request.backlog).unwrap_or(i32::MAX);
    let target = match request.kind {
        0 => ListenTarget::Tcp {
            address: parse_address(&request.text, request.number)
                .map_err(|what| Exception::throw_type(ctx, what))?,
            ipv6_only: request.ipv6_only,
            backlog,
            reuse_port: request.reuse_port,
        },
        1 => ListenTarget::Unix {
            path: PathBuf::from(request.text),
            backlog,
        },
        _ => match inherit(request.number) {
            Ok(target) => target,
            Err(errno) => return (-errno).into_js(ctx),
        },
    };
    let outcome = host
        .engine
        .borrow_mut()
        .listen(target, ServerConfig::default());
    match outcome {
        Ok(id) => {
            let pair = Array::new(ctx.clone())?;
            pair.set(0, id.slot)?;
            pair.set(1, id.generation)?;
            pair.into_js(ctx)
        }
        Err(error) => (-error.raw_os_error().unwrap_or(EINVAL)).into_js(ctx),
    }
}

/// Keys as in `ConfigKey` of `format.ts`.
pub(crate) fn configure<'js>(
    ctx: &Ctx<'js>,
    host: &Host,
    id: Id,
    key: u32,
    value: f64,
) -> Result<()> {
    let mut engine = host.engine.borrow_mut();
    match engine
        .listener_config(id)
        .map(|config| fulmar_batch::configure(config, key, whole(value)))
    {
        Some(false) => Err(Exception::throw_type(
            ctx,
            "a known configuration key expected",
        )),
        _ => Ok(()),
    }
}
