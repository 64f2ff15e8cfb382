//! What a value is inside: its class, a promise's state, a proxy's target. For `node:util`.

use rquickjs::function::Func;
use rquickjs::{Array, Ctx, IntoJs as _, Object, Result, Value, qjs};

pub(crate) fn install<'js>(ops: &Object<'js>) -> Result<()> {
    // (value) → number of its class; 0 for what is not an object
    ops.set(
        "classId",
        Func::from(|value: Value<'js>| {
            if !value.is_object() {
                return 0;
            }
            // SAFETY: the value is alive; only its class number is read.
            unsafe { qjs::JS_GetClassID(value.as_raw()) }
        }),
    )?;
    // (value) → [state, result] of a promise (0 pending, 1 fulfilled, 2 rejected), undefined for others
    ops.set(
        "promiseState",
        Func::from(|ctx: Ctx<'js>, value: Value<'js>| promise_state(&ctx, &value)),
    )?;
    // (value) → [target, handler] of a proxy, null for a revoked one, undefined for others
    ops.set(
        "proxyParts",
        Func::from(|ctx: Ctx<'js>, value: Value<'js>| proxy_parts(&ctx, &value)),
    )
}

fn promise_state<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<Value<'js>> {
    // SAFETY: the value is alive.
    if !unsafe { qjs::JS_IsPromise(value.as_raw()) } {
        return Ok(Value::new_undefined(ctx.clone()));
    }
    let context = ctx.as_raw().as_ptr();
    // SAFETY: context and promise are alive.
    let state = unsafe { qjs::JS_PromiseState(context, value.as_raw()) };
    // SAFETY: as above.
    let result = unsafe { qjs::JS_PromiseResult(context, value.as_raw()) };
    // SAFETY: the reference is ours.
    let result = unsafe { Value::from_raw(ctx.clone(), result) };
    let number = match state {
        qjs::JSPromiseStateEnum_JS_PROMISE_FULFILLED => 1,
        qjs::JSPromiseStateEnum_JS_PROMISE_REJECTED => 2,
        _ => 0,
    };
    let parts = Array::new(ctx.clone())?;
    parts.set(0, number)?;
    parts.set(1, result)?;
    parts.into_js(ctx)
}

fn proxy_parts<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<Value<'js>> {
    // SAFETY: the value is alive.
    if !unsafe { qjs::JS_IsProxy(value.as_raw()) } {
        return Ok(Value::new_undefined(ctx.clone()));
    }
    let context = ctx.as_raw().as_ptr();
    // SAFETY: context and proxy are alive; a revoked proxy throws.
    let target = unsafe { qjs::JS_GetProxyTarget(context, value.as_raw()) };
    // SAFETY: looks at the tag only.
    if unsafe { qjs::JS_IsException(target) } {
        drop(ctx.catch());
        return Ok(Value::new_null(ctx.clone()));
    }
    // SAFETY: the reference is ours.
    let target = unsafe { Value::from_raw(ctx.clone(), target) };
    // SAFETY: as for the target.
    let handler = unsafe { qjs::JS_GetProxyHandler(context, value.as_raw()) };
    // SAFETY: the reference is ours; a proxy with a target has a handler.
    let handler = unsafe { Value::from_raw(ctx.clone(), handler) };
    let parts = Array::new(ctx.clone())?;
    parts.set(0, target)?;
    parts.set(1, handler)?;
    parts.into_js(ctx)
}
