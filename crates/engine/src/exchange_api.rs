//! What a host can do with an exchange besides answering it at once: streamed replies, interim replies,
//! content flow, upgrades.

use std::fs::File;

use fulmar_http1::chunked::{CHUNK_END, ChunkedDecoder, LAST_CHUNK, encode_chunk_head};
use fulmar_http1::head::Framing;
use fulmar_http1::reply::status_line;

use crate::config::{BUFFERED_REPLY_MAX, HIGH_WATER, TRAILER_BYTES_MAX};
use crate::connection::Reading;
use crate::engine::Engine;
use crate::event::AbortReason;
use crate::exchange::ReplyState;
use crate::reply::Body;
use crate::slots::Id;

/// What became of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteStatus {
    /// Go on.
    Room,
    /// Taken, but wait for `Drain` before writing more.
    Full,
    /// The exchange or connection is gone.
    Gone,
}

/// What an upgrade that was declined has for content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentAfterUpgrade {
    /// None, or the exchange is gone.
    None,
    /// It comes through `read_content`.
    Streamed,
}

impl Engine {
    /// Adds content to a streamed reply; chunked if `start` said so. Bytes beyond a declared length are
    /// dropped.
    pub fn write(&mut self, id: Id, content: Body<'_>) -> WriteStatus {
        let Some(exchange) = self.exchanges.get_mut(id) else {
            return WriteStatus::Gone;
        };
        let connection_id = exchange.connection;
        let ReplyState::Streaming {
            chunked,
            left,
            no_content,
        } = &mut exchange.reply
        else {
            return WriteStatus::Gone;
        };
        let chunked = *chunked;
        // What one turn writes may be as much as it likes: nothing could have been sent meanwhile.
        let ignores_full = exchange.owes_drain && exchange.full_turn != self.turn;
        let mut len = content.bytes().len();
        if let Some(left) = left {
            len = len.min(usize::try_from(*left).unwrap_or(usize::MAX));
            *left -= len as u64;
        }
        let lent = matches!(content, Body::Lent(_));
        if !*no_content && len > 0 {
            self.with_target(id, connection_id, |out, pool| {
                if chunked {
                    out.append_with(pool, |buffer| encode_chunk_head(len, buffer));
                }
                out.push(pool, content, len);
                if chunked {
                    out.append_with(pool, |buffer| buffer.extend_from_slice(CHUNK_END));
                }
            });
            self.mark_dirty(connection_id);
            if lent {
                self.send_lent(connection_id);
            }
        }
        self.write_status(id, connection_id, ignores_full)
    }

    /// One write may be as large as it likes; going on in spite of "wait" may not.
    fn write_status(&mut self, id: Id, connection_id: Id, ignores_full: bool) -> WriteStatus {
        if self.exchanges.get(id).is_none() {
            return WriteStatus::Gone; // It was sent at once, and the peer is not there.
        }
        let buffered = self.buffered(id);
        if ignores_full && buffered > BUFFERED_REPLY_MAX {
            self.stats.reply_overflow += 1;
            self.close(connection_id, AbortReason::Overflow);
            return WriteStatus::Gone;
        }
        if buffered <= HIGH_WATER {
            return WriteStatus::Room;
        }
        let turn = self.turn;
        if let Some(exchange) = self.exchanges.get_mut(id)
            && !std::mem::replace(&mut exchange.owes_drain, true)
        {
            exchange.full_turn = turn;
        }
        WriteStatus::Full
    }

    /// Reply bytes in memory that are not with the operating system.
    #[must_use]
    pub fn buffered(&self, id: Id) -> usize {
        let Some(exchange) = self.exchanges.get(id) else {
            return 0;
        };
        let Some(connection) = self.connections.get(exchange.connection) else {
            return 0;
        };
        if connection.is_first(id) || exchange.marked {
            connection.out.bytes()
        } else {
            exchange.held.bytes()
        }
    }

