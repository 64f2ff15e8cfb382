//! Time as the engine sees it: read once per turn, with the Date field's text made once per second.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

pub(crate) struct Clock {
    start: Instant,
    /// Milliseconds since the engine was made.
    pub(crate) now_ms: u64,
    date_second: u64,
    /// The value of the Date field.
    pub(crate) date: [u8; 29],
}

impl Clock {
    pub(crate) fn new() -> Self {
        let mut clock = Self {
            start: Instant::now(),
            now_ms: 0,
            date_second: 0,
            date: [b' '; 29],
        };
        clock.update();
        clock
    }

    pub(crate) fn update(&mut self) {
        self.now_ms = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        let second = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |d| d.as_secs());
        if second != self.date_second {
            self.date_second = second;
            self.date = fulmar_http1::reply::format_http_date(second);
        }
    }
}
