//! Blocks by class of size. Places are counted in units of 16 bytes from the start of the range.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::range::{CHUNK, Range, TABLE_PAGE};

const UNIT: usize = 16;
const UNIT_BYTES: u16 = 16;
/// The largest block, in bytes.
pub(super) const BLOCK_MAX: usize = 4096;
/// Memory that belongs to one class, in bytes: four of the largest blocks.
const RUN: usize = 16 * 1024;
const RUN_UNITS: u32 = 1024;
const _: () = assert!(RUN_UNITS as usize * UNIT == RUN);
const RUNS_PER_CHUNK: usize = CHUNK / RUN;
/// Free runs that are kept before a chunk is given back: what is needed again soon shall not cost a page
/// fault.
const FREE_RUNS_KEPT: usize = 2 * RUNS_PER_CHUNK;
/// As much of a run is added to its list at a time, in units: what is not needed yet shall not be touched.
const EXTENT_UNITS: u32 = 64;
const NONE: u32 = u32::MAX;

/// Sizes of blocks, in units: every unit up to 128 bytes, then eight steps (four from 1 KiB on) between
/// powers of two.
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

/// What is known of a run; zero for one that no class has had yet.
struct Run {
    /// The first of the blocks that can be taken, each of which names the next; null when there is none.
    free: *mut u8,
    /// Where blocks begin that never were in that list.
    fresh: u32,
    /// Neighbours in the list of its class's runs. One without a block to take stays there until it is the
    /// first and one is wanted.
    next: u32,
    previous: u32,
    used: u16,
    /// Of each block.
    bytes: u16,
    class: u8,
    listed: bool,
}

const _: () = assert!(size_of::<Run>() * RUNS_PER_CHUNK <= TABLE_PAGE);

pub(super) struct Bins {
    range: Range,
    /// By class, the run that blocks are taken of; null when there is none.
    first: [*mut Run; CLASSES.len()],
    /// Runs without a block in use; the lowest is taken first, so that the highest chunks become free.
    empty: BinaryHeap<Reverse<u32>>,
    /// Empty runs of each chunk.
    empty_in: Vec<u16>,
}

