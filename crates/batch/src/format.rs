//! The numbers both sides of the batch agree on. Mirrors `packages/fulmar/src/exchange/format.ts`; a unit
//! test compares the two.

/// 32-bit words of an event record.
pub const EVENT_WORDS: usize = 16;
/// Event records in the shared array: the engine's maximum per turn and a margin for events that come in
/// pairs.
pub const EVENTS_CAPACITY: usize = 576;
/// 32-bit words of a reply command.
pub const COMMAND_WORDS: usize = 12;

/// Reply commands that fit into the shared array.
pub const COMMANDS_CAPACITY: usize = 512;
/// Bytes for the text and the small bodies of waiting replies: a full batch of small ones.
pub const ARENA_BYTES: usize = 256 * 1024;
/// Sizes of the memory that both sides see: control, events, commands, arena, in bytes.
pub const SHARED_BYTES: [usize; 4] = [
    6 * 4,
    EVENTS_CAPACITY * EVENT_WORDS * 4,
    COMMANDS_CAPACITY * COMMAND_WORDS * 4,
    ARENA_BYTES,
];

/// The kinds of events up to this one carry the id of an exchange in their words 1 and 2.
pub const EVENT_KIND_LAST_OF_EXCHANGE: u32 = 7;

/// The 32-bit word at `index` of a record or array; 0 beyond its end.
#[must_use]
pub fn word(bytes: &[u8], index: usize) -> u32 {
    let bytes = bytes.get(index * 4..index * 4 + 4);
    bytes
        .and_then(|b| b.try_into().ok())
        .map_or(0, u32::from_ne_bytes)
}

/// Words of the control array.
pub mod control {
    /// Index of the first event JavaScript has not handled.
    pub const CURSOR: usize = 0;
    /// Commands waiting.
    pub const COMMANDS: usize = 1;
    /// Bytes of the arena in use.
    pub const ARENA: usize = 2;
    /// Not 0: somebody waits for the end of a reply that was given in this batch and not looked for yet.
    pub const SENT_AWAITED: usize = 3;
    /// Index of the event that the current call began with.
    pub const FROM: usize = 4;
    /// Not 0: a call has ended with an error.
    pub const FAILED: usize = 5;
}

/// Words of a reply command.
pub(crate) mod command {
    pub(crate) const SLOT: usize = 0;
    pub(crate) const GENERATION: usize = 1;
    pub(crate) const STATUS: usize = 2;
    pub(crate) const FLAGS: usize = 3;
    pub(crate) const REASON_START: usize = 4;
    /// 0: the standard reason; otherwise one more than its bytes, as a reason may be empty.
    pub(crate) const REASON_SIZE: usize = 5;
    pub(crate) const BLOCK_START: usize = 6;
    pub(crate) const BLOCK_LEN: usize = 7;
    pub(crate) const BODY_START: usize = 8;
    pub(crate) const BODY_LEN: usize = 9;
}
