//! AES and its plain modes: ECB, CBC, CTR and key wrap.

use aes::cipher::{Array, BlockCipherDecrypt as _, BlockCipherEncrypt as _, KeyInit as _};

pub(super) const BLOCK_BYTES: usize = 16;
pub(super) type Block = [u8; BLOCK_BYTES];

/// Blocks that are encrypted at once for a key stream: processors work on eight at a time.
const STREAM_BLOCKS: usize = 8;

/// RFC 3394.
const WRAP_START: [u8; 8] = [0xa6; 8];

/// AES with a key of 16, 24 or 32 bytes.
#[derive(Clone)]
pub(super) enum Aes {
    Aes128(aes::Aes128),
    Aes192(aes::Aes192),
    Aes256(aes::Aes256),
}

impl Aes {
    /// `None` when AES has no keys of this length.
    pub(super) fn new(key: &[u8]) -> Option<Self> {
        match key.len() {
            16 => aes::Aes128::new_from_slice(key).ok().map(Self::Aes128),
            24 => aes::Aes192::new_from_slice(key).ok().map(Self::Aes192),
            32 => aes::Aes256::new_from_slice(key).ok().map(Self::Aes256),
            _ => None,
        }
    }

    pub(super) fn encrypt(&self, blocks: &mut [Block]) {
        let blocks = Array::cast_slice_from_core_mut(blocks);
        match self {
            Self::Aes128(cipher) => cipher.encrypt_blocks(blocks),
            Self::Aes192(cipher) => cipher.encrypt_blocks(blocks),
            Self::Aes256(cipher) => cipher.encrypt_blocks(blocks),
        }
    }

    pub(super) fn decrypt(&self, blocks: &mut [Block]) {
        let blocks = Array::cast_slice_from_core_mut(blocks);
        match self {
            Self::Aes128(cipher) => cipher.decrypt_blocks(blocks),
            Self::Aes192(cipher) => cipher.decrypt_blocks(blocks),
            Self::Aes256(cipher) => cipher.decrypt_blocks(blocks),
        }
    }

    fn encrypt_one(&self, mut block: Block) -> Block {
        self.encrypt(std::slice::from_mut(&mut block));
        block
    }
}

/// A key stream that is added to data: CTR, and the one within GCM.
#[derive(Clone)]
pub(super) struct Counter {
    aes: Aes,
    next: Block,
    /// How many of the counter's last bytes count.
    width: usize,
    stream: Vec<u8>,
    at: usize,
}

impl Counter {
    pub(super) fn new(aes: Aes, counter: Block, width: usize) -> Self {
        Self {
            aes,
            next: counter,
            width,
            stream: Vec::new(),
            at: 0,
        }
    }

