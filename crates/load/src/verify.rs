//! Compares the content of a reply with what its recipe expects, piece by piece as it arrives.

use sha1::{Digest as _, Sha1};

use crate::{
    recipe::{BodyRule, Expect},
    template::Values,
};

/// The comparison of one content in progress.
#[derive(Debug, Default)]
pub struct BodyCheck {
    bytes: u64,
    is_equal: bool,
    digest: Option<Sha1>,
    /// Rendered expectation of the reply at hand; empty when the rule holds the bytes itself.
    rendered: Vec<u8>,
}

impl BodyCheck {
    /// Starts with the next reply.
    pub fn begin(&mut self, rule: &BodyRule, values: Values) {
        self.bytes = 0;
        self.is_equal = true;
        match rule {
            BodyRule::Exact(template) if template.literal().is_none() => {
                self.rendered.clear();
                template.render(values, &mut self.rendered);
            }
            BodyRule::Sha1(_) => self.digest = Some(Sha1::new()),
            _ => {}
        }
    }

    /// Takes the next bytes of content.
    pub fn update(&mut self, rule: &BodyRule, piece: &[u8]) {
        let from = usize::try_from(self.bytes).unwrap_or(usize::MAX);
        self.bytes += piece.len() as u64;
        match rule {
            BodyRule::Exact(template) => {
                let expected = template.literal().unwrap_or(&self.rendered);
                let part = expected.get(from..from.saturating_add(piece.len()));
                self.is_equal = self.is_equal && part == Some(piece);
            }
            BodyRule::Sha1(_) => {
                if let Some(digest) = &mut self.digest {
                    digest.update(piece);
                }
            }
            BodyRule::Any | BodyRule::Length(_) => {}
        }
    }

    /// Whether the whole content was as expected.
    pub fn finish(&mut self, rule: &BodyRule) -> bool {
        match rule {
            BodyRule::Any => true,
            BodyRule::Length(bytes) => self.bytes == *bytes,
            BodyRule::Exact(template) => {
                let expected = template.literal().unwrap_or(&self.rendered);
                self.is_equal && self.bytes == expected.len() as u64
            }
            BodyRule::Sha1(expected) => {
                let digest = self.digest.take().map(Sha1::finalize);
                digest.is_some_and(|found| found.as_slice() == expected)
            }
        }
    }
}

/// Whether the status is the expected one.
#[must_use]
pub fn is_status_right(expect: &Expect, status: u16) -> bool {
    expect
        .status
        .map_or((200..300).contains(&status), |expected| expected == status)
}

/// Whether every expected field line is there with its value.
#[must_use]
pub fn are_headers_right(expect: &Expect, headers: &[httparse::Header<'_>]) -> bool {
    expect.headers.iter().all(|(name, value)| {
        headers
            .iter()
            .any(|line| line.name.eq_ignore_ascii_case(name) && line.value == value.as_slice())
    })
}
