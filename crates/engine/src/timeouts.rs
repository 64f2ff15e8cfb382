//! What happens when time is up. The wheel reminds; the connection's own fields decide.

use fulmar_http1::Reject;

use crate::config::{
    BODY_RATE_GRACE_MS, BODY_RATE_MIN, CLOSED_IDLE_MS, DRAIN_IDLE_MS, LINGER_MS, PRESENCE_MS,
};
use crate::connection::{Connection, Reading};
use crate::engine::Engine;
use crate::event::{AbortReason, EventKind};
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
    Write,
    Linger,
    Inactive,
    Presence,
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
        if let Some((at, _)) = nearest(connection, listener, self.exchanges_receive(id))
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
        let receives = self.exchanges_receive(id);
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
        match nearest(connection, listener, receives) {
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

    /// Does the host take the content that is being received?
    fn exchanges_receive(&self, id: Id) -> bool {
        match self.connections.get(id).map(|c| &c.reading) {
            Some(Reading::Length { exchange, .. } | Reading::Chunked { exchange, .. }) => {
                self.exchanges.get(*exchange).is_none_or(|e| e.reading)
            }
            _ => false,
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
            Due::Inactive => {
                if let Some(connection) = self.connections.get_mut(id) {
                    connection.told_inactive = connection.active_at;
                    connection.watched = true;
                }
                self.report_inactive(id);
            }
            Due::Presence => self.look_for_peer(id),
        }
    }

    /// Exchanges are open and nothing has happened for long: an end that no readiness has announced is not missed for ever.
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

    /// The event names the exchange that is being answered, in the content words.
    fn report_inactive(&mut self, id: Id) {
        let Some(connection) = self.connections.get(id) else {
            return;
        };
        let (listener, first) = (
            connection.listener.slot,
            connection.exchanges.front().copied(),
        );
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
                    .is_some_and(|e| e.reply == crate::exchange::ReplyState::Pending)
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

/// The nearest deadline of a connection and what it means; `None` when nothing is timed.
fn nearest(connection: &Connection, listener: &Listener, receives: bool) -> Option<(u64, Due)> {
    let config = &listener.config;
    let idle_ms = if listener.draining {
        DRAIN_IDLE_MS
    } else if listener.is_open() || config.keep_alive_timeout_ms == 0 {
        config.keep_alive_timeout_ms
    } else {
        config.keep_alive_timeout_ms.min(CLOSED_IDLE_MS)
    };
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
            if receives {
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
    let is_told = connection.told_inactive == connection.active_at;
    if !is_told && (config.keep_alive_timeout_ms == 0 || !connection.is_between()) {
        consider(
            connection.active_at,
            connection.socket_timeout_ms,
            Due::Inactive,
        );
    }
    best
}
