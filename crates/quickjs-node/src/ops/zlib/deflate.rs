//! Deflate, gzip and zlib by zlib-ng, called directly: Node's options (strategy, memory level, change of
//! parameters) need all of it.

use std::ffi::{CStr, c_int, c_uint, c_void};
use std::ptr::null_mut;

use libz_ng_sys as z;

use super::{Codec, Failure, Step};

const DEFLATE: u32 = 1;
const INFLATE: u32 = 2;
const GZIP: u32 = 3;
const GUNZIP: u32 = 4;
const DEFLATE_RAW: u32 = 5;
const INFLATE_RAW: u32 = 6;
const UNZIP: u32 = 7;
/// Added to the window's bits: a gzip wrapper.
const GZIP_WRAPPER: i32 = 16;
/// Added to the window's bits: zlib looks itself which wrapper there is.
const EITHER_WRAPPER: i32 = 32;
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

struct Deflate {
    /// Its address does not change: zlib keeps a pointer to it.
    stream: Box<z::z_stream>,
    mode: u32,
    dictionary: Vec<u8>,
    /// Bytes of the magic number seen, while an `Unzip` looks for it.
    magic_seen: usize,
    /// The stream has ended; more input is a further gzip member or is left alone.
    ended: bool,
    /// What follows the first member is left to JavaScript, which makes an error of it.
    rejects_junk: bool,
}

// SAFETY: zlib's state belongs to its stream alone and is used by one thread at a time.
unsafe impl Send for Deflate {}

/// `numbers`: window bits, level, memory level, strategy.
pub(super) fn open(
    mode: u32,
    numbers: &[i32],
    dictionary: Vec<u8>,
    rejects_junk: bool,
) -> Result<Box<dyn Codec>, Failure> {
    let &[bits, level, memory_level, strategy] = numbers else {
        return Err(Failure::new("Init error", -2, "Z_STREAM_ERROR"));
    };
    let window_bits = match mode {
        GZIP | GUNZIP => bits + GZIP_WRAPPER,
        UNZIP => bits + EITHER_WRAPPER,
        DEFLATE_RAW | INFLATE_RAW => -bits,
        _ => bits,
    };
    let stream = Box::new(z::z_stream {
        next_in: null_mut(),
        avail_in: 0,
        total_in: 0,
        next_out: null_mut(),
        avail_out: 0,
        total_out: 0,
        msg: null_mut(),
        state: null_mut(),
        zalloc: allocate,
        zfree: release,
        opaque: null_mut(),
        data_type: 0,
        adler: 0,
        reserved: 0,
    });
    let mut codec = Deflate {
        stream,
        mode,
        dictionary,
        magic_seen: 0,
        ended: false,
        rejects_junk,
    };
    let status = if codec.compresses() {
        // SAFETY: an empty stream at an address that stays.
        unsafe {
            z::zng_deflateInit2(
                &raw mut *codec.stream,
                level,
                z::Z_DEFLATED,
                window_bits,
                memory_level,
                strategy,
            )
        }
    } else {
        // SAFETY: as above.
        unsafe { z::zng_inflateInit2(&raw mut *codec.stream, window_bits) }
    };
    codec.checked(status, "Init error")?;
    codec.give_dictionary()?;
    Ok(Box::new(codec))
}

impl Deflate {
    fn compresses(&self) -> bool {
        matches!(self.mode, DEFLATE | GZIP | DEFLATE_RAW)
    }

    /// zlib's message where it has one, else `message`.
    fn failure(&self, status: c_int, message: &str) -> Failure {
        let own = if self.stream.msg.is_null() {
            None
        } else {
            // SAFETY: zlib's messages are static strings.
            Some(
                unsafe { CStr::from_ptr(self.stream.msg) }
                    .to_string_lossy()
                    .into_owned(),
            )
        };
        Failure::new(
            own.unwrap_or_else(|| message.to_owned()),
            status,
            name(status),
        )
    }

