//! What a message asks for, done.

use std::sync::Arc;

use fulmar_guest::request::{Action, Call, Form, Kind, reply};
use fulmar_guest::wire::{Reader, Writer};
use fulmar_guest::{Client, Job, Worker};

use crate::ffi::Value;
use crate::language::State;
use crate::ruby::{ARGUMENTS_MAX, Failure, Outcome, Ruby, keep};
use crate::signals;
use crate::values_in::Incoming;
use crate::values_out::Outgoing;

/// Does what one message asks for, and replies.
pub(crate) fn run(ruby: Ruby, state: &State, worker: &Worker, job: &Job) {
    state.begin(worker.thread, job);
    state.watcher.set_busy(true);
    let mut reader = Reader::new(&job.message, &job.attached);
    let mut request = Request {
        ruby,
        state,
        client: &job.client,
        is_handle: false,
    };
    let outcome = match Kind::read(&mut reader) {
        Ok(Kind::Call) => call(&mut request, &mut reader).map(Some),
        Ok(kind) => ruby.protect(|| request.perform(kind, &mut reader)),
        Err(problem) => Err(problem.into()),
    };
    let reply = Reply {
        ruby,
        state,
        client: &job.client,
        call: job.call,
        is_handle: request.is_handle,
    };
    if signals::is_child() {
        reply.leave(&outcome);
    }
    if let Some(outcome) = outcome.transpose() {
        reply.settle(outcome);
    }
    state.end(ruby, worker.thread);
    // Other threads of Ruby's have their turn, also where one call follows the other.
    if ruby.check_interrupts().is_err() {
        ruby.forget_jump();
    }
}

/// The path of a call is a list of Rust's, which has to stand outside of `protect`.
fn call(request: &mut Request<'_>, reader: &mut Reader<'_>) -> Outcome<Value> {
    let call = Call::read(reader)?;
    request.is_handle = call.form == Form::Handle || call.action == Action::Iterate;
    request.ruby.protect(|| request.call(&call, reader))
}

/// Where the outcome of a call goes.
struct Reply<'a> {
    ruby: Ruby,
    state: &'a State,
    client: &'a Arc<Client>,
    call: u64,
    is_handle: bool,
}

impl Reply<'_> {
    fn settle(&self, outcome: Outcome<Value>) {
        if self.call == 0 {
            self.ruby.forget_jump();
            return;
        }
        // Alive until it is sent: an object of JavaScript's that nobody has any more is let go of by a message,
        // which must not come before.
        let (message, value) = match outcome {
            Ok(value) => match self.written(value) {
                Ok(message) => (message, value),
                Err(failure) => self.error(failure),
            },
            Err(failure) => self.error(failure),
        };
        self.client.reply(message);
        keep(value);
    }

    fn outgoing(&self) -> Outgoing<'_> {
        Outgoing {
            ruby: self.ruby,
            state: self.state,
            client: self.client.id,
        }
    }

    fn written(&self, value: Value) -> Outcome<Writer> {
        let mut writer = Writer::starting(reply::VALUE, self.call);
        let outgoing = self.outgoing();
        let written = self.ruby.protect(|| {
            if self.is_handle {
                outgoing.handle(&mut writer, value)
            } else {
                outgoing.value(&mut writer, value)
            }
        });
        if let Err(failure) = written {
            self.state.take_back(self.ruby, self.client.id, &writer);
            return Err(failure);
        }
        Ok(writer)
    }

    /// The message, and what has to live until it is sent.
    fn error(&self, failure: Failure) -> (Writer, Value) {
        let nil = self.ruby.vm().nil;
        let plain = |code: &str, message: &str| (Writer::error(self.call, code, message), nil);
        match failure {
            Failure::Value(message) => plain("ERR_GUEST_VALUE", &message),
            Failure::Gone(message) => plain("ERR_GUEST_HANDLE", &message),
            Failure::Jump(_) => {
                self.ruby.forget_jump();
                plain(
                    "ERR_GUEST_EXCEPTION",
                    "the call has ended its thread, or has left it by throw",
                )
            }
            Failure::Raised(error) => {
                let mut writer = Writer::starting(reply::ERROR, self.call);
                let outgoing = self.outgoing();
                let described = self.ruby.protect(|| {
                    let described = self.state.made(self.ruby, "describe", &[error]);
                    outgoing.value(&mut writer, described)?;
                    Ok(described)
                });
                if let Ok(described) = described {
                    return (writer, described);
                }
                self.ruby.forget_jump();
                self.state.take_back(self.ruby, self.client.id, &writer);
                plain(
                    "ERR_GUEST_EXCEPTION",
                    "an exception that cannot be described",
                )
            }
        }
    }

    /// In a process that a call has made by `fork`: nobody waits here for its outcome, and the next call is the
    /// parent's.
    fn leave(&self, outcome: &Outcome<Option<Value>>) -> ! {
        let error = match outcome {
            Err(Failure::Raised(error)) => *error,
            _ => self.ruby.vm().nil,
        };
        let status = self.ruby.protect(|| {
            let status = self.state.made(self.ruby, "leave_child", &[error]);
            Ok(self.ruby.as_int(status))
        });
        let status = status.map_or(1, |status| i32::try_from(status).unwrap_or(1));
        // SAFETY: ends the process, without what the host would do at its own end.
        unsafe { libc::_exit(status) }
    }
}

