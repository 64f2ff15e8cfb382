//! Values of a message become Ruby's. Within `Ruby::protect`: nothing here has anything to drop while Ruby may raise.

use std::sync::Arc;

use fulmar_guest::Client;
use fulmar_guest::wire::{DEPTH_MAX, Reader, Token};

use crate::ffi::Value;
use crate::language::State;
use crate::references;
use crate::ruby::{Failure, Outcome, Ruby};

/// What values are read with: whose handles are meant, and what makes the rarer ones.
#[derive(Clone, Copy)]
pub(crate) struct Incoming<'a> {
    pub(crate) ruby: Ruby,
    pub(crate) state: &'a State,
    pub(crate) client: &'a Arc<Client>,
}

impl Incoming<'_> {
    pub(crate) fn value(self, reader: &mut Reader<'_>) -> Outcome<Value> {
        self.nested(reader, 0)
    }

    /// So many values, whose count comes first, in a list.
    pub(crate) fn values(self, reader: &mut Reader<'_>) -> Outcome<Value> {
        let count = reader.count()?;
        self.list(reader, count, 0)
    }

    /// Arguments by name, whose count comes first, with symbols as keys; nothing where there are none.
    pub(crate) fn named(self, reader: &mut Reader<'_>) -> Outcome<Option<Value>> {
        let count = reader.count()?;
        if count == 0 {
            return Ok(None);
        }
        let hash = self.ruby.hash();
        for _ in 0..count {
            let key = self.ruby.symbol(reader.text()?);
            self.ruby.set(hash, key, self.nested(reader, 1)?);
        }
        Ok(Some(hash))
    }

    fn list(self, reader: &mut Reader<'_>, count: usize, depth: usize) -> Outcome<Value> {
        let list = self.ruby.list(count);
        for _ in 0..count {
            self.ruby.push(list, self.nested(reader, depth + 1)?);
        }
        Ok(list)
    }

    fn nested(self, reader: &mut Reader<'_>, depth: usize) -> Outcome<Value> {
        let ruby = self.ruby;
        if depth > DEPTH_MAX {
            return Err(Failure::Value(format!(
                "a value nested deeper than {DEPTH_MAX} levels"
            )));
        }
        match reader.token()? {
            Token::List(count) => self.list(reader, count, depth),
            Token::Numbers(numbers) => {
                let list = ruby.list(numbers.len());
                for token in numbers.tokens() {
                    let number = match token {
                        Token::Int(value) => ruby.int(value),
                        Token::Float(value) => ruby.float(value),
                        _ => ruby.vm().nil,
                    };
                    ruby.push(list, number);
                }
                Ok(list)
            }
            Token::Object(count) => {
                let hash = ruby.hash();
                for _ in 0..count {
                    let key = ruby.text(reader.text()?);
                    ruby.set(hash, key, self.nested(reader, depth + 1)?);
                }
                Ok(hash)
            }
            Token::Map(count) => {
                let hash = ruby.hash();
                for _ in 0..count {
                    let key = self.nested(reader, depth + 1)?;
                    ruby.set(hash, key, self.nested(reader, depth + 1)?);
                }
                Ok(hash)
            }
            Token::Set(count) => {
                let items = self.list(reader, count, depth)?;
                Ok(self.state.made(ruby, "set_of", &[items]))
            }
            Token::Array {
                element,
                dimensions,
            } => {
                let shape = ruby.list(dimensions);
                let mut count = 1usize;
                for _ in 0..dimensions {
                    let length = reader.size()?;
                    count = count.saturating_mul(length);
                    ruby.push(shape, ruby.unsigned(length as u64));
                }
                let bytes = reader.block()?;
                if count.saturating_mul(element.bytes()) != bytes.len() {
                    return Err(Failure::Value(
                        "an array whose shape does not fit its data".to_owned(),
                    ));
                }
                let data = ruby.bytes(bytes);
                let arguments = [ruby.int(element as i64), shape, data];
                Ok(self.state.made(ruby, "array", &arguments))
            }
            plain => self.plain(plain),
        }
    }

    fn plain(self, token: Token<'_>) -> Outcome<Value> {
        let ruby = self.ruby;
        Ok(match token {
            Token::Bool(value) => ruby.bool(value),
            Token::Int(value) => ruby.int(value),
            Token::Float(value) => ruby.float(value),
            Token::Text(text) => ruby.text(text),
            Token::Bytes(bytes) => ruby.bytes(bytes),
            Token::Date(ms) => self.state.made(ruby, "time", &[ruby.float(ms)]),
            Token::Decimal(text) => self.state.made(ruby, "decimal", &[ruby.text(text)]),
            Token::Big {
                negative,
                magnitude,
            } => ruby.big(negative, magnitude),
            Token::Handle(id) => return self.state.handle(ruby, self.client.id, id),
            Token::Reference { id, callable } => {
                references::make(ruby, self.state.reference_class(callable), self.client, id)
            }
            _ => ruby.vm().nil,
        })
    }
}
