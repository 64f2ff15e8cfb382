//! Who is trusted, and with which of OpenSSL's errors others are refused. As with OpenSSL in Node, the
//! handshake does not fail for it: JavaScript hears of the error and decides.

use std::cell::Cell;

use rustls::RootCertStore;
use rustls::crypto::WebPkiSupportedAlgorithms;
use rustls::pki_types::{CertificateDer, TrustAnchor, UnixTime};
use webpki::{EndEntityCert, Error, KeyUsage, VerifiedPath};

use super::certificate::{Certificate, Purpose};
use super::rules;

/// The name of an error as OpenSSL has it, without `X509_V_ERR_`.
pub(super) type Refusal = &'static str;

/// Certificates of a path; more are not looked at.
const PATH_MAX: usize = 100;

#[derive(Debug)]
pub(super) struct Trust {
    anchors: Vec<TrustAnchor<'static>>,
    /// The option `ca`; empty when those built in are trusted.
    certificates: Vec<CertificateDer<'static>>,
}

impl Trust {
    /// Those that browsers trust.
    pub(super) fn builtin() -> Self {
        Self {
            anchors: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
            certificates: Vec::new(),
        }
    }

    /// The option `ca`. What is no anchor for webpki is trusted as itself only.
    pub(super) fn given(certificates: Vec<CertificateDer<'static>>) -> Self {
        let mut roots = RootCertStore::empty();
        for certificate in &certificates {
            // OpenSSL ends a path only at a certificate that issued itself.
            if is_self_issued(certificate) {
                let _outcome = roots.add(certificate.clone());
            }
        }
        Self {
            anchors: roots.roots,
            certificates,
        }
    }

    /// The names that a server asks its clients for.
    pub(super) fn subjects(&self) -> Vec<rustls::DistinguishedName> {
        let names = self.anchors.iter().map(|anchor| anchor.subject.as_ref());
        names.map(rustls::DistinguishedName::in_sequence).collect()
    }

    /// Why the first of `chain` is not trusted, if it is not.
    pub(super) fn verify(
        &self,
        chain: &[CertificateDer<'_>],
        purpose: Purpose,
        now: UnixTime,
        algorithms: &WebPkiSupportedAlgorithms,
    ) -> Option<Refusal> {
        let Some(leaf) = chain.first() else {
            return Some("UNABLE_TO_GET_ISSUER_CERT");
        };
        let Some(read_leaf) = Certificate::read(leaf) else {
            return Some("CERT_REJECTED");
        };
        if read_leaf.is_self_issued() {
            return self.verify_alone(leaf, &read_leaf, purpose, now);
        }
        let refusal = Cell::new(None);
        let is_path = |path: &VerifiedPath<'_>| {
            let between: Vec<_> = path
                .intermediate_certificates()
                .map(webpki::Cert::der)
                .collect();
            let read: Option<Vec<_>> = between.iter().map(|der| Certificate::read(der)).collect();
            let between = read.ok_or(Error::BadDer)?;
            let given = &self.certificates;
            let found = rules::of_path(&read_leaf, &between, path.anchor(), given, purpose, now);
            refusal.set(found);
            found.map_or(Ok(()), |_| Err(Error::CaUsedAsEndEntity))
        };
        match self.verify_path(chain, purpose, now, algorithms, &is_path) {
            Ok(()) => None,
            Err(error) => {
                let said = refusal.get();
                said.or_else(|| Some(self.reason(&error, chain, purpose, now)))
            }
        }
    }

    /// A certificate that issued itself is trusted when it was given, authority or not.
    fn verify_alone(
        &self,
        leaf: &CertificateDer<'_>,
        read: &Certificate<'_>,
        purpose: Purpose,
        now: UnixTime,
    ) -> Option<Refusal> {
        let known = self
            .certificates
            .iter()
            .any(|given| given.as_ref() == leaf.as_ref());
        let trust = (!known).then_some("DEPTH_ZERO_SELF_SIGNED_CERT");
        out_of_date(read, now)
            .or_else(|| rules::of_leaf(read, purpose))
            .or(trust)
    }

