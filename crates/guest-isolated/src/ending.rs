//! What becomes of calls when a process ends: those that had begun in it have failed, those that waited are
//! for the next one.

use fulmar_guest::wire::Writer;

use crate::frame::Packet;
use crate::modules::{Module, push_id, split_id};
use crate::slot::{Call, Purpose, Sent, Slot, State, UNAVAILABLE};

/// Nothing of the process is left: what was lent to it is free again, but by calls that wait (a message of this
/// library's own to JavaScript).
const ENDED: u8 = 4;

/// A call is given to as many processes, if they end before it has begun.
const LOST_MAX: u32 = 3;

const CRASHED: &str = "ERR_GUEST_CRASHED";

impl Slot {
    /// The process has ended; `how` says with what.
    pub(crate) fn ended(&self, how: &str) {
        let mut guard = self.state();
        let state = &mut *guard;
        state.count_begun();
        let text = format!(
            "the process of {} in which the call ran {how}",
            self.config.language
        );
        let mut again = Vec::new();
        for sent in std::mem::take(&mut state.sent).into_values() {
            self.one_ended(state, sent, &text, &mut again);
        }
        for module in state.modules.values_mut() {
            again.extend(module.forget());
        }
        state.reset();
        for mut call in again.into_iter().rev() {
            call.lost += 1;
            if call.lost < LOST_MAX {
                state.held.push_front(call);
            } else {
                // It may be what ends them: by its size, or by what reads it.
                self.error(call.number, CRASHED, &text);
            }
        }
        state.ended += 1;
        self.client.reply(Writer::starting(ENDED, 0));
    }

    fn one_ended(&self, state: &mut State, sent: Sent, text: &str, again: &mut Vec<Call>) {
        match sent {
            Sent {
                packet: None,
                purpose: Purpose::Import(module),
                ..
            } => {
                let module = state.modules.get_mut(&module);
                // They would end the next one in the same way.
                for call in module.map(Module::forget).unwrap_or_default() {
                    self.error(call.number, CRASHED, text);
                }
            }
            // What waits for the module is taken from there; for what was given up nobody waits.
            Sent {
                purpose: Purpose::Import(_),
                ..
            }
            | Sent {
                cancelled: Some(_), ..
            } => {}
            Sent {
                packet: None, call, ..
            } => self.error(call, CRASHED, text),
            Sent {
                packet: Some(packet),
                call,
                purpose,
                lost,
                ..
            } => match restored(call, &packet, purpose) {
                Some(call) => again.push(Call { lost, ..call }),
                None => self.error(call, CRASHED, text),
            },
        }
    }

    /// No process could be started: whoever waits for one is told.
    pub(crate) fn not_started(&self, why: &str) {
        let held = std::mem::take(&mut self.state().held);
        let text = format!(
            "a process of {} could not be started again: {why}",
            self.config.language
        );
        for call in held {
            self.error(call.number, CRASHED, &text);
        }
    }

    /// There will be no process any more.
    pub(crate) fn closed(&self) {
        let mut guard = self.state();
        let state = &mut *guard;
        state.is_closed = true;
        state.link = None;
        state.outgoing.clear();
        let waiting = state.modules.values_mut().flat_map(Module::forget);
        let held = std::mem::take(&mut state.held).into_iter().chain(waiting);
        let sent = std::mem::take(&mut state.sent).into_values();
        let calls: Vec<u64> = held
            .map(|call| call.number)
            .chain(sent.map(|sent| sent.call))
            .collect();
        let text = format!("the process of {} was closed", self.config.language);
        for call in calls {
            self.error(call, UNAVAILABLE, &text);
        }
    }
}

/// A call as JavaScript sent it, from the message that was made of it for the process.
fn restored(call: u64, packet: &Packet, purpose: Purpose) -> Option<Call> {
    let mut blocks = packet.blocks().ok()?.into_iter();
    let message = blocks.next()?;
    let body = message.get(8..)?;
    let body = match purpose {
        Purpose::Member(module) => {
            let (kind, rest) = body.split_first()?;
            let (_, rest) = split_id(rest)?;
            let mut again = vec![*kind];
            push_id(&mut again, module);
            again.extend_from_slice(rest);
            again
        }
        _ => body.to_vec(),
    };
    Some(Call {
        number: call,
        body,
        attached: blocks.collect(),
        lost: 0,
    })
}
