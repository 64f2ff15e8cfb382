//! Ends: refusals, lingering and plain closes, aborts, listeners, drain.

use fulmar_http1::Reject;
use fulmar_http1::reply::{host_missing_reply, reject_reply};

use crate::connection::{Reading, Refusal};
use crate::engine::Engine;
use crate::event::{AbortReason, Event, EventKind, word};
use crate::exchange::ReplyState;
use crate::read::Region;
use crate::slots::Id;

impl Engine {
    /// Refuses what stands in `region`: nothing more is parsed. The host answers if it asked to, the engine
    /// otherwise.
    pub(crate) fn refuse(&mut self, id: Id, reject: Reject, region: Region) {
        if reject != Reject::RequestTimeout {
            self.stats.rejected += 1; // Timeouts have counters of their own.
        }
        self.stop_reading(id);
        let Some(connection) = self.connections.get_mut(id) else {
            return;
        };
        let report = self
            .listeners
            .get(connection.listener)
            .is_some_and(|l| l.config.report_rejects);
        let listener = connection.listener.slot;
        if report {
            connection.watched = true;
            let mut event = Event::new(EventKind::Reject, id);
            event.listener = listener;
            event.head_start = word(region.start);
            event.head_len = word(region.end - region.start);
            event.target_start = reject_index(reject);
            event.target_len = u32::from(reject.status());
            self.push_event(event);
        } else {
            connection.refusal = Some(Refusal::Status(reject.status()));
            self.answer_refusal(id);
        }
        self.remind(id);
    }

    /// Refuses a message that is well-formed: the engine answers for itself, the host need not know.
    pub(crate) fn refuse_silently(&mut self, id: Id, refusal: Refusal) {
        self.stats.rejected += 1;
        self.stop_reading(id);
        if let Some(connection) = self.connections.get_mut(id) {
            connection.refusal = Some(refusal);
            self.answer_refusal(id);
            self.remind(id);
        }
    }

    /// Nothing is parsed any more; what still comes is thrown away.
    fn stop_reading(&mut self, id: Id) {
        if let Some(connection) = self.connections.get_mut(id) {
            connection.reading = Reading::Refused;
            connection.inbox = Vec::new();
            connection.unparsed = false;
            connection.request_since = None;
            connection.linger_since = self.clock.now_ms;
        }
    }

    /// After a framing error behind a reply that is given: it goes out with those before it, then the
    /// connection ends.
    pub(crate) fn end_after_replies(&mut self, id: Id) {
        self.stats.rejected += 1;
        self.stop_reading(id);
        if let Some(connection) = self.connections.get_mut(id) {
            connection.close_when_sent = true;
            self.close_if_sent(id);
        }
    }

    /// Sends the refusal once every earlier exchange is answered.
    pub(crate) fn answer_refusal(&mut self, id: Id) {
        let Some(connection) = self.connections.get_mut(id) else {
            return;
        };
        if !connection.exchanges.is_empty() {
            return;
        }
        if let Some(refusal) = connection.refusal.take() {
            let date = &self.clock.date;
            connection
                .out
                .append_with(&mut self.pool, |out| match refusal {
                    Refusal::Status(status) => reject_reply(status, out),
                    Refusal::HostMissing { content } => host_missing_reply(date, content, out),
                });
            connection.close_when_sent = true;
            self.mark_dirty(id);
        }
    }

    /// The peer has ended behind what was refused, and waits for no reply. The refusal goes out unless it
    /// would stand within one.
    pub(crate) fn abort_refused(&mut self, id: Id) {
        let first = self
            .connections
            .get(id)
            .and_then(|c| c.exchanges.front().copied());
        let has_begun = first
            .and_then(|first| self.exchanges.get(first))
            .is_some_and(|e| matches!(e.reply, ReplyState::Streaming { .. }));
        self.abort_unanswered(id, AbortReason::PeerClosed);
        if let Some(connection) = self.connections.get_mut(id)
            && has_begun
            && connection.refusal.take().is_some()
        {
            connection.close_when_sent = true;
            return self.close_if_sent(id);
        }
        self.answer_refusal(id);
    }

