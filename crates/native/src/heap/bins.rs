//! Blocks by class of size. Places are counted in units of 16 bytes from the start of the range.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::range::{CHUNK, Range};

const UNIT: usize = 16;
const UNIT_BYTES: u16 = 16;
/// The largest block, in bytes.
pub(super) const BLOCK_MAX: usize = 4096;
/// Memory that belongs to one class, in bytes: four of the largest blocks.
const RUN: usize = 16 * 1024;
const RUN_UNITS: u32 = 1024;
const _: () = assert!(RUN_UNITS as usize * UNIT == RUN);
const RUNS_PER_CHUNK: usize = CHUNK / RUN;
/// Free runs that are kept before a chunk is given back: what is needed again soon shall not cost a page fault.
const FREE_RUNS_KEPT: usize = 2 * RUNS_PER_CHUNK;
const NONE: u32 = u32::MAX;

/// Sizes of blocks, in units: every unit up to 128 bytes, then eight steps (four from 1 KiB on) between powers of two.
const CLASSES: [u16; 36] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 26, 28, 32, 36, 40, 44,
    48, 56, 64, 80, 96, 112, 128, 160, 192, 256,
];

/// From a size in units to its class.
const CLASS_OF: [u8; BLOCK_MAX / UNIT + 1] = {
    let mut table = [0; BLOCK_MAX / UNIT + 1];
    let (mut units, mut class) = (0, 0);
    while units < table.len() {
        if units > CLASSES[class] as usize {
            class += 1;
        }
        #[expect(clippy::cast_possible_truncation, reason = "there are 36 classes")]
        {
            table[units] = class as u8;
        }
        units += 1;
    }
    table
};

#[inline]
fn class_of(size: usize) -> usize {
    usize::from(CLASS_OF[size.div_ceil(UNIT)])
}

/// How large a block for `size` bytes is; `None` when it would not be one of these.
#[inline]
pub(super) fn class_size(size: usize) -> Option<usize> {
    (size <= BLOCK_MAX).then(|| usize::from(CLASSES[class_of(size)]) * UNIT)
}

struct Run {
    /// The first of the blocks that were given back, each of which names the next.
    free: u32,
    /// Where blocks begin that were never taken.
    fresh: u32,
    /// Neighbours in the list of its class's runs that have a free block.
    next: u32,
    previous: u32,
    used: u16,
    /// Of each block.
    bytes: u16,
    class: u8,
    listed: bool,
}

pub(super) struct Bins {
    range: Range,
    runs: Vec<Run>,
    /// By class, the first run with a free block.
    first: [u32; CLASSES.len()],
    /// Runs without a block in use; the lowest is taken first, so that the highest chunks become free.
    empty: BinaryHeap<Reverse<u32>>,
    /// Empty runs of each chunk.
    empty_in: Vec<u16>,
}

impl Bins {
    pub(super) const fn new() -> Self {
        Self {
            range: Range::new(),
            runs: Vec::new(),
            first: [NONE; CLASSES.len()],
            empty: BinaryHeap::new(),
            empty_in: Vec::new(),
        }
    }

    pub(super) fn reserve(&mut self) {
        self.range.reserve();
    }

    /// A block of at least `size` bytes; `None` when that is more than `BLOCK_MAX`, or there is no memory.
    #[inline]
    pub(super) fn take(&mut self, size: usize) -> Option<*mut u8> {
        if size > BLOCK_MAX {
            return None;
        }
        let class = class_of(size);
        let number = match self.first[class] {
            NONE => self.new_run(class)?,
            number => number,
        };
        let units = u32::from(CLASSES[class]);
        let run = &mut self.runs[number as usize];
        let block = match run.free {
            NONE => {
                let block = run.fresh;
                run.fresh += units;
                block
            }
            block => {
                run.free = link(&self.range, block);
                block
            }
        };
        run.used += 1;
        if run.free == NONE && run.fresh + units > (number + 1) * RUN_UNITS {
            self.unlist(number);
        }
        Some(self.range.at(block as usize * UNIT))
    }

