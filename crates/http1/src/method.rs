//! The request methods: those of Node's `http.METHODS`, in its order, so that a number means the same on both
//! sides.

macro_rules! methods {
    ($($variant:ident = $token:literal,)+) => {
        /// A request method. Its number is its place in Node's `http.METHODS`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Method {
            $(#[doc = concat!("`", $token, "`")] $variant,)+
        }

        impl Method {
            /// All methods, in order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The method's token.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $token,)+
                }
            }

            /// The method with exactly this token; methods are case-sensitive (RFC 9110, 9.1).
            #[must_use]
            pub fn from_bytes(token: &[u8]) -> Option<Self> {
                $(
                    if token == $token.as_bytes() {
                        return Some(Self::$variant);
                    }
                )+
                None
            }
        }
    };
}

methods! {
    Acl = "ACL",
    Bind = "BIND",
    Checkout = "CHECKOUT",
    Connect = "CONNECT",
    Copy = "COPY",
    Delete = "DELETE",
    Get = "GET",
    Head = "HEAD",
    Link = "LINK",
    Lock = "LOCK",
    MSearch = "M-SEARCH",
    Merge = "MERGE",
    MkActivity = "MKACTIVITY",
    MkCalendar = "MKCALENDAR",
    MkCol = "MKCOL",
    Move = "MOVE",
    Notify = "NOTIFY",
    Options = "OPTIONS",
    Patch = "PATCH",
    Post = "POST",
    PropFind = "PROPFIND",
    PropPatch = "PROPPATCH",
    Purge = "PURGE",
    Put = "PUT",
    Query = "QUERY",
    Rebind = "REBIND",
    Report = "REPORT",
    Search = "SEARCH",
    Source = "SOURCE",
    Subscribe = "SUBSCRIBE",
    Trace = "TRACE",
    Unbind = "UNBIND",
    Unlink = "UNLINK",
    Unlock = "UNLOCK",
    Unsubscribe = "UNSUBSCRIBE",
}
