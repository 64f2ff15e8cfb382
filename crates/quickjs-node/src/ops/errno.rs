//! The platform's error numbers by name, negative as Node has them.

use rquickjs::function::Func;
use rquickjs::{Ctx, Object, Result};

macro_rules! numbers {
    ($($name:ident),* $(,)?) => {
        const NUMBERS: &[(&str, i32)] = &[$((stringify!($name), -libc::$name)),*];
    };
}

numbers!(
    E2BIG,
    EACCES,
    EADDRINUSE,
    EADDRNOTAVAIL,
    EAFNOSUPPORT,
    EAGAIN,
    EALREADY,
    EBADF,
    EBUSY,
    ECANCELED,
    ECONNABORTED,
    ECONNREFUSED,
    ECONNRESET,
    EDESTADDRREQ,
    EEXIST,
    EFAULT,
    EFBIG,
    EHOSTUNREACH,
    EINTR,
    EINVAL,
    EIO,
    EISCONN,
    EISDIR,
    ELOOP,
    EMFILE,
    EMSGSIZE,
    ENAMETOOLONG,
    ENETDOWN,
    ENETUNREACH,
    ENFILE,
    ENOBUFS,
    ENODEV,
    ENOENT,
    ENOMEM,
    ENOPROTOOPT,
    ENOSPC,
    ENOSYS,
    ENOTCONN,
    ENOTDIR,
    ENOTEMPTY,
    ENOTSOCK,
    ENOTSUP,
    EOVERFLOW,
    EPERM,
    EPIPE,
    EPROTO,
    EPROTONOSUPPORT,
    EPROTOTYPE,
    ERANGE,
    EROFS,
    ESHUTDOWN,
    ESPIPE,
    ESRCH,
    ETIMEDOUT,
    ETXTBSY,
    EXDEV,
    ENXIO,
    EMLINK,
    EHOSTDOWN,
    ENOTTY,
    EILSEQ,
    ESOCKTNOSUPPORT,
    ENODATA,
    ENOEXEC,
);

#[cfg(target_os = "linux")]
const MORE: &[(&str, i32)] = &[
    ("ENONET", -libc::ENONET),
    ("EREMOTEIO", -libc::EREMOTEIO),
    ("EUNATCH", -libc::EUNATCH),
];
#[cfg(not(target_os = "linux"))]
const MORE: &[(&str, i32)] = &[];

pub(crate) fn install<'js>(ops: &Object<'js>) -> Result<()> {
    ops.set(
        "errnos",
        Func::from(|ctx: Ctx<'js>| {
            let table = Object::new(ctx)?;
            for (name, number) in NUMBERS.iter().chain(MORE) {
                table.set(*name, *number)?;
            }
            Ok::<_, rquickjs::Error>(table)
        }),
    )
}
