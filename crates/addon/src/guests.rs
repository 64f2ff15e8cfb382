//! Other languages in this process, as JavaScript reaches them: messages in, messages out. What is in the
//! messages is between `packages/fulmar/src/polyglot` and the language.
//!
//! A guest is a number. It is opened on a thread of its own, since a language takes its time to start; until
//! `opened` says that it is there, nothing can be submitted. Guests are closed with their environment.

use std::cell::RefCell;
use std::ffi::{OsString, c_void};
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;
use std::ptr;
use std::time::Duration;

use fulmar_guest::abi::Submitted;
use fulmar_guest::library::{Given, Guest};
use fulmar_guest::opening::Opening;
use napi_sys as sys;

use crate::bindings::Call;
use crate::host::Host;
use crate::js::{AsyncContext, Env, JsError, Memory, Reference, Result, with_scope};
use crate::uv::{self, Handle};

/// One guest of an environment.
struct Entry {
    on_wake: Reference,
    context: AsyncContext,
    handle: Handle,
    /// None where there was no thread for it: then it is a handle, to be closed with the others.
    opening: Option<Opening>,
}

/// The guests of an environment, by number, and handles that are being closed.
#[derive(Default)]
pub(crate) struct Guests(RefCell<Vec<Entry>>, RefCell<Vec<Handle>>);

impl Guests {
    /// Closes all of them: once this has returned, no thread of a guest's wakes the loop. Returns for how many
    /// handles `callback` will be called; their memory stays until then.
    pub(crate) fn close(&self, callback: uv::Callback) -> u32 {
        let entries = std::mem::take(&mut *self.0.borrow_mut());
        let mut closing = 0;
        for mut entry in entries {
            if let Some(opening) = &mut entry.opening {
                opening.close();
            }
            entry.handle.close(callback);
            closing += 1;
            self.1.borrow_mut().push(entry.handle);
        }
        closing
    }

    fn with<T>(&self, index: u32, work: impl FnOnce(&mut Entry) -> Result<T>) -> Result<T> {
        let mut entries = self.0.borrow_mut();
        let entry = usize::try_from(index)
            .ok()
            .and_then(|index| entries.get_mut(index));
        work(entry.ok_or(JsError("a guest expected"))?)
    }

    fn with_open<T>(&self, index: u32, work: impl FnOnce(&Guest) -> Result<T>) -> Result<T> {
        self.with(index, |entry| {
            work(
                entry
                    .opening
                    .as_ref()
                    .and_then(Opening::guest)
                    .ok_or(JsError("a guest that is open expected"))?,
            )
        })
    }
}

/// (path of the library, settings, function that is called when something is there) → its number
pub(crate) fn open(c: &Call<'_>) -> Result<sys::napi_value> {
    let path = c.args.utf8(0).ok_or(JsError("a path expected"))?;
    let library = PathBuf::from(OsString::from_vec(path));
    let settings = c.args.memory(1)?.bytes().to_vec();
    let function = Reference::new(c.env, c.args.value(2))?;
    let context = AsyncContext::new(c.env, "fulmar.guest")?;
    let mut uv_loop = ptr::null_mut();
    // SAFETY: the environment is alive; `uv_loop` is writable.
    let status = unsafe { sys::napi_get_uv_event_loop(c.env.0, &raw mut uv_loop) };
    if status != sys::Status::napi_ok {
        return Err(JsError("this environment has no event loop"));
    }
    let host = ptr::from_ref(c.host).cast_mut().cast::<c_void>();
    let mut handle =
        Handle::waker(uv_loop, host, on_wake).map_err(|_| JsError("libuv refused a handle"))?;
    // SAFETY: the handle is closed behind the end of the opening and of the guest (`Guests::close`).
    let opening = unsafe { Opening::begin(library, settings, uv::send, handle.address()) };
    let has_begun = opening.is_ok();
    let mut entries = c.host.guests.0.borrow_mut();
    let index = entries.len();
    entries.push(Entry {
        on_wake: function,
        context,
        handle,
        opening: opening.ok(),
    });
    if !has_begun {
        return Err(JsError("a thread could not be made"));
    }
    c.env.count(index as u64)
}

/// Something was replied to one of the guests of this environment, which are few.
unsafe extern "C" fn on_wake(handle: *mut uv::Raw) {
    let host = uv::data_of(handle).cast::<Host>();
    // SAFETY: `data` was set to the host, which lives until every handle is closed.
    let host = unsafe { &*host };
    let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        with_scope(host.env, || {
            let call = {
                let mut entries = host.guests.0.borrow_mut();
                entries
                    .iter_mut()
                    .find_map(|entry| (entry.handle.address() == handle.cast()).then_some(entry))
                    .and_then(|entry| Some((entry.on_wake.get().ok()?, entry.context.raw)))
            };
            // Nothing of the guests is borrowed: JavaScript calls these functions meanwhile.
            if let Some((function, context)) = call {
                host.env.call_from_loop(function, context);
            }
        });
    }));
    drop(found);
}

