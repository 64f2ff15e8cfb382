//! Messages of JavaScript's on their way to the process: what they name is what that process knows it by.

use std::sync::Arc;
use std::time::Instant;

use fulmar_guest::abi::Submitted;
use fulmar_guest::request::Kind as Request;
use fulmar_guest::wire::{Writer, tag};

use crate::frame::{Kind, Packet};
use crate::modules::{Module, NUMBERS_MIN, Progress, push_id, split_id};
use crate::slot::{Call, Lent, PROCESS_SHIFT, Purpose, Slot, State, UNAVAILABLE};

/// Messages that are for this library alone (`packages/fulmar/src/polyglot/wire/tags.ts`).
mod own {
    /// Number of a module, then what imports it: it is known by that number from now on.
    pub(super) const DEFINE: u8 = 16;
    /// Number of a module: it is imported, and the reply is a handle.
    pub(super) const LOAD: u8 = 17;
    /// The process ends, and no other takes its place.
    pub(super) const CLOSE: u8 = 18;
    /// The process has sent what is no value: another one takes its place. Behind how many that have ended: by now it may
    /// be gone.
    pub(super) const DOUBT: u8 = 19;
}

impl Slot {
    pub(crate) fn submit(&self, lent: Lent<'_>, is_counted: bool) -> Submitted {
        let mut guard = self.state();
        let state = &mut *guard;
        let Some((kind, rest)) = lent.body.split_first() else {
            return Submitted::Closed;
        };
        if state.is_closed {
            return Submitted::Closed;
        }
        if is_counted && self.is_full(state) {
            return Submitted::Busy;
        }
        match *kind {
            own::DEFINE => define(state, rest, lent),
            own::CLOSE => {
                state.is_closed = true;
                self.ring();
            }
            own::DOUBT => {
                let behind = split_id(rest).map(|(ended, _)| ended);
                state.is_doubted |= behind == Some(state.ended);
                self.ring();
            }
            kind if kind == Request::Release as u8 => self.release(state, rest),
            kind if kind == Request::Resolve as u8 => self.resolve(state, rest, lent),
            _ => self.dispatch(state, lent),
        }
        Submitted::Taken
    }

    /// Gives a call to the process, or keeps it until that can be. Calls keep their order.
    fn dispatch(&self, state: &mut State, lent: Lent<'_>) {
        if state.is_held_back() || !state.held.is_empty() {
            state.held.push_back(lent.to_owned());
        } else {
            self.dispatch_now(state, lent);
        }
    }

    /// What has waited here goes on, as far as it can.
    pub(crate) fn dispatch_held(&self, state: &mut State) {
        state.count_begun();
        while !state.is_held_back() {
            let Some(call) = state.held.pop_front() else {
                return;
            };
            self.dispatch_own(state, &call);
        }
    }

    fn dispatch_now(&self, state: &mut State, lent: Lent<'_>) {
        let Some(link) = &state.link else {
            return;
        };
        let process = link.number;
        let Some((kind, rest)) = lent.body.split_first() else {
            return;
        };
        if *kind == own::LOAD {
            let number = split_id(rest).map_or(0, |(number, _)| number);
            return self.with_module(state, number, lent);
        }
        if *kind != Request::Call as u8 {
            let _told = self.send(state, lent, Purpose::Call);
            return;
        }
        match split_id(rest) {
            Some((target, _)) if target >= NUMBERS_MIN => self.with_module(state, target, lent),
            Some((target, _)) if target != 0 && target >> PROCESS_SHIFT != process => {
                let text = format!(
                    "this object was in a process of {} that has ended",
                    self.config.language
                );
                self.error(lent.call, "ERR_GUEST_HANDLE", &text);
            }
            _ => {
                let _told = self.send(state, lent, Purpose::Call);
            }
        }
    }

    /// The same for one that has waited here.
    pub(crate) fn dispatch_own(&self, state: &mut State, call: &Call) {
        let attached: Vec<&[u8]> = call.attached.iter().map(Vec::as_slice).collect();
        let lent = Lent {
            call: call.number,
            body: &call.body,
            attached: &attached,
            lost: call.lost,
        };
        self.dispatch_now(state, lent);
    }

