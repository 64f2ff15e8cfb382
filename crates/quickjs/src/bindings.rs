//! The engine's functions for JavaScript: what `packages/fulmar/src/exchange/binding.ts` describes. Ids are
//! pairs (slot, generation); addresses are `[address, port, family]`.

use std::fs::File;
use std::net::SocketAddr;
use std::os::fd::{FromRawFd as _, IntoRawFd, OwnedFd};
use std::rc::Rc;

use fulmar_batch::{SHARED_BYTES, write_status};
use fulmar_engine::{
    ContentAfterUpgrade, Engine, FileIdentity, Id, Reply, has_descriptors, open_file, sha1_base64,
};
use fulmar_quickjs_node::memory::with_bytes;
use fulmar_quickjs_node::text;
use rquickjs::function::{Func, Opt};
use rquickjs::{
    Array, Ctx, Exception, Function, IntoJs as _, Object, Persistent, Result, String as JsString,
    Value,
};

use crate::engine_memory::{LentArray, SharedMemory, to_body};
use crate::event_loop::EventLoop;
use crate::guests;
use crate::host::{Host, Shared};
use crate::listen;

/// Makes the object that `exchange` takes as its binding.
pub(crate) fn object<'js>(ctx: &Ctx<'js>, event_loop: &Rc<EventLoop>) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    shared_memory(&object, event_loop)?;
    listeners(&object, &event_loop.host)?;
    exchanges(&object, &event_loop.host)?;
    replies(&object, &event_loop.host)?;
    connections(&object, &event_loop.host)?;
    information(&object, &event_loop.host)?;
    guests::install(&object, event_loop)?;
    Ok(object)
}

/// `(slot, generation, …) => …`, on the engine.
macro_rules! on_engine {
    ($object:expr, $host:expr, $name:literal, |$engine:ident, $id:ident $(, $arg:ident: $type:ty)*| $body:expr) => {{
        let host = Rc::clone($host);
        $object.set(
            $name,
            Func::from(move |slot: u32, generation: u32 $(, $arg: $type)*| {
                let $id = Id { slot, generation };
                let $engine: &mut Engine = &mut host.engine.borrow_mut();
                $body
            }),
        )?;
    }};
}

fn shared_memory<'js>(object: &Object<'js>, event_loop: &Rc<EventLoop>) -> Result<()> {
    let shared_loop = Rc::clone(event_loop);
    object.set(
        "setup",
        Func::from(move |ctx: Ctx<'js>, _receiver: Value<'js>, on_batch| {
            setup(&ctx, &shared_loop, on_batch)
        }),
    )?;
    let host = Rc::clone(&event_loop.host);
    object.set(
        "setSlab",
        Func::from(move |ctx: Ctx<'js>, slab| -> Result<()> {
            host.set_slab(LentArray::new(&ctx, &slab)?);
            Ok(())
        }),
    )?;
    let host = Rc::clone(&event_loop.host);
    object.set("collect", Func::from(move || host.collect()))?;
    let host = Rc::clone(&event_loop.host);
    object.set("tellAwaited", Func::from(move || host.tell_awaited()))?;
    let event_loop = Rc::clone(event_loop);
    object.set(
        "settle",
        Func::from(move |ctx: Ctx<'js>| event_loop.settle_within(&ctx)),
    )
}

fn setup<'js>(
    ctx: &Ctx<'js>,
    event_loop: &Rc<EventLoop>,
    on_batch: Function<'js>,
) -> Result<Vec<Value<'js>>> {
    if event_loop.host.shared.borrow().is_some() {
        return Err(Exception::throw_type(ctx, "setup() expected once"));
    }
    let memories = SHARED_BYTES.map(SharedMemory::new);
    let buffers: Result<_> = memories.iter().map(|m| m.array_buffer(ctx)).collect();
    let buffers = buffers?;
    let [control, events, commands, arena] = memories;
    let shared = Shared {
        control,
        events,
        commands,
        arena,
        on_batch: Persistent::save(ctx, on_batch),
    };
    event_loop.host.share(ctx, shared, event_loop)?;
    Ok(buffers)
}

