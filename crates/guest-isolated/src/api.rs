//! The table of this library: the functions that `fulmar_guest::exported` has for a language in this process.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use fulmar_guest::Waker;
use fulmar_guest::abi::{
    ABI_VERSION, Api, Block, Delivery, Slice, Submitted, Wake, all_bytes_of, bytes_of, free,
    free_list, give,
};

use crate::config::Config;
use crate::slot::{Lent, Slot};
use crate::supervisor::supervise;

static API: Api = Api {
    version: ABI_VERSION,
    open,
    submit,
    receive,
    wait,
    cancel,
    close,
    finish,
    free,
    free_list,
};

/// The functions of a guest that is isolated (`fulmar_guest::abi`).
#[unsafe(no_mangle)]
pub extern "C" fn fulmar_guest() -> *const Api {
    &raw const API
}

/// # Safety
/// A client that `open` gave and `close` has not had.
unsafe fn slot_of<'a>(client: *mut c_void) -> &'a Arc<Slot> {
    // SAFETY: see above; it was made of a box in `open`.
    unsafe { &*client.cast::<Arc<Slot>>() }
}

unsafe extern "C" fn open(
    settings: Slice,
    wake: Wake,
    data: *mut c_void,
    problem: *mut Block,
) -> *mut c_void {
    // SAFETY: the host's bytes, for the time of the call.
    let settings = unsafe { bytes_of(settings) };
    let outcome = catch_unwind(AssertUnwindSafe(|| opened(settings, Waker { wake, data })));
    let text = match outcome {
        Ok(Ok(slot)) => return Box::into_raw(Box::new(slot)).cast(),
        Ok(Err(text)) => text,
        Err(_) => "the process could not be started, by a bug in Fulmar".to_owned(),
    };
    // SAFETY: the host's own place for it.
    unsafe { problem.write(give(text.into_bytes())) };
    std::ptr::null_mut()
}

fn opened(settings: &[u8], waker: Waker) -> Result<Arc<Slot>, String> {
    let config = Config::read(settings)?;
    let name = format!("{}-process", config.language);
    let slot = Slot::new(config, waker).map_err(|error| error.to_string())?;
    let slot = Arc::new(slot);
    let (tell, told) = sync_channel(1);
    let own = Arc::clone(&slot);
    std::thread::Builder::new()
        .name(name)
        .spawn(move || {
            let _ended = catch_unwind(AssertUnwindSafe(|| supervise(&own, tell)));
            own.closed();
            own.bell.take_down();
        })
        .map_err(|error| format!("a thread could not be made: {error}"))?;
    match told.recv() {
        Ok(Ok(())) => Ok(slot),
        Ok(Err(text)) => Err(text),
        Err(_) => Err("the process could not be started, by a bug in Fulmar".to_owned()),
    }
}

unsafe extern "C" fn submit(
    client: *mut c_void,
    message: Slice,
    attached: *const Slice,
    attached_count: usize,
    is_counted: bool,
) -> u32 {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the host's client.
        let slot = unsafe { slot_of(client) };
        // SAFETY: the host's bytes, for the time of the call.
        let message = unsafe { bytes_of(message) };
        // SAFETY: as above.
        let attached = unsafe { all_bytes_of(attached, attached_count) };
        let Some((number, body)) = message.split_first_chunk::<8>() else {
            return Submitted::Closed;
        };
        let lent = Lent {
            call: u64::from_le_bytes(*number),
            body,
            attached: &attached,
            lost: 0,
        };
        slot.submit(lent, is_counted)
    }));
    outcome.unwrap_or(Submitted::Closed) as u32
}

unsafe extern "C" fn receive(client: *mut c_void, delivery: *mut Delivery) -> bool {
    // SAFETY: the host's client.
    let slot = unsafe { slot_of(client) };
    let Some(received) = slot.client.receive() else {
        return false;
    };
    // SAFETY: the host's own place for it.
    unsafe { delivery.write(Delivery::of(received)) };
    true
}

unsafe extern "C" fn wait(client: *mut c_void, timeout_ms: u64) -> bool {
    // SAFETY: the host's client.
    let slot = unsafe { slot_of(client) };
    slot.client.wait(Duration::from_millis(timeout_ms))
}

unsafe extern "C" fn cancel(client: *mut c_void, call: u64) {
    // SAFETY: the host's client.
    let slot = unsafe { slot_of(client) };
    let _caught = catch_unwind(AssertUnwindSafe(|| slot.cancel(call)));
}

unsafe extern "C" fn close(client: *mut c_void) {
    // SAFETY: the host's client, which it gives up by this.
    let slot = unsafe { Box::from_raw(client.cast::<Arc<Slot>>()) };
    // Nothing is woken behind this; the supervisor ends the process, which nobody waits for.
    slot.client.close();
    slot.state().is_closed = true;
    slot.ring();
}

/// Processes write what they have buffered when their sockets end, as they do with this process.
unsafe extern "C" fn finish(_timeout_ms: u64) {}
