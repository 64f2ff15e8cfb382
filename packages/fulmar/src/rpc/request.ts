/**
 * What a client asks, read from its request: the content of a POST, the query of a GET. Refuses what is no
 * call of this protocol; judges no parameters.
 */
import { type AnyContext, HttpError } from '../app/index.ts';
import { isNestedDeeper } from '../shape/json-nesting.ts';
import { DecodeError } from '../shape/binary/decode-error.ts';
import { BINARY_TYPE } from '../shape/binary/form.ts';
import { fromBinary } from '../shape/binary/values.ts';
import { fromWire, type Resolve } from '../shape/wire-hints.ts';

/** What both sides speak. */
export const VERSION = 1;

/** Levels of JSON that are read: what comes next would be walked through by every schema. */
const NESTING_MAX = 128;

/** Characters of what came that an error tells. */
const TOLD_MAX = 60;

/** One call as it came: parameters are not looked at yet. */
export interface Asked {
  readonly params: readonly unknown[];
  readonly as: unknown;
  readonly values: Readonly<Record<string, unknown>>;
  /** What the client waits for, in milliseconds; 0: any time. */
  readonly timeoutMs: number;
}

export type Members = Readonly<Record<string, unknown>>;

const JSON_TYPE = 'application/json';

/** A promise of it only where it has not come yet, and where it is in bytes. @throws HttpError 400, 413, 415 */
export function readContent(c: AnyContext, takesBinary: boolean): Members | Promise<Members> {
  const given = c.header('content-type');
  if (given !== JSON_TYPE && isBinary(given, takesBinary)) return readBinary(c).then(checkVersion);
  const { reader } = c;
  const text = reader.textThatCame();
  return text === null ? reader.text().then(membersOf) : membersOf(text);
}

/** These types alone make a browser ask before it sends another site's request. @throws HttpError 415 */
function isBinary(given: string | undefined, isTaken: boolean): boolean {
  const type = given?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (isTaken && type === BINARY_TYPE) return true;
  if (type === JSON_TYPE) return false;
  throw new HttpError(415, `Calls are application/json, and the content is ${type === '' ? 'of no type' : `said to be ${type}`}.`);
}

const membersOf = (text: string): Members => checkVersion(parse(text, 'The content'));

/** A member `__proto__` and what is nested too deep are refused where it is read. */
async function readBinary(c: AnyContext): Promise<unknown> {
  const bytes = await c.reader.bytes();
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

export function checkVersion(given: unknown): Members {
  const members = isMembers(given) ? given : refuse('A call is an object { rpc, params }, and this is none.');
  const { rpc = VERSION } = members;
  if (rpc !== VERSION)
    throw new HttpError(
      400,
      `This server speaks version ${VERSION} of the protocol, and the call is of version ${JSON.stringify(rpc).slice(0, TOLD_MAX)}. Update the older of the two.`,
      {
        details: { type: 'unsupported-version' },
      },
    );
  return members;
}

/** @throws HttpError 400 */
export function toAsked(members: Members): Asked {
  const { params = [], as, values: sent = {}, valuesAs, timeout = 0 } = members;
  if (!Array.isArray(params)) return refuse('params is a list of parameters.');
  const values = valuesAs === undefined ? sent : read(sent, valuesAs, 'valuesAs does not fit the values');
  if (!isMembers(values)) return refuse('values is an object.');
  if (typeof timeout !== 'number' || !Number.isInteger(timeout) || timeout < 0) return refuse('timeout is milliseconds, 0 for none.');
  return { params, as, values, timeoutMs: timeout };
}

/** Parameters as the client had them. @throws HttpError 400 for hints that do not fit */
export function argsOf({ params, as }: Asked, resolve?: Resolve): readonly unknown[] {
  return read(params, as, 'as does not fit the parameters', resolve) as readonly unknown[];
}

/** @throws HttpError 400 */
function read(json: unknown, as: unknown, misfit: string, resolve?: Resolve): unknown {
  try {
    return fromWire(json, as, resolve);
  } catch (error) {
    if (error instanceof TypeError) return refuse(`${misfit}: ${error.message}.`);
    throw error;
  }
}

export const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

function refuse(message: string): never {
  throw new HttpError(400, message);
}

/** JSON of others. @throws HttpError 400 */
export function parse(text: string, what: string): unknown {
  if (isNestedDeeper(text, NESTING_MAX)) return refuse(`${what} is nested deeper than ${NESTING_MAX} levels.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new HttpError(400, `${what} is not JSON: ${(cause as Error).message}`, { cause });
  }
  // The name may be written with escapes.
  if ((text.includes('__proto__') || text.includes('\\u')) && hasProto(value))
    return refuse(`${what} has a member __proto__, which is no name for one.`);
  return value;
}

/** Bounded by the nesting that is taken. */
function hasProto(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProto);
}
