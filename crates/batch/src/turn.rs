//! What a host does between two calls into JavaScript: it lets the engine work, and gives it the replies that were written.

use fulmar_engine::{Engine, NextSlab, Slab, WriteStatus};

use crate::commands::{copy_events, reply_all};
use crate::format::{control, word};

/// Lets the engine work and copies its events for JavaScript: how many there are, and what becomes of the slab. `used`: how much of
/// the slab is in use, in bytes.
pub fn turn(
    engine: &mut Engine,
    slab: &mut [u8],
    used: usize,
    events: &mut [u8],
) -> (u32, NextSlab) {
    let mut slab = Slab::new(slab, used);
    // A failing poll means that the descriptor is closed, which only the end of the host does.
    let _result = engine.turn(&mut slab);
    let count = copy_events(engine, events);
    let next = NextSlab::after(&slab, engine.events().is_empty());
    (count, next)
}

/// Has JavaScript written replies that nobody has collected?
#[must_use]
pub fn has_commands(control: &[u8]) -> bool {
    word(control, control::COMMANDS) > 0
}

/// Gives the engine the replies that JavaScript has written, empties the arena, and sends.
pub fn collect(engine: &mut Engine, control: &mut [u8], commands: &[u8], arena: &[u8]) {
    let count = word(control, control::COMMANDS);
    if count > 0 {
        reply_all(engine, count, commands, arena);
        for index in [control::COMMANDS, control::ARENA] {
            if let Some(place) = control.get_mut(index * 4..index * 4 + 4) {
                place.fill(0);
            }
        }
    }
    engine.flush();
}

/// What became of a write, as `exchange` reads it.
#[must_use]
pub const fn write_status(status: WriteStatus) -> u32 {
    match status {
        WriteStatus::Room => 0,
        WriteStatus::Full => 1,
        WriteStatus::Gone => 2,
    }
}
