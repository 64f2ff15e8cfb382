//! A slot: the place of one process after the other, with its calls. Calls are known by JavaScript's number; to
//! the process they have another, which counts what it was sent, so that one number tells which have begun.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use fulmar_guest::wire::Writer;
use fulmar_guest::{Client, Waker};
use rustix::io::Errno;

use crate::begun::Begun;
use crate::bell::Bell;
use crate::config::Config;
use crate::frame::{Kind, Packet};
use crate::modules::Module;

/// Handles of a process begin behind its number, this many bits up: they are told apart from those of others.
pub(crate) const PROCESS_SHIFT: u32 = 32;

/// Calls with large values that the process has and has not begun: each takes a descriptor until then.
const LARGE_MAX: usize = 32;

pub(crate) const UNAVAILABLE: &str = "ERR_GUEST_UNAVAILABLE";

/// A call that waits here, as JavaScript sent it.
#[derive(Debug)]
pub(crate) struct Call {
    /// JavaScript's.
    pub(crate) number: u64,
    /// The message from its kind on.
    pub(crate) body: Vec<u8>,
    pub(crate) attached: Vec<Vec<u8>>,
    /// Processes that have ended with it, before it began.
    pub(crate) lost: u32,
}

/// The same where it still is where it came from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lent<'a> {
    pub(crate) call: u64,
    pub(crate) body: &'a [u8],
    pub(crate) attached: &'a [&'a [u8]],
    pub(crate) lost: u32,
}

impl Lent<'_> {
    pub(crate) fn to_owned(self) -> Call {
        Call {
            number: self.call,
            body: self.body.to_vec(),
            attached: self.attached.iter().map(|bytes| bytes.to_vec()).collect(),
            lost: self.lost,
        }
    }
}

/// Whose call the process has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// JavaScript's.
    Call,
    /// JavaScript's, of a member of this module.
    Member(u64),
    /// Ours: a module is imported.
    Import(u64),
}

/// A call that the process has.
#[derive(Debug)]
pub(crate) struct Sent {
    pub(crate) call: u64,
    pub(crate) purpose: Purpose,
    /// Until it has begun: another process can have it, where this one ends before.
    pub(crate) packet: Option<Arc<Packet>>,
    pub(crate) cancelled: Option<Instant>,
    pub(crate) lost: u32,
}

/// A process that runs.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) socket: Arc<OwnedFd>,
    pub(crate) begun: Begun,
    /// Told apart from all others of this process of ours.
    pub(crate) number: u64,
}

#[derive(Debug, Default)]
pub(crate) struct State {
    /// None: it is being started, or will be.
    pub(crate) link: Option<Link>,
    /// Packets that the socket has no room for.
    pub(crate) outgoing: VecDeque<Arc<Packet>>,
    /// By the process's number.
    pub(crate) sent: BTreeMap<u64, Sent>,
    /// The process's number of a call of JavaScript's.
    pub(crate) number_of: HashMap<u64, u64>,
    /// Calls that wait for a process.
    pub(crate) held: VecDeque<Call>,
    pub(crate) modules: HashMap<u64, Module>,
    pub(crate) last: u64,
    /// Up to here it is known which have begun, and how many of those have no reply.
    pub(crate) begun: u64,
    pub(crate) running: usize,
    /// Calls that have not begun, and take a descriptor.
    large: usize,
    /// The process has replied to a call.
    pub(crate) has_replied: bool,
    pub(crate) is_closed: bool,
    /// JavaScript found something that is no value: the process is to be ended.
    pub(crate) is_doubted: bool,
    /// Processes that have ended, as JavaScript is told of each.
    pub(crate) ended: u64,
}

/// See the head of this file.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) client: Client,
    pub(crate) config: Config,
    state: Mutex<State>,
    /// Wakes the supervisor.
    pub(crate) bell: Bell,
}

