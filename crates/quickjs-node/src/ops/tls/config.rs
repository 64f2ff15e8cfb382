//! Settings of a TLS connection: certificates and keys as PEM, protocols, versions, and who is trusted.

use std::net::Ipv4Addr;
use std::sync::{Arc, OnceLock};

use rquickjs::{Class, Ctx, Object, Result, Value};
use rustls::client::{ResolvesClientCert, Resumption};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::{NoServerSessionStorage, ResolvesServerCertUsingSni};
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{
    ClientConfig, ClientConnection, InconsistentKeys, ServerConfig, SignatureScheme,
    SupportedProtocolVersion,
};

use super::certificate::Purpose;
use super::tickets::{Kept, Store, Tickets, TlsSessionState};
use super::trust::Trust;
use super::verifier::{Judge, Verifier};
use crate::memory::with_bytes;

/// How long a session may go on where a server does not say it, in seconds: OpenSSL's.
const TICKET_LIFETIME_SECONDS: u32 = 7200;

type Made<T> = std::result::Result<T, String>;

fn text(settings: &Object<'_>, name: &str) -> Result<String> {
    Ok(settings.get::<_, Option<String>>(name)?.unwrap_or_default())
}

fn flag(settings: &Object<'_>, name: &str) -> Result<bool> {
    Ok(settings.get::<_, Option<bool>>(name)?.unwrap_or(false))
}

struct Settings {
    certificates: String,
    key: String,
    authorities: Option<String>,
    protocols: Vec<String>,
    versions: Vec<&'static SupportedProtocolVersion>,
    verify: bool,
    request_certificate: bool,
    name: String,
}

impl Settings {
    fn read(object: &Object<'_>) -> Result<Self> {
        let minimum = text(object, "minVersion")?;
        let maximum = text(object, "maxVersion")?;
        let mut versions = Vec::new();
        if maximum != "TLSv1.2" {
            versions.push(&rustls::version::TLS13);
        }
        if minimum != "TLSv1.3" {
            versions.push(&rustls::version::TLS12);
        }
        Ok(Self {
            certificates: text(object, "cert")?,
            key: text(object, "key")?,
            authorities: object.get("ca")?,
            protocols: object
                .get::<_, Option<Vec<String>>>("alpn")?
                .unwrap_or_default(),
            versions,
            verify: flag(object, "verify")?,
            request_certificate: flag(object, "requestCert")?,
            name: text(object, "servername")?,
        })
    }

    fn identity_text(&self) -> (String, String) {
        (self.certificates.clone(), self.key.clone())
    }

    fn alpn(&self) -> Vec<Vec<u8>> {
        let bytes = |name: &String| name.as_bytes().to_vec();
        self.protocols.iter().map(bytes).collect()
    }

    /// The certificate with its key, if there is one.
    fn identity(&self, provider: &CryptoProvider) -> Made<Option<CertifiedKey>> {
        if self.key.is_empty() || self.certificates.is_empty() {
            return Ok(None);
        }
        let chain = certificates(&self.certificates, "cert")?;
        if chain.is_empty() {
            return Err("cert: no start line".to_owned());
        }
        let key = PrivateKeyDer::from_pem_slice(self.key.as_bytes())
            .map_err(|error| format!("key: {error}"))?;
        let key = provider
            .key_provider
            .load_private_key(key)
            .map_err(|error| format!("key: {error}"))?;
        let identity = CertifiedKey::new(chain, key);
        // Certificates older than version 3 cannot be compared here; the peer notices.
        if identity.keys_match() == Err(InconsistentKeys::KeyMismatch.into()) {
            return Err("key values mismatch".to_owned());
        }
        Ok(Some(identity))
    }

    /// The authorities given, or those that browsers trust.
    fn trust(&self) -> Made<Trust> {
        match &self.authorities {
            None => Ok(Trust::builtin()),
            Some(pem) => certificates(pem, "ca").map(Trust::given),
        }
    }
}

fn certificates(pem: &str, name: &str) -> Made<Vec<CertificateDer<'static>>> {
    CertificateDer::pem_slice_iter(pem.as_bytes())
        .collect::<std::result::Result<Vec<_>, _>>()
        .map_err(|error| format!("{name}: {error}"))
}

/// A connection's settings, and what is known of its peer later.
pub(super) struct Client {
    pub(super) connection: ClientConnection,
    pub(super) judge: Judge,
    pub(super) kept: Arc<Kept>,
}

pub(super) fn client(object: &Object<'_>) -> Result<Made<Client>> {
    let offered = object.get::<_, Option<Class<'_, TlsSessionState>>>("session")?;
    let offered = match offered {
        Some(state) => Some(Arc::clone(&state.try_borrow()?.kept.0)),
        None => None,
    };
    Ok(make_client(&Settings::read(object)?, offered))
}

