//! Does decryption with RSA take longer for some paddings than for others? A measurement in the manner of
//! dudect (Reparaz, Balasch, Verbauwhede 2017): two classes of ciphertexts, one of them chosen at random for
//! each call, Welch's t over all times and over those below many percentiles, for what delays the slowest
//! calls is the machine. |t| above 4.5 in a long run is a difference.
//!
//! `taskset -c 1 cargo run --profile native -p fulmar-node-crypto --example timing -- [bits] [seconds for each pair]`

use std::hint::black_box;
use std::time::{Duration, Instant};

use fulmar_node_crypto::{EncryptionPadding, Key, Kind, Purpose, Wish, crypt, generate, random};

/// Node's constants.
const PKCS1: u32 = 1;
const NONE: u32 = 3;
const OAEP: u32 = 4;

/// Ciphertexts of a class.
const POOL: usize = 1024;
const WARM_UP_CALLS: usize = 200;
const MESSAGE_BYTES: usize = 16;
const CROPS: i32 = 100;
const LIMIT: f64 = 4.5;

fn padding(scheme: u32, label: &[u8]) -> EncryptionPadding<'_> {
    EncryptionPadding {
        scheme,
        kind: Kind::Sha1,
        label,
    }
}

fn bytes(count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    random::fill(&mut bytes).expect("the system has random bytes");
    bytes
}

/// How a ciphertext of a class is made.
#[derive(Clone, Copy)]
struct Class {
    name: &'static str,
    scheme: u32,
    label: &'static [u8],
    /// Spoils the padded message.
    spoil: fn(&mut [u8]),
}

const fn class(
    name: &'static str,
    scheme: u32,
    label: &'static [u8],
    spoil: fn(&mut [u8]),
) -> Class {
    Class {
        name,
        scheme,
        label,
        spoil,
    }
}

fn keep(_: &mut [u8]) {}

fn without_separator(block: &mut [u8]) {
    for byte in &mut block[2..] {
        *byte = (*byte).max(1);
    }
}

const OAEP_WHOLE: Class = class("whole", OAEP, b"", keep);
const OAEP_LABEL: Class = class("another label", OAEP, b"other", keep);
const OAEP_FIRST: Class = class("first byte not zero", OAEP, b"", |block| block[0] = 1);
const OAEP_MASK: Class = class("masked content changed", OAEP, b"", |block| {
    let last = block.len() - 1;
    block[last] ^= 1;
});
const PKCS1_WHOLE: Class = class("whole", PKCS1, b"", keep);
const PKCS1_TYPE: Class = class("another type", PKCS1, b"", |block| block[1] = 1);
const PKCS1_SHORT: Class = class("a zero too early", PKCS1, b"", |block| block[4] = 0);
const PKCS1_ENDLESS: Class = class("no separator", PKCS1, b"", without_separator);

/// The first says what the machine alone does to the figure.
const PAIRS: [(&str, Class, Class); 7] = [
    ("control", OAEP_WHOLE, OAEP_WHOLE),
    ("OAEP", OAEP_WHOLE, OAEP_LABEL),
    ("OAEP", OAEP_LABEL, OAEP_FIRST),
    ("OAEP", OAEP_FIRST, OAEP_MASK),
    ("PKCS #1 v1.5", PKCS1_WHOLE, PKCS1_TYPE),
    ("PKCS #1 v1.5", PKCS1_TYPE, PKCS1_ENDLESS),
    ("PKCS #1 v1.5", PKCS1_WHOLE, PKCS1_SHORT),
];

fn ciphertext(key: &Key, class: Class) -> Vec<u8> {
    let message = bytes(MESSAGE_BYTES);
    let sent = crypt(
        "publicEncrypt",
        key,
        &message,
        &padding(class.scheme, class.label),
    );
    let bare = padding(NONE, b"");
    let mut block = crypt(
        "privateDecrypt",
        key,
        &sent.expect("the message fits"),
        &bare,
    )
    .expect("it was encrypted for this key");
    (class.spoil)(&mut block);
    crypt("publicEncrypt", key, &block, &bare).expect("a block is below the modulus")
}

