//! Messages of a process on their way to JavaScript. Everything in their heads is checked; values are read by
//! JavaScript, which says what is none (`own::DOUBT`).

use fulmar_guest::request::reply;
use fulmar_guest::wire::{Writer, tag};

use crate::modules::{Progress, push_id, split_id};
use crate::slot::{PROCESS_SHIFT, Purpose, Sent, Slot, State};

type Outcome<T> = Result<T, String>;

fn index(value: u64) -> Outcome<usize> {
    usize::try_from(value).map_err(|error| error.to_string())
}

impl Slot {
    /// All replies of a packet: messages behind their lengths and counts, then what is attached to them.
    pub(crate) fn receive(&self, blocks: Vec<Vec<u8>>) -> Outcome<()> {
        let mut blocks = blocks.into_iter();
        let messages = blocks.next().ok_or("replies without any")?;
        let mut rest = &*messages;
        let mut guard = self.state();
        let state = &mut *guard;
        state.count_begun();
        while !rest.is_empty() {
            let (head, behind) = rest.split_first_chunk::<8>().ok_or("half a reply")?;
            let head = u64::from_le_bytes(*head);
            // The length, then how many values are attached, four bytes each.
            let (length, count) = (head & u64::from(u32::MAX), head >> 32);
            let (length, count) = (index(length)?, index(count)?);
            let (message, behind) = behind.split_at_checked(length).ok_or("half a reply")?;
            rest = behind;
            if count > blocks.len() {
                return Err("a reply whose attached values are not there".to_owned());
            }
            let attached = blocks.by_ref().take(count).collect();
            self.one(state, message, attached)?;
        }
        if blocks.next().is_some() {
            return Err("attached values of no reply".to_owned());
        }
        self.dispatch_held(state);
        Ok(())
    }

    fn one(&self, state: &mut State, message: &[u8], attached: Vec<Vec<u8>>) -> Outcome<()> {
        let (kind, rest) = message.split_first().ok_or("an empty reply")?;
        let (number, payload) = split_id(rest).ok_or("a reply without a number")?;
        match *kind {
            reply::VALUE | reply::ERROR => {
                let sent = state.take(number);
                let sent = sent.ok_or_else(|| format!("a reply to no call ({number})"))?;
                state.has_replied = true;
                match sent {
                    Sent {
                        purpose: Purpose::Import(module),
                        ..
                    } => self.imported(state, module, *kind, payload, &attached)?,
                    Sent { call, .. } => self.pass(*kind, call, payload, attached),
                }
            }
            reply::CALLBACK => {
                let process = state.link.as_ref().map_or(0, |link| link.number);
                if number >> PROCESS_SHIFT != 0 {
                    return Err("a call of too high a number".to_owned());
                }
                let number = process << PROCESS_SHIFT | number;
                self.pass(reply::CALLBACK, number, payload, attached);
            }
            reply::LET_GO => self.pass(reply::LET_GO, number, payload, attached),
            _ => return Err(format!("a reply of the unknown kind {kind}")),
        }
        Ok(())
    }

    fn pass(&self, kind: u8, number: u64, payload: &[u8], attached: Vec<Vec<u8>>) {
        let mut bytes = Vec::with_capacity(payload.len() + 10);
        bytes.push(kind);
        push_id(&mut bytes, number);
        bytes.extend_from_slice(payload);
        self.client.reply(Writer {
            bytes,
            attached,
            ..Writer::default()
        });
    }

    /// A module is there, or is not: what has waited for it goes on, or has the same error.
    fn imported(
        &self,
        state: &mut State,
        number: u64,
        kind: u8,
        payload: &[u8],
        attached: &[Vec<u8>],
    ) -> Outcome<()> {
        let Some(module) = state.modules.get_mut(&number) else {
            return Ok(());
        };
        let waiting = std::mem::take(&mut module.waiting);
        if kind == reply::ERROR {
            module.progress = Progress::Unknown;
            for call in waiting {
                self.pass(kind, call.number, payload, attached.to_vec());
            }
            return Ok(());
        }
        let found = payload.split_first();
        let found = found.filter(|(head, _)| **head == tag::HANDLE);
        let (id, about) = found
            .and_then(|(_, rest)| split_id(rest))
            .ok_or("a module that is no object")?;
        module.progress = Progress::There {
            id,
            about: about.to_vec(),
        };
        for call in waiting {
            self.dispatch_own(state, &call);
        }
        Ok(())
    }
}
