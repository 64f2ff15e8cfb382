//! The event loop: waits for sockets, then for time; one thread, one `epoll`.
//!
//! Holds the state that `opening`, `traffic` and `dispatch` work on, and moves the run from phase to phase.

use std::{
    collections::VecDeque,
    io,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use mio::{Events, Poll};

use crate::{
    connection::Connection,
    cpu::CpuTime,
    error::LoadError,
    fields::Report,
    idle::Idle,
    pace::Pace,
    phase::{PartialReason, Phase, Window},
    plan::Plan,
    report::Facts,
    tally::Tally,
};

/// Few, so that the open loop's timetable is looked at often.
const EVENTS_MAX: usize = 128;
/// Larger than what servers send at once, small enough for the cache.
const READ_BYTES: usize = 64 * 1024;
/// How often timeouts and lost connections are looked after, and the longest sleep.
pub(crate) const SWEEP: Duration = Duration::from_millis(20);
/// Timeouts are found by a sweep: the wait for the last replies is longer than any of them.
const DRAIN_SLACK: Duration = Duration::from_millis(100);
/// A run in progress.
pub(crate) struct Driver<'a> {
    pub plan: &'a Plan,
    pub poll: Poll,
    pub connections: Vec<Connection>,
    pub tally: Tally,
    pub phase: Phase,
    pub window: Window,
    /// Open loop's timetable, once sending begins.
    pub pace: Option<Pace>,
    /// Open loop's connections with room for a request.
    pub free: VecDeque<usize>,
    pub buffer: Vec<u8>,
    pub scratch: Vec<u8>,
    pub serial: u64,
    pub opening: usize,
    pub open: u64,
    /// Connections whose first opening was tried.
    pub tried: usize,
    pub last_opened: Instant,
    pub next_sweep: Instant,
    pub in_flight: u64,
    pub counted_in_flight: u64,
    pub last_progress: Instant,
    pub begun: Instant,
    /// At the start of the measurement.
    cpu: CpuTime,
    /// Within the measurement.
    cpu_used: Option<CpuTime>,
    last_turn: Instant,
    pub idle: Idle,
    /// Requests in flight, or due, summed over the time of the measurement.
    in_flight_seconds: f64,
    partial: Option<PartialReason>,
}

/// Carries out `plan`; ends early with a partial report once `stop` is true.
///
/// # Errors
/// [`LoadError`] when the plan makes no sense or the event loop cannot work. What goes wrong with requests is
/// counted.
pub fn run(plan: &Plan, stop: &AtomicBool) -> Result<Report, LoadError> {
    plan.check()?;
    let mut driver = Driver::new(plan)?;
    driver.work(stop)?;
    Ok(driver.report())
}

impl<'a> Driver<'a> {
    fn new(plan: &'a Plan) -> io::Result<Self> {
        let now = Instant::now();
        Ok(Self {
            plan,
            poll: Poll::new()?,
            connections: (0..plan.connections)
                .map(|_| Connection::new(plan.pipeline))
                .collect(),
            tally: Tally::new(),
            phase: Phase::Opening,
            window: Window {
                start: now,
                end: None,
            },
            pace: None,
            free: VecDeque::with_capacity(plan.connections),
            buffer: vec![0; READ_BYTES],
            scratch: Vec::new(),
            serial: 0,
            opening: 0,
            open: 0,
            tried: 0,
            last_opened: now,
            next_sweep: now,
            in_flight: 0,
            counted_in_flight: 0,
            last_progress: now,
            begun: now,
            cpu: CpuTime::now(),
            cpu_used: None,
            last_turn: now,
            idle: Idle::new(now),
            in_flight_seconds: 0.0,
            partial: None,
        })
    }

