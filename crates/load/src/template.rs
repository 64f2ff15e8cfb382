//! Text with generated values: `{{counter}}`, `{{id}}`, `{{uuid}}`.
//!
//! First step of a request: [`crate::recipe`] renders templates into bytes to send, and renders the expected
//! content of the reply from the same values. All values follow from a request's serial number, so nothing is
//! remembered per request. Rendering never allocates beyond the growth of the caller's buffer.

use std::io::Write as _;

use crate::error::LoadError;

/// What the values of one request are made from.
#[derive(Clone, Copy, Debug)]
pub struct Values {
    /// The request's number, from 0, warm-up included.
    pub serial: u64,
    /// Changes all ids and uuids of a run.
    pub seed: u64,
    /// `{{id}}` is between 1 and this, both included.
    pub ids: u64,
}

impl Values {
    /// A well mixed number that follows from seed, serial and `salt` (`SplitMix64`, Steele et al. 2014).
    fn mixed(self, salt: u64) -> u64 {
        let golden = 0x9E37_79B9_7F4A_7C15_u64;
        let step = self.serial.wrapping_mul(2).wrapping_add(salt);
        let mut z = self
            .seed
            .wrapping_add(step.wrapping_add(1).wrapping_mul(golden));
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn id(self) -> u64 {
        self.mixed(0) % self.ids.max(1) + 1
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Literal(Vec<u8>),
    Counter,
    Id,
    Uuid,
}

/// Literal text and placeholders, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

impl Template {
    /// Splits `text` at its placeholders.
    ///
    /// # Errors
    /// [`LoadError::Usage`] when `{{` has no `}}` or names no generated value.
    pub fn parse(text: &[u8]) -> Result<Self, LoadError> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(open) = position(rest, b"{{") {
            let inner = &rest[open + 2..];
            let close = position(inner, b"}}")
                .ok_or_else(|| LoadError::Usage("\"{{\" without \"}}\" in a template".into()))?;
            if open > 0 {
                parts.push(Part::Literal(rest[..open].to_vec()));
            }
            parts.push(placeholder(&inner[..close])?);
            rest = &inner[close + 2..];
        }
        if !rest.is_empty() {
            parts.push(Part::Literal(rest.to_vec()));
        }
        Ok(Self { parts })
    }

    /// These bytes as they are, `{{` included.
    #[must_use]
    pub fn raw(text: Vec<u8>) -> Self {
        Self {
            parts: vec![Part::Literal(text)],
        }
    }

    /// The whole text, when nothing in it is generated.
    #[must_use]
    pub fn literal(&self) -> Option<&[u8]> {
        match self.parts.as_slice() {
            [] => Some(&[]),
            [Part::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// Appends the text with its values to `out`.
    pub fn render(&self, values: Values, out: &mut Vec<u8>) {
        for part in &self.parts {
            match part {
                Part::Literal(text) => out.extend_from_slice(text),
                Part::Counter => number(values.serial, out),
                Part::Id => number(values.id(), out),
                Part::Uuid => uuid(values, out),
            }
        }
    }
}

fn position(text: &[u8], pattern: &[u8]) -> Option<usize> {
    text.windows(pattern.len()).position(|part| part == pattern)
}

fn placeholder(name: &[u8]) -> Result<Part, LoadError> {
    match name.trim_ascii() {
        b"counter" => Ok(Part::Counter),
        b"id" => Ok(Part::Id),
        b"uuid" => Ok(Part::Uuid),
        other => Err(LoadError::Usage(format!(
            "unknown value {{{{{}}}}} in a template: expected counter, id or uuid",
            String::from_utf8_lossy(other)
        ))),
    }
}

fn number(value: u64, out: &mut Vec<u8>) {
    // Writing to a Vec cannot fail.
    let _ = write!(out, "{value}");
}

/// A version 4, variant 1 UUID (RFC 9562 section 5.4).
fn uuid(values: Values, out: &mut Vec<u8>) {
    let high = values.mixed(0) & !0xF000 | 0x4000;
    let low = values.mixed(1) & !(0b11 << 62) | (0b10 << 62);
    let _ = write!(
        out,
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xFFFF,
        high & 0xFFFF,
        low >> 48,
        low & 0xFFFF_FFFF_FFFF
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str, serial: u64) -> String {
        let values = Values {
            serial,
            seed: 1,
            ids: 100,
        };
        let mut out = Vec::new();
        Template::parse(text.as_bytes())
            .unwrap()
            .render(values, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn keeps_text_without_placeholders() {
        assert_eq!(rendered(r#"{"a":{"b":1}}"#, 0), r#"{"a":{"b":1}}"#);
        assert_eq!(
            Template::parse(b"abc").unwrap().literal(),
            Some(&b"abc"[..])
        );
    }

    #[test]
    fn counts_and_repeats_the_same_values_for_the_same_serial() {
        assert_eq!(rendered("/{{counter}}/x", 7), "/7/x");
        assert_eq!(
            rendered("{{id}} {{uuid}}", 7),
            rendered("{{ id }} {{uuid}}", 7)
        );
        assert_ne!(rendered("{{uuid}}", 7), rendered("{{uuid}}", 8));
    }

    #[test]
    fn ids_stay_in_their_range_and_uuids_are_version_4() {
        for serial in 0..1000 {
            assert!((1..=100).contains(&rendered("{{id}}", serial).parse::<u64>().unwrap()));
        }
        let uuid = rendered("{{uuid}}", 3);
        assert_eq!(uuid.len(), 36);
        assert_eq!(&uuid[14..15], "4");
        assert!("89ab".contains(&uuid[19..20]));
    }

    #[test]
    fn refuses_unknown_and_unfinished_placeholders() {
        assert!(Template::parse(b"{{nope}}").is_err());
        assert!(Template::parse(b"{{id").is_err());
    }
}