    /// Ends a streamed reply. `trailers`: complete field lines, for chunked replies.
    pub fn end(&mut self, id: Id, trailers: &[u8]) {
        let Some(exchange) = self.exchanges.get_mut(id) else {
            return;
        };
        let connection_id = exchange.connection;
        let ReplyState::Streaming {
            chunked,
            left,
            no_content,
        } = exchange.reply
        else {
            return;
        };
        if left.is_some_and(|left| left > 0) && !no_content {
            // Fewer bytes than declared: only the end of the connection tells the peer so.
            self.stats.length_mismatch += 1;
            exchange.close_after = true;
        }
        if chunked && !no_content {
            self.with_target(id, connection_id, |out, pool| {
                out.append_with(pool, |buffer| {
                    buffer.extend_from_slice(LAST_CHUNK);
                    buffer.extend_from_slice(trailers);
                    buffer.extend_from_slice(b"\r\n");
                });
            });
        }
        self.end_exchange(id);
    }

    /// Sends a part of a file as the rest of the content, then ends the reply. A file that turns out shorter
    /// ends the connection.
    pub fn send_file(&mut self, id: Id, file: File, offset: u64, length: u64) {
        let Some(exchange) = self.exchanges.get_mut(id) else {
            return;
        };
        let connection_id = exchange.connection;
        let ReplyState::Streaming {
            chunked,
            left,
            no_content,
        } = &mut exchange.reply
        else {
            return;
        };
        let chunked = *chunked;
        let length = left.map_or(length, |left| left.min(length));
        if let Some(left) = left {
            *left -= length;
        }
        if !*no_content {
            self.with_target(id, connection_id, |out, pool| {
                if chunked && length > 0 {
                    let length = usize::try_from(length).unwrap_or(usize::MAX);
                    out.append_with(pool, |buffer| encode_chunk_head(length, buffer));
                }
                out.push_file(file, offset, length);
                if chunked && length > 0 {
                    out.append_with(pool, |buffer| buffer.extend_from_slice(CHUNK_END));
                }
            });
        }
        self.end(id, &[]);
    }

    /// Ends a reply within the file of a declared length that it ends with: what is not sent of it is not,
    /// and the end of the connection tells the peer so. False: the file is out.
    pub fn cut_file(&mut self, id: Id) -> bool {
        let Some(exchange) = self.exchanges.get_mut(id) else {
            return false;
        };
        let connection_id = exchange.connection;
        if exchange.reply != ReplyState::Ended {
            return false;
        }
        if !exchange.queued {
            let is_cut = exchange.held.cut_file(exchange.held.appended());
            exchange.close_after |= is_cut;
            self.stats.length_mismatch += u64::from(is_cut);
            return is_cut;
        }
        let Some(connection) = self.connections.get_mut(connection_id) else {
            return false;
        };
        let Some(place) = connection.marks.iter().position(|(_, e)| *e == id) else {
            return false;
        };
        let behind = connection.marks.split_off(place + 1);
        let end = connection.marks.back().map_or(0, |(at, _)| *at);
        let is_cut = connection.out.cut_file(end);
        if !is_cut {
            connection.marks.extend(behind);
            return false;
        }
        let appended = connection.out.appended();
        connection.begun_at = connection.begun_at.min(appended);
        if let Some((at, _)) = connection.marks.back_mut() {
            *at = appended;
        }
        for (_, lost) in behind {
            self.abort_exchange(lost, AbortReason::Host);
        }
        self.stats.length_mismatch += 1;
        self.close_after_reply(connection_id);
        self.send(connection_id); // Nothing may be left to send: then this is the end of the reply.
        true
    }

    /// Sends 100, 102, 103 before the reply. Nothing happens for HTTP/1.0 peers or once the reply has begun.
    pub fn send_interim(&mut self, id: Id, status: u16, block: &[u8]) {
        let Some(exchange) = self.exchanges.get_mut(id) else {
            return;
        };
        if exchange.reply != ReplyState::Pending || !exchange.minor_1 {
            return;
        }
        if status == 100 {
            exchange.owes_continue = false;
        }
        let connection_id = exchange.connection;
        self.with_target(id, connection_id, |out, pool| {
            out.append_with(pool, |buffer| {
                status_line(status, buffer);
                buffer.extend_from_slice(block);
                buffer.extend_from_slice(b"\r\n");
            });
        });
        self.mark_dirty(connection_id);
    }