    fn checked(&self, status: c_int, message: &str) -> Result<(), Failure> {
        if status == z::Z_OK {
            Ok(())
        } else {
            Err(self.failure(status, message))
        }
    }

    /// What compresses, and what has no header that names a dictionary, gets it at the start.
    fn give_dictionary(&mut self) -> Result<(), Failure> {
        if self.dictionary.is_empty() || !(self.compresses() || self.mode == INFLATE_RAW) {
            return Ok(());
        }
        let status = self.set_dictionary();
        self.checked(status, "Failed to set dictionary")
    }

    fn set_dictionary(&mut self) -> c_int {
        let (data, length) = (
            self.dictionary.as_ptr(),
            u32::try_from(self.dictionary.len()).unwrap_or(u32::MAX),
        );
        if self.compresses() {
            // SAFETY: an initialised stream; address and length are the dictionary's.
            unsafe { z::deflateSetDictionary(&raw mut *self.stream, data, length) }
        } else {
            // SAFETY: as above.
            unsafe { z::inflateSetDictionary(&raw mut *self.stream, data, length) }
        }
    }

    fn run(&mut self, flush: c_int) -> c_int {
        if self.compresses() {
            // SAFETY: an initialised stream whose input and output are slices of the running step.
            unsafe { z::deflate(&raw mut *self.stream, flush) }
        } else {
            // SAFETY: as above.
            unsafe { z::inflate(&raw mut *self.stream, flush) }
        }
    }

    /// An `Unzip` becomes a `Gunzip` or an `Inflate` by the first bytes.
    fn tell_kind(&mut self, input: &[u8]) {
        for byte in input {
            if *byte != GZIP_MAGIC[self.magic_seen] {
                self.mode = INFLATE;
                return;
            }
            self.magic_seen += 1;
            if self.magic_seen == GZIP_MAGIC.len() {
                self.mode = GUNZIP;
                return;
            }
        }
    }

    fn inflate_all(&mut self, flush: c_int) -> c_int {
        let mut status = self.run(flush);
        if self.mode != INFLATE_RAW && status == z::Z_NEED_DICT && !self.dictionary.is_empty() {
            status = self.set_dictionary();
            if status == z::Z_OK {
                status = self.run(flush);
            } else if status == z::Z_DATA_ERROR {
                status = z::Z_NEED_DICT;
            }
        }
        while self.stream.avail_in > 0
            && !self.rejects_junk
            && self.mode == GUNZIP
            && status == z::Z_STREAM_END
            && self.next_byte() != 0
        {
            // A further member.
            // SAFETY: an initialised stream.
            unsafe { z::inflateReset(&raw mut *self.stream) };
            status = self.run(flush);
        }
        status
    }

    fn next_byte(&self) -> u8 {
        // SAFETY: called only while `avail_in` is above 0: the pointer is within the step's input.
        unsafe { *self.stream.next_in }
    }

    fn judge(&self, status: c_int, flush: c_int) -> Option<Failure> {
        match status {
            z::Z_OK | z::Z_BUF_ERROR => {
                let cut = self.stream.avail_out != 0 && flush == z::Z_FINISH;
                cut.then(Failure::unexpected_end)
            }
            z::Z_STREAM_END => None,
            z::Z_NEED_DICT => {
                let message = if self.dictionary.is_empty() {
                    "Missing dictionary"
                } else {
                    "Bad dictionary"
                };
                Some(Failure::new(message, status, name(status)))
            }
            _ => Some(self.failure(status, "Zlib error")),
        }
    }
}

