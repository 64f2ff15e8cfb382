//! The algorithms of `node:crypto` on the QuickJS host: keys, signatures, ciphers, hashes. Bytes in, bytes
//! out: nothing here knows JavaScript, does I/O (the system's random bytes aside) or panics on what it is
//! given.
//!
//! Arithmetic on secrets is `RustCrypto`'s and ring's. What is written here are encodings, Node's choices and
//! what combines the two. Where such code looks at what an attacker may change and try again (padding, tags)
//! it takes the same time whatever is there. Reading and writing keys does not: PEM's base64, and how many
//! zeros a number begins with, show in its time.

#![forbid(unsafe_code)]

mod aes;
mod authenticated;
mod cipher;
mod curve;
mod der;
mod derive;
mod failure;
mod generate;
mod hash_kind;
mod hasher;
mod hmac;
mod key;
mod key_format;
mod parts;
mod pbes;
mod pem;
mod pem_part;
pub mod random;
mod read;
mod ring_signature;
mod rsa_encryption;
mod rsa_key;
mod rsa_number;
mod rsa_rules;
mod rsa_signature;
mod sign;

pub use aes::{Direction, unwrap, wrap};
pub use cipher::{Cipher, Mode, Parameters, TAG_BYTES, web_ctr};
pub use curve::Curve;
pub use derive::{hkdf, pbkdf2, scrypt};
pub use failure::{Failure, Openssl};
pub use generate::{Wish, generate};
pub use hash_kind::{Algorithm, Kind, NAMES, number};
pub use hasher::Hasher;
pub use hmac::Hmac;
pub use key::{EcKey, Key, Okp};
pub use key_format::{Format, write};
pub use parts::{of_parts, parts};
pub use pbes::encrypt as encrypt_key;
pub use read::{format_of, read};
pub use rsa_encryption::EncryptionPadding;
pub use rsa_key::{PssLimits, Purpose, RsaKey, RsaSecrets};
pub use sign::{Message, Options, agree, crypt, sign, verify};
pub use zeroize::Zeroizing;
