//! The one timer of the process: JavaScript keeps the list of its timers and says when the next one is due.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use fulmar_quickjs_node::Loop as _;
use rquickjs::{Ctx, Function, Persistent, Result};
use tokio::sync::Notify;

use crate::event_loop::EventLoop;

pub(crate) struct Timer {
    /// When the next timer is due.
    due: Cell<Option<Instant>>,
    changed: Notify,
}

impl Timer {
    /// Starts to wait; `run` is called when time is due.
    pub(crate) fn start<'js>(
        ctx: &Ctx<'js>,
        event_loop: &Rc<EventLoop>,
        run: Function<'js>,
    ) -> Rc<Self> {
        let timer = Rc::new(Self {
            due: Cell::new(None),
            changed: Notify::new(),
        });
        let (this, event_loop, context) = (Rc::clone(&timer), Rc::clone(event_loop), ctx.clone());
        let run = Persistent::save(ctx, run);
        ctx.spawn(async move {
            loop {
                this.wait().await;
                let call = || -> Result<()> { run.clone().restore(&context)?.call(()) };
                event_loop.enter(&context, call);
            }
        });
        timer
    }

    /// Due in `ms` from now; negative: never.
    pub(crate) fn set(&self, ms: f64) {
        self.due.set(
            Duration::try_from_secs_f64(ms / 1000.0)
                .ok()
                .and_then(|wait| Instant::now().checked_add(wait)),
        );
        self.changed.notify_one();
    }

    async fn wait(&self) {
        loop {
            match self.due.get() {
                None => self.changed.notified().await,
                Some(due) => tokio::select! {
                    biased;
                    () = self.changed.notified() => {}
                    () = tokio::time::sleep_until(due.into()) => {
                        self.due.set(None);
                        return;
                    }
                },
            }
        }
    }
}
