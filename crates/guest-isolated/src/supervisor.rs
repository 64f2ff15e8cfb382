//! The thread of a slot: starts its process, carries what comes and what goes, and puts another one in its place
//! when it has ended.

use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;

use crate::frame::{Kind, PACKET_BYTES, Received, receive};
use crate::process::{Process, poll};
use crate::slot::{Link, Slot, State};

/// After a process that did nothing comes a pause, twice as long each time.
const PAUSE_MIN: Duration = Duration::from_millis(100);
const PAUSE_MAX: Duration = Duration::from_secs(5);

/// Between two looks at what nothing tells.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// Why a process is served no longer.
enum End {
    /// It has ended.
    Itself,
    /// It is to end, since nobody needs it any more.
    Closed,
    /// It is to end now, for this reason.
    Refused(String),
}

/// Until the slot is closed. `opened` is told what becomes of the first start; where that fails, there is no
/// second.
pub(crate) fn supervise(slot: &Arc<Slot>, opened: SyncSender<Result<(), String>>) {
    let mut first = Some(opened);
    let mut failures = 0;
    loop {
        let waits_for_calls = match Process::start(slot) {
            Ok((mut process, link)) => {
                begin(slot, link);
                if let Some(opened) = first.take() {
                    let _told = opened.send(Ok(()));
                }
                let end = serve(slot, &process);
                failures = if slot.state().has_replied {
                    0
                } else {
                    failures + 1
                };
                finish(slot, &mut process, end);
                failures > 0
            }
            Err(problem) => {
                if let Some(opened) = first.take() {
                    let _told = opened.send(Err(problem));
                    return;
                }
                slot.not_started(&problem);
                failures += 1;
                true
            }
        };
        if !rest(slot, failures, waits_for_calls) {
            slot.closed();
            return;
        }
    }
}

/// What has waited goes to the new process.
fn begin(slot: &Slot, link: Link) {
    let mut guard = slot.state();
    let state = &mut *guard;
    state.link = Some(link);
    slot.dispatch_held(state);
}

/// Its end, if it has not ended yet, and what that means for its calls.
fn finish(slot: &Slot, process: &mut Process, end: End) {
    match end {
        End::Closed => {
            // The socket's end is the sign for it.
            slot.closed();
            process.end_soon();
        }
        End::Itself => slot.ended(&process.end_soon()),
        End::Refused(reason) => {
            process.end(Duration::ZERO);
            slot.ended(&format!("was ended: {reason}"));
        }
    }
}

/// A pause, and where nothing has come of the last process, until something is asked for. False: it is closed.
fn rest(slot: &Slot, failures: u32, waits_for_calls: bool) -> bool {
    let pause = match failures {
        0 => Duration::ZERO,
        _ => PAUSE_MAX.min(PAUSE_MIN * 2u32.saturating_pow(failures.min(16) - 1)),
    };
    let end = Instant::now() + pause;
    loop {
        slot.silence();
        let left = end.saturating_duration_since(Instant::now());
        let is_wanted = {
            let state = slot.state();
            if state.is_closed {
                return false;
            }
            !waits_for_calls || !state.held.is_empty()
        };
        if left.is_zero() && is_wanted {
            return true;
        }
        let Some(bell) = slot.bell.heard() else {
            return false;
        };
        let mut fds = [PollFd::new(&*bell, PollFlags::IN)];
        poll(&mut fds, (!left.is_zero()).then_some(left));
    }
}

fn serve(slot: &Slot, process: &Process) -> End {
    let mut buffer = vec![0; PACKET_BYTES];
    let Some(bell) = slot.bell.heard() else {
        return End::Closed;
    };
    loop {
        let (socket, timeout, has_more) = {
            let mut guard = slot.state();
            let state = &mut *guard;
            if state.is_closed {
                return End::Closed;
            }
            if state.is_doubted {
                return End::Refused("it sent what is no value".to_owned());
            }
            let timeout = match left_of_grace(slot, state) {
                Some(left) if left.is_zero() => return End::Refused(overdue(slot)),
                left => left,
            };
            slot.dispatch_held(state);
            let is_stuck = !send_outgoing(state);
            // Nothing tells when a call begins, or another process of this user's takes its descriptors.
            let timeout = if is_stuck || !state.held.is_empty() {
                Some(timeout.map_or(LOOK_AGAIN, |left| left.min(LOOK_AGAIN)))
            } else {
                timeout
            };
            let has_more = !is_stuck && !state.outgoing.is_empty();
            let Some(link) = &state.link else {
                return End::Closed;
            };
            (Arc::clone(&link.socket), timeout, has_more)
        };
        let wanted = if has_more {
            PollFlags::IN | PollFlags::OUT
        } else {
            PollFlags::IN
        };
        let mut fds = [
            PollFd::new(&*socket, wanted),
            PollFd::new(&*bell, PollFlags::IN),
            PollFd::new(&process.ended, PollFlags::IN),
        ];
        poll(&mut fds, timeout);
        let [may_read, has_rung, has_ended] = fds.map(|one| !one.revents().is_empty());
        if has_rung {
            slot.silence();
        }
        if !may_read && !has_ended {
            continue;
        }
        match take_all(slot, socket.as_fd(), &mut buffer) {
            Ok(false) if !has_ended => {}
            Ok(_) => return End::Itself,
            Err(problem) => return End::Refused(format!("it sent what is no message ({problem})")),
        }
    }
}

/// Everything that is there. True: the socket has ended.
fn take_all(
    slot: &Slot,
    socket: std::os::fd::BorrowedFd<'_>,
    buffer: &mut [u8],
) -> Result<bool, String> {
    loop {
        match receive(socket, buffer)? {
            Received::Frame(frame) if frame.kind == Kind::Replies => slot.receive(frame.blocks)?,
            Received::Frame(frame) => return Err(format!("{:?}", frame.kind)),
            Received::Nothing => return Ok(false),
            Received::End => return Ok(true),
        }
    }
}

/// As much as the socket has room for. False: something else stands against it.
fn send_outgoing(state: &mut State) -> bool {
    while let (Some(packet), Some(link)) = (state.outgoing.front(), &state.link) {
        match packet.send(link.socket.as_fd()) {
            Ok(()) => {}
            Err(problem) => return problem == Errno::AGAIN,
        }
        state.outgoing.pop_front();
    }
    true
}

/// Until the first call that was given up may go on no longer.
fn left_of_grace(slot: &Slot, state: &State) -> Option<Duration> {
    let cancelled = state.sent.values().filter_map(|sent| sent.cancelled);
    let first = cancelled.min()?;
    Some((first + slot.config.grace).saturating_duration_since(Instant::now()))
}

fn overdue(slot: &Slot) -> String {
    let grace = slot.config.grace.as_millis();
    format!("a call that was given up went on for {grace} ms")
}
