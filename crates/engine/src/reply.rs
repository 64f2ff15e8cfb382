//! Replies: what the host gives is encoded once, behind whatever the connection still has to send.

use bytes::Bytes;
use fulmar_http1::reply::{
    ConnectionField, LengthField, Tail, encode_tail, status_line, status_line_with_reason,
};

use crate::config::DISCARD_MAX;
use crate::connection::{Connection, Reading};
use crate::digest::DIGEST_CHARS;
use crate::engine::Engine;
use crate::event::AbortReason;
use crate::exchange::{Exchange, ReplyState};
use crate::out::{COPY_MAX, LentContent, OutQueue};
use crate::slots::Id;

/// How the engine ends the field section. Mirrors `ReplyFlag` in `packages/fulmar/src/exchange/format.ts`,
/// which documents each.
#[expect(missing_docs, reason = "documented once, at the TypeScript side")]
pub mod reply_flag {
    pub const DATE: u32 = 1;
    pub const KEEP_ALIVE: u32 = 2;
    pub const CLOSE_FIELD: u32 = 4;
    pub const CLOSE_AFTER: u32 = 8;
    pub const CONTENT_LENGTH: u32 = 16;
    pub const CHUNKED_FIELD: u32 = 32;
    pub const CHUNKED: u32 = 64;
    pub const NO_CONTENT: u32 = 128;
    pub const NO_KEEP_ALIVE_HINT: u32 = 256;
    pub const DIGEST: u32 = 512;
    pub const WANTS_SENT: u32 = 1024;
}

/// With [`reply_flag::DIGEST`] the flags' bits from here on say how many bytes before the block's end its
/// place begins.
pub const DIGEST_PLACE_SHIFT: u32 = 16;

/// Content of a complete reply.
#[derive(Debug)]
pub enum Body<'a> {
    /// No content.
    None,
    /// Bytes to copy.
    Copy(&'a [u8]),
    /// Bytes to keep by reference until they are sent.
    Shared(Bytes),
    /// The program's own bytes, sent from where they are.
    Lent(Box<dyn LentContent>),
}

impl Body<'_> {
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::None => &[],
            Self::Copy(bytes) => bytes,
            Self::Shared(bytes) => bytes,
            Self::Lent(content) => content.bytes(),
        }
    }
}

impl<'a> From<&'a str> for Body<'a> {
    fn from(text: &'a str) -> Self {
        Self::Copy(text.as_bytes())
    }
}

impl From<Bytes> for Body<'_> {
    fn from(bytes: Bytes) -> Self {
        Self::Shared(bytes)
    }
}

/// Status line and field lines of a reply. `block` holds complete, checked field lines.
#[derive(Clone, Copy, Debug)]
pub struct Reply<'a> {
    /// 100 to 999.
    pub status: u16,
    /// Reason phrase; `None` takes the standard one.
    pub reason: Option<&'a [u8]>,
    /// `Name: value CRLF` repeated.
    pub block: &'a [u8],
    /// Bits of [`reply_flag`].
    pub flags: u32,
}

/// What a head has to know of the content behind it.
#[derive(Clone, Copy, Default)]
struct Content<'a> {
    /// Its declared bytes.
    length: Option<u64>,
    /// Bytes that are copied behind the head.
    copied: usize,
    /// What is put into the block, and how many bytes before its end.
    digest: Option<(&'a [u8; DIGEST_CHARS], usize)>,
}

/// Status line and what the engine ends the field section with, in bytes: room that is reserved, no bound.
const TAIL_BYTES: usize = 256;

impl Engine {
    /// Answers an exchange completely. Nothing happens when the exchange is gone. Returns the digest that was
    /// filled in with [`reply_flag::DIGEST`].
    pub fn reply(
        &mut self,
        id: Id,
        reply: Reply<'_>,
        body: Body<'_>,
    ) -> Option<[u8; DIGEST_CHARS]> {
        if self.exchanges.get(id)?.reply != ReplyState::Pending {
            return None;
        }
        let len = body.bytes().len();
        let digest = (reply.flags & reply_flag::DIGEST != 0).then(|| self.digests.of(body.bytes()));
        let place = (reply.flags >> DIGEST_PLACE_SHIFT) as usize;
        let content = Content {
            length: Some(len as u64),
            // Head and small body: one allocation at most.
            copied: if len <= COPY_MAX { len } else { 0 },
            digest: digest.as_ref().map(|digest| (digest, place)),
        };
        let connection_id = self.begin_reply(id, reply, content)?;
        let lent = matches!(body, Body::Lent(_));
        if reply.flags & reply_flag::NO_CONTENT == 0 {
            let chunked = reply.flags & (reply_flag::CHUNKED | reply_flag::CHUNKED_FIELD) != 0;
            self.with_target(id, connection_id, |out, pool| match body {
                _ if chunked => {
                    out.append_with(pool, |buffer| encode_all_chunked(body.bytes(), buffer));
                }
                body => out.push(pool, body, len),
            });
        }
        if let Some(exchange) = self.exchanges.get_mut(id) {
            exchange.wants_sent |= reply.flags & reply_flag::WANTS_SENT != 0;
        }
        self.end_exchange(id);
        if lent {
            self.send_lent(connection_id);
        }
        digest
    }