    fn verify_path(
        &self,
        chain: &[CertificateDer<'_>],
        purpose: Purpose,
        now: UnixTime,
        algorithms: &WebPkiSupportedAlgorithms,
        is_path: &dyn Fn(&VerifiedPath<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (leaf, sent) = chain.split_first().ok_or(Error::BadDer)?;
        let usage = match purpose {
            Purpose::Server => KeyUsage::server_auth(),
            Purpose::Client => KeyUsage::client_auth(),
        };
        // Given certificates that are no roots help to find the way to one.
        let between: Vec<CertificateDer<'_>> =
            sent.iter().chain(&self.certificates).cloned().collect();
        EndEntityCert::try_from(leaf)?
            .verify_for_usage(
                algorithms.all,
                &self.anchors,
                &between,
                now,
                usage,
                None,
                Some(is_path),
            )
            .map(|_path| ())
    }

    /// What OpenSSL would say. Its last error counts: a date that is wrong comes after an issuer that is
    /// unknown.
    fn reason(
        &self,
        error: &Error,
        chain: &[CertificateDer<'_>],
        purpose: Purpose,
        now: UnixTime,
    ) -> Refusal {
        let path = self.path(chain);
        let mut dates = path.certificates.iter();
        if let Some(refusal) = dates.find_map(|read| out_of_date(read, now)) {
            return refusal;
        }
        if path.certificates.len() == 1 && path.end != End::Trusted {
            return "UNABLE_TO_VERIFY_LEAF_SIGNATURE";
        }
        if path
            .certificates
            .first()
            .is_some_and(|leaf| !leaf.is_for(purpose))
        {
            return "INVALID_PURPOSE";
        }
        match path.end {
            End::Trusted => of_webpki(error),
            End::Given => "UNABLE_TO_GET_ISSUER_CERT",
            End::SelfIssued => "SELF_SIGNED_CERT_IN_CHAIN",
            End::Sent => "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
        }
    }

    /// The way from the first of `chain` as far as names lead, by what was given before what was sent.
    fn path<'a>(&'a self, chain: &'a [CertificateDer<'_>]) -> Path<'a> {
        let read = |certificate: &'a CertificateDer<'_>| Certificate::read(certificate);
        let mut path = Path {
            certificates: chain.first().and_then(read).into_iter().collect(),
            end: End::Sent,
        };
        while let Some(last) = path.certificates.last() {
            let issuer = last.issuer;
            let anchors = self.anchors.iter();
            if anchors
                .clone()
                .any(|anchor| anchor.subject.as_ref() == issuer)
            {
                path.end = End::Trusted;
                break;
            }
            if last.is_self_issued() {
                path.end = End::SelfIssued;
                break;
            }
            let is_issuer = |found: &Certificate<'_>| found.subject == issuer;
            let given = self.certificates.iter().filter_map(read).find(is_issuer);
            let found = match given {
                Some(given) => Some((given, End::Given)),
                None => chain
                    .iter()
                    .filter_map(read)
                    .find(is_issuer)
                    .map(|sent| (sent, End::Sent)),
            };
            let Some((found, end)) = found.filter(|_| path.certificates.len() < PATH_MAX) else {
                break;
            };
            path.certificates.push(found);
            path.end = end;
        }
        path
    }
}

struct Path<'a> {
    certificates: Vec<Certificate<'a>>,
    end: End,
}

/// Where the way from a certificate ends.
#[derive(Clone, Copy, Eq, PartialEq)]
enum End {
    /// At a root that is trusted.
    Trusted,
    /// At a certificate that was given and is no root.
    Given,
    /// At a root that is not trusted.
    SelfIssued,
    /// At a certificate of the peer.
    Sent,
}

fn is_self_issued(certificate: &CertificateDer<'_>) -> bool {
    Certificate::read(certificate).is_some_and(|read| read.is_self_issued())
}

pub(super) fn out_of_date(read: &Certificate<'_>, now: UnixTime) -> Option<Refusal> {
    let now = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
    if now < read.not_before {
        return Some("CERT_NOT_YET_VALID");
    }
    (now > read.not_after).then_some("CERT_HAS_EXPIRED")
}

fn of_webpki(error: &Error) -> Refusal {
    match error {
        Error::CertExpired { .. } => "CERT_HAS_EXPIRED",
        Error::CertNotValidYet { .. } => "CERT_NOT_YET_VALID",
        Error::InvalidSignatureForPublicKey => "CERT_SIGNATURE_FAILURE",
        Error::RequiredEkuNotFoundContext(_) => "INVALID_PURPOSE",
        Error::EndEntityUsedAsCa | Error::CaUsedAsEndEntity => "INVALID_CA",
        Error::PathLenConstraintViolated => "PATH_LENGTH_EXCEEDED",
        Error::NameConstraintViolation => "PERMITTED_VIOLATION",
        Error::UnsupportedCriticalExtension => "UNHANDLED_CRITICAL_EXTENSION",
        _ => "CERT_REJECTED",
    }
}