/// (guest, ms) → undefined: it is not there yet, having waited so long; true, or why it could not be opened
pub(crate) fn opened(c: &Call<'_>) -> Result<sys::napi_value> {
    let timeout = Duration::from_millis(c.args.u64(1)?);
    c.host.guests.with(c.args.u32(0)?, |entry| {
        let opening = entry.opening.as_mut();
        match opening.and_then(|opening| opening.look(timeout)) {
            None => Ok(c.env.undefined()),
            Some(Err(problem)) => c.env.string(&problem),
            Some(Ok(())) => c.env.boolean(true),
        }
    })
}

/// (guest, message, its bytes, whether it counts, attached arrays | undefined) → 0 taken, 1 busy, 2 closed
pub(crate) fn submit(c: &Call<'_>) -> Result<sys::napi_value> {
    let message = c.args.memory(1)?.bytes();
    let length = usize::try_from(c.args.u32(2)?).unwrap_or(0);
    let message = message.get(..length).ok_or(JsError("a message expected"))?;
    let is_counted = c.args.bool(3)?;
    let attached: Result<Vec<Memory>> = c
        .env
        .items(c.args.value(4))
        .into_iter()
        .map(|item| Memory::of(c.env, item))
        .collect();
    let attached = attached?;
    let attached: Vec<&[u8]> = attached.iter().map(|memory| memory.bytes()).collect();
    let outcome = c.host.guests.with_open(c.args.u32(0)?, |guest| {
        Ok(guest.submit(message, &attached, is_counted))
    })?;
    c.env.number(match outcome {
        Submitted::Taken => 0.0,
        Submitted::Busy => 1.0,
        Submitted::Closed => 2.0,
    })
}

/// (guest, inbox) → bytes that are in the inbox now; 0: nothing came; an array of `ArrayBuffer`s where that is
/// too small or something is attached: the messages, then what is attached
pub(crate) fn receive(c: &Call<'_>) -> Result<sys::napi_value> {
    let inbox = c.args.memory(1)?;
    let received = c
        .host
        .guests
        .with_open(c.args.u32(0)?, |guest| Ok(guest.receive()))?;
    let Some(received) = received else {
        return c.env.number(0.0);
    };
    let messages = received.messages.bytes();
    if received.attached.is_empty() && messages.len() <= inbox.bytes {
        inbox.bytes_mut()[..messages.len()].copy_from_slice(messages);
        return c.env.count(messages.len() as u64);
    }
    let mut buffers = vec![array_buffer(c.env, &received.messages)?];
    for given in &received.attached {
        // There is no room for it, or it is larger than one may be: the others are for other calls.
        buffers.push(array_buffer(c.env, given).unwrap_or_else(|_| {
            c.env.take_pending_exception();
            c.env.null()
        }));
    }
    c.env.array(&buffers)
}

/// An `ArrayBuffer` with a copy: one over memory of ours could not be transferred to a thread, nor resized.
fn array_buffer(env: Env, given: &Given) -> Result<sys::napi_value> {
    let bytes = given.bytes();
    let (mut data, mut value) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: the environment is alive; both places are writable.
    let status =
        unsafe { sys::napi_create_arraybuffer(env.0, bytes.len(), &raw mut data, &raw mut value) };
    if status != sys::Status::napi_ok {
        return Err(JsError(
            "a buffer could not be made: there is no memory for it",
        ));
    }
    if !bytes.is_empty() {
        // SAFETY: as many bytes, in memory that was just made; JavaScript has not run since.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), data.cast::<u8>(), bytes.len()) };
    }
    Ok(value)
}

/// (guest, ms) → whether something was replied; waits so long
pub(crate) fn wait(c: &Call<'_>) -> Result<sys::napi_value> {
    let timeout_ms = c.args.u64(1)?;
    let is_there = c
        .host
        .guests
        .with_open(c.args.u32(0)?, |guest| Ok(guest.wait(timeout_ms)))?;
    c.env.boolean(is_there)
}

/// (guest, call)
pub(crate) fn cancel(c: &Call<'_>) -> Result<sys::napi_value> {
    let call = c.args.u64(1)?;
    c.host.guests.with_open(c.args.u32(0)?, |guest| {
        guest.cancel(call);
        Ok(())
    })?;
    Ok(c.env.undefined())
}

/// (guest, whether it keeps the process alive)
pub(crate) fn set_referenced(c: &Call<'_>) -> Result<sys::napi_value> {
    let is_referenced = c.args.bool(1)?;
    c.host.guests.with(c.args.u32(0)?, |entry| {
        if is_referenced {
            entry.handle.reference();
        } else {
            entry.handle.unref();
        }
        Ok(())
    })?;
    Ok(c.env.undefined())
}

/// (guest, ms): what is buffered is written
pub(crate) fn finish(c: &Call<'_>) -> Result<sys::napi_value> {
    let timeout_ms = c.args.u64(1)?;
    c.host.guests.with_open(c.args.u32(0)?, |guest| {
        guest.finish(timeout_ms);
        Ok(())
    })?;
    Ok(c.env.undefined())
}