    /// Takes a block back; `None` when it is not one of these.
    #[inline]
    pub(super) fn give_back(&mut self, ptr: *mut u8) -> Option<()> {
        let (block, number) = self.place_of(ptr)?;
        let run = &mut self.runs[number as usize];
        set_link(&self.range, block, run.free);
        run.free = block;
        run.used -= 1;
        if !run.listed {
            self.list(number);
        } else if run.used == 0 && (run.next, run.previous) != (NONE, NONE) {
            self.unlist(number);
            self.set_empty(number);
        }
        Some(())
    }

    /// The size of a block; `None` when it is not one of these.
    #[inline]
    pub(super) fn size_of(&self, ptr: *mut u8) -> Option<usize> {
        let (_, number) = self.place_of(ptr)?;
        Some(usize::from(self.runs[number as usize].bytes))
    }

    /// The block's place and the number of its run.
    #[inline]
    fn place_of(&self, ptr: *mut u8) -> Option<(u32, u32)> {
        let block = u32::try_from(self.range.offset_of(ptr)? / UNIT).ok()?;
        Some((block, block / RUN_UNITS))
    }

    #[cold]
    fn new_run(&mut self, class: usize) -> Option<u32> {
        if self.empty.is_empty() {
            self.add_chunk()?;
        }
        let Reverse(number) = self.empty.pop()?;
        self.empty_in[number as usize / RUNS_PER_CHUNK] -= 1;
        let run = &mut self.runs[number as usize];
        run.free = NONE;
        run.fresh = number * RUN_UNITS;
        run.class = u8::try_from(class).unwrap_or(u8::MAX);
        run.bytes = CLASSES[class] * UNIT_BYTES;
        self.list(number);
        Some(number)
    }

    fn add_chunk(&mut self) -> Option<()> {
        self.range.commit()?;
        let from = u32::try_from(self.runs.len()).ok()?;
        self.empty_in.push(0);
        for number in from..from + u32::try_from(RUNS_PER_CHUNK).ok()? {
            self.runs.push(Run {
                free: NONE,
                fresh: 0,
                next: NONE,
                previous: NONE,
                used: 0,
                bytes: 0,
                class: 0,
                listed: false,
            });
            self.empty.push(Reverse(number));
            self.empty_in[from as usize / RUNS_PER_CHUNK] += 1;
        }
        Some(())
    }

    #[cold]
    fn set_empty(&mut self, number: u32) {
        let chunk = number as usize / RUNS_PER_CHUNK;
        self.empty.push(Reverse(number));
        self.empty_in[chunk] += 1;
        if usize::from(self.empty_in[chunk]) == RUNS_PER_CHUNK && self.empty.len() > FREE_RUNS_KEPT
        {
            self.range.release(chunk);
        }
    }

    /// Puts a run that has a free block in front of its class's others.
    fn list(&mut self, number: u32) {
        let class = usize::from(self.runs[number as usize].class);
        let next = std::mem::replace(&mut self.first[class], number);
        if next != NONE {
            self.runs[next as usize].previous = number;
        }
        let run = &mut self.runs[number as usize];
        (run.next, run.previous, run.listed) = (next, NONE, true);
    }

    fn unlist(&mut self, number: u32) {
        let run = &mut self.runs[number as usize];
        let (next, previous, class) = (run.next, run.previous, usize::from(run.class));
        (run.next, run.previous, run.listed) = (NONE, NONE, false);
        match previous {
            NONE => self.first[class] = next,
            _ => self.runs[previous as usize].next = next,
        }
        if next != NONE {
            self.runs[next as usize].previous = previous;
        }
    }

    /// Chunks of memory that are in use or kept.
    #[cfg(test)]
    pub(super) fn chunks(&self) -> usize {
        self.empty_in.len()
    }

    #[cfg(test)]
    pub(super) fn empty_runs(&self) -> usize {
        self.empty.len()
    }
}

/// What a free block names as the next one.
#[inline]
fn link(range: &Range, block: u32) -> u32 {
    // SAFETY: a free block of a committed run, where `set_link` wrote; nobody else has it.
    unsafe { place(range, block).read() }
}

#[inline]
fn set_link(range: &Range, block: u32, next: u32) {
    // SAFETY: the block was given back a moment ago; it lies in a committed run.
    unsafe { place(range, block).write(next) };
}

#[inline]
fn place(range: &Range, block: u32) -> *mut u32 {
    range.at(block as usize * UNIT).cast()
}
