//! Looking for garbage leaves alone what is in use: code that waits and that only a closure over one of its
//! own variables reaches. A QuickJS older than 0.16 freed it (CVE-2023-48184).

use rquickjs::{Context, Ctx, Runtime, Value, qjs};

/// Takes the memory that was just freed, if any.
const OTHERS: &str = "globalThis.others = Array.from({ length: 2000 }, (_, at) => ({ at, of: [at], resolve: null }));
    globalThis.told ?? 'waits'";

fn collect(ctx: &Ctx<'_>) {
    // SAFETY: the context is alive, hence its runtime.
    let runtime = unsafe { qjs::JS_GetRuntime(ctx.as_raw().as_ptr()) };
    // SAFETY: as above; this thread holds the runtime's lock, as it has a `Ctx`.
    unsafe { qjs::JS_RunGC(runtime) };
    let _others: Value<'_> = ctx.eval(OTHERS).expect("no exception");
}

/// What `told` is when the steps are done, each followed by its microtasks, with a look for garbage after
/// each of them.
fn told_after(steps: &[&str]) -> String {
    let runtime = Runtime::new().expect("a runtime");
    let context = Context::full(&runtime).expect("a context");
    context.with(|ctx| {
        for step in steps {
            let _value: Value<'_> = ctx.eval(*step).expect("no exception");
            collect(&ctx);
            while ctx.execute_pending_job() {
                collect(&ctx);
            }
        }
        ctx.eval(OTHERS).expect("a text")
    })
}

#[test]
fn an_async_function_goes_on() {
    let begin = "(() => {
      const step = async () => {
        const local = Promise.withResolvers();
        globalThis.kept = () => local;
        globalThis.told = await local.promise;
      };
      step();
    })()";
    let told = told_after(&[begin, "0", "kept().resolve('went on')", "0"]);
    assert_eq!(told, "went on");
}

#[test]
fn a_generator_goes_on() {
    let begin = "(() => {
      let made;
      const make = function* () {
        const local = { made };
        globalThis.kept = () => local;
        yield;
        yield 'went on';
      };
      made = make();
      made.next();
      made = null;
    })()";
    let told = told_after(&[begin, "0", "globalThis.told = kept().made.next().value"]);
    assert_eq!(told, "went on");
}

#[test]
fn an_async_generator_goes_on() {
    let begin = "(() => {
      const make = async function* () {
        const local = Promise.withResolvers();
        globalThis.kept = () => local;
        yield await local.promise;
      };
      make().next().then(({ value }) => { globalThis.told = value; });
    })()";
    let told = told_after(&[begin, "0", "kept().resolve('went on')", "0"]);
    assert_eq!(told, "went on");
}

#[test]
fn arguments_stay() {
    let begin = "Object.getPrototypeOf(async () => {}).constructor('text', `
      globalThis.kept = () => arguments;
      await new Promise(() => {});
    `)('st' + 'ay'.repeat(1))";
    let told = told_after(&[begin, "0", "globalThis.told = kept()[0]"]);
    assert_eq!(told, "stay");
}

/// As a server reads content: nothing but what tells of the next chunk reaches the function that awaits it.
#[test]
fn a_loop_that_awaits_goes_on() {
    let begin = "(() => {
      const source = async function* () {
        let wake;
        let open = true;
        globalThis.push = (value) => wake(value);
        globalThis.end = () => { open = false; wake(); };
        while (open) {
          const value = await new Promise((resolve) => { wake = resolve; });
          if (open) yield value;
        }
      };
      const read = async () => {
        let total = 0;
        for await (const value of source()) total += value;
        globalThis.told = `${total} read`;
      };
      read();
    })()";
    let told = told_after(&[begin, "0", "push(1)", "push(2)", "0", "end()", "0"]);
    assert_eq!(told, "3 read");
}
