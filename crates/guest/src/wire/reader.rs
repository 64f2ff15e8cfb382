//! Bytes on their way into a guest. Every length is held against what is left before anything is made of it.

use super::{Element, INLINE_MIN, SAFE_INTEGER_MAX, tag};

/// What is wrong with a message, in words for whoever made the value.
#[derive(Debug)]
pub struct Malformed(pub String);

type Result<T> = std::result::Result<T, Malformed>;

fn malformed<T>(text: &str) -> Result<T> {
    Err(Malformed(text.to_owned()))
}

/// The next value, or the beginning of one.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Token<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(&'a str),
    /// Magnitude, the lowest byte first.
    Big {
        negative: bool,
        magnitude: &'a [u8],
    },
    /// Milliseconds since 1970 in UTC.
    Date(f64),
    Bytes(&'a [u8]),
    Decimal(&'a str),
    /// So many values follow.
    List(usize),
    Set(usize),
    Numbers(Numbers<'a>),
    /// So many pairs of a text (`Reader::text`) and a value follow.
    Object(usize),
    /// So many pairs of values follow.
    Map(usize),
    /// Its shape is read by `Reader::size`, `dimensions` times; then its bytes by `Reader::block`.
    Array {
        element: Element,
        dimensions: usize,
    },
    /// An object of this guest's.
    Handle(u64),
    /// An object of JavaScript's.
    Reference {
        id: u64,
        callable: bool,
    },
}

/// A list of numbers in one form.
#[derive(Debug, Clone, Copy)]
pub struct Numbers<'a> {
    bytes: &'a [u8],
    form: u8,
}

impl<'a> Numbers<'a> {
    const BYTES: [usize; 5] = [1, 2, 4, 4, 8];

    /// How many.
    #[must_use]
    pub fn len(self) -> usize {
        self.bytes.len() / Self::BYTES[usize::from(self.form)]
    }

    /// None at all.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.bytes.is_empty()
    }

    /// One after the other, integers as such.
    pub fn tokens(self) -> impl Iterator<Item = Token<'a>> {
        let each = Self::BYTES[usize::from(self.form)];
        self.bytes.chunks_exact(each).map(move |bytes| match bytes {
            [a] => Token::Int(i64::from(i8::from_le_bytes([*a]))),
            [a, b] => Token::Int(i64::from(i16::from_le_bytes([*a, *b]))),
            [a, b, c, d] if self.form == 2 => {
                Token::Int(i64::from(i32::from_le_bytes([*a, *b, *c, *d])))
            }
            [a, b, c, d] => number(f64::from(f32::from_le_bytes([*a, *b, *c, *d]))),
            _ => number(bytes.try_into().map_or(0.0, f64::from_le_bytes)),
        })
    }
}

/// A JavaScript number: an integer where it is one that others cannot be taken for.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "compared exactly, and within what both have"
)]
fn number<'a>(value: f64) -> Token<'a> {
    let is_integer = value.trunc() == value
        && value.abs() <= SAFE_INTEGER_MAX as f64
        && (value != 0.0 || value.is_sign_positive());
    if is_integer {
        Token::Int(value as i64)
    } else {
        Token::Float(value)
    }
}

/// A message that is read from its beginning.
#[derive(Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    attached: &'a [Vec<u8>],
}

impl<'a> Reader<'a> {
    /// `attached`: large values that the message names by their number.
    #[must_use]
    pub fn new(bytes: &'a [u8], attached: &'a [Vec<u8>]) -> Self {
        Self { bytes, attached }
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        match self.bytes.split_at_checked(count) {
            Some((taken, rest)) => {
                self.bytes = rest;
                Ok(taken)
            }
            None => malformed("a message that ends within a value"),
        }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let taken = self.take(N)?;
        taken
            .try_into()
            .map_err(|_| Malformed("a message that ends within a value".to_owned()))
    }

    /// The next byte.
    pub fn byte(&mut self) -> Result<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    /// A count, a length or an id.
    pub fn id(&mut self) -> Result<u64> {
        let mut value = 0u64;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        malformed("a count of more than nine bytes")
    }

    /// A length, of which nothing is allocated yet.
    pub fn size(&mut self) -> Result<usize> {
        usize::try_from(self.id()?).map_err(|_| Malformed("a count too large".to_owned()))
    }

    /// A count of things that take a byte each at least.
    pub fn count(&mut self) -> Result<usize> {
        let count = self.size()?;
        if count > self.bytes.len() {
            return malformed("a count of more than the message has");
        }
        Ok(count)
    }

