//! CRuby as a guest (`crates/guest`): a library that finds Ruby's own when it is opened.
//!
//! `ffi` are the functions of Ruby's library, `interpreter` starts it, `signals` gives the process's signals
//! back to who had them, `overflow` but for one, `ruby` is Ruby while its lock is held, `values_in` and `values_out` translate,
//! `operations` does what a message asks for, `functions` and `references` are what Ruby has of ours,
//! `watcher` is a thread of Ruby's that does what others ask for, `language` ties it to queue and threads. What
//! is better said in Ruby stands in `support.rb`.
//!
//! Any version from 3.0 on: no layout of an object is known here.

mod ffi;
mod functions;
mod interpreter;
mod language;
mod operations;
mod overflow;
mod references;
mod ruby;
mod signals;
mod values_in;
mod values_out;
mod watcher;

fulmar_guest::guest!(language::RubyLanguage);
