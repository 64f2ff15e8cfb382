//! What happens when time is up. The wheel reminds; the connection's own fields decide.

use fulmar_http1::Reject;

use crate::config::{
    BODY_RATE_GRACE_MS, BODY_RATE_MIN, CLOSED_IDLE_MS, DRAIN_IDLE_MS, LEFT_GRACE_MS, LINGER_MS,
    PRESENCE_MS,
};
use crate::connection::{Connection, Reading};
use crate::engine::Engine;
use crate::event::{AbortReason, EventKind};
use crate::exchange::ReplyState;
use crate::listener::Listener;
use crate::read::Region;
use crate::slots::Id;
use crate::stream::Presence;

/// What a connection's nearest deadline means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Due {
    Head,
    Request,
    SlowContent,
    Idle,
    /// Everything is answered, and nothing moves of content that the host still takes: told as inactivity,
    /// whose end is the host's doing.
    Left,
    Write,
    Linger,
    Inactive,
    Presence,
}

/// Of content that is being received.
#[derive(Clone, Copy, Default)]
struct Content {
    /// The host takes it now.
    receives: bool,
    /// Every reply of the connection is given and sent.
    answered: bool,
}

impl Engine {
    /// Makes sure the wheel reminds of the connection no later than its nearest deadline.
    pub(crate) fn remind(&mut self, id: Id) {
        let Some(connection) = self.connections.get(id) else {
            return;
        };
        let Some(listener) = self.listeners.get(connection.listener) else {
            return;
        };
        if let Some((at, _)) = nearest(connection, listener, self.content_of(id))
            && let Some(connection) = self.connections.get_mut(id)
            && at < connection.reminder_at
        {
            connection.reminder_at = self.wheel.insert(id, at);
        }
    }

    pub(crate) fn fire_timers(&mut self) {
        let now = self.clock.now_ms;
        self.retry_accepting();
        if now < self.wheel.earliest_ms() {
            return;
        }
        let mut due = std::mem::take(&mut self.due);
        self.wheel.expire(now, &mut due);
        for id in due.drain(..) {
            self.look_at(id, now);
        }
        self.due = due;
    }

    fn look_at(&mut self, id: Id, now: u64) {
        let content = self.content_of(id);
        let Some(connection) = self.connections.get_mut(id) else {
            return;
        };
        if connection.reminder_at > now {
            return; // A later reminder stands; this one was overtaken.
        }
        connection.reminder_at = u64::MAX;
        let Some(listener) = self.listeners.get(connection.listener) else {
            return;
        };
        match nearest(connection, listener, content) {
            // What may end the wait has not been looked at yet, for want of room in the batch.
            Some((at, Due::Head | Due::Idle)) if at <= now && connection.queued => {
                connection.reminder_at = self.wheel.insert(id, now + 1);
            }
            Some((at, due)) if at <= now => {
                self.expire(id, due);
                self.remind(id);
            }
            Some(_) => self.remind(id),
            None => {}
        }
    }

    fn content_of(&self, id: Id) -> Content {
        let Some(connection) = self.connections.get(id) else {
            return Content::default();
        };
        let (Reading::Length { exchange, .. } | Reading::Chunked { exchange, .. }) =
            &connection.reading
        else {
            return Content::default();
        };
        Content {
            receives: self.exchanges.get(*exchange).is_none_or(|e| e.reading),
            answered: connection.out.is_empty() && connection.exchanges.is_empty(),
        }
    }

    fn expire(&mut self, id: Id, due: Due) {
        match due {
            Due::Head => {
                self.stats.head_timeout += 1;
                self.refuse(id, Reject::RequestTimeout, Region { start: 0, end: 0 });
            }
            Due::Request => {
                self.stats.request_timeout += 1;
                self.request_expired(id);
            }
            Due::SlowContent => {
                self.stats.slow_content += 1;
                self.request_expired(id);
            }
            Due::Idle => {
                self.stats.idle_timeout += 1;
                self.shut(id);
            }
            Due::Write => {
                self.stats.write_timeout += 1;
                if let Some(connection) = self.connections.get(id) {
                    connection.stream.set_reset_on_close();
                }
                self.close(id, AbortReason::Timeout);
            }
            Due::Linger => self.close(id, AbortReason::None),
            Due::Inactive | Due::Left => {
                if let Some(connection) = self.connections.get_mut(id) {
                    connection.told_inactive = connection.active_at;
                    connection.watched = true;
                }
                self.report_inactive(id);
            }
            Due::Presence => self.look_for_peer(id),
        }
    }

    /// Exchanges are open and nothing has happened for long: an end that no readiness has announced is not
    /// missed for ever.
    fn look_for_peer(&mut self, id: Id) {
        if let Some(connection) = self.connections.get_mut(id) {
            connection.present_at = self.clock.now_ms;
            match connection.stream.presence() {
                Presence::There => return,
                Presence::Ended => connection.peer_closed = true,
                Presence::Failed => connection.failed = true,
            }
            connection.readable = true;
            self.enqueue(id);
        }
    }

