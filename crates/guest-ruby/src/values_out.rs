//! Ruby's values become those of a message. Within `Ruby::protect`: the writer belongs to a frame outside of it,
//! and nothing here has anything to drop while Ruby may raise.

use fulmar_guest::wire::{DEPTH_MAX, Element, Writer, tag};

use crate::ffi::Value;
use crate::language::State;
use crate::references;
use crate::ruby::{Failure, Outcome, Ruby, keep};

/// Dimensions that an array may have.
const DIMENSIONS_MAX: usize = 32;

/// What values are written with: whose handles are made.
#[derive(Clone, Copy)]
pub(crate) struct Outgoing<'a> {
    pub(crate) ruby: Ruby,
    pub(crate) state: &'a State,
    pub(crate) client: u64,
}

/// Kinds of what `convert` of `support.rb` returns.
mod kind {
    pub(super) const HANDLE: i64 = 0;
    pub(super) const DATE: i64 = 1;
    pub(super) const DECIMAL: i64 = 2;
    pub(super) const OBJECT: i64 = 3;
    pub(super) const LIST: i64 = 4;
    pub(super) const SET: i64 = 5;
    pub(super) const ARRAY: i64 = 6;
    pub(super) const PLAIN: i64 = 7;
}

impl Outgoing<'_> {
    pub(crate) fn value(self, writer: &mut Writer, value: Value) -> Outcome<()> {
        self.nested(writer, value, 0)
    }

    /// As a handle, whatever it is but nothing.
    pub(crate) fn handle(self, writer: &mut Writer, value: Value) -> Outcome<()> {
        let ruby = self.ruby;
        if value == ruby.vm().nil {
            writer.null();
            return Ok(());
        }
        let name = self.state.made(ruby, "class_name", &[value]);
        self.kept(writer, value, name)
    }

    fn kept(self, writer: &mut Writer, value: Value, name: Value) -> Outcome<()> {
        let id = self.state.keep(self.ruby, self.client, value)?;
        self.ruby.with_bytes(name, |name| {
            writer.handle(id, &String::from_utf8_lossy(name));
        });
        Ok(())
    }

    fn nested(self, writer: &mut Writer, value: Value, depth: usize) -> Outcome<()> {
        if depth > DEPTH_MAX {
            return Err(Failure::Value(format!(
                "the result is nested deeper than {DEPTH_MAX} levels, or contains itself"
            )));
        }
        let ruby = self.ruby;
        let vm = ruby.vm();
        let class = ruby.class(value);
        if value == vm.nil {
            writer.null();
        } else if class == vm.api.rb_cString() {
            self.text(writer, value, depth)?;
        } else if class == vm.api.rb_cInteger() {
            self.int(writer, value);
        } else if class == vm.api.rb_cHash() {
            self.hash(writer, value, depth)?;
        } else if class == vm.api.rb_cArray() {
            self.list(writer, value, tag::LIST, depth)?;
        } else if class == vm.api.rb_cFloat() {
            writer.float(ruby.as_float(value));
        } else if class == vm.api.rb_cSymbol() {
            self.text(writer, ruby.symbol_text(value), depth)?;
        } else if value == vm.yes || value == vm.no {
            writer.bool(value == vm.yes);
        } else {
            self.rare(writer, value, depth)?;
        }
        Ok(())
    }

    fn int(self, writer: &mut Writer, value: Value) {
        const WORD_BYTES: usize = 8;
        let bytes = self.ruby.magnitude_bytes(value);
        // Of eight bytes, and the sign does not fit.
        if bytes >= WORD_BYTES {
            let mut magnitude = vec![0u8; bytes];
            let is_negative = self.ruby.magnitude(value, &mut magnitude);
            writer.big(is_negative, &magnitude);
        } else {
            writer.int(self.ruby.as_int(value));
        }
    }

    fn text(self, writer: &mut Writer, value: Value, depth: usize) -> Outcome<()> {
        let ruby = self.ruby;
        let encoding = ruby.encoding(value);
        if encoding == ruby.vm().binary {
            ruby.with_bytes(value, |bytes| writer.block(bytes));
            return Ok(());
        }
        if !self.is_unicode(value) {
            let converted = self.state.made(ruby, "to_unicode", &[value]);
            return self.nested(writer, converted, depth + 1);
        }
        ruby.with_bytes(value, |bytes| match std::str::from_utf8(bytes) {
            Ok(text) => {
                writer.text(text);
                Ok(())
            }
            Err(_) => Err(broken()),
        })
    }

    fn is_unicode(self, text: Value) -> bool {
        let encoding = self.ruby.encoding(text);
        encoding == self.ruby.vm().utf8 || encoding == self.ruby.vm().ascii
    }

    /// A list may change while its items are written: what is not there any more is nothing.
    fn list(self, writer: &mut Writer, list: Value, tag: u8, depth: usize) -> Outcome<()> {
        let length = self.ruby.length(list);
        writer.begin(tag, length);
        for index in 0..length {
            self.nested(writer, self.ruby.item(list, index), depth + 1)?;
        }
        Ok(())
    }

    fn hash(self, writer: &mut Writer, hash: Value, depth: usize) -> Outcome<()> {
        let ruby = self.ruby;
        let pairs = ruby.pairs(hash);
        let count = ruby.length(pairs) / 2;
        let is_named = (0..count).all(|index| self.is_name(ruby.item(pairs, index * 2)));
        let tag = if is_named { tag::OBJECT } else { tag::MAP };
        writer.begin(tag, count);
        for index in 0..count {
            let key = ruby.item(pairs, index * 2);
            if is_named {
                self.name(writer, key)?;
            } else {
                self.nested(writer, key, depth + 1)?;
            }
            self.nested(writer, ruby.item(pairs, index * 2 + 1), depth + 1)?;
        }
        keep(pairs);
        Ok(())
    }

    fn is_name(self, key: Value) -> bool {
        let class = self.ruby.class(key);
        let api = self.ruby.api();
        class == api.rb_cSymbol() || class == api.rb_cString() && self.is_unicode(key)
    }

    fn name(self, writer: &mut Writer, key: Value) -> Outcome<()> {
        let ruby = self.ruby;
        let text = if ruby.class(key) == ruby.api().rb_cSymbol() {
            ruby.symbol_text(key)
        } else {
            key
        };
        ruby.with_bytes(text, |bytes| match std::str::from_utf8(bytes) {
            Ok(text) => {
                writer.plain_text(text);
                Ok(())
            }
            Err(_) => Err(broken()),
        })
    }

    /// What Ruby itself has to look at.
    fn rare(self, writer: &mut Writer, value: Value, depth: usize) -> Outcome<()> {
        let ruby = self.ruby;
        if let Some(reference) = references::behind(ruby, value) {
            if reference.client_id != self.client {
                return Err(Failure::Value(
                    "an object of another thread's JavaScript".to_owned(),
                ));
            }
            writer.reference(reference.id);
            keep(value);
            return Ok(());
        }
        let converted = self.state.made(ruby, "convert", &[value]);
        let item = |index| ruby.item(converted, index);
        match ruby.as_int(item(0)) {
            kind::DATE => writer.date(ruby.as_float(item(1))),
            kind::DECIMAL => {
                ruby.with_bytes(item(1), |text| {
                    writer.decimal(&String::from_utf8_lossy(text));
                });
            }
            kind::OBJECT => self.hash(writer, item(1), depth)?,
            kind::LIST => self.list(writer, item(1), tag::LIST, depth)?,
            kind::SET => self.list(writer, item(1), tag::SET, depth)?,
            kind::PLAIN => self.nested(writer, item(1), depth + 1)?,
            kind::ARRAY => self.array(writer, item(1), item(2), item(3))?,
            kind::HANDLE => self.kept(writer, value, item(1))?,
            other => return Err(Failure::Value(format!("a value of the kind {other}"))),
        }
        keep(converted);
        Ok(())
    }

    fn array(self, writer: &mut Writer, code: Value, shape: Value, data: Value) -> Outcome<()> {
        let ruby = self.ruby;
        let element = u8::try_from(ruby.as_int(code)).ok().and_then(Element::of);
        let dimensions = ruby.length(shape);
        let Some(element) = element.filter(|_| dimensions <= DIMENSIONS_MAX) else {
            return Err(Failure::Value("an array of another kind".to_owned()));
        };
        let mut lengths = [0usize; DIMENSIONS_MAX];
        let lengths = &mut lengths[..dimensions];
        for (index, length) in lengths.iter_mut().enumerate() {
            *length = usize::try_from(ruby.as_int(ruby.item(shape, index))).unwrap_or(0);
        }
        ruby.with_bytes(data, |bytes| writer.array(element, lengths, bytes));
        Ok(())
    }
}

fn broken() -> Failure {
    Failure::Value(
        "a text whose bytes are no UTF-8, which JavaScript has no text for: text.scrub replaces them, text.b gives bytes"
            .to_owned(),
    )
}
