//! Random peers and a random host: whatever they do, the engine does not panic, leaks nothing, and tells a
//! consistent story.

mod support;

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::rc::Rc;

use bytes::Bytes;
use fulmar_engine::{Body, Engine, EventKind, Id, ServerConfig, event_flag, reply_flag};
use support::{Client, KEEP_ALIVE, Seen, Server, head};

/// Cases of one run; `PROPERTY_CASES` in the environment asks for more.
const CASES: u64 = 100;
const STEPS: usize = 60;

/// xorshift64*: enough randomness, the same on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("fits")
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

const PIECES: [&str; 16] = [
    "GET /a HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /b HTTP/1.1\r\nHost: a\r\n\r\n",
    "HEAD /h HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    "GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
    "POST /e HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc",
    "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    "POST /t HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nT: v\r\n\r\n",
    "POST /broken HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd",
    "POST /short HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\nabc",
    "POST /long HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\nabc",
    "GET /u HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nraw",
    "POST /u HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\nContent-Length: 4\r\n\r\nwith",
    "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n",
    "GET /half HTTP/1.1\r\nHo",
    "nonsense\r\n\r\n",
];

/// What the host knows of an exchange.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
struct Known {
    connection: Option<Id>,
    upgrade: bool,
    wants_sent: bool,
    started: bool,
    given: bool,
    aborted: bool,
    sent: bool,
    ended: bool,
}

#[derive(Default)]
struct Story {
    exchanges: HashMap<Id, Known>,
    order: Vec<Id>,
    raw: Vec<Id>,
}

impl Story {
    /// Checks an event against what was told before.
    fn hear(&mut self, event: &Seen) {
        let is = |kind| event.is(kind);
        if is(EventKind::Request) || is(EventKind::Upgrade) {
            let known = Known {
                connection: Some(event.connection),
                upgrade: is(EventKind::Upgrade),
                ended: !event.has(event_flag::CONTENT_STREAMED),
                ..Known::default()
            };
            assert!(
                self.exchanges.insert(event.id, known).is_none(),
                "an id twice"
            );
            self.order.push(event.id);
            return;
        }
        let about_exchange = [
            EventKind::Content,
            EventKind::ContentEnd,
            EventKind::Abort,
            EventKind::Drain,
            EventKind::Sent,
        ];
        if !about_exchange.into_iter().any(is) {
            return;
        }
        let known = self
            .exchanges
            .get_mut(&event.id)
            .expect("an unknown exchange");
        assert!(!known.aborted, "{event:?} after the abort");
        if is(EventKind::Abort) {
            known.aborted = true;
        } else if is(EventKind::Sent) {
            assert!(known.given && known.wants_sent && !known.sent);
            known.sent = true;
        } else if is(EventKind::Content) {
            assert!(!known.ended || known.upgrade, "content after its end");
        } else if is(EventKind::ContentEnd) {
            assert!(!known.ended || known.upgrade, "two ends");
            known.ended = true;
        }
    }

