//! Sending: what is queued goes out in as few calls as possible; what the peer does not take waits.

use std::io::{self, IoSlice};

use crate::config::HIGH_WATER;
use crate::connection::Connection;
use crate::engine::Engine;
use crate::event::{AbortReason, EventKind, word};
use crate::pool::Pool;
use crate::slots::Id;

/// Buffers given to one vectored send.
const SLICES_MAX: usize = 32;
/// Bytes of one connection sent before others get their turn.
const BYTES_PER_TURN: u64 = 2 * 1024 * 1024;
/// Bytes asked of one `sendfile`.
pub(crate) const FILE_STEP: u64 = 512 * 1024;

/// How a burst of sends ended.
enum Progress {
    /// Everything is out.
    Empty,
    /// The socket takes no more for now.
    Blocked,
    /// Its share of this turn is used up.
    Share,
    Failed(AbortReason),
}

impl Engine {
    /// Sends what has been queued since the last flush: one burst per connection.
    pub fn flush(&mut self) {
        self.awaited.clear();
        if self.dirty.is_empty() {
            return;
        }
        // The host may have taken long: what is timed from here on is timed from now.
        self.clock.update();
        let mut dirty = std::mem::take(&mut self.dirty);
        for id in dirty.drain(..) {
            let Some(connection) = self.connections.get_mut(id) else {
                continue;
            };
            connection.dirty = false;
            if connection.writable {
                self.send(id);
            }
        }
        // Sending may have made others dirty (a refusal behind the last reply): keep those, reuse the larger
        // buffer.
        if self.dirty.is_empty() {
            self.dirty = dirty;
        }
    }

    /// Tells of the end of replies whose end somebody waits for, before the next flush sends them all: of
    /// those that the system's buffer has room for, as far as can be foreseen. The others are sent now.
    pub fn tell_awaited(&mut self) {
        let mut awaited = std::mem::take(&mut self.awaited);
        for id in awaited.drain(..) {
            match self.connections.get(id) {
                Some(connection) if connection.will_be_sent() => self.tell_sent(id, u64::MAX),
                Some(connection) if connection.writable => self.send(id),
                _ => {}
            }
        }
        self.awaited = awaited;
    }

    /// Sends at once what the program has lent, as far as the system takes it: most of it is never asked for
    /// again.
    pub(crate) fn send_lent(&mut self, id: Id) {
        if self.connections.get(id).is_some_and(|c| c.writable) {
            self.clock.update(); // The host may have taken long.
            self.send(id);
        }
    }

    /// Sends for one connection until it blocks, is done, or has had its share.
    pub(crate) fn send(&mut self, id: Id) {
        let now = self.clock.now_ms;
        let Some(connection) = self.connections.get_mut(id) else {
            return;
        };
        let before = connection.sent_total;
        let progress = send_burst(connection, &mut self.pool);
        let advanced = connection.sent_total > before;
        if advanced {
            connection.active_at = now;
            connection.linger_since = now;
        }
        if connection.out.is_empty() {
            connection.write_since = None;
        } else if advanced || connection.write_since.is_none() {
            connection.write_since = Some(now);
        }
        match progress {
            Progress::Failed(reason) => return self.close(id, reason),
            Progress::Blocked => {
                connection.writable = false;
                connection.reply_waits();
                self.remind(id);
            }
            Progress::Share => self.enqueue(id),
            Progress::Empty => {}
        }
        self.sent(id);
    }

    /// Tells those who wait for it that the bytes up to this position are out.
    fn tell_sent(&mut self, id: Id, position: u64) {
        while let Some(connection) = self.connections.get_mut(id)
            && let Some((at, exchange)) = connection.marks.front().copied()
            && at <= position
        {
            connection.marks.pop_front();
            if let Some(exchange) = self.exchanges.get_mut(exchange) {
                exchange.marked = false;
            }
            self.emit(EventKind::Sent, exchange);
            self.release(exchange);
        }
    }

    fn sent(&mut self, id: Id) {
        let position = self.connections.get(id).map_or(0, |c| c.sent_total);
        self.tell_sent(id, position);
        self.owed_drains(id);
        let Some(connection) = self.connections.get_mut(id) else {
            return;
        };
        if !connection.out.is_empty() {
            return;
        }
        if connection.ending && !connection.shut {
            connection.shut = true;
            connection.stream.shutdown_write();
            if connection.watched {
                self.emit(EventKind::ConnectionDrain, id);
            }
        }
        let Some(connection) = self.connections.get_mut(id) else {
            return;
        };
        if connection.close_when_sent {
            return self.close_if_sent(id);
        }
        let at_rest = connection.exchanges.is_empty();
        connection.reply_fitted();
        if connection.readable || connection.unparsed {
            self.enqueue(id);
        }
        if at_rest {
            self.remind(id); // Idle from now on: only now that nothing is left to send.
        }
    }

