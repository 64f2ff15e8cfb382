/**
 * What a client asks, read from its request: the content of a POST, the query of a GET. Refuses what is no
 * call of this protocol; judges no parameters.
 */
import { type AnyContext, HttpError } from '../app/index.ts';
import { DecodeError } from '../shape/binary/decode-error.ts';
import { BINARY_TYPE } from '../shape/binary/form.ts';
import { fromBinary } from '../shape/binary/values.ts';
import { fromWire, type Resolve } from '../shape/wire-hints.ts';

/** What both sides speak. */
export const VERSION = 1;

/** Levels of JSON that are read: what comes next would be walked through by every schema. */
const NESTING_MAX = 128;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** One call as it came: parameters are not looked at yet. */
export interface Asked {
  readonly params: readonly unknown[];
  readonly as: unknown;
  readonly values: Readonly<Record<string, unknown>>;
  /** What the client waits for, in milliseconds; 0: any time. */
  readonly timeoutMs: number;
}

type Members = Readonly<Record<string, unknown>>;

/** @throws HttpError 400, 413, 415 */
export async function readContent(c: AnyContext, takesBinary: boolean): Promise<Members> {
  const type = c.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (takesBinary && type === BINARY_TYPE) return checkVersion(await readBinary(c));
  // These types alone make a browser ask before it sends another site's request.
  if (type !== 'application/json')
    throw new HttpError(415, `Calls are application/json, and the content is ${type === '' ? 'of no type' : `said to be ${type}`}.`);
  const text = await (c.body as { text(): Promise<string> }).text();
  return checkVersion(parse(text, 'The content'));
}

/** A member `__proto__` and what is nested too deep are refused where it is read. */
async function readBinary(c: AnyContext): Promise<unknown> {
  const bytes = await (c.body as { bytes(): Promise<Uint8Array> }).bytes();
  try {
    return fromBinary(bytes);
  } catch (error) {
    if (error instanceof DecodeError)
      throw new HttpError(400, `The content is not in the binary form: ${error.message}.`, { cause: error });
    throw error;
  }
}

/** Does the client ask for the binary form, and not only for anything? */
export function wantsBinary(c: AnyContext): boolean {
  return c.header('accept')?.includes(BINARY_TYPE) === true && c.accepts('application/json', BINARY_TYPE) === BINARY_TYPE;
}

/** `?rpc=1&params=[1]&as=…`. @throws HttpError 400 */
export function readQuery(c: AnyContext): Members {
  const { url } = c;
  const at = url.indexOf('?');
  const search = new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
  const of = (name: string): unknown => {
    const all = search.getAll(name);
    if (all.length > 1) throw new HttpError(400, `${name} stands in the query more than once.`);
    return all[0] === undefined ? undefined : parse(all[0], `${name} of the query`);
  };
  return checkVersion({ rpc: of('rpc'), params: of('params'), as: of('as'), timeout: of('timeout') });
}

function checkVersion(given: unknown): Members {
  const members = isMembers(given) ? given : refuse('A call is an object { rpc, params }, and this is none.');
  const { rpc = VERSION } = members;
  if (rpc !== VERSION)
    throw new HttpError(
      400,
      `This server speaks version ${VERSION} of the protocol, and the call is of version ${JSON.stringify(rpc)}. Update the older of the two.`,
      {
        details: { type: 'unsupported-version' },
      },
    );
  return members;
}

/** @throws HttpError 400 */
export function toAsked(members: Members): Asked {
  const { params = [], as, values = {}, timeout = 0 } = members;
  if (!Array.isArray(params)) return refuse('params is a list of parameters.');
  if (!isMembers(values)) return refuse('values is an object.');
  if (typeof timeout !== 'number' || !Number.isInteger(timeout) || timeout < 0) return refuse('timeout is milliseconds, 0 for none.');
  return { params, as, values, timeoutMs: timeout };
}

/** Parameters as the client had them. @throws HttpError 400 for hints that do not fit */
export function argsOf({ params, as }: Asked, resolve?: Resolve): readonly unknown[] {
  try {
    return fromWire(params, as, resolve) as readonly unknown[];
  } catch (error) {
    if (error instanceof TypeError) return refuse(`as does not fit the parameters: ${error.message}.`);
    throw error;
  }
}

export const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

function refuse(message: string): never {
  throw new HttpError(400, message);
}

function parse(text: string, what: string): unknown {
  if (isTooDeep(text)) return refuse(`${what} is nested deeper than ${NESTING_MAX} levels.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new HttpError(400, `${what} is not JSON: ${(cause as Error).message}`, { cause });
  }
  // The name may be written with escapes.
  if (/__proto__|\\u/i.test(text) && hasProto(value)) return refuse(`${what} has a member __proto__, which is no name for one.`);
  return value;
}

/** Bounded by `isTooDeep`. */
function hasProto(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProto);
}

function isTooDeep(text: string): boolean {
  if (text.length <= NESTING_MAX) return false;
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inText) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) inText = false;
    } else if (code === QUOTE) inText = true;
    // [ and {, ] and } differ from each other by one bit.
    else if ((code | 0x20) === 0x7b && (depth += 1) > NESTING_MAX) return true;
    else if ((code | 0x20) === 0x7d) depth -= 1;
  }
  return false;
}
