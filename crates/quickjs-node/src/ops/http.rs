//! HTTP/1 messages from bytes, for connections that are not the engine's: responses that the client receives,
//! requests over TLS or on sockets that the application has made. Requests and chunked content are parsed by
//! `fulmar-http1`, heads of responses by `httparse`.

mod response;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::rc::Rc;

use fulmar_http1::{
    ChunkedDecoder, FieldSpan, Framing, HeadLimits, HeadScanner, Reject, Scan, Step,
    parse_request_head,
};
use rquickjs::function::Func;
use rquickjs::{Array, Ctx, Object, Result, Value};

use crate::memory::with_bytes;
use crate::text::latin1_string;

/// First element of what a step returns.
mod kind {
    pub(super) const MORE: u32 = 0;
    pub(super) const HEAD: u32 = 1;
    pub(super) const DATA: u32 = 2;
    pub(super) const END: u32 = 3;
    pub(super) const FAILED: u32 = 4;
}

/// What JavaScript decides about a head's content.
mod decision {
    pub(super) const NONE: u32 = 1;
    pub(super) const STOP: u32 = 2;
}

/// Why bytes are refused: Node's code and words.
#[derive(Clone, Copy)]
pub(super) struct Failure {
    code: &'static str,
    reason: &'static str,
}

impl From<Reject> for Failure {
    fn from(reject: Reject) -> Self {
        Self {
            code: fulmar_batch::reject_code(reject),
            reason: reject.reason(),
        }
    }
}

/// A head, of either direction.
pub(super) struct Head {
    minor: u8,
    /// Method or reason phrase.
    first: Vec<u8>,
    /// Request target; empty in a response.
    target: Vec<u8>,
    status: u16,
    keep_alive: bool,
    upgrade: bool,
    fields: Vec<(Vec<u8>, Vec<u8>)>,
    content: Content,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Content {
    None,
    Length(u64),
    Chunked,
    UntilClose,
}

enum State {
    Head,
    /// JavaScript has the head and has not decided yet.
    Decide(Content),
    Length(u64),
    Chunked(Box<ChunkedDecoder>),
    UntilClose,
    End,
    Stopped,
    Failed(Failure),
}

struct Parser {
    is_response: bool,
    limits: HeadLimits,
    scanner: HeadScanner,
    head: Vec<u8>,
    state: State,
}

/// What happened, and how far the input is consumed.
enum Event {
    More,
    Head(Box<Head>),
    Data(usize, usize),
    End(Vec<(Vec<u8>, Vec<u8>)>),
    Failed(Failure),
}

impl Parser {
    fn new(is_response: bool, head_max: usize, fields_max: usize) -> Self {
        let limits = HeadLimits {
            request_line_max: head_max,
            head_max,
            header_count_max: fields_max,
            require_host: false,
        };
        Self {
            is_response,
            limits,
            scanner: HeadScanner::default(),
            head: Vec::new(),
            state: State::Head,
        }
    }

    fn fail(&mut self, failure: Failure) -> Event {
        self.state = State::Failed(failure);
        Event::Failed(failure)
    }

    /// Takes the next step in `input`; also returns how many bytes it consumed.
    fn step(&mut self, input: &[u8]) -> (Event, usize) {
        match &mut self.state {
            State::Failed(failure) => (Event::Failed(*failure), 0),
            State::Stopped | State::Decide(_) => (Event::More, 0),
            State::End => {
                self.state = State::Head;
                (Event::End(Vec::new()), 0)
            }
            State::Head => self.step_head(input),
            State::UntilClose if input.is_empty() => (Event::More, 0),
            State::UntilClose => (Event::Data(0, input.len()), input.len()),
            State::Length(rest) => {
                let take = usize::try_from(*rest)
                    .unwrap_or(usize::MAX)
                    .min(input.len());
                *rest -= take as u64;
                if *rest == 0 {
                    self.state = State::End;
                }
                if take == 0 && !matches!(self.state, State::End) {
                    return (Event::More, 0);
                }
                (Event::Data(0, take), take)
            }
            State::Chunked(decoder) => match decoder.decode(input) {
                Ok((Step::More, used)) => (Event::More, used),
                Ok((Step::Data { start, end }, used)) => (Event::Data(start, end), used),
                Ok((Step::Done, used)) => {
                    let (bytes, spans) = decoder.trailers();
                    let trailers = pairs(bytes, spans);
                    self.state = State::Head;
                    (Event::End(trailers), used)
                }
                Err(reject) => (self.fail(reject.into()), 0),
            },
        }
    }

    fn step_head(&mut self, input: &[u8]) -> (Event, usize) {
        if input.is_empty() {
            return (Event::More, 0);
        }
        let before = self.head.len();
        self.head.extend_from_slice(input);
        let found = if self.is_response {
            response::parse(&self.head, &self.limits)
        } else {
            self.request()
        };
        match found {
            Ok(None) => (Event::More, input.len()),
            Ok(Some((head, end))) => {
                self.head = Vec::new();
                self.scanner.reset();
                self.state = State::Decide(head.content);
                (Event::Head(Box::new(head)), end - before)
            }
            Err(failure) => (self.fail(failure), 0),
        }
    }

