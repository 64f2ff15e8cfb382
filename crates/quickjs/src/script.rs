//! Source text to bytecode and back: functions and modules.

use std::ffi::CString;

use rquickjs::{
    Ctx, Error, Exception, Function, Module, Object, Result, Value, module::WriteOptions, qjs,
};

/// What surrounds a CommonJS module, on its first line, so that line numbers stay.
const WRAPPER_START: &str = "(function (exports, require, module, __filename, __dirname) {";
const WRAPPER_END: &str = "\n})";

/// How much of a script's text and positions its bytecode keeps.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// Names and line numbers, for stack traces.
    Positions,
    /// Nothing: the smallest, stack traces have no lines.
    Nothing,
}

/// Compiles a CommonJS module and returns its function.
pub(crate) fn compile_function<'js>(
    ctx: &Ctx<'js>,
    name: &str,
    source: &str,
) -> Result<Function<'js>> {
    let script = compile(ctx, name, &wrapped(source))?;
    run(ctx, script)
}

/// Compiles a CommonJS module to bytecode.
pub(crate) fn write_function(
    ctx: &Ctx<'_>,
    name: &str,
    source: &str,
    keep: Keep,
) -> Result<Vec<u8>> {
    let script = compile(ctx, name, &wrapped(source))?;
    let strip = match keep {
        Keep::Positions => qjs::JS_WRITE_OBJ_STRIP_SOURCE,
        Keep::Nothing => qjs::JS_WRITE_OBJ_STRIP_SOURCE | qjs::JS_WRITE_OBJ_STRIP_DEBUG,
    };
    let mut bytes: qjs::size_t = 0;
    let flags = (qjs::JS_WRITE_OBJ_BYTECODE | strip).cast_signed();
    // SAFETY: the script is a live value made by `compile`; `bytes` is writable.
    let data = unsafe {
        qjs::JS_WriteObject(
            ctx.as_raw().as_ptr(),
            &raw mut bytes,
            script.as_raw(),
            flags,
        )
    };
    if data.is_null() {
        return Err(Error::Exception);
    }
    // SAFETY: QuickJS returned this many bytes at this address.
    let copy =
        unsafe { std::slice::from_raw_parts(data, usize::try_from(bytes).unwrap_or(0)) }.to_vec();
    // SAFETY: the memory is the caller's to free, with the context's allocator.
    unsafe { qjs::js_free(ctx.as_raw().as_ptr(), data.cast()) };
    Ok(copy)
}

/// Reads a function that `write_function` wrote with this build of QuickJS.
///
/// Bytecode is trusted: the caller has checked that this runtime made it.
pub(crate) fn read_function<'js>(ctx: &Ctx<'js>, bytecode: &[u8]) -> Result<Function<'js>> {
    let flags = qjs::JS_READ_OBJ_BYTECODE.cast_signed();
    let length = qjs::size_t::try_from(bytecode.len()).map_err(|_| Error::Unknown)?;
    // SAFETY: address and length are those of the slice; the bytes are copied by the callee.
    let raw =
        unsafe { qjs::JS_ReadObject(ctx.as_raw().as_ptr(), bytecode.as_ptr(), length, flags) };
    let script = take(ctx, raw)?;
    run(ctx, script)
}

/// Compiles an ES module to bytecode.
pub(crate) fn write_module(ctx: &Ctx<'_>, name: &str, source: &str, keep: Keep) -> Result<Vec<u8>> {
    let module = Module::declare(ctx.clone(), name, source)?;
    module.write(WriteOptions {
        strip_debug: keep == Keep::Nothing,
        strip_source: true,
        ..WriteOptions::default()
    })
}

/// Evaluates an ES module's bytecode; the promise settles when it has run.
pub(crate) fn run_module_bytecode<'js>(ctx: &Ctx<'js>, bytecode: &[u8]) -> Result<Value<'js>> {
    // SAFETY: the caller has checked that this runtime made the bytecode.
    let module = unsafe { Module::load(ctx.clone(), bytecode) }?;
    module.meta()?.set("main", true)?;
    Ok(module.eval()?.1.into_value())
}

/// Compiles and evaluates an ES module's text.
pub(crate) fn run_module<'js>(ctx: &Ctx<'js>, name: &str, source: &str) -> Result<Value<'js>> {
    let module = Module::declare(ctx.clone(), name, source)?;
    module.meta()?.set("main", true)?;
    Ok(module.eval()?.1.into_value())
}

fn wrapped(source: &str) -> String {
    let body = if source.starts_with("#!") {
        format!("//{source}")
    } else {
        source.to_owned()
    };
    [WRAPPER_START, &body, WRAPPER_END].concat()
}

/// Compiles sloppy-mode script text without running it.
fn compile<'js>(ctx: &Ctx<'js>, name: &str, text: &str) -> Result<Value<'js>> {
    let source = CString::new(text).map_err(|_| {
        Exception::throw_syntax(ctx, &format!("{name}: a NUL character in the source"))
    })?;
    let name = CString::new(name)?;
    let flags = (qjs::JS_EVAL_TYPE_GLOBAL | qjs::JS_EVAL_FLAG_COMPILE_ONLY).cast_signed();
    let length = qjs::size_t::try_from(source.as_bytes().len()).map_err(|_| Error::Unknown)?;
    // SAFETY: both strings end with NUL and outlive the call; the length does not count the NUL.
    let raw = unsafe {
        qjs::JS_Eval(
            ctx.as_raw().as_ptr(),
            source.as_ptr(),
            length,
            name.as_ptr(),
            flags,
        )
    };
    take(ctx, raw)
}

/// Runs a compiled script; its value is expected to be a function.
fn run<'js>(ctx: &Ctx<'js>, script: Value<'js>) -> Result<Function<'js>> {
    let raw = script.as_raw();
    // `JS_EvalFunction` takes over the reference.
    std::mem::forget(script);
    // SAFETY: the value is a compiled script, given up above.
    let result = unsafe { qjs::JS_EvalFunction(ctx.as_raw().as_ptr(), raw) };
    let value = take(ctx, result)?;
    value
        .into_function()
        .ok_or_else(|| Exception::throw_type(ctx, "a module's function expected"))
}

/// Owns a value that QuickJS returned, or reports the exception it stands for.
fn take<'js>(ctx: &Ctx<'js>, raw: qjs::JSValue) -> Result<Value<'js>> {
    // SAFETY: looks at the tag only.
    if unsafe { qjs::JS_IsException(raw) } {
        return Err(Error::Exception);
    }
    // SAFETY: the callee gave this reference to us.
    Ok(unsafe { Value::from_raw(ctx.clone(), raw) })
}

/// The last resort, before the boot module has taken over: name, message and stack on standard error.
pub(crate) fn print_error<'js>(ctx: &Ctx<'js>, value: &Value<'js>) {
    let text = match value.as_object() {
        Some(object) => {
            let field = |name: &str| {
                object
                    .get::<_, Option<String>>(name)
                    .ok()
                    .flatten()
                    .unwrap_or_default()
            };
            format!(
                "{}: {}\n{}",
                field("name"),
                field("message"),
                field("stack")
            )
        }
        None => thrown_text(ctx, value),
    };
    eprintln!("Uncaught {}", text.trim_end());
}

fn thrown_text<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> String {
    let string: Result<Object<'js>> = ctx.globals().get("String");
    let call = string.ok().and_then(|s| s.into_value().into_function());
    call.and_then(|f| f.call::<_, String>((value.clone(),)).ok())
        .unwrap_or_default()
}
