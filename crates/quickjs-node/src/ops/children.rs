//! Other programs, for `node:child_process`.

mod blocking;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::os::fd::{AsRawFd as _, BorrowedFd, IntoRawFd as _, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Command, ExitStatus};
use std::rc::Rc;

use rquickjs::function::Func;
use rquickjs::{Ctx, Function, Object, Result};
use rustix::io::Errno;

use crate::event_loop::Loop;

/// What a place in `stdio` is, beside a descriptor's number.
const IGNORE: i32 = -1;
const PIPE: i32 = -2;
/// Standard input, output and errors.
const STANDARD: usize = 3;

/// How a program is started, taken from JavaScript.
struct Request {
    file: OsString,
    args: Vec<String>,
    argv0: Option<String>,
    folder: Option<String>,
    /// `name`, `value` …
    environment: Option<Vec<String>>,
    stdio: Vec<i32>,
    uid: Option<u32>,
    gid: Option<u32>,
    detached: bool,
}

impl Request {
    fn of(options: &Object<'_>) -> Result<Self> {
        let file: String = options.get("file")?;
        Ok(Self {
            file: file.into(),
            args: options.get("args")?,
            argv0: options.get("argv0")?,
            folder: options.get("cwd")?,
            environment: options.get("env")?,
            stdio: options.get("stdio")?,
            uid: options.get("uid")?,
            gid: options.get("gid")?,
            detached: options.get("detached")?,
        })
    }

    /// The command without its descriptors.
    fn command(&self) -> Command {
        let mut command = Command::new(&self.file);
        command.args(&self.args);
        if let Some(name) = &self.argv0 {
            command.arg0(name);
        }
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        if let Some(environment) = &self.environment {
            command.env_clear();
            command.envs(environment.chunks_exact(2).map(|pair| (&pair[0], &pair[1])));
        }
        if let Some(gid) = self.gid {
            command.gid(gid);
        }
        if let Some(uid) = self.uid {
            command.uid(uid);
        }
        command
    }
}

/// The descriptors of a child: its own, and the parent's ends of the pipes.
struct Places {
    /// `None` above the standard three: the child has nothing there.
    child: Vec<Option<OwnedFd>>,
    parent: Vec<Option<OwnedFd>>,
}

fn places(stdio: &[i32]) -> std::io::Result<Places> {
    let mut places = Places {
        child: Vec::new(),
        parent: Vec::new(),
    };
    for (at, place) in stdio.iter().enumerate() {
        let (child, parent): (OwnedFd, Option<OwnedFd>) = match *place {
            IGNORE if at >= STANDARD => {
                places.child.push(None);
                places.parent.push(None);
                continue;
            }
            IGNORE => (
                OpenOptions::new()
                    .read(at == 0)
                    .write(at != 0)
                    .open("/dev/null")?
                    .into(),
                None,
            ),
            // As libuv does: a socket, which can be read, written and half-closed.
            PIPE => {
                let (ours, theirs) = UnixStream::pair()?;
                (theirs.into(), Some(ours.into()))
            }
            fd if fd >= 0 => {
                // SAFETY: not -1; duplicated before anything else happens. A number that is not open fails
                // with EBADF.
                let given = unsafe { BorrowedFd::borrow_raw(fd) };
                (given.try_clone_to_owned()?, None)
            }
            _ => return Err(Errno::INVAL.into()),
        };
        places.child.push(Some(child));
        places.parent.push(parent);
    }
    Ok(places)
}

/// Gives the command its descriptors, 3 and above by duplication in the child.
fn attach(command: &mut Command, child: Vec<Option<OwnedFd>>, detached: bool) {
    let mut rest = Vec::new();
    for (at, fd) in child.into_iter().enumerate() {
        let Some(fd) = fd else { continue };
        match at {
            0 => drop(command.stdin(fd)),
            1 => drop(command.stdout(fd)),
            2 => drop(command.stderr(fd)),
            _ => rest.push((RawFd::try_from(at).unwrap_or(RawFd::MAX), fd)),
        }
    }
    if rest.is_empty() && !detached {
        return;
    }
    let prepare = move || {
        if detached {
            rustix::process::setsid()?;
        }
        place(&rest)
    };
    // SAFETY: between fork and exec the closure makes system calls only; it neither allocates nor locks.
    unsafe { command.pre_exec(prepare) };
}

