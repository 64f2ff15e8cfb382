//! Runs a program to its end while JavaScript waits (`spawnSync`).

use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::process::Child;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use rquickjs::function::Func;
use rquickjs::{Array, Ctx, Object, Result, Value};
use rustix::process::{Pid, Signal, kill_process};

use super::{Request, attach, ending, errno, places, reader};
use crate::memory::{array_buffer, with_bytes};

/// How often the end of the program is looked for while it holds no pipe, in ms.
const LOOK_MS: u64 = 5;
const PART_BYTES: usize = 64 * 1024;

/// What bounds a run.
struct Limits {
    timeout: Option<Duration>,
    output_max: f64,
    signal: i32,
}

/// What a thread of a pipe has to say.
enum News {
    /// All of a pipe.
    Output(usize, Vec<u8>),
    TooMuch(usize, Vec<u8>),
    /// All input is written.
    Written,
}

struct Finished {
    pid: u32,
    code: i32,
    signal: i32,
    /// `ETIMEDOUT` or `ENOBUFS`, negative; 0: neither.
    cut: i32,
    outputs: Vec<Option<Vec<u8>>>,
}

pub(super) fn install<'js>(object: &Object<'js>) -> Result<()> {
    // (options, input?) → [pid, code, signal, cut, output …] or [negative errno]
    object.set(
        "run",
        Func::from(|ctx: Ctx<'js>, options: Object<'js>, input: Value<'js>| {
            let request = Request::of(&options)?;
            let timeout: f64 = options.get("timeout")?;
            let limits = Limits {
                timeout: (timeout > 0.0).then(|| Duration::from_secs_f64(timeout / 1000.0)),
                output_max: options.get("maxBuffer")?,
                signal: options.get("killSignal")?,
            };
            let input = if input.is_object() {
                with_bytes(&ctx, &input, |bytes| bytes.to_vec())?
            } else {
                Vec::new()
            };
            let array = Array::new(ctx.clone())?;
            match run(&request, &limits, input) {
                Err(error) => array.set(0, errno(&error))?,
                Ok(finished) => fill(&ctx, &array, finished)?,
            }
            Ok::<_, rquickjs::Error>(array)
        }),
    )
}

fn fill<'js>(ctx: &Ctx<'js>, array: &Array<'js>, finished: Finished) -> Result<()> {
    array.set(0, finished.pid)?;
    array.set(1, finished.code)?;
    array.set(2, finished.signal)?;
    array.set(3, finished.cut)?;
    for (at, output) in finished.outputs.into_iter().enumerate() {
        match output {
            Some(bytes) => array.set(4 + at, array_buffer(ctx, &bytes)?)?,
            None => array.set(4 + at, Value::new_null(ctx.clone()))?,
        }
    }
    Ok(())
}

fn run(request: &Request, limits: &Limits, input: Vec<u8>) -> std::io::Result<Finished> {
    let places = places(&request.stdio)?;
    let mut command = request.command();
    attach(&mut command, places.child, request.detached);
    let mut child = command.spawn()?;
    // The command holds the child's ends: closed, so that the pipes end when the program does.
    drop(command);
    let (news, heard) = mpsc::channel();
    let mut outputs = vec![None; places.parent.len()];
    let mut waiting = 0;
    let mut input = Some(input);
    for (at, end) in places.parent.into_iter().enumerate() {
        let Some(end) = end else { continue };
        waiting += 1;
        if at == 0 {
            write_input(end, input.take().unwrap_or_default(), news.clone());
        } else {
            outputs[at] = Some(Vec::new());
            read_output(at, end, limits.output_max, news.clone());
        }
    }
    let mut watch = Watch {
        deadline: limits.timeout.map(|timeout| Instant::now() + timeout),
        signal: limits.signal,
        cut: 0,
    };
    while waiting > 0 {
        match watch.hear(&heard, &mut child) {
            Some(News::Output(at, bytes)) => outputs[at] = Some(bytes),
            Some(News::TooMuch(at, bytes)) => {
                outputs[at] = Some(bytes);
                watch.stop(&child, -libc::ENOBUFS);
            }
            Some(News::Written) => {}
            None => break,
        }
        waiting -= 1;
    }
    let status = watch.wait(&mut child)?;
    let (code, signal) = ending(status);
    Ok(Finished {
        pid: child.id(),
        code,
        signal,
        cut: watch.cut,
        outputs,
    })
}

/// The time a program has.
struct Watch {
    deadline: Option<Instant>,
    signal: i32,
    cut: i32,
}

impl Watch {
    /// Ends the program, once.
    fn stop(&mut self, child: &Child, reason: i32) {
        if self.cut != 0 {
            return;
        }
        self.cut = reason;
        let pid = Pid::from_child(child);
        if let Some(signal) = Signal::from_named_raw(self.signal) {
            // A failure means that it has ended already.
            let _result = kill_process(pid, signal);
        }
    }

    fn hear(&mut self, heard: &mpsc::Receiver<News>, child: &mut Child) -> Option<News> {
        loop {
            let Some(deadline) = self.deadline.filter(|_| self.cut == 0) else {
                return heard.recv().ok();
            };
            match heard.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(news) => return Some(news),
                Err(RecvTimeoutError::Timeout) => self.stop(child, -libc::ETIMEDOUT),
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    fn wait(&mut self, child: &mut Child) -> std::io::Result<std::process::ExitStatus> {
        while let Some(deadline) = self.deadline.filter(|_| self.cut == 0) {
            if let Some(status) = child.try_wait()? {
                return Ok(status);
            }
            if Instant::now() >= deadline {
                self.stop(child, -libc::ETIMEDOUT);
            } else {
                std::thread::sleep(Duration::from_millis(LOOK_MS));
            }
        }
        child.wait()
    }
}

fn write_input(end: OwnedFd, input: Vec<u8>, news: Sender<News>) {
    std::thread::spawn(move || {
        // A program need not read its input.
        let _result = reader(end).write_all(&input);
        let _result = news.send(News::Written);
    });
}

fn read_output(at: usize, end: OwnedFd, bytes_max: f64, news: Sender<News>) {
    std::thread::spawn(move || {
        let mut file = reader(end);
        let mut all = Vec::new();
        let mut part = vec![0; PART_BYTES];
        loop {
            match file.read(&mut part) {
                Ok(0) => break,
                Ok(count) => all.extend_from_slice(part.get(..count).unwrap_or_default()),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
            if exceeds(all.len(), bytes_max) {
                let _result = news.send(News::TooMuch(at, all));
                return;
            }
        }
        let _result = news.send(News::Output(at, all));
    });
}

#[expect(clippy::cast_precision_loss, reason = "a limit of JavaScript's")]
fn exceeds(bytes: usize, bytes_max: f64) -> bool {
    bytes as f64 > bytes_max
}
