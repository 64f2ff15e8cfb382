//! What OpenSSL asks of the certificates of a path and webpki does not: webpki takes a root for a name and a
//! key, whatever its certificate says, reads no key usages, and takes no common name for a host's.

use rustls::pki_types::{CertificateDer, TrustAnchor, UnixTime};

use super::certificate::{Certificate, Purpose, expect, next};
use super::extensions::Extensions;
use super::trust::{Refusal, out_of_date};

/// `keyUsage`, its first bit the highest.
const DIGITAL_SIGNATURE: u16 = 0x8000;
const KEY_ENCIPHERMENT: u16 = 0x2000;
const KEY_AGREEMENT: u16 = 0x0800;
const CERTIFICATES: u16 = 0x0400;
/// `nsCertType`
const NETSCAPE_CLIENT: u8 = 0x80;
const NETSCAPE_SERVER: u8 = 0x40;
const NETSCAPE_AUTHORITY: u8 = 0x04;

/// DER's tags.
const SET: u8 = 0x31;
const SEQUENCE: u8 = 0x30;
const BMP_STRING: u8 = 0x1e;
const UNIVERSAL_STRING: u8 = 0x1c;
/// `dNSName` among the forms of a name.
const DOMAIN: u8 = 0x82;
/// Of name constraints.
const PERMITTED: u8 = 0xa0;
const EXCLUDED: u8 = 0xa1;
/// `id-at-commonName`
const COMMON_NAME: &[u8] = &[0x55, 0x04, 0x03];

/// Why the peer's own certificate does not do, however it came to be trusted.
pub(super) fn of_leaf(leaf: &Certificate<'_>, purpose: Purpose) -> Option<Refusal> {
    let Some(extensions) = Extensions::read(leaf) else {
        return Some("CERT_REJECTED");
    };
    if extensions.is_unknown_critical {
        return Some("UNHANDLED_CRITICAL_EXTENSION");
    }
    let (usages, kind) = match purpose {
        Purpose::Server => (
            DIGITAL_SIGNATURE | KEY_ENCIPHERMENT | KEY_AGREEMENT,
            NETSCAPE_SERVER,
        ),
        Purpose::Client => (DIGITAL_SIGNATURE | KEY_AGREEMENT, NETSCAPE_CLIENT),
    };
    let lacks = !leaf.is_for(purpose)
        || extensions.usages.is_some_and(|found| found & usages == 0)
        || extensions.netscape.is_some_and(|found| found & kind == 0);
    lacks.then_some("INVALID_PURPOSE")
}

/// Why a path that webpki has found is none nevertheless. `given`: the option `ca`, among which is the root;
/// empty for those built in.
pub(super) fn of_path<'a>(
    leaf: &Certificate<'_>,
    between: &[Certificate<'_>],
    anchor: &TrustAnchor<'_>,
    given: &'a [CertificateDer<'_>],
    purpose: Purpose,
    now: UnixTime,
) -> Option<Refusal> {
    let common = CommonNames::of(leaf);
    let refused = |authority: &Certificate<'_>, below: usize| {
        of_authority(authority, purpose, below, &common).or_else(|| out_of_date(authority, now))
    };
    // How many may be below each of them is webpki's business.
    let refusal = between
        .iter()
        .find_map(|authority| refused(authority, 0))
        .or_else(|| of_leaf(leaf, purpose));
    if refusal.is_some() || given.is_empty() {
        return refusal;
    }
    let is_root = |found: &Certificate<'a>| {
        found.subject == anchor.subject.as_ref()
            && expect(&mut &*found.public_key, SEQUENCE)
                == Some(anchor.subject_public_key_info.as_ref())
    };
    let below = between.iter().filter(|one| !one.is_self_issued()).count();
    // One key may have several certificates, of which any will do.
    let mut refusal = Some("CERT_REJECTED");
    for root in given
        .iter()
        .filter_map(|der| Certificate::read(der))
        .filter(is_root)
    {
        refusal = refused(&root, below);
        if refusal.is_none() {
            break;
        }
    }
    refusal
}

fn of_authority(
    authority: &Certificate<'_>,
    purpose: Purpose,
    below: usize,
    common: &CommonNames,
) -> Option<Refusal> {
    let Some(extensions) = Extensions::read(authority) else {
        return Some("INVALID_CA");
    };
    if extensions.is_unknown_critical {
        return Some("UNHANDLED_CRITICAL_EXTENSION");
    }
    if extensions
        .usages
        .is_some_and(|found| found & CERTIFICATES == 0)
    {
        return Some("KEYUSAGE_NO_CERTSIGN");
    }
    let is_authority = match extensions.basic {
        Some(basic) => basic.is_authority,
        // Roots older than the extension, and what says it in another way.
        None => {
            (authority.is_of_version_1 && authority.is_self_issued())
                || extensions.usages.is_some()
                || extensions
                    .netscape
                    .is_some_and(|found| found & NETSCAPE_AUTHORITY != 0)
        }
    };
    if !is_authority || !authority.is_for(purpose) {
        return Some("INVALID_PURPOSE");
    }
    let most = extensions.basic.and_then(|basic| basic.below);
    if most.is_some_and(|most| below > most) {
        return Some("PATH_LENGTH_EXCEEDED");
    }
    common.violation(extensions.constraints?)
}

