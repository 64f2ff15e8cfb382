//! What a message asks for, done.

use std::sync::Arc;

use fulmar_guest::request::{Action, Call, Form, Kind, reply};
use fulmar_guest::wire::{Reader, Writer};
use fulmar_guest::{Client, Job, Worker};

use crate::language::State;
use crate::object::{Failure, Object, Outcome, Python};
use crate::values_in::Incoming;
use crate::values_out::Outgoing;

/// Where the outcome of a call goes.
pub(crate) struct Reply<'a> {
    pub(crate) state: &'a State,
    pub(crate) client: &'a Arc<Client>,
    pub(crate) call: u64,
    pub(crate) is_handle: bool,
}

impl Reply<'_> {
    pub(crate) fn settle<'py>(&self, python: Python<'py>, outcome: Outcome<'py, Object<'py>>) {
        if self.call == 0 {
            return;
        }
        let outgoing = Outgoing {
            state: self.state,
            client: self.client.id,
        };
        // Alive until it is sent: an object of JavaScript's that nobody has any more is let go of by a message,
        // which must not come before.
        let (message, _value) = match outcome {
            Ok(value) => match self.written(&value, outgoing) {
                Ok(message) => (message, Some(value)),
                Err(failure) => self.error(python, failure, outgoing),
            },
            Err(failure) => self.error(python, failure, outgoing),
        };
        self.client.reply(message);
    }

    fn written<'py>(&self, value: &Object<'py>, outgoing: Outgoing<'_>) -> Outcome<'py, Writer> {
        let mut writer = Writer::starting(reply::VALUE, self.call);
        let written = if self.is_handle {
            outgoing.handle(&mut writer, value)
        } else {
            outgoing.value(&mut writer, value)
        };
        if let Err(failure) = written {
            outgoing.take_back(value.python, &writer);
            return Err(failure);
        }
        Ok(writer)
    }

    /// The message, and what has to live until it is sent.
    fn error<'py>(
        &self,
        python: Python<'py>,
        failure: Failure<'py>,
        outgoing: Outgoing<'_>,
    ) -> (Writer, Option<Object<'py>>) {
        let plain = |code: &str, message: &str| (Writer::error(self.call, code, message), None);
        match failure {
            Failure::Value(message) => plain("ERR_GUEST_VALUE", &message),
            Failure::Gone(message) => plain("ERR_GUEST_HANDLE", &message),
            Failure::Busy(message) => plain("ERR_GUEST_BUSY", &message),
            Failure::Raised(error) => {
                let mut writer = Writer::starting(reply::ERROR, self.call);
                let described = self.state.made(python, "describe", vec![error]);
                let written = described.and_then(|described| {
                    outgoing.value(&mut writer, &described)?;
                    Ok(described)
                });
                if let Ok(described) = written {
                    return (writer, Some(described));
                }
                outgoing.take_back(python, &writer);
                plain(
                    "ERR_GUEST_EXCEPTION",
                    "an exception that cannot be described",
                )
            }
        }
    }
}

/// Does what one message asks for, and replies.
pub(crate) fn run(python: Python<'_>, state: &State, worker: &Worker, job: &Job) {
    state.begin(worker.thread, job);
    let mut reader = Reader::new(&job.message, &job.attached);
    let mut request = Request {
        python,
        state,
        job,
        is_handle: false,
    };
    let outcome = request.perform(&mut reader);
    if State::is_child() {
        let error = match outcome {
            Err(Failure::Raised(error)) => Some(error),
            _ => None,
        };
        return state.end_child(python, error);
    }
    let reply = Reply {
        state,
        client: &job.client,
        call: job.call,
        is_handle: request.is_handle,
    };
    if let Some(outcome) = outcome.transpose() {
        let awaitable = match &outcome {
            Ok(value) => state.is_awaitable(value).unwrap_or(false),
            Err(_) => false,
        };
        match outcome {
            Ok(value) if awaitable => {
                if let Err(failure) = request.await_later(value) {
                    reply.settle(python, Err(failure));
                } else if worker.is_cancelled() {
                    // The monitor may have looked for it before it was there.
                    state.cancel_later(python, job.client.id, Some(job.call));
                }
            }
            outcome => reply.settle(python, outcome),
        }
    }
    state.end(python, worker.thread);
}

struct Request<'py, 'a> {
    python: Python<'py>,
    state: &'a State,
    job: &'a Job,
    is_handle: bool,
}

