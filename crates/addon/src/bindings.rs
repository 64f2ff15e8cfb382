//! The functions JavaScript can call. Ids are pairs (slot, generation); addresses are
//! `[address, port, family]`.
//!
//! Only `packages/fulmar/src/exchange/binding.ts` calls them; it documents their shapes for TypeScript.

use std::ffi::c_void;
use std::fs::File;
use std::net::SocketAddr;
use std::os::fd::{FromRawFd as _, IntoRawFd as _, OwnedFd};

use fulmar_batch::write_status;
use fulmar_engine::{Body, Engine, FileIdentity, Id, Reply, WriteStatus, sha1_base64};
use napi_sys as sys;
use zlib_rs::DeflateFlush;

use crate::deflate::{STATE_BYTES, Settings};
use crate::host::Host;
use crate::js::{Args, Env, JsError, Result};
use crate::lent::to_body;

/// Most arguments any function takes.
const ARGS: usize = 8;

/// One call: the host and the arguments.
pub(crate) struct Call<'a> {
    pub(crate) host: &'a Host,
    pub(crate) env: Env,
    pub(crate) args: Args<ARGS>,
}

type Binding = fn(&Call<'_>) -> Result<sys::napi_value>;

impl Call<'_> {
    fn id(&self) -> Result<Id> {
        Ok(Id {
            slot: self.args.u32(0)?,
            generation: self.args.u32(1)?,
        })
    }

    fn engine<T>(&self, work: impl FnOnce(&mut Engine) -> T) -> T {
        work(&mut self.host.engine.borrow_mut())
    }

    #[expect(
        clippy::unnecessary_wraps,
        reason = "the result of most bindings, as is"
    )]
    fn nothing(&self) -> Result<sys::napi_value> {
        Ok(self.env.undefined())
    }

    fn body(&self, index: usize) -> Result<Body<'static>> {
        to_body(self.env, &self.args, index)
    }

    fn status(&self, status: WriteStatus) -> Result<sys::napi_value> {
        self.env.number(f64::from(write_status(status)))
    }

    fn address(&self, address: Option<SocketAddr>) -> Result<sys::napi_value> {
        let Some(address) = address else {
            return Ok(self.env.null());
        };
        let text = match address {
            SocketAddr::V6(v6) if v6.scope_id() != 0 => format!("{}%{}", v6.ip(), v6.scope_id()),
            other => other.ip().to_string(),
        };
        let items = [
            self.env.string(&text)?,
            self.env.number(f64::from(address.port()))?,
            self.env
                .string(if address.is_ipv4() { "IPv4" } else { "IPv6" })?,
        ];
        self.env.array(&items)
    }
}

