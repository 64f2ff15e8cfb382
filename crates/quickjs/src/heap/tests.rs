use std::collections::BTreeMap;

use super::bins::{BLOCK_MAX, Bins, class_size};
use super::range::CHUNK;

/// A generator of numbers that is the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % limit
    }
}

fn reserved() -> Bins {
    let mut bins = Bins::new();
    bins.reserve();
    bins
}

#[test]
fn a_class_holds_its_sizes_and_wastes_little() {
    for size in 1..=BLOCK_MAX {
        let block = class_size(size).unwrap();
        assert!(
            block >= size && block <= size + 16 + size / 2,
            "{size} in {block}"
        );
        assert_eq!(class_size(block), Some(block));
    }
}

/// Takes and gives back at random; blocks never overlap and keep what is written into them.
#[test]
fn blocks_are_apart_and_keep_their_content() {
    let mut bins = reserved();
    let mut numbers = Numbers(88_172_645_463_325_252);
    let mut held: BTreeMap<usize, (*mut u8, usize, u8)> = BTreeMap::new();
    for round in 0..200_000_usize {
        let shrinks = (round / 50_000) % 2 == 1;
        if held.is_empty() || numbers.below(10) < if shrinks { 3 } else { 6 } {
            let size_max = if numbers.below(8) == 0 {
                BLOCK_MAX
            } else {
                200
            };
            let size = 1 + numbers.below(size_max);
            let block = bins.take(size).unwrap();
            let bytes = bins.size_of(block).unwrap();
            assert!(bytes >= size);
            let mark = u8::try_from(round % 251).unwrap();
            // SAFETY: the block has this many bytes and is ours.
            unsafe { block.write_bytes(mark, bytes) };
            let before = held.range(..=block.addr()).next_back();
            assert!(before.is_none_or(|(start, (_, bytes, _))| start + bytes <= block.addr()));
            assert_eq!(held.insert(block.addr(), (block, bytes, mark)), None);
        } else {
            let at = *held.keys().nth(numbers.below(held.len().min(64))).unwrap();
            let (block, bytes, mark) = held.remove(&at).unwrap();
            // SAFETY: the block has this many bytes and is ours.
            let content = unsafe { std::slice::from_raw_parts(block, bytes) };
            assert!(content.iter().all(|byte| *byte == mark));
            bins.give_back(block).unwrap();
        }
    }
}

#[test]
fn what_is_no_block_is_refused() {
    let mut bins = reserved();
    let mut other = 0_u64;
    let place = (&raw mut other).cast();
    assert_eq!((bins.give_back(place), bins.size_of(place)), (None, None));
    bins.take(1).unwrap();
    assert_eq!(
        (bins.give_back(place), bins.size_of(std::ptr::null_mut())),
        (None, None)
    );
}

#[test]
fn memory_of_one_size_serves_another_when_it_is_free() {
    let mut bins = reserved();
    for size in [16, 64, 512, 4096, 48, 16] {
        let blocks: Vec<_> = (0..8 * CHUNK / class_size(size).unwrap())
            .map(|_| bins.take(size).unwrap())
            .collect();
        for block in blocks {
            bins.give_back(block).unwrap();
        }
    }
    assert!(bins.chunks() <= 10, "{} chunks", bins.chunks());
    assert!(bins.empty_runs() + 64 > bins.chunks() * 128);
}
