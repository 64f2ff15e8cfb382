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
