//! Other languages in this process, as JavaScript reaches them: what `GuestBinding` of
//! `packages/fulmar/src/exchange/binding.ts` describes. Messages in, messages out; what they say is between
//! JavaScript and the language.
//!
//! A guest stays as long as the process. It is opened on a thread of its own, since a language takes its time
//! to start.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use fulmar_guest::abi::Submitted;
use fulmar_guest::library::Guest;
use fulmar_guest::memory_file::memory_file;
use fulmar_guest::opening::Opening;
use fulmar_quickjs_node::Loop as _;
use fulmar_quickjs_node::memory::{array_buffer, with_bytes};
use rquickjs::function::{Func, Opt};
use rquickjs::{Array, Ctx, Exception, Function, IntoJs as _, Object, Persistent, Result, Value};
use tokio::sync::Notify;

use crate::event_loop::EventLoop;

struct Entry {
    opening: Opening,
    keeps_alive: Cell<bool>,
}

type Entries = Rc<RefCell<Vec<Entry>>>;

/// # Safety
/// `data` is a `Notify` that is never freed.
unsafe extern "C" fn wake(data: *mut c_void) {
    // SAFETY: see above.
    let notify = unsafe { &*data.cast::<Notify>() };
    notify.notify_one();
}

/// Adds the functions to the engine's object.
pub(crate) fn install<'js>(object: &Object<'js>, event_loop: &Rc<EventLoop>) -> Result<()> {
    let entries: Entries = Rc::default();
    opening(object, event_loop, &entries)?;
    calls(object, &entries)?;
    let (own, turn) = (Rc::clone(&entries), Rc::clone(event_loop));
    object.set(
        "guestReferenced",
        Func::from(move |index: usize, is_referenced: bool| {
            let entries = own.borrow();
            let Some(entry) = entries.get(index) else {
                return;
            };
            if entry.keeps_alive.replace(is_referenced) != is_referenced {
                if is_referenced {
                    turn.retain();
                } else {
                    turn.release();
                }
            }
        }),
    )
}

fn opening<'js>(object: &Object<'js>, event_loop: &Rc<EventLoop>, entries: &Entries) -> Result<()> {
    let (own, turn) = (Rc::clone(entries), Rc::clone(event_loop));
    object.set(
        "guestOpen",
        Func::from(
            move |ctx: Ctx<'js>, library: String, settings: Value<'js>, on_wake: Function<'js>| {
                let settings = with_bytes(&ctx, &settings, |bytes| bytes.to_vec())?;
                open(&ctx, &turn, &own, (library.into(), settings), on_wake)
            },
        ),
    )?;
    object.set(
        "guestFile",
        Func::from(|ctx: Ctx<'js>, content: Value<'js>| file(&ctx, &content)),
    )?;
    let own = Rc::clone(entries);
    object.set(
        "guestOpened",
        Func::from(move |ctx: Ctx<'js>, index: usize, timeout_ms: f64| {
            opened(&ctx, &own, index, ms(timeout_ms))
        }),
    )
}

/// A time that JavaScript gives.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates, which is what is wanted"
)]
fn ms(value: f64) -> Duration {
    Duration::from_millis(value as u64)
}

fn open<'js>(
    ctx: &Ctx<'js>,
    turn: &Rc<EventLoop>,
    entries: &Entries,
    (library, settings): (PathBuf, Vec<u8>),
    on_wake: Function<'js>,
) -> Result<usize> {
    // Never freed: the guest may wake the loop as long as there is one.
    let notify: &'static Notify = Box::leak(Box::new(Notify::new()));
    let address = std::ptr::from_ref(notify).cast_mut().cast();
    // SAFETY: it is never freed, and may be notified on any thread.
    let opening = unsafe { Opening::begin(library, settings, wake, address) }
        .map_err(|_| Exception::throw_type(ctx, "a thread could not be made"))?;
    let index = entries.borrow().len();
    entries.borrow_mut().push(Entry {
        opening,
        keeps_alive: Cell::new(false),
    });
    let (turn, context) = (Rc::clone(turn), ctx.clone());
    let on_wake = Persistent::save(ctx, on_wake);
    ctx.spawn(async move {
        loop {
            notify.notified().await;
            turn.enter(&context, || {
                let on_wake = on_wake.clone().restore(&context)?;
                on_wake.call::<_, Value<'js>>(())
            });
        }
    });
    Ok(index)
}

/// What an executable carries, where languages open it.
fn file<'js>(ctx: &Ctx<'js>, content: &Value<'js>) -> Result<String> {
    let path = with_bytes(ctx, content, |bytes| memory_file(bytes))?;
    let path = path.map_err(|error| {
        Exception::throw_message(
            ctx,
            &format!("a file could not be put into memory: {error}"),
        )
    })?;
    Ok(path.to_string_lossy().into_owned())
}

