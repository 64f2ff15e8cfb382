//! A request as users describe it: as options of the command line or as an element of a `--requests-file`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use crate::{
    error::LoadError,
    recipe::{BodyRule, Expect, Recipe, RequestText},
    target::Target,
    template::Template,
};

/// Digits of a SHA-1 digest.
const SHA1_DIGITS: usize = 40;

/// What to send and what to expect.
#[derive(Clone, Debug, Default, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct RequestSpec {
    /// Method
    #[arg(short = 'X', long, default_value = "GET")]
    #[serde(default)]
    pub method: String,
    /// Path and query; replaces that of the URL. Generated values: {{counter}}, {{id}}, {{uuid}}
    #[arg(long)]
    pub path: Option<String>,
    /// Field line "name: value", may be repeated; may hold generated values
    #[arg(short = 'H', long = "header", value_name = "LINE")]
    #[serde(default)]
    pub headers: Vec<String>,
    /// Content; may hold generated values
    #[arg(long, conflicts_with = "body_file")]
    pub body: Option<String>,
    /// File with the content; may hold generated values
    #[arg(long, value_name = "FILE")]
    pub body_file: Option<PathBuf>,
    /// What makes a reply right
    #[command(flatten)]
    #[serde(default)]
    pub expect: ExpectSpec,
}

/// What makes a reply right; without a status, any 2xx is.
#[derive(Clone, Debug, Default, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct ExpectSpec {
    /// Status of a right reply [default: any 2xx]
    #[arg(id = "expect_status", long = "expect-status", value_name = "STATUS")]
    pub status: Option<u16>,
    /// Field line "name: value" of a right reply, may be repeated
    #[arg(id = "expect_headers", long = "expect-header", value_name = "LINE")]
    #[serde(default)]
    pub headers: Vec<String>,
    /// Content of a right reply; generated values are those of the request
    #[arg(
        id = "expect_body",
        long = "expect-body",
        value_name = "TEXT",
        group = "content"
    )]
    pub body: Option<String>,
    /// File with the content of a right reply, byte for byte
    #[arg(
        id = "expect_body_file",
        long = "expect-body-file",
        value_name = "FILE",
        group = "content"
    )]
    pub body_file: Option<PathBuf>,
    /// SHA-1 of the content of a right reply
    #[arg(
        id = "expect_sha1",
        long = "expect-sha1",
        value_name = "HEX",
        group = "content"
    )]
    pub sha1: Option<String>,
    /// Bytes of content of a right reply
    #[arg(
        id = "expect_length",
        long = "expect-length",
        value_name = "BYTES",
        group = "content"
    )]
    pub length: Option<u64>,
}

impl RequestSpec {
    /// Reads a JSON array of requests.
    ///
    /// # Errors
    /// [`LoadError::Io`] when the file cannot be read, [`LoadError::Usage`] when it is not what was expected.
    pub fn from_file(path: &Path) -> Result<Vec<Self>, LoadError> {
        let text = fs::read(path).map_err(|error| unreadable(path, &error))?;
        serde_json::from_slice(&text)
            .map_err(|error| LoadError::Usage(format!("{}: {error}", path.display())))
    }

    /// Compiles the request for a server.
    ///
    /// # Errors
    /// [`LoadError::Usage`] for what cannot be a request or an expectation; [`LoadError::Io`] for unreadable
    /// files.
    pub fn compile(&self, target: &Target) -> Result<Recipe, LoadError> {
        let text = RequestText {
            method: self.method.clone(),
            path: self.path.clone().unwrap_or_else(|| target.path.clone()),
            headers: lines(&self.headers)?,
            body: self.content()?,
        };
        Recipe::compile(&text, &target.host, self.expect.compile()?)
    }

    fn content(&self) -> Result<Option<Vec<u8>>, LoadError> {
        match (&self.body, &self.body_file) {
            (Some(_), Some(_)) => Err(LoadError::Usage(
                "expected body or body_file, found both".into(),
            )),
            (Some(text), None) => Ok(Some(text.clone().into_bytes())),
            (None, Some(path)) => read(path).map(Some),
            (None, None) => Ok(None),
        }
    }
}

impl ExpectSpec {
    fn compile(&self) -> Result<Expect, LoadError> {
        let headers = lines(&self.headers)?;
        Ok(Expect {
            status: self.status,
            headers: headers
                .into_iter()
                .map(|(name, value)| (name, value.into_bytes()))
                .collect(),
            body: self.body_rule()?,
        })
    }

    fn body_rule(&self) -> Result<BodyRule, LoadError> {
        let mut rules = Vec::new();
        if let Some(text) = &self.body {
            rules.push(BodyRule::Exact(Template::parse(text.as_bytes())?));
        }
        if let Some(path) = &self.body_file {
            rules.push(BodyRule::Exact(Template::raw(read(path)?)));
        }
        if let Some(hex) = &self.sha1 {
            rules.push(BodyRule::Sha1(digest(hex)?));
        }
        rules.extend(self.length.map(BodyRule::Length));
        if rules.len() > 1 {
            return Err(LoadError::Usage(
                "expected one of body, body_file, sha1 and length, found more".into(),
            ));
        }
        Ok(rules.pop().unwrap_or(BodyRule::Any))
    }
}

fn lines(lines: &[String]) -> Result<Vec<(String, String)>, LoadError> {
    lines.iter().map(|line| split_line(line)).collect()
}

fn split_line(line: &str) -> Result<(String, String), LoadError> {
    let expected = || {
        LoadError::Usage(format!(
            "expected a field line \"name: value\", found {line:?}"
        ))
    };
    let (name, value) = line.split_once(':').ok_or_else(expected)?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn digest(hex: &str) -> Result<[u8; 20], LoadError> {
    let usage = || {
        LoadError::Usage(format!(
            "expected {SHA1_DIGITS} hexadecimal digits, found {hex:?}"
        ))
    };
    if hex.len() != SHA1_DIGITS || !hex.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(usage());
    }
    let mut bytes = [0; 20];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&hex[index * 2..index * 2 + 2], 16).map_err(|_| usage())?;
    }
    Ok(bytes)
}

fn read(path: &Path) -> Result<Vec<u8>, LoadError> {
    fs::read(path).map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &std::io::Error) -> LoadError {
    LoadError::Io(std::io::Error::new(
        error.kind(),
        format!("{}: {error}", path.display()),
    ))
}