    fn owed_drains(&mut self, id: Id) {
        let Some(connection) = self.connections.get_mut(id) else {
            return;
        };
        if connection.out.bytes() > HIGH_WATER / 2 {
            return;
        }
        if std::mem::take(&mut connection.owes_drain) {
            self.emit(EventKind::ConnectionDrain, id);
        }
        let Some(first) = self
            .connections
            .get(id)
            .and_then(|c| c.exchanges.front().copied())
        else {
            return;
        };
        if self
            .exchanges
            .get_mut(first)
            .is_some_and(|e| std::mem::take(&mut e.owes_drain))
        {
            self.emit(EventKind::Drain, first).content_len = word(0);
        }
    }
}

fn send_burst(connection: &mut Connection, pool: &mut Pool) -> Progress {
    let start = connection.sent_total;
    while !connection.out.is_empty() {
        if connection.sent_total - start >= BYTES_PER_TURN {
            return Progress::Share;
        }
        let sent = if connection.out.leading_file().is_some() {
            send_file_step(connection)
        } else {
            send_memory(connection, pool)
        };
        match sent {
            Ok(count) => connection.sent_total += count,
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock => return Progress::Blocked,
                io::ErrorKind::Interrupted => {}
                io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset => {
                    return Progress::Failed(AbortReason::PeerReset);
                }
                io::ErrorKind::NotFound => return Progress::Failed(AbortReason::ContentGone),
                _ => return Progress::Failed(AbortReason::Io),
            },
        }
    }
    Progress::Empty
}

fn send_memory(connection: &mut Connection, pool: &mut Pool) -> io::Result<u64> {
    let Connection { stream, out, .. } = connection;
    let mut slices = [IoSlice::new(&[]); SLICES_MAX];
    let mut count = 0;
    for (place, bytes) in slices.iter_mut().zip(out.leading_slices()) {
        *place = IoSlice::new(bytes);
        count += 1;
    }
    // A head shares a segment with a file of one step: the peer is woken up once for both. That of a longer
    // file goes ahead: BBR counts segments, not bytes, and takes a path on which none was small for half as
    // fast as it is. It then holds back what follows by timers, at the cost of several segments
    // (docs/internals/engine.md).
    let is_joined = out.file_at(count).is_some_and(|left| left <= FILE_STEP);
    let sent = match slices.get(..count) {
        Some([one]) if is_joined => stream.send_more(one),
        Some([one]) => stream.send(one),
        Some(many) if count > 0 => stream.send_vectored(many),
        // The program has given away what it wanted to be sent.
        _ => return Err(io::ErrorKind::NotFound.into()),
    }?;
    out.advance(sent, pool);
    Ok(sent as u64)
}

fn send_file_step(connection: &mut Connection) -> io::Result<u64> {
    let Connection { stream, out, .. } = connection;
    let Some((file, offset, left)) = out.leading_file() else {
        return Ok(0);
    };
    let step = usize::try_from(FILE_STEP.min(*left)).unwrap_or(0);
    let sent = transfer(stream, file, offset, step)? as u64;
    if sent == 0 {
        // The file was truncated meanwhile: the declared length cannot be kept.
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    *left -= sent;
    out.finish_file();
    Ok(sent)
}

#[cfg(target_os = "linux")]
fn transfer(
    stream: &crate::stream::Stream,
    file: &std::fs::File,
    offset: &mut u64,
    step: usize,
) -> io::Result<usize> {
    Ok(rustix::fs::sendfile(
        stream.as_fd(),
        file,
        Some(offset),
        step,
    )?)
}

#[cfg(not(target_os = "linux"))]
fn transfer(
    stream: &mut crate::stream::Stream,
    file: &std::fs::File,
    offset: &mut u64,
    step: usize,
) -> io::Result<usize> {
    use std::os::unix::fs::FileExt as _;
    let mut buffer = vec![0; step.min(64 * 1024)];
    let read = file.read_at(&mut buffer, *offset)?;
    let sent = if read == 0 {
        0
    } else {
        stream.send(buffer.get(..read).unwrap_or_default())?
    };
    *offset += sent as u64;
    Ok(sent)
}
