//! Prints what scanning and parsing one head costs: nanoseconds, and allocations once the field list is warm.
//!
//! `cargo run --release -p fulmar-http1 --example head_cost`

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use fulmar_http1::{HeadLimits, HeadScanner, Scan, parse_request_head};

const ROUNDS: u32 = 200_000;
const REPEATS: usize = 7;

const HELLO: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost:3000\r\n\r\n";
const BROWSER: &[u8] = b"GET /articles/42?page=3 HTTP/1.1\r\n\
Host: www.example.com\r\n\
Connection: keep-alive\r\n\
Cache-Control: max-age=0\r\n\
Upgrade-Insecure-Requests: 1\r\n\
User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36\r\n\
Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8\r\n\
Referer: https://www.example.com/articles\r\n\
Accept-Encoding: gzip, deflate, br, zstd\r\n\
Accept-Language: en-US,en;q=0.9,de;q=0.8\r\n\
Cookie: session=0123456789abcdef0123456789abcdef; theme=dark\r\n\r\n";

struct Counting;
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: both calls are passed on to the system's allocator as they are.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps `GlobalAlloc`'s contract.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps `GlobalAlloc`'s contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn nanoseconds_per_call(mut call: impl FnMut()) -> f64 {
    let times = (0..REPEATS).map(|_| {
        let start = Instant::now();
        (0..ROUNDS).for_each(|_| call());
        start.elapsed().as_secs_f64() * 1e9 / f64::from(ROUNDS)
    });
    times.fold(f64::INFINITY, f64::min)
}

fn main() {
    let limits = HeadLimits::default();
    for (name, bytes) in [("hello", HELLO), ("browser, 10 fields", BROWSER)] {
        let mut fields = Vec::new();
        let scan = || HeadScanner::default().scan(black_box(bytes), &limits);
        let mut parse = || parse_request_head(black_box(bytes), &limits, &mut fields);
        assert_eq!(
            scan(),
            Ok(Scan::Complete {
                start: 0,
                end: bytes.len()
            })
        );
        parse().expect("a good head");
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        let scan_ns = nanoseconds_per_call(|| {
            black_box(scan()).ok();
        });
        let parse_ns = nanoseconds_per_call(|| {
            black_box(parse()).ok();
        });
        let allocations = ALLOCATIONS.load(Ordering::Relaxed) - before;
        println!(
            "{name}: {} bytes, scan {scan_ns:.0} ns + parse {parse_ns:.0} ns = {:.0} ns, {allocations} allocations",
            bytes.len(),
            scan_ns + parse_ns
        );
    }
}
