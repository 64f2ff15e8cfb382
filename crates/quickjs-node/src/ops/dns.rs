//! Names and addresses through the system's resolver, on tokio's threads.

use std::ffi::{CStr, CString, c_char, c_int};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::rc::Rc;

use rquickjs::function::Func;
use rquickjs::{Ctx, Function, Object, Persistent, Result, Value};
use socket2::SockAddr;

use crate::event_loop::Loop;

/// The longest name and service that the system returns, in bytes (`NI_MAXHOST`, `NI_MAXSERV`).
const HOST_BYTES_MAX: usize = 1025;
const SERVICE_BYTES_MAX: usize = 32;

pub(crate) fn install<'js>(ops: &Object<'js>, event_loop: &Rc<impl Loop>) -> Result<()> {
    let turn = Rc::clone(event_loop);
    // (name, family 0|4|6, AI_ flags, callback(status, ...addresses))
    ops.set(
        "lookup",
        Func::from(
            move |ctx: Ctx<'js>, name: String, family: i32, flags: i32, done: Function<'js>| {
                answer(&ctx, &turn, done, move || addresses(&name, family, flags));
            },
        ),
    )?;
    let turn = Rc::clone(event_loop);
    // (address, port, callback(status, host, service))
    ops.set(
        "lookupService",
        Func::from(
            move |ctx: Ctx<'js>, host: String, port: u16, done: Function<'js>| {
                answer(&ctx, &turn, done, move || name_of(&host, port));
            },
        ),
    )
}

type Answer = std::result::Result<Vec<String>, c_int>;

/// Runs `work` on another thread and calls `done(status, ...answer)`; the process stays alive until then.
fn answer<'js>(
    ctx: &Ctx<'js>,
    event_loop: &Rc<impl Loop>,
    done: Function<'js>,
    work: impl FnOnce() -> Answer + Send + 'static,
) {
    event_loop.retain();
    let (event_loop, context) = (Rc::clone(event_loop), ctx.clone());
    let done = Persistent::save(ctx, done);
    let frame = event_loop.hold(ctx);
    ctx.spawn(async move {
        let outcome = tokio::task::spawn_blocking(work).await;
        event_loop.release();
        let outcome = outcome.unwrap_or(Err(libc::EAI_FAIL));
        event_loop.enter_in(&context, frame, || {
            let done = done.restore(&context)?;
            match outcome {
                Ok(list) => done.call::<_, Value<'js>>((0, list)),
                Err(status) => done.call::<_, Value<'js>>((status, Vec::<String>::new())),
            }
        });
    });
}

fn addresses(name: &str, family: i32, flags: i32) -> Answer {
    let name = CString::new(name).map_err(|_| libc::EAI_NONAME)?;
    // SAFETY: all fields of addrinfo may be zero.
    let mut hints: libc::addrinfo = unsafe { std::mem::zeroed() };
    hints.ai_family = match family {
        4 => libc::AF_INET,
        6 => libc::AF_INET6,
        _ => libc::AF_UNSPEC,
    };
    hints.ai_socktype = libc::SOCK_STREAM;
    hints.ai_flags = flags;
    let mut list = std::ptr::null_mut();
    // SAFETY: the name is a C string, hints are initialised, `list` is writable.
    let status = unsafe {
        libc::getaddrinfo(
            name.as_ptr(),
            std::ptr::null(),
            &raw const hints,
            &raw mut list,
        )
    };
    if status != 0 {
        return Err(status);
    }
    let mut found = Vec::new();
    let mut at = list;
    // SAFETY: the system's list is valid until freed; its last entry's `ai_next` is null.
    while let Some(entry) = unsafe { at.as_ref() } {
        if let Some(ip) = ip_of(entry) {
            let text = ip.to_string();
            if !found.contains(&text) {
                found.push(text);
            }
        }
        at = entry.ai_next;
    }
    // SAFETY: given by getaddrinfo, freed once.
    unsafe { libc::freeaddrinfo(list) };
    Ok(found)
}

fn ip_of(entry: &libc::addrinfo) -> Option<IpAddr> {
    match entry.ai_family {
        libc::AF_INET => {
            // SAFETY: an entry of this family points to a sockaddr_in.
            let v4 = unsafe { entry.ai_addr.cast::<libc::sockaddr_in>().read_unaligned() };
            Some(Ipv4Addr::from(u32::from_be(v4.sin_addr.s_addr)).into())
        }
        libc::AF_INET6 => {
            // SAFETY: an entry of this family points to a sockaddr_in6.
            let v6 = unsafe { entry.ai_addr.cast::<libc::sockaddr_in6>().read_unaligned() };
            Some(Ipv6Addr::from(v6.sin6_addr.s6_addr).into())
        }
        _ => None,
    }
}

fn name_of(host: &str, port: u16) -> Answer {
    let at = super::net_address::parse(host, port).map_err(|_| libc::EAI_NONAME)?;
    let address = SockAddr::from(at);
    let mut name = [0 as c_char; HOST_BYTES_MAX];
    let mut service = [0 as c_char; SERVICE_BYTES_MAX];
    // SAFETY: address and buffers are valid for the lengths given.
    let status = unsafe {
        libc::getnameinfo(
            address.as_ptr().cast(),
            address.len(),
            name.as_mut_ptr(),
            1025,
            service.as_mut_ptr(),
            32,
            libc::NI_NAMEREQD,
        )
    };
    if status != 0 {
        return Err(status);
    }
    // SAFETY: on success the system has written a terminated string into `name`.
    let name = unsafe { CStr::from_ptr(name.as_ptr()) };
    // SAFETY: the same for `service`.
    let service = unsafe { CStr::from_ptr(service.as_ptr()) };
    Ok(vec![
        name.to_string_lossy().into_owned(),
        service.to_string_lossy().into_owned(),
    ])
}
