//! Settings of a TLS connection: certificates and keys as PEM, protocols, versions, and who is trusted.

use std::net::Ipv4Addr;
use std::sync::Arc;

use rquickjs::{Object, Result};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::ResolvesServerCertUsingSni;
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{
    ClientConfig, ClientConnection, InconsistentKeys, ServerConfig, SupportedProtocolVersion,
};

use super::trust::Trust;
use super::verifier::{Outcome, Verifier};

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

    fn verifier(&self, provider: &Arc<CryptoProvider>) -> Made<Arc<Verifier>> {
        let trust = self.trust()?;
        Ok(Arc::new(Verifier::new(
            Arc::clone(provider),
            trust,
            self.verify,
        )))
    }
}

fn certificates(pem: &str, name: &str) -> Made<Vec<CertificateDer<'static>>> {
    CertificateDer::pem_slice_iter(pem.as_bytes())
        .collect::<std::result::Result<Vec<_>, _>>()
        .map_err(|error| format!("{name}: {error}"))
}

pub(super) fn client(object: &Object<'_>) -> Result<Made<(ClientConnection, Outcome)>> {
    Ok(make_client(&Settings::read(object)?))
}

fn make_client(settings: &Settings) -> Made<(ClientConnection, Outcome)> {
    let provider = Arc::new(ring::default_provider());
    let verifier = settings.verifier(&provider)?;
    let outcome = verifier.outcome();
    let identity = settings.identity(&provider)?;
    let builder = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&settings.versions)
        .map_err(|error| error.to_string())?
        .dangerous()
        .with_custom_certificate_verifier(verifier);
    let mut config = match identity {
        None => builder.with_no_client_auth(),
        Some(identity) => {
            builder.with_client_cert_resolver(Arc::new(SingleCertAndKey::from(identity)))
        }
    };
    config.alpn_protocols = settings.alpn();
    // Without a name none is sent; addresses never are.
    let name = if settings.name.is_empty() {
        ServerName::from(Ipv4Addr::UNSPECIFIED)
    } else {
        ServerName::try_from(settings.name.clone())
            .map_err(|error| format!("servername: {error}"))?
    };
    let connection = ClientConnection::new(Arc::new(config), name);
    Ok((connection.map_err(|error| error.to_string())?, outcome))
}

pub(super) fn server(object: &Object<'_>) -> Result<Made<(Arc<ServerConfig>, Outcome)>> {
    Ok(make_server(&Settings::read(object)?))
}

fn make_server(settings: &Settings) -> Made<(Arc<ServerConfig>, Outcome)> {
    let provider = Arc::new(ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_protocol_versions(&settings.versions)
        .map_err(|error| error.to_string())?;
    let (builder, outcome) = if settings.request_certificate {
        let verifier = settings.verifier(&provider)?;
        let outcome = verifier.outcome();
        (builder.with_client_cert_verifier(verifier), outcome)
    } else {
        (builder.with_no_client_auth(), Outcome::default())
    };
    let mut config = match settings.identity(&provider)? {
        Some(identity) => builder.with_cert_resolver(Arc::new(SingleCertAndKey::from(identity))),
        // As in Node, the handshake fails, not the server.
        None => builder.with_cert_resolver(Arc::new(ResolvesServerCertUsingSni::new())),
    };
    config.alpn_protocols = settings.alpn();
    Ok((Arc::new(config), outcome))
}
