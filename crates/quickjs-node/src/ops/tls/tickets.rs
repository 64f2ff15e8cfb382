//! Sessions that go on. A server keeps none: what it has to know is in a ticket that only its keys open. A
//! client keeps tickets for JavaScript, which offers them again.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::rand::{SecureRandom as _, SystemRandom};
use rquickjs::{JsLifetime, class::Trace};
use rustls::NamedGroup;
use rustls::client::{
    ClientSessionStore, ResolvesClientCert, Tls12ClientSessionValue, Tls13ClientSessionValue,
};
use rustls::pki_types::ServerName;
use rustls::server::ProducesTickets;

/// Bytes of a server's ticket keys: Node's, for a name, and for encryption and authentication.
const KEYS_BYTES: usize = 48;
const NAME_BYTES: usize = 16;
/// When a ticket was made.
const TIME_BYTES: usize = 8;
/// Tickets of one connection; a server that sends more is not believed to mean it.
const TICKETS_MAX: usize = 8;

/// A server's tickets: name, nonce, and by ChaCha20-Poly1305 the time and what rustls wants to know again.
pub(super) struct Tickets {
    name: [u8; NAME_BYTES],
    key: LessSafeKey,
    /// Seconds.
    lifetime: u32,
}

impl fmt::Debug for Tickets {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Tickets").finish_non_exhaustive()
    }
}

fn seconds() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs())
}

impl Tickets {
    /// `None`: these are not as many bytes as keys have.
    pub(super) fn new(keys: &[u8], lifetime: u32) -> Option<Self> {
        if keys.len() != KEYS_BYTES {
            return None;
        }
        let (name, secret) = keys.split_first_chunk()?;
        let key = UnboundKey::new(&CHACHA20_POLY1305, secret).ok()?;
        Some(Self {
            name: *name,
            key: LessSafeKey::new(key),
            lifetime,
        })
    }
}

impl ProducesTickets for Tickets {
    fn enabled(&self) -> bool {
        true
    }

    fn lifetime(&self) -> u32 {
        self.lifetime
    }

    fn encrypt(&self, plain: &[u8]) -> Option<Vec<u8>> {
        let mut nonce = [0; NONCE_LEN];
        SystemRandom::new().fill(&mut nonce).ok()?;
        let mut content = seconds().to_be_bytes().to_vec();
        content.extend_from_slice(plain);
        self.key
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(self.name),
                &mut content,
            )
            .ok()?;
        Some([&self.name[..], &nonce, &content].concat())
    }

    fn decrypt(&self, ticket: &[u8]) -> Option<Vec<u8>> {
        let (name, rest) = ticket.split_first_chunk::<NAME_BYTES>()?;
        let (nonce, content) = rest.split_first_chunk::<NONCE_LEN>()?;
        if *name != self.name {
            return None;
        }
        let mut content = content.to_vec();
        let opened = self
            .key
            .open_in_place(
                Nonce::assume_unique_for_key(*nonce),
                Aad::from(self.name),
                &mut content,
            )
            .ok()?;
        let (made, plain) = opened.split_first_chunk::<TIME_BYTES>()?;
        let age = seconds().checked_sub(u64::from_be_bytes(*made))?;
        (age <= u64::from(self.lifetime)).then(|| plain.to_vec())
    }
}

/// What a client got from a server for later connections.
#[derive(Debug)]
pub(super) struct Kept {
    /// With whose certificate: a session goes on only under the same one.
    pub(super) identity: (String, String),
    pub(super) resolver: Arc<dyn ResolvesClientCert>,
    tickets: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    /// Each is offered once (RFC 8446, appendix C.4).
    tls13: VecDeque<Tls13ClientSessionValue>,
    tls12: Option<Tls12ClientSessionValue>,
    /// How many JavaScript has not heard of.
    unheard: u32,
}

impl Kept {
    pub(super) fn new(identity: (String, String), resolver: Arc<dyn ResolvesClientCert>) -> Self {
        Self {
            identity,
            resolver,
            tickets: Mutex::default(),
        }
    }

