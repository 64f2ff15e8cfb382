//! Generational storage: an index that is reused and a generation that is not, so that a stale id is never
//! another's.

/// Names an entry of [`Slots`]. The generation changes whenever the slot is emptied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Id {
    /// Index of the slot; reused.
    pub slot: u32,
    /// Distinguishes successive users of the slot; starts at 1.
    pub generation: u32,
}

impl Id {
    /// Packs the id into 64 bits: generation above, slot below.
    #[must_use]
    pub const fn to_u64(self) -> u64 {
        ((self.generation as u64) << 32) | self.slot as u64
    }

    /// The inverse of [`Id::to_u64`].
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the halves are taken on purpose"
    )]
    pub const fn from_u64(packed: u64) -> Self {
        Self {
            slot: packed as u32,
            generation: (packed >> 32) as u32,
        }
    }
}

struct Slot<T> {
    generation: u32,
    value: Option<T>,
}

/// A vector of slots with a free list.
pub(crate) struct Slots<T> {
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
}

impl<T> Slots<T> {
    pub(crate) const fn new() -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
        }
    }

    pub(crate) fn insert(&mut self, value: T) -> Id {
        if let Some(slot) = self.free.pop()
            && let Some(entry) = self.slots.get_mut(slot as usize)
        {
            entry.value = Some(value);
            return Id {
                slot,
                generation: entry.generation,
            };
        }
        let slot = u32::try_from(self.slots.len()).unwrap_or(u32::MAX);
        self.slots.push(Slot {
            generation: 1,
            value: Some(value),
        });
        Id {
            slot,
            generation: 1,
        }
    }

    pub(crate) fn get(&self, id: Id) -> Option<&T> {
        let entry = self.slots.get(id.slot as usize)?;
        if entry.generation == id.generation {
            entry.value.as_ref()
        } else {
            None
        }
    }

    pub(crate) fn get_mut(&mut self, id: Id) -> Option<&mut T> {
        let entry = self.slots.get_mut(id.slot as usize)?;
        if entry.generation == id.generation {
            entry.value.as_mut()
        } else {
            None
        }
    }

    pub(crate) fn remove(&mut self, id: Id) -> Option<T> {
        let entry = self.slots.get_mut(id.slot as usize)?;
        if entry.generation != id.generation {
            return None;
        }
        let value = entry.value.take()?;
        // Generations wrap after 2^31 uses of one slot, so that a packed id fits into a double's 53 bits with
        // 22 bits of slot.
        entry.generation = if entry.generation >= 0x7fff_fffe {
            1
        } else {
            entry.generation + 1
        };
        self.free.push(id.slot);
        Some(value)
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Ids of all occupied slots; for rare, whole-set operations.
    pub(crate) fn ids(&self) -> Vec<Id> {
        let occupied = self
            .slots
            .iter()
            .enumerate()
            .filter(|(_, s)| s.value.is_some());
        occupied
            .map(|(i, s)| Id {
                slot: u32::try_from(i).unwrap_or(u32::MAX),
                generation: s.generation,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stale_id_never_reaches_the_next_user_of_its_slot() {
        let mut slots = Slots::new();
        let first = slots.insert("first");
        assert_eq!(slots.remove(first), Some("first"));
        let second = slots.insert("second");
        assert_eq!(second.slot, first.slot);
        assert_eq!(slots.get(first), None);
        assert_eq!(slots.remove(first), None);
        assert_eq!(slots.get(second), Some(&"second"));
        assert_eq!(slots.len(), 1);
    }

    #[test]
    fn ids_survive_packing() {
        let id = Id {
            slot: 77,
            generation: 0x7fff_fffe,
        };
        assert_eq!(Id::from_u64(id.to_u64()), id);
    }
}
