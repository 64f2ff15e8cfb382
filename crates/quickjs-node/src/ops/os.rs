//! The machine and its terminals, for `node:os` and `node:tty`.

use std::os::fd::BorrowedFd;

use rquickjs::function::Func;
use rquickjs::{Array, Ctx, Object, Result};
use rustix::io::Errno;
use rustix::process::{Pid, getpriority_process, setpriority_process};
use rustix::termios::{
    ControlModes, InputModes, LocalModes, OptionalActions, OutputModes, SpecialCodeIndex, Termios,
};

/// The functions are made when they are asked for.
pub(crate) fn install<'js>(ops: &Object<'js>) -> Result<()> {
    ops.set(
        "os",
        Func::from(|ctx: Ctx<'js>| -> Result<Object<'js>> {
            let os = Object::new(ctx)?;
            machine(&os)?;
            users(&os)?;
            Ok(os)
        }),
    )?;
    ops.set(
        "tty",
        Func::from(|ctx: Ctx<'js>| -> Result<Object<'js>> {
            let tty = Object::new(ctx)?;
            terminals(&tty)?;
            Ok(tty)
        }),
    )
}

fn machine<'js>(os: &Object<'js>) -> Result<()> {
    // sysname, nodename, release, version, machine
    os.set(
        "names",
        Func::from(|| {
            let of = rustix::system::uname();
            [
                of.sysname(),
                of.nodename(),
                of.release(),
                of.version(),
                of.machine(),
            ]
            .map(|name| name.to_string_lossy().into_owned())
            .to_vec()
        }),
    )?;
    // uptime in seconds, three load averages, memory in all and free in bytes
    os.set("numbers", Func::from(numbers))?;
    os.set(
        "parallelism",
        Func::from(|| std::thread::available_parallelism().map_or(1, usize::from)),
    )?;
    // name, address, netmask, mac, is internal, scope … of each address
    os.set("interfaces", Func::from(|ctx: Ctx<'js>| interfaces(&ctx)))
}

#[cfg(target_os = "linux")]
#[expect(clippy::cast_precision_loss, reason = "JavaScript's numbers")]
fn numbers() -> Vec<f64> {
    const LOAD_UNIT: f64 = 65536.0;
    let of = rustix::system::sysinfo();
    let unit = f64::from(of.mem_unit.max(1));
    let loads = of.loads.map(|load| load as f64 / LOAD_UNIT);
    let (total, free) = (of.totalram as f64 * unit, of.freeram as f64 * unit);
    vec![of.uptime as f64, loads[0], loads[1], loads[2], total, free]
}

#[cfg(not(target_os = "linux"))]
fn numbers() -> Vec<f64> {
    vec![0.0; 6]
}

fn interfaces<'js>(ctx: &Ctx<'js>) -> Result<Array<'js>> {
    use nix::ifaddrs::getifaddrs;
    use nix::net::if_::InterfaceFlags;
    let all = Array::new(ctx.clone())?;
    let Ok(found) = getifaddrs() else {
        return Ok(all);
    };
    let found: Vec<_> = found
        .filter(|one| {
            one.flags
                .contains(InterfaceFlags::IFF_UP | InterfaceFlags::IFF_RUNNING)
        })
        .collect();
    for one in &found {
        let Some(address) = &one.address else {
            continue;
        };
        let (text, scope) = if let Some(v4) = address.as_sockaddr_in() {
            (v4.ip().to_string(), -1.0)
        } else if let Some(v6) = address.as_sockaddr_in6() {
            (v6.ip().to_string(), f64::from(v6.scope_id()))
        } else {
            continue;
        };
        let mask = one.netmask.as_ref().and_then(|mask| {
            let v4 = mask.as_sockaddr_in().map(|v4| v4.ip().to_string());
            v4.or_else(|| mask.as_sockaddr_in6().map(|v6| v6.ip().to_string()))
        });
        let mut hardware = found
            .iter()
            .filter(|other| other.interface_name == one.interface_name);
        let mac = hardware
            .find_map(|other| other.address.as_ref()?.as_link_addr()?.addr())
            .unwrap_or_default();
        let entry = Array::new(ctx.clone())?;
        entry.set(0, one.interface_name.as_str())?;
        entry.set(1, text)?;
        entry.set(2, mask.unwrap_or_default())?;
        entry.set(3, mac.map(|byte| format!("{byte:02x}")).join(":"))?;
        entry.set(4, one.flags.contains(InterfaceFlags::IFF_LOOPBACK))?;
        entry.set(5, scope)?;
        all.set(all.len(), entry)?;
    }
    Ok(all)
}