impl Slot {
    pub(crate) fn new(config: Config, waker: Waker) -> Result<Self, Errno> {
        Ok(Self {
            client: Client::new(0, waker),
            config,
            state: Mutex::default(),
            bell: Bell::new()?,
        })
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        // Nothing that holds it panics halfway through a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The supervisor looks again.
    pub(crate) fn ring(&self) {
        self.bell.ring();
    }

    /// What rang is looked at now.
    pub(crate) fn silence(&self) {
        self.bell.silence();
    }

    pub(crate) fn is_full(&self, state: &mut State) -> bool {
        state.count_begun();
        let unbegun = state.sent.len().saturating_sub(state.running);
        unbegun + state.kept() >= self.config.waiting_max
    }

    pub(crate) fn error(&self, call: u64, code: &str, message: &str) {
        if call != 0 {
            self.client.reply(Writer::error(call, code, message));
        }
    }

    /// Sends what the socket has room for; the supervisor does the rest.
    pub(crate) fn post(&self, state: &mut State, packet: Arc<Packet>) {
        let Some(link) = &state.link else {
            return;
        };
        if state.outgoing.is_empty() && packet.send(link.socket.as_fd()).is_ok() {
            return;
        }
        // There is no room for it, or the process has ended, which the supervisor will find.
        state.outgoing.push_back(packet);
        self.ring();
    }

    /// Gives the process a message with a number of its own. `body` without the number. What is wrong is told to
    /// JavaScript where the call is its own.
    pub(crate) fn send(
        &self,
        state: &mut State,
        lent: Lent<'_>,
        purpose: Purpose,
    ) -> Result<(), String> {
        let is_counted = lent.call != 0 || matches!(purpose, Purpose::Import(_));
        let number = if is_counted {
            state.last += 1;
            state.last
        } else {
            0
        };
        let mut message = Vec::with_capacity(8 + lent.body.len());
        message.extend(number.to_le_bytes());
        message.extend_from_slice(lent.body);
        let mut blocks = vec![&*message];
        blocks.extend_from_slice(lent.attached);
        let packet = match Packet::new(Kind::Submit, u64::from(is_counted), &blocks) {
            Ok(packet) => Arc::new(packet),
            Err(error) => {
                let text = format!("it could not be handed over: {error}");
                self.error(lent.call, UNAVAILABLE, &text);
                return Err(text);
            }
        };
        if is_counted {
            let sent = Sent {
                call: lent.call,
                purpose,
                packet: Some(Arc::clone(&packet)),
                cancelled: None,
                lost: lent.lost,
            };
            state.sent.insert(number, sent);
            state.large += usize::from(packet.is_large());
            if lent.call != 0 {
                state.number_of.insert(lent.call, number);
            }
        }
        self.post(state, packet);
        Ok(())
    }
}

impl State {
    /// Whether calls have to wait here.
    pub(crate) fn is_held_back(&self) -> bool {
        self.link.is_none() || self.large >= LARGE_MAX
    }

    /// The process is gone, and what it had was taken.
    pub(crate) fn reset(&mut self) {
        self.link = None;
        self.outgoing.clear();
        self.number_of.clear();
        (self.last, self.begun, self.running, self.large) = (0, 0, 0, 0);
        (self.has_replied, self.is_doubted) = (false, false);
    }

    /// Calls that the process does not have.
    pub(crate) fn kept(&self) -> usize {
        let in_modules = self.modules.values().map(|one| one.waiting.len());
        self.held.len() + in_modules.sum::<usize>()
    }

    /// Which calls have begun since it was last looked.
    pub(crate) fn count_begun(&mut self) {
        let Some(link) = &self.link else {
            return;
        };
        let begun = link.begun.get().min(self.last);
        if begun <= self.begun {
            return;
        }
        for sent in self.sent.range_mut(self.begun + 1..=begun) {
            self.running += 1;
            let packet = sent.1.packet.take();
            self.large -= usize::from(packet.is_some_and(|packet| packet.is_large()));
        }
        self.begun = begun;
    }

    /// A call of the process's has its reply.
    pub(crate) fn take(&mut self, number: u64) -> Option<Sent> {
        let sent = self.sent.remove(&number)?;
        if number <= self.begun {
            self.running = self.running.saturating_sub(1);
        }
        if sent.packet.as_ref().is_some_and(|packet| packet.is_large()) {
            self.large -= 1;
        }
        if sent.call != 0 {
            self.number_of.remove(&sent.call);
        }
        Some(sent)
    }
}
