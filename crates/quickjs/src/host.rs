//! The engine on the JavaScript thread: waits for its descriptor, hands its events to JavaScript, collects
//! the replies.

use std::cell::{Cell, RefCell};
use std::os::fd::{AsRawFd, RawFd};
use std::rc::Rc;

use fulmar_batch::{Calls, EVENT_KIND_LAST_OF_EXCHANGE, EVENT_WORDS, control, has_commands};
use fulmar_engine::{Engine, Id};
use fulmar_quickjs_node::Loop as _;
use rquickjs::{Ctx, Function, Persistent, Result, Value};
use tokio::io::unix::AsyncFd;
use tokio::sync::Notify;

use crate::engine_memory::{LentArray, SharedMemory};
use crate::event_loop::{self, EventLoop};

/// Turns in a row before timers and other sources are looked at.
const ROUNDS_MAX: usize = 8;

/// What both sides read and write.
pub(crate) struct Shared {
    pub(crate) control: SharedMemory,
    pub(crate) events: SharedMemory,
    pub(crate) commands: SharedMemory,
    pub(crate) arena: SharedMemory,
    pub(crate) on_batch: Persistent<Function<'static>>,
}

impl Shared {
    /// Control, events, commands, arena.
    fn memories(&self) -> [&mut [u8]; 4] {
        [&self.control, &self.events, &self.commands, &self.arena].map(SharedMemory::bytes)
    }
}

/// One per process.
pub(crate) struct Host {
    pub(crate) engine: RefCell<Engine>,
    pub(crate) shared: RefCell<Option<Shared>>,
    /// The array that is received into. Its address is asked for in each turn.
    slab: RefCell<Option<LentArray>>,
    slab_cursor: Cell<usize>,
    /// Open listeners that keep the process alive.
    pub(crate) listeners_referenced: Cell<u32>,
    pumping: Cell<bool>,
    /// Something changed that readiness does not announce.
    changed: Notify,
    /// When the timer that `serve` waits for is due, in the engine's time.
    armed_at: Cell<u64>,
}

struct Descriptor(RawFd);

impl AsRawFd for Descriptor {
    fn as_raw_fd(&self) -> RawFd {
        self.0
    }
}

impl Host {
    pub(crate) fn new() -> std::io::Result<Rc<Self>> {
        Ok(Rc::new(Self {
            engine: RefCell::new(Engine::new()?),
            shared: RefCell::new(None),
            slab: RefCell::new(None),
            slab_cursor: Cell::new(0),
            listeners_referenced: Cell::new(0),
            pumping: Cell::new(false),
            changed: Notify::new(),
            armed_at: Cell::new(u64::MAX),
        }))
    }