/// A client without a certificate: one for all, for a session goes on only under the resolver that it began
/// with.
fn nobody() -> Arc<dyn ResolvesClientCert> {
    #[derive(Debug)]
    struct Nobody;
    impl ResolvesClientCert for Nobody {
        fn resolve(&self, _: &[&[u8]], _: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
            None
        }
        fn has_certs(&self) -> bool {
            false
        }
    }
    static SHARED: OnceLock<Arc<dyn ResolvesClientCert>> = OnceLock::new();
    Arc::clone(SHARED.get_or_init(|| Arc::new(Nobody)))
}

fn resolver(
    settings: &Settings,
    provider: &CryptoProvider,
    offered: Option<&Kept>,
) -> Made<Arc<dyn ResolvesClientCert>> {
    if let Some(kept) = offered.filter(|kept| kept.identity == settings.identity_text()) {
        return Ok(Arc::clone(&kept.resolver));
    }
    Ok(match settings.identity(provider)? {
        None => nobody(),
        Some(identity) => Arc::new(SingleCertAndKey::from(identity)),
    })
}

fn make_client(settings: &Settings, offered: Option<Arc<Kept>>) -> Made<Client> {
    let provider = Arc::new(ring::default_provider());
    let judge = Judge::new(Arc::clone(&provider), settings.trust()?, Purpose::Server);
    let resolver = resolver(settings, &provider, offered.as_deref())?;
    let kept = Arc::new(Kept::new(settings.identity_text(), Arc::clone(&resolver)));
    let verifier = Verifier::of_servers(&provider);
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&settings.versions)
        .map_err(|error| error.to_string())?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_client_cert_resolver(resolver);
    config.alpn_protocols = settings.alpn();
    config.resumption = Resumption::store(Arc::new(Store {
        offered,
        takes_tls13: settings.versions.contains(&&rustls::version::TLS13),
        kept: Arc::clone(&kept),
    }));
    // Without a name none is sent; addresses never are, nor what is no name of DNS. Whether the certificate
    // is for it is asked elsewhere.
    let name = ServerName::try_from(settings.name.clone());
    let name = name.unwrap_or_else(|_| ServerName::from(Ipv4Addr::UNSPECIFIED));
    let connection = ClientConnection::new(Arc::new(config), name);
    Ok(Client {
        connection: connection.map_err(|error| error.to_string())?,
        judge,
        kept,
    })
}

/// A server's settings, and how a client that is asked for a certificate is judged.
pub(super) type Server = (Arc<ServerConfig>, Option<Judge>);

pub(super) fn server<'js>(ctx: &Ctx<'js>, object: &Object<'js>) -> Result<Made<Server>> {
    let keys: Value<'js> = object.get("ticketKeys")?;
    let keys = if keys.is_undefined() {
        None
    } else {
        Some(with_bytes(ctx, &keys, |bytes| bytes.to_vec())?)
    };
    let lifetime = object.get::<_, Option<u32>>("sessionTimeout")?;
    let tickets =
        keys.and_then(|keys| Tickets::new(&keys, lifetime.unwrap_or(TICKET_LIFETIME_SECONDS)));
    Ok(make_server(&Settings::read(object)?, tickets))
}

fn make_server(settings: &Settings, tickets: Option<Tickets>) -> Made<Server> {
    let provider = Arc::new(ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_protocol_versions(&settings.versions)
        .map_err(|error| error.to_string())?;
    let (builder, judge) = if settings.request_certificate {
        let judge = Judge::new(Arc::clone(&provider), settings.trust()?, Purpose::Client);
        let verifier = Verifier::new(Arc::clone(&provider), judge.subjects(), settings.verify);
        (
            builder.with_client_cert_verifier(Arc::new(verifier)),
            Some(judge),
        )
    } else {
        (builder.with_no_client_auth(), None)
    };
    let mut config = match settings.identity(&provider)? {
        Some(identity) => builder.with_cert_resolver(Arc::new(SingleCertAndKey::from(identity))),
        // As in Node, the handshake fails, not the server.
        None => builder.with_cert_resolver(Arc::new(ResolvesServerCertUsingSni::new())),
    };
    config.alpn_protocols = settings.alpn();
    config.session_storage = Arc::new(NoServerSessionStorage {});
    match tickets {
        Some(tickets) => config.ticketer = Arc::new(tickets),
        None => config.send_tls13_tickets = 0,
    }
    Ok((Arc::new(config), judge))
}
