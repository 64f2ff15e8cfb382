//! The numbers both sides of the batch agree on. Mirrors `packages/fulmar/src/exchange/format.ts`; a unit test compares the two.

/// 32-bit words of an event record.
pub(crate) const EVENT_WORDS: usize = 16;
/// Event records in the shared array: the engine's maximum per turn and a margin for events that come in pairs.
pub(crate) const EVENTS_CAPACITY: usize = 576;
/// 32-bit words of a reply command.
pub(crate) const COMMAND_WORDS: usize = 12;

/// Words of the control array.
#[expect(
    clippy::cast_ptr_alignment,
    reason = "the memory is a Uint32Array's, which JavaScript aligns"
)]
pub(crate) mod control {
    use crate::js::Memory;

    /// Index of the first event JavaScript has not handled.
    pub(crate) const CURSOR: usize = 0;
    /// Commands waiting.
    pub(crate) const COMMANDS: usize = 1;
    /// Bytes of the arena in use.
    pub(crate) const ARENA: usize = 2;

    pub(crate) fn read(memory: Memory, index: usize) -> u32 {
        debug_assert!((index + 1) * 4 <= memory.bytes, "control words are fixed");
        let words = memory.data.cast::<u32>();
        // SAFETY: the index is one of the constants above, within the array that `setup` checked; reading a u32 there is aligned.
        let word = unsafe { words.add(index) };
        // SAFETY: as above; the array is alive because the host holds a reference to it.
        unsafe { word.read() }
    }

    pub(crate) fn write(memory: Memory, index: usize, value: u32) {
        debug_assert!((index + 1) * 4 <= memory.bytes, "control words are fixed");
        let words = memory.data.cast::<u32>();
        // SAFETY: as in `read`.
        let word = unsafe { words.add(index) };
        // SAFETY: as in `read`; JavaScript does not run meanwhile.
        unsafe { word.write(value) };
    }
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
