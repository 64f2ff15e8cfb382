//! Bytes on their way to JavaScript. Large blocks do not go into the message, but beside it.

use crate::request::reply;

use super::{Element, INLINE_MAX, INLINE_MIN, tag};

/// From here on bytes are attached: given to JavaScript as they are, without another copy.
const ATTACH_BYTES_MIN: usize = 16 * 1024;

/// One message.
#[derive(Debug, Default)]
pub struct Writer {
    /// What is written.
    pub bytes: Vec<u8>,
    /// Large values of it.
    pub attached: Vec<Vec<u8>>,
    /// Numbers of the objects that stay with the guest: where the message is not sent, nobody else lets go of them.
    pub handles: Vec<u64>,
}

impl Writer {
    /// A message that begins with these.
    #[must_use]
    pub fn starting(kind: u8, id: u64) -> Self {
        let mut writer = Self {
            bytes: Vec::with_capacity(64),
            ..Self::default()
        };
        writer.byte(kind);
        writer.id(id);
        writer
    }

    /// The reply to a call that has come to nothing, for a reason that is not the language's own.
    #[must_use]
    pub fn error(call: u64, code: &str, message: &str) -> Self {
        let mut writer = Self::starting(reply::ERROR, call);
        writer.begin(tag::OBJECT, 2);
        writer.plain_text("code");
        writer.text(code);
        writer.plain_text("message");
        writer.text(message);
        writer
    }

    /// One byte.
    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// A count, a length or an id.
    #[expect(clippy::cast_possible_truncation, reason = "seven bits at a time")]
    pub fn id(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// A count or a length.
    pub fn size(&mut self, value: usize) {
        self.id(value as u64);
    }

    /// A container of so many.
    pub fn begin(&mut self, tag: u8, count: usize) {
        self.byte(tag);
        self.size(count);
    }

    /// Neither text nor number.
    pub fn null(&mut self) {
        self.byte(tag::NULL);
    }

    /// True or false.
    pub fn bool(&mut self, value: bool) {
        self.byte(if value { tag::TRUE } else { tag::FALSE });
    }

    /// An integer.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "within the range that was compared"
    )]
    pub fn int(&mut self, value: i64) {
        if (INLINE_MIN..=INLINE_MAX).contains(&value) {
            self.byte((value - INLINE_MIN) as u8);
        } else if let Ok(short) = i16::try_from(value) {
            self.byte(tag::INT16);
            self.bytes.extend(short.to_le_bytes());
        } else if let Ok(word) = i32::try_from(value) {
            self.byte(tag::INT32);
            self.bytes.extend(word.to_le_bytes());
        } else {
            self.byte(tag::INT64);
            self.bytes.extend(value.to_le_bytes());
        }
    }

    /// A number that may have a fraction.
    pub fn float(&mut self, value: f64) {
        self.byte(tag::FLOAT64);
        self.bytes.extend(value.to_le_bytes());
    }

    /// A text without its tag.
    pub fn plain_text(&mut self, text: &str) {
        self.size(text.len() * 2);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// A text.
    pub fn text(&mut self, text: &str) {
        self.byte(tag::TEXT);
        self.plain_text(text);
    }

    /// A decimal number by its digits.
    pub fn decimal(&mut self, text: &str) {
        self.byte(tag::DECIMAL);
        self.plain_text(text);
    }

    /// A large integer: its magnitude, the lowest byte first.
    pub fn big(&mut self, negative: bool, magnitude: &[u8]) {
        self.byte(tag::BIGINT);
        self.size(magnitude.len() * 2 + usize::from(negative));
        self.bytes.extend_from_slice(magnitude);
    }

    /// Milliseconds since 1970 in UTC.
    pub fn date(&mut self, ms: f64) {
        self.byte(tag::DATE);
        self.bytes.extend(ms.to_le_bytes());
    }

    /// Bytes.
    pub fn block(&mut self, bytes: &[u8]) {
        if bytes.len() < ATTACH_BYTES_MIN {
            self.begin(tag::BYTES, bytes.len());
            self.bytes.extend_from_slice(bytes);
        } else {
            self.begin(tag::ATTACHED, self.attached.len());
            self.attached.push(bytes.to_vec());
        }
    }

    /// An array of numbers with its shape, in the order of C.
    pub fn array(&mut self, element: Element, shape: &[usize], bytes: &[u8]) {
        self.byte(tag::ARRAY);
        self.byte(element as u8);
        self.size(shape.len());
        for length in shape {
            self.size(*length);
        }
        self.block(bytes);
    }

    /// An object that stays with the guest, and the name of its class.
    pub fn handle(&mut self, id: u64, class: &str) {
        self.handles.push(id);
        self.byte(tag::HANDLE);
        self.id(id);
        self.plain_text(class);
    }

    /// An object of JavaScript's that comes back.
    pub fn reference(&mut self, id: u64) {
        self.byte(tag::REFERENCE);
        self.id(id);
        self.byte(0);
    }
}
