//! Settings of a TLS connection: certificates and keys as PEM, protocols, versions, and who is trusted.

use std::sync::Arc;

use rquickjs::{Object, Result};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::WebPkiClientVerifier;
use rustls::{
    ClientConfig, ClientConnection, Connection, DigitallySignedStruct, RootCertStore, ServerConfig,
    ServerConnection, SignatureScheme, SupportedProtocolVersion,
};

type Made = std::result::Result<Connection, String>;

fn text(settings: &Object<'_>, name: &str) -> Result<String> {
    Ok(settings.get::<_, Option<String>>(name)?.unwrap_or_default())
}

fn flag(settings: &Object<'_>, name: &str) -> Result<bool> {
    Ok(settings.get::<_, Option<bool>>(name)?.unwrap_or(false))
}

struct Settings {
    certificates: String,
    key: String,
    authorities: String,
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
            authorities: text(object, "ca")?,
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

    fn chain(&self) -> std::result::Result<Vec<CertificateDer<'static>>, String> {
        CertificateDer::pem_slice_iter(self.certificates.as_bytes())
            .collect::<std::result::Result<Vec<_>, _>>()
            .map_err(|error| format!("cert: {error}"))
    }

    fn private_key(&self) -> std::result::Result<PrivateKeyDer<'static>, String> {
        PrivateKeyDer::from_pem_slice(self.key.as_bytes()).map_err(|error| format!("key: {error}"))
    }

    /// The authorities given, or those that browsers trust.
    fn roots(&self) -> std::result::Result<RootCertStore, String> {
        let mut roots = RootCertStore::empty();
        if self.authorities.is_empty() {
            roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
            return Ok(roots);
        }
        for certificate in CertificateDer::pem_slice_iter(self.authorities.as_bytes()) {
            let certificate = certificate.map_err(|error| format!("ca: {error}"))?;
            roots
                .add(certificate)
                .map_err(|error| format!("ca: {error}"))?;
        }
        Ok(roots)
    }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

pub(super) fn client(object: &Object<'_>) -> Result<Made> {
    Ok(make_client(&Settings::read(object)?))
}

fn make_client(settings: &Settings) -> Made {
    let provider = provider();
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_protocol_versions(&settings.versions)
        .map_err(|error| error.to_string())?;
    let builder = if settings.verify {
        builder.with_root_certificates(settings.roots()?)
    } else {
        builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Unverified(provider)))
    };
    let mut config = if settings.key.is_empty() {
        builder.with_no_client_auth()
    } else {
        builder
            .with_client_auth_cert(settings.chain()?, settings.private_key()?)
            .map_err(|error| error.to_string())?
    };
    config.alpn_protocols = settings.alpn();
    let name = ServerName::try_from(settings.name.clone())
        .map_err(|error| format!("servername: {error}"))?;
    ClientConnection::new(Arc::new(config), name)
        .map(Connection::from)
        .map_err(|error| error.to_string())
}

pub(super) fn server(object: &Object<'_>) -> Result<Made> {
    Ok(make_server(&Settings::read(object)?))
}

fn make_server(settings: &Settings) -> Made {
    let builder = ServerConfig::builder_with_provider(provider())
        .with_protocol_versions(&settings.versions)
        .map_err(|error| error.to_string())?;
    let builder = if settings.request_certificate {
        let verifier =
            WebPkiClientVerifier::builder_with_provider(Arc::new(settings.roots()?), provider());
        let verifier = if settings.verify {
            verifier
        } else {
            verifier.allow_unauthenticated()
        };
        builder.with_client_cert_verifier(verifier.build().map_err(|error| error.to_string())?)
    } else {
        builder.with_no_client_auth()
    };
    let mut config = builder
        .with_single_cert(settings.chain()?, settings.private_key()?)
        .map_err(|error| error.to_string())?;
    config.alpn_protocols = settings.alpn();
    ServerConnection::new(Arc::new(config))
        .map(Connection::from)
        .map_err(|error| error.to_string())
}

/// Trusts every certificate: `rejectUnauthorized: false`. Signatures are still checked.
#[derive(Debug)]
struct Unverified(Arc<CryptoProvider>);

impl ServerCertVerifier for Unverified {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> std::result::Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> std::result::Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> std::result::Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