    /// Ends the exchanges that are not answered; replies given already still go out and are still reported as
    /// sent.
    pub(crate) fn abort_unanswered(&mut self, id: Id, reason: AbortReason) {
        let Some(connection) = self.connections.get_mut(id) else {
            return;
        };
        let marks = std::mem::take(&mut connection.marks);
        self.abort_exchanges(id, reason);
        if let Some(connection) = self.connections.get_mut(id) {
            connection.marks = marks;
        }
    }

    /// Closes a connection that was to be closed when everything is sent, if that is so.
    pub(crate) fn close_if_sent(&mut self, id: Id) {
        let Some(connection) = self.connections.get_mut(id) else {
            return;
        };
        if !connection.close_when_sent
            || !connection.out.is_empty()
            || !connection.exchanges.is_empty()
        {
            return;
        }
        if matches!(connection.reading, Reading::Ended) {
            return self.close(id, AbortReason::None);
        }
        connection.stream.shutdown_write();
        if let Some(exchange) = connection.content_exchange() {
            return self.linger_in_content(id, exchange);
        }
        // Unread bytes would turn our close into a reset that may overtake the reply: read them first, within
        // limits.
        let unread = connection.readable || connection.unparsed || !connection.inbox.is_empty();
        let unfinished = !matches!(
            connection.reading,
            Reading::Head | Reading::Ignoring | Reading::Raw
        );
        if unread || unfinished {
            self.linger(id);
        } else {
            self.close(id, AbortReason::None);
        }
    }

    /// The reply is out, the content is not in: whoever still takes it learns that no more will come.
    fn linger_in_content(&mut self, id: Id, exchange: Id) {
        self.abort_exchange(exchange, AbortReason::Host);
        self.linger(id);
    }

    fn linger(&mut self, id: Id) {
        if let Some(connection) = self.connections.get_mut(id) {
            connection.reading = Reading::Lingering { bytes: 0 };
            connection.inbox = Vec::new();
            connection.unparsed = false;
            // The peer's end may have been read already; reading tells it again.
            connection.readable = true;
            connection.linger_since = self.clock.now_ms;
            self.remind(id);
            self.enqueue(id);
        }
    }

    /// Closes at once. Open exchanges learn of it, and so does a watching host.
    pub(crate) fn close(&mut self, id: Id, reason: AbortReason) {
        self.report_lost(id, reason);
        self.abort_exchanges(id, reason);
        let Some(connection) = self.connections.remove(id) else {
            return;
        };
        if let Some(exchange) = connection.content_exchange() {
            // Answered already, but its content was still being taken.
            self.abort_exchange(exchange, reason);
        }
        self.stats.closed += 1;
        if connection.referenced {
            self.referenced -= 1;
        }
        if connection.watched {
            let mut event = Event::new(EventKind::ConnectionClosed, id);
            event.listener = connection.listener.slot;
            event.head_start = u32::from(reason as u8);
            event.set_totals(connection.received_total, connection.sent_total);
            self.push_event(event);
        }
        let listener_id = connection.listener;
        drop(connection);
        self.connection_gone(listener_id);
        if self.connections.len() + 1 >= self.connections_max || self.stats.accept_paused > 0 {
            self.resume_accepting();
        }
    }

    /// A host that wants to hear of errors hears of this one although it has no object for the connection;
    /// one that has sees its end.
    fn report_lost(&mut self, id: Id, reason: AbortReason) {
        if !matches!(reason, AbortReason::PeerReset | AbortReason::Io) {
            return;
        }
        let Some(connection) = self.connections.get(id).filter(|c| !c.watched) else {
            return;
        };
        let listener = connection.listener;
        if self
            .listeners
            .get(listener)
            .is_some_and(|l| l.config.report_rejects)
        {
            let mut event = Event::new(EventKind::ConnectionLost, id);
            event.listener = listener.slot;
            event.head_start = u32::from(reason as u8);
            self.push_event(event);
        }
    }

    fn connection_gone(&mut self, listener_id: Id) {
        let Some(listener) = self.listeners.get_mut(listener_id) else {
            return;
        };
        listener.connections -= 1;
        if listener.connections == 0 && !listener.is_open() {
            self.listener_finished(listener_id);
        }
    }

    fn listener_finished(&mut self, listener_id: Id) {
        self.listeners.remove(listener_id);
        let mut event = Event::new(EventKind::ListenerClosed, listener_id);
        event.listener = listener_id.slot;
        self.push_event(event);
    }