impl Codec for Deflate {
    fn step(&mut self, flush: u32, input: &[u8], output: &mut [u8]) -> Step {
        let flush = c_int::try_from(flush).unwrap_or(z::Z_FINISH);
        let (input_bytes, output_bytes) = (input.len(), output.len());
        self.stream.next_in = input.as_ptr().cast_mut();
        self.stream.avail_in = u32::try_from(input_bytes).unwrap_or(u32::MAX);
        self.stream.next_out = output.as_mut_ptr();
        self.stream.avail_out = u32::try_from(output_bytes).unwrap_or(u32::MAX);
        let status = if self.compresses() {
            self.run(flush)
        } else {
            if self.mode == UNZIP {
                self.tell_kind(input);
            }
            if self.ended && input_bytes == 0 {
                z::Z_STREAM_END
            } else {
                self.inflate_all(flush)
            }
        };
        self.ended = status == z::Z_STREAM_END;
        let failure = self.judge(status, flush);
        let step = Step {
            read: input_bytes - self.stream.avail_in as usize,
            written: output_bytes - self.stream.avail_out as usize,
            failure,
        };
        self.stream.next_in = null_mut();
        self.stream.next_out = null_mut();
        step
    }

    fn reset(&mut self) -> Result<(), Failure> {
        self.ended = false;
        let status = if self.compresses() {
            // SAFETY: an initialised stream.
            unsafe { z::deflateReset(&raw mut *self.stream) }
        } else {
            // SAFETY: as above.
            unsafe { z::inflateReset(&raw mut *self.stream) }
        };
        self.checked(status, "Failed to reset stream")?;
        self.give_dictionary()
    }

    fn params(&mut self, level: i32, strategy: i32) -> Result<(), Failure> {
        if !self.compresses() {
            return Ok(());
        }
        // zlib refuses a stream without a place for output, though it writes nothing here.
        let mut nowhere = [0_u8; 1];
        self.stream.next_out = nowhere.as_mut_ptr();
        self.stream.avail_out = 0;
        // SAFETY: an initialised stream; the output has no room.
        let status = unsafe { z::deflateParams(&raw mut *self.stream, level, strategy) };
        self.stream.next_out = null_mut();
        if status == z::Z_BUF_ERROR {
            Ok(())
        } else {
            self.checked(status, "Failed to set parameters")
        }
    }
}

impl Drop for Deflate {
    fn drop(&mut self) {
        if self.compresses() {
            // SAFETY: the stream, initialised or refused by its initialiser, which both accept.
            unsafe { z::deflateEnd(&raw mut *self.stream) };
        } else {
            // SAFETY: as above.
            unsafe { z::inflateEnd(&raw mut *self.stream) };
        }
    }
}

unsafe extern "C" fn allocate(_: *mut c_void, items: c_uint, size: c_uint) -> *mut c_void {
    // SAFETY: any numbers are allowed; the result may be null.
    unsafe { libc::calloc(items as usize, size as usize) }
}

unsafe extern "C" fn release(_: *mut c_void, address: *mut c_void) {
    // SAFETY: zlib gives back what `allocate` gave it, once.
    unsafe { libc::free(address) };
}

fn name(status: c_int) -> &'static str {
    match status {
        z::Z_OK => "Z_OK",
        z::Z_STREAM_END => "Z_STREAM_END",
        z::Z_NEED_DICT => "Z_NEED_DICT",
        z::Z_ERRNO => "Z_ERRNO",
        z::Z_STREAM_ERROR => "Z_STREAM_ERROR",
        z::Z_DATA_ERROR => "Z_DATA_ERROR",
        z::Z_MEM_ERROR => "Z_MEM_ERROR",
        z::Z_BUF_ERROR => "Z_BUF_ERROR",
        _ => "Z_VERSION_ERROR",
    }
}

/// The checksum of `bytes` after what had `seed`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a checksum has 32 bits"
)]
pub(super) fn crc32(bytes: &[u8], seed: f64) -> u32 {
    bytes.chunks(1 << 30).fold(seed as u32, |sum, part| {
        // SAFETY: address and length are the part's.
        unsafe { z::crc32(sum, part.as_ptr(), u32::try_from(part.len()).unwrap_or(0)) }
    })
}
