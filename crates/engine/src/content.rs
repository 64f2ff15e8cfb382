//! Content on its way to the host: counted or dechunked in place, handed on as offsets, or thrown away.

use fulmar_http1::Reject;
use fulmar_http1::chunked::{ChunkedDecoder, Step};

use crate::connection::{Connection, Reading};
use crate::engine::Engine;
use crate::event::{AbortReason, Event, EventKind, word};
use crate::exchange::{Exchange, ReplyState};
use crate::read::Region;
use crate::slab::Slab;
use crate::slots::Id;

/// What dechunking a region gave: content from the region's start to `content_end`, unread bytes from `next`.
pub(crate) struct Decoded {
    pub(crate) content_end: usize,
    pub(crate) next: usize,
    pub(crate) done: bool,
    pub(crate) reject: Option<Reject>,
}

/// Dechunks a region in place: content moves together at its start.
pub(crate) fn decode(decoder: &mut ChunkedDecoder, region: Region, slab: &mut Slab<'_>) -> Decoded {
    let mut at = region.start;
    let mut content_end = region.start;
    loop {
        match decoder.decode(slab.get(at, region.end)) {
            Ok((Step::Data { start, end }, consumed)) => {
                slab.move_down(at + start..at + end, content_end);
                content_end += end - start;
                at += consumed;
            }
            Ok((Step::More, _)) => {
                return Decoded {
                    content_end,
                    next: region.end,
                    done: false,
                    reject: None,
                };
            }
            Ok((Step::Done, consumed)) => {
                return Decoded {
                    content_end,
                    next: at + consumed,
                    done: true,
                    reject: None,
                };
            }
            Err(reject) => {
                return Decoded {
                    content_end,
                    next: at,
                    done: false,
                    reject: Some(reject),
                };
            }
        }
    }
}

impl Engine {
    /// Takes content from the region. `Some(rest)`: go on with the rest.
    pub(crate) fn parse_content(
        &mut self,
        id: Id,
        region: Region,
        slab: &mut Slab<'_>,
    ) -> Option<Region> {
        let connection = self.connections.get_mut(id)?;
        match &mut connection.reading {
            Reading::Length { exchange, left } => {
                let exchange = *exchange;
                let here = usize::try_from(*left)
                    .unwrap_or(usize::MAX)
                    .min(region.end - region.start);
                *left -= here as u64;
                let done = *left == 0;
                self.deliver(
                    id,
                    exchange,
                    Region {
                        start: region.start,
                        end: region.start + here,
                    },
                );
                if done {
                    self.content_ended(id, Event::new(EventKind::ContentEnd, exchange));
                }
                Some(Region {
                    start: region.start + here,
                    end: region.end,
                })
            }
            Reading::Chunked { exchange, decoder } => {
                let exchange = *exchange;
                let decoded = decode(decoder, region, slab);
                self.deliver(
                    id,
                    exchange,
                    Region {
                        start: region.start,
                        end: decoded.content_end,
                    },
                );
                self.after_chunked(id, exchange, &decoded, region, slab)
            }
            _ => Some(region),
        }
    }

    /// After a step of chunked content: its end, its error, or more to come.
    pub(crate) fn after_chunked(
        &mut self,
        id: Id,
        exchange: Id,
        decoded: &Decoded,
        region: Region,
        slab: &mut Slab<'_>,
    ) -> Option<Region> {
        if let Some(reject) = decoded.reject {
            self.broken_content(id, exchange, reject, region);
            return None;
        }
        let rest = Region {
            start: decoded.next,
            end: region.end,
        };
        if decoded.done && !self.chunked_ended(id, exchange, slab) {
            self.hold_back(id, rest, slab);
            return None;
        }
        Some(rest)
    }

    /// The last chunk and its trailer section have come. False: they wait for room in the next batch.
    fn chunked_ended(&mut self, id: Id, exchange: Id, slab: &mut Slab<'_>) -> bool {
        let Some(connection) = self.connections.get_mut(id) else {
            return true;
        };
        let mut event = Event::new(EventKind::ContentEnd, exchange);
        match std::mem::replace(&mut connection.reading, Reading::Head) {
            Reading::Chunked { decoder, .. } | Reading::Ending { decoder, .. } => {
                let (bytes, spans) = decoder.trailers();
                let is_wanted = !spans.is_empty() && self.exchanges.get(exchange).is_some();
                if is_wanted && !slab.put_section(bytes, spans, &mut event) {
                    connection.reading = Reading::Ending { exchange, decoder };
                    return false;
                }
            }
            other => connection.reading = other,
        }
        self.content_ended(id, event);
        true
    }

