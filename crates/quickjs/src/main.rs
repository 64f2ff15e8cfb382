//! The QuickJS host: the engine with an embedded QuickJS. As `fulmar build --native` makes it, an executable
//! of this program carries Node's modules and an application as bytecode, and runs it.
//!
//! Without an application it is a tool for the build: `list` tells its version and modules,
//! `pack <manifest> <output>` compiles modules and appends them, `run <file>` runs a bundle's text.

#![allow(
    clippy::elidable_lifetime_names,
    reason = "closures for JavaScript need the lifetime by name; with it throughout, signatures look alike"
)]
#![allow(
    clippy::cast_precision_loss,
    reason = "counts become JavaScript numbers, which are floats"
)]

mod archive;
mod async_frames;
mod bindings;
mod cycles;
mod engine_memory;
mod event_loop;
mod guests;
mod heap;
mod host;
mod limits;
mod listen;
mod mapping;
mod modules;
mod ops;
mod pack;
mod script;
mod timers;

use std::process::ExitCode;
use std::rc::Rc;

use fulmar_quickjs_node::Loop as _;
use rquickjs::{AsyncContext, AsyncRuntime, CatchResultExt as _, Ctx, Function, Object, Value};

use crate::event_loop::EventLoop;
use crate::heap::Heap;
use crate::host::Host;
use crate::limits::Limits;
use crate::modules::Modules;

fn main() -> ExitCode {
    let modules = match Modules::of_executable() {
        Ok(modules) => modules,
        Err(error) => return fail(&format!("this executable cannot run: {error}")),
    };
    let arguments: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    if !modules.has_application()
        && let Some(code) = build_command(&modules, &arguments)
    {
        return code;
    }
    if !modules.has_boot() {
        return fail(
            "this executable is not complete: the modules that belong at its end are missing. It was cut off, or never finished; build or copy it again",
        );
    }
    if !modules.has_application() && !matches!(arguments.as_slice(), [run, _, ..] if run == "run") {
        return fail(
            "this is the native runtime without an application. To make an executable of one: fulmar build --native <file>",
        );
    }
    match run(modules) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => fail(&message),
    }
}

/// What only the build asks for; `None` when it is something else.
fn build_command(modules: &Modules, arguments: &[String]) -> Option<ExitCode> {
    let (command, rest) = arguments.split_first()?;
    match command.as_str() {
        "pack" => Some(match pack::pack(modules, rest) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => fail(&message),
        }),
        "list" if modules.has_boot() => {
            let mut text = format!("fulmar-native {}\n", env!("CARGO_PKG_VERSION"));
            for name in modules.names() {
                text.push_str(&name);
                text.push('\n');
            }
            print!("{text}");
            Some(ExitCode::SUCCESS)
        }
        _ => None,
    }
}

fn fail(message: &str) -> ExitCode {
    eprintln!("fulmar: {message}");
    ExitCode::FAILURE
}

/// Starts the runtime and runs until nothing is left to do.
fn run(modules: Modules) -> Result<(), String> {
    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let tokio = tokio.map_err(|error| format!("the event loop could not start: {error}"))?;
    tokio.block_on(async {
        let limits = Limits::from_environment()?;
        let runtime = AsyncRuntime::new_with_alloc(limits.allocator(Heap::new()))
            .map_err(|error| error.to_string())?;
        runtime
            .set_gc_threshold(usize::try_from(cycles::FIRST).unwrap_or(usize::MAX))
            .await;
        limits.apply(&runtime).await;
        let context = AsyncContext::full(&runtime)
            .await
            .map_err(|error| error.to_string())?;
        let host = Host::new().map_err(|error| format!("the engine could not start: {error}"))?;
        let event_loop = EventLoop::new(host, limits);
        let modules = Rc::new(modules);
        let rejections = Rc::clone(&event_loop);
        runtime
            .set_host_promise_rejection_tracker(Some(Box::new(
                move |ctx, promise, reason, handled| {
                    rejections.rejection(&ctx, promise, reason, handled);
                },
            )))
            .await;
        context
            .with(|ctx| {
                if let Err(error) = boot(&ctx, &event_loop, &modules).catch(&ctx) {
                    eprintln!("fulmar: the runtime could not start: {error}");
                    std::process::exit(70);
                }
            })
            .await;
        event_loop.run(&runtime, &context).await;
        event_loop.exit(0)
    })
}

/// Loads `boot.cjs`, which sets the globals and starts the application.
fn boot(ctx: &Ctx<'_>, event_loop: &Rc<EventLoop>, modules: &Rc<Modules>) -> rquickjs::Result<()> {
    let ops = ops::object(ctx, event_loop, modules)?;
    let boot: Function<'_> = modules
        .load(ctx, "boot.cjs")?
        .try_into_function()
        .map_err(|_| rquickjs::Error::Unknown)?;
    let exports = Object::new(ctx.clone())?;
    boot.call::<_, ()>((exports.clone(),))?;
    let start: Function<'_> = exports.get("boot")?;
    if !event_loop.enter(ctx, || start.call::<_, Value<'_>>((ops,))) && event_loop.was_interrupted()
    {
        event_loop.exit(1); // The application never finished its start.
    }
    Ok(())
}
