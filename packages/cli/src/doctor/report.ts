/**
 * From what the probes told to what is said: one report, which `--json` prints and the page is made of. Pure
 * functions.
 */
import { basename } from 'node:path';
import { platformTag } from '../../../fulmar/src/host/engine.ts';
import type {
  Cost,
  Effect,
  HandlerFacts,
  MiddlewareFacts,
  Place,
  ProcessFacts,
  RequestFacts,
  RouteFacts,
  ServerFacts,
  SignalListenerFacts,
} from './protocol-types.ts';
import type { Answer } from './ask.ts';
import { costOf, dearest } from './effects.ts';
import { findFaults, type Finding } from './findings.ts';
import type { GuestReport } from '../guests.ts';
import { type Imports, ownerOf } from './imports.ts';

/** A handler as it is reported. */
export interface HandlerReport {
  /** Its name, or `anonymous`. */
  readonly name: string;
  /** The package it comes from; `application`; `fulmar` for what Fulmar brings, as `express.json`. */
  readonly from: string;
  readonly place: Place | null;
  readonly requests: number;
  readonly cost: Cost;
  readonly effects: readonly Effect[];
}

export interface MiddlewareReport extends HandlerReport {
  readonly kind: MiddlewareFacts['kind'];
  readonly path: string;
  readonly matching: MiddlewareFacts['matching'];
}

export interface RouteReport {
  readonly methods: readonly string[];
  readonly path: string;
  readonly matching: RouteFacts['matching'];
  readonly handlers: readonly HandlerReport[];
}

export interface ApplicationReport {
  readonly framework: string;
  /** Whose code it is: `Fulmar` or `npm`. */
  readonly implementation: string;
  readonly mountPath: string;
  readonly routes: readonly RouteReport[];
  readonly middleware: readonly MiddlewareReport[];
  readonly exposedStacks: readonly string[];
  readonly settings: readonly string[];
}

export interface ServerReport extends Omit<ServerFacts, 'id' | 'handlers' | 'application' | 'address'> {
  readonly process: ProcessFacts['kind'];
  /** How many processes of this kind have such a server. */
  readonly processes: number;
  readonly address: NonNullable<ServerFacts['address']> | null;
  /** Index in `applications`. */
  readonly application: number | null;
  readonly handlers: readonly HandlerReport[];
}

export interface RequestReport {
  readonly method: string;
  readonly path: string;
  /** The user named it. */
  readonly isNamed: boolean;
  readonly status: number | null;
  readonly type: string;
  readonly bytes: number;
  /** `outside Fulmar`: another server answered. `unknown`: the process that answered is gone. */
  readonly way: RequestFacts['way'] | 'outside Fulmar' | 'unknown';
  /** What went wrong instead of a reply. */
  readonly error: string | null;
  /** The handlers it passed, in order. */
  readonly handlers: readonly { readonly name: string; readonly from: string; readonly effects: readonly Effect[] }[];
}

/** A listener for SIGTERM or SIGINT that is not Fulmar's. */
export interface SignalListenerReport {
  readonly signal: SignalListenerFacts['signal'];
  readonly process: ProcessFacts['kind'];
  readonly name: string;
  readonly from: string;
  readonly place: Place | null;
}

/** Somebody reads a private field of `req.socket` that holds nothing here. */
export interface PrivateReadReport {
  readonly field: string;
  readonly from: string;
  readonly file: string;
}

export interface Report {
  readonly tool: 'fulmar doctor';
  readonly schema: 1;
  readonly version: string;
  readonly node: string;
  readonly platform: string;
  readonly engine: { readonly isLoaded: boolean; readonly file: string | null };
  readonly target: { readonly file: string; readonly source: string; readonly format: string; readonly nodeEnv: string };
  readonly startMs: number;
  readonly imports: Omit<Imports, 'packages' | 'guests'> & { readonly packages: number };
  /** Other languages that the application may use. */
  readonly guests: readonly GuestReport[];
  readonly servers: readonly ServerReport[];
  readonly applications: readonly ApplicationReport[];
  readonly requests: readonly RequestReport[];
  readonly signals: readonly SignalListenerReport[];
  readonly privateReads: readonly PrivateReadReport[];
  readonly findings: readonly Finding[];
}

