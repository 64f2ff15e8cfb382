//! What a message to a guest begins with, behind which the parts follow that the kind says.

use crate::wire::{Malformed, Reader};

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// So many ids: the handles are let go of. No reply.
    Release = 0,
    /// Specifier, options (a value): a module, as a handle.
    Import = 1,
    /// Code, its name, options (a value): the value of an expression, or nothing where statements are asked for.
    Eval = 2,
    /// `Call`.
    Call = 3,
    /// Number of a call into JavaScript, 1 or 0, a value: it returned, or threw.
    Resolve = 4,
    /// What runs here: an object.
    Describe = 5,
}

/// What is done with the end of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Action {
    /// It is called.
    Call = 0,
    /// It is the result.
    Get = 1,
    /// It becomes the first argument.
    Set = 2,
    /// An instance of it is made.
    New = 3,
    /// Something that gives one value after the other.
    Iterate = 4,
    /// The next value: a list of it, or an empty one at the end.
    Next = 5,
    /// No further value is asked for.
    Return = 6,
    /// The names of its members.
    Names = 7,
    /// It is removed.
    Delete = 8,
    /// As a value, also where it would be a handle.
    Value = 9,
    /// How it is written.
    Text = 10,
}

/// How results come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Form {
    /// Values as such, all else as a handle.
    Auto = 0,
    /// As a handle, whatever it is.
    Handle = 1,
}

/// Target, path, action and form; then the arguments: their count and values, and those by name: their count
/// and pairs of text and value.
#[derive(Debug)]
pub struct Call<'a> {
    /// A handle; 0 is the root of the language (what it has built in).
    pub target: u64,
    /// Members to go through from there.
    pub path: Vec<&'a str>,
    /// What is done with the last one.
    pub action: Action,
    /// How the result comes back.
    pub form: Form,
}

impl Kind {
    /// # Errors
    /// A kind of another version.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        const ALL: [Kind; 6] = [
            Kind::Release,
            Kind::Import,
            Kind::Eval,
            Kind::Call,
            Kind::Resolve,
            Kind::Describe,
        ];
        let code = reader.byte()?;
        ALL.get(usize::from(code))
            .copied()
            .ok_or_else(|| Malformed("a message of an unknown kind".to_owned()))
    }
}

impl<'a> Call<'a> {
    /// # Errors
    /// What is no call.
    pub fn read(reader: &mut Reader<'a>) -> Result<Self, Malformed> {
        const ACTIONS: [Action; 11] = [
            Action::Call,
            Action::Get,
            Action::Set,
            Action::New,
            Action::Iterate,
            Action::Next,
            Action::Return,
            Action::Names,
            Action::Delete,
            Action::Value,
            Action::Text,
        ];
        let target = reader.id()?;
        let count = reader.count()?;
        let mut path = Vec::with_capacity(count);
        for _ in 0..count {
            path.push(reader.text()?);
        }
        let action = ACTIONS.get(usize::from(reader.byte()?)).copied();
        let action = action.ok_or_else(|| Malformed("an unknown action".to_owned()))?;
        let form = if reader.byte()? == Form::Handle as u8 {
            Form::Handle
        } else {
            Form::Auto
        };
        Ok(Self {
            target,
            path,
            action,
            form,
        })
    }
}

/// Kinds of messages to JavaScript; the number of a call follows.
pub mod reply {
    /// A value.
    pub const VALUE: u8 = 0;
    /// An error: an object (`packages/fulmar/src/polyglot/errors.ts`).
    pub const ERROR: u8 = 1;
    /// A call of JavaScript's function: its id, the count of arguments and these.
    pub const CALLBACK: u8 = 2;
    /// The guest has let go of an object of JavaScript's: its id stands in place of a call's.
    pub const LET_GO: u8 = 3;
}
