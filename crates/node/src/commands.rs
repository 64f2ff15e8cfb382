//! The replies JavaScript wrote during a batch: fixed-size commands with offsets into the arena.

use fulmar_engine::{Body, Engine, Id, Reply};

use crate::format::{COMMAND_WORDS, command, control};
use crate::host::Shared;
use crate::js::Memory;

/// Gives every waiting command to the engine and empties the arena.
pub(crate) fn run(engine: &mut Engine, shared: &Shared) {
    let count = control::read(shared.control, control::COMMANDS) as usize;
    if count == 0 {
        return;
    }
    let words = bytes_of(shared.commands);
    let arena = bytes_of(shared.arena);
    for record in words.chunks_exact(COMMAND_WORDS * 4).take(count) {
        reply(engine, record, arena);
    }
    control::write(shared.control, control::COMMANDS, 0);
    control::write(shared.control, control::ARENA, 0);
}

fn reply(engine: &mut Engine, record: &[u8], arena: &[u8]) {
    let word = |index: usize| -> usize {
        let bytes = record
            .get(index * 4..index * 4 + 4)
            .and_then(|b| b.try_into().ok());
        bytes.map_or(0, |b| u32::from_ne_bytes(b) as usize)
    };
    let bytes = |start: usize, len: usize| arena.get(start..start + len).unwrap_or_default();
    let part = |start: usize, len: usize| bytes(word(start), word(len));
    let small = |index: usize| u32::try_from(word(index)).unwrap_or(0);
    let id = Id {
        slot: small(command::SLOT),
        generation: small(command::GENERATION),
    };
    let reason_len = word(command::REASON_SIZE).checked_sub(1);
    let reply = Reply {
        status: u16::try_from(word(command::STATUS)).unwrap_or(500),
        reason: reason_len.map(|len| bytes(word(command::REASON_START), len)),
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

fn bytes_of<'a>(memory: Memory) -> &'a [u8] {
    // SAFETY: the host's references keep the array alive, and JavaScript does not run while the slice is used.
    unsafe { std::slice::from_raw_parts(memory.data, memory.bytes) }
}
