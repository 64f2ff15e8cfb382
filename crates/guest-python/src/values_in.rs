//! Values of a message become Python's.

use fulmar_guest::wire::{DEPTH_MAX, Reader, Token};

use crate::language::State;
use crate::object::{Failure, Object, Outcome, Python};

/// What values are read with: whose handles are meant, and what makes the rarer ones.
#[derive(Clone, Copy)]
pub(crate) struct Incoming<'a> {
    pub(crate) state: &'a State,
    pub(crate) client: u64,
}

impl Incoming<'_> {
    pub(crate) fn value<'py>(
        self,
        python: Python<'py>,
        reader: &mut Reader<'_>,
    ) -> Outcome<'py, Object<'py>> {
        self.nested(python, reader, 0)
    }

    /// So many values, whose count comes first.
    pub(crate) fn values<'py>(
        self,
        python: Python<'py>,
        reader: &mut Reader<'_>,
    ) -> Outcome<'py, Vec<Object<'py>>> {
        let count = reader.count()?;
        (0..count).map(|_| self.value(python, reader)).collect()
    }

    /// Arguments by name, whose count comes first; nothing where there are none.
    pub(crate) fn named<'py>(
        self,
        python: Python<'py>,
        reader: &mut Reader<'_>,
    ) -> Outcome<'py, Option<Object<'py>>> {
        let count = reader.count()?;
        if count == 0 {
            return Ok(None);
        }
        self.object(python, reader, count, 0).map(Some)
    }

    fn nested<'py>(
        self,
        python: Python<'py>,
        reader: &mut Reader<'_>,
        depth: usize,
    ) -> Outcome<'py, Object<'py>> {
        if depth > DEPTH_MAX {
            return Err(Failure::Value(format!(
                "a value nested deeper than {DEPTH_MAX} levels"
            )));
        }
        match reader.token()? {
            Token::List(count) => python.list(count, || self.nested(python, reader, depth + 1)),
            Token::Numbers(numbers) => {
                let mut tokens = numbers.tokens();
                python.list(numbers.len(), || match tokens.next() {
                    Some(Token::Float(value)) => python.float(value),
                    Some(Token::Int(value)) => python.int(value),
                    _ => Ok(python.none()),
                })
            }
            Token::Object(count) => self.object(python, reader, count, depth),
            Token::Map(count) => {
                let dict = python.dict()?;
                for _ in 0..count {
                    let key = self.nested(python, reader, depth + 1)?;
                    let value = self.nested(python, reader, depth + 1)?;
                    dict.set_item(&key, &value)?;
                }
                Ok(dict)
            }
            Token::Set(count) => {
                let set = python.set()?;
                for _ in 0..count {
                    set.add(&self.nested(python, reader, depth + 1)?)?;
                }
                Ok(set)
            }
            Token::Array {
                element,
                dimensions,
            } => {
                let mut shape = Vec::with_capacity(dimensions);
                let mut count = 1usize;
                for _ in 0..dimensions {
                    let length = reader.size()?;
                    count = count.saturating_mul(length);
                    shape.push(python.int(i64::try_from(length).unwrap_or(i64::MAX))?);
                }
                let bytes = reader.block()?;
                if count.saturating_mul(element.bytes()) != bytes.len() {
                    return Err(Failure::Value(
                        "an array whose shape does not fit its data".to_owned(),
                    ));
                }
                let arguments = vec![
                    python.int(element as i64)?,
                    python.tuple(shape)?,
                    python.bytes(bytes)?,
                ];
                self.state.made(python, "array", arguments)
            }
            plain => self.plain(python, plain),
        }
    }

    fn object<'py>(
        self,
        python: Python<'py>,
        reader: &mut Reader<'_>,
        count: usize,
        depth: usize,
    ) -> Outcome<'py, Object<'py>> {
        let dict = python.dict()?;
        for _ in 0..count {
            let key = python.text(reader.text()?)?;
            dict.set_item(&key, &self.nested(python, reader, depth + 1)?)?;
        }
        Ok(dict)
    }

    fn plain<'py>(self, python: Python<'py>, token: Token<'_>) -> Outcome<'py, Object<'py>> {
        match token {
            Token::Bool(value) => Ok(python.bool(value)),
            Token::Int(value) => python.int(value),
            Token::Float(value) => python.float(value),
            Token::Text(text) => python.text(text),
            Token::Bytes(bytes) => python.bytes(bytes),
            Token::Date(ms) => self.state.made(python, "date", vec![python.float(ms)?]),
            Token::Decimal(text) => self
                .state
                .made(python, "decimal_of", vec![python.text(text)?]),
            Token::Big {
                negative,
                magnitude,
            } => {
                let arguments = vec![python.bool(negative), python.bytes(magnitude)?];
                self.state.made(python, "big", arguments)
            }
            Token::Handle(id) => self.state.handle(python, self.client, id),
            Token::Reference { id, callable } => {
                let arguments = vec![
                    python.unsigned(self.client)?,
                    python.unsigned(id)?,
                    python.bool(callable),
                ];
                self.state.made(python, "reference", arguments)
            }
            _ => Ok(python.none()),
        }
    }
}