/// Every function, by name.
const TABLE: &[(&str, Binding)] = &[
    ("setup", setup),
    ("setSlab", set_slab),
    ("collect", |c| {
        c.host.collect();
        c.nothing()
    }),
    ("tellAwaited", |c| {
        c.host.tell_awaited();
        c.nothing()
    }),
    ("reportUncaught", |c| {
        c.host.report_within_call(c.args.value(0));
        c.nothing()
    }),
    ("listen", crate::listen::listen),
    ("configure", crate::listen::configure),
    ("listenerAddress", crate::listen::address),
    ("closeListener", |c| {
        c.id()
            .map(|id| c.engine(|e| e.close_listener(id)))
            .and_then(|()| c.nothing())
    }),
    ("drainListener", |c| {
        c.id()
            .map(|id| c.engine(|e| e.drain_listener(id)))
            .and_then(|()| c.nothing())
    }),
    ("closeIdle", |c| {
        c.id()
            .map(|id| c.engine(|e| e.close_idle(id)))
            .and_then(|()| c.nothing())
    }),
    ("closeAll", |c| {
        c.id()
            .map(|id| c.engine(|e| e.close_all(id)))
            .and_then(|()| c.nothing())
    }),
    ("connectionCount", |c| {
        c.env
            .count(c.id().map(|id| c.engine(|e| e.listener_connections(id)))? as u64)
    }),
    ("setReferencedListeners", |c| {
        c.host.listeners_referenced.set(c.args.u32(0)?);
        c.host.schedule();
        c.nothing()
    }),
    ("replyLarge", reply_large),
    ("start", start),
    ("write", |c| {
        let (id, body) = (c.id()?, c.body(2)?);
        c.status(c.engine(|e| e.write(id, body)))
    }),
    ("end", |c| {
        let (id, trailers) = (c.id()?, c.args.latin1(2).unwrap_or_default());
        c.engine(|e| e.end(id, &trailers));
        c.nothing()
    }),
    ("openFile", open_file),
    ("hasDescriptors", |c| {
        let count = usize::try_from(c.args.u32(0)?).unwrap_or(usize::MAX);
        c.env
            .number(f64::from(u8::from(fulmar_engine::has_descriptors(count))))
    }),
    ("sendFile", send_file),
    ("cutFile", cut_file),
    ("sendInterim", |c| {
        let (id, status, block) = (
            c.id()?,
            c.args.u32(2)?,
            c.args.latin1(3).unwrap_or_default(),
        );
        c.engine(|e| e.send_interim(id, u16::try_from(status).unwrap_or(100), &block));
        c.nothing()
    }),
    ("readContent", |c| {
        c.id()
            .map(|id| c.engine(|e| e.read_content(id)))
            .and_then(|()| c.nothing())
    }),
    ("pauseContent", |c| {
        c.id()
            .map(|id| c.engine(|e| e.pause_content(id)))
            .and_then(|()| c.nothing())
    }),
    ("discardContent", |c| {
        c.id()
            .map(|id| c.engine(|e| e.discard_content(id)))
            .and_then(|()| c.nothing())
    }),
    ("notifySent", |c| {
        c.id()
            .map(|id| c.engine(|e| e.notify_sent(id)))
            .and_then(|()| c.nothing())
    }),
    ("abort", |c| {
        c.id()
            .map(|id| c.engine(|e| e.abort(id)))
            .and_then(|()| c.nothing())
    }),
    ("buffered", |c| {
        c.env
            .count(c.id().map(|id| c.engine(|e| e.buffered(id)))? as u64)
    }),
    ("acceptUpgrade", |c| {
        let id = c.id()?;
        c.env.buffer(&c.engine(|e| e.accept_upgrade(id)))
    }),
    ("declineUpgrade", |c| {
        let id = c.id()?;
        let content = c.engine(|e| e.decline_upgrade(id));
        c.env
            .number(if content == fulmar_engine::ContentAfterUpgrade::Streamed {
                1.0
            } else {
                0.0
            })
    }),
    ("watch", |c| {
        c.id()
            .map(|id| c.engine(|e| e.watch(id)))
            .and_then(|alive| c.env.number(f64::from(u8::from(alive))))
    }),
    ("peerAddress", |c| {
        c.id()
            .and_then(|id| c.address(c.engine(|e| e.peer_address(id))))
    }),
    ("localAddress", |c| {
        c.id()
            .and_then(|id| c.address(c.engine(|e| e.local_address(id))))
    }),
    ("transferred", |c| {
        let id = c.id()?;
        c.host.give();
        let (received, sent) = c.engine(|e| e.transferred(id));
        c.env.array(&[c.env.count(received)?, c.env.count(sent)?])
    }),
    ("writeRaw", |c| {
        let (id, body) = (c.id()?, c.body(2)?);
        c.status(c.engine(|e| e.write_raw(id, body)))
    }),
    ("bufferedRaw", |c| {
        c.env
            .count(c.id().map(|id| c.engine(|e| e.buffered_raw(id)))? as u64)
    }),
    ("endRaw", |c| {
        c.id()
            .map(|id| c.engine(|e| e.end_raw(id)))
            .and_then(|()| c.nothing())
    }),
    ("destroy", |c| {
        let (id, reset) = (c.id()?, c.args.bool(2)?);
        c.engine(|e| e.destroy(id, reset));
        c.nothing()
    }),
    ("pauseRaw", |c| {
        let (id, paused) = (c.id()?, c.args.bool(2)?);
        c.engine(|e| e.pause_raw(id, paused));
        c.nothing()
    }),
    ("setSocketTimeout", |c| {
        let (id, timeout_ms) = (c.id()?, c.args.u64(2)?);
        c.engine(|e| e.set_socket_timeout(id, timeout_ms));
        c.nothing()
    }),
    ("setNoDelay", |c| {
        let (id, on) = (c.id()?, c.args.bool(2)?);
        c.engine(|e| e.set_no_delay(id, on));
        c.nothing()
    }),
    ("setKeepAlive", |c| {
        let (id, on, idle_ms) = (c.id()?, c.args.bool(2)?, c.args.u64(3)?);
        c.engine(|e| e.set_keep_alive(id, on, idle_ms));
        c.nothing()
    }),
    ("setReferenced", |c| {
        let (id, on) = (c.id()?, c.args.bool(2)?);
        c.engine(|e| e.set_referenced(id, on));
        c.host.schedule();
        c.nothing()
    }),
    ("stats", stats),
    ("rejectReasons", reject_reasons),
    ("methods", |c| {
        let names: Result<Vec<_>> = fulmar_http1::Method::ALL
            .iter()
            .map(|m| c.env.string(m.as_str()))
            .collect();
        c.env.array(&names?)
    }),
    ("nameDeflate", |c| {
        // Exact up to 2^53: a stream a nanosecond for a hundred days.
        #[expect(clippy::cast_precision_loss, reason = "see above")]
        let name = c.host.compressed.name() as f64;
        c.env.number(name)
    }),
    ("deflate", deflate),
    ("closeDeflate", |c| {
        if c.host.compressed.close(c.args.u64(0)?) {
            c.env.adjust_external_memory(-STATE_BYTES);
        }
        c.nothing()
    }),
    ("guestOpen", crate::guests::open),
    ("guestOpened", crate::guests::opened),
    ("guestSubmit", crate::guests::submit),
    ("guestReceive", crate::guests::receive),
    ("guestWait", crate::guests::wait),
    ("guestCancel", crate::guests::cancel),
    ("guestReferenced", crate::guests::set_referenced),
    ("guestFinish", crate::guests::finish),
    ("sha1Base64", |c| {
        let tag = sha1_base64(c.args.memory(0)?.bytes());
        c.env.string(std::str::from_utf8(&tag).unwrap_or_default())
    }),
];

