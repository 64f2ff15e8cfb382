//! Modules: Node's and Fulmar's own from the host, the application's from its archive, and text compiled on
//! the spot.

use std::rc::Rc;

use fulmar_quickjs_node::memory::with_bytes;
use fulmar_quickjs_node::text;
use rquickjs::function::{Func, Opt};
use rquickjs::{Ctx, Exception, Object, Result, String as JsString, Value};

use crate::bindings::whole;
use crate::modules::Modules;
use crate::script;

pub(crate) fn install<'js>(ops: &Object<'js>, modules: &Rc<Modules>) -> Result<()> {
    let m = Rc::clone(modules);
    // The function of one of the host's own modules, or undefined.
    ops.set(
        "load",
        Func::from(move |ctx: Ctx<'js>, name: String| m.load(&ctx, &name)),
    )?;
    let m = Rc::clone(modules);
    ops.set("has", Func::from(move |name: String| m.has(&name)))?;
    let m = Rc::clone(modules);
    // The application's: its main function or module.
    ops.set("main", Func::from(move |ctx: Ctx<'js>| m.main(&ctx)))?;
    let m = Rc::clone(modules);
    // The names of the files that the application carries.
    ops.set("files", Func::from(move || m.files()))?;
    let m = Rc::clone(modules);
    ops.set(
        "file",
        Func::from(move |ctx: Ctx<'js>, name: String| m.file(&ctx, &name)),
    )?;
    let m = Rc::clone(modules);
    ops.set(
        "fileFacts",
        Func::from(move |name: String| {
            let facts = m.file_facts(&name).into_iter();
            facts.map(exact).collect::<Vec<f64>>()
        }),
    )?;
    let m = Rc::clone(modules);
    ops.set(
        "fileRead",
        Func::from(
            move |ctx: Ctx<'js>, name: String, target: Value<'js>, from: f64| -> Result<i32> {
                let from = whole(from);
                let read = with_bytes(&ctx, &target, |into| m.read_file_at(&name, into, from))?;
                Ok(read.map_or(-5, |count| i32::try_from(count).unwrap_or(i32::MAX)))
            },
        ),
    )?;
    ops.set(
        "readText",
        Func::from(|ctx: Ctx<'js>, path: String| {
            std::fs::read_to_string(&path)
                .map_err(|error| Exception::throw_message(&ctx, &format!("{path}: {error}")))
        }),
    )?;
    ops.set(
        "compile",
        Func::from(|ctx: Ctx<'js>, name: String, source: JsString<'js>| {
            let source =
                text::with_utf8(&source, |utf8| String::from_utf8_lossy(utf8).into_owned())?;
            script::compile_function(&ctx, &name, &source)
        }),
    )?;
    // A promise that settles when the ES module has run.
    ops.set(
        "runModule",
        Func::from(
            |ctx: Ctx<'js>, name: String, source: String, _more: Opt<bool>| {
                script::run_module(&ctx, &name, &source)
            },
        ),
    )
}

#[expect(clippy::cast_precision_loss, reason = "sizes and times are below 2^53")]
fn exact(number: u64) -> f64 {
    number as f64
}
