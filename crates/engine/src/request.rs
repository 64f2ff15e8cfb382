//! From received bytes to a request: the head is found, parsed once, and described to the host with what came
//! of its content.

use fulmar_http1::chunked::ChunkedDecoder;
use fulmar_http1::head::{Expect, Framing, HeadLimits, RequestHead, Scan, parse_request_head};
use fulmar_http1::{Method, Reject};

use crate::config::{ServerConfig, TRAILER_BYTES_MAX};
use crate::connection::{Reading, Refusal};
use crate::engine::Engine;
use crate::event::{Event, EventKind, event_flag, low, word};
use crate::exchange::Exchange;
use crate::read::Region;
use crate::slab::Slab;
use crate::slots::Id;

impl ServerConfig {
    pub(crate) const fn head_limits(&self) -> HeadLimits {
        HeadLimits {
            request_line_max: self.request_line_bytes_max,
            head_max: self.head_bytes_max,
            header_count_max: self.header_count_max,
            require_host: self.require_host_header,
        }
    }
}

/// A parsed head and where it stands in the slab.
struct Located {
    head: RequestHead,
    start: usize,
    end: usize,
    record: usize,
}

impl Engine {
    /// Takes one head from the region. `Some(rest)`: go on with the rest.
    pub(crate) fn parse_head(
        &mut self,
        id: Id,
        region: Region,
        slab: &mut Slab<'_>,
    ) -> Option<Region> {
        let connection = self.connections.get_mut(id)?;
        let listener = self.listeners.get(connection.listener)?;
        let limits = listener.config.head_limits();
        let bytes = slab.get(region.start, region.end);
        let (start, end) = match connection.scanner.scan(bytes, &limits) {
            Ok(Scan::Complete { start, end }) => (region.start + start, region.start + end),
            Ok(Scan::Partial) => {
                connection.put_back(bytes);
                self.head_began(id);
                return None;
            }
            Err(reject) => {
                self.refuse(id, reject, region);
                return None;
            }
        };
        connection.scanner.reset();
        let mut spans = std::mem::take(&mut self.spans);
        let parsed = parse_request_head(slab.get(start, end), &limits, &mut spans);
        let record = slab.put_record(start..end, &spans);
        let needed = region.end - region.start + Slab::record_bytes(&spans);
        self.spans = spans;
        match (parsed, record) {
            (Err(Reject::HostMissing), _) => {
                // The head has passed every other check: its first bytes are the method.
                let content = !slab.get(start, end).starts_with(b"HEAD ");
                self.refuse_silently(id, Refusal::HostMissing { content });
                None
            }
            (Err(reject), _) => {
                self.refuse(id, reject, region);
                None
            }
            (Ok(_), None) => {
                slab.mark_full(needed);
                self.wait_for_room(id);
                self.hold_back(id, region, slab);
                None
            }
            (Ok(head), Some(record)) => {
                slab.keep();
                let rest = Region {
                    start: end,
                    end: region.end,
                };
                self.begin_exchange(
                    id,
                    &Located {
                        head,
                        start,
                        end,
                        record,
                    },
                    rest,
                    slab,
                )
            }
        }
    }

    /// The first bytes of a head have come but not all: its time is running.
    pub(crate) fn head_began(&mut self, id: Id) {
        let now = self.clock.now_ms;
        if let Some(connection) = self.connections.get_mut(id) {
            connection.request_since.get_or_insert(now);
            self.remind(id);
        }
    }

    fn begin_exchange(
        &mut self,
        id: Id,
        at: &Located,
        rest: Region,
        slab: &mut Slab<'_>,
    ) -> Option<Region> {
        let head = &at.head;
        let connection = self.connections.get_mut(id)?;
        let listener = self.listeners.get(connection.listener)?;
        let config = &listener.config;
        if matches!(head.method, Method::Connect) && !config.accept_connect {
            self.refuse_silently(id, Refusal::Status(Reject::ConnectRefused.status()));
            return None;
        }
        let upgrade =
            head.upgrade && (config.accept_upgrade || matches!(head.method, Method::Connect));
        if connection.is_between() && config.keep_alive_timeout_ms > 0 {
            connection.socket_timeout_ms = config.socket_timeout_ms;
        }
        connection.requests += 1;
        connection.count_begun(self.turn);
        let limit = limit_flag(connection.requests, config.requests_per_connection_max);
        let now = self.clock.now_ms;
        connection.request_since.get_or_insert(now);
        let mut exchange = Exchange::new(id);
        exchange.keep_alive = head.keep_alive && !listener.draining;
        exchange.minor_1 = head.minor == 1;
        exchange.owes_continue = head.expect == Expect::Continue;
        if upgrade {
            exchange.upgrade_framing = Some(head.framing);
        }
        let mut event = describe(at, &exchange, listener_slot(connection.listener));
        event.head |= limit << 16;
        event.connection_slot = id.slot;
        event.connection_generation = id.generation;
        // Until now the keep-alive timeout was in the place of the socket's.
        let untimed = connection.reminder_at == u64::MAX || connection.socket_timeout_ms > 0;
        let exchange_id = self.exchanges.insert(exchange);
        connection.exchanges.push_back(exchange_id);
        event.slot = exchange_id.slot;
        event.generation = exchange_id.generation;
        self.stats.requests += 1;
        if upgrade {
            connection.reading = Reading::Undecided {
                exchange: exchange_id,
            };
            event.head = (event.head & !0xff) | u32::from(EventKind::Upgrade as u8);
            self.push_event(event);
        }
        if untimed {
            self.remind(id); // If nothing else is timed, the peer's presence is.
        }
        if upgrade {
            return Some(rest);
        }
        self.begin_content(id, exchange_id, head.framing, rest, event, slab)
    }

