//! `pack <manifest> <output>`: compiles modules and appends them to this executable.
//!
//! The manifest is JSON:
//! `{"role": "runtime" | "application", "strip": false, "entries": [{"name", "kind": "function" | "module" | "raw", "file", "label"?, "modifiedMs"?}]}`.
//! Files are read as they are; `label` is what stack traces call the module.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

use fulmar_quickjs_node::memory;
use rquickjs::{CatchResultExt as _, Context, Ctx, Object, Runtime};

use crate::archive::{Kind, Role, Writer};
use crate::modules::Modules;
use crate::script::{self, Keep};

pub(crate) fn pack(modules: &Modules, arguments: &[String]) -> Result<(), String> {
    let [manifest, output] = arguments else {
        return Err("pack <manifest> <output> expected".to_owned());
    };
    let text = fs::read_to_string(manifest).map_err(|error| format!("{manifest}: {error}"))?;
    let runtime = Runtime::new().map_err(|error| error.to_string())?;
    runtime.set_max_stack_size(crate::limits::stack_bytes());
    let context = Context::full(&runtime).map_err(|error| error.to_string())?;
    let program = program(modules).map_err(|error| format!("this executable: {error}"))?;
    let archive = context.with(|ctx| {
        let outcome = archive(&ctx, modules, &program, &text);
        outcome.map_err(|error| match error {
            Problem::Script(error) => Err::<(), _>(error)
                .catch(&ctx)
                .err()
                .map_or_else(String::new, |error| error.to_string()),
            Problem::Text(message) => message,
        })
    })?;
    write(Path::new(output), &program, &archive).map_err(|error| format!("{output}: {error}"))
}

enum Problem {
    Script(rquickjs::Error),
    Text(String),
}

impl From<rquickjs::Error> for Problem {
    fn from(error: rquickjs::Error) -> Self {
        Self::Script(error)
    }
}

fn archive(
    ctx: &Ctx<'_>,
    modules: &Modules,
    program: &[u8],
    manifest: &str,
) -> Result<Vec<u8>, Problem> {
    let manifest: Object<'_> = ctx
        .json_parse(manifest)?
        .try_into_object()
        .map_err(|_| Problem::Text("an object expected as manifest".to_owned()))?;
    let keep = if manifest.get::<_, Option<bool>>("strip")?.unwrap_or(false) {
        Keep::Nothing
    } else {
        Keep::Positions
    };
    let role = match manifest.get::<_, String>("role")?.as_str() {
        "runtime" => {
            memory::check(ctx)?;
            Role::Runtime
        }
        "application" => Role::Application,
        other => {
            return Err(Problem::Text(format!(
                "role \"runtime\" or \"application\" expected, {other} found"
            )));
        }
    };
    let mut writer = Writer::default();
    for entry in manifest.get::<_, Vec<Object<'_>>>("entries")? {
        add(ctx, &mut writer, &entry, keep)?;
    }
    let number = match role {
        Role::Runtime => writer.number(program),
        Role::Application => modules.runtime_number().ok_or_else(|| {
            Problem::Text(
                "this executable carries no modules yet, so no application can be built with it"
                    .to_owned(),
            )
        })?,
    };
    Ok(writer.finish(role, number))
}

fn add(ctx: &Ctx<'_>, writer: &mut Writer, entry: &Object<'_>, keep: Keep) -> Result<(), Problem> {
    let (name, kind, file): (String, String, String) =
        (entry.get("name")?, entry.get("kind")?, entry.get("file")?);
    let label = entry
        .get::<_, Option<String>>("label")?
        .unwrap_or_else(|| name.clone());
    let bytes = fs::read(&file).map_err(|error| Problem::Text(format!("{file}: {error}")))?;
    let text = |bytes: Vec<u8>| {
        String::from_utf8(bytes).map_err(|_| Problem::Text(format!("{file}: UTF-8 expected")))
    };
    let (kind, bytes) = match kind.as_str() {
        "function" => (
            Kind::Function,
            script::write_function(ctx, &label, &text(bytes)?, keep)?,
        ),
        "module" => (
            Kind::Module,
            script::write_module(ctx, &label, &text(bytes)?, keep)?,
        ),
        "raw" => (Kind::Raw, bytes),
        other => {
            return Err(Problem::Text(format!(
                "kind \"function\", \"module\" or \"raw\" expected, {other} found"
            )));
        }
    };
    let modified_ms = entry.get::<_, Option<f64>>("modifiedMs")?.unwrap_or(0.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float-to-int cast saturates, which is what is meant"
    )]
    writer
        .add(&name, kind, &bytes, modified_ms.round() as u64)
        .map_err(|error| Problem::Text(error.to_string()))
}

/// What the archive is appended to: this executable, for an application with its modules, else without.
fn program(modules: &Modules) -> std::io::Result<Vec<u8>> {
    let file = File::open("/proc/self/exe").or_else(|_| File::open(std::env::current_exe()?))?;
    let mut bytes = Vec::new();
    let end = modules.runtime_end().unwrap_or(u64::MAX);
    file.take(end).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Written beside its place and renamed.
fn write(output: &Path, program: &[u8], archive: &[u8]) -> std::io::Result<()> {
    let mut part = output.as_os_str().to_owned();
    part.push(".part");
    let mut target = fs::OpenOptions::new()
        .create(true)
        .truncate(true)
        .write(true)
        .mode(0o755)
        .open(&part)?;
    target.write_all(program)?;
    target.write_all(archive)?;
    target.set_permissions(fs::Permissions::from_mode(0o755))?;
    drop(target);
    fs::rename(&part, output)
}