    fn act(&mut self, engine: &mut Engine, random: &mut Random) {
        if let Some(raw) = (!self.raw.is_empty()).then(|| random.pick(&self.raw)) {
            match random.below(6) {
                0 => engine.pause_raw(raw, random.below(2) == 0),
                1 => drop(
                    engine.write_raw(raw, Bytes::from(vec![b'r'; random.below(100_000)]).into()),
                ),
                2 => engine.end_raw(raw),
                3 if random.below(4) == 0 => engine.destroy(raw, random.below(2) == 0),
                _ => {}
            }
        }
        if self.order.is_empty() {
            return;
        }
        let recent = self.order.len().saturating_sub(20);
        let id = self.order[recent + random.below(self.order.len() - recent)];
        let known = self.exchanges.get_mut(&id).expect("known");
        let open = !known.aborted && !known.given;
        let pending = open && !known.started;
        let flags = random.pick(&[
            KEEP_ALIVE,
            KEEP_ALIVE,
            reply_flag::CLOSE_FIELD | reply_flag::CONTENT_LENGTH,
        ]) | random.pick(&[0, 0, reply_flag::WANTS_SENT, reply_flag::NO_CONTENT]);
        match random.below(14) {
            0..=3 => {
                engine.reply(id, head(flags), Body::Copy(b"reply"));
                if pending {
                    known.given = true;
                    known.wants_sent |= flags & reply_flag::WANTS_SENT != 0;
                }
            }
            4 => {
                let length = random.pick(&[None, Some(7), Some(40_000)]);
                let framing = if length.is_none() {
                    reply_flag::CHUNKED_FIELD
                } else {
                    0
                };
                engine.start(id, head(framing), length);
                known.started |= pending;
            }
            5 | 6 => drop(engine.write(id, Bytes::from(vec![b'w'; random.below(70_000)]).into())),
            7 => {
                engine.end(id, b"");
                known.given |= known.started;
            }
            8 => engine.send_interim(id, 102, b""),
            9 | 10 => engine.read_content(id),
            11 => engine.pause_content(id),
            12 => engine.discard_content(id),
            _ if random.below(8) == 0 => engine.abort(id),
            _ if random.below(4) == 0 => {
                let file = File::open(std::env::current_exe().expect("this test")).expect("opens");
                engine.send_file(id, file, 5, 10_000);
                known.given |= known.started;
            }
            _ if known.upgrade && pending => {
                if random.below(2) == 0 {
                    engine.accept_upgrade(id);
                    known.given = true;
                    self.raw.extend(known.connection);
                } else {
                    engine.decline_upgrade(id);
                }
            }
            _ => {}
        }
    }
}

fn bytes(random: &mut Random) -> Vec<u8> {
    let mut out = Vec::new();
    for _ in 0..random.below(24) {
        let kinds = if random.below(3) == 0 { 16 } else { 8 };
        out.extend_from_slice(random.pick(&PIECES[..kinds]).as_bytes());
    }
    if random.below(6) == 0 && !out.is_empty() {
        let at = random.below(out.len());
        out[at] = u8::try_from(random.below(256)).expect("a byte");
    }
    out
}

fn case(seed: u64) {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let config = ServerConfig {
        accept_upgrade: random.below(2) == 0,
        accept_connect: random.below(2) == 0,
        report_rejects: random.below(3) == 0,
        report_connections: random.below(3) == 0,
        allow_half_open: random.below(3) == 0,
        ..ServerConfig::default()
    };
    let story: Rc<RefCell<Story>> = Rc::default();
    let heard = Rc::clone(&story);
    let mut server = Server::new(config, move |_, event| heard.borrow_mut().hear(event));
    let mut peers: Vec<(Client, Vec<u8>)> = Vec::new();
    for _ in 0..=random.below(4) {
        let client = server.client();
        peers.push((client, bytes(&mut random)));
    }
    for _ in 0..STEPS {
        for (client, bytes) in &mut peers {
            let len = random
                .below(bytes.len() + 1)
                .min(random.pick(&[1, 7, 60, 5_000]));
            client.send(bytes.drain(..len).collect::<Vec<u8>>());
            match random.below(60) {
                0 => client.shut(),
                1..=20 => client.poll(),
                _ => {}
            }
        }
        if random.below(40) == 0 {
            peers.pop();
        }
        for _ in 0..random.below(6) {
            story.borrow_mut().act(&mut server.engine, &mut random);
        }
        server.step();
    }
    drop(peers);
    for _ in 0..5 {
        server.step();
    }
    let listener = server.listener;
    match random.below(3) {
        0 => server.engine.drain_listener(listener),
        1 => server.engine.close_listener(listener),
        _ => server.engine.close_idle(listener),
    }
    server.engine.close_all(listener);
    server.settle();
    assert_eq!(server.engine.connection_count(), 0);
    assert_eq!(
        server.engine.exchange_count(),
        0,
        "exchanges without connections"
    );
    assert_eq!(server.engine.referenced_connections(), 0);
    for (id, known) in &story.borrow().exchanges {
        let answered = known.given && !known.wants_sent;
        let is_told = known.aborted || known.sent || answered;
        assert!(is_told, "no end of {id:?} was told: {known:?}, seed {seed}");
    }
}

#[test]
fn whatever_peers_and_host_do_the_engine_stays_sound() {
    let asked = std::env::var("PROPERTY_CASES").ok();
    let cases = asked.and_then(|text| text.parse().ok()).unwrap_or(CASES);
    for seed in 0..cases {
        case(seed);
    }
}
