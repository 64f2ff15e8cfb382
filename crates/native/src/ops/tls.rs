//! TLS without sockets, by rustls: bytes from the peer in, plain text and bytes for the peer out. Who carries the bytes is JavaScript's
//! business, so that a connection can become encrypted at any time.

mod config;

use std::cell::RefCell;
use std::io::{Read as _, Write as _};
use std::rc::Rc;

use rquickjs::function::{Func, Opt};
use rquickjs::{Array, ArrayBuffer, Ctx, Object, Result, Value};
use rustls::Connection;

use crate::memory::with_bytes;
use crate::script::error_value;

/// Plain text taken in one read, in bytes.
const READ_BYTES: usize = 16 * 1024;

pub(crate) fn install<'js>(ops: &Object<'js>) -> Result<()> {
    // (is server, settings) → connection; throws a message that says what is wrong with the settings
    ops.set(
        "tlsConnection",
        Func::from(|ctx: Ctx<'js>, is_server: bool, settings: Object<'js>| {
            let made = if is_server {
                config::server(&settings)?
            } else {
                config::client(&settings)?
            };
            match made {
                Ok(connection) => object(&ctx, connection),
                Err(message) => Err(ctx.throw(error_value(&ctx, &message))),
            }
        }),
    )
}

type Shared = Rc<RefCell<Connection>>;

fn object<'js>(ctx: &Ctx<'js>, connection: Connection) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    let mut connection = connection;
    // What is written before the handshake waits here; the stream above says when to stop.
    connection.set_buffer_limit(None);
    let shared = Rc::new(RefCell::new(connection));
    let c = Rc::clone(&shared);
    // (bytes of the peer) → `[error or '', handshaking, closed by the peer, ...plain text]`
    object.set(
        "receive",
        Func::from(move |ctx: Ctx<'js>, bytes: Value<'js>| {
            let copy = with_bytes(&ctx, &bytes, |all| all.to_vec())?;
            receive(&ctx, &c, &copy)
        }),
    )?;
    let c = Rc::clone(&shared);
    // (plain text)
    object.set(
        "send",
        Func::from(move |ctx: Ctx<'js>, bytes: Value<'js>| {
            with_bytes(&ctx, &bytes, |all| {
                // Writing into the buffer of a connection does not fail.
                let _result = c.borrow_mut().writer().write_all(all);
            })
        }),
    )?;
    let c = Rc::clone(&shared);
    // Bytes for the peer, or undefined.
    object.set("take", Func::from(move |ctx: Ctx<'js>| take(&ctx, &c)))?;
    let c = Rc::clone(&shared);
    object.set(
        "end",
        Func::from(move || c.borrow_mut().send_close_notify()),
    )?;
    let c = Rc::clone(&shared);
    // ALPN, version, cipher, server name; certificates on request
    object.set(
        "state",
        Func::from(move |ctx: Ctx<'js>, certificates: Opt<bool>| {
            state(&ctx, &c, certificates.0.unwrap_or(false))
        }),
    )?;
    Ok(object)
}

fn receive<'js>(ctx: &Ctx<'js>, connection: &Shared, bytes: &[u8]) -> Result<Array<'js>> {
    let mut connection = connection.borrow_mut();
    let mut rest = bytes;
    let mut plain = Vec::new();
    let mut failure = String::new();
    let mut closed = false;
    while !rest.is_empty() {
        if connection.read_tls(&mut rest).is_err() {
            break;
        }
        match connection.process_new_packets() {
            Ok(state) => {
                closed |= state.peer_has_closed();
                let mut chunk = vec![0; state.plaintext_bytes_to_read().min(1 << 20)];
                while let Ok(count) = connection.reader().read(&mut chunk) {
                    if count == 0 {
                        break;
                    }
                    plain.extend_from_slice(chunk.get(..count).unwrap_or_default());
                }
            }
            Err(error) => {
                failure = format!("{error:?}|{error}");
                break;
            }
        }
    }
    let result = Array::new(ctx.clone())?;
    result.set(0, failure)?;
    result.set(1, connection.is_handshaking())?;
    result.set(2, closed)?;
    for (index, chunk) in plain.chunks(READ_BYTES * 4).enumerate() {
        result.set(index + 3, ArrayBuffer::new_copy(ctx.clone(), chunk)?)?;
    }
    Ok(result)
}

fn take<'js>(ctx: &Ctx<'js>, connection: &Shared) -> Result<Value<'js>> {
    let mut out = Vec::new();
    let mut connection = connection.borrow_mut();
    while connection.wants_write() {
        // Writing to a vector does not fail.
        if connection.write_tls(&mut out).is_err() {
            break;
        }
    }
    if out.is_empty() {
        return Ok(Value::new_undefined(ctx.clone()));
    }
    Ok(ArrayBuffer::new_copy(ctx.clone(), out)?.into_value())
}

fn state<'js>(ctx: &Ctx<'js>, connection: &Shared, certificates: bool) -> Result<Object<'js>> {
    let connection = connection.borrow();
    let object = Object::new(ctx.clone())?;
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