    /// There is room again for a trailer section that had none.
    pub(crate) fn end_chunked(&mut self, id: Id, slab: &mut Slab<'_>) {
        let exchange = self
            .connections
            .get(id)
            .and_then(Connection::content_exchange);
        let ended = exchange.is_some_and(|exchange| self.chunked_ended(id, exchange, slab));
        if let Some(connection) = self.connections.get_mut(id) {
            connection.unparsed = !ended || !connection.inbox.is_empty();
        }
        if ended {
            self.enqueue(id);
        } else {
            self.wait_for_room(id);
        }
    }

    fn deliver(&mut self, id: Id, exchange: Id, region: Region) {
        let len = region.end - region.start;
        if len == 0 {
            return;
        }
        if let Some(connection) = self.connections.get_mut(id) {
            connection.content_bytes += len as u64;
            if self.exchanges.get(exchange).is_none_or(Exchange::discards) {
                return self.discarded(id);
            }
            let mut event = Event::new(EventKind::Content, exchange);
            event.content_start = word(region.start);
            event.content_len = word(len);
            self.push_event(event);
        }
    }

    /// Content nobody wants was thrown away: beyond the budget the connection ends.
    fn discarded(&mut self, id: Id) {
        if self
            .connections
            .get(id)
            .is_some_and(|c| c.content_bytes > crate::config::DISCARD_MAX)
        {
            if let Some(connection) = self.connections.get_mut(id) {
                connection.reading = Reading::Ignoring;
                connection.close_when_sent = true;
            }
            self.close_if_sent(id);
        }
    }

    fn content_ended(&mut self, id: Id, event: Event) {
        let exchange = event.id();
        if self.exchanges.get(exchange).is_some() {
            self.push_event(event);
        }
        self.request_received(id, exchange);
        self.release(exchange);
        if self
            .connections
            .get(id)
            .is_some_and(|c| c.exchanges.is_empty())
        {
            self.rest(id);
        }
    }

    /// The peer ended inside a message.
    pub(crate) fn truncated(&mut self, id: Id) {
        let Some(connection) = self.connections.get_mut(id) else {
            return;
        };
        if let Some(exchange) = connection.content_exchange() {
            connection.reading = Reading::Ended;
            if !self.exchanges.get(exchange).is_none_or(Exchange::discards) {
                self.abort_with_content(id, exchange);
            }
            return self.end_between_requests(id, false);
        }
        // As in Node, the host hears of the refusal before it hears that the peer waits for none of its
        // exchanges.
        self.refuse(id, Reject::UnexpectedEnd, Region { start: 0, end: 0 });
        if self
            .connections
            .get(id)
            .is_some_and(|c| !c.exchanges.is_empty())
        {
            self.abort_refused(id);
        }
    }

    /// Ends the exchange whose content breaks off, and those that are not answered, in their order.
    pub(crate) fn abort_with_content(&mut self, id: Id, exchange: Id) {
        let is_open = self
            .connections
            .get(id)
            .is_some_and(|c| c.exchanges.contains(&exchange));
        if !is_open {
            self.abort_exchange(exchange, AbortReason::PeerClosed); // Answered, and so before all others.
        }
        self.abort_unanswered(id, AbortReason::PeerClosed);
    }

    /// The framing of an exchange's content is broken: the exchange is over; the peer learns why if no reply
    /// has begun. What is given for earlier exchanges still goes out, so that the outcome does not depend on
    /// how the bytes were cut.
    fn broken_content(&mut self, id: Id, exchange: Id, reject: Reject, region: Region) {
        let first = self
            .connections
            .get(id)
            .is_some_and(|c| c.is_first(exchange));
        let reply = self.exchanges.get(exchange).map(|e| (e.reply, e.taken));
        match reply {
            Some((ReplyState::Pending, _)) => {
                self.abort_exchange(exchange, AbortReason::Framing);
                self.refuse(id, reject, region);
            }
            Some((ReplyState::Streaming { .. }, _)) if first => {
                self.stats.rejected += 1;
                self.close(id, AbortReason::Framing);
            }
            Some((ReplyState::Streaming { .. }, _) | (ReplyState::Ended, true)) => {
                self.abort_exchange(exchange, AbortReason::Framing);
                self.end_after_replies(id);
            }
            Some((ReplyState::Ended, false)) | None => self.end_after_replies(id),
        }
    }
}