fn listeners<'js>(object: &Object<'js>, host: &Rc<Host>) -> Result<()> {
    let h = Rc::clone(host);
    object.set(
        "listen",
        Func::from(
            move |ctx: Ctx<'js>, kind, text: String, number, backlog, ipv6_only, reuse_port| {
                let request = listen::Request {
                    kind,
                    text,
                    number,
                    backlog,
                    ipv6_only,
                    reuse_port,
                };
                listen::listen(&ctx, &h, request)
            },
        ),
    )?;
    let h = Rc::clone(host);
    object.set(
        "configure",
        Func::from(
            move |ctx: Ctx<'js>, slot: u32, generation: u32, key: u32, value: f64| {
                listen::configure(&ctx, &h, Id { slot, generation }, key, value)
            },
        ),
    )?;
    let h = Rc::clone(host);
    object.set(
        "listenerAddress",
        Func::from(move |ctx: Ctx<'js>, slot: u32, generation: u32| {
            let engine = h.engine.borrow();
            let id = Id { slot, generation };
            match engine.listener_path(id) {
                Some(path) => {
                    JsString::from_str(ctx, &path.to_string_lossy()).map(JsString::into_value)
                }
                None => address(&ctx, engine.listener_address(id)),
            }
        }),
    )?;
    on_engine!(object, host, "closeListener", |engine, id| engine
        .close_listener(id));
    on_engine!(object, host, "drainListener", |engine, id| engine
        .drain_listener(id));
    on_engine!(object, host, "closeIdle", |engine, id| engine
        .close_idle(id));
    on_engine!(object, host, "closeAll", |engine, id| engine.close_all(id));
    on_engine!(
        object,
        host,
        "connectionCount",
        |engine, id| engine.listener_connections(id) as f64
    );
    let h = Rc::clone(host);
    object.set(
        "setReferencedListeners",
        Func::from(move |count: u32| h.listeners_referenced.set(count)),
    )
}

fn exchanges<'js>(object: &Object<'js>, host: &Rc<Host>) -> Result<()> {
    on_engine!(object, host, "readContent", |engine, id| engine
        .read_content(id));
    on_engine!(object, host, "pauseContent", |engine, id| engine
        .pause_content(id));
    on_engine!(object, host, "discardContent", |engine, id| engine
        .discard_content(id));
    on_engine!(object, host, "notifySent", |engine, id| engine
        .notify_sent(id));
    on_engine!(object, host, "abort", |engine, id| engine.abort(id));
    on_engine!(object, host, "buffered", |engine, id| engine.buffered(id)
        as f64);
    let h = Rc::clone(host);
    object.set(
        "acceptUpgrade",
        Func::from(move |ctx: Ctx<'js>, slot: u32, generation: u32| {
            let rest = h
                .engine
                .borrow_mut()
                .accept_upgrade(Id { slot, generation });
            text::buffer(&ctx, &rest)
        }),
    )?;
    on_engine!(object, host, "declineUpgrade", |engine, id| {
        u32::from(engine.decline_upgrade(id) == ContentAfterUpgrade::Streamed)
    });
    on_engine!(object, host, "watch", |engine, id| u32::from(
        engine.watch(id)
    ));
    Ok(())
}

fn replies<'js>(object: &Object<'js>, host: &Rc<Host>) -> Result<()> {
    let h = Rc::clone(host);
    object.set(
        "replyLarge",
        Func::from(
            move |slot,
                  generation,
                  status: u32,
                  reason: Option<JsString<'js>>,
                  block: JsString<'js>,
                  flags,
                  body: Value<'js>|
                  -> Result<Option<String>> {
                let (reason, block) = (
                    reason.map(|r| text::latin1(&r)).transpose()?,
                    text::latin1(&block)?,
                );
                let reply = Reply {
                    status: status_of(status),
                    reason: reason.as_deref(),
                    block: &block,
                    flags,
                };
                let body = to_body(body.ctx(), &body)?;
                let tag = h
                    .engine
                    .borrow_mut()
                    .reply(Id { slot, generation }, reply, body);
                Ok(tag.map(|tag| String::from_utf8_lossy(&tag).into_owned()))
            },
        ),
    )?;
    let h = Rc::clone(host);
    object.set(
        "start",
        Func::from(
            move |slot,
                  generation,
                  status: u32,
                  reason: Option<JsString<'js>>,
                  block: JsString<'js>,
                  flags,
                  length: f64|
                  -> Result<()> {
                let (reason, block) = (
                    reason.map(|r| text::latin1(&r)).transpose()?,
                    text::latin1(&block)?,
                );
                let reply = Reply {
                    status: status_of(status),
                    reason: reason.as_deref(),
                    block: &block,
                    flags,
                };
                h.engine.borrow_mut().start(
                    Id { slot, generation },
                    reply,
                    (length >= 0.0).then_some(whole(length)),
                );
                Ok(())
            },
        ),
    )?;
    streamed(object, host)
}