/// What a JavaScript function carries: its host and what to call. Owned by the host.
pub(crate) struct Bound {
    host: *const Host,
    call: Binding,
}

/// Makes the addon's exports for an environment.
pub(crate) fn exports(env: Env, host: &Host) -> Result<sys::napi_value> {
    let object = env.object()?;
    let bound: Box<[Bound]> = TABLE
        .iter()
        .map(|(_, call)| Bound { host, call: *call })
        .collect();
    for ((name, _), entry) in TABLE.iter().zip(&bound) {
        let data: *const Bound = entry;
        let function = env.function(name, Some(dispatch), data.cast_mut().cast())?;
        env.set(object, name, function)?;
    }
    host.bound.replace(bound); // Moves the box, not what it holds.
    Ok(object)
}

/// The one door from JavaScript: finds the function, turns errors into exceptions and panics into errors.
unsafe extern "C" fn dispatch(
    env: sys::napi_env,
    info: sys::napi_callback_info,
) -> sys::napi_value {
    let env = Env(env);
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut data: *mut c_void = std::ptr::null_mut();
        // SAFETY: env and info are those of the running callback; only `data` is asked for.
        let _status = unsafe {
            sys::napi_get_cb_info(
                env.0,
                info,
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                &raw mut data,
            )
        };
        // SAFETY: `data` was given in `exports`; the host that owns it lives until the environment's
        // clean-up, after which JavaScript no longer runs.
        let bound = unsafe { &*data.cast::<Bound>() };
        // SAFETY: as above.
        let host = unsafe { &*bound.host };
        (bound.call)(&Call {
            host,
            env,
            args: Args::read(env, info)?,
        })
    }));
    match outcome {
        Ok(Ok(value)) => value,
        Ok(Err(JsError(message))) => {
            env.throw_type_error(message);
            env.undefined()
        }
        Err(_) => {
            env.throw_type_error("the engine failed unexpectedly; this is a bug in Fulmar");
            env.undefined()
        }
    }
}

/// (receiver, on batch) → the shared memory: [control, events, commands, arena]
fn setup(c: &Call<'_>) -> Result<sys::napi_value> {
    let buffers = c.host.share(c.args.value(0), c.args.value(1))?;
    c.env.array(&buffers)
}

fn set_slab(c: &Call<'_>) -> Result<sys::napi_value> {
    c.args.memory(0)?; // Refuses what is no Uint8Array.
    c.host.set_slab(c.args.value(0))?;
    c.nothing()
}