impl Bins {
    pub(super) const fn new() -> Self {
        Self {
            range: Range::new(),
            first: [std::ptr::null_mut(); CLASSES.len()],
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
        // SAFETY: null, or a run of the table, to which there is no other reference.
        match unsafe { self.first[class].as_mut() } {
            Some(run) if !run.free.is_null() => Some(run.pop()),
            _ => self.take_of_another(class),
        }
    }

    /// Takes a block back; `None` when it is not one of these.
    #[inline]
    pub(super) fn give_back(&mut self, block: *mut u8) -> Option<()> {
        let number = self.number_of(block)?;
        let run = self.run(number);
        run.push(block);
        run.used -= 1;
        if run.used == 0 || !run.listed {
            self.settle(number);
        }
        Some(())
    }

    /// The size of a block; `None` when it is not one of these.
    #[inline]
    pub(super) fn size_of(&mut self, block: *mut u8) -> Option<usize> {
        let number = self.number_of(block)?;
        Some(usize::from(self.run(number).bytes))
    }

    /// The number of the run that a block belongs to.
    #[inline]
    fn number_of(&self, block: *mut u8) -> Option<u32> {
        u32::try_from(self.range.offset_of(block)? / RUN).ok()
    }

    /// A run of a committed chunk.
    #[inline]
    fn run(&mut self, number: u32) -> &mut Run {
        let run = self.address(number);
        // SAFETY: the chunk's page of the table is committed; all zero is a run; there is no other reference.
        unsafe { &mut *run }
    }

    #[inline]
    #[expect(clippy::cast_ptr_alignment, reason = "the table begins with a page")]
    fn address(&self, number: u32) -> *mut Run {
        let table = self.range.table().cast::<Run>();
        table.wrapping_add(number as usize)
    }

    fn number(&self, run: *mut Run) -> u32 {
        let bytes = run.addr() - self.range.table().addr();
        u32::try_from(bytes / size_of::<Run>()).unwrap_or(NONE)
    }

    /// A block of the class's first run, which has none in its list, or of another one.
    #[cold]
    fn take_of_another(&mut self, class: usize) -> Option<*mut u8> {
        loop {
            let first = self.first[class];
            let number = if first.is_null() {
                self.new_run(class)?
            } else {
                self.number(first)
            };
            self.extend(number);
            let run = self.run(number);
            if !run.free.is_null() {
                return Some(run.pop());
            }
            self.unlist(number);
        }
    }

    /// Adds blocks that were never taken to the list of a run that has none there.
    fn extend(&mut self, number: u32) {
        let end = (number + 1) * RUN_UNITS;
        let base = self.range.at(0);
        let run = self.run(number);
        let units = u32::from(run.bytes / UNIT_BYTES);
        let fits = (end - run.fresh) / units;
        let count = if run.free.is_null() {
            fits.min((EXTENT_UNITS / units).max(1))
        } else {
            0
        };
        // The lowest shall be taken first.
        for place in (0..count).rev() {
            let unit = run.fresh + place * units;
            run.push(base.wrapping_add(unit as usize * UNIT));
        }
        run.fresh += count * units;
    }

    fn new_run(&mut self, class: usize) -> Option<u32> {
        if self.empty.is_empty() {
            self.add_chunk()?;
        }
        let Reverse(number) = self.empty.pop()?;
        self.empty_in[number as usize / RUNS_PER_CHUNK] -= 1;
        let run = self.run(number);
        run.free = std::ptr::null_mut();
        run.fresh = number * RUN_UNITS;
        run.class = u8::try_from(class).unwrap_or(u8::MAX);
        run.bytes = CLASSES[class] * UNIT_BYTES;
        self.list(number);
        Some(number)
    }

    fn add_chunk(&mut self) -> Option<()> {
        let chunk = self.range.chunks();
        let from = u32::try_from(chunk * RUNS_PER_CHUNK).ok()?;
        self.range.commit()?;
        self.empty_in.push(u16::try_from(RUNS_PER_CHUNK).ok()?);
        self.empty
            .extend((0..u32::try_from(RUNS_PER_CHUNK).ok()?).map(|run| Reverse(from + run)));
        Some(())
    }

    /// Puts a run in its place that has none of its blocks in use any more, or has one to take again.
    #[cold]
    fn settle(&mut self, number: u32) {
        let run = self.run(number);
        if !run.listed {
            self.list(number);
        } else if (run.next, run.previous) != (NONE, NONE) {
            self.unlist(number);
            self.set_empty(number);
        }
    }

    fn set_empty(&mut self, number: u32) {
        let chunk = number as usize / RUNS_PER_CHUNK;
        self.empty.push(Reverse(number));
        self.empty_in[chunk] += 1;
        if usize::from(self.empty_in[chunk]) == RUNS_PER_CHUNK && self.empty.len() > FREE_RUNS_KEPT
        {
            self.range.release(chunk);
        }
    }

    /// Puts a run in front of its class's others.
    fn list(&mut self, number: u32) {
        let class = usize::from(self.run(number).class);
        let run = self.address(number);
        let next = std::mem::replace(&mut self.first[class], run);
        let next = if next.is_null() {
            NONE
        } else {
            self.number(next)
        };
        if next != NONE {
            self.run(next).previous = number;
        }
        let run = self.run(number);
        (run.next, run.previous, run.listed) = (next, NONE, true);
    }

    fn unlist(&mut self, number: u32) {
        let run = self.run(number);
        let (next, previous, class) = (run.next, run.previous, usize::from(run.class));
        (run.next, run.previous, run.listed) = (NONE, NONE, false);
        match (previous, next) {
            (NONE, NONE) => self.first[class] = std::ptr::null_mut(),
            (NONE, _) => self.first[class] = self.address(next),
            _ => self.run(previous).next = next,
        }
        if next != NONE {
            self.run(next).previous = previous;
        }
    }

    /// Chunks of memory that are in use or kept.
    #[cfg(test)]
    pub(super) fn chunks(&self) -> usize {
        self.range.chunks()
    }

    #[cfg(test)]
    pub(super) fn empty_runs(&self) -> usize {
        self.empty.len()
    }
}

#[expect(
    clippy::cast_ptr_alignment,
    reason = "blocks lie at multiples of a unit"
)]
impl Run {
    /// Takes the first block of the list, which is not empty.
    #[inline]
    fn pop(&mut self) -> *mut u8 {
        let block = self.free;
        // SAFETY: a free block, where `push` wrote; nobody else has it.
        self.free = unsafe { block.cast::<*mut u8>().read() };
        self.used += 1;
        block
    }

    /// Puts a block of this run in front of the list.
    #[inline]
    fn push(&mut self, block: *mut u8) {
        // SAFETY: the block lies in a committed run, is aligned to 16, and nobody uses it.
        unsafe { block.cast::<*mut u8>().write(self.free) };
        self.free = block;
    }
}