    /// A text without its tag.
    pub fn text(&mut self) -> Result<&'a str> {
        let size = self.size()?;
        let bytes = self.take(size / 2)?;
        if size % 2 == 1 {
            return malformed(
                "a text with half a character (a lone surrogate), which no other language has: toWellFormed() replaces it",
            );
        }
        std::str::from_utf8(bytes).map_err(|_| Malformed("a text that is no UTF-8".to_owned()))
    }

    /// Bytes, in the message or beside it, without a tag before their own.
    pub fn block(&mut self) -> Result<&'a [u8]> {
        match self.byte()? {
            tag::BYTES => {
                let length = self.size()?;
                self.take(length)
            }
            tag::ATTACHED => {
                let index = self.size()?;
                match self.attached.get(index) {
                    Some(bytes) => Ok(bytes),
                    None => malformed("an attached value that is not there"),
                }
            }
            _ => malformed("bytes that are none"),
        }
    }

    /// The next value.
    pub fn token(&mut self) -> Result<Token<'a>> {
        let rest = self.bytes;
        let head = self.byte()?;
        if head < tag::INT16 {
            return Ok(Token::Int(i64::from(head) + INLINE_MIN));
        }
        Ok(match head {
            tag::INT16 => Token::Int(i64::from(i16::from_le_bytes(self.array()?))),
            tag::INT32 => Token::Int(i64::from(i32::from_le_bytes(self.array()?))),
            tag::INT64 => Token::Int(i64::from_le_bytes(self.array()?)),
            tag::FLOAT32 => number(f64::from(f32::from_le_bytes(self.array()?))),
            tag::FLOAT64 => number(f64::from_le_bytes(self.array()?)),
            tag::NULL | tag::UNDEFINED => Token::Null,
            tag::FALSE => Token::Bool(false),
            tag::TRUE => Token::Bool(true),
            tag::TEXT | tag::URL => Token::Text(self.text()?),
            tag::BIGINT => {
                let size = self.size()?;
                Token::Big {
                    negative: size % 2 == 1,
                    magnitude: self.take(size / 2)?,
                }
            }
            tag::DATE => Token::Date(f64::from_le_bytes(self.array()?)),
            tag::BYTES | tag::ATTACHED => {
                self.bytes = rest;
                Token::Bytes(self.block()?)
            }
            tag::LIST => Token::List(self.count()?),
            tag::SET => Token::Set(self.count()?),
            tag::NUMBERS => Token::Numbers(self.numbers()?),
            tag::OBJECT => Token::Object(self.count()?),
            tag::MAP => Token::Map(self.count()?),
            tag::DECIMAL => Token::Decimal(self.text()?),
            tag::ARRAY => {
                let element = Element::of(self.byte()?);
                let element =
                    element.ok_or_else(|| Malformed("an array of unknown elements".to_owned()))?;
                let dimensions = self.count()?;
                Token::Array {
                    element,
                    dimensions,
                }
            }
            tag::HANDLE => Token::Handle(self.id()?),
            tag::REFERENCE => Token::Reference {
                id: self.id()?,
                callable: self.byte()? == 1,
            },
            _ => return malformed("a value of an unknown kind"),
        })
    }

    fn numbers(&mut self) -> Result<Numbers<'a>> {
        let count = self.count()?;
        if count == 0 {
            return Ok(Numbers {
                bytes: &[],
                form: 0,
            });
        }
        let form = self.byte()?;
        let Some(each) = Numbers::BYTES.get(usize::from(form)) else {
            return malformed("numbers of an unknown form");
        };
        let bytes = self.take(count.saturating_mul(*each))?;
        Ok(Numbers { bytes, form })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Writer;

    /// Reads a value with all that is in it. How many tokens it has.
    fn whole(reader: &mut Reader<'_>) -> Result<usize> {
        let count = match reader.token()? {
            Token::List(count) | Token::Set(count) => count,
            Token::Map(count) => count * 2,
            Token::Object(count) => {
                let mut tokens = 1;
                for _ in 0..count {
                    reader.text()?;
                    tokens += whole(reader)?;
                }
                return Ok(tokens);
            }
            Token::Array { dimensions, .. } => {
                for _ in 0..dimensions {
                    reader.size()?;
                }
                reader.block()?;
                return Ok(1);
            }
            Token::Numbers(numbers) => return Ok(1 + numbers.tokens().count()),
            _ => return Ok(1),
        };
        (0..count).try_fold(1, |tokens, _| Ok(tokens + whole(reader)?))
    }

    /// A value with one of each kind in it.
    fn every_kind() -> Vec<u8> {
        let mut writer = Writer::default();
        writer.begin(tag::LIST, 14);
        writer.null();
        writer.bool(true);
        for number in [-32, 191, 300, 70_000, i64::MAX] {
            writer.int(number);
        }
        writer.float(0.5);
        writer.text("\u{e4}");
        writer.big(true, &[1, 2, 3]);
        writer.date(0.0);
        writer.decimal("1.50");
        writer.array(Element::Int16, &[1, 2], &[1, 2, 3, 4]);
        writer.begin(tag::OBJECT, 1);
        writer.plain_text("name");
        writer.begin(tag::NUMBERS, 2);
        writer.bytes.extend([1, 1, 0, 2, 0]);
        writer.bytes
    }

    #[test]
    fn what_is_written_is_read() -> Result<()> {
        let bytes = every_kind();
        let mut reader = Reader::new(&bytes, &[]);
        assert_eq!(whole(&mut reader)?, 18);
        assert!(reader.bytes.is_empty());
        Ok(())
    }

    #[test]
    fn a_message_that_ends_anywhere_is_refused() {
        let bytes = every_kind();
        for end in 0..bytes.len() {
            let part = bytes.get(..end).unwrap_or_default();
            assert!(whole(&mut Reader::new(part, &[])).is_err(), "{end}");
        }
    }

    #[test]
    fn any_byte_in_any_place_is_read_or_refused() {
        let bytes = every_kind();
        for place in 0..bytes.len() {
            for byte in 0..=u8::MAX {
                let mut changed = bytes.clone();
                changed[place] = byte;
                let _read_or_not = whole(&mut Reader::new(&changed, &[]));
            }
        }
    }

    #[test]
    fn counts_beyond_the_message_are_refused_before_anything_is_made() {
        for kind in [tag::LIST, tag::SET, tag::OBJECT, tag::MAP, tag::NUMBERS] {
            let mut writer = Writer::default();
            writer.byte(kind);
            writer.id(u64::from(u32::MAX));
            assert!(Reader::new(&writer.bytes, &[]).token().is_err());
        }
    }

    #[test]
    fn half_a_character_is_refused_with_what_to_do() {
        let mut reader = Reader::new(&[tag::TEXT, 3, b'x'], &[]);
        let text = reader.token().err().map(|problem| problem.0);
        assert!(text.is_some_and(|text| text.contains("toWellFormed")));
    }
}
