//! Counters: what was served and why connections were ended.

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {
        /// Counters since the engine was made. Each rejection or forced end raises exactly one of the
        /// `*_total` reasons.
        #[derive(Clone, Copy, Debug, Default)]
        pub struct Stats { $($(#[$doc])* pub $name: u64,)+ }
        impl Stats {
            /// Names and values, in declaration order.
            #[must_use]
            pub fn entries(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($name), self.$name)),+]
            }
        }
    };
}

counters! {
    /// Connections accepted.
    accepted,
    /// Connections closed.
    closed,
    /// Requests given to the host.
    requests,
    /// Replies finished by the host.
    replies,
    /// Heads or framing refused (400, 414, 431, 501, 505 …).
    rejected,
    /// 408: the head did not arrive in time.
    head_timeout,
    /// 408: the request did not arrive in time.
    request_timeout,
    /// 408: content arrived below the minimum rate.
    slow_content,
    /// Idle keep-alive connections closed.
    idle_timeout,
    /// Replies without progress, connection reset.
    write_timeout,
    /// Exchanges whose peer went away before the reply was complete.
    aborted,
    /// Connections closed at once because of `connectionsMax`.
    dropped,
    /// Times accepting was paused for want of descriptors.
    accept_paused,
    /// Connections closed because buffered replies passed the hard cap.
    reply_overflow,
    /// Replies whose declared length did not match, connection closed.
    length_mismatch,
}