    /// Starts or resumes the flow of content. Sends the 100 that is owed.
    pub fn read_content(&mut self, id: Id) {
        let now = self.clock.now_ms;
        let Some(exchange) = self.exchanges.get_mut(id) else {
            return;
        };
        let connection_id = exchange.connection;
        exchange.reading = true;
        exchange.taken = true;
        if exchange.owes_continue && exchange.receiving {
            self.send_interim(id, 100, &[]);
        }
        if let Some(connection) = self.connections.get_mut(connection_id) {
            // Who takes content that has been here for long is active, too.
            connection.active_at = now;
            connection.content_since = now;
            connection.content_bytes = 0;
        }
        self.remind(connection_id);
        self.resume_reading(connection_id);
    }

    /// Stops the flow; bytes stay with the operating system and the peer.
    pub fn pause_content(&mut self, id: Id) {
        if let Some(exchange) = self.exchanges.get_mut(id) {
            exchange.reading = false;
            let connection_id = exchange.connection;
            self.look_for_end(connection_id);
        }
    }

    /// Nobody wants the rest of the content: it is thrown away once the reply is complete.
    pub fn discard_content(&mut self, id: Id) {
        let Some(exchange) = self.exchanges.get_mut(id) else {
            return;
        };
        exchange.reading = false;
        exchange.taken = false;
        let connection_id = exchange.connection;
        self.release(id);
        self.resume_reading(connection_id);
    }

    /// Asks for `Sent`.
    pub fn notify_sent(&mut self, id: Id) {
        if let Some(exchange) = self.exchanges.get_mut(id) {
            exchange.wants_sent = true;
        }
    }

    /// Destroys the exchange's connection at once.
    pub fn abort(&mut self, id: Id) {
        if let Some(exchange) = self.exchanges.get(id) {
            let connection_id = exchange.connection;
            self.close(connection_id, AbortReason::Host);
        }
    }

    /// Turns the connection into a raw byte stream; returns the bytes that have come already. The exchange is
    /// over.
    pub fn accept_upgrade(&mut self, id: Id) -> Vec<u8> {
        let Some(exchange) = self.exchanges.get(id) else {
            return Vec::new();
        };
        let connection_id = exchange.connection;
        let Some(connection) = self.connections.get_mut(connection_id) else {
            return Vec::new();
        };
        if !matches!(connection.reading, Reading::Undecided { exchange } if exchange == id) {
            return Vec::new();
        }
        connection.reading = Reading::Raw;
        connection.raw_paused = true;
        connection.watched = true;
        connection.unparsed = false;
        connection.request_since = None;
        connection.exchanges.retain(|e| *e != id);
        let first_bytes = std::mem::take(&mut connection.inbox);
        self.exchanges.remove(id);
        first_bytes
    }

    /// Goes on with an Upgrade request as with a plain one.
    pub fn decline_upgrade(&mut self, id: Id) -> ContentAfterUpgrade {
        let Some(exchange) = self.exchanges.get_mut(id) else {
            return ContentAfterUpgrade::None;
        };
        let connection_id = exchange.connection;
        let framing = exchange.upgrade_framing.take();
        let reading = match framing {
            None => return ContentAfterUpgrade::None,
            Some(Framing::None | Framing::Length(0)) => None,
            Some(Framing::Length(left)) => Some(Reading::Length { exchange: id, left }),
            Some(Framing::Chunked) => {
                let count_max = self.header_count_max(connection_id);
                let decoder = Box::new(ChunkedDecoder::new(TRAILER_BYTES_MAX, count_max));
                Some(Reading::Chunked {
                    exchange: id,
                    decoder,
                })
            }
        };
        let content = if let Some(reading) = reading {
            exchange_receives(&mut self.exchanges, id);
            if let Some(connection) = self.connections.get_mut(connection_id) {
                connection.reading = reading;
            }
            ContentAfterUpgrade::Streamed
        } else {
            self.request_received(connection_id, id);
            ContentAfterUpgrade::None
        };
        self.remind(connection_id);
        self.resume_reading(connection_id);
        content
    }

    fn header_count_max(&self, connection_id: Id) -> usize {
        let listener = self
            .connections
            .get(connection_id)
            .and_then(|c| self.listeners.get(c.listener));
        listener.map_or(0, |l| l.config.header_count_max)
    }
}

fn exchange_receives(exchanges: &mut crate::slots::Slots<crate::exchange::Exchange>, id: Id) {
    if let Some(exchange) = exchanges.get_mut(id) {
        exchange.receiving = true;
    }
}
