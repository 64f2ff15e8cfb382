//! The functions that `support.rb` has of ours: into JavaScript.

use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fulmar_guest::Client;
use fulmar_guest::callbacks::{Answer, Callbacks};
use fulmar_guest::request::reply;
use fulmar_guest::wire::{Reader, Writer};

use crate::ffi::{Function, Value};
use crate::language::{State, state};
use crate::references;
use crate::ruby::{Failure, Outcome, Ruby, keep};
use crate::signals;
use crate::values_in::Incoming;
use crate::values_out::Outgoing;

/// By name.
pub(crate) const FUNCTIONS: [(&std::ffi::CStr, Function); 2] =
    [(c"call_javascript", call), (c"leave_host", leave_host)];

/// This process was made by `fork`.
unsafe extern "C" fn leave_host(_count: c_int, _arguments: *const Value, own: Value) -> Value {
    if signals::is_child() {
        signals::leave_host();
    }
    own
}

/// (function, list of arguments) → list: it returned, its value or error. Raises only at its very end, where
/// nothing is left to drop.
unsafe extern "C" fn call(count: c_int, arguments: *const Value, _own: Value) -> Value {
    let Some(state) = state() else {
        return Value(0);
    };
    let ruby = state.ruby_here();
    if count != 2 {
        return ruby.vm().nil;
    }
    // SAFETY: so many arguments, which stay with Ruby for the time of the call.
    let [function, arguments] = unsafe { *arguments.cast::<[Value; 2]>() };
    let called = || called(ruby, state, function, arguments);
    let outcome = catch_unwind(AssertUnwindSafe(called));
    let outcome = outcome.unwrap_or_else(|_| Err(Failure::Value("a bug in Fulmar".to_owned())));
    let end = match outcome {
        Ok(value) => return value,
        Err(failure) => End::of(ruby, state, failure),
    };
    match end {
        // SAFETY: a live exception; no frame of ours that is left has anything to drop.
        End::Raise(error) => unsafe { (ruby.api().rb_exc_raise)(error) },
        // SAFETY: what `rb_protect` gave, of which Ruby still knows; as above.
        End::Jump(state) => unsafe { (ruby.api().rb_jump_tag)(state) },
    }
    ruby.vm().nil
}

/// How a function ends that does not return. Nothing to drop.
#[derive(Clone, Copy)]
enum End {
    Raise(Value),
    Jump(c_int),
}

impl End {
    fn of(ruby: Ruby, state: &State, failure: Failure) -> Self {
        let (name, text) = match failure {
            Failure::Raised(error) => return Self::Raise(error),
            Failure::Jump(jump) => return Self::Jump(jump),
            Failure::Value(text) => ("value_error", text),
            Failure::Gone(text) => ("cancelled", text),
        };
        let made = ruby.protect(|| Ok(state.made(ruby, name, &[ruby.text(&text)])));
        match made {
            Ok(error) | Err(Failure::Raised(error)) => Self::Raise(error),
            Err(Failure::Jump(jump)) => Self::Jump(jump),
            Err(_) => Self::Raise(ruby.vm().nil),
        }
    }
}

fn called(ruby: Ruby, state: &State, function: Value, arguments: Value) -> Outcome<Value> {
    let Some(reference) = references::behind(ruby, function) else {
        return Err(Failure::Value("a function of JavaScript's".to_owned()));
    };
    let gone = || Failure::Gone("JavaScript is gone".to_owned());
    let client = reference.client.upgrade().ok_or_else(gone)?;
    if client.is_closed() {
        return Err(gone());
    }
    let callbacks = state.callbacks();
    let number = callbacks.begin(client.id);
    let mut writer = Writer::starting(reply::CALLBACK, number);
    writer.id(reference.id);
    keep(function);
    let written = ruby.protect(|| write_arguments(ruby, state, &client, &mut writer, arguments));
    if let Err(failure) = written {
        callbacks.give_up(number);
        state.take_back(ruby, client.id, &writer);
        return Err(failure);
    }
    let answer = answer_to(ruby, &callbacks, (&client, number), writer)?;
    let mut reader = Reader::new(&answer.message, &answer.attached);
    ruby.protect(|| {
        let (_kind, _number, has_returned) = (reader.byte()?, reader.id()?, reader.byte()? == 1);
        let incoming = Incoming {
            ruby,
            state,
            client: &client,
        };
        let pair = ruby.list(2);
        ruby.push(pair, ruby.bool(has_returned));
        ruby.push(pair, incoming.value(&mut reader)?);
        Ok(pair)
    })
}

/// Sends the call and waits for its answer. Whatever Ruby wants of this thread meanwhile is done in between: a signal, an
/// exception, a wake-up that is for nothing.
fn answer_to(
    ruby: Ruby,
    callbacks: &Callbacks,
    (client, number): (&Client, u64),
    message: Writer,
) -> Outcome<Answer> {
    let mut message = Some(message);
    loop {
        let is_poked = AtomicBool::new(false);
        let (outcome, interruption) = ruby.without_lock(
            || {
                if let Some(message) = message.take() {
                    client.reply(message);
                }
                fulmar_guest::aside(|is_wanted| {
                    let is_wanted = || is_wanted() && !client.is_closed();
                    let goes_on = || is_wanted() && !is_poked.load(Ordering::Acquire);
                    let answer = callbacks.wait_for_now(number, &goes_on);
                    (answer, is_wanted())
                })
            },
            &|| is_poked.store(true, Ordering::Release),
        );
        match (interruption, outcome) {
            (Ok(()), Some((Some(Some(answer)), _))) => return Ok(answer),
            // Only Ruby's own end of its waiting comes before anything is done.
            (Ok(()), Some((None, true)) | None) => {}
            (interruption, _) => {
                callbacks.give_up(number);
                interruption?;
                return Err(Failure::Gone(
                    "nobody waits for this call any more".to_owned(),
                ));
            }
        }
    }
}

fn write_arguments(
    ruby: Ruby,
    state: &State,
    client: &Arc<Client>,
    writer: &mut Writer,
    arguments: Value,
) -> Outcome<()> {
    let count = ruby.length(arguments);
    writer.size(count);
    let outgoing = Outgoing {
        ruby,
        state,
        client: client.id,
    };
    for index in 0..count {
        outgoing.value(writer, ruby.item(arguments, index))?;
    }
    keep(arguments);
    Ok(())
}