    fn work(&mut self, stop: &AtomicBool) -> io::Result<()> {
        let mut events = Events::with_capacity(EVENTS_MAX);
        let mut now = Instant::now();
        while self.phase != Phase::Done {
            if stop.load(Ordering::Relaxed) {
                self.finish(now, Some(PartialReason::Interrupted));
                break;
            }
            self.open_some(now);
            let (sent, sleep) = (self.serial, self.sleep(now));
            match self.poll.poll(&mut events, Some(sleep)) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            }
            // Before the events: what was in flight during the wait.
            self.account(Instant::now());
            for event in &events {
                self.on_event(event);
            }
            now = Instant::now();
            if !events.is_empty() {
                self.idle.last_event = now;
            }
            // The phase first: requests due from its start on belong to it.
            self.advance(now);
            self.send_due(now);
            self.sweep(now);
            if sleep.is_zero() && events.is_empty() && self.serial == sent {
                let counts = self.cpu_used.is_none() && self.is_in_window();
                self.idle.rest(counts);
            } else {
                self.idle.end();
            }
        }
        Ok(())
    }

    fn account(&mut self, now: Instant) {
        if self.is_in_window() {
            let is_sending = self.phase == Phase::Measure;
            let pace = self.pace.filter(|_| is_sending);
            let waiting = pace.map_or(0, |pace| pace.backlog(now));
            #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
            let count = (self.in_flight + waiting) as f64;
            self.in_flight_seconds += count * now.duration_since(self.last_turn).as_secs_f64();
        }
        self.last_turn = now;
    }

    /// A run limited by a number of requests lasts until the last reply.
    pub fn is_in_window(&self) -> bool {
        self.phase == Phase::Measure
            || (matches!(self.phase, Phase::Drain(_)) && self.window.end.is_none())
    }

    /// Whether a reply or fault of a request belongs to the result.
    pub fn counts(&self, flight_counts: bool, now: Instant) -> bool {
        if self.plan.counts_by_start() {
            return flight_counts;
        }
        self.phase == Phase::Measure && self.window.end.is_none_or(|end| now <= end)
    }

    fn advance(&mut self, now: Instant) {
        match self.phase {
            Phase::Opening if self.is_all_accepted(now) && now >= self.begun + self.plan.ramp => {
                self.start_load(now);
            }
            Phase::WarmUp(end) if now >= end => self.start_measure(end, now),
            Phase::Measure if self.is_measured(now) => self.end_measure(now),
            Phase::Drain(end) if now >= end || self.is_drained() => self.finish(now, None),
            Phase::Measure | Phase::Drain(_) if self.is_stalled(now) => {
                self.finish(now, Some(PartialReason::Stalled));
            }
            _ => {}
        }
    }

    fn start_load(&mut self, now: Instant) {
        self.pace = self.plan.rate.map(|rate| Pace::new(now, rate));
        self.last_progress = now;
        if self.plan.warm_up.is_zero() {
            self.start_measure(now, now);
        } else {
            self.phase = Phase::WarmUp(now + self.plan.warm_up);
        }
        self.send_all(now);
    }

    fn start_measure(&mut self, start: Instant, now: Instant) {
        self.phase = Phase::Measure;
        let start = if self.pace.is_some() { start } else { now };
        self.window = Window {
            start,
            end: self.plan.duration.map(|length| start + length),
        };
        self.cpu = CpuTime::now();
        self.last_turn = now;
        self.idle.used = Duration::ZERO;
    }

    fn is_measured(&self, now: Instant) -> bool {
        self.window.end.is_some_and(|end| now >= end) || self.has_sent_all()
    }

    fn end_measure(&mut self, now: Instant) {
        if !self.plan.counts_by_start() {
            self.finish(now, None);
            return;
        }
        if self.has_sent_all() {
            self.window.end = None;
        } else {
            self.cpu_used = Some(CpuTime::now().since(self.cpu));
        }
        self.phase = Phase::Drain(now + self.plan.timeout + DRAIN_SLACK);
    }

    fn is_drained(&self) -> bool {
        let due_and_end = self.next_due().zip(self.window.end);
        let has_backlog = self.may_send() && due_and_end.is_some_and(|(due, end)| due < end);
        self.counted_in_flight == 0 && !has_backlog
    }

    fn is_stalled(&self, now: Instant) -> bool {
        // A slow timetable is no stall.
        let due = self.next_due().unwrap_or(self.last_progress);
        let since = self.last_progress.max(due);
        self.plan.duration.is_none() && now >= since + self.plan.timeout * 2
    }

    fn finish(&mut self, now: Instant, partial: Option<PartialReason>) {
        let was_measuring = matches!(self.phase, Phase::Measure | Phase::Drain(_));
        self.partial = partial;
        let used = CpuTime::now().since(self.cpu);
        self.cpu_used.get_or_insert(used);
        let end = self.window.end.filter(|end| *end <= now).unwrap_or(now);
        self.window.end = Some(if was_measuring {
            end
        } else {
            self.window.start
        });
        self.phase = Phase::Done;
    }

    fn report(&self) -> Report {
        let unanswered = if self.plan.counts_by_start() {
            self.counted_in_flight
        } else {
            self.in_flight
        };
        Report::new(&Facts {
            plan: self.plan,
            tally: &self.tally,
            window: self.window.end.map_or(Duration::ZERO, |end| {
                end.saturating_duration_since(self.window.start)
            }),
            in_flight_seconds: self.in_flight_seconds,
            cpu: self.cpu_used.unwrap_or_default(),
            idle: self.idle.used,
            partial: self.partial,
            unanswered,
            unsent: self.unsent(),
        })
    }
}
