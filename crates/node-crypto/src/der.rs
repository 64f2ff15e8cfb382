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

/// The class of ASN.1's own types.
const UNIVERSAL: u8 = 0;

/// What a value is called.
struct Head {
    class: u8,
    is_constructed: bool,
    number: u32,
}

/// Can this be the content of a value of ASN.1's own type with this number? As OpenSSL (`asn1_ex_c2i`).
fn fits(number: u32, content: &[u8]) -> bool {
    match number {
        0x01 => content.len() == 1,
        0x02 | 0x0a => match content {
            [] => false,
            [_] => true,
            [0, next, ..] => *next >= 0x80,
            [0xff, rest @ ..] => rest[0] < 0x80 || rest.iter().all(|byte| *byte == 0),
            _ => true,
        },
        0x03 => content.first().is_some_and(|unused| *unused < 8),
        0x05 => content.is_empty(),
        0x06 => {
            let is_padded = |pair: &[u8]| pair[0] < 0x80 && pair[1] == 0x80;
            content.last().is_some_and(|last| *last < 0x80)
                && content.first() != Some(&0x80)
                && !content.windows(2).any(is_padded)
        }
        0x17 => content.len() >= 13,
        0x18 => content.len() >= 15,
        0x1c => content.len().is_multiple_of(4),
        0x1e => content.len().is_multiple_of(2),
        _ => true,
    }
}

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

    /// Any value, as far as OpenSSL looks at it: what it is called, and that its content can be of that type.
    pub fn any(&mut self) -> Option<()> {
        let (head, content) = self.head()?;
        let is_whole = match (head.class, head.number) {
            // Two zeros are the end of something.
            (UNIVERSAL, 0) if !head.is_constructed => !content.is_empty(),
            (UNIVERSAL, 0x10 | 0x11) => head.is_constructed,
            (UNIVERSAL, 0x01 | 0x02 | 0x05 | 0x06 | 0x0a) if head.is_constructed => false,
            (UNIVERSAL, number) if head.is_constructed => {
                let mut parts = Vec::new();
                Reader::new(content).collect(&mut parts, 0)?;
                fits(number, &parts)
            }
            (UNIVERSAL, number) => fits(number, content),
            _ => true,
        };
        is_whole.then_some(())
    }

    /// The next value by what its first bytes say, which may be more than two.
    fn head(&mut self) -> Option<(Head, &'a [u8])> {
        const LONG_FORM: u8 = 0x1f;
        const MORE: u8 = 0x80;
        let first = self.tag()?;
        let mut head = Head {
            class: first >> 6,
            is_constructed: first & 0x20 != 0,
            number: u32::from(first & LONG_FORM),
        };
        if first & LONG_FORM == LONG_FORM {
            head.number = 0;
            loop {
                self.rest = self.rest.get(1..)?;
                let byte = *self.rest.first()?;
                // OpenSSL's limit is that of a C int.
                if head.number > (i32::MAX >> 7).cast_unsigned() {
                    return None;
                }
                head.number = head.number << 7 | u32::from(byte & !MORE);
                if byte & MORE == 0 {
                    break;
                }
            }
        }
        let (_, content) = self.next()?;
        Some((head, content))
    }

    /// The content of a string that is made of parts.
    fn collect(&mut self, parts: &mut Vec<u8>, depth: u32) -> Option<()> {
        /// OpenSSL's.
        const DEPTH_MAX: u32 = 5;
        while !self.is_empty() {
            if self.rest.starts_with(&[0, 0]) {
                return None;
            }
            let (head, content) = self.head()?;
            if !head.is_constructed {
                parts.extend(content);
            } else if depth < DEPTH_MAX {
                Reader::new(content).collect(parts, depth + 1)?;
            } else {
                return None;
            }
        }
        Some(())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn is_any(bytes: &[u8]) -> bool {
        let mut reader = Reader::new(bytes);
        reader.any().is_some() && reader.is_empty()
    }

    /// What OpenSSL 3.5 takes as parameters of an algorithm.
    #[test]
    fn any_value_is_one_whose_content_can_be_of_its_type() {
        let taken: [&[u8]; 12] = [
            &[0x05, 0x00],
            &[0x00, 0x01, 0x00],
            &[0x02, 0x02, 0x00, 0x80],
            &[0x03, 0x02, 0x07, 0x80],
            &[0x06, 0x02, 0x2a, 0x03],
            &[0x24, 0x03, 0x04, 0x01, 0x07],
            &[0x30, 0x01, 0xff],
            &[0x1e, 0x02, 0x00, 0x41],
            &[0x1f, 0x03, 0x02, 0x01, 0x00],
            &[0x5f, 0x01, 0x00],
            &[0x9f, 0x81, 0x01, 0x01, 0x00],
            &[0xa0, 0x01, 0xff],
        ];
        for bytes in taken {
            assert!(is_any(bytes), "{bytes:02x?}");
        }
        let refused: [&[u8]; 15] = [
            &[],
            &[0x00, 0x00],
            &[0x02, 0x02, 0x00, 0x7f],
            &[0x02, 0x02, 0xff, 0x80],
            &[0x03, 0x01, 0x08],
            &[0x06, 0x01, 0x80],
            &[0x06, 0x02, 0x2a, 0x80],
            &[0x17, 0x00],
            &[0x37, 0x00],
            &[0x20, 0x02, 0x00, 0x00],
            &[0x25, 0x00],
            &[0x10, 0x00],
            &[0x1e, 0x01, 0x00],
            &[0x1f],
            &[0x1f, 0x81],
        ];
        for bytes in refused {
            assert!(!is_any(bytes), "{bytes:02x?}");
        }
    }

    #[test]
    fn strings_of_parts_are_nested_as_deep_as_openssl_takes_them() {
        let nested = |depth: usize| {
            let inner = value(OCTET_STRING, &[&[7]]);
            (0..depth).fold(inner, |inner, _| value(0x24, &[&inner]))
        };
        assert!(is_any(&nested(6)));
        assert!(!is_any(&nested(7)));
    }
}