struct Request<'a> {
    ruby: Ruby,
    state: &'a State,
    client: &'a Arc<Client>,
    is_handle: bool,
}

impl Request<'_> {
    fn incoming(&self) -> Incoming<'_> {
        Incoming {
            ruby: self.ruby,
            state: self.state,
            client: self.client,
        }
    }

    fn made(&self, name: &str, arguments: &[Value]) -> Value {
        self.state.made(self.ruby, name, arguments)
    }

    /// Nothing: nobody waits for a reply. Within `protect`.
    fn perform(&mut self, kind: Kind, reader: &mut Reader<'_>) -> Outcome<Option<Value>> {
        let ruby = self.ruby;
        match kind {
            Kind::Release => {
                let count = reader.count()?;
                for _ in 0..count {
                    self.state.release(ruby, self.client.id, reader.id()?);
                }
                Ok(None)
            }
            Kind::Import => {
                self.is_handle = true;
                let specifier = ruby.text(reader.text()?);
                let options = self.incoming().value(reader)?;
                Ok(Some(self.made("import", &[specifier, options])))
            }
            Kind::Eval => {
                let code = ruby.text(reader.text()?);
                let name = ruby.text(reader.text()?);
                self.is_handle = reader.byte()? == Form::Handle as u8;
                let options = self.incoming().value(reader)?;
                Ok(Some(self.made("evaluate", &[code, name, options])))
            }
            // An answer that no thread waits for any more.
            Kind::Resolve | Kind::Call => Ok(None),
            Kind::Describe => Ok(Some(self.made("describe_guest", &[]))),
        }
    }

    /// Within `protect`.
    fn call(&self, call: &Call<'_>, reader: &mut Reader<'_>) -> Outcome<Value> {
        let ruby = self.ruby;
        let (path, last) = match (call.action, call.path.split_last()) {
            // The last name is called, set or removed; it is not asked for.
            (Action::Call | Action::Set | Action::Delete, Some((last, path))) => {
                (path, Some(*last))
            }
            _ => (&*call.path, None),
        };
        let mut target = if call.target == 0 {
            self.made("root", &[])
        } else {
            self.state.handle(ruby, self.client.id, call.target)?
        };
        for name in path {
            target = self.made("step", &[target, ruby.text(name)]);
        }
        let arguments = self.incoming().values(reader)?;
        let named = self.incoming().named(reader)?;
        let (nil, text) = (ruby.vm().nil, |name: &str| ruby.text(name));
        Ok(match call.action {
            Action::Call => self.invoke(target, last, arguments, named),
            Action::New => self.made("create", &[target, arguments, named.unwrap_or(nil)]),
            Action::Get | Action::Value => target,
            Action::Iterate => self.made("iterate", &[target]),
            Action::Next => self.made("following", &[target]),
            Action::Return => self.made("finish", &[target]),
            Action::Names => self.made("names", &[target]),
            Action::Text => self.made("text_of", &[target]),
            Action::Set => {
                let name = text(last.unwrap_or_default());
                self.made("assign", &[target, name, ruby.item(arguments, 0)])
            }
            Action::Delete => self.made("remove", &[target, text(last.unwrap_or_default())]),
        })
    }

    /// A method of an object or a function of a file, which is what it nearly always is; else what `support.rb`
    /// finds.
    fn invoke(
        &self,
        target: Value,
        name: Option<&str>,
        arguments: Value,
        named: Option<Value>,
    ) -> Value {
        let ruby = self.ruby;
        let nil = ruby.vm().nil;
        let count = ruby.length(arguments);
        let (Some(name), true) = (name, count <= ARGUMENTS_MAX) else {
            let name = name.map_or(nil, |name| ruby.text(name));
            return self.made("invoke", &[target, name, arguments, named.unwrap_or(nil)]);
        };
        // On the machine stack, where Ruby's collector sees them.
        let mut list = [nil; ARGUMENTS_MAX];
        for (index, place) in list.iter_mut().enumerate().take(count) {
            *place = ruby.item(arguments, index);
        }
        let is_loaded = ruby.class(target) == self.state.loaded_class;
        let name = ruby.text(name);
        let result = match ruby.known_id(name).filter(|_| named.is_none()) {
            Some(method) if is_loaded => {
                let functions = ruby.instance_variable(target, self.state.functions_name);
                let receiver = ruby.lookup(functions, name);
                receiver.map(|receiver| ruby.call(receiver, method, &list[..count]))
            }
            Some(method) if ruby.responds_to(target, method) => {
                Some(ruby.call_public(target, method, &list[..count]))
            }
            _ => None,
        };
        let result = result.unwrap_or_else(|| {
            self.made("invoke", &[target, name, arguments, named.unwrap_or(nil)])
        });
        keep(arguments);
        result
    }
}
