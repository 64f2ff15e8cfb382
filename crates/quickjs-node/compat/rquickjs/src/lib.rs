//! The rquickjs that this program has, for a crate that asks for an older one: a program has one engine.

pub use current::*;
