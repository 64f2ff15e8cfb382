//! Events on their way to JavaScript, and the replies it wrote: fixed-size commands with offsets into the
//! arena.

use fulmar_engine::{Body, Engine, Event, EventKind, Id, Reply};

use crate::format::{COMMAND_WORDS, EVENT_WORDS, EVENTS_CAPACITY, command, word};

/// Copies the engine's events into the shared array and drops them there; returns how many.
pub(crate) fn copy_events(engine: &mut Engine, target: &mut [u8]) -> u32 {
    let places = target.chunks_exact_mut(EVENT_WORDS * 4);
    let count = engine.events().len().min(EVENTS_CAPACITY).min(places.len());
    for (event, place) in engine.events().iter().zip(places) {
        copy(event, place);
    }
    engine.drop_events(count);
    u32::try_from(count).unwrap_or(0)
}

fn copy(event: &Event, place: &mut [u8]) {
    for (word, to) in event.words().iter().zip(place.chunks_exact_mut(4)) {
        to.copy_from_slice(&word.to_ne_bytes());
    }
}

/// Puts the `Sent` that the engine has into the places of handled events right before `reached`; returns the
/// index of the first.
pub(crate) fn prepend_sent(engine: &mut Engine, target: &mut [u8], reached: u32) -> u32 {
    let is_sent = |event: &&Event| event.kind() == EventKind::Sent as u8;
    let waiting = engine.events().iter().filter(is_sent).count();
    let reached = reached as usize;
    let count = waiting.min(reached);
    let first = reached - count;
    let mut places = target.chunks_exact_mut(EVENT_WORDS * 4).skip(first);
    engine.take_sent(count, |event| {
        if let Some(place) = places.next() {
            copy(event, place);
        }
    });
    u32::try_from(first).unwrap_or(0)
}

/// Gives the first `count` commands to the engine.
pub(crate) fn reply_all(engine: &mut Engine, count: u32, commands: &[u8], arena: &[u8]) {
    let records = commands.chunks_exact(COMMAND_WORDS * 4);
    for record in records.take(count as usize) {
        reply(engine, record, arena);
    }
}

fn reply(engine: &mut Engine, record: &[u8], arena: &[u8]) {
    let small = |index: usize| word(record, index);
    let at = |index: usize| small(index) as usize;
    let bytes = |start: usize, len: usize| arena.get(start..start + len).unwrap_or_default();
    let part = |start: usize, len: usize| bytes(at(start), at(len));
    let id = Id {
        slot: small(command::SLOT),
        generation: small(command::GENERATION),
    };
    let reason_len = at(command::REASON_SIZE).checked_sub(1);
    let reply = Reply {
        status: u16::try_from(at(command::STATUS)).unwrap_or(500),
        reason: reason_len.map(|len| bytes(at(command::REASON_START), len)),
        block: part(command::BLOCK_START, command::BLOCK_LEN),
        flags: small(command::FLAGS),
    };
    let body = part(command::BODY_START, command::BODY_LEN);
    engine.reply(
        id,
        reply,
        if body.is_empty() {
            Body::None
        } else {
            Body::Copy(body)
        },
    );
}
