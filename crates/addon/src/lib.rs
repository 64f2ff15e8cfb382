//! The engine as a Node-API addon.
//!
//! `host` drives the engine from libuv on the JavaScript thread, `bindings` and `listen` are what JavaScript
//! can call, `guests` are other languages in this process, `shared_memory` is what both sides write, `lent` what JavaScript lends until it is sent,
//! `deflate` compresses replies, `js` and `uv` are thin layers over the two C interfaces. One host per
//! environment: worker threads have their own. It knows JavaScript, and holds no HTTP logic.

mod bindings;
mod deflate;
mod guests;
mod host;
mod js;
mod lent;
mod listen;
mod shared_memory;
mod uv;

use napi_sys as sys;

/// The Node-API version this addon is written for.
const NAPI_VERSION: i32 = 9;

/// Called by Node once per environment.
///
/// # Safety
/// Called by Node with a live environment.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn napi_register_module_v1(
    raw: sys::napi_env,
    exports: sys::napi_value,
) -> sys::napi_value {
    let env = js::Env(raw);
    let made = std::panic::catch_unwind(|| {
        let host = host::Host::install(env)?;
        // SAFETY: just made; freed only when the environment's clean-up has run.
        let host = unsafe { &*host };
        bindings::exports(env, host).map_err(|error| error.0.to_owned())
    });
    match made {
        Ok(Ok(object)) => object,
        Ok(Err(message)) => {
            env.throw_type_error(&message);
            exports
        }
        Err(_) => {
            env.throw_type_error("the addon failed to initialise");
            exports
        }
    }
}

/// Tells Node which Node-API version the addon was written for.
#[unsafe(no_mangle)]
pub extern "C" fn node_api_module_get_api_version_v1() -> i32 {
    NAPI_VERSION
}