/** A request that was sent, with its reply or what came instead. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly isNamed: boolean;
  readonly answer: Answer | Error;
}

export interface ReportInput extends Pick<Report, 'version' | 'target' | 'startMs' | 'guests'> {
  /** Of the processes as they were before anything was sent. */
  readonly before: readonly ProcessFacts[];
  readonly after: readonly ProcessFacts[];
  readonly imports: Imports;
  readonly sent: readonly Sent[];
  /** The application ended while it was asked. */
  readonly end: string | undefined;
  readonly ownFolder: string;
}

export function toReport(input: ReportInput): Report {
  const { before, after, imports, ownFolder, end, sent: _sent, ...rest } = input;
  const groups = groupProcesses(before, after);
  const applications = groups.flatMap(({ facts, all }) => facts.applications.map((application) => ({ application, facts, all })));
  const addon = before.flatMap(({ addons }) => addons).find((file) => basename(file) === `fulmar.${platformTag()}.node`);
  const { packages, guests: _names, ...named } = imports;
  const report = {
    tool: 'fulmar doctor' as const,
    schema: 1 as const,
    ...rest,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    engine: { isLoaded: addon !== undefined, file: addon ?? null },
    imports: { ...named, packages: packages.length },
    servers: groups.flatMap((group) => toServers(group, applications, ownFolder)),
    applications: applications.map(({ application, all }): ApplicationReport => {
      const { id: _id, routes, middleware, ...others } = application;
      const isOurKoa = others.framework === 'Koa' && imports.aliased.some(({ specifier }) => specifier === 'koa');
      return {
        ...others,
        implementation: isOurKoa ? 'Fulmar' : others.implementation,
        routes: routes.map(({ needsValues: _values, handlers, ...route }) => ({
          ...route,
          handlers: handlers.map((handler) => toHandler(handler, all, ownFolder)),
        })),
        middleware: middleware.map(({ kind, path, matching, ...handler }) => ({
          ...toHandler(handler, all, ownFolder),
          kind,
          path,
          matching,
        })),
      };
    }),
    requests: toRequests(input),
    signals: groups.flatMap((group) => toSignals(group, ownFolder)),
    privateReads: toPrivateReads(after, ownFolder),
  };
  return { ...report, findings: findFaults({ ...report, packages, end }) };
}

interface Group {
  /** One process that stands for those of its kind that run the same script. */
  readonly facts: ProcessFacts;
  /** All of them, after the requests. */
  readonly all: readonly ProcessFacts[];
}

function groupProcesses(before: readonly ProcessFacts[], after: readonly ProcessFacts[]): Group[] {
  const keyOf = ({ kind, script }: ProcessFacts): string => `${kind} ${script}`;
  const useful = before.filter(({ servers, applications }) => servers.length + applications.length > 0);
  return [...new Set(useful.map(keyOf))].map((key) => {
    const facts = useful.find((one) => keyOf(one) === key) as ProcessFacts;
    return { facts, all: after.filter((one) => keyOf(one) === key) };
  });
}

function toSignals({ facts }: Group, ownFolder: string): SignalListenerReport[] {
  return facts.signals.map(({ signal, name, place }) => ({
    signal,
    process: facts.kind,
    name: name || 'anonymous',
    from: sourceOf(place, ownFolder),
    place: place ?? null,
  }));
}

function toPrivateReads(after: readonly ProcessFacts[], ownFolder: string): PrivateReadReport[] {
  const reads = after.flatMap(({ privateReads }) => privateReads).filter(({ file }) => !file.startsWith(ownFolder));
  const unique = new Map(reads.map((read) => [`${read.field} ${read.file}`, read]));
  return [...unique.values()].map(({ field, file }) => ({ field, from: ownerOf(file), file }));
}

