//! The functions that `support.py` has of ours: into JavaScript, and to say how a coroutine has ended.

use std::panic::{AssertUnwindSafe, catch_unwind};

use fulmar_guest::request::reply;
use fulmar_guest::wire::{Reader, Writer};

use crate::ffi::{MethodDefinition, Raw, VARARGS};
use crate::language::{State, state};
use crate::object::{Failure, Object, Outcome, Python, without_lock};
use crate::operations::Reply;
use crate::values_in::Incoming;
use crate::values_out::Outgoing;

/// By name.
pub(crate) static FUNCTIONS: [(&std::ffi::CStr, &MethodDefinition); 4] = [
    (c"call", &CALL),
    (c"call_later", &CALL_LATER),
    (c"settle", &SETTLE),
    (c"let_go", &LET_GO),
];

static CALL: MethodDefinition = definition(c"call", call);
static CALL_LATER: MethodDefinition = definition(c"call_later", call_later);
static SETTLE: MethodDefinition = definition(c"settle", settle);
static LET_GO: MethodDefinition = definition(c"let_go", let_go);

const fn definition(
    name: &'static std::ffi::CStr,
    function: crate::ffi::Function,
) -> MethodDefinition {
    MethodDefinition {
        name: name.as_ptr(),
        function: Some(function),
        flags: VARARGS,
        doc: std::ptr::null(),
    }
}

/// The one door from Python: its arguments, and what comes of them as a result or an exception.
fn enter(
    arguments: Raw,
    body: impl for<'py> FnOnce(Python<'py>, &'static State, &Object<'py>) -> Outcome<'py, Object<'py>>,
) -> Raw {
    let Some(state) = state() else {
        return std::ptr::null_mut();
    };
    // SAFETY: Python has called: this thread holds its lock until this returns.
    let python = unsafe { Python::assumed(state.api) };
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        if State::is_child() {
            let text = "there is no JavaScript in a process that fork has made".to_owned();
            return Err(Failure::Value(text));
        }
        body(python, state, &python.share(arguments))
    }));
    match outcome {
        Ok(Ok(value)) => value.into_raw(),
        Ok(Err(failure)) => {
            state.raise(python, failure);
            std::ptr::null_mut()
        }
        Err(_) => {
            let text = "Fulmar failed unexpectedly; this is a bug in it".to_owned();
            state.raise(python, Failure::Value(text));
            std::ptr::null_mut()
        }
    }
}

/// A call into JavaScript: its function, and the arguments.
fn write_call<'py>(
    outgoing: Outgoing<'_>,
    number: u64,
    function: &Object<'py>,
    arguments: &Object<'py>,
) -> Outcome<'py, Writer> {
    let mut writer = Writer::starting(reply::CALLBACK, number);
    writer.id(function.as_id()?);
    let count = arguments.tuple_length();
    writer.size(count);
    let written =
        (0..count).try_for_each(|index| outgoing.value(&mut writer, &arguments.tuple_item(index)?));
    if let Err(failure) = written {
        outgoing.take_back(arguments.python, &writer);
        return Err(failure);
    }
    Ok(writer)
}

/// (client, function, arguments) → (it returned, its value or error)
unsafe extern "C" fn call(_: Raw, arguments: Raw) -> Raw {
    enter(arguments, |python, state, arguments| {
        let client = arguments.tuple_item(0)?.as_id()?;
        let target = state.client(client)?;
        let callbacks = state.callbacks();
        let outgoing = Outgoing { state, client };
        let (function, given) = (arguments.tuple_item(1)?, arguments.tuple_item(2)?);
        let number = callbacks.begin(client);
        let message = match write_call(outgoing, number, &function, &given) {
            Ok(message) => message,
            Err(failure) => {
                callbacks.give_up(number);
                return Err(failure);
            }
        };
        let answer = without_lock(python, || {
            target.reply(message);
            fulmar_guest::aside(|is_wanted| {
                // Its end may have come before the call had begun.
                callbacks.wait(number, &|| is_wanted() && !target.is_closed())
            })
        });
        let Some(answer) = answer else {
            return Err(Failure::Gone(
                "nobody waits for this call any more".to_owned(),
            ));
        };
        let mut reader = Reader::new(&answer.message, &answer.attached);
        let (_kind, _number, has_returned) = (reader.byte()?, reader.id()?, reader.byte()? == 1);
        let value = Incoming { state, client }.value(python, &mut reader)?;
        python.tuple(vec![python.bool(has_returned), value])
    })
}

/// (client, function, arguments, number): its answer goes to `answered` of `support.py`.
unsafe extern "C" fn call_later(_: Raw, arguments: Raw) -> Raw {
    enter(arguments, |python, state, arguments| {
        let client = arguments.tuple_item(0)?.as_id()?;
        let target = state.client(client)?;
        let number = arguments.tuple_item(3)?.as_id()?;
        let message = write_call(
            Outgoing { state, client },
            number,
            &arguments.tuple_item(1)?,
            &arguments.tuple_item(2)?,
        )?;
        target.reply(message);
        Ok(python.none())
    })
}

/// (client, call, form, it returned, its value or error): a coroutine has ended.
unsafe extern "C" fn settle(_: Raw, arguments: Raw) -> Raw {
    enter(arguments, |python, state, arguments| {
        let client = arguments.tuple_item(0)?.as_id()?;
        let Ok(target) = state.client(client) else {
            return Ok(python.none());
        };
        let reply = Reply {
            state,
            client: &target,
            call: arguments.tuple_item(1)?.as_id()?,
            is_handle: arguments.tuple_item(2)?.is_true()?,
        };
        let value = arguments.tuple_item(4)?;
        if arguments.tuple_item(3)?.is_true()? {
            reply.settle(python, Ok(value));
        } else {
            reply.settle(python, Err(Failure::Raised(value)));
        }
        Ok(python.none())
    })
}

/// (client, object): Python needs an object of JavaScript's no more.
unsafe extern "C" fn let_go(_: Raw, arguments: Raw) -> Raw {
    enter(arguments, |python, state, arguments| {
        if let Ok(client) = state.client(arguments.tuple_item(0)?.as_id()?) {
            client.reply(Writer::starting(
                reply::LET_GO,
                arguments.tuple_item(1)?.as_id()?,
            ));
        }
        Ok(python.none())
    })
}
