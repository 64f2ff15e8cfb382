//! What rustls asks about the peer's certificate. Trust is noted for JavaScript, which decides before anything is sent or handed on;
//! signatures, which say that the peer has the certificate's key, are checked here.

use std::sync::{Arc, Mutex, PoisonError};

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

/// Why the peer's certificate is not trusted, once it has come.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome(Arc<Mutex<Option<Refusal>>>);

impl Outcome {
    pub(super) fn refusal(&self) -> Option<Refusal> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, refusal: Option<Refusal>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = refusal;
    }
}

#[derive(Debug)]
pub(super) struct Verifier {
    provider: Arc<CryptoProvider>,
    trust: Trust,
    subjects: Vec<DistinguishedName>,
    /// A client must show a certificate.
    is_mandatory: bool,
    outcome: Outcome,
}

impl Verifier {
    pub(super) fn new(provider: Arc<CryptoProvider>, trust: Trust, is_mandatory: bool) -> Self {
        Self {
            provider,
            subjects: trust.subjects(),
            trust,
            is_mandatory,
            outcome: Outcome::default(),
        }
    }

    pub(super) fn outcome(&self) -> Outcome {
        self.outcome.clone()
    }

    fn note(
        &self,
        leaf: &CertificateDer<'_>,
        sent: &[CertificateDer<'_>],
        purpose: Purpose,
        now: UnixTime,
    ) {
        let chain: Vec<CertificateDer<'_>> = std::iter::once(leaf).chain(sent).cloned().collect();
        let algorithms = &self.provider.signature_verification_algorithms;
        self.outcome
            .set(self.trust.verify(&chain, purpose, now, algorithms));
    }

    /// webpki reads certificates of version 3 only; of older ones, which `openssl x509 -req` makes, the key is enough here.
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

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        leaf: &CertificateDer<'_>,
        sent: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.note(leaf, sent, Purpose::Server, now);
        Ok(ServerCertVerified::assertion())
    }

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
        leaf: &CertificateDer<'_>,
        sent: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.note(leaf, sent, Purpose::Client, now);
        Ok(ClientCertVerified::assertion())
    }

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
}