/// Times of both classes, in nanoseconds.
fn measure(key: &Key, pair: (Class, Class), time: Duration) -> [Vec<f64>; 2] {
    let pool = |class| -> Vec<Vec<u8>> { (0..POOL).map(|_| ciphertext(key, class)).collect() };
    let pools = [pool(pair.0), pool(pair.1)];
    let used = padding(pair.0.scheme, b"");
    let mut times = [Vec::new(), Vec::new()];
    // Each is read from one and the same place: that those of a class lie farther away is seen, too.
    let mut sent = pools[0][0].clone();
    let begin = Instant::now();
    let mut calls = 0;
    while begin.elapsed() < time {
        for choice in bytes(384).as_chunks::<3>().0 {
            let class = usize::from(choice[0] & 1);
            let place = usize::from(u16::from_be_bytes([choice[1], choice[2]])) % POOL;
            sent.copy_from_slice(&pools[class][place]);
            let before = Instant::now();
            let opened = crypt("privateDecrypt", key, black_box(&sent), &used);
            let taken = before.elapsed();
            drop(black_box(opened));
            calls += 1;
            if calls > WARM_UP_CALLS {
                times[class].push(taken.as_secs_f64() * 1e9);
            }
        }
    }
    times
}

/// Count, mean, variance.
fn moments(times: impl Iterator<Item = f64>) -> (f64, f64, f64) {
    let (mut count, mut mean, mut squares) = (0.0, 0.0, 0.0);
    for time in times {
        count += 1.0;
        let off: f64 = time - mean;
        mean += off / count;
        squares += off * (time - mean);
    }
    (count, mean, squares / f64::max(count - 1.0, 1.0))
}

/// Welch's t of what is below `limit`, and the difference of the means.
fn welch(times: &[Vec<f64>; 2], limit: f64) -> (f64, f64) {
    let below = |class: usize| moments(times[class].iter().copied().filter(|time| *time <= limit));
    let ((n0, mean0, variance0), (n1, mean1, variance1)) = (below(0), below(1));
    let error = (variance0 / n0 + variance1 / n1).sqrt();
    ((mean0 - mean1) / error, mean0 - mean1)
}

/// The largest |t| of all crops, with its difference of means.
fn largest(times: &[Vec<f64>; 2]) -> (f64, f64) {
    let mut all: Vec<f64> = times.concat();
    all.sort_by(f64::total_cmp);
    let mut found = welch(times, f64::INFINITY);
    for crop in 1..=CROPS {
        // As dudect: more and more crops towards the fastest.
        let share = 1.0 - 0.5_f64.powf(10.0 * f64::from(crop) / f64::from(CROPS));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a place in a list"
        )]
        let place = (all.len() as f64 * share) as usize;
        let one = welch(times, all[place.min(all.len() - 1)]);
        if one.0.abs() > found.0.abs() {
            found = one;
        }
    }
    found
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u32>());
    let mut number = |usual| numbers.next().map_or(Ok(usual), |given| given);
    let (Ok(bits), Ok(seconds)) = (number(2048), number(20)) else {
        eprintln!("usage: timing [bits] [seconds for each pair]");
        std::process::exit(2);
    };
    let key = generate(&Wish::Rsa {
        bits: bits as usize,
        exponent: 65_537,
        purpose: Purpose::Anything,
    })
    .expect("a key of that size");
    println!("RSA-{bits}, {seconds} s for each pair; |t| above {LIMIT} is a difference");
    for (scheme, one, other) in PAIRS {
        let times = measure(&key, (one, other), Duration::from_secs(seconds.into()));
        let ((whole, _), (t, nanoseconds)) = (welch(&times, f64::INFINITY), largest(&times));
        let calls = times[0].len() + times[1].len();
        let (_, mean, _) = moments(times[0].iter().copied());
        let verdict = if t.abs() > LIMIT { "DIFFERS" } else { "same" };
        println!(
            "{scheme:<13} {:>22} | {:<22} {calls:>8} calls of {:>6.0} µs  |t| {:>5.2} of all, {:>5.2} of {CROPS} crops ({nanoseconds:>6.0} ns)  {verdict}",
            one.name,
            other.name,
            mean / 1000.0,
            whole.abs(),
            t.abs(),
        );
    }
}
