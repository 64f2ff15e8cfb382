//! The event loop for JavaScript: hooks, ticks, timers, what keeps the process alive, asynchronous frames;
//! and the engine, which it drives.

use std::rc::Rc;

use fulmar_quickjs_node::Loop as _;
use rquickjs::function::Func;
use rquickjs::{Ctx, Function, Object, Result, Value};

use crate::bindings;
use crate::event_loop::EventLoop;
use crate::timers::Timer;

pub(crate) fn install<'js>(ops: &Object<'js>, event_loop: &Rc<EventLoop>) -> Result<()> {
    events(ops, event_loop)?;
    frames(ops, event_loop)
}

fn events<'js>(ops: &Object<'js>, event_loop: &Rc<EventLoop>) -> Result<()> {
    let turn = Rc::clone(event_loop);
    ops.set(
        "setHooks",
        Func::from(move |ctx: Ctx<'js>, hooks: Object<'js>| turn.set_hooks(&ctx, &hooks)),
    )?;
    let turn = Rc::clone(event_loop);
    ops.set("setPending", Func::from(move || turn.set_pending()))?;
    let turn = Rc::clone(event_loop);
    ops.set(
        "setImmediates",
        Func::from(move |waiting: bool| turn.set_immediates(waiting)),
    )?;
    let turn = Rc::clone(event_loop);
    ops.set(
        "runMicrotasks",
        Func::from(move |ctx: Ctx<'js>| turn.run_microtasks(&ctx)),
    )?;
    let turn = Rc::clone(event_loop);
    ops.set("beginTime", Func::from(move || turn.begin_time()))?;
    let turn = Rc::clone(event_loop);
    ops.set("alive", Func::from(move || turn.is_alive()))?;
    let turn = Rc::clone(event_loop);
    ops.set("retain", Func::from(move || turn.retain()))?;
    let turn = Rc::clone(event_loop);
    ops.set("release", Func::from(move || turn.release()))?;
    let turn = Rc::clone(event_loop);
    ops.set(
        "exit",
        Func::from(move |code: i32| -> () { turn.exit(code) }),
    )?;
    let turn = Rc::clone(event_loop);
    ops.set(
        "engine",
        Func::from(move |ctx: Ctx<'js>| bindings::object(&ctx, &turn)),
    )?;
    let turn = Rc::clone(event_loop);
    // Returns a function that sets when the timers are due, in ms from now.
    ops.set(
        "startTimers",
        Func::from(move |ctx: Ctx<'js>, run: Function<'js>| {
            let timer = Timer::start(&ctx, &turn, run);
            Function::new(ctx, move |ms: f64| timer.set(ms))
        }),
    )
}

fn frames<'js>(ops: &Object<'js>, event_loop: &Rc<EventLoop>) -> Result<()> {
    let frames = Rc::clone(&event_loop.frames);
    ops.set(
        "asyncFrame",
        Func::from(move |ctx: Ctx<'js>| frames.current(&ctx)),
    )?;
    let frames = Rc::clone(&event_loop.frames);
    ops.set(
        "setAsyncFrame",
        Func::from(move |ctx: Ctx<'js>, frame: Value<'js>| frames.set(&ctx, &frame)),
    )?;
    let frames = Rc::clone(&event_loop.frames);
    ops.set(
        "enterAsyncFrame",
        Func::from(move |ctx: Ctx<'js>, frame: Value<'js>| frames.enter(&ctx, &frame)),
    )?;
    let frames = Rc::clone(&event_loop.frames);
    ops.set(
        "stampAsyncFrame",
        Func::from(move |ctx: Ctx<'js>, owner: Value<'js>| frames.stamp(&ctx, &owner)),
    )?;
    let frames = Rc::clone(&event_loop.frames);
    ops.set(
        "trackAsyncFrames",
        Func::from(move |ctx: Ctx<'js>| frames.track(&ctx)),
    )
}