/// (slot, generation, status, reason | null, block, flags, body) → the digest of its tag, if one was asked
/// for
fn reply_large(c: &Call<'_>) -> Result<sys::napi_value> {
    let (id, status, flags) = (c.id()?, c.args.u32(2)?, c.args.u32(5)?);
    let (reason, block, body) = (
        c.args.latin1(3),
        c.args.latin1(4).unwrap_or_default(),
        c.body(6)?,
    );
    let reply = Reply {
        status: u16::try_from(status).unwrap_or(500),
        reason: reason.as_deref(),
        block: &block,
        flags,
    };
    match c.engine(|e| e.reply(id, reply, body)) {
        Some(tag) => c.env.string(std::str::from_utf8(&tag).unwrap_or_default()),
        None => c.nothing(),
    }
}

/// (slot, generation, status, reason | null, block, flags, length | -1)
fn start(c: &Call<'_>) -> Result<sys::napi_value> {
    let (id, status, flags, length) = (c.id()?, c.args.u32(2)?, c.args.u32(5)?, c.args.f64(6)?);
    let (reason, block) = (c.args.latin1(3), c.args.latin1(4).unwrap_or_default());
    let length = if length < 0.0 {
        None
    } else {
        Some(c.args.u64(6)?)
    };
    let reply = Reply {
        status: u16::try_from(status).unwrap_or(500),
        reason: reason.as_deref(),
        block: &block,
        flags,
    };
    c.engine(|e| e.start(id, reply, length));
    c.nothing()
}

/// (path, device, inode, size, offset, length) → a descriptor, which is the caller's, or -1.
fn open_file(c: &Call<'_>) -> Result<sys::napi_value> {
    let identity = FileIdentity {
        device: c.args.f64(1)?,
        inode: c.args.f64(2)?,
        size: c.args.f64(3)?,
    };
    let (offset, length) = (c.args.u64(4)?, c.args.u64(5)?);
    let path = c.args.utf8(0).unwrap_or_default();
    let file = fulmar_engine::open_file(&path, identity, offset, length);
    c.env
        .number(file.map_or(-1.0, |file| f64::from(file.into_raw_fd())))
}

/// (slot, generation, fd, offset, length); the descriptor is the engine's from here on.
fn send_file(c: &Call<'_>) -> Result<sys::napi_value> {
    let (id, fd, offset, length) = (c.id()?, c.args.u32(2)?, c.args.u64(3)?, c.args.u64(4)?);
    let fd = i32::try_from(fd).map_err(|_| JsError("a file descriptor expected"))?;
    // SAFETY: the caller passes a descriptor it has opened and gives up.
    let owned = unsafe { OwnedFd::from_raw_fd(fd) };
    c.engine(|e| e.send_file(id, File::from(owned), offset, length));
    c.nothing()
}

/// (slot, generation) → 1: the rest of the file is not sent.
fn cut_file(c: &Call<'_>) -> Result<sys::napi_value> {
    let id = c.id()?;
    c.env
        .number(f64::from(u8::from(c.engine(|e| e.cut_file(id)))))
}

/// (stream, settings, flush, chunk) → what the chunk became, or `null` for nothing. The stream has ended with
/// the flush that ends it.
fn deflate(c: &Call<'_>) -> Result<sys::napi_value> {
    let (id, settings) = (c.args.u64(0)?, Settings::unpack(c.args.u32(1)?)?);
    let flush = c.args.u32(2)?.cast_signed();
    let flush = DeflateFlush::try_from(flush).map_err(|()| JsError("a kind of flush expected"))?;
    // A copy: the memory may be shared with another thread, and a compressor looks at a byte more than once.
    let input = c.args.memory(3)?.bytes().to_vec();
    c.host
        .compressed
        .compress(id, settings, (&input, flush), |bytes, memory| {
            if memory != 0 {
                c.env.adjust_external_memory(memory);
            }
            if bytes.is_empty() {
                return Ok(c.env.null());
            }
            c.env.buffer(bytes)
        })
}

fn stats(c: &Call<'_>) -> Result<sys::napi_value> {
    let object = c.env.object()?;
    for (name, value) in c.engine(|e| e.stats().entries()) {
        c.env.set(object, name, c.env.count(value)?)?;
    }
    c.env.set(
        object,
        "open",
        c.env.count(c.engine(|e| e.connection_count()) as u64)?,
    )?;
    Ok(object)
}

/// `[[code, reason], …]`, indexed by a Reject event's reason.
fn reject_reasons(c: &Call<'_>) -> Result<sys::napi_value> {
    let mut rows = Vec::new();
    for (code, reason) in fulmar_batch::reject_reasons() {
        rows.push(c.env.array(&[c.env.string(code)?, c.env.string(reason)?])?);
    }
    c.env.array(&rows)
}
