//! What a host does between two calls into JavaScript: it lets the engine work, and gives it the replies that
//! were written.

use std::time::{Duration, Instant};

use fulmar_engine::{Engine, NextSlab, Slab, WriteStatus};

use crate::commands::{copy_events, prepend_sent, reply_all};
use crate::format::{control, word};

/// Lets the engine work and copies its events for JavaScript: how many there are, and what becomes of the
/// slab. `used`: how much of the slab is in use, in bytes.
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
    give(engine, control, commands, arena);
    engine.flush();
}

/// Gives the engine the replies that JavaScript has written, and sends nothing.
pub fn give(engine: &mut Engine, control: &mut [u8], commands: &[u8], arena: &[u8]) {
    let count = word(control, control::COMMANDS);
    if count > 0 {
        reply_all(engine, count, commands, arena);
        set(control, control::COMMANDS, 0);
        set(control, control::ARENA, 0);
    }
}

fn set(control: &mut [u8], index: usize, value: u32) {
    if let Some(place) = control.get_mut(index * 4..index * 4 + 4) {
        place.copy_from_slice(&value.to_ne_bytes());
    }
}

/// What is answered waits no longer than this for the rest of its batch.
const WAIT_MAX: Duration = Duration::from_millis(1);

/// A batch that JavaScript takes in one call or in several: one ends where it has run long, where ticks have
/// thrown, and behind each client's turn where ticks cannot be run within it. The cursor tells each call
/// where it begins.
pub struct Calls {
    /// Events of the batch.
    count: u32,
    /// When what is answered was last sent.
    sent_at: Instant,
}

impl Calls {
    /// Before the first call for `count` events.
    #[must_use]
    pub fn begin(control: &mut [u8], count: u32) -> Self {
        set(control, control::SENT_AWAITED, 0);
        set(control, control::CURSOR, 0);
        set(control, control::FROM, 0);
        Self {
            count,
            sent_at: Instant::now(),
        }
    }

    /// Between two calls: sends what is answered where the batch runs long, and tells of ends that somebody
    /// waits for (`tell_awaited`). `returned`: the last call returned normally. False: there is nothing left
    /// to call for.
    pub fn next(&mut self, engine: &mut Engine, memory: [&mut [u8]; 4], returned: bool) -> bool {
        let [control, events, commands, arena] = memory;
        let reached = word(control, control::CURSOR);
        if !returned {
            set(control, control::FAILED, 1);
        }
        // No progress means that JavaScript cannot run any more: its environment is being torn down.
        if reached >= self.count || (!returned && reached == word(control, control::FROM)) {
            return false;
        }
        set(control, control::FROM, reached);
        let now = Instant::now();
        if now.duration_since(self.sent_at) >= WAIT_MAX {
            self.sent_at = now;
            collect(engine, control, commands, arena);
        }
        if word(control, control::SENT_AWAITED) != 0 {
            tell_awaited(engine, [control, events, commands, arena]);
        }
        true
    }
}

/// Gives the engine what is answered, because somebody waits for the end of a reply, and puts the news of
/// such ends in front of the events that are left. Also from within a call.
pub fn tell_awaited(engine: &mut Engine, memory: [&mut [u8]; 4]) {
    let [control, events, commands, arena] = memory;
    set(control, control::SENT_AWAITED, 0);
    give(engine, control, commands, arena);
    engine.tell_awaited();
    let first = prepend_sent(engine, events, word(control, control::CURSOR));
    set(control, control::CURSOR, first);
    let from = word(control, control::FROM);
    set(control, control::FROM, from.min(first));
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
