//! TLS without sockets, by rustls: bytes from the peer in, plain text and bytes for the peer out. Who carries
//! the bytes is JavaScript's business, so that a connection can become encrypted at any time.

mod certificate;
mod config;
mod extensions;
mod rules;
mod session;
mod tickets;
mod trust;
mod verifier;

use std::cell::RefCell;
use std::rc::Rc;

use rquickjs::function::{Func, Opt};
use rquickjs::{Array, ArrayBuffer, Class, Ctx, IntoJs as _, Object, Result, Value};
use rustls::{Connection, HandshakeKind, ServerConnection};

use crate::errors::error_value;
use crate::memory::with_bytes;
use session::{Received, Session};
use tickets::{Shared as SharedSession, TlsSessionState};

/// Plain text handed over in one piece, in bytes.
const PIECE_BYTES: usize = 64 * 1024;

pub(crate) fn install<'js>(ops: &Object<'js>) -> Result<()> {
    // (is server, settings, or undefined for a server that gets them later) → connection; throws a message
    // that says what is wrong with the settings
    ops.set(
        "tlsConnection",
        Func::from(
            |ctx: Ctx<'js>, is_server: bool, settings: Opt<Value<'js>>| {
                let settings = settings.0.and_then(Value::into_object);
                match open(&ctx, is_server, settings.as_ref())? {
                    Ok(session) => object(&ctx, session),
                    Err(message) => Err(ctx.throw(error_value(&ctx, &message))),
                }
            },
        ),
    )
}

fn open<'js>(
    ctx: &Ctx<'js>,
    is_server: bool,
    settings: Option<&Object<'js>>,
) -> Result<std::result::Result<Session, String>> {
    let Some(settings) = settings else {
        return Ok(Ok(Session::accepting()));
    };
    if !is_server {
        let made = config::client(settings)?;
        return Ok(made.map(|client| {
            let connection = Connection::from(client.connection);
            Session::new(connection, Some(client.judge), Some(client.kept))
        }));
    }
    let made = config::server(ctx, settings)?;
    Ok(made.and_then(|(config, judge)| {
        let server = ServerConnection::new(config).map_err(|error| error.to_string())?;
        Ok(Session::new(Connection::from(server), judge, None))
    }))
}

type Shared = Rc<RefCell<Session>>;

fn object<'js>(ctx: &Ctx<'js>, session: Session) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    let shared = Rc::new(RefCell::new(session));
    let s = Rc::clone(&shared);
    // (bytes of the peer) → `[error or '', handshaking, closed by the peer, new sessions, ...plain text]`
    object.set(
        "receive",
        Func::from(move |ctx: Ctx<'js>, bytes: Value<'js>| {
            let copy = with_bytes(&ctx, &bytes, |all| all.to_vec())?;
            let received = s.borrow_mut().receive(&copy);
            result(&ctx, received, &s.borrow())
        }),
    )?;
    let s = Rc::clone(&shared);
    // (settings) → as `receive`; goes on after `state().offer`
    object.set(
        "accept",
        Func::from(move |ctx: Ctx<'js>, settings: Object<'js>| {
            match config::server(&ctx, &settings)? {
                Ok((config, judge)) => {
                    let received = s.borrow_mut().accept(config, judge);
                    result(&ctx, received, &s.borrow())
                }
                Err(message) => Err(ctx.throw(error_value(&ctx, &message))),
            }
        }),
    )?;
    let s = Rc::clone(&shared);
    // (plain text)
    object.set(
        "send",
        Func::from(move |ctx: Ctx<'js>, bytes: Value<'js>| {
            with_bytes(&ctx, &bytes, |all| s.borrow_mut().send(all))
        }),
    )?;
    let s = Rc::clone(&shared);
    // Bytes for the peer, or undefined.
    object.set("take", Func::from(move |ctx: Ctx<'js>| take(&ctx, &s)))?;
    let s = Rc::clone(&shared);
    object.set("end", Func::from(move || s.borrow_mut().end()))?;
    let s = Rc::clone(&shared);
    // What a client may offer a server later as `settings.session`.
    object.set("session", Func::from(move |ctx: Ctx<'js>| later(&ctx, &s)))?;
    let s = Rc::clone(&shared);
    // ALPN, version, cipher, server name, what a client asks for, why the peer is not trusted; certificates
    // on request
    object.set(
        "state",
        Func::from(move |ctx: Ctx<'js>, certificates: Opt<bool>| {
            state(&ctx, &mut s.borrow_mut(), certificates.0.unwrap_or(false))
        }),
    )?;
    Ok(object)
}

fn result<'js>(ctx: &Ctx<'js>, received: Received, session: &Session) -> Result<Array<'js>> {
    let result = Array::new(ctx.clone())?;
    result.set(0, received.failure.unwrap_or_default())?;
    result.set(1, session.is_handshaking())?;
    result.set(2, received.is_closed)?;
    result.set(3, session.new_sessions())?;
    for (index, piece) in received.plain.chunks(PIECE_BYTES).enumerate() {
        result.set(index + 4, ArrayBuffer::new_copy(ctx.clone(), piece)?)?;
    }
    Ok(result)
}

fn take<'js>(ctx: &Ctx<'js>, session: &Shared) -> Result<Value<'js>> {
    let out = session.borrow_mut().take();
    if out.is_empty() {
        return Ok(Value::new_undefined(ctx.clone()));
    }
    Ok(ArrayBuffer::new_copy(ctx.clone(), out)?.into_value())
}

fn later<'js>(ctx: &Ctx<'js>, session: &Shared) -> Result<Value<'js>> {
    let Some(kept) = session.borrow().kept() else {
        return Ok(Value::new_undefined(ctx.clone()));
    };
    let kept = SharedSession(kept);
    Class::instance(ctx.clone(), TlsSessionState { kept })?.into_js(ctx)
}

fn state<'js>(ctx: &Ctx<'js>, session: &mut Session, certificates: bool) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    if let Some(refusal) = session.refusal() {
        object.set("refusal", refusal)?;
    }
    if let Some((name, protocols)) = session.offer() {
        let offer = Object::new(ctx.clone())?;
        offer.set("servername", name)?;
        offer.set("protocols", protocols)?;
        object.set("offer", offer)?;
    }
    let Some(connection) = session.connection() else {
        return Ok(object);
    };
    object.set(
        "reused",
        connection.handshake_kind() == Some(HandshakeKind::Resumed),
    )?;
    if let Some(protocol) = connection.alpn_protocol() {
        object.set("alpn", String::from_utf8_lossy(protocol).into_owned())?;
    }
    if let Some(version) = connection.protocol_version() {
        object.set("version", version.as_str().unwrap_or_default())?;
    }
    if let Some(suite) = connection.negotiated_cipher_suite() {
        object.set("cipher", suite.suite().as_str().unwrap_or_default())?;
    }
    if let Connection::Server(server) = &*connection
        && let Some(name) = server.server_name()
    {
        object.set("servername", name)?;
    }
    if certificates && let Some(chain) = connection.peer_certificates() {
        let list = Array::new(ctx.clone())?;
        for (index, certificate) in chain.iter().enumerate() {
            list.set(
                index,
                ArrayBuffer::new_copy(ctx.clone(), certificate.as_ref())?,
            )?;
        }
        object.set("certificates", list)?;
    }
    Ok(object)
}