    fn tickets(&self) -> MutexGuard<'_, Inner> {
        self.tickets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many have come since the last call.
    pub(super) fn unheard(&self) -> u32 {
        std::mem::take(&mut self.tickets().unheard)
    }
}

/// What rustls asks: it takes from the session that JavaScript offers, and gives to this connection's.
#[derive(Debug)]
pub(super) struct Store {
    pub(super) offered: Option<Arc<Kept>>,
    /// The connection may be one of TLS 1.3.
    pub(super) takes_tls13: bool,
    pub(super) kept: Arc<Kept>,
}

impl ClientSessionStore for Store {
    fn set_kx_hint(&self, _name: ServerName<'static>, _group: NamedGroup) {}

    fn kx_hint(&self, _name: &ServerName<'_>) -> Option<NamedGroup> {
        None
    }

    fn set_tls12_session(&self, _name: ServerName<'static>, value: Tls12ClientSessionValue) {
        let mut tickets = self.kept.tickets();
        tickets.tls12 = Some(value);
        tickets.unheard += 1;
    }

    fn tls12_session(&self, _name: &ServerName<'_>) -> Option<Tls12ClientSessionValue> {
        self.offered.as_ref()?.tickets().tls12.clone()
    }

    fn remove_tls12_session(&self, _name: &ServerName<'static>) {
        if let Some(offered) = &self.offered {
            offered.tickets().tls12 = None;
        }
    }

    fn insert_tls13_ticket(&self, _name: ServerName<'static>, value: Tls13ClientSessionValue) {
        let mut tickets = self.kept.tickets();
        if tickets.tls13.len() == TICKETS_MAX {
            tickets.tls13.pop_front();
        }
        tickets.tls13.push_back(value);
        tickets.unheard += 1;
    }

    fn take_tls13_ticket(&self, _name: &ServerName<'static>) -> Option<Tls13ClientSessionValue> {
        let offered = self.offered.as_ref().filter(|_| self.takes_tls13)?;
        offered.tickets().tls13.pop_back()
    }
}

/// A session as JavaScript holds it.
#[derive(Trace, JsLifetime)]
#[rquickjs::class]
pub(super) struct TlsSessionState {
    #[qjs(skip_trace)]
    pub(super) kept: Shared,
}

#[derive(Clone)]
pub(super) struct Shared(pub(super) Arc<Kept>);

// SAFETY: a session holds no JavaScript value.
unsafe impl<'js> JsLifetime<'js> for Shared {
    type Changed<'to> = Self;
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIFETIME: u32 = 60;

    #[test]
    fn a_ticket_is_opened_by_its_keys_only() {
        let tickets = Tickets::new(&[7; KEYS_BYTES], LIFETIME).unwrap();
        let ticket = tickets.encrypt(b"session").unwrap();
        assert_eq!(tickets.decrypt(&ticket).as_deref(), Some(&b"session"[..]));
        let others = Tickets::new(&[8; KEYS_BYTES], LIFETIME).unwrap();
        assert_eq!(others.decrypt(&ticket), None);
        for place in 0..ticket.len() {
            let mut changed = ticket.clone();
            changed[place] ^= 1;
            assert_eq!(tickets.decrypt(&changed), None, "byte {place}");
            assert_eq!(tickets.decrypt(&ticket[..place]), None, "cut at {place}");
        }
    }

    #[test]
    fn a_ticket_has_its_time() {
        let tickets = Tickets::new(&[7; KEYS_BYTES], 0).unwrap();
        let ticket = tickets.encrypt(b"session").unwrap();
        std::thread::sleep(std::time::Duration::from_millis(1100));
        assert_eq!(tickets.decrypt(&ticket), None);
    }

    #[test]
    fn keys_have_a_length() {
        assert!(Tickets::new(&[7; KEYS_BYTES - 1], LIFETIME).is_none());
        assert!(Tickets::new(&[7; KEYS_BYTES + 1], LIFETIME).is_none());
    }
}
