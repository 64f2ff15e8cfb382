//! Values as bytes: the binary form of `packages/fulmar/src/shape/binary/form.ts`, with what guests have
//! besides (`packages/fulmar/src/polyglot/wire/tags.ts`). Read as tokens, written one by one; a container is
//! its count, then what is in it.

mod reader;
mod writer;

pub use reader::{Malformed, Numbers, Reader, Token};
pub use writer::Writer;

/// Integers from here to 191 are one byte, their distance from here.
const INLINE_MIN: i64 = -32;
const INLINE_MAX: i64 = 191;

/// Largest integer that a JavaScript number tells apart from its neighbours.
pub const SAFE_INTEGER_MAX: i64 = 9_007_199_254_740_991;

/// How deep values may be nested.
pub const DEPTH_MAX: usize = 128;

/// Heads of numbers, and tags of all other values.
pub mod tag {
    #![allow(missing_docs, reason = "the names say it; the forms stand in tags.ts")]
    pub const INT16: u8 = 0xe0;
    pub const INT32: u8 = 0xe1;
    pub const FLOAT32: u8 = 0xe2;
    pub const FLOAT64: u8 = 0xe3;
    pub const NULL: u8 = 0xe4;
    pub const UNDEFINED: u8 = 0xe5;
    pub const FALSE: u8 = 0xe6;
    pub const TRUE: u8 = 0xe7;
    pub const TEXT: u8 = 0xe8;
    pub const BIGINT: u8 = 0xe9;
    pub const DATE: u8 = 0xea;
    pub const URL: u8 = 0xeb;
    pub const BYTES: u8 = 0xec;
    pub const LIST: u8 = 0xed;
    pub const NUMBERS: u8 = 0xee;
    pub const OBJECT: u8 = 0xef;
    pub const MAP: u8 = 0xf0;
    pub const SET: u8 = 0xf1;
    pub const DECIMAL: u8 = 0xf3;
    pub const ARRAY: u8 = 0xf4;
    pub const HANDLE: u8 = 0xf5;
    pub const REFERENCE: u8 = 0xf6;
    pub const ATTACHED: u8 = 0xf7;
    pub const INT64: u8 = 0xf8;
}

/// Types of the elements of an array, by their code in the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Element {
    Int8 = 0,
    Uint8 = 1,
    Int16 = 2,
    Uint16 = 3,
    Int32 = 4,
    Uint32 = 5,
    Int64 = 6,
    Uint64 = 7,
    Float32 = 8,
    Float64 = 9,
    Bool = 10,
}

impl Element {
    /// By code.
    #[must_use]
    pub fn of(code: u8) -> Option<Self> {
        const ALL: [Element; 11] = [
            Element::Int8,
            Element::Uint8,
            Element::Int16,
            Element::Uint16,
            Element::Int32,
            Element::Uint32,
            Element::Int64,
            Element::Uint64,
            Element::Float32,
            Element::Float64,
            Element::Bool,
        ];
        ALL.get(usize::from(code)).copied()
    }

    /// Bytes of one.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Self::Int8 | Self::Uint8 | Self::Bool => 1,
            Self::Int16 | Self::Uint16 => 2,
            Self::Int32 | Self::Uint32 | Self::Float32 => 4,
            Self::Int64 | Self::Uint64 | Self::Float64 => 8,
        }
    }
}
