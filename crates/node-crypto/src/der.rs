//! ASN.1 in DER: as much as keys and certificates need.

pub const INTEGER: u8 = 0x02;
pub const BIT_STRING: u8 = 0x03;
pub const OCTET_STRING: u8 = 0x04;
pub const NULL: u8 = 0x05;
pub const OBJECT: u8 = 0x06;
pub const SEQUENCE: u8 = 0x30;
/// `[0]` and `[1]`, constructed: what surrounds optional parts.
pub const CONTEXT_0: u8 = 0xa0;
pub const CONTEXT_1: u8 = 0xa1;

/// Reads values one after the other; `None` when something else is there.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next value's tag.
    pub fn tag(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// The next value: all its bytes and its content.
    fn next(&mut self) -> Option<(&'a [u8], &'a [u8])> {
        let first = usize::from(*self.rest.get(1)?);
        let (length, head) = match first {
            0..=0x7f => (first, 2),
            0x81..=0x84 => {
                let digits = self.rest.get(2..2 + first - 0x80)?;
                let length = digits
                    .iter()
                    .fold(0, |sum, digit| sum << 8 | usize::from(*digit));
                (length, 2 + digits.len())
            }
            _ => return None,
        };
        let (all, rest) = self.rest.split_at_checked(head.checked_add(length)?)?;
        self.rest = rest;
        Some((all, all.get(head..)?))
    }

    /// The content of the next value, which has this tag.
    pub fn take(&mut self, tag: u8) -> Option<&'a [u8]> {
        (self.tag()? == tag)
            .then(|| self.next())?
            .map(|(_, content)| content)
    }

    /// All bytes of the next value.
    pub fn whole(&mut self) -> Option<&'a [u8]> {
        self.next().map(|(all, _)| all)
    }

    pub fn sequence(&mut self) -> Option<Reader<'a>> {
        self.take(SEQUENCE).map(Reader::new)
    }

    /// `Some` when nothing is left.
    pub fn end(&self) -> Option<()> {
        self.is_empty().then_some(())
    }

    /// What is within a value of this tag that is there if there is anything like it.
    #[expect(
        clippy::option_option,
        reason = "absent is as good as present; broken is neither"
    )]
    pub fn optional(&mut self, tag: u8) -> Option<Option<Reader<'a>>> {
        if self.tag() != Some(tag) {
            return Some(None);
        }
        self.take(tag).map(Reader::new).map(Some)
    }

    /// Any value, as far as OpenSSL looks at it: that its type and its length can belong together.
    pub fn any(&mut self) -> Option<()> {
        let tag = self.tag()?;
        let (_, content) = self.next()?;
        let is_whole = match tag {
            0x00 | 0x10 | 0x11 => false,
            0x01 => content.len() == 1,
            0x02 | 0x03 | 0x06 | 0x0a => !content.is_empty(),
            0x05 => content.is_empty(),
            _ => tag & 0x1f != 0x1f,
        };
        is_whole.then_some(())
    }

    /// The number of a version: OpenSSL takes any, and looks only at some.
    pub fn version(&mut self) -> Option<&'a [u8]> {
        let bytes = self.take(INTEGER)?;
        (bytes.len() <= 4).then_some(bytes)
    }

    /// A number that is not negative, without leading zeros.
    pub fn integer(&mut self) -> Option<&'a [u8]> {
        let bytes = self.take(INTEGER)?;
        if bytes.is_empty() {
            return None;
        }
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        bytes.get(zeros..)
    }

    /// A bit string; bits of the last byte that do not count are zero, as in OpenSSL.
    pub fn bits(&mut self) -> Option<Vec<u8>> {
        let (unused, bytes) = self.take(BIT_STRING)?.split_first()?;
        let mut bytes = bytes.to_vec();
        if let Some(last) = bytes.last_mut() {
            *last &= 0xff_u8.checked_shl(u32::from(*unused))?;
        }
        Some(bytes)
    }

    /// A small number.
    pub fn number(&mut self) -> Option<u32> {
        let bytes = self.integer()?;
        (bytes.len() <= 4).then(|| {
            bytes
                .iter()
                .fold(0, |sum, byte| sum << 8 | u32::from(*byte))
        })
    }
}

/// A value of `parts`, one after the other.
pub fn value(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut out = vec![tag];
    let digits = length.to_be_bytes();
    let digits = &digits[digits.iter().take_while(|digit| **digit == 0).count()..];
    match u8::try_from(length) {
        Ok(short) if short < 0x80 => out.push(short),
        _ => {
            out.push(0x80 | u8::try_from(digits.len()).unwrap_or(0));
            out.extend(digits);
        }
    }
    for part in parts {
        out.extend(*part);
    }
    out
}

pub fn sequence(parts: &[&[u8]]) -> Vec<u8> {
    value(SEQUENCE, parts)
}

/// A number that is not negative.
pub fn integer(bytes: &[u8]) -> Vec<u8> {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let bytes = &bytes[zeros.min(bytes.len())..];
    match bytes.first() {
        None => value(INTEGER, &[&[0]]),
        Some(first) if *first >= 0x80 => value(INTEGER, &[&[0], bytes]),
        Some(_) => value(INTEGER, &[bytes]),
    }
}

pub fn number(value: u32) -> Vec<u8> {
    integer(&value.to_be_bytes())
}

pub fn bits(bytes: &[u8]) -> Vec<u8> {
    value(BIT_STRING, &[&[0], bytes])
}