/// Replies in pieces.
fn streamed<'js>(object: &Object<'js>, host: &Rc<Host>) -> Result<()> {
    let h = Rc::clone(host);
    object.set(
        "write",
        Func::from(
            move |ctx: Ctx<'js>, slot, generation, chunk: Value<'js>| -> Result<u32> {
                let body = to_body(&ctx, &chunk)?;
                Ok(write_status(
                    h.engine.borrow_mut().write(Id { slot, generation }, body),
                ))
            },
        ),
    )?;
    let h = Rc::clone(host);
    object.set(
        "end",
        Func::from(
            move |slot, generation, trailers: JsString<'js>| -> Result<()> {
                h.engine
                    .borrow_mut()
                    .end(Id { slot, generation }, &text::latin1(&trailers)?);
                Ok(())
            },
        ),
    )?;
    let h = Rc::clone(host);
    object.set(
        "sendInterim",
        Func::from(
            move |slot, generation, status: u32, block: JsString<'js>| -> Result<()> {
                h.engine.borrow_mut().send_interim(
                    Id { slot, generation },
                    status_of(status),
                    &text::latin1(&block)?,
                );
                Ok(())
            },
        ),
    )?;
    files(object, host)
}

/// Replies that the kernel sends from files.
fn files<'js>(object: &Object<'js>, host: &Rc<Host>) -> Result<()> {
    object.set(
        "openFile",
        Func::from(
            |path: String, device, inode, size, offset: f64, length: f64| -> i32 {
                let identity = FileIdentity {
                    device,
                    inode,
                    size,
                };
                open_file(path.as_bytes(), identity, whole(offset), whole(length))
                    .map_or(-1, IntoRawFd::into_raw_fd)
            },
        ),
    )?;
    object.set(
        "hasDescriptors",
        Func::from(|count: u32| {
            u8::from(has_descriptors(
                usize::try_from(count).unwrap_or(usize::MAX),
            ))
        }),
    )?;
    let h = Rc::clone(host);
    object.set(
        "sendFile",
        Func::from(
            move |ctx: Ctx<'js>,
                  slot,
                  generation,
                  fd: i32,
                  offset: f64,
                  length: f64|
                  -> Result<()> {
                if fd < 0 {
                    return Err(Exception::throw_type(&ctx, "a file descriptor expected"));
                }
                // SAFETY: the caller passes a descriptor it has opened and gives up.
                let owned = unsafe { OwnedFd::from_raw_fd(fd) };
                h.engine.borrow_mut().send_file(
                    Id { slot, generation },
                    File::from(owned),
                    whole(offset),
                    whole(length),
                );
                Ok(())
            },
        ),
    )?;
    let h = Rc::clone(host);
    object.set(
        "cutFile",
        Func::from(move |slot, generation| {
            u8::from(h.engine.borrow_mut().cut_file(Id { slot, generation }))
        }),
    )
}

fn connections<'js>(object: &Object<'js>, host: &Rc<Host>) -> Result<()> {
    let h = Rc::clone(host);
    object.set(
        "peerAddress",
        Func::from(move |ctx: Ctx<'js>, slot, generation| {
            address(
                &ctx,
                h.engine.borrow().peer_address(Id { slot, generation }),
            )
        }),
    )?;
    let h = Rc::clone(host);
    object.set(
        "localAddress",
        Func::from(move |ctx: Ctx<'js>, slot, generation| {
            address(
                &ctx,
                h.engine.borrow().local_address(Id { slot, generation }),
            )
        }),
    )?;
    let h = Rc::clone(host);
    object.set(
        "transferred",
        Func::from(move |slot, generation| {
            h.give();
            let (received, sent) = h.engine.borrow().transferred(Id { slot, generation });
            vec![received as f64, sent as f64]
        }),
    )?;
    raw_connections(object, host)
}

