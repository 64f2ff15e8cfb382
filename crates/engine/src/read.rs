//! Receiving: into the slab while the connection may be read, and from there to whoever the bytes are for.

use std::io;

use fulmar_http1::head::Scan;

use crate::config::{ACK_DELAY_MS, LINGER_BYTES_MAX};
use crate::connection::{Connection, Reading};
use crate::engine::Engine;
use crate::event::{AbortReason, Event, EventKind, word};
use crate::slab::{RECEIVE_MIN, Slab};
use crate::slots::Id;

/// Receives of one connection in one turn; then others get theirs.
const RECEIVES_PER_TURN: usize = 4;
/// Of held-back bytes this much is moved into the slab at once, in bytes: about one look-ahead of small
/// requests, so that a deep pipeline does not fill a slab with copies of the same bytes.
const INBOX_PART: usize = 8 * 1024;

/// A part of the slab that holds received, unparsed bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Engine {
    /// Receives and parses for one connection as far as it may.
    pub(crate) fn receive(&mut self, id: Id, slab: &mut Slab<'_>) {
        for receive in 0..RECEIVES_PER_TURN {
            if !self.wants_bytes(id) {
                return;
            }
            let is_content = self
                .connections
                .get(id)
                .is_some_and(|c| c.reading.is_content());
            let room_min = if is_content {
                slab.content_min()
            } else {
                RECEIVE_MIN
            };
            if slab.remaining() < room_min {
                slab.mark_full(room_min - RECEIVE_MIN);
            }
            if self.is_full(slab) {
                if receive == 0 {
                    self.wait_for_room(id);
                } else {
                    self.enqueue(id);
                }
                return;
            }
            let before = self.events.len();
            if !self.receive_once(id, slab) {
                return;
            }
            // What was dispatched is answered before more is read: keeps batches fair and lets an end of
            // stream come after the replies.
            if self.events.len() > before
                && self
                    .connections
                    .get(id)
                    .is_some_and(|c| c.readable || c.unparsed)
            {
                self.enqueue(id);
                return;
            }
        }
        self.enqueue(id);
    }

    /// May bytes of this connection be read now, and are there any?
    pub(crate) fn wants_bytes(&self, id: Id) -> bool {
        let Some(connection) = self.connections.get(id) else {
            return false;
        };
        if !connection.readable && !connection.unparsed {
            return false;
        }
        match &connection.reading {
            Reading::Head => self.may_begin(connection),
            Reading::Length { exchange, .. } | Reading::Chunked { exchange, .. } => {
                self.content_is_wanted(*exchange)
            }
            Reading::Raw => !connection.raw_paused,
            Reading::Undecided { .. } | Reading::Ended => false,
            Reading::Refused
            | Reading::Ignoring
            | Reading::Lingering { .. }
            | Reading::Ending { .. } => true,
        }
    }

    /// May another request of this connection begin? Replies that wait for an earlier one count like those
    /// that wait for the peer.
    fn may_begin(&self, connection: &Connection) -> bool {
        let held = if connection.exchanges.len() > 1 {
            let open = connection.exchanges.iter();
            open.filter_map(|id| self.exchanges.get(*id))
                .map(|exchange| exchange.held.appended())
                .sum()
        } else {
            0
        };
        connection.may_begin(self.turn, held)
    }

    /// The exchange reads, or it is over and its content is thrown away.
    fn content_is_wanted(&self, exchange: Id) -> bool {
        self.exchanges
            .get(exchange)
            .is_none_or(|e| e.reading || e.discards())
    }

    /// One receive (or one look at held-back bytes). False: nothing more to do for now.
    fn receive_once(&mut self, id: Id, slab: &mut Slab<'_>) -> bool {
        let Some(connection) = self.connections.get_mut(id) else {
            return false;
        };
        if matches!(connection.reading, Reading::Ending { .. }) {
            self.end_chunked(id, slab);
            return false;
        }
        if connection.unparsed {
            return self.parse_inbox(id, slab);
        }
        // Many wait, this one for so long that the system has ceased to expect a reply soon: it would send an
        // acknowledgement of its own when the request is read. The reply brings it, or the system, as between
        // any two who take turns, when there is none within that time.
        if self.crowded
            && matches!(connection.reading, Reading::Head)
            && self.clock.now_ms.saturating_sub(connection.active_at) >= ACK_DELAY_MS
        {
            connection.stream.acknowledge_with_reply();
        }
        let spare = slab.spare(connection.reading.receive_max());
        let wanted = spare.len();
        match connection.stream.recv(spare) {
            Ok(0) => {
                connection.readable = false;
                self.peer_ended(id);
                false
            }
            Ok(count) => {
                connection.received_total += count as u64;
                connection.active_at = self.clock.now_ms;
                // A short read has emptied the socket; an end of stream comes with an event of its own.
                if count < wanted {
                    connection.readable = connection.peer_closed;
                } else if connection.reading.is_content() {
                    slab.want_streaming();
                }
                self.accept_bytes(id, count, slab);
                true
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                connection.readable = false;
                false
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => true,
            Err(error) => {
                // Everything is sent and our side has ended: a peer that does not wait for that says nothing
                // to the host.
                let is_over = matches!(connection.reading, Reading::Lingering { .. });
                let reason = if is_over {
                    AbortReason::None
                } else {
                    reset_or_io(&error)
                };
                self.close(id, reason);
                false
            }
        }
    }

    /// `count` bytes stand at the slab's cursor. A begun head grows in the inbox; everything else is taken
    /// from the slab.
    fn accept_bytes(&mut self, id: Id, count: usize, slab: &mut Slab<'_>) {
        let Some(connection) = self.connections.get_mut(id) else {
            return;
        };
        if let Reading::Lingering { bytes } = &mut connection.reading {
            *bytes += count as u64;
            if *bytes > LINGER_BYTES_MAX {
                self.close(id, AbortReason::None);
            }
            return;
        }
        if matches!(connection.reading, Reading::Refused | Reading::Ignoring) {
            return;
        }
        if !connection.inbox.is_empty() {
            let start = slab.cursor();
            connection
                .inbox
                .extend_from_slice(slab.get(start, start + count));
            self.parse_inbox(id, slab);
            return;
        }
        let start = slab.take(count);
        self.parse(
            id,
            Region {
                start,
                end: start + count,
            },
            slab,
        );
    }

    /// Looks at held-back bytes: a head that is still incomplete stays, anything else moves to the slab and
    /// is parsed there.
    fn parse_inbox(&mut self, id: Id, slab: &mut Slab<'_>) -> bool {
        let Some(connection) = self.connections.get_mut(id) else {
            return false;
        };
        let (mut needed, mut record) = (1, 0);
        if matches!(connection.reading, Reading::Head) {
            let Some(listener) = self.listeners.get(connection.listener) else {
                return false;
            };
            let limits = listener.config.head_limits();
            match connection.scanner.scan(&connection.inbox, &limits) {
                Ok(Scan::Partial) => {
                    connection.unparsed = false;
                    self.head_began(id);
                    return true;
                }
                Ok(Scan::Complete { end, .. }) => {
                    connection.scanner.reset();
                    needed = end;
                    record =
                        Slab::record_bytes_max(connection.inbox.get(..end).unwrap_or_default());
                }
                Err(reject) => {
                    let inbox = std::mem::take(&mut connection.inbox);
                    connection.unparsed = false;
                    let start = slab.put(&inbox).unwrap_or(slab.cursor());
                    let end = (start + inbox.len()).min(slab.cursor());
                    self.refuse(id, reject, Region { start, end });
                    return true;
                }
            }
        }
        let len = connection
            .inbox
            .len()
            .min(needed.max(INBOX_PART.min(slab.remaining())));
        let part = connection.inbox.get(..len).unwrap_or_default();
        let Some(start) = slab.put(part) else {
            slab.mark_full(part.len() + record);
            connection.unparsed = true;
            self.wait_for_room(id);
            return false;
        };
        let has_rest = len < connection.inbox.len();
        if has_rest {
            connection.inbox.drain(..len);
        } else {
            connection.inbox = Vec::new();
        }
        connection.unparsed = false;
        let end = start + len;
        self.parse(id, Region { start, end }, slab);
        if has_rest {
            self.look_again(id);
        }
        true
    }

    /// Only a part of the inbox was parsed: the rest is next.
    fn look_again(&mut self, id: Id) {
        if let Some(connection) = self.connections.get_mut(id)
            && !connection.inbox.is_empty()
        {
            connection.unparsed = true;
            self.enqueue(id);
        }
    }

    /// Gives a region to head, content or raw handling until it is used up or must wait.
    pub(crate) fn parse(&mut self, id: Id, mut region: Region, slab: &mut Slab<'_>) {
        while region.start < region.end {
            let Some(connection) = self.connections.get(id) else {
                return;
            };
            let rest = match &connection.reading {
                Reading::Head if self.is_full(slab) || !self.may_begin(connection) => {
                    return self.hold_back(id, region, slab);
                }
                Reading::Head => self.parse_head(id, region, slab),
                Reading::Length { .. } | Reading::Chunked { .. } => {
                    self.parse_content(id, region, slab)
                }
                Reading::Undecided { .. } | Reading::Ending { .. } => {
                    return self.hold_back(id, region, slab);
                }
                Reading::Raw => {
                    let mut event = Event::new(EventKind::RawData, id);
                    event.content_start = word(region.start);
                    event.content_len = word(region.end - region.start);
                    self.push_event(event);
                    return;
                }
                Reading::Refused
                | Reading::Ignoring
                | Reading::Lingering { .. }
                | Reading::Ended => return,
            };
            match rest {
                Some(rest) => region = rest,
                None => return,
            }
        }
    }

    /// Keeps unparsed bytes for later. They are looked at again when the batch has room or the pipeline has
    /// moved on.
    pub(crate) fn hold_back(&mut self, id: Id, region: Region, slab: &Slab<'_>) {
        if let Some(connection) = self.connections.get_mut(id) {
            connection.put_back(slab.get(region.start, region.end));
            connection.unparsed = true;
            self.enqueue(id);
        }
    }
}

fn reset_or_io(error: &io::Error) -> AbortReason {
    match error.kind() {
        io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => AbortReason::PeerReset,
        _ => AbortReason::Io,
    }
}