impl<'py> Request<'py, '_> {
    fn incoming(&self) -> Incoming<'_> {
        Incoming {
            state: self.state,
            client: self.job.client.id,
        }
    }

    fn made(&self, name: &str, arguments: Vec<Object<'py>>) -> Outcome<'py, Object<'py>> {
        self.state.made(self.python, name, arguments)
    }

    /// Nothing: nobody waits for a reply.
    fn perform(&mut self, reader: &mut Reader<'_>) -> Outcome<'py, Option<Object<'py>>> {
        let python = self.python;
        match Kind::read(reader)? {
            Kind::Release => {
                let count = reader.count()?;
                for _ in 0..count {
                    self.state.release(python, self.job.client.id, reader.id()?);
                }
                Ok(None)
            }
            Kind::Import => {
                self.is_handle = true;
                let specifier = python.text(reader.text()?)?;
                let options = self.incoming().value(python, reader)?;
                self.made("load", vec![specifier, options]).map(Some)
            }
            Kind::Eval => {
                let code = python.text(reader.text()?)?;
                let name = python.text(reader.text()?)?;
                self.is_handle = reader.byte()? == Form::Handle as u8;
                let options = self.incoming().value(python, reader)?;
                self.made("evaluate", vec![code, name, options]).map(Some)
            }
            Kind::Call => {
                let call = Call::read(reader)?;
                self.is_handle = call.form == Form::Handle;
                self.call(&call, reader).map(Some)
            }
            Kind::Resolve => {
                let number = python.unsigned(reader.id()?)?;
                let has_returned = python.bool(reader.byte()? == 1);
                let (has_returned, value) = match self.incoming().value(python, reader) {
                    Ok(value) => (has_returned, value),
                    // A coroutine waits for it.
                    Err(failure) => (python.bool(false), self.told(failure)?),
                };
                self.made("answered", vec![number, has_returned, value])?;
                Ok(None)
            }
            Kind::Describe => self.made("describe_guest", vec![]).map(Some),
        }
    }

    fn call(&mut self, call: &Call<'_>, reader: &mut Reader<'_>) -> Outcome<'py, Object<'py>> {
        let incoming = self.incoming();
        let python = self.python;
        let (path, last) = match (call.action, call.path.split_last()) {
            // The last name is set or removed; it need not be there.
            (Action::Set | Action::Delete, Some((last, path))) => (path, Some(*last)),
            _ => (&*call.path, None),
        };
        let mut target = None;
        if call.target != 0 {
            target = Some(self.state.handle(python, self.job.client.id, call.target)?);
        }
        for name in path {
            target = Some(match target {
                Some(target) => self.member(&target, name)?,
                None => self.made("root_member", vec![python.text(name)?])?,
            });
        }
        let arguments = incoming.values(python, reader)?;
        let named = incoming.named(python, reader)?;
        let Some(target) = target else {
            return Err(Failure::Value("a call of nothing".to_owned()));
        };
        match call.action {
            Action::Call | Action::New => target.call(arguments, named.as_ref()),
            Action::Get | Action::Value => Ok(target),
            Action::Iterate => {
                self.is_handle = true;
                self.made("iterate", vec![target])
            }
            Action::Next => self.made("following", vec![target]),
            Action::Return => self.made("finish", vec![target]),
            Action::Names => self.made("names", vec![target]),
            Action::Text => self.made("text_of", vec![target]),
            Action::Set => {
                let name = python.text(last.unwrap_or_default())?;
                let value = arguments.into_iter().next().unwrap_or(python.none());
                self.made("assign", vec![target, name, value])
            }
            Action::Delete => {
                let name = python.text(last.unwrap_or_default())?;
                self.made("remove", vec![target, name])
            }
        }
    }

    /// An attribute, which is what it nearly always is; else what `support.py` finds.
    fn member(&self, target: &Object<'py>, name: &str) -> Outcome<'py, Object<'py>> {
        match target.attribute(name) {
            Ok(member) => Ok(member),
            Err(_) => self.made("step", vec![target.clone(), self.python.text(name)?]),
        }
    }

    /// What is wrong, for Python's own code.
    fn told(&self, failure: Failure<'py>) -> Outcome<'py, Object<'py>> {
        match failure {
            Failure::Raised(error) => Ok(error),
            Failure::Value(text) | Failure::Gone(text) | Failure::Busy(text) => {
                self.python.text(&text)
            }
        }
    }

    fn await_later(&self, awaitable: Object<'py>) -> Outcome<'py, ()> {
        let python = self.python;
        let arguments = vec![
            awaitable,
            python.unsigned(self.job.client.id)?,
            python.unsigned(self.job.call)?,
            python.bool(self.is_handle),
        ];
        let refused = self.made("await_later", arguments)?;
        if refused.is_none() {
            return Ok(());
        }
        Err(Failure::Busy(refused.as_text()?.to_owned()))
    }
}
