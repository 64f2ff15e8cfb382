//! The URL standard's parser, and `application/x-www-form-urlencoded`. A parsed URL goes to JavaScript as its
//! text and the places in it.

use rquickjs::function::{Func, Opt};
use rquickjs::{Array, Ctx, Object, Result, String as JsString, Value};
use url::{Position, Url, form_urlencoded, quirks};

use crate::text::{raw_string, with_utf8};

/// Where the parts of a URL's text start and end, in the order that `web/url.later.ts` expects.
const PLACES: [Position; 12] = [
    Position::AfterScheme,
    Position::BeforeUsername,
    Position::AfterUsername,
    Position::BeforePassword,
    Position::AfterPassword,
    Position::BeforeHost,
    Position::AfterHost,
    Position::BeforePort,
    Position::AfterPort,
    Position::BeforePath,
    Position::AfterPath,
    Position::AfterQuery,
];

pub(crate) fn install<'js>(ops: &Object<'js>) -> Result<()> {
    // (text, base) → [href, places …]; null when it is no URL
    ops.set(
        "urlParse",
        Func::from(
            |ctx: Ctx<'js>, text: JsString<'js>, base: Opt<Option<JsString<'js>>>| {
                parsed(&ctx, parse(&text, base.0.flatten().as_ref())?.as_ref())
            },
        ),
    )?;
    ops.set(
        "urlCanParse",
        Func::from(
            |text: JsString<'js>, base: Opt<Option<JsString<'js>>>| -> Result<bool> {
                Ok(parse(&text, base.0.flatten().as_ref())?.is_some())
            },
        ),
    )?;
    // (href, part, value) → as urlParse; what does not fit leaves the URL as it was
    ops.set(
        "urlSet",
        Func::from(
            |ctx: Ctx<'js>, href: String, part: String, value: JsString<'js>| {
                let mut url = Url::parse(&href).ok();
                if let Some(url) = &mut url {
                    set(url, &part, &text_of(&value)?);
                }
                parsed(&ctx, url.as_ref())
            },
        ),
    )?;
    ops.set(
        "domainToAscii",
        Func::from(|domain: JsString<'js>| {
            Ok::<_, rquickjs::Error>(quirks::domain_to_ascii(&text_of(&domain)?))
        }),
    )?;
    ops.set(
        "domainToUnicode",
        Func::from(|domain: JsString<'js>| {
            Ok::<_, rquickjs::Error>(quirks::domain_to_unicode(&text_of(&domain)?))
        }),
    )?;
    forms(ops)
}

fn forms<'js>(ops: &Object<'js>) -> Result<()> {
    // text → [name, value, …]
    ops.set(
        "formParse",
        Func::from(|ctx: Ctx<'js>, text: JsString<'js>| -> Result<Array<'js>> {
            let list = Array::new(ctx.clone())?;
            let text = text_of(&text)?;
            let pairs = form_urlencoded::parse(text.as_bytes());
            for (at, part) in pairs.flat_map(|(name, value)| [name, value]).enumerate() {
                list.set(at, raw_string(&ctx, part.as_bytes())?)?;
            }
            Ok(list)
        }),
    )?;
    ops.set(
        "formSerialize",
        Func::from(|ctx: Ctx<'js>, list: Array<'js>| {
            let mut out = form_urlencoded::Serializer::new(String::new());
            let mut at = 0;
            while at + 1 < list.len() {
                let (name, value): (JsString<'js>, JsString<'js>) =
                    (list.get(at)?, list.get(at + 1)?);
                out.append_pair(&text_of(&name)?, &text_of(&value)?);
                at += 2;
            }
            raw_string(&ctx, out.finish().as_bytes())
        }),
    )
}

/// Lone surrogates become U+FFFD.
fn text_of(string: &JsString<'_>) -> Result<String> {
    with_utf8(string, |utf8| match std::str::from_utf8(utf8) {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(&super::strings::without_surrogates(utf8)).into_owned(),
    })
}

fn parse(text: &JsString<'_>, base: Option<&JsString<'_>>) -> Result<Option<Url>> {
    let text = text_of(text)?;
    let Some(base) = base else {
        return Ok(Url::parse(&text).ok());
    };
    let base = Url::parse(&text_of(base)?);
    Ok(base.ok().and_then(|base| base.join(&text).ok()))
}

fn parsed<'js>(ctx: &Ctx<'js>, url: Option<&Url>) -> Result<Value<'js>> {
    let Some(url) = url else {
        return Ok(Value::new_null(ctx.clone()));
    };
    let list = Array::new(ctx.clone())?;
    list.set(0, raw_string(ctx, url.as_str().as_bytes())?)?;
    for (at, place) in PLACES.into_iter().enumerate() {
        list.set(at + 1, url[..place].len())?;
    }
    Ok(list.into_value())
}

fn set(url: &mut Url, part: &str, value: &str) {
    let _unchanged_when_it_does_not_fit = match part {
        "protocol" => quirks::set_protocol(url, value),
        "username" => quirks::set_username(url, value),
        "password" => quirks::set_password(url, value),
        "host" => quirks::set_host(url, value),
        "hostname" => quirks::set_hostname(url, value),
        "port" => quirks::set_port(url, value),
        "pathname" => {
            quirks::set_pathname(url, value);
            Ok(())
        }
        "search" => {
            quirks::set_search(url, value);
            Ok(())
        }
        _ => {
            quirks::set_hash(url, value);
            Ok(())
        }
    };
}
