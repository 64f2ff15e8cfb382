//! Replies of servers, right and damaged: the parser ends, and says the same however they are cut.

use super::{Event, Parser};

/// No decision of `decision`.
const GOES_ON: u32 = 0;

const HEAD_MAX: usize = 512;
const FIELDS_MAX: usize = 32;
const ROUNDS: usize = 4000;

const REPLIES: [&[u8]; 10] = [
    b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello",
    b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n3;a=b\r\nyes\r\n0\r\nx: y\r\n\r\n",
    b"HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok",
    b"HTTP/1.0 200 OK\r\nconnection: keep-alive\r\n\r\nall",
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nuntil the end",
    b"\r\nHTTP/1.1 304\r\ncontent-length: 7\r\n\r\n",
    b"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nraw",
    b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nset-cookie: a=b\r\nset-cookie: c\r\nx:\t y \r\ncontent-length: 0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\ncontent-length: 18446744073709551615\r\n\r\nx",
];

/// Xorshift: the same numbers in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % limit.max(1)
    }
}

fn damaged(numbers: &mut Numbers) -> Vec<u8> {
    const BYTES: &[u8] = b"\r\n\t :;,0127aFxz\0\x7f\xff-+";
    let mut bytes = REPLIES[numbers.below(REPLIES.len())].to_vec();
    for _ in 0..numbers.below(5) {
        if bytes.is_empty() {
            break;
        }
        let at = numbers.below(bytes.len());
        let byte = BYTES[numbers.below(BYTES.len())];
        match numbers.below(5) {
            0 => bytes[at] = byte,
            1 => bytes.insert(at, byte),
            2 => drop(bytes.remove(at)),
            3 => bytes.truncate(at.max(1)),
            _ => bytes.extend(REPLIES[numbers.below(REPLIES.len())]),
        }
    }
    bytes
}

/// What was told, content in one piece.
fn told(bytes: &[u8], cuts: &mut dyn FnMut() -> usize) -> Vec<String> {
    let mut parser = Parser::new(true, HEAD_MAX, FIELDS_MAX);
    let (mut events, mut content) = (Vec::new(), Vec::new());
    let (mut from, mut steps) = (0, 0);
    let mut tell = |event: &Event, content: &mut Vec<u8>| {
        let text = match event {
            Event::More | Event::Data(..) => return,
            Event::Head(head) => {
                format!("head {} {:?} {}", head.status, head.fields, head.keep_alive)
            }
            Event::End(trailers) => format!("end {trailers:?}"),
            Event::Failed(failure) => format!("failed {}", failure.code),
        };
        events.push(format!("content {content:?}"));
        events.push(text);
        content.clear();
    };
    'pieces: while from < bytes.len() {
        let end = (from + cuts().max(1)).min(bytes.len());
        loop {
            steps += 1;
            assert!(steps < 20 * bytes.len() + 100, "the parser does not end");
            let (event, consumed) = parser.step(&bytes[from..end]);
            assert!(consumed <= end - from);
            if let Event::Data(start, stop) = event {
                assert!(start <= stop && stop <= end - from);
                content.extend(&bytes[from + start..from + stop]);
            }
            from += consumed;
            tell(&event, &mut content);
            match event {
                Event::Failed(_) => break 'pieces,
                Event::Head(_) => parser.decide(GOES_ON),
                Event::More => break,
                _ => {}
            }
        }
        from = from.max(end);
    }
    tell(&parser.finish(), &mut content);
    events.push(format!("rest {content:?}"));
    events
}

#[test]
fn damaged_replies_are_judged_alike_however_they_are_cut() {
    let mut numbers = Numbers(0x5eed);
    for round in 0..ROUNDS {
        let bytes = damaged(&mut numbers);
        let whole = told(&bytes, &mut || bytes.len());
        let single = told(&bytes, &mut || 1);
        let pieces = told(&bytes, &mut || 1 + numbers.below(9));
        let text = String::from_utf8_lossy(&bytes);
        assert_eq!(single, whole, "round {round}: {text:?}");
        assert_eq!(pieces, whole, "round {round}: {text:?}");
    }
}