    /// Notes the framing, takes what is already there into the request's event, and tells the host.
    fn begin_content(
        &mut self,
        id: Id,
        exchange_id: Id,
        framing: Framing,
        rest: Region,
        mut event: Event,
        slab: &mut Slab<'_>,
    ) -> Option<Region> {
        match framing {
            Framing::None | Framing::Length(0) => {
                self.push_event(event);
                self.request_received(id, exchange_id);
                Some(rest)
            }
            Framing::Length(length) => {
                let here = usize::try_from(length)
                    .unwrap_or(usize::MAX)
                    .min(rest.end - rest.start);
                event.content_len = word(here);
                slab.note_content(record_of(&event), rest.start, here);
                let left = length - here as u64;
                if left == 0 {
                    event.head |= event_flag::CONTENT_INLINE << 16;
                    self.push_event(event);
                    self.request_received(id, exchange_id);
                } else {
                    event.head |= event_flag::CONTENT_STREAMED << 16;
                    self.push_event(event);
                    self.expect_content(
                        id,
                        exchange_id,
                        Reading::Length {
                            exchange: exchange_id,
                            left,
                        },
                    );
                }
                Some(Region {
                    start: rest.start + here,
                    end: rest.end,
                })
            }
            Framing::Chunked => self.begin_chunked(id, exchange_id, rest, event, slab),
        }
    }

    fn begin_chunked(
        &mut self,
        id: Id,
        exchange_id: Id,
        rest: Region,
        mut event: Event,
        slab: &mut Slab<'_>,
    ) -> Option<Region> {
        let connection = self.connections.get(id)?;
        let count_max = self
            .listeners
            .get(connection.listener)?
            .config
            .header_count_max;
        let mut chunks = Box::new(ChunkedDecoder::new(TRAILER_BYTES_MAX, count_max));
        let decoded = crate::content::decode(&mut chunks, rest, slab);
        let here = decoded.content_end - rest.start;
        event.content_len = word(here);
        slab.note_content(record_of(&event), rest.start, here);
        let (_, trailers) = chunks.trailers();
        if decoded.done && trailers.is_empty() {
            event.head |= event_flag::CONTENT_INLINE << 16;
            self.push_event(event);
            self.request_received(id, exchange_id);
            return Some(Region {
                start: decoded.next,
                end: rest.end,
            });
        }
        event.head |= event_flag::CONTENT_STREAMED << 16;
        self.push_event(event);
        // The end or the error of its content follows at once when the rest is looked at.
        self.expect_content(
            id,
            exchange_id,
            Reading::Chunked {
                exchange: exchange_id,
                decoder: chunks,
            },
        );
        self.after_chunked(id, exchange_id, &decoded, rest, slab)
    }

    fn expect_content(&mut self, id: Id, exchange_id: Id, reading: Reading) {
        let now = self.clock.now_ms;
        if let Some(exchange) = self.exchanges.get_mut(exchange_id) {
            exchange.receiving = true;
        }
        if let Some(connection) = self.connections.get_mut(id) {
            connection.reading = reading;
            connection.content_since = now;
            connection.content_bytes = 0;
            self.remind(id);
        }
    }

    /// The request is complete. What follows on the connection is another head, or nothing that matters.
    pub(crate) fn request_received(&mut self, id: Id, exchange_id: Id) {
        let keep_alive = self.exchanges.get_mut(exchange_id).is_none_or(|exchange| {
            exchange.receiving = false;
            exchange.keep_alive
        });
        if let Some(connection) = self.connections.get_mut(id) {
            connection.reading = if keep_alive && !connection.close_when_sent {
                Reading::Head
            } else {
                Reading::Ignoring
            };
            connection.request_since = None;
        }
    }
}

fn describe(at: &Located, exchange: &Exchange, listener: u32) -> Event {
    let head = &at.head;
    let mut flags = 0;
    let mut set = |on: bool, flag: u32| flags |= if on { flag } else { 0 };
    set(exchange.keep_alive, event_flag::KEEP_ALIVE);
    set(head.minor == 1, event_flag::MINOR_1);
    set(head.conditional, event_flag::CONDITIONAL);
    set(head.expect == Expect::Continue, event_flag::EXPECT_CONTINUE);
    set(head.expect == Expect::Other, event_flag::EXPECT_OTHER);
    set(head.upgrade, event_flag::UPGRADE);
    let length = match head.framing {
        Framing::Length(length) => length,
        Framing::None | Framing::Chunked => u64::MAX,
    };
    Event {
        head: u32::from(EventKind::Request as u8) | u32::from(head.method as u8) << 8 | flags << 16,
        listener,
        head_start: word(at.start),
        head_len: word(at.end - at.start),
        target_start: head.target_start,
        target_len: head.target_len,
        fields_start: word(at.record),
        fields_len: word(head.fields_len),
        length_low: low(length),
        length_high: low(length >> 32),
        ..Event::default()
    }
}

const fn record_of(event: &Event) -> usize {
    event.fields_start as usize
}

const fn listener_slot(id: Id) -> u32 {
    id.slot
}

/// Node counts the request that reaches the limit as the last one, and answers 503 to those beyond.
const fn limit_flag(count: u32, max: u32) -> u32 {
    if max == 0 || count < max {
        0
    } else if count == max {
        event_flag::LIMIT_LAST
    } else {
        event_flag::LIMIT_BEYOND
    }
}
