//! Heads of responses, and what they say about the content (RFC 9112, 6.3).

use fulmar_http1::{HeadLimits, Reject};
use httparse::{EMPTY_HEADER, Error, Response, Status};

use super::{Content, Failure, Head};

/// Room for fields that nearly all responses need; more is made when it does not suffice.
const FIELDS_FIRST: usize = 64;

const fn failure(code: &'static str, reason: &'static str) -> Failure {
    Failure { code, reason }
}

/// The head and where it ends; none when it is not complete.
pub(super) fn parse(bytes: &[u8], limits: &HeadLimits) -> Result<Option<(Head, usize)>, Failure> {
    let mut room = FIELDS_FIRST;
    loop {
        let mut fields = vec![EMPTY_HEADER; room];
        let mut response = Response::new(&mut fields);
        match response.parse(bytes) {
            Ok(Status::Partial) if bytes.len() > limits.head_max => {
                return Err(Reject::HeadTooLarge.into());
            }
            Ok(Status::Partial) => return Ok(None),
            Ok(Status::Complete(end)) if end > limits.head_max => {
                return Err(Reject::HeadTooLarge.into());
            }
            Ok(Status::Complete(end)) => {
                check_line_ends(bytes.get(..end).unwrap_or_default())?;
                return Ok(Some((head(&response)?, end)));
            }
            Err(Error::TooManyHeaders) if room < bytes.len() => room *= 4,
            Err(error) => return Err(refusal(error, bytes)),
        }
    }
}

/// `httparse` takes a line feed alone for the end of a line. Node does not, so that no two readers see
/// different lines.
fn check_line_ends(head: &[u8]) -> Result<(), Failure> {
    // Empty lines before the first one are skipped, whatever they end with.
    let head = head.trim_ascii_start();
    for (at, line) in head.split_inclusive(|byte| *byte == b'\n').enumerate() {
        if line.ends_with(b"\r\n") {
            continue;
        }
        let is_first = at == 0;
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let words = text.split(|byte| *byte == b' ').count();
        return Err(match text {
            _ if is_first && words < 3 => failure("HPE_INVALID_STATUS", "Invalid response status"),
            _ if is_first => failure("HPE_CR_EXPECTED", "Missing expected CR after response line"),
            [] => failure("HPE_INVALID_HEADER_TOKEN", "Invalid header field char"),
            [.., b':'] => failure("HPE_INVALID_HEADER_TOKEN", "Invalid header value char"),
            _ => failure("HPE_CR_EXPECTED", "Missing expected CR after header value"),
        });
    }
    Ok(())
}

fn refusal(error: Error, bytes: &[u8]) -> Failure {
    match error {
        Error::Version if bytes.starts_with(b"HTTP/") => {
            failure("HPE_INVALID_VERSION", "Invalid HTTP version")
        }
        Error::Version | Error::Token => {
            failure("HPE_INVALID_CONSTANT", "Expected HTTP/, RTSP/ or ICE/")
        }
        Error::Status => failure("HPE_INVALID_STATUS", "Invalid status code"),
        Error::HeaderName => failure("HPE_INVALID_HEADER_TOKEN", "Invalid header token"),
        Error::HeaderValue => failure("HPE_INVALID_HEADER_TOKEN", "Invalid header value char"),
        Error::TooManyHeaders => Reject::TooManyFields.into(),
        Error::NewLine => failure("HPE_STRICT", "Expected LF after headers"),
    }
}

fn head(response: &Response<'_, '_>) -> Result<Head, Failure> {
    let minor = response.version.unwrap_or(1);
    let status = response.code.unwrap_or(0);
    let fields: Vec<(Vec<u8>, Vec<u8>)> = response
        .headers
        .iter()
        .map(|field| {
            (
                field.name.as_bytes().to_vec(),
                field.value.trim_ascii().to_vec(),
            )
        })
        .collect();
    let said = Said::of(&fields)?;
    let content = said.content(status);
    let keeps = if minor == 0 {
        said.keep_alive
    } else {
        !said.close
    };
    Ok(Head {
        minor,
        first: response.reason.unwrap_or_default().as_bytes().to_vec(),
        target: Vec::new(),
        status,
        keep_alive: keeps && content != Content::UntilClose,
        upgrade: said.upgrade && said.connection_upgrade,
        fields,
        content,
    })
}

/// What the fields say about framing and connection.
#[derive(Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts about one head"
)]
struct Said {
    length: Option<u64>,
    encoded: bool,
    chunked: bool,
    close: bool,
    keep_alive: bool,
    connection_upgrade: bool,
    upgrade: bool,
}

impl Said {
    fn of(fields: &[(Vec<u8>, Vec<u8>)]) -> Result<Self, Failure> {
        let mut said = Self::default();
        for (name, value) in fields {
            match name.to_ascii_lowercase().as_slice() {
                b"content-length" => said.add_length(value)?,
                b"transfer-encoding" => said.add_encoding(value)?,
                b"connection" => said.add_connection(value),
                b"upgrade" => said.upgrade = true,
                _ => {}
            }
        }
        Ok(said)
    }

    fn add_length(&mut self, value: &[u8]) -> Result<(), Failure> {
        if self.length.is_some() {
            return Err(failure(
                "HPE_UNEXPECTED_CONTENT_LENGTH",
                "Content-Length already present",
            ));
        }
        if self.encoded {
            return Err(Reject::LengthBesideEncoding.into());
        }
        let text = std::str::from_utf8(value).unwrap_or_default();
        let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(length) if is_digits => self.length = Some(length),
            _ => return Err(Reject::ContentLengthInvalid.into()),
        }
        Ok(())
    }

    fn add_encoding(&mut self, value: &[u8]) -> Result<(), Failure> {
        if self.length.is_some() {
            return Err(Reject::EncodingBesideLength.into());
        }
        self.encoded = true;
        let last = value
            .rsplit(|byte| *byte == b',')
            .next()
            .unwrap_or_default();
        self.chunked = last.trim_ascii().eq_ignore_ascii_case(b"chunked");
        Ok(())
    }

    fn add_connection(&mut self, value: &[u8]) {
        for option in value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii) {
            self.close |= option.eq_ignore_ascii_case(b"close");
            self.keep_alive |= option.eq_ignore_ascii_case(b"keep-alive");
            self.connection_upgrade |= option.eq_ignore_ascii_case(b"upgrade");
        }
    }

    fn content(&self, status: u16) -> Content {
        if matches!(status, 100..200 | 204 | 304) {
            return Content::None;
        }
        match self.length {
            _ if self.chunked => Content::Chunked,
            _ if self.encoded => Content::UntilClose,
            Some(length) => Content::Length(length),
            None => Content::UntilClose,
        }
    }
}
