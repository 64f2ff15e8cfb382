//! One kind of request and what its reply must be.
//!
//! A recipe without templates is rendered once; sending it is one copy. The content of a template is rendered
//! first, because its length stands in the head. Recipes never touch sockets or clocks.

use std::io::Write as _;

use crate::{
    error::LoadError,
    template::{Template, Values},
};

/// What the content of a reply is compared with.
#[derive(Clone, Debug)]
pub enum BodyRule {
    /// Anything.
    Any,
    /// These bytes; generated values are those of the request.
    Exact(Template),
    /// Content of this SHA-1 digest.
    Sha1([u8; 20]),
    /// Content of this many bytes.
    Length(u64),
}

/// What makes a reply right.
#[derive(Clone, Debug)]
pub struct Expect {
    /// The status, or any 2xx.
    pub status: Option<u16>,
    /// Field lines that must be there with exactly this value; names in any case.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The rule for the content.
    pub body: BodyRule,
}

impl Default for Expect {
    fn default() -> Self {
        Self {
            status: None,
            headers: Vec::new(),
            body: BodyRule::Any,
        }
    }
}

/// The parts of a request as a user writes them; all may hold placeholders.
#[derive(Clone, Debug, Default)]
pub struct RequestText {
    /// `GET` when empty.
    pub method: String,
    /// The request target, from `/`.
    pub path: String,
    /// Field lines; `Host` and `Content-Length` are added when absent.
    pub headers: Vec<(String, String)>,
    /// Content, if any.
    pub body: Option<Vec<u8>>,
}

/// A request ready to be rendered.
#[derive(Clone, Debug)]
pub struct Recipe {
    fixed: Option<Vec<u8>>,
    head: Template,
    body: Option<Template>,
    own_length: bool,
    /// Whether replies to it have no content whatever their head says (`HEAD`).
    pub is_head: bool,
    /// What its reply must be.
    pub expect: Expect,
}

impl Recipe {
    /// Checks and compiles a request for the authority `host`.
    ///
    /// # Errors
    /// [`LoadError::Usage`] for a bad template, or a part that would break the framing of the request.
    pub fn compile(text: &RequestText, host: &str, expect: Expect) -> Result<Self, LoadError> {
        let method = if text.method.is_empty() {
            "GET"
        } else {
            &text.method
        };
        check_parts(method, text)?;
        let has = |name: &str| {
            text.headers
                .iter()
                .any(|(key, _)| key.eq_ignore_ascii_case(name))
        };
        let mut head = format!("{method} {} HTTP/1.1\r\n", text.path);
        if !has("host") {
            head.extend(["Host: ", host, "\r\n"]);
        }
        for (name, value) in &text.headers {
            head.extend([name.as_str(), ": ", value.as_str(), "\r\n"]);
        }
        let body = text.body.as_deref().map(Template::parse).transpose()?;
        let mut recipe = Self {
            fixed: None,
            head: Template::parse(head.as_bytes())?,
            body,
            own_length: has("content-length"),
            is_head: method == "HEAD",
            expect,
        };
        recipe.render_once();
        Ok(recipe)
    }

    /// Appends the request for `values` to `out`; `scratch` is overwritten.
    pub fn append(&self, values: Values, scratch: &mut Vec<u8>, out: &mut Vec<u8>) {
        if let Some(fixed) = &self.fixed {
            out.extend_from_slice(fixed);
            return;
        }
        scratch.clear();
        self.head.render(values, out);
        if let Some(body) = &self.body {
            body.render(values, scratch);
            if !self.own_length {
                // Writing to a Vec cannot fail.
                let _ = write!(out, "Content-Length: {}\r\n", scratch.len());
            }
        }
        out.extend_from_slice(b"\r\n");
        out.extend_from_slice(scratch);
    }

    fn render_once(&mut self) {
        let constant = self
            .body
            .as_ref()
            .is_none_or(|body| body.literal().is_some());
        if constant && self.head.literal().is_some() {
            let mut fixed = Vec::new();
            let values = Values {
                serial: 0,
                seed: 0,
                ids: 1,
            };
            self.append(values, &mut Vec::new(), &mut fixed);
            self.fixed = Some(fixed);
        }
    }
}

fn check_parts(method: &str, text: &RequestText) -> Result<(), LoadError> {
    let usage = |what: &str, found: &str| Err(LoadError::Usage(format!("{what}, found {found:?}")));
    if !method
        .bytes()
        .all(|byte| byte.is_ascii_alphabetic() || byte == b'-')
    {
        return usage("expected a method of letters", method);
    }
    let target = text.path.replace("{{ ", "{{").replace(" }}", "}}");
    if !target.starts_with('/') || target.bytes().any(|byte| byte <= b' ' || byte == 0x7F) {
        return usage(
            "expected a path that starts with / and has no spaces",
            &text.path,
        );
    }
    for (name, value) in &text.headers {
        let breaks = |part: &str| part.contains(['\r', '\n', '\0']);
        if name.is_empty() || name.contains([':', ' ']) || breaks(name) || breaks(value) {
            return usage(
                "expected a field line of name: value",
                &format!("{name}: {value}"),
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(text: &RequestText, serial: u64) -> String {
        let recipe = Recipe::compile(text, "h:1", Expect::default()).unwrap();
        let mut out = Vec::new();
        recipe.append(
            Values {
                serial,
                seed: 0,
                ids: 9,
            },
            &mut Vec::new(),
            &mut out,
        );
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn adds_host_and_content_length() {
        let text = RequestText {
            method: "POST".into(),
            path: "/a".into(),
            body: Some(b"xy".to_vec()),
            ..RequestText::default()
        };
        assert_eq!(
            sent(&text, 0),
            "POST /a HTTP/1.1\r\nHost: h:1\r\nContent-Length: 2\r\n\r\nxy"
        );
    }

    #[test]
    fn content_length_follows_generated_content() {
        let body = Some(b"n={{counter}}".to_vec());
        let text = RequestText {
            path: "/{{counter}}".into(),
            body,
            ..RequestText::default()
        };
        assert_eq!(
            sent(&text, 123),
            "GET /123 HTTP/1.1\r\nHost: h:1\r\nContent-Length: 5\r\n\r\nn=123"
        );
    }

    #[test]
    fn refuses_parts_that_break_the_framing() {
        for path in ["", "x", "/a b", "/a\r\nX: y"] {
            let text = RequestText {
                path: path.into(),
                ..RequestText::default()
            };
            assert!(
                Recipe::compile(&text, "h", Expect::default()).is_err(),
                "{path:?}"
            );
        }
        let headers = vec![("a".to_owned(), "b\r\nc: d".to_owned())];
        let text = RequestText {
            path: "/".into(),
            headers,
            ..RequestText::default()
        };
        assert!(Recipe::compile(&text, "h", Expect::default()).is_err());
    }
}
