/**
 * What is wrong, what is slow and what is worth knowing, each with what to do. Pure functions over the
 * report.
 */
import { basename } from 'node:path';
import { LATE } from './ask.ts';
import type { PackageFound } from './imports.ts';
import { describeEffects, costOf, whyOf } from './effects.ts';
import { knownIncompatibilities, matchesVersion } from './known-incompatibilities.ts';
import type { HandlerReport, Report } from './report.ts';

export type Severity = 'problem' | 'slow' | 'note';

export interface Finding {
  /**
   * `problem`: the application does not do what it does on Node. `slow`: it could be faster. `note`: worth
   * knowing.
   */
  readonly severity: Severity;
  readonly code: string;
  readonly what: string;
  /** What to do, or why it is so. */
  readonly advice: string;
}

export interface FindingInput extends Omit<Report, 'findings'> {
  readonly packages: readonly PackageFound[];
  readonly end: string | undefined;
}

const order: readonly Severity[] = ['problem', 'slow', 'note'];

export function findFaults(input: FindingInput): Finding[] {
  const found = [
    ...findEnd(input),
    ...findFailedRequests(input),
    ...findIncompatibilities(input),
    ...findImports(input),
    ...findGuests(input),
    ...findServers(input),
    ...findApplications(input),
    ...findSlowHandlers(input),
    ...findSignals(input),
    ...findPrivateReads(input),
  ];
  const unique = new Map(found.map((finding) => [finding.what, finding]));
  return [...unique.values()].toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
}

function* findEnd({ end, requests }: FindingInput): Generator<Finding> {
  if (end === undefined) return;
  const last = requests.findLast(({ error }) => error !== null);
  const during = last === undefined ? '' : ` for ${last.method} ${last.path}`;
  yield { severity: 'problem', code: 'ended', what: `The application ended while it was asked${during}`, advice: end };
}

function* findFailedRequests({ requests, end }: FindingInput): Generator<Finding> {
  for (const { method, path, error } of end === undefined ? requests : []) {
    if (error === null) continue;
    if (error === LATE) {
      const what = `${method} ${path} gave no complete reply in time`;
      yield { severity: 'note', code: 'late', what, advice: 'A long poll, or it waits for something, as a database that is not there' };
      continue;
    }
    const advice = 'See whether it answers on Node: node in place of fulmar run. If it does, this is a fault of Fulmar; please report it';
    yield { severity: 'problem', code: 'no-reply', what: `${method} ${path} got no reply: ${error}`, advice };
  }
  const failing = requests.filter(({ status }) => status !== null && status >= 500);
  if (failing.length > 0) {
    const what = `${failing.map(({ method, path, status }) => `${method} ${path} (${status})`).join(', ')}: a server error`;
    yield { severity: 'note', code: 'server-error', what, advice: 'Often something the application needs is missing, as a database' };
  }
}

function* findGuests({ guests }: FindingInput): Generator<Finding> {
  for (const { language, problem } of guests) {
    if (problem === null) continue;
    yield {
      severity: 'problem',
      code: 'guest-unavailable',
      what: `Calls of ${language} fail here: it is not available`,
      advice: problem.replace(/\.$/, '').replace(/^there /, 'There '),
    };
  }
}

function* findIncompatibilities({ packages }: FindingInput): Generator<Finding> {
  for (const { name, version } of packages) {
    for (const known of knownIncompatibilities) {
      if (!known.packages.includes(name) || !matchesVersion(version, known.versions)) continue;
      const what = `${name} ${version ?? ''}: ${known.happens}`;
      yield { severity: known.severity, code: 'known-incompatibility', what, advice: known.advice };
    }
  }
}

function* findImports({ imports }: FindingInput): Generator<Finding> {
  const isReplaced = (folder: string): boolean => imports.aliased.some(({ found }) => found?.folder === folder);
  const deep = new Map<string, { readonly name: string; readonly specifiers: string[] }>();
  for (const { specifier, found, importers, reason } of imports.kept) {
    const who = importers.join(', ');
    if (found === null) continue;
    if (specifier === found.name) {
      const what = `${found.name} ${found.version ?? ''} is not replaced (imported by ${who})`;
      yield { severity: 'slow', code: 'not-aliased', what, advice: reason };
    } else if (isReplaced(found.folder) && !specifier.endsWith('package.json')) {
      const known = deep.get(who) ?? { name: found.name, specifiers: [] };
      known.specifiers.push(specifier);
      deep.set(who, known);
    }
  }
  for (const [who, { name, specifiers }] of deep) {
    const what = `${who} imports ${specifiers.join(', ')} of npm’s ${name}, while ${name} itself leads to Fulmar`;
    const advice = `What is read or patched there has no effect on the application. Use the public members of ${name}, or run with --no-alias`;
    yield { severity: 'problem', code: 'deep-import', what, advice };
  }
}

