/**
 * `fulmar/client/type-errors`: parameters judged before they are sent, by the types that a server tells or that came with the program.
 * The server judges them all the same: where its types cannot be had, calls are sent as they are.
 */
import type { ShapeDocument } from '../../fulmar/src/shape/shape.ts';
import { compileShape } from '../../fulmar/src/shape/validate/compile.ts';
import { ofParameter, tooMany } from '../../fulmar/src/shape/validate/parameters.ts';
import { isReadLater } from '../../fulmar/src/shape/read-later.ts';
import { fromWire, type Special, toWire } from '../../fulmar/src/shape/wire-hints.ts';
import { wireMisfits } from '../../fulmar/src/typed/wire-misfits.ts';
import type { ClientIssue } from './client-error.ts';
import type { ApiOf, ArgsOf, ClientOptions, Maker, TreeOf } from './client-types.ts';
import { tree } from './tree.ts';

/** What `/~types` answers, fetched when it is first needed or bundled with the program. */
export interface TypesReply {
  readonly rpc: number;
  readonly value: unknown;
  readonly as?: unknown;
}

/** As many as the procedure takes, of whatever type: a draft of a form. */
type Unjudged<Args extends readonly unknown[]> = { [At in keyof Args]: unknown };

interface ErrorsMaker extends Maker {
  readonly out: (...args: Unjudged<ArgsOf<this['run']>>) => Promise<readonly ClientIssue[]>;
}

export interface TypeErrors<Api> {
  /** The option `check` of `createClient()`. */
  readonly check: NonNullable<ClientOptions['check']>;
  /** What the server would say of parameters: nothing where they fit. Rejects where its types cannot be had. */
  readonly errors: TreeOf<Api, 'query' | 'mutation', ErrorsMaker>;
}

type Source = string | URL | TypesReply | (() => TypesReply | Promise<TypesReply>);
type Judge = (args: readonly unknown[]) => readonly ClientIssue[];
type Judges = ReadonlyMap<string, Judge>;

/** @throws TypeError for what is no source of types */
export function typeErrors<App>(source: Source): TypeErrors<ApiOf<App>> {
  const read = readerOf(source);
  let reading: Promise<Judges> | undefined;
  const judges = (): Promise<Judges> => {
    if (reading !== undefined) return reading;
    const begun = read().then(judgesOf);
    reading = begun;
    // Who is offline may be online later; what is no description of types stays none.
    void begun.catch((error: unknown) => (error instanceof TypeError ? undefined : (reading = undefined)));
    return begun;
  };
  const errors = async (names: readonly string[], args: readonly unknown[]): Promise<readonly ClientIssue[]> =>
    (await judges()).get(names.join('.'))?.(args) ?? [];
  return {
    check: (names, args) => errors(names, args).catch(() => []),
    errors: tree(errors) as TypeErrors<ApiOf<App>>['errors'],
  };
}

function readerOf(source: Source): () => Promise<TypesReply> {
  if (typeof source === 'function') return async () => source();
  if (typeof source === 'string' || source instanceof URL) return () => fetchTypes(String(source));
  if (typeof source === 'object' && source !== null && 'value' in source) return async () => source;
  throw new TypeError(
    `typeErrors() takes the URL of /~types, what it answers, or a function that gives that, and this is ${source === null ? 'null' : typeof source}.`,
  );
}

async function fetchTypes(url: string): Promise<TypesReply> {
  let response: Response;
  try {
    response = await fetch(url);
  } catch (cause) {
    throw new Error(`The types of the server could not be asked for at ${url}.`, { cause });
  }
  if (response.status >= 500) throw new Error(`The types of the server could not be asked for at ${url}: the reply is ${response.status}.`);
  if (!response.ok) throw new TypeError(`${url} is ${response.status}: the server tells its types with rpc(api, { types: true }).`);
  try {
    return (await response.json()) as TypesReply;
  } catch (cause) {
    throw new TypeError(`${url} gives no JSON: it is the URL of the API with /~types behind it.`, { cause });
  }
}

/** @throws TypeError for what describes no types, or those of another version */
function judgesOf(reply: TypesReply): Judges {
  const { rpc, value, as } = (reply ?? {}) as Partial<TypesReply>;
  if (rpc !== 1 || typeof value !== 'object' || value === null)
    throw new TypeError('This is no description of types: { "rpc": 1, "value": … }, as /~types answers it.');
  const all = Object.entries(fromWire(JSON.parse(JSON.stringify(value)), as) as Readonly<Record<string, Described>>);
  return new Map(all.map(([name, described]) => [name, judgeOf(described)]));
}

type Described = { readonly all?: ShapeDocument; readonly each?: readonly (ShapeDocument | null)[] };

function judgeOf({ all, each }: Described): Judge {
  if (all !== undefined) return (args) => asSent(args, (given) => wireMisfits(all, given));
  let checks: ((value: unknown) => readonly ClientIssue[])[] | undefined;
  return (args) =>
    asSent(args, (given) => {
      checks ??= (each ?? []).map((one) => (one === null ? () => [] : parserOf(one)));
      const found = checks.flatMap((check, at) => ofParameter(at, check(given[at])));
      return given.length > checks.length ? [tooMany(given.length, checks.length), ...found] : found;
    });
}

function parserOf(document: ShapeDocument): (value: unknown) => readonly ClientIssue[] {
  const { parse } = compileShape(document);
  return (value) => parse(value).issues ?? [];
}

/** Files and streams are judged by the server alone, and what stands beside them here as well. */
const withoutParts: Special = (value) => (isReadLater(value) ? 'undefined' : undefined);

/** What cannot be sent at all is told by the client. */
function asSent(args: readonly unknown[], judge: Judge): readonly ClientIssue[] {
  let sent: readonly unknown[];
  try {
    const { json, as } = toWire(args, withoutParts);
    sent = fromWire(json, as) as readonly unknown[];
  } catch {
    return [];
  }
  return judge(sent);
}
