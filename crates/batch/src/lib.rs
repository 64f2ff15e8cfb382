//! What the two hosts share: the records of the batch, the replies that JavaScript wrote, and how a listener
//! is asked for.
//!
//! The memory is given as slices for the length of a call; nothing here knows JavaScript.

mod commands;
mod format;
mod listen;
mod reject_codes;
mod turn;

pub use format::{
    ARENA_BYTES, COMMAND_WORDS, COMMANDS_CAPACITY, EVENT_KIND_LAST_OF_EXCHANGE, EVENT_WORDS,
    EVENTS_CAPACITY, SHARED_BYTES, control, word,
};
pub use listen::{configure, inherit, parse_address};
pub use reject_codes::{reject_code, reject_reasons};
pub use turn::{Calls, collect, give, has_commands, tell_awaited, turn, write_status};