/// Puts the descriptors at 3, 4 … In two steps, for a source may lie where another goes.
fn place(rest: &[(RawFd, OwnedFd)]) -> std::io::Result<()> {
    const OUT_OF_THE_WAY: RawFd = 64;
    for (at, fd) in rest {
        duplicate(fd.as_raw_fd(), OUT_OF_THE_WAY + at)?;
    }
    for (at, _) in rest {
        duplicate(OUT_OF_THE_WAY + at, *at)?;
        // SAFETY: made by the loop above.
        unsafe { libc::close(OUT_OF_THE_WAY + at) };
    }
    Ok(())
}

fn duplicate(from: RawFd, to: RawFd) -> std::io::Result<()> {
    // SAFETY: two numbers; what `to` was is closed.
    if unsafe { libc::dup2(from, to) } < 0 {
        return Err(std::io::Error::last_os_error());
    }
    Ok(())
}

fn errno(error: &std::io::Error) -> i32 {
    -error.raw_os_error().unwrap_or(libc::EINVAL)
}

/// Exit code, or -1 and the signal's number.
fn ending(status: ExitStatus) -> (i32, i32) {
    (
        status.code().unwrap_or(-1),
        status.signal().unwrap_or_default(),
    )
}

struct Running {
    referenced: Cell<bool>,
}

struct Children<L> {
    event_loop: Rc<L>,
    running: RefCell<HashMap<u32, Rc<Running>>>,
}

impl<L: Loop> Children<L> {
    /// The child's number and the parent's ends of its pipes (-1: none), or a negative errno alone.
    fn spawn<'js>(
        self: &Rc<Self>,
        ctx: &Ctx<'js>,
        request: &Request,
        on_exit: Function<'js>,
    ) -> Vec<i32> {
        let started = places(&request.stdio).and_then(|places| {
            let mut command = request.command();
            attach(&mut command, places.child, request.detached);
            let child = tokio::process::Command::from(command).spawn()?;
            Ok((child, places.parent))
        });
        let (child, parent) = match started {
            Ok(started) => started,
            Err(error) => return vec![errno(&error)],
        };
        let pid = child.id().unwrap_or(0);
        self.watch(ctx, pid, child, on_exit);
        let ends = parent
            .into_iter()
            .map(|end| end.map_or(-1, OwnedFd::into_raw_fd));
        std::iter::once(pid.cast_signed()).chain(ends).collect()
    }

    fn watch<'js>(
        self: &Rc<Self>,
        ctx: &Ctx<'js>,
        pid: u32,
        mut child: tokio::process::Child,
        on_exit: Function<'js>,
    ) {
        let running = Rc::new(Running {
            referenced: Cell::new(true),
        });
        self.event_loop.retain();
        self.running.borrow_mut().insert(pid, Rc::clone(&running));
        let (children, context) = (Rc::clone(self), ctx.clone());
        let frame = self.event_loop.hold(ctx);
        ctx.spawn(async move {
            let (code, signal) = child.wait().await.map_or((-1, 0), ending);
            children.running.borrow_mut().remove(&pid);
            if running.referenced.get() {
                children.event_loop.release();
            }
            let call = || on_exit.call::<_, ()>((code, signal));
            children.event_loop.enter_in(&context, frame, call);
        });
    }

    fn reference(&self, pid: u32, on: bool) {
        let running = self.running.borrow();
        let Some(child) = running.get(&pid) else {
            return;
        };
        if child.referenced.replace(on) != on {
            if on {
                self.event_loop.retain();
            } else {
                self.event_loop.release();
            }
        }
    }
}

/// The functions are made when they are asked for.
pub(crate) fn install<'js>(ops: &Object<'js>, event_loop: &Rc<impl Loop>) -> Result<()> {
    let event_loop = Rc::clone(event_loop);
    ops.set(
        "children",
        Func::from(move |ctx: Ctx<'js>| -> Result<Object<'js>> {
            let children = Rc::new(Children {
                event_loop: Rc::clone(&event_loop),
                running: RefCell::new(HashMap::new()),
            });
            let object = Object::new(ctx)?;
            let all = Rc::clone(&children);
            // (options, onExit(code, signal)) → [pid, fd, fd …] or [negative errno]
            object.set(
                "spawn",
                Func::from(
                    move |ctx: Ctx<'js>, options: Object<'js>, on_exit: Function<'js>| {
                        Ok::<_, rquickjs::Error>(all.spawn(&ctx, &Request::of(&options)?, on_exit))
                    },
                ),
            )?;
            object.set(
                "reference",
                Func::from(move |pid: u32, on: bool| children.reference(pid, on)),
            )?;
            blocking::install(&object)?;
            Ok(object)
        }),
    )
}

/// The parent's end of a pipe, to read and write; closed when it is dropped.
fn reader(fd: OwnedFd) -> File {
    File::from(fd)
}
