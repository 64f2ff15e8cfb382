//! Node's encodings of bytes as text. Strings come as UTF-8 that may carry lone surrogates (as QuickJS gives
//! them).

use crate::text::each_unit;

/// In the order of Node's numbers (`buffer/encodings.ts` has the same).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Encoding {
    Ascii,
    Utf8,
    Base64,
    Utf16le,
    Latin1,
    Hex,
    Base64url,
}

impl Encoding {
    pub(crate) fn of(number: u32) -> Self {
        match number {
            0 => Self::Ascii,
            2 => Self::Base64,
            3 => Self::Utf16le,
            4 => Self::Latin1,
            5 => Self::Hex,
            7 => Self::Base64url,
            _ => Self::Utf8,
        }
    }
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE64URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const HEX: &[u8; 16] = b"0123456789abcdef";
/// What stands for "no digit" in the decoding tables.
const NONE: u8 = 0xff;

/// Both alphabets, as Node decodes either with either name.
const FROM_BASE64: [u8; 256] = {
    let mut table = [NONE; 256];
    let mut at = 0;
    while at < 64 {
        #[expect(clippy::cast_possible_truncation, reason = "below 64")]
        let digit = at as u8;
        table[BASE64[at] as usize] = digit;
        table[BASE64URL[at] as usize] = digit;
        at += 1;
    }
    table
};

/// The text of `bytes` in an encoding whose text is ASCII.
pub(crate) fn to_ascii(bytes: &[u8], encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Hex => bytes
            .iter()
            .flat_map(|b| [HEX[usize::from(b >> 4)], HEX[usize::from(b & 15)]])
            .collect(),
        Encoding::Base64 => to_base64(bytes, BASE64, true),
        Encoding::Base64url => to_base64(bytes, BASE64URL, false),
        _ => bytes.iter().map(|b| b & 0x7f).collect(),
    }
}

fn to_base64(bytes: &[u8], digits: &[u8; 64], pad: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    let mut groups = bytes.chunks_exact(3);
    let digit = |n: u32| digits[(n & 63) as usize];
    for group in &mut groups {
        let n = u32::from(group[0]) << 16 | u32::from(group[1]) << 8 | u32::from(group[2]);
        out.extend([digit(n >> 18), digit(n >> 12), digit(n >> 6), digit(n)]);
    }
    match *groups.remainder() {
        [a] => {
            let n = u32::from(a) << 16;
            out.extend([digit(n >> 18), digit(n >> 12)]);
            if pad {
                out.extend(b"==");
            }
        }
        [a, b] => {
            let n = u32::from(a) << 16 | u32::from(b) << 8;
            out.extend([digit(n >> 18), digit(n >> 12), digit(n >> 6)]);
            if pad {
                out.push(b'=');
            }
        }
        _ => {}
    }
    out
}

/// UTF-16 units of little-endian bytes; an odd byte at the end is left out.
pub(crate) fn units(bytes: &[u8]) -> Vec<u16> {
    bytes
        .chunks_exact(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
        .collect()
}

/// The most bytes that the text has in this encoding; exact for all but text with characters to skip.
pub(crate) fn byte_length(text: &[u8], encoding: Encoding) -> usize {
    match encoding {
        Encoding::Utf8 => text.len(),
        Encoding::Ascii | Encoding::Latin1 => unit_count(text),
        Encoding::Utf16le => unit_count(text) * 2,
        Encoding::Hex => unit_count(text) / 2,
        Encoding::Base64 | Encoding::Base64url => {
            let count = unit_count(text);
            let padding = text
                .iter()
                .rev()
                .take(2)
                .take_while(|b| **b == b'=')
                .count();
            let padding = if count == 1 { padding.min(1) } else { padding };
            count.saturating_sub(padding) * 3 / 4
        }
    }
}

fn unit_count(text: &[u8]) -> usize {
    // Every byte that starts a character is a unit; one of four bytes is two.
    if text.is_ascii() {
        return text.len();
    }
    text.iter()
        .map(|b| usize::from(b & 0xc0 != 0x80) + usize::from(*b >= 0xf0))
        .sum()
}

/// The bytes of `text`.
pub(crate) fn bytes_of(text: &[u8], encoding: Encoding) -> Vec<u8> {
    if encoding == Encoding::Utf8 {
        let mut bytes = text.to_vec();
        replace_surrogates(&mut bytes);
        return bytes;
    }
    let mut bytes = vec![0; byte_length(text, encoding)];
    let count = write(&mut bytes, text, encoding);
    bytes.truncate(count);
    bytes
}

/// Writes what fits, whole characters only; returns the number of bytes.
pub(crate) fn write(target: &mut [u8], text: &[u8], encoding: Encoding) -> usize {
    match encoding {
        Encoding::Utf8 => write_utf8(target, text),
        Encoding::Ascii | Encoding::Latin1 => write_latin1(target, text),
        Encoding::Utf16le => write_utf16(target, text),
        Encoding::Hex => write_hex(target, text),
        Encoding::Base64 | Encoding::Base64url => write_base64(target, text),
    }
}

fn write_utf8(target: &mut [u8], text: &[u8]) -> usize {
    let mut count = text.len().min(target.len());
    while count > 0 && count < text.len() && text[count] & 0xc0 == 0x80 {
        count -= 1;
    }
    target[..count].copy_from_slice(&text[..count]);
    replace_surrogates(&mut target[..count]);
    count
}

/// A lone surrogate is ED A0..BF xx in what QuickJS gives; U+FFFD has three bytes as well.
fn replace_surrogates(bytes: &mut [u8]) {
    if std::str::from_utf8(bytes).is_ok() {
        return;
    }
    for at in 0..bytes.len().saturating_sub(2) {
        if bytes[at] == 0xed && bytes[at + 1] >= 0xa0 {
            bytes[at..at + 3].copy_from_slice(&[0xef, 0xbf, 0xbd]);
        }
    }
}

fn write_latin1(target: &mut [u8], text: &[u8]) -> usize {
    if text.is_ascii() {
        let count = text.len().min(target.len());
        target[..count].copy_from_slice(&text[..count]);
        return count;
    }
    let mut count = 0;
    each_unit(text, |unit| {
        if let Some(place) = target.get_mut(count) {
            *place = unit.to_le_bytes()[0];
            count += 1;
        }
    });
    count
}

fn write_utf16(target: &mut [u8], text: &[u8]) -> usize {
    let mut count = 0;
    each_unit(text, |unit| {
        if let Some(place) = target.get_mut(count..count + 2) {
            place.copy_from_slice(&unit.to_le_bytes());
            count += 2;
        }
    });
    count
}

/// Stops at the first pair that is not hexadecimal.
fn write_hex(target: &mut [u8], text: &[u8]) -> usize {
    let mut count = 0;
    for (place, pair) in target.iter_mut().zip(text.chunks_exact(2)) {
        let digit = |b: u8| {
            char::from(b)
                .to_digit(16)
                .and_then(|d| u8::try_from(d).ok())
        };
        let (Some(high), Some(low)) = (digit(pair[0]), digit(pair[1])) else {
            break;
        };
        *place = high << 4 | low;
        count += 1;
    }
    count
}

/// Skips what is not a digit, stops at `=`.
fn write_base64(target: &mut [u8], text: &[u8]) -> usize {
    let (mut bits, mut held, mut count) = (0_u32, 0_u32, 0);
    for byte in text {
        if *byte == b'=' {
            break;
        }
        let digit = FROM_BASE64[usize::from(*byte)];
        if digit == NONE {
            continue;
        }
        bits = bits << 6 | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            let Some(place) = target.get_mut(count) else {
                break;
            };
            *place = (bits >> held).to_le_bytes()[0];
            bits &= (1 << held) - 1;
            count += 1;
        }
    }
    count
}

