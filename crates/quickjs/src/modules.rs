//! Where modules come from: the archive appended to the host, the application's archive, or, while
//! developing, a folder.

use std::cell::Cell;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use rquickjs::{ArrayBuffer, Ctx, Exception, IntoJs as _, Result, Value};

use crate::archive::{Archive, Kind, Role};
use crate::mapping::Mapping;
use crate::script;

/// A folder with the host's modules as text, used instead of those in the executable.
const FOLDER_VARIABLE: &str = "FULMAR_NATIVE_MODULES";

/// What names of an application's late parts begin with; none of the host's modules is called so.
const PARTS: &str = "code/";

pub(crate) struct Modules {
    folder: Option<PathBuf>,
    runtime: Option<Archive>,
    application: Option<Archive>,
    /// What the application starts with, read before anything runs: damage to it shall be told as such.
    main: Cell<Option<(Kind, Mapping)>>,
}

impl Modules {
    /// Looks at the end of the running executable.
    pub(crate) fn of_executable() -> io::Result<Self> {
        let file =
            File::open("/proc/self/exe").or_else(|_| File::open(std::env::current_exe()?))?;
        let end = file.metadata()?.len();
        match Archive::open(file.try_clone()?, end)? {
            Some(last) if last.role == Role::Application => Self::with_application(file, last),
            runtime => Ok(Self {
                folder: std::env::var_os(FOLDER_VARIABLE).map(PathBuf::from),
                runtime,
                application: None,
                main: Cell::new(None),
            }),
        }
    }

    fn with_application(file: File, application: Archive) -> io::Result<Self> {
        let invalid = |message| io::Error::new(io::ErrorKind::InvalidData, message);
        let before = Archive::open(file, application.start)?;
        let runtime = before.filter(|archive| archive.role == Role::Runtime);
        if runtime.as_ref().map(|archive| archive.runtime) != Some(application.runtime) {
            return Err(invalid(
                "the application was built for another runtime than the one it is attached to; build it again",
            ));
        }
        let main = application.entries.get("main").copied();
        let main = main.ok_or_else(|| invalid("it carries no application; build it again"))?;
        let bytecode = application.read(main)?;
        Ok(Self {
            folder: None,
            runtime,
            application: Some(application),
            main: Cell::new(Some((main.kind, bytecode))),
        })
    }

    /// Where the host ends: what a new application is appended to.
    pub(crate) fn runtime_end(&self) -> Option<u64> {
        self.application.as_ref().map(|archive| archive.start)
    }

    /// The host's number, for the archives of applications.
    pub(crate) fn runtime_number(&self) -> Option<u64> {
        self.runtime.as_ref().map(|archive| archive.runtime)
    }

    pub(crate) fn has_application(&self) -> bool {
        self.application.is_some()
    }

    pub(crate) fn has_boot(&self) -> bool {
        self.has("boot.cjs")
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        let in_folder = self
            .folder
            .as_ref()
            .is_some_and(|folder| inside(folder, name).is_some_and(|file| file.is_file()));
        in_folder
            || self
                .runtime
                .as_ref()
                .is_some_and(|archive| archive.entries.contains_key(name))
    }

    /// The names of the host's modules, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = self
            .runtime
            .iter()
            .flat_map(|archive| archive.entries.keys());
        let mut names: Vec<String> = entries.map(ToString::to_string).collect();
        names.sort();
        names
    }

    /// The function of a module of the host, or of a part of the application; undefined when there is none.
    pub(crate) fn load<'js>(&self, ctx: &Ctx<'js>, name: &str) -> Result<Value<'js>> {
        if let Some(file) = self.folder.as_ref().and_then(|folder| inside(folder, name))
            && let Ok(source) = std::fs::read_to_string(&file)
        {
            return Ok(
                script::compile_function(ctx, &format!("node:internal/{name}"), &source)?
                    .into_value(),
            );
        }
        let archive = if name.starts_with(PARTS) {
            &self.application
        } else {
            &self.runtime
        };
        match archive
            .as_ref()
            .and_then(|archive| archive.entries.get(name).map(|entry| archive.read(*entry)))
        {
            Some(bytecode) => {
                Ok(script::read_function(ctx, &readable(ctx, bytecode)?)?.into_value())
            }
            None => Ok(Value::new_undefined(ctx.clone())),
        }
    }

    /// The function that the application starts with, or the promise of its module; undefined when there is
    /// none, and the second time.
    pub(crate) fn main<'js>(&self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        match self.main.take() {
            Some((Kind::Module, bytecode)) => script::run_module_bytecode(ctx, &bytecode),
            Some((_, bytecode)) => Ok(script::read_function(ctx, &bytecode)?.into_value()),
            None => Ok(Value::new_undefined(ctx.clone())),
        }
    }

    pub(crate) fn files(&self) -> Vec<String> {
        let Some(archive) = &self.application else {
            return Vec::new();
        };
        let raw = archive
            .entries
            .iter()
            .filter(|(_, entry)| entry.kind == Kind::Raw);
        raw.map(|(name, _)| name.to_string()).collect()
    }

    /// Size and time of the last change, in ms, of a file that the application carries; empty when there is
    /// none.
    pub(crate) fn file_facts(&self, name: &str) -> Vec<u64> {
        let archive = self.application.as_ref();
        let entry = archive.and_then(|archive| archive.entries.get(name));
        entry.map_or_else(Vec::new, |entry| vec![entry.bytes, entry.modified_ms])
    }

    /// Reads a part of a file that the application carries; how many bytes it gave.
    pub(crate) fn read_file_at(&self, name: &str, into: &mut [u8], from: u64) -> io::Result<usize> {
        let found = self
            .application
            .as_ref()
            .and_then(|archive| archive.entries.get(name).map(|entry| (archive, *entry)));
        let Some((archive, entry)) = found else {
            return Err(io::ErrorKind::NotFound.into());
        };
        archive.read_at(entry, into, from)
    }

    /// The bytes of a file that the application carries, as an `ArrayBuffer`; undefined when there is none.
    pub(crate) fn file<'js>(&self, ctx: &Ctx<'js>, name: &str) -> Result<Value<'js>> {
        match self
            .application
            .as_ref()
            .and_then(|archive| archive.entries.get(name).map(|entry| archive.read(*entry)))
        {
            Some(bytes) => {
                ArrayBuffer::new_copy(ctx.clone(), &*readable(ctx, bytes)?)?.into_js(ctx)
            }
            None => Ok(Value::new_undefined(ctx.clone())),
        }
    }
}

fn inside(folder: &Path, name: &str) -> Option<PathBuf> {
    (!name.split('/').any(|part| part == "..")).then(|| folder.join(name))
}

fn readable(ctx: &Ctx<'_>, bytes: io::Result<Mapping>) -> Result<Mapping> {
    bytes.map_err(|error| {
        Exception::throw_message(ctx, &format!("the executable cannot be read: {error}"))
    })
}
