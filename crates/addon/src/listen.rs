//! Listening on behalf of JavaScript, and changing a listener's configuration.

use std::os::fd::{BorrowedFd, IntoRawFd as _};
use std::path::PathBuf;

use fulmar_batch::{inherit, parse_address};
use fulmar_engine::{Id, ListenTarget, ServerConfig};
use napi_sys as sys;

use crate::bindings::Call;
use crate::js::{JsError, Result};

/// (kind: 0 TCP | 1 Unix | 2 descriptor | 3 copy of a descriptor, host or path, port or descriptor, backlog,
/// ipv6Only, reusePort). Returns `[slot, generation]`, or a negative errno.
pub(crate) fn listen(c: &Call<'_>) -> Result<sys::napi_value> {
    let kind = c.args.u32(0)?;
    let text = c.args.utf8(1).unwrap_or_default();
    let number = c.args.u32(2)?;
    let backlog = i32::try_from(c.args.u32(3)?).unwrap_or(i32::MAX);
    let (ipv6_only, reuse_port) = (c.args.bool(4)?, c.args.bool(5)?);
    let target = match kind {
        0 => {
            let text = String::from_utf8(text).map_err(|_| JsError("an IP address expected"))?;
            let address = parse_address(&text, number).map_err(JsError)?;
            ListenTarget::Tcp {
                address,
                ipv6_only,
                backlog,
                reuse_port,
            }
        }
        1 => {
            use std::os::unix::ffi::OsStringExt as _;
            ListenTarget::Unix {
                path: PathBuf::from(std::ffi::OsString::from_vec(text)),
                backlog,
            }
        }
        _ => {
            let descriptor = if kind == 3 { copy(number) } else { Ok(number) };
            match descriptor.and_then(inherit) {
                Ok(target) => target,
                Err(errno) => return c.env.number(-f64::from(errno)),
            }
        }
    };
    let outcome = c
        .host
        .engine
        .borrow_mut()
        .listen(target, ServerConfig::default());
    match outcome {
        Ok(id) => {
            c.host.schedule();
            c.env.array(&[
                c.env.number(f64::from(id.slot))?,
                c.env.number(f64::from(id.generation))?,
            ])
        }
        Err(error) => c
            .env
            .number(-f64::from(error.raw_os_error().unwrap_or(EINVAL))),
    }
}

const EINVAL: i32 = 22;

/// Another descriptor of the same socket. Fails with an errno.
fn copy(number: u32) -> std::result::Result<u32, i32> {
    let fd = i32::try_from(number).map_err(|_| EINVAL)?;
    // SAFETY: a handle of libuv's that the caller holds open keeps the descriptor for this call.
    let owned = unsafe { BorrowedFd::borrow_raw(fd) }.try_clone_to_owned();
    let owned = owned.map_err(|error| error.raw_os_error().unwrap_or(EINVAL))?;
    u32::try_from(owned.into_raw_fd()).map_err(|_| EINVAL)
}

/// (slot, generation, key, value); keys as in `ConfigKey` of `format.ts`.
pub(crate) fn configure(c: &Call<'_>) -> Result<sys::napi_value> {
    let id = Id {
        slot: c.args.u32(0)?,
        generation: c.args.u32(1)?,
    };
    let (key, value) = (c.args.u32(2)?, c.args.u64(3)?);
    let mut engine = c.host.engine.borrow_mut();
    let known = engine
        .listener_config(id)
        .is_none_or(|config| fulmar_batch::configure(config, key, value));
    if !known {
        return Err(JsError("a known configuration key expected"));
    }
    Ok(c.env.undefined())
}

/// `[address, port, family]`, the path of a Unix socket, or null.
pub(crate) fn address(c: &Call<'_>) -> Result<sys::napi_value> {
    let id = Id {
        slot: c.args.u32(0)?,
        generation: c.args.u32(1)?,
    };
    let engine = c.host.engine.borrow();
    if let Some(path) = engine.listener_path(id) {
        return c.env.string(&path.to_string_lossy());
    }
    match engine.listener_address(id) {
        Some(address) => {
            let family = if address.is_ipv4() { "IPv4" } else { "IPv6" };
            let items = [
                c.env.string(&address.ip().to_string())?,
                c.env.number(f64::from(address.port()))?,
                c.env.string(family)?,
            ];
            c.env.array(&items)
        }
        None => Ok(c.env.null()),
    }
}