fn users<'js>(os: &Object<'js>) -> Result<()> {
    // uid, gid, name, home, shell; without the last three when the user is unknown
    os.set(
        "user",
        Func::from(|| {
            let uid = rustix::process::getuid();
            let known = nix::unistd::User::from_uid(nix::unistd::Uid::from_raw(uid.as_raw()))
                .ok()
                .flatten();
            let mut facts = vec![
                uid.as_raw().to_string(),
                rustix::process::getgid().as_raw().to_string(),
            ];
            if let Some(user) = known {
                facts.extend([
                    user.name,
                    user.dir.to_string_lossy().into_owned(),
                    user.shell.to_string_lossy().into_owned(),
                ]);
            }
            facts
        }),
    )?;
    os.set(
        "getPriority",
        Func::from(|pid: i32| answer(getpriority_process(Pid::from_raw(pid)))),
    )?;
    os.set(
        "setPriority",
        Func::from(|pid: i32, priority: i32| {
            answer(setpriority_process(Pid::from_raw(pid), priority).map(|()| 0))
        }),
    )
}

/// The value, raised by 1000 so that it is not negative, or a negative errno.
fn answer(result: rustix::io::Result<i32>) -> i32 {
    const RAISED_BY: i32 = 1000;
    result.map_or_else(|error| -error.raw_os_error(), |value| value + RAISED_BY)
}

fn terminals<'js>(tty: &Object<'js>) -> Result<()> {
    tty.set(
        "isTerminal",
        Func::from(|fd: i32| with(fd, |fd| Ok(rustix::termios::isatty(fd))).unwrap_or(false)),
    )?;
    // [columns, rows], empty when it has none
    tty.set(
        "size",
        Func::from(|fd: i32| {
            let size = with(fd, |fd| rustix::termios::tcgetwinsize(fd));
            size.map_or_else(|_| Vec::new(), |size| vec![size.ws_col, size.ws_row])
        }),
    )?;
    // What a descriptor is: 'file', 'pipe', 'socket', 'tty', 'device' or ''
    tty.set("kind", Func::from(kind))?;
    let cooked = std::cell::RefCell::new(None::<Termios>);
    // Raw mode on or off; 0 or a negative errno
    tty.set(
        "setRaw",
        Func::from(move |fd: i32, raw: bool| {
            let mut cooked = cooked.borrow_mut();
            let done = with(fd, |fd| set_raw(fd, raw, &mut cooked));
            done.map_or_else(|error| -error.raw_os_error(), |()| 0)
        }),
    )
}

fn with<T>(
    fd: i32,
    work: impl FnOnce(BorrowedFd<'_>) -> rustix::io::Result<T>,
) -> rustix::io::Result<T> {
    if fd < 0 {
        return Err(Errno::BADF);
    }
    // SAFETY: not -1. A descriptor that is not open makes the calls fail with EBADF.
    work(unsafe { BorrowedFd::borrow_raw(fd) })
}

fn kind(fd: i32) -> &'static str {
    use rustix::fs::FileType;
    let Ok(stat) = with(fd, |fd| rustix::fs::fstat(fd)) else {
        return "";
    };
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => "file",
        FileType::Fifo => "pipe",
        FileType::Socket => "socket",
        FileType::CharacterDevice => {
            let terminal = with(fd, |fd| Ok(rustix::termios::isatty(fd))).unwrap_or(false);
            if terminal { "tty" } else { "device" }
        }
        _ => "device",
    }
}

/// As libuv's `UV_TTY_MODE_RAW`: keys come one by one, output is still processed.
fn set_raw(fd: BorrowedFd<'_>, raw: bool, cooked: &mut Option<Termios>) -> rustix::io::Result<()> {
    let mut modes = rustix::termios::tcgetattr(fd)?;
    if raw {
        cooked.get_or_insert_with(|| modes.clone());
        modes.input_modes -= InputModes::BRKINT
            | InputModes::ICRNL
            | InputModes::INPCK
            | InputModes::ISTRIP
            | InputModes::IXON;
        modes.output_modes |= OutputModes::ONLCR;
        modes.control_modes |= ControlModes::CS8;
        modes.local_modes -=
            LocalModes::ECHO | LocalModes::ICANON | LocalModes::IEXTEN | LocalModes::ISIG;
        modes.special_codes[SpecialCodeIndex::VMIN] = 1;
        modes.special_codes[SpecialCodeIndex::VTIME] = 0;
    } else {
        match cooked.take() {
            Some(before) => modes = before,
            None => return Ok(()),
        }
    }
    rustix::termios::tcsetattr(fd, OptionalActions::Drain, &modes)
}