    /// Takes the shared arrays and the batch function, and starts to wait for the engine's descriptor.
    pub(crate) fn share<'js>(
        self: &Rc<Self>,
        ctx: &Ctx<'js>,
        shared: Shared,
        turn: &Rc<EventLoop>,
    ) -> Result<()> {
        self.shared.replace(Some(shared));
        let descriptor = Descriptor(self.engine.borrow().as_raw_fd());
        // SAFETY: the engine's descriptor stays open as long as the host, which the process never drops.
        let fd = unsafe { AsyncFd::register(descriptor) }.map_err(|error| {
            let text = format!("the engine's descriptor cannot be watched: {error:?}");
            rquickjs::Exception::throw_message(ctx, &text)
        })?;
        let (host, turn, context) = (Rc::clone(self), Rc::clone(turn), ctx.clone());
        ctx.spawn(async move { host.serve(&context, &turn, &fd).await });
        Ok(())
    }

    /// Waits for readiness, the engine's next timer or a change, and pumps.
    async fn serve(&self, ctx: &Ctx<'_>, turn: &EventLoop, fd: &AsyncFd<Descriptor>) {
        loop {
            let timeout = {
                let engine = self.engine.borrow();
                self.armed_at
                    .set(engine.next_timer_at().unwrap_or(u64::MAX));
                if engine.has_ready() {
                    Some(0)
                } else {
                    engine.next_timer_ms()
                }
            };
            let timer = async {
                match timeout {
                    Some(0) => tokio::task::yield_now().await,
                    Some(ms) => tokio::time::sleep(std::time::Duration::from_millis(ms)).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                ready = fd.readable() => {
                    if let Ok(mut guard) = ready { guard.clear_ready(); }
                }
                () = self.changed.notified() => {}
                () = timer => {}
            }
            self.pump(ctx, turn);
        }
    }

    /// Receives into this array from now on.
    pub(crate) fn set_slab(&self, slab: LentArray) {
        self.slab.replace(Some(slab));
        self.slab_cursor.set(0);
    }

    /// True while listeners or connections keep the process alive.
    pub(crate) fn is_referenced(&self) -> bool {
        self.listeners_referenced.get() > 0 || self.engine.borrow().referenced_connections() > 0
    }

    /// Works until there is nothing to do or others must have their turn.
    fn pump(&self, ctx: &Ctx<'_>, turn: &EventLoop) {
        if self.pumping.get() || self.shared.borrow().is_none() {
            return;
        }
        self.pumping.set(true);
        for _ in 0..ROUNDS_MAX {
            self.collect();
            let (count, slab_bytes) = self.turn();
            if count == 0 && slab_bytes == 0 {
                break;
            }
            self.deliver(ctx, turn, count, slab_bytes);
            self.collect();
            if !self.engine.borrow().has_ready() {
                break;
            }
        }
        self.pumping.set(false);
    }

    /// Called after anything has run that was not a batch: replies may wait, timers may be nearer.
    pub(crate) fn after_turn(&self) {
        if self.pumping.get() {
            return;
        }
        let waiting = self
            .shared
            .borrow()
            .as_ref()
            .is_some_and(|shared| has_commands(shared.control.bytes()));
        let (engine_waits, nearer_timer) = {
            let engine = self.engine.borrow();
            let nearer = engine
                .next_timer_at()
                .is_some_and(|at| at < self.armed_at.get());
            (engine.is_dirty() || engine.has_ready(), nearer)
        };
        if waiting || engine_waits {
            self.collect();
        }
        if waiting || engine_waits || nearer_timer {
            self.changed.notify_one();
        }
    }

    /// Lets the engine work; returns how many events were copied for JavaScript, and the bytes that another
    /// slab must have at least (0: the slab stays).
    fn turn(&self) -> (u32, u32) {
        let (slab, shared) = (self.slab.borrow(), self.shared.borrow());
        let (Some(slab), Some(shared)) = (slab.as_ref(), shared.as_ref()) else {
            return (0, 0);
        };
        let (count, next) = fulmar_batch::turn(
            &mut self.engine.borrow_mut(),
            slab.bytes_mut(),
            self.slab_cursor.get(),
            shared.events.bytes(),
        );
        self.slab_cursor.set(next.cursor);
        (count, next.bytes)
    }

    /// Hands `count` events to JavaScript, in as many calls as it wants. A handler that throws is reported as
    /// uncaught; the rest of the batch goes on.
    fn deliver(&self, ctx: &Ctx<'_>, turn: &EventLoop, count: u32, slab_bytes: u32) {
        let begin = |shared: &Shared| Calls::begin(shared.control.bytes(), count);
        let Some(mut calls) = self.with_shared(begin) else {
            return;
        };
        loop {
            let Some(function) = self.on_batch(ctx) else {
                return;
            };
            let returned = turn.enter(ctx, || function.call::<_, Value<'_>>((count, slab_bytes)));
            let reached = self.with_shared(|shared| shared.control.word(control::CURSOR));
            if !returned && turn.was_interrupted() && reached > Some(0) {
                self.abort_exchange(reached.unwrap_or(1) - 1);
            }
            let goes_on = self.with_shared(|shared| {
                let engine = &mut self.engine.borrow_mut();
                calls.next(engine, shared.memories(), returned)
            });
            if goes_on != Some(true) || event_loop::is_exiting() {
                return;
            }
        }
    }

    fn with_shared<T>(&self, work: impl FnOnce(&Shared) -> T) -> Option<T> {
        self.shared.borrow().as_ref().map(work)
    }

    /// The handler of this event was ended: whoever waits for its reply shall not wait for ever.
    fn abort_exchange(&self, event: u32) {
        let shared = self.shared.borrow();
        let Some(shared) = shared.as_ref() else {
            return;
        };
        let first = usize::try_from(event).unwrap_or(0) * EVENT_WORDS;
        let word = |index: usize| fulmar_batch::word(shared.events.bytes(), first + index);
        // Ids of connections' events name no exchange: a stale id is a no-op.
        if word(0) & 0xff <= EVENT_KIND_LAST_OF_EXCHANGE {
            let (slot, generation) = (word(1), word(2));
            self.engine.borrow_mut().abort(Id { slot, generation });
        }
    }

    fn on_batch<'js>(&self, ctx: &Ctx<'js>) -> Option<Function<'js>> {
        let shared = self.shared.borrow();
        shared
            .as_ref()
            .and_then(|shared| shared.on_batch.clone().restore(ctx).ok())
    }

    /// Gives the engine the replies JavaScript has written, and sends nothing.
    pub(crate) fn give(&self) {
        self.with_shared(|shared| {
            let engine = &mut self.engine.borrow_mut();
            let [control, commands, arena] =
                [&shared.control, &shared.commands, &shared.arena].map(SharedMemory::bytes);
            fulmar_batch::give(engine, control, commands, arena);
        });
    }

    /// Within a batch: tells of the ends of replies that somebody waits for.
    pub(crate) fn tell_awaited(&self) {
        self.with_shared(|shared| {
            let engine = &mut self.engine.borrow_mut();
            fulmar_batch::tell_awaited(engine, shared.memories());
        });
    }

    /// Gives the engine the replies JavaScript has written, then sends.
    pub(crate) fn collect(&self) {
        let shared = self.shared.borrow();
        let Some(shared) = shared.as_ref() else {
            return;
        };
        fulmar_batch::collect(
            &mut self.engine.borrow_mut(),
            shared.control.bytes(),
            shared.commands.bytes(),
            shared.arena.bytes(),
        );
    }
}