    /// Ends all exchanges of a connection whose reply is not out.
    pub(crate) fn abort_exchanges(&mut self, id: Id, reason: AbortReason) {
        let Some(connection) = self.connections.get_mut(id) else {
            return;
        };
        let open = std::mem::take(&mut connection.exchanges);
        let marks = std::mem::take(&mut connection.marks);
        for exchange in open
            .into_iter()
            .chain(marks.into_iter().map(|(_, exchange)| exchange))
        {
            self.abort_exchange(exchange, reason);
        }
    }

    /// Ends one exchange, wherever it stands. Nothing happens when it is gone.
    pub(crate) fn abort_exchange(&mut self, id: Id, reason: AbortReason) {
        let Some(exchange) = self.exchanges.remove(id) else {
            return;
        };
        if let Some(connection) = self.connections.get_mut(exchange.connection) {
            connection.exchanges.retain(|e| *e != id);
            connection.marks.retain(|(_, e)| *e != id);
        }
        self.stats.aborted += 1;
        self.emit(EventKind::Abort, id).head_start = u32::from(reason as u8);
    }

    /// Stops accepting. `ListenerClosed` follows when the last connection is gone.
    pub fn close_listener(&mut self, id: Id) {
        let Some(listener) = self.listeners.get_mut(id) else {
            return;
        };
        if !listener.is_open() {
            return;
        }
        listener.close();
        if listener.connections == 0 {
            self.listener_finished(id);
        }
    }

    /// Graceful stop: who waits in the backlog is still served, then no new connections; the last reply of a
    /// connection carries `Connection: close`; a connection that stays idle is closed after one second, so
    /// that a request already on its way finds it open.
    pub fn drain_listener(&mut self, id: Id) {
        if let Some(listener) = self.listeners.get_mut(id) {
            listener.draining = true;
        }
        for connection_id in self.connections_of(id) {
            if let Some(connection) = self.connections.get_mut(connection_id)
                && connection.is_idle()
            {
                connection.active_at = self.clock.now_ms;
                connection.request_since = None;
            }
            // Also what is answered while its content is still taken: its time is another now.
            self.remind(connection_id);
        }
        // At last: who comes between this and the end of the listener is reset by the system.
        self.accept_backlog(id);
        self.close_listener(id);
    }

    /// Closes the connections of a listener that are between exchanges and have nothing to read.
    pub fn close_idle(&mut self, listener: Id) {
        for id in self.connections_of(listener) {
            if self
                .connections
                .get(id)
                .is_some_and(|c| c.is_idle() && !c.readable && !c.unparsed)
            {
                self.shut(id);
            }
        }
    }

    /// Ends an idle connection so that a request already on its way is read, not reset, then closes.
    pub(crate) fn shut(&mut self, id: Id) {
        if let Some(connection) = self.connections.get_mut(id) {
            connection.close_when_sent = true;
            self.close_if_sent(id);
        }
    }

    /// Ends everything at once and silently: the host is going away. Nothing of the host's memory is referred
    /// to afterwards.
    pub fn shutdown(&mut self) {
        for id in self.connections.ids() {
            self.connections.remove(id);
        }
        for id in self.exchanges.ids() {
            self.exchanges.remove(id);
        }
        for id in self.listeners.ids() {
            self.listeners.remove(id);
        }
        self.events.clear();
        self.ready.clear();
        self.accepting.clear();
        self.dirty.clear();
        self.awaited.clear();
        self.leaving.clear();
    }

    /// Closes every connection of a listener at once.
    pub fn close_all(&mut self, listener: Id) {
        for id in self.connections_of(listener) {
            self.close(id, AbortReason::Host);
        }
    }

    fn connections_of(&self, listener: Id) -> Vec<Id> {
        let ids = self.connections.ids();
        ids.into_iter()
            .filter(|id| {
                self.connections
                    .get(*id)
                    .is_some_and(|c| c.listener == listener)
            })
            .collect()
    }
}

/// Index of the reason in `Reject::ALL`, from which the host takes code and words.
fn reject_index(reject: Reject) -> u32 {
    let index = Reject::ALL.iter().position(|r| *r == reject);
    word(index.unwrap_or_default())
}
