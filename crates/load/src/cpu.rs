//! Processor time of this process.

use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use nix::time::{ClockId, clock_gettime};

/// User and system time used so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct CpuTime {
    /// In this program.
    pub user: Duration,
    /// In the kernel on its behalf.
    pub system: Duration,
}

impl CpuTime {
    /// Zero where the system does not tell.
    #[must_use]
    pub fn now() -> Self {
        getrusage(UsageWho::RUSAGE_SELF).map_or_else(
            |_| Self::default(),
            |usage| Self {
                user: duration(usage.user_time()),
                system: duration(usage.system_time()),
            },
        )
    }

    /// Time used since `before`.
    #[must_use]
    pub fn since(self, before: Self) -> Self {
        Self {
            user: self.user.saturating_sub(before.user),
            system: self.system.saturating_sub(before.system),
        }
    }
}

/// Processor time of the calling thread; zero where the system does not tell.
#[must_use]
pub fn thread_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

fn duration(value: TimeVal) -> Duration {
    let micros = value.tv_sec() * 1_000_000 + value.tv_usec();
    Duration::from_micros(u64::try_from(micros).unwrap_or(0))
}
