//! The process's environment: variables, working directory, ids, limits of what it may do, and what it has
//! used.

use std::ffi::CString;

use rquickjs::function::Func;
use rquickjs::{Ctx, Object, Result};

pub(crate) fn install(ops: &Object<'_>) -> Result<()> {
    variables(ops)?;
    identity(ops)?;
    ops.set("usage", Func::from(usage))?;
    ops.set("rss", Func::from(resident_bytes))?;
    ops.set("heap", Func::from(|ctx: Ctx<'_>| heap(&ctx)))?;
    ops.set("availableMemory", Func::from(available_memory))?;
    ops.set("memoryLimit", Func::from(constrained_memory))?;
    ops.set("hrtime", Func::from(monotonic_nanoseconds))?;
    ops.set("wallClock", Func::from(wall_clock_ms))
}

fn variables(ops: &Object<'_>) -> Result<()> {
    // A value sets the variable, undefined removes it; negative errno.
    ops.set(
        "setVariable",
        Func::from(|name: String, value: Option<String>| set_variable(name, value)),
    )?;
    ops.set(
        "cwd",
        Func::from(|| match std::env::current_dir() {
            Ok(path) => path.to_string_lossy().into_owned(),
            Err(error) => format!("!{}", -error.raw_os_error().unwrap_or(libc::EIO)),
        }),
    )?;
    ops.set(
        "chdir",
        Func::from(|path: String| match std::env::set_current_dir(path) {
            Ok(()) => 0,
            Err(error) => -error.raw_os_error().unwrap_or(libc::EIO),
        }),
    )?;
    ops.set(
        "setTitle",
        Func::from(|title: String| set_thread_name(&title)),
    )
}

fn set_variable(name: String, value: Option<String>) -> i32 {
    let (Ok(name), Ok(value)) = (CString::new(name), value.map(CString::new).transpose()) else {
        return -libc::EINVAL;
    };
    let status = match &value {
        // SAFETY: both are C strings that outlive the call, which copies them. Other threads of this process
        // read the environment only through the C library's own functions (time zones, name lookup), as in
        // Node.
        Some(value) => unsafe { libc::setenv(name.as_ptr(), value.as_ptr(), 1) },
        // SAFETY: as above.
        None => unsafe { libc::unsetenv(name.as_ptr()) },
    };
    if name.as_bytes() == b"TZ" {
        // SAFETY: takes nothing; reads TZ.
        unsafe { tzset() };
    }
    result(status)
}

unsafe extern "C" {
    fn tzset();
}

/// What `ps` and `top` show, as far as the platform allows: 15 bytes on Linux.
fn set_thread_name(title: &str) {
    #[cfg(target_os = "linux")]
    if let Ok(title) = CString::new(title) {
        // SAFETY: a C string that outlives the call, which copies it.
        unsafe { libc::prctl(libc::PR_SET_NAME, title.as_ptr()) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = title;
}

fn identity(ops: &Object<'_>) -> Result<()> {
    ops.set("parentId", Func::from(std::os::unix::process::parent_id))?;
    ops.set("umask", Func::from(|mask: Option<u32>| umask(mask)))?;
    ops.set(
        "kill",
        // SAFETY: plain numbers.
        Func::from(|pid: i32, signal: i32| result(unsafe { libc::kill(pid, signal) })),
    )?;
    ops.set("abort", Func::from(|| -> () { std::process::abort() }))?;
    ops.set("ids", Func::from(ids))?;
    ops.set("groups", Func::from(groups))?;
    ops.set("userId", Func::from(|name: String| user_id(name)))?;
    ops.set("groupId", Func::from(|name: String| group_id(name)))?;
    ops.set(
        "setId",
        Func::from(|which: String, id: u32| set_id(&which, id)),
    )?;
    ops.set("setGroups", Func::from(|list: Vec<u32>| set_groups(&list)))?;
    ops.set(
        "initGroups",
        Func::from(|user: String, group: u32| init_groups(user, group)),
    )
}

/// 0, or a negative errno when a C function returned -1.
fn result(status: i32) -> i32 {
    if status == -1 {
        -std::io::Error::last_os_error()
            .raw_os_error()
            .unwrap_or(libc::EIO)
    } else {
        0
    }
}

#[expect(clippy::useless_conversion, reason = "mode_t is narrower on macOS")]
fn umask(mask: Option<u32>) -> u32 {
    let new = mask.and_then(|mask| libc::mode_t::try_from(mask).ok());
    // SAFETY: a plain number; cannot fail.
    let old = unsafe { libc::umask(new.unwrap_or(0)) };
    if new.is_none() {
        // SAFETY: as above; puts back what was.
        unsafe { libc::umask(old) };
    }
    u32::from(old)
}

/// `[uid, euid, gid, egid]`
fn ids() -> Vec<u32> {
    vec![
        // SAFETY: takes nothing, cannot fail.
        unsafe { libc::getuid() },
        // SAFETY: as above.
        unsafe { libc::geteuid() },
        // SAFETY: as above.
        unsafe { libc::getgid() },
        // SAFETY: as above.
        unsafe { libc::getegid() },
    ]
}

fn groups() -> Vec<u32> {
    // SAFETY: with a size of 0 nothing is written.
    let count = unsafe { libc::getgroups(0, std::ptr::null_mut()) };
    let mut list = vec![0; usize::try_from(count).unwrap_or(0)];
    // SAFETY: `list` has room for `count` entries.
    let count = unsafe { libc::getgroups(count, list.as_mut_ptr()) };
    list.truncate(usize::try_from(count).unwrap_or(0));
    list
}

/// The number of a user's name; none when there is no such user.
fn user_id(name: String) -> Option<u32> {
    let name = CString::new(name).ok()?;
    // SAFETY: a C string; the result is read at once, on the only thread that asks.
    let entry = unsafe { libc::getpwnam(name.as_ptr()) };
    // SAFETY: null, or an entry that stays until the next call.
    unsafe { entry.as_ref() }.map(|entry| entry.pw_uid)
}

fn group_id(name: String) -> Option<u32> {
    let name = CString::new(name).ok()?;
    // SAFETY: as in `user_id`.
    let entry = unsafe { libc::getgrnam(name.as_ptr()) };
    // SAFETY: as in `user_id`.
    unsafe { entry.as_ref() }.map(|entry| entry.gr_gid)
}

fn set_id(which: &str, id: u32) -> i32 {
    result(match which {
        // SAFETY: a plain number.
        "setuid" => unsafe { libc::setuid(id) },
        // SAFETY: as above.
        "seteuid" => unsafe { libc::seteuid(id) },
        // SAFETY: as above.
        "setgid" => unsafe { libc::setgid(id) },
        // SAFETY: as above.
        "setegid" => unsafe { libc::setegid(id) },
        _ => return -libc::EINVAL,
    })
}

#[cfg(target_os = "linux")]
fn set_groups(list: &[u32]) -> i32 {
    // SAFETY: address and length are the slice's.
    result(unsafe { libc::setgroups(list.len(), list.as_ptr()) })
}

#[cfg(not(target_os = "linux"))]
fn set_groups(list: &[u32]) -> i32 {
    let Ok(count) = libc::c_int::try_from(list.len()) else {
        return -libc::EINVAL;
    };
    // SAFETY: address and length are the slice's.
    result(unsafe { libc::setgroups(count, list.as_ptr()) })
}

fn init_groups(user: String, group: u32) -> i32 {
    let Ok(user) = CString::new(user) else {
        return -libc::EINVAL;
    };
    #[cfg(not(target_os = "linux"))]
    let group = group.cast_signed();
    // SAFETY: a C string that outlives the call.
    result(unsafe { libc::initgroups(user.as_ptr(), group) })
}

/// `getrusage`: user and system time in µs, then the fields in the order of Node's `resourceUsage`.
fn usage() -> Vec<f64> {
    // SAFETY: all zero is a valid `rusage`.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: `usage` is writable.
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &raw mut usage) };
    let micros = |time: libc::timeval| number(time.tv_sec) * 1e6 + fraction(time.tv_usec);
    let mut fields = vec![micros(usage.ru_utime), micros(usage.ru_stime)];
    let counts = [
        usage.ru_maxrss,
        usage.ru_ixrss,
        usage.ru_idrss,
        usage.ru_isrss,
        usage.ru_minflt,
        usage.ru_majflt,
        usage.ru_nswap,
        usage.ru_inblock,
        usage.ru_oublock,
        usage.ru_msgsnd,
        usage.ru_msgrcv,
        usage.ru_nsignals,
        usage.ru_nvcsw,
        usage.ru_nivcsw,
    ];
    fields.extend(counts.map(number));
    fields
}

#[expect(clippy::cast_precision_loss, reason = "JavaScript has no wider number")]
fn number(value: i64) -> f64 {
    value as f64
}

/// Microseconds of a `timeval`, whose type differs between platforms.
#[cfg(target_os = "linux")]
fn fraction(micros: libc::suseconds_t) -> f64 {
    number(micros)
}

#[cfg(not(target_os = "linux"))]
fn fraction(micros: libc::suseconds_t) -> f64 {
    f64::from(micros)
}

/// Memory of this process that is in RAM, in bytes.
fn resident_bytes() -> f64 {
    let pages = std::fs::read_to_string("/proc/self/statm")
        .ok()
        .and_then(|text| text.split(' ').nth(1)?.parse::<i64>().ok());
    match pages {
        // SAFETY: a plain number.
        Some(pages) => number(pages) * number(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }),
        // Where /proc is missing: the most it ever was.
        None => usage().get(2).copied().unwrap_or(0.0),
    }
}

/// `[total, used, external]` of JavaScript's heap, in bytes.
fn heap(ctx: &Ctx<'_>) -> Vec<f64> {
    // SAFETY: the context is alive, hence its runtime.
    let runtime = unsafe { rquickjs::qjs::JS_GetRuntime(ctx.as_raw().as_ptr()) };
    // SAFETY: all zero is a valid value of this plain struct.
    let mut usage: rquickjs::qjs::JSMemoryUsage = unsafe { std::mem::zeroed() };
    // SAFETY: the runtime is alive and locked by this thread; `usage` is writable.
    unsafe { rquickjs::qjs::JS_ComputeMemoryUsage(runtime, &raw mut usage) };
    vec![
        number(usage.malloc_size),
        number(usage.memory_used_size),
        number(usage.binary_object_size),
    ]
}

fn available_memory() -> f64 {
    memory_info("MemAvailable:").unwrap_or(0.0)
}

/// The control group's limit in bytes, or what the machine has.
fn constrained_memory() -> f64 {
    let limit = [
        "/sys/fs/cgroup/memory.max",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
    ]
    .iter()
    .find_map(|path| {
        std::fs::read_to_string(path)
            .ok()?
            .trim()
            .parse::<f64>()
            .ok()
    });
    limit.or_else(|| memory_info("MemTotal:")).unwrap_or(0.0)
}

fn memory_info(field: &str) -> Option<f64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(field))?;
    let kib: f64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib * 1024.0)
}

/// The monotonic clock as `[seconds, nanoseconds]`.
fn monotonic_nanoseconds() -> Vec<f64> {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is writable.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    vec![number(time.tv_sec), number(time.tv_nsec)]
}

/// Milliseconds since 1970, with a fraction.
fn wall_clock_ms() -> f64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0.0, |elapsed| elapsed.as_secs_f64() * 1000.0)
}