    fn request(&mut self) -> std::result::Result<Option<(Head, usize)>, Failure> {
        let Scan::Complete { start, end } = self.scanner.scan(&self.head, &self.limits)? else {
            return Ok(None);
        };
        let bytes = self.head.get(start..end).unwrap_or_default();
        let mut spans: Vec<FieldSpan> = Vec::new();
        let parsed = parse_request_head(bytes, &self.limits, &mut spans)?;
        let part = |at: u32, len: u32| {
            let at = at as usize;
            bytes
                .get(at..at + len as usize)
                .unwrap_or_default()
                .to_vec()
        };
        let head = Head {
            minor: parsed.minor,
            first: part(0, parsed.method_len),
            target: part(parsed.target_start, parsed.target_len),
            status: 0,
            keep_alive: parsed.keep_alive,
            upgrade: parsed.upgrade,
            fields: pairs(bytes, &spans),
            content: match parsed.framing {
                Framing::None => Content::None,
                Framing::Length(length) => Content::Length(length),
                Framing::Chunked => Content::Chunked,
            },
        };
        Ok(Some((head, end)))
    }

    fn decide(&mut self, decision: u32) {
        let State::Decide(content) = self.state else {
            return;
        };
        self.state = match (decision, content) {
            (decision::STOP, _) => State::Stopped,
            (decision::NONE, _) | (_, Content::None | Content::Length(0)) => State::End,
            (_, Content::Length(length)) => State::Length(length),
            (_, Content::Chunked) => State::Chunked(Box::new(ChunkedDecoder::new(
                self.limits.head_max,
                self.limits.header_count_max,
            ))),
            (_, Content::UntilClose) => State::UntilClose,
        };
    }

    /// The peer has closed: a message that ends so is complete, one that is under way is not.
    fn finish(&mut self) -> Event {
        match self.state {
            State::UntilClose => {
                self.state = State::Head;
                Event::End(Vec::new())
            }
            State::Head if self.head.is_empty() => Event::More,
            State::Decide(_) | State::Stopped | State::End => Event::More,
            State::Failed(failure) => Event::Failed(failure),
            _ => self.fail(Reject::UnexpectedEnd.into()),
        }
    }
}

fn pairs(bytes: &[u8], spans: &[FieldSpan]) -> Vec<(Vec<u8>, Vec<u8>)> {
    spans
        .iter()
        .map(|span| (span.name(bytes).to_vec(), span.value(bytes).to_vec()))
        .collect()
}

fn list<'js>(ctx: &Ctx<'js>, fields: &[(Vec<u8>, Vec<u8>)]) -> Result<Array<'js>> {
    let array = Array::new(ctx.clone())?;
    for (index, (name, value)) in fields.iter().enumerate() {
        array.set(index * 2, latin1_string(ctx, name)?)?;
        array.set(index * 2 + 1, latin1_string(ctx, value)?)?;
    }
    Ok(array)
}

/// `[kind, consumed, …]`
fn to_js<'js>(ctx: &Ctx<'js>, event: Event, consumed: usize) -> Result<Array<'js>> {
    let array = Array::new(ctx.clone())?;
    array.set(1, consumed)?;
    let kind = match event {
        Event::More => kind::MORE,
        Event::Head(head) => {
            array.set(2, head.minor)?;
            array.set(3, latin1_string(ctx, &head.first)?)?;
            array.set(4, latin1_string(ctx, &head.target)?)?;
            array.set(5, head.status)?;
            array.set(6, head.keep_alive)?;
            array.set(7, head.upgrade)?;
            array.set(8, list(ctx, &head.fields)?)?;
            kind::HEAD
        }
        Event::Data(start, end) => {
            array.set(2, start)?;
            array.set(3, end)?;
            kind::DATA
        }
        Event::End(trailers) => {
            array.set(2, list(ctx, &trailers)?)?;
            kind::END
        }
        Event::Failed(failure) => {
            array.set(2, failure.code)?;
            array.set(3, failure.reason)?;
            kind::FAILED
        }
    };
    array.set(0, kind)?;
    Ok(array)
}

pub(crate) fn install<'js>(ops: &Object<'js>) -> Result<()> {
    // (is response, bytes of a head at most, fields at most) → { step, decide, finish }
    ops.set(
        "httpParser",
        Func::from(
            |ctx: Ctx<'js>, is_response: bool, head_max: usize, fields_max: usize| {
                let parser = Rc::new(RefCell::new(Parser::new(is_response, head_max, fields_max)));
                object(&ctx, &parser)
            },
        ),
    )
}

fn object<'js>(ctx: &Ctx<'js>, parser: &Rc<RefCell<Parser>>) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    let p = Rc::clone(parser);
    object.set(
        "step",
        Func::from(move |ctx: Ctx<'js>, bytes: Value<'js>, from: usize| {
            let (event, consumed) = with_bytes(&ctx, &bytes, |all| {
                p.borrow_mut().step(all.get(from..).unwrap_or_default())
            })?;
            to_js(&ctx, event, consumed)
        }),
    )?;
    let p = Rc::clone(parser);
    object.set(
        "decide",
        Func::from(move |decision: u32| p.borrow_mut().decide(decision)),
    )?;
    let p = Rc::clone(parser);
    object.set(
        "finish",
        Func::from(move |ctx: Ctx<'js>| {
            let event = p.borrow_mut().finish();
            to_js(&ctx, event, 0)
        }),
    )?;
    Ok(object)
}
