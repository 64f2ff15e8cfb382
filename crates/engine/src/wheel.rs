//! A timer wheel with lazy entries: an entry is a reminder to look at a connection, not a promise that it has
//! expired.
//!
//! A connection keeps its true deadline in its own fields. Moving a deadline further away costs nothing: when
//! the reminder fires, the connection is looked at and reminded again. Only a deadline that comes nearer adds
//! an entry.

use crate::slots::Id;

/// Resolution in ms. Deadlines fire up to this much late, never early.
const TICK_MS: u64 = 32;
/// Slots; a power of two. 2,048 × 32 ms ≈ 65 s; later deadlines are reminded at the horizon and put in again.
const SLOTS: usize = 2048;

pub(crate) struct Wheel {
    slots: Vec<Vec<Id>>,
    /// The next tick to look at.
    tick: u64,
    entries: usize,
    /// No entry is due before this time (ms); `u64::MAX` when there is none.
    earliest_ms: u64,
}

impl Wheel {
    pub(crate) fn new(now_ms: u64) -> Self {
        Self {
            slots: (0..SLOTS).map(|_| Vec::new()).collect(),
            tick: now_ms / TICK_MS,
            entries: 0,
            earliest_ms: u64::MAX,
        }
    }

    /// Reminds of `id` at `at_ms` or at the horizon, whichever is sooner; returns the time of the reminder in
    /// ms.
    pub(crate) fn insert(&mut self, id: Id, at_ms: u64) -> u64 {
        let tick = at_ms
            .div_ceil(TICK_MS)
            .clamp(self.tick, self.tick + SLOTS as u64 - 1);
        if let Some(slot) = self.slots.get_mut(Self::index(tick)) {
            slot.push(id);
            self.entries += 1;
        }
        let due = tick * TICK_MS;
        self.earliest_ms = self.earliest_ms.min(due);
        due
    }

    pub(crate) fn earliest_ms(&self) -> u64 {
        self.earliest_ms
    }

    /// Takes out every entry due at `now_ms` into `due`.
    pub(crate) fn expire(&mut self, now_ms: u64, due: &mut Vec<Id>) {
        if now_ms < self.earliest_ms {
            return;
        }
        let last = now_ms / TICK_MS;
        let steps = (last + 1).saturating_sub(self.tick).min(SLOTS as u64);
        for step in 0..steps {
            if let Some(slot) = self.slots.get_mut(Self::index(self.tick + step)) {
                self.entries -= slot.len();
                due.append(slot);
            }
        }
        self.tick = self.tick.max(last + 1);
        self.earliest_ms = self.find_earliest();
    }

    fn find_earliest(&self) -> u64 {
        if self.entries == 0 {
            return u64::MAX;
        }
        let occupied = (self.tick..self.tick + SLOTS as u64).find(|t| {
            self.slots
                .get(Self::index(*t))
                .is_some_and(|s| !s.is_empty())
        });
        occupied.map_or(u64::MAX, |t| t * TICK_MS)
    }

    #[expect(clippy::cast_possible_truncation, reason = "reduced below SLOTS first")]
    fn index(tick: u64) -> usize {
        (tick % SLOTS as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(slot: u32) -> Id {
        Id {
            slot,
            generation: 1,
        }
    }

    #[test]
    fn an_entry_fires_once_and_never_early() {
        let mut wheel = Wheel::new(1_000);
        let due_at = wheel.insert(id(1), 1_300);
        assert!((1_300..1_300 + TICK_MS).contains(&due_at));
        let mut due = Vec::new();
        wheel.expire(1_299, &mut due);
        assert!(due.is_empty());
        wheel.expire(due_at, &mut due);
        assert_eq!(due, [id(1)]);
        wheel.expire(due_at + 100_000, &mut due);
        assert_eq!(due.len(), 1);
        assert_eq!(wheel.earliest_ms(), u64::MAX);
    }

    #[test]
    fn a_deadline_beyond_the_horizon_is_reminded_at_the_horizon() {
        let mut wheel = Wheel::new(0);
        assert!(wheel.insert(id(1), 10_000_000) < 70_000);
    }

    #[test]
    fn an_entry_put_in_after_a_long_quiet_time_is_early_rather_than_lost() {
        let mut wheel = Wheel::new(0);
        let due_at = wheel.insert(id(1), 10_000_000);
        assert!(due_at <= 10_000_000);
        let mut due = Vec::new();
        wheel.expire(9_990_000, &mut due);
        assert_eq!(due, [id(1)]);
        let due_at = wheel.insert(id(1), 10_000_000);
        assert!((10_000_000..10_000_000 + TICK_MS).contains(&due_at));
    }

    #[test]
    fn a_long_pause_fires_everything_that_is_due() {
        let mut wheel = Wheel::new(0);
        for n in 0..100 {
            wheel.insert(id(n), u64::from(n) * 500);
        }
        let mut due = Vec::new();
        wheel.expire(1_000_000, &mut due);
        assert_eq!(due.len(), 100);
    }
}