function* findServers({ servers, engine }: FindingInput): Generator<Finding> {
  if (!engine.isLoaded) {
    const advice =
      'No server of it is made with an http module that leads to Fulmar: a bundled copy, TLS, HTTP/2, or a server of a native addon';
    yield {
      severity: 'slow',
      code: 'engine-unused',
      what: 'The engine was not loaded: nothing of this application runs on Fulmar',
      advice,
    };
  }
  for (const { host, kind, process, hasOwnClasses, application, listeners } of servers) {
    if (host === 'Node' && kind !== 'tcp') {
      const inThread = process === 'worker thread';
      const what = `A ${kind} server${inThread ? ' in a worker thread' : ''} is Node’s own`;
      const advice = inThread
        ? 'Worker threads see Node’s own modules; use processes instead: fulmar run --workers'
        : 'TLS and HTTP/2 stay with Node; behind a proxy that ends them, listen with http';
      yield { severity: 'note', code: 'node-server', what, advice };
    }
    if (host === 'Fulmar' && application === null) continue;
    const count = listeners.find(({ event }) => event === 'request')?.names.length ?? 0;
    if (host === 'Fulmar' && !hasOwnClasses && count > 0) {
      const advice =
        'Requests are made with the application’s own classes only where it alone is the request listener: http.createServer(app), or app.listen()';
      yield { severity: 'slow', code: 'prototypes-replaced', what: 'Prototypes are replaced for each request', advice };
    }
  }
}

function* findApplications({ applications }: FindingInput): Generator<Finding> {
  for (const { exposedStacks, settings, routes, framework, implementation } of applications) {
    for (const path of exposedStacks) {
      const what = `Something has read the stack of the router at ${path}`;
      const advice =
        'It is compared with what was compiled for each request from then on, since its reader may change it; little for short stacks';
      yield { severity: 'note', code: 'stack-exposed', what, advice };
    }
    for (const setting of settings) {
      const advice = 'Only weak tags are made by the engine over the bytes it sends; others are computed in JavaScript';
      yield { severity: 'slow', code: 'setting', what: `The setting ${setting}`, advice };
    }
    if (framework === 'Express' && implementation === 'npm') {
      const what = 'An Express application is routed by npm’s code';
      const advice =
        'It comes from a copy that is not loaded as the package express: another version, a link to a folder of another name, or a bundle';
      yield { severity: 'slow', code: 'npm-runs', what, advice };
    }
    const tested = routes.filter(({ matching }) => matching.way === 'tested');
    if (framework === 'Express' && implementation === 'Fulmar' && tested.length > 0) {
      const what = `${tested.length} of ${routes.length} routes are tested one by one: ${tested.map(({ path }) => path).join(', ')}`;
      const advice =
        'Their regular expressions run for every path that gets as far as them; plain text and whole-segment parameters are found in a tree';
      yield { severity: 'note', code: 'routes-tested', what, advice };
    }
  }
}

function* findSlowHandlers({ applications, servers }: FindingInput): Generator<Finding> {
  const middleware = applications.flatMap((application) => application.middleware);
  for (const handler of middleware) yield* findSlowHandler(handler, handler.kind);
  // What streams its replies on a route of its own is meant to.
  for (const { handlers } of [...applications.flatMap(({ routes }) => routes), ...servers]) {
    for (const handler of handlers) yield* findSlowHandler(handler, 'handler');
  }
}

function* findSlowHandler(handler: HandlerReport, kind: string): Generator<Finding> {
  const slow = handler.effects.filter((effect) => costOf(effect) === 'slow' && effect.code !== 'reply-streamed');
  const [first] = slow;
  if (first === undefined) return;
  const what = `${titleOf(handler)} (${kind}) ${describeEffects(slow)}`;
  const hint = kind === 'application' ? ['Routers (express.Router()) need no other prototype than their application'] : [];
  yield { severity: 'slow', code: first.code, what, advice: [...new Set([...slow.map(whyOf), ...hint])].join('. ') };
}

function* findSignals({ signals }: FindingInput): Generator<Finding> {
  const who = new Map<string, { readonly from: string; readonly names: Set<string> }>();
  for (const { signal, name, from, place } of signals) {
    const where = place === null ? '' : ` (${basename(place.file)}:${place.line})`;
    const title = from === 'application' ? `${name}${where}` : from;
    const known = who.get(title) ?? { from, names: new Set() };
    known.names.add(signal);
    who.set(title, known);
  }
  for (const [title, { from, names }] of who) {
    const advice =
      from === 'signal-exit'
        ? 'It only watches: servers drain as if it were not there'
        : 'It is in charge when it ends the process or closes a server within a second; else servers are drained when what it has started is done';
    yield { severity: 'note', code: 'signal-listener', what: `${[...names].join(' and ')}: ${title} listens as well`, advice };
  }
}

function* findPrivateReads({ privateReads }: FindingInput): Generator<Finding> {
  const who = new Map<string, Set<string>>();
  for (const { field, from, file } of privateReads) {
    const title = from === 'application' ? basename(file) : from;
    who.set(title, (who.get(title) ?? new Set()).add(field));
  }
  for (const [title, fields] of who) {
    const what = `${title} reads ${[...fields].map((field) => `req.socket.${field}`).join(', ')}, which is Node’s own and empty here`;
    const advice =
      'The engine has the connection: there is no handle, no parser and no buffer of Node’s behind a socket of a server. See that it gets along without';
    yield { severity: 'note', code: 'private-field', what, advice };
  }
}

/** `logger of morgan`, `attachUser`, `anonymous`. */
export function titleOf({ name, from }: Pick<HandlerReport, 'name' | 'from'>): string {
  return from === 'application' || from === 'fulmar' ? name : `${name} of ${from}`;
}