/// Connections after an upgrade.
fn raw_connections<'js>(object: &Object<'js>, host: &Rc<Host>) -> Result<()> {
    let h = Rc::clone(host);
    object.set(
        "writeRaw",
        Func::from(
            move |ctx: Ctx<'js>, slot, generation, chunk: Value<'js>| -> Result<u32> {
                let body = to_body(&ctx, &chunk)?;
                Ok(write_status(
                    h.engine
                        .borrow_mut()
                        .write_raw(Id { slot, generation }, body),
                ))
            },
        ),
    )?;
    on_engine!(
        object,
        host,
        "bufferedRaw",
        |engine, id| engine.buffered_raw(id) as f64
    );
    on_engine!(object, host, "endRaw", |engine, id| engine.end_raw(id));
    on_engine!(object, host, "destroy", |engine, id, reset: bool| engine
        .destroy(id, reset));
    on_engine!(object, host, "pauseRaw", |engine, id, paused: bool| engine
        .pause_raw(id, paused));
    on_engine!(
        object,
        host,
        "setSocketTimeout",
        |engine, id, timeout_ms: f64| engine.set_socket_timeout(id, whole(timeout_ms))
    );
    on_engine!(object, host, "setNoDelay", |engine, id, on: bool| engine
        .set_no_delay(id, on));
    on_engine!(
        object,
        host,
        "setKeepAlive",
        |engine, id, on: bool, idle_ms: f64| engine.set_keep_alive(id, on, whole(idle_ms))
    );
    on_engine!(object, host, "setReferenced", |engine, id, on: bool| engine
        .set_referenced(id, on));
    Ok(())
}

fn information<'js>(object: &Object<'js>, host: &Rc<Host>) -> Result<()> {
    let h = Rc::clone(host);
    object.set("stats", Func::from(move |ctx: Ctx<'js>| stats(ctx, &h)))?;
    object.set(
        "rejectReasons",
        Func::from(|| -> Vec<Vec<&str>> {
            fulmar_batch::reject_reasons()
                .map(|(code, reason)| vec![code, reason])
                .collect()
        }),
    )?;
    object.set(
        "methods",
        Func::from(|| -> Vec<&str> {
            fulmar_http1::Method::ALL
                .iter()
                .map(|m| m.as_str())
                .collect()
        }),
    )?;
    object.set(
        "sha1Base64",
        Func::from(
            |ctx: Ctx<'js>, bytes: Value<'js>, _more: Opt<Value<'js>>| -> Result<String> {
                let tag = with_bytes(&ctx, &bytes, |bytes| sha1_base64(bytes))?;
                Ok(String::from_utf8_lossy(&tag).into_owned())
            },
        ),
    )
}

fn stats<'js>(ctx: Ctx<'js>, host: &Host) -> Result<Object<'js>> {
    let object = Object::new(ctx)?;
    let engine = host.engine.borrow();
    for (name, value) in engine.stats().entries() {
        object.set(name, value as f64)?;
    }
    object.set("open", engine.connection_count() as f64)?;
    Ok(object)
}

/// `[address, port, family]` or null.
fn address<'js>(ctx: &Ctx<'js>, address: Option<SocketAddr>) -> Result<Value<'js>> {
    let Some(address) = address else {
        return Ok(Value::new_null(ctx.clone()));
    };
    let text = match address {
        SocketAddr::V6(v6) if v6.scope_id() != 0 => format!("{}%{}", v6.ip(), v6.scope_id()),
        other => other.ip().to_string(),
    };
    let array = Array::new(ctx.clone())?;
    array.set(0, text)?;
    array.set(1, address.port())?;
    array.set(2, if address.is_ipv4() { "IPv4" } else { "IPv6" })?;
    array.into_js(ctx)
}

fn status_of(status: u32) -> u16 {
    u16::try_from(status).unwrap_or(500)
}

/// A number of JavaScript as a count; what is no count is 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float-to-int cast saturates, which is what is meant"
)]
pub(crate) fn whole(value: f64) -> u64 {
    value as u64
}
