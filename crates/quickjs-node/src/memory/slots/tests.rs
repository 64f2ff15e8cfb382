use rquickjs::{Context, Runtime};

use super::*;

/// Runs `work` with what `source` gives.
fn with_value(source: &str, work: impl FnOnce(&Ctx<'_>, &Value<'_>)) {
    let runtime = Runtime::new().expect("a runtime");
    let context = Context::full(&runtime).expect("a context");
    context.with(|ctx| {
        crate::memory::install(&ctx);
        let value: Value<'_> = ctx.eval(source).expect("no exception");
        work(&ctx, &value);
    });
}

fn length_of(source: &str) -> Option<usize> {
    let mut found = None;
    with_value(source, |_, value| {
        found = bytes_of(value.as_raw()).map(|(_, bytes)| bytes);
    });
    found
}

#[test]
fn the_engine_keeps_views_where_they_are_looked_for() {
    with_value("0", |ctx, _| {
        check(ctx).expect("the structs are as described");
    });
}

#[test]
fn properties_that_javascript_defines_do_not_count() {
    let source = "const u = new Uint16Array(4);
        for (const name of ['byteLength', 'byteOffset', 'length']) Object.defineProperty(u, name, { value: 1e9 });
        Object.defineProperty(u, 'buffer', { value: new ArrayBuffer(1) });
        u";
    assert_eq!(length_of(source), Some(8));
    let class = "new class extends DataView {
        get byteLength() { return 1e9; }
        get byteOffset() { return 1e9; }
    }(new ArrayBuffer(9), 2)";
    assert_eq!(length_of(class), Some(7));
}

#[test]
fn what_only_looks_like_a_view_is_none() {
    for source in [
        "({ buffer: new ArrayBuffer(8), byteOffset: 0, byteLength: 8 })",
        "new Proxy(new Uint8Array(8), {})",
        "Object.create(new Uint8Array(8))",
        "[1, 2]",
        "'text'",
        "8",
        "null",
        "undefined",
        "Symbol()",
        "8n",
        "(() => {})",
    ] {
        assert_eq!(length_of(source), None, "{source}");
    }
}

#[test]
fn a_view_has_what_its_buffer_has_now() {
    let resized = |view: &str, bytes: u32| {
        length_of(&format!(
            "const b = new ArrayBuffer(16, {{ maxByteLength: 32 }}), v = {view}; b.resize({bytes}); v"
        ))
    };
    assert_eq!(resized("new Uint8Array(b, 4)", 32), Some(28));
    assert_eq!(resized("new Uint8Array(b, 4)", 6), Some(2));
    assert_eq!(resized("new Uint8Array(b, 4)", 2), Some(0));
    assert_eq!(resized("new Uint8Array(b, 4, 8)", 32), Some(8));
    assert_eq!(resized("new Uint8Array(b, 4, 8)", 11), Some(0));
    assert_eq!(resized("new Float64Array(b)", 31), Some(24));
    assert_eq!(resized("new DataView(b, 4)", 6), Some(2));
    assert_eq!(resized("new DataView(b, 4, 8)", 11), Some(0));
    assert_eq!(resized("b", 11), Some(11));
}

#[test]
fn a_detached_buffer_has_no_bytes() {
    for view in [
        "b",
        "new Uint8Array(b)",
        "new DataView(b)",
        "new BigInt64Array(b)",
    ] {
        let source = format!("const b = new ArrayBuffer(16), v = {view}; b.transfer(); v");
        with_value(&source, |_, value| {
            let nothing = Some((std::ptr::null_mut(), 0));
            assert_eq!(bytes_of(value.as_raw()), nothing, "{view}");
        });
    }
}

#[test]
fn looking_runs_no_javascript_and_leaves_no_exception() {
    let source = "globalThis.ran = 0;
        Error.prepareStackTrace = () => { ran++; };
        const b = new ArrayBuffer(16), v = new DataView(b); b.transfer(); v";
    with_value(source, |ctx, value| {
        assert!(bytes_of(value.as_raw()).is_some());
        // SAFETY: the context is alive.
        assert!(!unsafe { qjs::JS_HasException(ctx.as_raw().as_ptr()) });
        assert_eq!(ctx.eval::<i32, _>("ran").expect("a number"), 0);
    });
}

#[test]
fn a_shared_buffer_that_grows_has_the_memory() {
    let source =
        "const s = new SharedArrayBuffer(1, { maxByteLength: 65536 }), v = new Uint8Array(s);
        const others = Array.from({ length: 64 }, () => new Uint8Array(2048));
        s.grow(65536);
        v.fill(7);
        if (!others.every((other) => other.every((byte) => byte === 0))) throw new Error('it wrote elsewhere');
        v";
    with_value(source, |_, value| {
        let found = bytes_of(value.as_raw()).map(|(_, bytes)| bytes);
        assert_eq!(found, Some(65536));
    });
}
