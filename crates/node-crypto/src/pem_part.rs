//! The parts of a PEM text as OpenSSL reads them (`pem_lib.c`, `encode.c`): lines of at most 254 bytes,
//! headers up to an empty line, and base64 that may be anything but broken. RFC 7468 asks for more; but what
//! is a key elsewhere has to be one here, and nothing else.

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
const DASHES: &[u8] = b"-----";

/// Bytes that OpenSSL reads of a line at once; what is longer counts as several.
const LINE_BYTES: usize = 254;

/// Bytes of a full line behind a header: a shorter one is the last.
const FULL_LINE_BYTES: usize = 64;

/// One part of a PEM text.
pub(crate) struct Part {
    pub(crate) label: String,
    headers: String,
    pub(crate) content: Vec<u8>,
}

impl Part {
    /// The value of a `Name: value` line.
    pub(crate) fn header(&self, wanted: &str) -> Option<&str> {
        let lines = self.headers.lines().filter_map(|line| line.split_once(':'));
        let mut found = lines.filter(|(name, _)| name.trim() == wanted);
        found.next().map(|(_, value)| value.trim())
    }
}

/// A line without what ends it; `whole` when the next one is not its continuation.
struct Line<'a> {
    bytes: &'a [u8],
    whole: bool,
}

/// The parts, one after the other; `None` for one that is broken.
pub(crate) struct Parts<'a> {
    rest: &'a [u8],
    first: bool,
}

impl<'a> Parts<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        Self {
            rest: text,
            first: true,
        }
    }

    fn line(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let most = self.rest.len().min(LINE_BYTES);
        let end = self.rest[..most].iter().position(|byte| *byte == b'\n');
        let (line, rest) = self.rest.split_at(end.map_or(most, |end| end + 1));
        self.rest = rest;
        let mut bytes = line;
        if std::mem::take(&mut self.first) {
            bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        }
        // Characters are signed in C: what is no ASCII is below a space.
        while let [before @ .., 0..=b' ' | 0x80..] = bytes {
            bytes = before;
        }
        let whole = end.is_some() || line.len() < LINE_BYTES;
        Some(Line { bytes, whole })
    }

    /// The label of the next part.
    fn label(&mut self) -> Option<&'a [u8]> {
        loop {
            let line = self.line()?;
            let label = line.bytes.strip_prefix(BEGIN);
            if let Some(label) = label.and_then(|rest| rest.strip_suffix(DASHES)) {
                return label.split(|byte| *byte == 0).next();
            }
        }
    }

    fn part(&mut self, label: &[u8]) -> Option<Part> {
        let (mut before, mut after) = (Vec::new(), None::<Vec<u8>>);
        let (mut was_whole, mut is_last) = (true, false);
        loop {
            let line = self.line()?;
            let continues = !std::mem::replace(&mut was_whole, line.whole);
            if line.bytes.is_empty() {
                match &after {
                    _ if continues => {}
                    // Headers end once.
                    Some(_) => return None,
                    None => after = Some(Vec::new()),
                }
                continue;
            }
            if let Some(name) = line.bytes.strip_prefix(END) {
                let name = name.split(|byte| *byte == 0).next()?;
                let same = name.strip_suffix(DASHES) == Some(label);
                return same.then(|| finished(label, before, after)).flatten();
            }
            if is_last {
                return None;
            }
            let until_zero = line.bytes.split(|byte| *byte == 0).next()?;
            let encoded = match &mut after {
                Some(_) if line.bytes.len() > FULL_LINE_BYTES => return None,
                Some(after) => {
                    is_last = line.bytes.len() < FULL_LINE_BYTES;
                    after
                }
                None => &mut before,
            };
            encoded.extend(until_zero);
            encoded.push(b'\n');
        }
    }
}

impl Iterator for Parts<'_> {
    type Item = Option<Part>;

    fn next(&mut self) -> Option<Self::Item> {
        let label = self.label()?;
        Some(self.part(label))
    }
}

/// Without an empty line, there are no headers; with one, what is before it has to be some.
fn finished(label: &[u8], before: Vec<u8>, after: Option<Vec<u8>>) -> Option<Part> {
    let (headers, encoded) = match after {
        Some(after) => (before, after),
        None if before.contains(&b':') => return None,
        None => (Vec::new(), before),
    };
    if !headers.is_empty() && !headers.starts_with(b"Proc-Type:") {
        return None;
    }
    Some(Part {
        label: String::from_utf8(label.to_vec()).ok()?,
        headers: String::from_utf8(headers).ok()?,
        content: base64(&encoded)?,
    })
}

/// Base64: whole groups, padding at the end alone; `-` ends it.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut group, mut digits, mut padding) = (0_u32, 0_u32, 0_usize);
    for byte in text {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => 0,
            b' ' | b'\t' | b'\r' | b'\n' => continue,
            b'-' => break,
            _ => return None,
        };
        padding += usize::from(*byte == b'=');
        if padding > 2 || (padding > 0 && *byte != b'=') {
            return None;
        }
        group = group << 6 | u32::from(value);
        digits += 1;
        if digits.is_multiple_of(4) {
            out.extend(&group.to_be_bytes()[1..]);
            group = 0;
        }
    }
    if !digits.is_multiple_of(4) {
        return None;
    }
    out.truncate(out.len().checked_sub(padding)?);
    Some(out)
}