    /// A call of a module, or the wish to have it.
    fn with_module(&self, state: &mut State, number: u64, lent: Lent<'_>) {
        let Some(module) = state.modules.get_mut(&number) else {
            self.error(lent.call, "ERR_GUEST_HANDLE", "a module that is not known");
            return;
        };
        match &module.progress {
            Progress::There { id, about } => {
                if lent.body.first() == Some(&own::LOAD) {
                    self.client.reply(handle(lent.call, number, about));
                    return;
                }
                let mut body = vec![Request::Call as u8];
                push_id(&mut body, *id);
                let rest = split_id(lent.body.get(1..).unwrap_or_default());
                body.extend_from_slice(rest.map_or(&[], |(_, rest)| rest));
                let member = Lent {
                    body: &body,
                    ..lent
                };
                let _told = self.send(state, member, Purpose::Member(number));
            }
            Progress::Importing => module.waiting.push(lent.to_owned()),
            Progress::Unknown => {
                module.waiting.push(lent.to_owned());
                module.progress = Progress::Importing;
                let import = module.import.clone();
                let attached = module.attached.clone();
                let attached: Vec<&[u8]> = attached.iter().map(Vec::as_slice).collect();
                let ours = Lent {
                    call: 0,
                    body: &import,
                    attached: &attached,
                    lost: 0,
                };
                if let Err(text) = self.send(state, ours, Purpose::Import(number)) {
                    let module = state.modules.get_mut(&number);
                    for call in module.map(Module::forget).unwrap_or_default() {
                        self.error(call.number, UNAVAILABLE, &text);
                    }
                }
            }
        }
    }

    /// Modules stay; so does nothing of a process that has ended.
    fn release(&self, state: &mut State, mut rest: &[u8]) {
        let Some(process) = state.link.as_ref().map(|link| link.number) else {
            return;
        };
        let mut ids = Vec::new();
        let (mut found, mut is_count) = (0, true);
        while let Some((id, behind)) = split_id(rest) {
            rest = behind;
            if !is_count && id >> PROCESS_SHIFT == process {
                push_id(&mut ids, id);
                found += 1;
            }
            is_count = false;
        }
        if found == 0 {
            return;
        }
        let mut body = vec![Request::Release as u8];
        push_id(&mut body, found);
        body.extend(ids);
        let _small = self.uncounted(state, &body, &[]);
    }

    /// An answer to a call into JavaScript, if the process that asked is still there.
    fn resolve(&self, state: &mut State, rest: &[u8], lent: Lent<'_>) {
        let Some((number, value)) = split_id(rest) else {
            return;
        };
        let process = state.link.as_ref().map(|link| link.number);
        if process != Some(number >> PROCESS_SHIFT) {
            return;
        }
        let mut body = vec![Request::Resolve as u8];
        push_id(&mut body, number & ((1 << PROCESS_SHIFT) - 1));
        let head = body.clone();
        body.extend_from_slice(value);
        let Err(problem) = self.uncounted(state, &body, lent.attached) else {
            return;
        };
        // A thread there waits for it: it has thrown.
        let mut thrown = Writer {
            bytes: head,
            ..Writer::default()
        };
        thrown.byte(0);
        thrown.text(&problem);
        let _small = self.uncounted(state, &thrown.bytes, &[]);
    }

    fn uncounted(&self, state: &mut State, body: &[u8], attached: &[&[u8]]) -> Result<(), String> {
        let lent = Lent {
            call: 0,
            body,
            attached,
            lost: 0,
        };
        self.send(state, lent, Purpose::Call)
    }

    /// Nobody waits for this call any more.
    pub(crate) fn cancel(&self, call: u64) {
        let mut guard = self.state();
        let state = &mut *guard;
        let before = state.kept();
        state.held.retain(|one| one.number != call);
        for module in state.modules.values_mut() {
            module.waiting.retain(|one| one.number != call);
        }
        if state.kept() < before {
            let text = "it was given up before it began";
            return self.error(call, "ERR_GUEST_TIMEOUT", text);
        }
        let Some(number) = state.number_of.get(&call).copied() else {
            return;
        };
        if let Some(sent) = state.sent.get_mut(&number) {
            sent.cancelled = Some(Instant::now());
        }
        if let Ok(packet) = Packet::new(Kind::Cancel, number, &[]) {
            self.post(state, Arc::new(packet));
        }
        // From now on its time is looked at.
        self.ring();
    }
}

fn define(state: &mut State, rest: &[u8], lent: Lent<'_>) {
    let Some((number, what)) = split_id(rest) else {
        return;
    };
    let mut import = vec![Request::Import as u8];
    import.extend_from_slice(what);
    state.modules.entry(number).or_insert_with(|| Module {
        import,
        attached: lent.to_owned().attached,
        progress: Progress::Unknown,
        waiting: Vec::new(),
    });
}

/// The reply that is a module.
fn handle(call: u64, number: u64, about: &[u8]) -> Writer {
    let mut writer = Writer::starting(fulmar_guest::request::reply::VALUE, call);
    writer.byte(tag::HANDLE);
    writer.id(number);
    writer.bytes.extend_from_slice(about);
    writer
}