fn opened<'js>(
    ctx: &Ctx<'js>,
    entries: &Entries,
    index: usize,
    timeout: Duration,
) -> Result<Value<'js>> {
    let mut entries = entries.borrow_mut();
    let entry = entries
        .get_mut(index)
        .ok_or_else(|| Exception::throw_type(ctx, "a guest expected"))?;
    match entry.opening.look(timeout) {
        None => Ok(Value::new_undefined(ctx.clone())),
        Some(Err(problem)) => problem.as_str().into_js(ctx),
        Some(Ok(())) => Ok(Value::new_bool(ctx.clone(), true)),
    }
}

fn with_guest<'js, T>(
    ctx: &Ctx<'js>,
    entries: &Entries,
    index: usize,
    work: impl FnOnce(&Guest) -> Result<T>,
) -> Result<T> {
    let entries = entries.borrow();
    let guest = entries.get(index).and_then(|entry| entry.opening.guest());
    work(guest.ok_or_else(|| Exception::throw_type(ctx, "a guest that is open expected"))?)
}

fn calls<'js>(object: &Object<'js>, entries: &Entries) -> Result<()> {
    let own = Rc::clone(entries);
    object.set(
        "guestSubmit",
        Func::from(
            move |ctx: Ctx<'js>,
                  index: usize,
                  message: Value<'js>,
                  length: usize,
                  is_counted: bool,
                  attached: Opt<Value<'js>>| {
                let mut blocks = Vec::new();
                if let Some(list) = attached.0.as_ref().and_then(Value::as_array) {
                    for item in list.iter::<Value<'js>>() {
                        blocks.push(with_bytes(&ctx, &item?, |bytes| bytes.to_vec())?);
                    }
                }
                let blocks: Vec<&[u8]> = blocks.iter().map(Vec::as_slice).collect();
                with_guest(&ctx, &own, index, |guest| {
                    with_bytes(&ctx, &message, |bytes| {
                        let message = bytes.get(..length).unwrap_or_default();
                        match guest.submit(message, &blocks, is_counted) {
                            Submitted::Taken => 0,
                            Submitted::Busy => 1,
                            Submitted::Closed => 2,
                        }
                    })
                })
            },
        ),
    )?;
    let own = Rc::clone(entries);
    object.set(
        "guestReceive",
        Func::from(move |ctx: Ctx<'js>, index: usize, inbox: Value<'js>| {
            receive(&ctx, &own, index, &inbox)
        }),
    )?;
    let own = Rc::clone(entries);
    object.set(
        "guestWait",
        Func::from(move |ctx: Ctx<'js>, index: usize, timeout_ms: f64| {
            let timeout_ms = u64::try_from(ms(timeout_ms).as_millis()).unwrap_or(u64::MAX);
            with_guest(&ctx, &own, index, |guest| Ok(guest.wait(timeout_ms)))
        }),
    )?;
    let own = Rc::clone(entries);
    object.set(
        "guestCancel",
        Func::from(move |ctx: Ctx<'js>, index: usize, call: u64| {
            with_guest(&ctx, &own, index, |guest| {
                guest.cancel(call);
                Ok(())
            })
        }),
    )?;
    let own = Rc::clone(entries);
    object.set(
        "guestFinish",
        Func::from(move |ctx: Ctx<'js>, index: usize, timeout_ms: f64| {
            let timeout_ms = u64::try_from(ms(timeout_ms).as_millis()).unwrap_or(u64::MAX);
            with_guest(&ctx, &own, index, |guest| {
                guest.finish(timeout_ms);
                Ok(())
            })
        }),
    )
}

fn receive<'js>(
    ctx: &Ctx<'js>,
    entries: &Entries,
    index: usize,
    inbox: &Value<'js>,
) -> Result<Value<'js>> {
    let received = with_guest(ctx, entries, index, |guest| Ok(guest.receive()))?;
    let Some(received) = received else {
        return 0.into_js(ctx);
    };
    let messages = received.messages.bytes();
    let is_placed = received.attached.is_empty()
        && with_bytes(ctx, inbox, |bytes| {
            bytes
                .get_mut(..messages.len())
                .map(|place| place.copy_from_slice(messages))
                .is_some()
        })?;
    if is_placed {
        return messages.len().into_js(ctx);
    }
    let list = Array::new(ctx.clone())?;
    list.set(0, array_buffer(ctx, messages)?)?;
    for (index, given) in received.attached.iter().enumerate() {
        // There is no room for it, or it is larger than one may be: the others are for other calls.
        let value = array_buffer(ctx, given.bytes()).unwrap_or_else(|_| {
            drop(ctx.catch());
            Value::new_null(ctx.clone())
        });
        list.set(index + 1, value)?;
    }
    Ok(list.into_value())
}
