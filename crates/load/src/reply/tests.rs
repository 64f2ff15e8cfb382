//! Every reply is cut at every byte: where the network cuts never changes what is read.

use super::*;
use crate::{
    recipe::{BodyRule, Expect, RequestText},
    template::Template,
};

const VALUES: Values = Values {
    serial: 0,
    seed: 1,
    ids: 1,
};

fn recipe(method: &str, body: &[u8]) -> Recipe {
    let text = RequestText {
        method: method.into(),
        path: "/".into(),
        ..RequestText::default()
    };
    let expect = Expect {
        headers: vec![("x-a".into(), b"1".to_vec())],
        body: BodyRule::Exact(Template::parse(body).unwrap()),
        ..Expect::default()
    };
    Recipe::compile(&text, "h", expect).unwrap()
}

fn read(pieces: &[&[u8]], recipe: &Recipe) -> Vec<Progress> {
    let mut reader = ReplyReader::default();
    let mut results = Vec::new();
    for piece in pieces {
        let mut rest = *piece;
        while !rest.is_empty() {
            match reader.feed(&mut rest, recipe, VALUES) {
                Progress::More => assert!(rest.is_empty()),
                Progress::Malformed => return vec![Progress::Malformed],
                done @ Progress::Done(_) => results.push(done),
            }
        }
    }
    results
}

fn done(status: u16, fault: Option<Fault>) -> Progress {
    Progress::Done(Outcome {
        status,
        fault,
        closes: false,
    })
}

#[test]
fn reads_every_framing_cut_at_every_byte() {
    let hello = recipe("GET", b"hello");
    let cases: [(&[u8], Option<Fault>); 5] = [
        (b"HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 5\r\n\r\nhello", None),
        (b"HTTP/1.1 200 OK\r\nx-a: 1\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nhe\r\n03\r\nllo\r\n0\r\nT: 1\r\n\r\n", None),
        (b"HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 5\r\n\r\nhello", None),
        (b"HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 5\r\n\r\nhellO", Some(Fault::WrongBody)),
        (b"HTTP/1.1 200 OK\r\nX-A: 2\r\nContent-Length: 5\r\n\r\nhello", Some(Fault::WrongHeader)),
    ];
    for (reply, fault) in cases {
        let twice = [reply, reply].concat();
        for cut in 0..=twice.len() {
            let (head, tail) = twice.split_at(cut);
            assert_eq!(
                read(&[head, tail], &hello),
                [done(200, fault); 2],
                "cut at {cut}"
            );
        }
    }
}

#[test]
fn replies_without_content_end_with_their_head() {
    let cases = [
        (
            "HEAD",
            "HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 5\r\n\r\n",
            done(200, None),
        ),
        (
            "GET",
            "HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n",
            done(204, None),
        ),
        (
            "GET",
            "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n",
            done(304, Some(Fault::WrongStatus)),
        ),
    ];
    for (method, reply, expected) in cases {
        assert_eq!(read(&[reply.as_bytes()], &recipe(method, b"")), [expected]);
    }
}

#[test]
fn the_end_of_the_connection_delimits_only_replies_without_framing() {
    let hello = recipe("GET", b"hello");
    let mut reader = ReplyReader::default();
    let mut input = &b"HTTP/1.1 200 OK\r\nX-A: 1\r\n\r\nhello"[..];
    assert_eq!(reader.feed(&mut input, &hello, VALUES), Progress::More);
    let outcome = reader.end_of_input(&hello).unwrap();
    assert_eq!((outcome.fault, outcome.closes), (None, true));
    let mut input = &b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"[..];
    assert_eq!(reader.feed(&mut input, &hello, VALUES), Progress::More);
    assert_eq!(reader.end_of_input(&hello), None);
}

#[test]
fn what_is_not_a_reply_is_malformed() {
    let any = recipe("GET", b"");
    let cases: [&[u8]; 6] = [
        b"GET / HTTP/1.1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n11111111111111111\r\n",
    ];
    for reply in cases {
        assert_eq!(
            read(&[reply], &any),
            [Progress::Malformed],
            "{:?}",
            String::from_utf8_lossy(reply)
        );
    }
}

#[test]
fn content_is_compared_by_digest_and_by_length() {
    let text = RequestText {
        path: "/".into(),
        ..RequestText::default()
    };
    // The digest of "abc" in FIPS 180-4's examples.
    let digest = [
        0xa9, 0x99, 0x3e, 0x36, 0x47, 0x06, 0x81, 0x6a, 0xba, 0x3e, 0x25, 0x71, 0x78, 0x50, 0xc2,
        0x6c, 0x9c, 0xd0, 0xd8, 0x9d,
    ];
    for (rule, content, fault) in [
        (BodyRule::Sha1(digest), "abc", None),
        (BodyRule::Sha1(digest), "abd", Some(Fault::WrongBody)),
        (BodyRule::Length(3), "xyz", None),
        (BodyRule::Length(2), "xyz", Some(Fault::WrongBody)),
    ] {
        let expect = Expect {
            body: rule,
            ..Expect::default()
        };
        let recipe = Recipe::compile(&text, "h", expect).unwrap();
        let reply = format!("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{content}");
        assert_eq!(read(&[reply.as_bytes()], &recipe), [done(200, fault)]);
    }
}
