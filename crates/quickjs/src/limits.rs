//! Limits of what JavaScript may use: the stack, always; memory and time without a pause, when variables of
//! the environment say so.
//!
//! | variable | meaning |
//! |---|---|
//! | `FULMAR_NATIVE_MEMORY_LIMIT_MB` | JavaScript's heap; beyond it an allocation throws `InternalError: out of memory` |
//! | `FULMAR_NATIVE_SCRIPT_LIMIT_MS` | time that one event's code may run; beyond it the code is ended and the event loop goes on |

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use rquickjs::AsyncRuntime;
use rquickjs::allocator::Allocator;

/// What JavaScript may use of the stack, in bytes; the main thread has 8 MiB where nobody set less.
const STACK_MAX: usize = 4 * 1024 * 1024;
/// JavaScript's part of a smaller stack: the rest is for what it calls.
const STACK_SHARE: usize = 2;
/// What each refused allocation allows beyond the limit of memory, so that there is room for the error, in
/// bytes.
const REFUSAL_RESERVE: usize = 1024 * 1024;
/// The most that refusals allow together, and what may be used while an error is reported, in bytes.
const RESERVE_MAX: usize = 16 * 1024 * 1024;

thread_local! {
    /// An error is being reported: that needs memory.
    static REPORTING: Cell<bool> = const { Cell::new(false) };
}

pub(crate) struct Limits {
    memory: Option<usize>,
    script: Option<Duration>,
    /// When the code that is running was entered.
    started: Cell<Instant>,
    interrupted: Cell<bool>,
}

impl Limits {
    pub(crate) fn from_environment() -> Result<Rc<Self>, String> {
        let memory = number("FULMAR_NATIVE_MEMORY_LIMIT_MB")?.map(|megabytes| {
            usize::try_from(megabytes)
                .unwrap_or(usize::MAX)
                .saturating_mul(1024 * 1024)
        });
        Ok(Rc::new(Self {
            memory,
            script: number("FULMAR_NATIVE_SCRIPT_LIMIT_MS")?.map(Duration::from_millis),
            started: Cell::new(Instant::now()),
            interrupted: Cell::new(false),
        }))
    }

    pub(crate) async fn apply(self: &Rc<Self>, runtime: &AsyncRuntime) {
        runtime.set_max_stack_size(stack_bytes()).await;
        if let Some(limit) = self.script {
            let this = Rc::clone(self);
            let handler = move || {
                let over = this.started.get().elapsed() > limit;
                this.interrupted.set(this.interrupted.get() || over);
                over
            };
            runtime.set_interrupt_handler(Some(Box::new(handler))).await;
        }
    }

    /// Code is entered: its time begins.
    pub(crate) fn begin(&self) {
        if self.script.is_some() {
            self.started.set(Instant::now());
        }
    }

    /// Was the code that just ended stopped because it ran too long? Gives the limit in ms.
    pub(crate) fn take_interrupted(&self) -> Option<u128> {
        self.begin();
        self.script
            .filter(|_| self.interrupted.replace(false))
            .map(|limit| limit.as_millis())
    }

    /// What QuickJS allocates with.
    pub(crate) fn allocator<A: Allocator>(&self, inner: A) -> Limited<A> {
        Limited {
            inner,
            limit: self.memory,
            used: 0,
            refusals: 0,
        }
    }
}

/// Runs `report` with some memory beyond the limit: telling of an error needs it.
pub(crate) fn with_reserve<T>(report: impl FnOnce() -> T) -> T {
    let before = REPORTING.replace(true);
    let result = report();
    REPORTING.set(before);
    result
}

/// An allocator that gives no more than a limit. Where it refuses, it allows a little more next: QuickJS
/// makes an error object then.
pub(crate) struct Limited<A> {
    inner: A,
    limit: Option<usize>,
    used: usize,
    refusals: usize,
}

impl<A: Allocator> Limited<A> {
    /// May `more` bytes be used?
    fn grants(&mut self, more: usize) -> bool {
        let Some(limit) = self.limit else {
            return true;
        };
        let wanted = self.used.saturating_add(more);
        if wanted <= limit {
            if wanted < limit - limit / 8 {
                self.refusals = 0;
            }
            return true;
        }
        let reserve = if REPORTING.get() {
            2 * RESERVE_MAX
        } else {
            (self.refusals * REFUSAL_RESERVE).min(RESERVE_MAX)
        };
        if wanted <= limit.saturating_add(reserve) {
            return true;
        }
        self.refusals += 1;
        false
    }

    /// Notes what was given.
    fn counted(&mut self, ptr: *mut u8) -> *mut u8 {
        if self.limit.is_some() && !ptr.is_null() {
            // SAFETY: the inner allocator has just given this block.
            self.used += unsafe { A::usable_size(ptr) };
        }
        ptr
    }

    /// The size of a block that is given back.
    fn size_of(&self, ptr: *mut u8) -> usize {
        if self.limit.is_none() || ptr.is_null() {
            return 0;
        }
        // SAFETY: the caller owns this block of the inner allocator.
        unsafe { A::usable_size(ptr) }
    }
}

// SAFETY: all memory is the inner allocator's; this one only refuses.
unsafe impl<A: Allocator> Allocator for Limited<A> {
    #[inline]
    fn alloc(&mut self, size: usize) -> *mut u8 {
        if !self.grants(size) {
            return std::ptr::null_mut();
        }
        let ptr = self.inner.alloc(size);
        self.counted(ptr)
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        if !self.grants(count.saturating_mul(size)) {
            return std::ptr::null_mut();
        }
        let ptr = self.inner.calloc(count, size);
        self.counted(ptr)
    }

    #[inline]
    unsafe fn dealloc(&mut self, ptr: *mut u8) {
        self.used -= self.size_of(ptr).min(self.used);
        // SAFETY: the caller gives back a block of the inner allocator.
        unsafe { self.inner.dealloc(ptr) };
    }

    unsafe fn realloc(&mut self, ptr: *mut u8, new_size: usize) -> *mut u8 {
        let size = self.size_of(ptr);
        if new_size > size && !self.grants(new_size - size) {
            return std::ptr::null_mut();
        }
        // SAFETY: a block of the inner allocator, or null.
        let new = unsafe { self.inner.realloc(ptr, new_size) };
        if !new.is_null() {
            self.used -= size.min(self.used);
        }
        self.counted(new)
    }

    #[inline]
    unsafe fn usable_size(ptr: *mut u8) -> usize {
        // SAFETY: a block of the inner allocator.
        unsafe { A::usable_size(ptr) }
    }
}

fn number(name: &str) -> Result<Option<u64>, String> {
    match std::env::var(name) {
        Ok(text) if !text.is_empty() => match text.parse() {
            Ok(value) if value > 0 => Ok(Some(value)),
            _ => Err(format!(
                "{name} must be a positive integer, but is '{text}'"
            )),
        },
        _ => Ok(None),
    }
}

/// As much of the main thread's stack as JavaScript may use.
pub(crate) fn stack_bytes() -> usize {
    let mut limit = libc::rlimit {
        rlim_cur: libc::RLIM_INFINITY,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: `limit` is writable.
    unsafe { libc::getrlimit(libc::RLIMIT_STACK, &raw mut limit) };
    usize::try_from(limit.rlim_cur).map_or(STACK_MAX, |bytes| (bytes / STACK_SHARE).min(STACK_MAX))
}