/// Why text is not base64 as the web's `atob` takes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NotBase64 {
    Character,
    Length,
}

/// Forgiving base64 decoding (WHATWG Infra).
pub(crate) fn forgiving_base64(text: &[u8]) -> Result<Vec<u8>, NotBase64> {
    let mut digits: Vec<u8> = text
        .iter()
        .copied()
        .filter(|b| !matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0c))
        .collect();
    if digits.len().is_multiple_of(4) {
        for _ in 0..2 {
            if digits.last() == Some(&b'=') {
                digits.pop();
            }
        }
    }
    if digits.iter().any(|b| !BASE64.contains(b)) {
        return Err(NotBase64::Character);
    }
    if digits.len() % 4 == 1 {
        return Err(NotBase64::Length);
    }
    let mut bytes = vec![0; digits.len() * 3 / 4];
    let count = write_base64(&mut bytes, &digits);
    bytes.truncate(count);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_there_and_back() {
        for length in 0..40_u8 {
            let bytes: Vec<u8> = (0..length).map(|n| n.wrapping_mul(77)).collect();
            for encoding in [Encoding::Base64, Encoding::Base64url, Encoding::Hex] {
                let text = to_ascii(&bytes, encoding);
                assert_eq!(bytes_of(&text, encoding), bytes);
                assert_eq!(byte_length(&text, encoding), bytes.len());
            }
        }
    }

    #[test]
    fn utf8_is_cut_at_whole_characters() {
        let mut target = [0; 4];
        assert_eq!(write(&mut target, "a€€".as_bytes(), Encoding::Utf8), 4);
        assert_eq!(write(&mut target[..3], "a€".as_bytes(), Encoding::Utf8), 1);
    }

    #[test]
    fn hex_stops_at_what_is_not_a_digit() {
        assert_eq!(bytes_of(b"abcxyz", Encoding::Hex), [0xab]);
        assert_eq!(bytes_of(b"abc", Encoding::Hex), [0xab]);
    }

    #[test]
    fn lone_surrogates_become_the_replacement_character() {
        assert_eq!(
            bytes_of(b"\xed\xa0\x80a", Encoding::Utf8),
            "\u{fffd}a".as_bytes()
        );
        assert_eq!(
            bytes_of(b"\xed\xa0\x80a", Encoding::Utf16le),
            [0x00, 0xd8, b'a', 0]
        );
    }

    #[test]
    fn atob_refuses_what_is_not_base64() {
        assert_eq!(forgiving_base64(b"YW Jj"), Ok(b"abc".to_vec()));
        assert_eq!(forgiving_base64(b"YQ=="), Ok(b"a".to_vec()));
        assert_eq!(forgiving_base64(b"YQ="), Err(NotBase64::Character));
        assert_eq!(forgiving_base64(b"Y"), Err(NotBase64::Length));
    }
}
