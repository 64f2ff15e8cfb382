//! CPython as a guest (`crates/guest`): a library that finds Python's own when it is opened.
//!
//! `ffi` are the functions of Python's library, `interpreter` starts it, `object` holds references while the
//! lock is held, `values_in` and `values_out` translate, `operations` does what a message asks for,
//! `functions` is what Python calls of ours, `language` ties it to queue and threads. What is better said in
//! Python stands in `support.py` and `support`.
//!
//! Any version from 3.9 on, with or without a global lock: no layout of an object is known here.

mod ffi;
mod functions;
mod interpreter;
mod language;
mod object;
mod operations;
mod values_in;
mod values_out;

fulmar_guest::guest!(language::PythonLanguage);
