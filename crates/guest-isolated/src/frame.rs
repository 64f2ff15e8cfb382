//! What goes over the socket between a host and a process: a packet is a head, the lengths of some blocks, and
//! these; from `INLINE_MAX` on lengths and blocks are in memory that goes with it as a descriptor.
//!
//! That memory is read as a file, not mapped: whatever the other side does to it meanwhile is a wrong value at
//! worst. Every length is held against what is there before anything is made of it.

use std::fs::File;
use std::io::{IoSlice, IoSliceMut, Read};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt as _;

use rustix::fs::{MemfdFlags, SealFlags};
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags,
};

/// Bytes of lengths and blocks that go over the socket itself.
pub const INLINE_MAX: usize = 48 * 1024;
/// The longest packet.
pub const PACKET_BYTES: usize = HEAD_BYTES + INLINE_MAX;
const HEAD_BYTES: usize = 24;
const LENGTH_BYTES: usize = 8;
/// Blocks of one packet, and bytes of all of them.
const BLOCKS_MAX: usize = 1 << 24;
const BYTES_MAX: u64 = 8 << 30;

/// What a packet is. To the process: the first three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Settings, and the path of the guest's library; the descriptor is that of `begun`. The number: behind
    /// which handles begin.
    Open = 1,
    /// A message and what is attached to it. The number: 1 where it counts as one that waits.
    Submit = 2,
    /// The number is that of a call that nobody waits for any more.
    Cancel = 3,
    /// The language runs, or (a block) why it does not.
    Opened = 4,
    /// Replies one behind the other, then what is attached to them.
    Replies = 5,
}

/// One that is ready to be sent.
#[derive(Debug)]
pub struct Packet {
    bytes: Vec<u8>,
    descriptor: Option<OwnedFd>,
}

/// One that came.
#[derive(Debug)]
pub struct Frame {
    /// What it is.
    pub kind: Kind,
    /// See there.
    pub number: u64,
    /// Its blocks.
    pub blocks: Vec<Vec<u8>>,
    /// What came with it, where that is not its own memory.
    pub descriptor: Option<OwnedFd>,
}

/// What `receive` found.
#[derive(Debug)]
pub enum Received {
    /// A packet.
    Frame(Frame),
    /// Nothing is there yet.
    Nothing,
    /// The other side has ended.
    End,
}

fn kind_of(code: u8) -> Option<Kind> {
    const ALL: [Kind; 5] = [
        Kind::Open,
        Kind::Submit,
        Kind::Cancel,
        Kind::Opened,
        Kind::Replies,
    ];
    ALL.into_iter().find(|kind| *kind as u8 == code)
}

impl Packet {
    /// Makes one of copies of `blocks`.
    ///
    /// # Errors
    /// No memory, or no descriptor, is left for it.
    pub fn new(kind: Kind, number: u64, blocks: &[&[u8]]) -> Result<Self, std::io::Error> {
        let table = blocks.len() * LENGTH_BYTES;
        let total = table + blocks.iter().map(|block| block.len()).sum::<usize>();
        let is_inline = total <= INLINE_MAX;
        let room = HEAD_BYTES + if is_inline { total } else { 0 };
        let mut bytes = Vec::with_capacity(room);
        bytes.extend([kind as u8, u8::from(!is_inline), 0, 0]);
        let count = u32::try_from(blocks.len()).map_err(|_| Errno::TOOBIG)?;
        bytes.extend(count.to_le_bytes());
        bytes.extend(number.to_le_bytes());
        bytes.extend((total as u64).to_le_bytes());
        let lengths = blocks
            .iter()
            .flat_map(|block| (block.len() as u64).to_le_bytes());
        if is_inline {
            bytes.extend(lengths);
            for block in blocks {
                bytes.extend_from_slice(block);
            }
            return Ok(Self {
                bytes,
                descriptor: None,
            });
        }
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let memory = File::from(rustix::fs::memfd_create("fulmar-guest", flags)?);
        let lengths: Vec<u8> = lengths.collect();
        memory.write_all_at(&lengths, 0)?;
        let mut at = table as u64;
        for block in blocks {
            memory.write_all_at(block, at)?;
            at += block.len() as u64;
        }
        // It is what it is: the other side may not change what is sent a second time.
        let seals = SealFlags::WRITE | SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL;
        rustix::fs::fcntl_add_seals(&memory, seals)?;
        Ok(Self {
            bytes,
            descriptor: Some(memory.into()),
        })
    }

    /// The same with a descriptor.
    #[must_use]
    pub fn with(mut self, descriptor: OwnedFd) -> Self {
        self.descriptor = Some(descriptor);
        self
    }

    /// It takes a descriptor of this process's.
    #[must_use]
    pub fn is_large(&self) -> bool {
        self.descriptor.is_some()
    }

    /// Its blocks again.
    ///
    /// # Errors
    /// The system's, as a text.
    pub fn blocks(&self) -> Result<Vec<Vec<u8>>, String> {
        let descriptor = self.descriptor.as_ref().map(OwnedFd::try_clone);
        let descriptor = descriptor.transpose().map_err(|error| error.to_string())?;
        read(&self.bytes, descriptor).map(|frame| frame.blocks)
    }

