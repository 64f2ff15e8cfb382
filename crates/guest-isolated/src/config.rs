//! How a slot was asked for: its own settings among those of the language.

use std::path::PathBuf;
use std::time::Duration;

use fulmar_guest::Settings;

/// What is said once.
#[derive(Debug)]
pub(crate) struct Config {
    pub(crate) language: String,
    pub(crate) program: PathBuf,
    pub(crate) library: String,
    /// As they came: the language reads its own.
    pub(crate) settings: Vec<u8>,
    /// Calls that may wait.
    pub(crate) waiting_max: usize,
    /// How long a call that was given up may go on.
    pub(crate) grace: Duration,
    /// How long a start may take.
    pub(crate) start: Duration,
}

impl Config {
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, String> {
        let settings = Settings::read(bytes).map_err(|problem| problem.0)?;
        let text = |name: &str| {
            let found = settings.text(name).map(str::to_owned);
            found.ok_or_else(|| format!("the setting {name} expected"))
        };
        let number = |name: &str, default: usize| settings.number(name).unwrap_or(default);
        let ms = |name: &str, default: usize| Duration::from_millis(number(name, default) as u64);
        Ok(Self {
            language: text("isolated.language")?,
            program: text("isolated.program")?.into(),
            library: text("isolated.library")?,
            settings: bytes.to_vec(),
            waiting_max: number("isolated.queue", 1_000),
            grace: ms("isolated.grace", 5_000),
            start: ms("isolated.start", 60_000),
        })
    }
}
