//! One TLS connection. A server's may wait behind the client's first message until it is known with which
//! certificate it goes on.

use std::cell::OnceCell;
use std::io::{Read as _, Write as _};
use std::sync::Arc;

use rustls::server::{Accepted, Acceptor};
use rustls::{Connection, Error, ServerConfig};

use super::tickets::Kept;
use super::trust::Refusal;
use super::verifier::Judge;

/// What came from the peer.
#[derive(Default)]
pub(super) struct Received {
    pub(super) plain: Vec<u8>,
    /// rustls's error, for programs and for people.
    pub(super) failure: Option<String>,
    /// The peer sends no more.
    pub(super) is_closed: bool,
}

enum Stage {
    /// Waits for a client's first message.
    Accepts(Acceptor),
    /// Has it, and waits for its settings.
    Offered(Accepted),
    Runs(Connection),
    Failed,
}

pub(super) struct Session {
    stage: Stage,
    /// Of a peer that is asked for a certificate.
    judge: Option<Judge>,
    /// Once the handshake is over.
    refusal: OnceCell<Option<Refusal>>,
    /// A client's.
    kept: Option<Arc<Kept>>,
    /// Came while the settings were waited for.
    unread: Vec<u8>,
    /// What the peer is told when there is no connection to tell it.
    alert: Vec<u8>,
}

fn failure(error: &Error) -> String {
    format!("{error:?}|{error}")
}

impl Session {
    pub(super) fn new(
        mut connection: Connection,
        judge: Option<Judge>,
        kept: Option<Arc<Kept>>,
    ) -> Self {
        // The stream above says when to stop.
        connection.set_buffer_limit(None);
        Self {
            stage: Stage::Runs(connection),
            judge,
            refusal: OnceCell::new(),
            kept,
            unread: Vec::new(),
            alert: Vec::new(),
        }
    }

    /// A server's that gets its settings later.
    pub(super) fn accepting() -> Self {
        Self {
            stage: Stage::Accepts(Acceptor::default()),
            judge: None,
            refusal: OnceCell::new(),
            kept: None,
            unread: Vec::new(),
            alert: Vec::new(),
        }
    }

    pub(super) fn connection(&mut self) -> Option<&mut Connection> {
        match &mut self.stage {
            Stage::Runs(connection) => Some(connection),
            _ => None,
        }
    }

    pub(super) fn is_handshaking(&self) -> bool {
        match &self.stage {
            Stage::Runs(connection) => connection.is_handshaking(),
            _ => true,
        }
    }

    /// Why the peer is not trusted. One without certificates is JavaScript's to judge.
    pub(super) fn refusal(&self) -> Option<Refusal> {
        let Stage::Runs(connection) = &self.stage else {
            return None;
        };
        if connection.is_handshaking() {
            return None;
        }
        *self.refusal.get_or_init(|| {
            let (judge, chain) = self.judge.as_ref().zip(connection.peer_certificates())?;
            judge.refusal(chain)
        })
    }

    /// How many sessions have come that may go on later, since the last call.
    pub(super) fn new_sessions(&self) -> u32 {
        self.kept.as_ref().map_or(0, |kept| kept.unheard())
    }

    pub(super) fn kept(&self) -> Option<Arc<Kept>> {
        self.kept.clone()
    }

    /// The name and the protocols that a client asks for, while the settings are waited for.
    pub(super) fn offer(&self) -> Option<(Option<String>, Option<Vec<String>>)> {
        let Stage::Offered(accepted) = &self.stage else {
            return None;
        };
        let hello = accepted.client_hello();
        let name = hello.server_name().map(str::to_owned);
        let text = |protocol: &[u8]| String::from_utf8_lossy(protocol).into_owned();
        let protocols = hello.alpn().map(|list| list.map(text).collect());
        Some((name, protocols))
    }

    /// Goes on with the settings.
    pub(super) fn accept(&mut self, config: Arc<ServerConfig>, judge: Option<Judge>) -> Received {
        let Stage::Offered(accepted) = std::mem::replace(&mut self.stage, Stage::Failed) else {
            return Received::default();
        };
        self.judge = judge;
        match accepted.into_connection(config) {
            Ok(mut connection) => {
                connection.set_buffer_limit(None);
                self.stage = Stage::Runs(Connection::from(connection));
                let unread = std::mem::take(&mut self.unread);
                self.receive(&unread)
            }
            Err((error, mut alert)) => {
                // Writing to a vector does not fail.
                let _result = alert.write_all(&mut self.alert);
                failed(&error)
            }
        }
    }

    pub(super) fn receive(&mut self, bytes: &[u8]) -> Received {
        let mut rest = bytes;
        while let Stage::Accepts(acceptor) = &mut self.stage {
            if rest.is_empty() || acceptor.read_tls(&mut rest).is_err() {
                return Received::default();
            }
            match acceptor.accept() {
                Ok(None) => {}
                Ok(Some(accepted)) => self.stage = Stage::Offered(accepted),
                Err((error, mut alert)) => {
                    let _result = alert.write_all(&mut self.alert);
                    self.stage = Stage::Failed;
                    return failed(&error);
                }
            }
        }
        match &mut self.stage {
            Stage::Offered(_) => {
                self.unread.extend_from_slice(rest);
                Received::default()
            }
            Stage::Runs(connection) => read(connection, rest),
            _ => Received::default(),
        }
    }

    /// Bytes for the peer.
    pub(super) fn take(&mut self) -> Vec<u8> {
        let mut out = std::mem::take(&mut self.alert);
        if let Some(connection) = self.connection() {
            while connection.wants_write() && connection.write_tls(&mut out).is_ok() {}
        }
        out
    }

    pub(super) fn send(&mut self, plain: &[u8]) {
        if let Some(connection) = self.connection() {
            // Writing into the buffer of a connection does not fail.
            let _result = connection.writer().write_all(plain);
        }
    }

    pub(super) fn end(&mut self) {
        if let Some(connection) = self.connection() {
            connection.send_close_notify();
        }
    }
}

fn failed(error: &Error) -> Received {
    Received {
        failure: Some(failure(error)),
        ..Received::default()
    }
}

fn read(connection: &mut Connection, bytes: &[u8]) -> Received {
    /// Plain text taken in one read, in bytes.
    const READ_BYTES_MAX: usize = 1 << 20;
    let mut received = Received::default();
    let mut rest = bytes;
    // Behind the client's first message there may be more that was taken in with it.
    loop {
        match connection.process_new_packets() {
            Ok(state) => {
                received.is_closed |= state.peer_has_closed();
                let mut chunk = vec![0; state.plaintext_bytes_to_read().min(READ_BYTES_MAX)];
                while let Ok(count @ 1..) = connection.reader().read(&mut chunk) {
                    let part = chunk.get(..count).unwrap_or_default();
                    received.plain.extend_from_slice(part);
                }
            }
            Err(error) => {
                received.failure = Some(failure(&error));
                return received;
            }
        }
        if rest.is_empty() || connection.read_tls(&mut rest).is_err() {
            return received;
        }
    }
}