    fn count(&mut self) {
        for byte in self.next[BLOCK_BYTES - self.width..].iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                return;
            }
        }
    }

    fn refill(&mut self) {
        let mut blocks = [[0; BLOCK_BYTES]; STREAM_BLOCKS];
        for block in &mut blocks {
            *block = self.next;
            self.count();
        }
        self.aes.encrypt(&mut blocks);
        self.stream.clear();
        self.stream.extend(blocks.as_flattened());
        self.at = 0;
    }

    pub(super) fn apply(&mut self, mut data: &mut [u8]) {
        while !data.is_empty() {
            if self.at == self.stream.len() {
                self.refill();
            }
            let stream = &self.stream[self.at..];
            let length = stream.len().min(data.len());
            let (now, later) = data.split_at_mut(length);
            for (byte, key) in now.iter_mut().zip(stream) {
                *byte ^= key;
            }
            self.at += length;
            data = later;
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BlockMode {
    Encrypt,
    Decrypt,
}

/// CBC (with a chain) or ECB (without) on whole blocks.
pub(super) fn blocks(mode: BlockMode, aes: &Aes, chain: &mut Option<Block>, data: &mut [u8]) {
    let (whole, _) = data.as_chunks_mut::<BLOCK_BYTES>();
    let Some(chain) = chain else {
        match mode {
            BlockMode::Encrypt => aes.encrypt(whole),
            BlockMode::Decrypt => aes.decrypt(whole),
        }
        return;
    };
    let add = |block: &mut Block, other: &Block| {
        for (byte, other) in block.iter_mut().zip(other) {
            *byte ^= other;
        }
    };
    match mode {
        BlockMode::Encrypt => {
            for block in whole {
                add(block, chain);
                *block = aes.encrypt_one(*block);
                *chain = *block;
            }
        }
        BlockMode::Decrypt => {
            let encrypted = whole.to_vec();
            aes.decrypt(whole);
            for (block, before) in whole.iter_mut().zip(encrypted) {
                add(block, chain);
                *chain = before;
            }
        }
    }
}

/// PKCS #7: how much of the last block is data.
pub(super) fn unpadded(data: &[u8]) -> Option<usize> {
    let last = *data.last()?;
    let start = data.len().checked_sub(usize::from(last))?;
    let valid = (1..=16).contains(&last) && data[start..].iter().all(|byte| *byte == last);
    valid.then_some(start)
}

/// CBC of everything at once, with padding.
pub(super) fn cbc(mode: BlockMode, key: &[u8], iv: &[u8], data: &[u8]) -> Option<Vec<u8>> {
    let aes = Aes::new(key)?;
    let mut chain = Some(iv.try_into().ok()?);
    let mut out = data.to_vec();
    if mode == BlockMode::Encrypt {
        let missing = BLOCK_BYTES - data.len() % BLOCK_BYTES;
        out.resize(data.len() + missing, u8::try_from(missing).ok()?);
        blocks(mode, &aes, &mut chain, &mut out);
        return Some(out);
    }
    if data.is_empty() || !data.len().is_multiple_of(BLOCK_BYTES) {
        return None;
    }
    blocks(mode, &aes, &mut chain, &mut out);
    let length = unpadded(&out)?;
    out.truncate(length);
    Some(out)
}

/// RFC 3394: wraps a key of whole 8-byte blocks.
pub(super) fn wrap(key: &[u8], data: &[u8]) -> Option<Vec<u8>> {
    let aes = Aes::new(key)?;
    let count = data.len() / 8;
    if !data.len().is_multiple_of(8) || count < 2 {
        return None;
    }
    let mut out = [&WRAP_START[..], data].concat();
    for step in 0..6 * count {
        let place = 8 * (step % count + 1);
        let mut block = [0; BLOCK_BYTES];
        block[..8].copy_from_slice(&out[..8]);
        block[8..].copy_from_slice(&out[place..place + 8]);
        let block = aes.encrypt_one(block);
        add_step(&mut out, &block[..8], step + 1);
        out[place..place + 8].copy_from_slice(&block[8..]);
    }
    Some(out)
}

pub(super) fn unwrap(key: &[u8], data: &[u8]) -> Option<Vec<u8>> {
    let aes = Aes::new(key)?;
    let count = (data.len() / 8).checked_sub(1)?;
    if !data.len().is_multiple_of(8) || count < 2 {
        return None;
    }
    let mut out = data.to_vec();
    for step in (0..6 * count).rev() {
        let place = 8 * (step % count + 1);
        let start: Vec<u8> = out[..8].to_vec();
        add_step(&mut out, &start, step + 1);
        let mut block = [0; BLOCK_BYTES];
        block[..8].copy_from_slice(&out[..8]);
        block[8..].copy_from_slice(&out[place..place + 8]);
        aes.decrypt(std::slice::from_mut(&mut block));
        out[..8].copy_from_slice(&block[..8]);
        out[place..place + 8].copy_from_slice(&block[8..]);
    }
    super::random::equal(&out[..8], &WRAP_START).then(|| out.split_off(8))
}

/// The first 8 bytes become `start` with the step's number added (without carry).
fn add_step(out: &mut [u8], start: &[u8], step: usize) {
    let step = (step as u64).to_be_bytes();
    for (byte, (start, step)) in out.iter_mut().zip(start.iter().zip(step)) {
        *byte = start ^ step;
    }
}