function toServers(
  { facts, all }: Group,
  applications: readonly { facts: ProcessFacts; application: { id: string } }[],
  ownFolder: string,
): ServerReport[] {
  return facts.servers.map(({ id: _id, application, address, handlers, ...server }) => {
    const index = applications.findIndex((one) => one.facts === facts && one.application.id === application);
    return {
      ...server,
      process: facts.kind,
      processes: Math.max(1, all.length),
      address: address ?? null,
      application: index < 0 ? null : index,
      handlers: handlers.map((handler) => toHandler(handler, all, ownFolder)),
    };
  });
}

/** Adds up what all processes of the kind saw of a handler. */
function toHandler({ id, name, place, hits, effects }: HandlerFacts, all: readonly ProcessFacts[], ownFolder: string): HandlerReport {
  const same = all.flatMap(handlersOf).filter((handler) => handler.id === id);
  const seen = new Map([...effects, ...same.flatMap((handler) => handler.effects)].map((effect) => [JSON.stringify(effect), effect]));
  const merged = [...seen.values()];
  return {
    name: name || 'anonymous',
    from: sourceOf(place, ownFolder),
    place: place ?? null,
    requests: Math.max(
      hits,
      same.reduce((sum, handler) => sum + handler.hits, 0),
    ),
    cost: dearest(merged),
    effects: merged,
  };
}

function handlersOf({ applications, servers }: ProcessFacts): HandlerFacts[] {
  const ofApplications = applications.flatMap(({ routes, middleware }) => [...middleware, ...routes.flatMap(({ handlers }) => handlers)]);
  // A route with several paths is listed with each.
  return [...new Map([...ofApplications, ...servers.flatMap(({ handlers }) => handlers)].map((handler) => [handler.id, handler])).values()];
}

function sourceOf(place: Place | undefined, ownFolder: string): string {
  return place?.file.startsWith(ownFolder) ? 'fulmar' : ownerOf(place?.file);
}

function toRequests({ sent, after, ownFolder, end }: ReportInput): RequestReport[] {
  const known = after.flatMap((facts) => {
    const byId = new Map(handlersOf(facts).map((handler) => [handler.id, handler]));
    return facts.requests.map((request) => ({ request, byId }));
  });
  return sent.map(({ method, path, isNamed, answer }) => {
    const at = known.findIndex(({ request }) => request.method === method && request.target === path);
    const [seen] = at < 0 ? [] : known.splice(at, 1);
    const isError = answer instanceof Error;
    const handlers = (seen?.request.handlers ?? []).map(({ id, name, effects }) => ({
      name: name || 'anonymous',
      from: sourceOf(seen?.byId.get(id)?.place, ownFolder),
      effects,
    }));
    return {
      method,
      path,
      isNamed,
      status: isError ? null : answer.status,
      type: isError ? '' : answer.type,
      bytes: isError ? 0 : answer.bytes,
      way: seen?.request.way ?? (end === undefined ? 'outside Fulmar' : 'unknown'),
      error: isError ? answer.message : null,
      handlers,
    };
  });
}

/** Who kept a reply off the shortest way, in the order in which it happened. */
export function reasonsOf({ handlers }: RequestReport): string[] {
  const nameOf = ({ name, from }: RequestReport['handlers'][number]): string => (from === 'application' || from === 'fulmar' ? name : from);
  const slow = handlers.map((handler) => ({
    title: nameOf(handler),
    effects: handler.effects.filter((effect) => costOf(effect) === 'slow'),
  }));
  const behind = slow.filter(({ effects }) => effects.some(({ code }) => code !== 'reply-streamed')).map(({ title }) => title);
  // Behind a replaced end() it cannot be told whose pieces they are.
  const isMixed = slow.some(({ effects }) => effects.some(({ code, detail }) => code === 'response-member-replaced' && detail === 'end'));
  const streaming = isMixed
    ? []
    : slow.filter(({ effects }) => effects.some(({ code }) => code === 'reply-streamed')).map(({ title }) => title);
  return [
    ...(streaming.length === 0 ? [] : [`by ${[...new Set(streaming)].join(', ')}`]),
    ...(behind.length === 0 ? [] : [`through ${[...new Set(behind)].join(', ')}`]),
  ];
}