    /// The event names the exchange that is being answered, else the one whose content is being received, in
    /// the content words.
    fn report_inactive(&mut self, id: Id) {
        let Some(connection) = self.connections.get(id) else {
            return;
        };
        let first = connection.exchanges.front().or(match &connection.reading {
            Reading::Length { exchange, .. } | Reading::Chunked { exchange, .. } => Some(exchange),
            _ => None,
        });
        let (listener, first) = (connection.listener.slot, first.copied());
        let event = self.emit(EventKind::Timeout, id);
        event.listener = listener;
        if let Some(exchange) = first {
            event.content_start = exchange.slot;
            event.content_len = exchange.generation;
        }
    }

    /// 408 if no reply has begun, else the connection just ends; the host's content stream errors.
    fn request_expired(&mut self, id: Id) {
        let pending = self.connections.get(id).is_some_and(|c| {
            c.exchanges.len() == 1
                && c.exchanges
                    .front()
                    .and_then(|e| self.exchanges.get(*e))
                    .is_some_and(|e| e.reply == ReplyState::Pending)
        });
        if pending {
            // As in Node, the host hears of the refusal before it hears that the exchange is gone.
            self.refuse(id, Reject::RequestTimeout, Region { start: 0, end: 0 });
            self.abort_exchanges(id, AbortReason::Timeout);
            self.answer_refusal(id);
        } else {
            self.close(id, AbortReason::Timeout);
        }
    }
}

/// How long content that nobody reads may stay behind its reply, in ms; 0: for ever.
fn left_ms(listener: &Listener) -> u64 {
    let configured = listener.config.keep_alive_timeout_ms;
    match (listener.draining, listener.is_open()) {
        (true, _) if configured == 0 => CLOSED_IDLE_MS,
        _ if configured == 0 => 0,
        (false, true) => configured.saturating_add(LEFT_GRACE_MS),
        _ => configured.saturating_add(LEFT_GRACE_MS).min(CLOSED_IDLE_MS),
    }
}

/// The nearest deadline of a connection and what it means; `None` when nothing is timed.
fn nearest(connection: &Connection, listener: &Listener, content: Content) -> Option<(u64, Due)> {
    let config = &listener.config;
    let idle_ms = if listener.draining {
        DRAIN_IDLE_MS
    } else if listener.is_open() || config.keep_alive_timeout_ms == 0 {
        config.keep_alive_timeout_ms
    } else {
        config.keep_alive_timeout_ms.min(CLOSED_IDLE_MS)
    };
    let is_told = connection.told_inactive == connection.active_at;
    let mut best: Option<(u64, Due)> = None;
    let mut consider = |since: u64, timeout: u64, due: Due| {
        let at = since.saturating_add(timeout);
        if timeout > 0 && best.is_none_or(|(b, _)| at < b) {
            best = Some((at, due));
        }
    };
    match &connection.reading {
        Reading::Head if connection.exchanges.is_empty() => match connection.request_since {
            Some(since) => {
                consider(since, config.headers_timeout_ms, Due::Head);
                consider(since, config.request_timeout_ms, Due::Head);
            }
            None if connection.out.is_empty() => consider(connection.active_at, idle_ms, Due::Idle),
            None => {}
        },
        Reading::Head if !connection.inbox.is_empty() && !connection.unparsed => {
            if let Some(since) = connection.request_since {
                consider(since, config.headers_timeout_ms, Due::Head);
                consider(since, config.request_timeout_ms, Due::Head);
            }
        }
        Reading::Length { .. } | Reading::Chunked { .. } => {
            if let Some(since) = connection.request_since {
                consider(since, config.request_timeout_ms, Due::Request);
            }
            // As Node's `keepAliveTimeout`, which begins with the end of the reply, read or not.
            if content.answered && !is_told {
                consider(connection.active_at, left_ms(listener), Due::Left);
            }
            if content.receives {
                let earned = connection.content_bytes.saturating_mul(1_000) / BODY_RATE_MIN;
                consider(
                    connection.content_since,
                    BODY_RATE_GRACE_MS.max(earned.saturating_add(1)),
                    Due::SlowContent,
                );
            }
        }
        Reading::Lingering { .. } => consider(connection.linger_since, LINGER_MS, Due::Linger),
        // Earlier exchanges are answered first, and what is queued goes out, however long that takes.
        Reading::Refused if connection.exchanges.is_empty() && connection.out.is_empty() => {
            consider(connection.linger_since, LINGER_MS, Due::Linger);
        }
        _ => {}
    }
    if !connection.exchanges.is_empty() {
        let since = connection.active_at.max(connection.present_at);
        consider(since, PRESENCE_MS, Due::Presence);
    }
    if let Some(since) = connection.write_since {
        consider(since, config.write_timeout_ms, Due::Write);
    }
    if !is_told && (config.keep_alive_timeout_ms == 0 || !connection.is_between()) {
        consider(
            connection.active_at,
            connection.socket_timeout_ms,
            Due::Inactive,
        );
    }
    best
}
