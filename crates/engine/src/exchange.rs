//! One request and its reply, as the engine keeps it between the head and the last byte of the reply.

use fulmar_http1::head::Framing;

use crate::out::OutQueue;
use crate::slots::Id;

/// How far the reply has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReplyState {
    /// Nothing was given.
    Pending,
    /// The head was given; content follows.
    Streaming {
        /// Content is chunked.
        chunked: bool,
        /// Content bytes still to come when a length was declared.
        left: Option<u64>,
        /// Content is dropped (HEAD, 204, 304).
        no_content: bool,
    },
    /// The host is done.
    Ended,
}

#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts of one exchange"
)]
pub(crate) struct Exchange {
    pub(crate) connection: Id,
    pub(crate) reply: ReplyState,
    /// Close the connection after this reply.
    pub(crate) close_after: bool,
    /// The request allows the connection to live on.
    pub(crate) keep_alive: bool,
    /// HTTP/1.1 (interim replies may be sent).
    pub(crate) minor_1: bool,
    /// A 100 is owed when content is first asked for.
    pub(crate) owes_continue: bool,
    /// The host wants `Sent`.
    pub(crate) wants_sent: bool,
    /// `write` returned "wait"; `Drain` is owed.
    pub(crate) owes_drain: bool,
    /// The turn in which it did.
    pub(crate) full_turn: u32,
    /// Content is still being received for this exchange.
    pub(crate) receiving: bool,
    /// The host takes content now.
    pub(crate) reading: bool,
    /// The host has asked for content and not given it up: it is delivered even after the reply, never thrown
    /// away.
    pub(crate) taken: bool,
    /// The reply is complete and all of it stands in the connection's queue.
    pub(crate) queued: bool,
    /// Ended and waiting for its bytes to be sent: `Sent` is owed.
    pub(crate) marked: bool,
    /// What an undecided upgrade's head says about content.
    pub(crate) upgrade_framing: Option<Framing>,
    /// Reply bytes while an earlier exchange of the connection is being answered.
    pub(crate) held: OutQueue,
}

impl Exchange {
    /// The reply is complete and nobody takes the content: what comes of it is thrown away.
    pub(crate) fn discards(&self) -> bool {
        self.reply == ReplyState::Ended && !self.taken
    }

    pub(crate) fn new(connection: Id) -> Self {
        Self {
            connection,
            reply: ReplyState::Pending,
            close_after: false,
            keep_alive: true,
            minor_1: true,
            owes_continue: false,
            wants_sent: false,
            owes_drain: false,
            full_turn: 0,
            receiving: false,
            reading: false,
            taken: false,
            queued: false,
            marked: false,
            upgrade_framing: None,
            held: OutQueue::default(),
        }
    }
}
