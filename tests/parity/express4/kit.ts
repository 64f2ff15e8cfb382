/**
 * What Express 4 has and Express 5 has not, typed for calls with any arguments. Stands beside the kit of
 * Express 5.
 */
import type { ErrorHandler, Handler, Res } from '../harness/express-api.ts';

type Call = (...values: readonly unknown[]) => unknown;

/** A layer of a router's stack as tools read it. */
export interface Layer4 {
  name: string;
  handle: { name: string; length: number; stack?: Layer4[] };
  regexp: RegExp & { fast_star: boolean; fast_slash: boolean };
  keys: unknown;
  params: unknown;
  path: unknown;
  method?: string;
  route?: Route4;
}

export interface Route4 {
  path: unknown;
  methods: Record<string, boolean>;
  stack: Layer4[];
}

export interface Router4 {
  stack: Layer4[];
  params: Record<string, unknown[]>;
  _params: unknown[];
}

/** Members of Express 4's objects, and forms of calls, that the types of Express 5 do not have. */
export interface Version4 {
  send: Call;
  json: Call;
  jsonp: Call;
  status: Call;
  sendStatus: Call;
  sendfile: Call;
  sendFile: Call;
  download: Call;
  redirect: Call;
  location: Call;
  vary: Call;
  type: Call;
  set: Call;
  format: Call;
  cookie: Call;
  clearCookie: Call;
  attachment: Call;
  links: Call;
  append: Call;
  param: Call;
  acceptsEncoding: Call;
  acceptsCharset: Call;
  acceptsLanguage: Call;
  del: Call;
  all: Call;
  get: Call;
  head: Call;
  use: Call;
  route: Call;
  lazyrouter: Call;
  handle: Call;
  defaultConfiguration: Call;
  init: Call;
  process_params: Call;
  query: Call;
  _router: Router4 | undefined;
}

/** An app, request, reply, router or module as what it is in Express 4. */
export const v4 = (value: unknown): Version4 => value as Version4;

/** A layer without what differs from run to run: its name, pattern, keys, flags, and the layers inside. */
export function layerShape(layer: Layer4): unknown {
  const { name, regexp, keys, method, params, path, route, handle } = layer;
  const flags = regexp === undefined ? undefined : [String(regexp), regexp.fast_star, regexp.fast_slash];
  const inner = route === undefined ? undefined : { path: route.path, methods: route.methods, stack: route.stack.map(layerShape) };
  const below = handle.stack?.map(layerShape);
  return { own: Object.keys(layer).sort(), name, flags, keys, method, params, path, arity: handle.length, inner, below };
}

/** Answers with everything routing left on the request, without JSON's loss of `undefined`. */
export const where: Handler = (req, res) => {
  res.json({ url: req.url, base: req.baseUrl, original: req.originalUrl, path: req.path, params: Object.entries(req.params) });
};

/** The last handlers of a case: nothing found, or an error, as short text. */
export const notFound: Handler = (_req, res) => void res.status(404).end('none');
export const failed: ErrorHandler = (error, _req, res, _next) => {
  res.status(error?.status ?? 500).end(`failed: ${String(error)}`);
};

/** A value in the name of a case. */
export const text = (value: unknown): string => {
  if (Buffer.isBuffer(value)) return `Buffer ${value.toString()}`;
  return typeof value === 'string' || (typeof value === 'object' && value !== null) ? JSON.stringify(value) : String(value);
};

/** Ends a reply that the call under test has not ended, without fields that promise other content. */
export function finish(res: Res): void {
  if (res.writableEnded) return;
  if (res.headersSent) return void res.end();
  for (const name of ['Content-Length', 'ETag', 'Content-Type']) res.removeHeader(name);
  res.statusCode = 500;
  res.end('not sent');
}
