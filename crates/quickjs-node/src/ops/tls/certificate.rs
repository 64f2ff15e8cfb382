//! What of an X.509 certificate decides whether it is trusted, as far as webpki does not read it, and which
//! error it is refused with.

use super::extensions::Extensions;

/// DER's tags.
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;
const SEQUENCE: u8 = 0x30;
const VERSION: u8 = 0xa0;

/// `id-kp-serverAuth` and `id-kp-clientAuth` but for their last byte
const KEY_PURPOSE: &[u8] = &[0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03];

/// Whom a certificate is for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Purpose {
    Server = 1,
    Client = 2,
}

pub(super) struct Certificate<'a> {
    /// Names as they are encoded.
    pub(super) issuer: &'a [u8],
    pub(super) subject: &'a [u8],
    /// Seconds since 1970.
    pub(super) not_before: i64,
    pub(super) not_after: i64,
    /// Algorithm and public key (`SubjectPublicKeyInfo`).
    pub(super) public_key: &'a [u8],
    /// The fields behind the public key.
    pub(super) rest: &'a [u8],
    /// Without extensions.
    pub(super) is_of_version_1: bool,
}

impl<'a> Certificate<'a> {
    /// Yields nothing when `bytes` are no certificate.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut rest = bytes;
        let mut outer = expect(&mut rest, SEQUENCE)?;
        let mut fields = expect(&mut outer, SEQUENCE)?;
        let is_of_version_1 = fields.first() != Some(&VERSION);
        if !is_of_version_1 {
            next(&mut fields)?;
        }
        let _serial = next(&mut fields)?;
        let _algorithm = expect(&mut fields, SEQUENCE)?;
        let issuer = expect(&mut fields, SEQUENCE)?;
        let mut validity = expect(&mut fields, SEQUENCE)?;
        let (not_before, not_after) = (time(&mut validity)?, time(&mut validity)?);
        let subject = expect(&mut fields, SEQUENCE)?;
        let from_key = fields;
        let _key = expect(&mut fields, SEQUENCE)?;
        let public_key = from_key.get(..from_key.len() - fields.len())?;
        Some(Self {
            issuer,
            subject,
            not_before,
            not_after,
            public_key,
            rest: fields,
            is_of_version_1,
        })
    }

    pub(super) fn is_self_issued(&self) -> bool {
        self.issuer == self.subject
    }

    /// A certificate that names no usage is for all of them.
    pub(super) fn is_for(&self, purpose: Purpose) -> bool {
        let purposes = Extensions::read(self).and_then(|extensions| extensions.purposes);
        let Some(mut list) = purposes else {
            return true;
        };
        while let Some((_, usage)) = next(&mut list) {
            if usage.split_last() == Some((&(purpose as u8), KEY_PURPOSE)) {
                return true;
            }
        }
        false
    }
}

/// Takes one value off `input`: its tag and its content.
pub(super) fn next<'a>(input: &mut &'a [u8]) -> Option<(u8, &'a [u8])> {
    const LONG_FORM: u8 = 0x80;
    const LENGTH_BYTES_MAX: usize = 4;
    let (&tag, rest) = input.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = if first & LONG_FORM == 0 {
        (usize::from(first), rest)
    } else {
        let count = usize::from(first & !LONG_FORM);
        if count == 0 || count > LENGTH_BYTES_MAX {
            return None;
        }
        let (bytes, rest) = rest.split_at_checked(count)?;
        let length = bytes
            .iter()
            .fold(0, |sum, byte| (sum << 8) | usize::from(*byte));
        (length, rest)
    };
    let (content, rest) = rest.split_at_checked(length)?;
    *input = rest;
    Some((tag, content))
}

pub(super) fn expect<'a>(input: &mut &'a [u8], tag: u8) -> Option<&'a [u8]> {
    next(input)
        .filter(|(found, _)| *found == tag)
        .map(|(_, content)| content)
}

/// `YYMMDDhhmmssZ` or `YYYYMMDDhhmmssZ`, as seconds since 1970.
fn time(input: &mut &[u8]) -> Option<i64> {
    let (tag, text) = next(input)?;
    let digits = text.strip_suffix(b"Z")?;
    let pair = |index: usize| -> Option<i64> {
        let text = std::str::from_utf8(digits.get(index..index + 2)?).ok()?;
        text.parse().ok()
    };
    let (year, at) = match tag {
        // RFC 5280: 50 and above are of the last century.
        UTC_TIME => (
            pair(0).map(|year| if year < 50 { 2000 + year } else { 1900 + year })?,
            2,
        ),
        GENERALIZED_TIME => (pair(0)? * 100 + pair(2)?, 4),
        _ => return None,
    };
    let days = days_since_1970(year, pair(at)?, pair(at + 2)?);
    Some(((days * 24 + pair(at + 4)?) * 60 + pair(at + 6)?) * 60 + pair(at + 8)?)
}

/// Of the Gregorian calendar; years begin in March, so that the leap day is the last one.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    const DAYS_OF_400_YEARS: i64 = 146_097;
    const DAYS_UNTIL_1970: i64 = 719_468;
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = of_era * 365 + of_era / 4 - of_era / 100 + day_of_year;
    era * DAYS_OF_400_YEARS + day_of_era - DAYS_UNTIL_1970
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(days_since_1970(1970, 1, 1), 0);
        assert_eq!(days_since_1970(2000, 2, 29), 11_016);
        assert_eq!(days_since_1970(2000, 3, 1), 11_017);
        assert_eq!(days_since_1970(1969, 12, 31), -1);
    }

    #[test]
    fn times_are_read_in_both_forms() {
        let utc = [&[UTC_TIME, 13][..], b"700101000001Z"].concat();
        let generalized = [&[GENERALIZED_TIME, 15][..], b"20000301000000Z"].concat();
        assert_eq!(time(&mut &utc[..]), Some(1));
        assert_eq!(time(&mut &generalized[..]), Some(11_017 * 86_400));
    }

    #[test]
    fn what_is_cut_is_no_certificate() {
        assert!(Certificate::read(&[]).is_none());
        assert!(Certificate::read(&[SEQUENCE, 0x84, 0xff, 0xff, 0xff, 0xff]).is_none());
        assert!(Certificate::read(&[SEQUENCE, 2, SEQUENCE, 5]).is_none());
    }
}
