//! What rustls asks about the peer's certificate. Signatures, which say that the peer has the certificate's
//! key, are checked here; whether the certificate is trusted is told to JavaScript behind the handshake,
//! which decides before anything is sent or handed on.

use std::sync::{Arc, OnceLock};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{
    CryptoProvider, verify_tls12_signature, verify_tls13_signature,
    verify_tls13_signature_with_raw_key,
};
use rustls::pki_types::{CertificateDer, ServerName, SubjectPublicKeyInfoDer, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{CertificateError, DigitallySignedStruct, DistinguishedName, Error, SignatureScheme};
use webpki::{EndEntityCert, RawPublicKeyEntity};

use super::certificate::{Certificate, Purpose};
use super::trust::{Refusal, Trust};

/// Whom a connection trusts.
#[derive(Debug)]
pub(super) struct Judge {
    provider: Arc<CryptoProvider>,
    trust: Trust,
    purpose: Purpose,
}

impl Judge {
    pub(super) fn new(provider: Arc<CryptoProvider>, trust: Trust, purpose: Purpose) -> Self {
        Self {
            provider,
            trust,
            purpose,
        }
    }

    /// Why a peer with these certificates is not trusted, whether it showed them now or in the session that
    /// goes on.
    pub(super) fn refusal(&self, chain: &[CertificateDer<'_>]) -> Option<Refusal> {
        let algorithms = &self.provider.signature_verification_algorithms;
        self.trust
            .verify(chain, self.purpose, UnixTime::now(), algorithms)
    }

    /// The names that a server asks its clients for.
    pub(super) fn subjects(&self) -> Vec<DistinguishedName> {
        self.trust.subjects()
    }
}

#[derive(Debug)]
pub(super) struct Verifier {
    provider: Arc<CryptoProvider>,
    subjects: Vec<DistinguishedName>,
    /// A client must show a certificate.
    is_mandatory: bool,
}

impl Verifier {
    /// Of all clients: rustls lets a session go on only under the verifier that it began with.
    pub(super) fn of_servers(provider: &Arc<CryptoProvider>) -> Arc<Self> {
        static SHARED: OnceLock<Arc<Verifier>> = OnceLock::new();
        let make = || Arc::new(Self::new(Arc::clone(provider), Vec::new(), false));
        Arc::clone(SHARED.get_or_init(make))
    }

    pub(super) fn new(
        provider: Arc<CryptoProvider>,
        subjects: Vec<DistinguishedName>,
        is_mandatory: bool,
    ) -> Self {
        Self {
            provider,
            subjects,
            is_mandatory,
        }
    }

    /// webpki reads certificates of version 3 only; of older ones, which `openssl x509 -req` makes, the key
    /// is enough here.
    fn tls12(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        if EndEntityCert::try_from(certificate).is_ok() {
            return verify_tls12_signature(message, certificate, signed, algorithms);
        }
        let key = public_key(certificate)?;
        let entity = RawPublicKeyEntity::try_from(&key).map_err(|_| bad_encoding())?;
        let found = algorithms
            .mapping
            .iter()
            .find(|(scheme, _)| *scheme == signed.scheme);
        let mut candidates = found.into_iter().flat_map(|(_, list)| list.iter());
        let is_valid = candidates.any(|algorithm| {
            entity
                .verify_signature(*algorithm, message, signed.signature())
                .is_ok()
        });
        if is_valid {
            return Ok(HandshakeSignatureValid::assertion());
        }
        Err(Error::InvalidCertificate(CertificateError::BadSignature))
    }

    fn tls13(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        if EndEntityCert::try_from(certificate).is_ok() {
            return verify_tls13_signature(message, certificate, signed, algorithms);
        }
        let key = public_key(certificate)?;
        verify_tls13_signature_with_raw_key(message, &key, signed, algorithms)
    }

    fn schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}

fn bad_encoding() -> Error {
    Error::InvalidCertificate(CertificateError::BadEncoding)
}

fn public_key(certificate: &CertificateDer<'_>) -> Result<SubjectPublicKeyInfoDer<'static>, Error> {
    let key = Certificate::read(certificate)
        .ok_or_else(bad_encoding)?
        .public_key;
    Ok(SubjectPublicKeyInfoDer::from(key.to_vec()))
}

/// What both roles ask of signatures, which is the same.
macro_rules! signatures {
    () => {
        fn verify_tls12_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signed: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            self.tls12(message, certificate, signed)
        }

        fn verify_tls13_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signed: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            self.tls13(message, certificate, signed)
        }

        fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
            self.schemes()
        }
    };
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        _leaf: &CertificateDer<'_>,
        _sent: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    signatures!();
}

impl ClientCertVerifier for Verifier {
    fn client_auth_mandatory(&self) -> bool {
        self.is_mandatory
    }

    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &self.subjects
    }

    fn verify_client_cert(
        &self,
        _leaf: &CertificateDer<'_>,
        _sent: &[CertificateDer<'_>],
        _now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        Ok(ClientCertVerified::assertion())
    }

    signatures!();
}