    /// Starts a streamed reply. `length`: declared content bytes, checked against what follows.
    pub fn start(&mut self, id: Id, reply: Reply<'_>, length: Option<u64>) {
        let content = Content {
            length,
            ..Content::default()
        };
        if self.begin_reply(id, reply, content).is_none() {
            return;
        }
        let flags = reply.flags;
        if let Some(exchange) = self.exchanges.get_mut(id) {
            exchange.wants_sent |= flags & reply_flag::WANTS_SENT != 0;
            exchange.reply = ReplyState::Streaming {
                chunked: flags & (reply_flag::CHUNKED | reply_flag::CHUNKED_FIELD) != 0,
                left: length,
                no_content: flags & reply_flag::NO_CONTENT != 0,
            };
        }
    }

    /// Encodes the head behind what is queued; tells the connection. `None`: the exchange is gone or has a
    /// reply.
    fn begin_reply(&mut self, id: Id, reply: Reply<'_>, content: Content<'_>) -> Option<Id> {
        if self.exchanges.get(id)?.upgrade_framing.is_some() {
            self.decline_upgrade(id); // An answer is a decision, too.
        }
        let exchange = self.exchanges.get_mut(id)?;
        if exchange.reply != ReplyState::Pending {
            return None;
        }
        let connection_id = exchange.connection;
        let connection = self.connections.get_mut(connection_id)?;
        let listener = self.listeners.get(connection.listener)?;
        // Who is behind this one has been begun, and is served yet.
        let drains = listener.draining && connection.is_last(id);
        let forced = drains || !exchange.keep_alive || leaves_content(exchange, connection, id);
        exchange.owes_continue = false;
        exchange.close_after |=
            forced || reply.flags & (reply_flag::CLOSE_FIELD | reply_flag::CLOSE_AFTER) != 0;
        let config = &listener.config;
        let keep_alive = reply.flags & reply_flag::KEEP_ALIVE != 0;
        let field = if reply.flags & reply_flag::CLOSE_FIELD != 0 || (forced && keep_alive) {
            ConnectionField::Close
        } else if keep_alive {
            let hint = reply.flags & reply_flag::NO_KEEP_ALIVE_HINT == 0
                && config.keep_alive_timeout_ms > 0;
            let max = config.requests_per_connection_max;
            ConnectionField::KeepAlive {
                hint_s: hint.then(|| {
                    u32::try_from(config.keep_alive_timeout_ms / 1_000).unwrap_or(u32::MAX)
                }),
                max: (hint && max > 0).then_some(max),
            }
        } else {
            ConnectionField::None
        };
        let length_field = if reply.flags & reply_flag::CONTENT_LENGTH != 0 {
            LengthField::Length(content.length.unwrap_or(0))
        } else if reply.flags & reply_flag::CHUNKED_FIELD != 0 {
            LengthField::Chunked
        } else {
            LengthField::None
        };
        let date = (reply.flags & reply_flag::DATE != 0).then_some(&self.clock.date);
        let tail = Tail {
            date,
            connection: field,
            length: length_field,
        };
        let target = if connection.is_first(id) {
            &mut connection.out
        } else {
            &mut exchange.held
        };
        target.append_with(&mut self.pool, |out| {
            out.reserve(reply.block.len() + TAIL_BYTES + content.copied);
            encode_head(reply, &tail, content.digest, out);
        });
        self.mark_dirty(connection_id);
        Some(connection_id)
    }

    /// Where bytes of this exchange's reply go now: the connection's queue, or its own until its turn comes.
    pub(crate) fn with_target(
        &mut self,
        id: Id,
        connection_id: Id,
        write: impl FnOnce(&mut OutQueue, &mut crate::pool::Pool),
    ) {
        let Some(connection) = self.connections.get_mut(connection_id) else {
            return;
        };
        if connection.is_first(id) {
            write(&mut connection.out, &mut self.pool);
        } else if let Some(exchange) = self.exchanges.get_mut(id) {
            write(&mut exchange.held, &mut self.pool);
        }
    }