    /// Sends it whole, or not at all.
    ///
    /// # Errors
    /// The system's; `AGAIN` where it cannot be sent at once and the socket does not wait.
    pub fn send(&self, socket: BorrowedFd<'_>) -> Result<(), Errno> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        let descriptors: Vec<BorrowedFd<'_>> = self.descriptor.iter().map(AsFd::as_fd).collect();
        if !descriptors.is_empty() {
            ancillary.push(SendAncillaryMessage::ScmRights(&descriptors));
        }
        let slices = [IoSlice::new(&self.bytes)];
        rustix::io::retry_on_intr(|| {
            rustix::net::sendmsg(socket, &slices, &mut ancillary, SendFlags::NOSIGNAL)
        })
        .map(drop)
    }
}

/// The next packet. `buffer` is as long as the longest one.
///
/// # Errors
/// What is wrong with what came.
pub fn receive(socket: BorrowedFd<'_>, buffer: &mut [u8]) -> Result<Received, String> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(4))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let outcome = rustix::io::retry_on_intr(|| {
        let mut slices = [IoSliceMut::new(buffer)];
        rustix::net::recvmsg(socket, &mut slices, &mut ancillary, RecvFlags::CMSG_CLOEXEC)
    });
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(Errno::AGAIN) => return Ok(Received::Nothing),
        Err(Errno::CONNRESET) => return Ok(Received::End),
        Err(problem) => return Err(problem.to_string()),
    };
    let mut descriptors: Vec<OwnedFd> = Vec::new();
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(some) = message {
            descriptors.extend(some);
        }
    }
    if outcome.flags.contains(ReturnFlags::TRUNC) || descriptors.len() > 1 {
        return Err("a packet that is too long".to_owned());
    }
    match buffer.get(..outcome.bytes) {
        None | Some([]) => Ok(Received::End),
        Some(packet) => read(packet, descriptors.pop()).map(Received::Frame),
    }
}

fn read(packet: &[u8], descriptor: Option<OwnedFd>) -> Result<Frame, String> {
    let short = || "a packet that ends within its head".to_owned();
    let (head, inline) = packet.split_first_chunk::<HEAD_BYTES>().ok_or_else(short)?;
    let [code, place, _, _, a, b, c, d, rest @ ..] = *head;
    let kind = kind_of(code).ok_or_else(|| format!("a packet of the unknown kind {code}"))?;
    let count = u32::from_le_bytes([a, b, c, d]) as usize;
    let (number, total) = rest.split_first_chunk::<8>().ok_or_else(short)?;
    let number = u64::from_le_bytes(*number);
    let total = total.try_into().map_or(u64::MAX, u64::from_le_bytes);
    if count > BLOCKS_MAX || total > BYTES_MAX {
        return Err(format!("a packet of {count} blocks and {total} bytes"));
    }
    let blocks = |source: &mut dyn std::io::Read| {
        split(source, count, total).map_err(|problem| match problem {
            Problem::Text(text) => text,
            Problem::Read(error) => format!("a packet that could not be read: {error}"),
        })
    };
    let (blocks, descriptor) = match (place, descriptor) {
        (0, descriptor) if inline.len() as u64 == total => (blocks(&mut &*inline)?, descriptor),
        (1, Some(memory)) if inline.is_empty() => {
            let memory = File::from(memory);
            let bytes = memory.metadata().map_err(|error| error.to_string())?.len();
            if bytes < total {
                return Err(format!("memory of {bytes} bytes for {total}"));
            }
            (blocks(&mut At(&memory, 0))?, None)
        }
        _ => return Err("a packet whose lengths are wrong".to_owned()),
    };
    Ok(Frame {
        kind,
        number,
        blocks,
        descriptor,
    })
}

/// A file from a position on. Its own position belongs to all who have it open.
struct At<'a>(&'a File, u64);

impl Read for At<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.0.read_at(buffer, self.1)?;
        self.1 += count as u64;
        Ok(count)
    }
}

enum Problem {
    Text(String),
    Read(std::io::Error),
}

impl From<std::io::Error> for Problem {
    fn from(error: std::io::Error) -> Self {
        Self::Read(error)
    }
}

/// `count` lengths, then as many blocks, all of them in `total` bytes.
fn split(
    source: &mut dyn std::io::Read,
    count: usize,
    total: u64,
) -> Result<Vec<Vec<u8>>, Problem> {
    let wrong = || Problem::Text("blocks whose lengths are wrong".to_owned());
    let table = (count * LENGTH_BYTES) as u64;
    let mut left = total.checked_sub(table).ok_or_else(wrong)?;
    let mut lengths = Vec::new();
    Read::take(&mut *source, table).read_to_end(&mut lengths)?;
    let (lengths, rest) = lengths.as_chunks::<LENGTH_BYTES>();
    if lengths.len() != count || !rest.is_empty() {
        return Err(wrong());
    }
    let mut blocks = Vec::with_capacity(count);
    for length in lengths {
        let length = u64::from_le_bytes(*length);
        left = left.checked_sub(length).ok_or_else(wrong)?;
        let bytes = usize::try_from(length).map_err(|_| wrong())?;
        let mut block = Vec::new();
        block
            .try_reserve_exact(bytes)
            .map_err(|_| Problem::Text(format!("no memory is left for {bytes} bytes")))?;
        Read::take(&mut *source, length).read_to_end(&mut block)?;
        if block.len() != bytes {
            return Err(wrong());
        }
        blocks.push(block);
    }
    if left == 0 { Ok(blocks) } else { Err(wrong()) }
}
