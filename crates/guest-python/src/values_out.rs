//! Python's values become those of a message.

use fulmar_guest::wire::{DEPTH_MAX, Element, Writer, tag};

use crate::language::State;
use crate::object::{Failure, Object, Outcome, Python};

/// What values are written with: whose handles are made.
#[derive(Clone, Copy)]
pub(crate) struct Outgoing<'a> {
    pub(crate) state: &'a State,
    pub(crate) client: u64,
}

/// Kinds of what `convert` of `support.py` returns.
mod kind {
    pub(super) const HANDLE: i64 = 0;
    pub(super) const TEXT: i64 = 1;
    pub(super) const DATE: i64 = 2;
    pub(super) const DECIMAL: i64 = 3;
    pub(super) const OBJECT: i64 = 4;
    pub(super) const LIST: i64 = 5;
    pub(super) const SET: i64 = 6;
    pub(super) const BYTES: i64 = 7;
    pub(super) const ARRAY: i64 = 8;
    pub(super) const PLAIN: i64 = 9;
    pub(super) const REFERENCE: i64 = 10;
    pub(super) const BIG: i64 = 11;
    pub(super) const MAP: i64 = 12;
}

impl Outgoing<'_> {
    pub(crate) fn value<'py>(self, writer: &mut Writer, value: &Object<'py>) -> Outcome<'py, ()> {
        self.nested(writer, value, 0)
    }

    /// As a handle, whatever it is but nothing.
    pub(crate) fn handle<'py>(self, writer: &mut Writer, value: &Object<'py>) -> Outcome<'py, ()> {
        if value.is_none() {
            writer.null();
            return Ok(());
        }
        let python = value.python;
        let name = self.state.made(python, "class_name", vec![value.clone()])?;
        self.kept(writer, value, &name)
    }

    /// The message is not sent.
    pub(crate) fn take_back(self, python: Python<'_>, message: &Writer) {
        self.state.take_back(python, self.client, message);
    }

    fn kept<'py>(
        self,
        writer: &mut Writer,
        value: &Object<'py>,
        name: &Object<'py>,
    ) -> Outcome<'py, ()> {
        let id = self.state.keep(self.client, value)?;
        writer.handle(id, name.as_text()?);
        Ok(())
    }

    fn nested<'py>(
        self,
        writer: &mut Writer,
        value: &Object<'py>,
        depth: usize,
    ) -> Outcome<'py, ()> {
        if depth > DEPTH_MAX {
            return Err(Failure::Value(format!(
                "the result is nested deeper than {DEPTH_MAX} levels, or contains itself"
            )));
        }
        let api = value.python.api;
        let kind = value.kind();
        if value.is_none() {
            writer.null();
        } else if kind == api.PyUnicode_Type {
            writer.text(value.as_text()?);
        } else if kind == api.PyLong_Type {
            match value.as_int()? {
                Some(number) => writer.int(number),
                None => self.rare(writer, value, depth)?,
            }
        } else if kind == api.PyFloat_Type {
            writer.float(value.as_float()?);
        } else if value.raw() == api._Py_TrueStruct {
            writer.bool(true);
        } else if value.raw() == api._Py_FalseStruct {
            writer.bool(false);
        } else if kind == api.PyDict_Type {
            self.dict(writer, value, depth)?;
        } else if kind == api.PyList_Type {
            self.list(writer, value, tag::LIST, depth)?;
        } else if kind == api.PyTuple_Type {
            let length = value.tuple_length();
            writer.begin(tag::LIST, length);
            for index in 0..length {
                self.nested(writer, &value.tuple_item(index)?, depth + 1)?;
            }
        } else if kind == api.PyBytes_Type || kind == api.PyByteArray_Type {
            value.with_bytes(|bytes| writer.block(bytes))?;
        } else {
            self.rare(writer, value, depth)?;
        }
        Ok(())
    }

    /// A list may change while its items are written: each is asked for, and the count is that of now.
    fn list<'py>(
        self,
        writer: &mut Writer,
        value: &Object<'py>,
        tag: u8,
        depth: usize,
    ) -> Outcome<'py, ()> {
        let length = value.list_length();
        writer.begin(tag, length);
        for index in 0..length {
            self.nested(writer, &value.list_item(index)?, depth + 1)?;
        }
        Ok(())
    }

    fn dict<'py>(self, writer: &mut Writer, value: &Object<'py>, depth: usize) -> Outcome<'py, ()> {
        let pairs = value.pairs();
        let text = value.python.api.PyUnicode_Type;
        if pairs.iter().any(|(key, _)| key.kind() != text) {
            writer.begin(tag::MAP, pairs.len());
            for (key, item) in &pairs {
                self.nested(writer, key, depth + 1)?;
                self.nested(writer, item, depth + 1)?;
            }
            return Ok(());
        }
        writer.begin(tag::OBJECT, pairs.len());
        for (key, item) in &pairs {
            writer.plain_text(key.as_text()?);
            self.nested(writer, item, depth + 1)?;
        }
        Ok(())
    }

    /// What Python itself has to look at.
    fn rare<'py>(self, writer: &mut Writer, value: &Object<'py>, depth: usize) -> Outcome<'py, ()> {
        let python = value.python;
        let converted = self.state.made(python, "convert", vec![value.clone()])?;
        let what = converted.tuple_item(0)?.as_int()?.unwrap_or(kind::HANDLE);
        let item = |index| converted.tuple_item(index);
        match what {
            kind::TEXT => writer.text(item(1)?.as_text()?),
            kind::DATE => writer.date(item(1)?.as_float()?),
            kind::DECIMAL => writer.decimal(item(1)?.as_text()?),
            kind::OBJECT | kind::MAP => self.dict(writer, &item(1)?, depth)?,
            kind::LIST => self.list(writer, &item(1)?, tag::LIST, depth)?,
            kind::SET => self.list(writer, &item(1)?, tag::SET, depth)?,
            kind::BYTES => item(1)?.with_bytes(|bytes| writer.block(bytes))?,
            kind::PLAIN => self.nested(writer, &item(1)?, depth + 1)?,
            kind::BIG => {
                let negative = item(1)?.is_true()?;
                item(2)?.with_bytes(|magnitude| writer.big(negative, magnitude))?;
            }
            kind::REFERENCE => {
                if item(1)?.as_id()? != self.client {
                    return Err(Failure::Value(
                        "an object of another thread's JavaScript".to_owned(),
                    ));
                }
                writer.reference(item(2)?.as_id()?);
            }
            kind::ARRAY => {
                let element = u8::try_from(item(1)?.as_int()?.unwrap_or(-1)).ok();
                let element = element.and_then(Element::of);
                let element = element.ok_or_else(|| Failure::Value("an array".to_owned()))?;
                let shape = item(2)?;
                let mut lengths = Vec::new();
                for index in 0..shape.tuple_length() {
                    let length = shape.tuple_item(index)?.as_int()?.unwrap_or(0);
                    lengths.push(usize::try_from(length).unwrap_or(0));
                }
                item(3)?.with_bytes(|bytes| writer.array(element, &lengths, bytes))?;
            }
            _ => self.kept(writer, value, &item(1)?)?,
        }
        Ok(())
    }
}