/// The names of a certificate that names no domains: hosts, as long as they look like it.
struct CommonNames(Vec<String>);

impl CommonNames {
    fn of(leaf: &Certificate<'_>) -> Self {
        let names = Extensions::read(leaf).and_then(|extensions| extensions.names);
        let mut names = names.unwrap_or_default();
        while let Some((tag, _)) = next(&mut names) {
            if tag == DOMAIN {
                return Self(Vec::new());
            }
        }
        let mut found = Vec::new();
        let mut subject = leaf.subject;
        while let Some(mut set) = expect(&mut subject, SET) {
            while let Some(mut pair) = expect(&mut set, SEQUENCE) {
                let is_common = next(&mut pair).is_some_and(|(_, name)| name == COMMON_NAME);
                let Some((tag, content)) = next(&mut pair).filter(|_| is_common) else {
                    continue;
                };
                let name = text(tag, content);
                let name = name.trim_end_matches('\0').trim_end_matches('.');
                let is_host = |byte: u8| byte.is_ascii_alphanumeric() || b"-._*".contains(&byte);
                if name.contains('.') && name.bytes().all(is_host) {
                    found.push(name.to_ascii_lowercase());
                }
            }
        }
        Self(found)
    }

    fn violation(&self, constraints: &[u8]) -> Option<Refusal> {
        let mut constraints = constraints;
        while let Some((kind, mut trees)) = next(&mut constraints) {
            let mut domains = Vec::new();
            while let Some(mut tree) = expect(&mut trees, SEQUENCE) {
                domains.extend(expect(&mut tree, DOMAIN));
            }
            for name in &self.0 {
                let is_within = domains.iter().any(|domain| is_below(name, domain));
                if kind == PERMITTED && !domains.is_empty() && !is_within {
                    return Some("PERMITTED_VIOLATION");
                }
                if kind == EXCLUDED && is_within {
                    return Some("EXCLUDED_VIOLATION");
                }
            }
        }
        None
    }
}

fn text(tag: u8, content: &[u8]) -> String {
    let point = |bytes: &[u8]| {
        let point = bytes
            .iter()
            .fold(0_u32, |sum, byte| (sum << 8) | u32::from(*byte));
        char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER)
    };
    match tag {
        BMP_STRING => content.chunks(2).map(point).collect(),
        UNIVERSAL_STRING => content.chunks(4).map(point).collect(),
        _ => String::from_utf8_lossy(content).into_owned(),
    }
}

/// RFC 5280: a domain stands for itself and what is below it; with a dot in front for the latter only, and
/// nothing for all.
fn is_below(name: &str, domain: &[u8]) -> bool {
    let domain = domain.to_ascii_lowercase();
    let Some(rest) = name.as_bytes().strip_suffix(&domain[..]) else {
        return false;
    };
    domain.is_empty() || rest.is_empty() || domain.starts_with(b".") || rest.ends_with(b".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_stand_for_what_is_below_them() {
        for domain in ["", "test", ".test", "host.test", "HOST.test"] {
            assert!(is_below("host.test", domain.as_bytes()), "{domain}");
        }
        for domain in ["st", "ost.test", "a.host.test", ".host.test", "example"] {
            assert!(!is_below("host.test", domain.as_bytes()), "{domain}");
        }
    }

    #[test]
    fn common_names_are_within_constraints() {
        let names = CommonNames(vec!["host.test".to_owned()]);
        let value = |tag: u8, content: &[u8]| {
            let length = u8::try_from(content.len()).unwrap();
            [&[tag, length][..], content].concat()
        };
        let tree = |kind: u8, domain: &[u8]| value(kind, &value(SEQUENCE, &value(DOMAIN, domain)));
        assert_eq!(names.violation(&tree(PERMITTED, b"test")), None);
        assert_eq!(
            names.violation(&tree(PERMITTED, b"other")),
            Some("PERMITTED_VIOLATION")
        );
        assert_eq!(names.violation(&tree(EXCLUDED, b"other")), None);
        assert_eq!(
            names.violation(&tree(EXCLUDED, b"test")),
            Some("EXCLUDED_VIOLATION")
        );
    }
}
