//! What the extensions of a certificate say that decides whether it is trusted.

use super::certificate::{Certificate, expect, next};

const BOOLEAN: u8 = 0x01;
const INTEGER: u8 = 0x02;
const BITS: u8 = 0x03;
const OCTETS: u8 = 0x04;
const SEQUENCE: u8 = 0x30;
const EXTENSIONS: u8 = 0xa3;

const KEY_USAGE: &[u8] = &[0x55, 0x1d, 0x0f];
const ALTERNATIVE_NAMES: &[u8] = &[0x55, 0x1d, 0x11];
const BASIC_CONSTRAINTS: &[u8] = &[0x55, 0x1d, 0x13];
const NAME_CONSTRAINTS: &[u8] = &[0x55, 0x1d, 0x1e];
const EXTENDED_KEY_USAGE: &[u8] = &[0x55, 0x1d, 0x25];
const NETSCAPE_KIND: &[u8] = &[0x60, 0x86, 0x48, 0x01, 0x86, 0xf8, 0x42, 0x01, 0x01];
/// Others that OpenSSL knows: key identifiers, lists of revoked ones, and all that is about policies; by
/// their last byte.
const KNOWN_LAST: [u8; 7] = [0x0e, 0x1f, 0x20, 0x21, 0x23, 0x24, 0x36];

#[derive(Clone, Copy)]
pub(super) struct Basic {
    pub(super) is_authority: bool,
    /// How many authorities may be below it.
    pub(super) below: Option<usize>,
}

#[derive(Default)]
pub(super) struct Extensions<'a> {
    pub(super) basic: Option<Basic>,
    /// `keyUsage`, its first bit the highest.
    pub(super) usages: Option<u16>,
    /// `nsCertType`
    pub(super) netscape: Option<u8>,
    /// `extKeyUsage`: a list of object identifiers.
    pub(super) purposes: Option<&'a [u8]>,
    /// `nameConstraints`: the content.
    pub(super) constraints: Option<&'a [u8]>,
    /// `subjectAltName`: a list of names.
    pub(super) names: Option<&'a [u8]>,
    /// There is one that must be understood, and is not.
    pub(super) is_unknown_critical: bool,
}

impl<'a> Extensions<'a> {
    /// Yields nothing when they cannot be read.
    pub(super) fn read(certificate: &Certificate<'a>) -> Option<Self> {
        let mut found = Self::default();
        let mut fields = certificate.rest;
        while let Some((tag, mut content)) = next(&mut fields) {
            if tag != EXTENSIONS {
                continue;
            }
            let mut list = expect(&mut content, SEQUENCE)?;
            while !list.is_empty() {
                found.take(expect(&mut list, SEQUENCE)?)?;
            }
        }
        Some(found)
    }

    fn take(&mut self, extension: &'a [u8]) -> Option<()> {
        let mut extension = extension;
        let (_, name) = next(&mut extension)?;
        let (mut tag, mut value) = next(&mut extension)?;
        let is_critical = tag == BOOLEAN && value != [0];
        if tag == BOOLEAN {
            (tag, value) = next(&mut extension)?;
        }
        if tag != OCTETS {
            return None;
        }
        match name {
            BASIC_CONSTRAINTS => self.basic = Some(basic(expect(&mut value, SEQUENCE)?)?),
            KEY_USAGE => self.usages = Some(bits(expect(&mut value, BITS)?)?),
            NETSCAPE_KIND => {
                let [kind, _] = bits(expect(&mut value, BITS)?)?.to_be_bytes();
                self.netscape = Some(kind);
            }
            EXTENDED_KEY_USAGE => self.purposes = Some(expect(&mut value, SEQUENCE)?),
            NAME_CONSTRAINTS => self.constraints = Some(expect(&mut value, SEQUENCE)?),
            ALTERNATIVE_NAMES => self.names = Some(expect(&mut value, SEQUENCE)?),
            [0x55, 0x1d, last] if KNOWN_LAST.contains(last) => {}
            _ => self.is_unknown_critical |= is_critical,
        }
        Some(())
    }
}

fn basic(content: &[u8]) -> Option<Basic> {
    let mut content = content;
    let mut basic = Basic {
        is_authority: false,
        below: None,
    };
    while let Some((tag, value)) = next(&mut content) {
        match (tag, value) {
            (BOOLEAN, [flag]) => basic.is_authority = *flag != 0,
            // Nothing is below less than none; more than 2³¹ are as good as all.
            (INTEGER, [first, ..]) if *first < 0x80 && value.len() <= 4 => {
                let sum = value
                    .iter()
                    .fold(0, |sum, byte| (sum << 8) | usize::from(*byte));
                basic.below = Some(sum);
            }
            _ => return None,
        }
    }
    Some(basic)
}

/// The first sixteen.
fn bits(content: &[u8]) -> Option<u16> {
    let (_unused, bytes) = content.split_first()?;
    let byte = |place: usize| bytes.get(place).copied().unwrap_or(0);
    Some(u16::from_be_bytes([byte(0), byte(1)]))
}
