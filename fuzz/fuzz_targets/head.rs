//! Any bytes as a head: no panic, spans that are true, and one verdict for every fragmentation.
//!
//! The first byte says where the rest is cut.
#![no_main]

use fulmar_http1::{
    FieldSpan, HeadLimits, HeadScanner, Reject, RequestHead, Scan, parse_request_head,
};
use libfuzzer_sys::fuzz_target;

type Verdict = Result<Option<(usize, usize, RequestHead, Vec<FieldSpan>)>, Reject>;

/// Small, so that the fuzzer reaches them.
const LIMITS: HeadLimits = HeadLimits {
    request_line_max: 256,
    head_max: 1024,
    header_count_max: 40,
    require_host: true,
};

fn deliver(bytes: &[u8], ends: impl Iterator<Item = usize>) -> Verdict {
    let mut scanner = HeadScanner::default();
    for end in ends {
        if let Scan::Complete { start, end } = scanner.scan(&bytes[..end], &LIMITS)? {
            let mut fields = Vec::new();
            let head = parse_request_head(&bytes[start..end], &LIMITS, &mut fields)?;
            return Ok(Some((start, end, head, fields)));
        }
    }
    Ok(None)
}

/// Every byte of the head is in the request line, a field, or between them: rebuilding it from its spans
/// leaves only colons, white space and line ends.
fn check_spans(head: &[u8], said: &RequestHead, fields: &[FieldSpan]) {
    assert_eq!(said.fields_len, fields.len());
    let mut position = (said.target_start + said.target_len) as usize + " HTTP/1.1\r\n".len();
    for field in fields {
        assert_eq!(field.name_start as usize, position);
        assert!(!field.name(head).is_empty());
        let value_end = (field.value_start + field.value_len) as usize;
        let between = &head[position + field.name_len as usize..field.value_start as usize];
        assert!(between.starts_with(b":"));
        assert!(between[1..].iter().all(|byte| b" \t".contains(byte)));
        let line_len = head[value_end..].iter().position(|&byte| byte == b'\r');
        let line_end = value_end + line_len.expect("a line end");
        assert!(
            head[value_end..line_end]
                .iter()
                .all(|byte| b" \t".contains(byte))
        );
        let value = field.value(head);
        assert!(!value.iter().any(|byte| b"\r\n\0".contains(byte)));
        assert_eq!(&head[line_end..line_end + 2], b"\r\n");
        position = line_end + 2;
    }
    assert_eq!(&head[position..], b"\r\n");
}

fuzz_target!(|input: &[u8]| {
    let Some((&cut, bytes)) = input.split_first() else {
        return;
    };
    let whole = deliver(bytes, [bytes.len()].into_iter());
    assert_eq!(deliver(bytes, 0..=bytes.len()), whole);
    let cut = usize::from(cut).min(bytes.len());
    assert_eq!(deliver(bytes, [cut, bytes.len()].into_iter()), whole);
    if let Ok(Some((start, end, said, fields))) = &whole {
        check_spans(&bytes[*start..*end], said, fields);
        // What follows a head changes nothing about it.
        assert_eq!(deliver(&bytes[..*end], [*end].into_iter()), whole);
    }
    // The parser must hold on its own, too.
    let _ = parse_request_head(bytes, &LIMITS, &mut Vec::new());
});
