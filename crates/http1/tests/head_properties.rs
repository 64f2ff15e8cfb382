//! Heads from a grammar, and the same damaged, judged by the crate and by a naive parser that shares nothing
//! with it.

mod support;

use fulmar_http1::HeadLimits;
use proptest::prelude::*;
use support::head_every_way;

/// What the naive parser makes of a complete head: method, target, minor version and fields.
type Naive = (String, Vec<u8>, u8, Vec<(Vec<u8>, Vec<u8>)>);

/// Splits into lines and looks at each, allocating all the way. It knows the syntax of heads, not the meaning
/// of fields. `None` is refused; the bytes hold exactly one head or are refused.
fn naive(bytes: &[u8]) -> Option<Naive> {
    let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
    let section = text.strip_suffix("\r\n\r\n")?;
    let mut lines = section.split("\r\n");
    let parts: Vec<&str> = lines.next()?.split(' ').collect();
    let [method, target, version] = parts[..] else {
        return None;
    };
    let methods: Vec<&str> = fulmar_http1::Method::ALL
        .iter()
        .map(|method| method.as_str())
        .collect();
    let is_target = target.chars().all(|c| ('!'..='~').contains(&c) && c != '#');
    if !methods.contains(&method) || !is_target || !target.starts_with(['/', '*']) {
        return None;
    }
    let minor = ["HTTP/1.0", "HTTP/1.1"]
        .iter()
        .position(|&known| known == version)?;
    let mut fields = Vec::new();
    for line in lines {
        let (name, value) = line.split_once(':')?;
        let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        let is_value = |c: char| c == '\t' || !(c < ' ' || c == '\x7f');
        if name.is_empty() || !name.chars().all(is_token) || !value.chars().all(is_value) {
            return None;
        }
        let latin1 = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
        fields.push((latin1(name), latin1(value.trim_matches([' ', '\t']))));
    }
    Some((
        method.to_owned(),
        target.bytes().collect(),
        u8::try_from(minor).ok()?,
        fields,
    ))
}

/// Both must agree. Fields with a meaning are left out by the strategies, and the host is not asked for.
fn agrees(bytes: &[u8]) -> Result<(), TestCaseError> {
    let limits = HeadLimits {
        require_host: false,
        ..HeadLimits::default()
    };
    let ours = head_every_way(bytes, &limits);
    let expected = naive(bytes);
    match ours {
        Ok(Some(head)) if head.start == 0 && head.end == bytes.len() => {
            let found = (
                head.said.method.as_str().to_owned(),
                head.target,
                head.said.minor,
                head.fields,
            );
            prop_assert_eq!(Some(found), expected);
        }
        // Bytes before or behind the head: the naive parser does not know these.
        Ok(Some(_)) => {}
        Ok(None) => {
            prop_assert!(
                !bytes.ends_with(b"\r\n\r\n") || bytes.iter().all(|b| b"\r\n".contains(b))
            );
        }
        Err(_) => prop_assert_eq!(None, expected),
    }
    Ok(())
}

fn request_line() -> impl Strategy<Value = Vec<u8>> {
    let method = prop::sample::select(vec![
        "GET",
        "POST",
        "M-SEARCH",
        "UNSUBSCRIBE",
        "QUERY",
        "HEAD",
    ]);
    let target = "/[!-\"$-~]{0,20}";
    let version = prop::sample::select(vec!["HTTP/1.0", "HTTP/1.1"]);
    (method, target, version).prop_map(|(m, t, v)| format!("{m} {t} {v}\r\n").into_bytes())
}

/// `X-` keeps the names apart from those that mean something.
fn field_line() -> impl Strategy<Value = Vec<u8>> {
    let value_byte = prop_oneof![Just(b'\t'), Just(b' '), 0x21..=0x7e_u8, 0x80..=0xff_u8];
    (
        "X-[!#$%&'*+.^_`|~0-9A-Za-z-]{0,8}",
        prop::collection::vec(value_byte, 0..16),
    )
        .prop_map(|(name, value)| [name.as_bytes(), b":", &value[..], b"\r\n"].concat())
}

fn head() -> impl Strategy<Value = Vec<u8>> {
    (request_line(), prop::collection::vec(field_line(), 0..6))
        .prop_map(|(line, fields)| [line, fields.concat(), b"\r\n".to_vec()].concat())
}

/// Bytes that mean something to a parser, and some that do not.
fn damage() -> impl Strategy<Value = u8> {
    prop_oneof![
        prop::sample::select(b"\r\n\t :#/?\0\x7fAa1-".to_vec()),
        any::<u8>()
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn accepts_what_the_grammar_makes(bytes in head()) {
        prop_assert!(naive(&bytes).is_some());
        agrees(&bytes)?;
    }

    #[test]
    fn judges_damaged_heads_as_the_naive_parser_does(
        mut bytes in head(),
        places in prop::collection::vec((any::<prop::sample::Index>(), damage(), 0..3_u8), 1..3),
    ) {
        for (place, byte, how) in places {
            let at = place.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => { bytes.remove(at); }
            }
        }
        agrees(&bytes)?;
    }

    #[test]
    fn never_panics_on_noise(bytes in prop::collection::vec(damage(), 0..80)) {
        let _ = head_every_way(&bytes, &HeadLimits::default());
        let _ = support::content_every_way(&bytes);
        let mut fields = Vec::new();
        let _ = fulmar_http1::parse_request_head(&bytes, &HeadLimits::default(), &mut fields);
    }

    #[test]
    fn judges_meaningful_fields_the_same_in_all_pieces(
        lines in prop::collection::vec("(Content-Length|Transfer-Encoding|Host|Connection|Expect|Upgrade): ?[ 0-9a,;:\\[\\]@]{0,6}(chunked|close|upgrade)?\r\n", 0..5),
    ) {
        let bytes = format!("POST / HTTP/1.1\r\nHost: a\r\n{}\r\n", lines.concat());
        let _ = head_every_way(bytes.as_bytes(), &HeadLimits::default());
    }
}