    /// The host is done with this exchange. Those answered in order are completed.
    pub(crate) fn end_exchange(&mut self, id: Id) {
        let Some(exchange) = self.exchanges.get_mut(id) else {
            return;
        };
        exchange.reply = ReplyState::Ended;
        let connection_id = exchange.connection;
        self.stats.replies += 1;
        if self
            .connections
            .get(connection_id)
            .is_some_and(|c| c.is_first(id))
        {
            self.complete_answered(connection_id);
        }
    }

    /// Takes completely answered exchanges off the front; the next one's held bytes follow.
    fn complete_answered(&mut self, connection_id: Id) {
        loop {
            let Some(connection) = self.connections.get_mut(connection_id) else {
                return;
            };
            let Some(first) = connection.exchanges.front().copied() else {
                break;
            };
            let Some(exchange) = self.exchanges.get_mut(first) else {
                connection.exchanges.pop_front();
                continue;
            };
            connection.out.append(std::mem::take(&mut exchange.held));
            if exchange.reply != ReplyState::Ended {
                break;
            }
            connection.exchanges.pop_front();
            exchange.queued = true;
            let close = exchange.close_after;
            if exchange.wants_sent {
                exchange.marked = true;
                connection
                    .marks
                    .push_back((connection.out.appended(), first));
                self.awaited.push(connection_id);
            }
            self.release(first);
            if close {
                self.close_after_reply(connection_id);
                break;
            }
        }
        self.mark_dirty(connection_id);
        if self
            .connections
            .get(connection_id)
            .is_some_and(|c| c.exchanges.is_empty())
        {
            self.rest(connection_id);
        } else {
            self.resume_reading(connection_id);
        }
    }

    /// The reply that closes the connection is complete: what was parsed behind it is void.
    pub(crate) fn close_after_reply(&mut self, connection_id: Id) {
        let Some(connection) = self.connections.get_mut(connection_id) else {
            return;
        };
        connection.close_when_sent = true;
        if matches!(connection.reading, Reading::Head) {
            connection.reading = Reading::Ignoring;
        }
        self.abort_unanswered(connection_id, AbortReason::Host);
    }

    /// Frees an exchange that nobody needs any more: answered, told of it, and its content done or unwanted.
    pub(crate) fn release(&mut self, id: Id) {
        let done = self.exchanges.get(id).is_some_and(|exchange| {
            exchange.queued && !exchange.marked && !(exchange.receiving && exchange.taken)
        });
        if done {
            self.exchanges.remove(id);
        }
    }

    /// Nothing is open on the connection any more: a held refusal goes out, timers and reading go on.
    pub(crate) fn rest(&mut self, connection_id: Id) {
        let now = self.clock.now_ms;
        if let Some(connection) = self.connections.get_mut(connection_id) {
            connection.active_at = now;
        }
        self.answer_refusal(connection_id);
        self.remind(connection_id);
        self.resume_reading(connection_id);
    }

    /// Reading may have been held back by what has just been completed.
    pub(crate) fn resume_reading(&mut self, connection_id: Id) {
        if self
            .connections
            .get(connection_id)
            .is_some_and(|c| c.readable || c.unparsed)
        {
            self.enqueue(connection_id);
        }
    }
}

/// Will content be left unread on the wire, more than is worth reading away (or never sent, after an
/// unanswered expectation)?
fn leaves_content(exchange: &Exchange, connection: &Connection, id: Id) -> bool {
    if !exchange.receiving || exchange.taken {
        return false;
    }
    if exchange.owes_continue {
        return true;
    }
    matches!(connection.reading, Reading::Length { exchange, left } if exchange == id && left > DISCARD_MAX)
}

fn encode_head(
    reply: Reply<'_>,
    tail: &Tail<'_>,
    digest: Option<(&[u8; DIGEST_CHARS], usize)>,
    out: &mut Vec<u8>,
) {
    match reply.reason {
        None => status_line(reply.status, out),
        Some(reason) => status_line_with_reason(reply.status, reason, out),
    }
    out.extend_from_slice(reply.block);
    if let Some((digest, from_end)) = digest
        && from_end <= reply.block.len()
    {
        // Never beyond the block, whatever was asked for.
        let at = out.len() - from_end;
        if let Some(place) = out.get_mut(at..at + DIGEST_CHARS) {
            place.copy_from_slice(digest);
        }
    }
    encode_tail(tail, out);
}

fn encode_all_chunked(body: &[u8], out: &mut Vec<u8>) {
    if !body.is_empty() {
        fulmar_http1::chunked::encode_chunk_head(body.len(), out);
        out.extend_from_slice(body);
        out.extend_from_slice(fulmar_http1::chunked::CHUNK_END);
    }
    out.extend_from_slice(fulmar_http1::chunked::LAST_CHUNK);
    out.extend_from_slice(b"\r\n");
}
