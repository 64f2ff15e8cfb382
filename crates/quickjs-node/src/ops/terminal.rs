//! Whether a descriptor is a terminal, for what prints without making a stream.

use std::io::IsTerminal as _;
use std::os::fd::BorrowedFd;

use rquickjs::function::Func;
use rquickjs::{Object, Result};

pub(crate) fn install<'js>(ops: &Object<'js>) -> Result<()> {
    ops.set(
        "isTerminal",
        Func::from(|fd: i32| {
            if fd < 0 {
                return false;
            }
            // SAFETY: the descriptor is used for this call only; one that is not open is no terminal.
            unsafe { BorrowedFd::borrow_raw(fd) }.is_terminal()
        }),
    )
}
