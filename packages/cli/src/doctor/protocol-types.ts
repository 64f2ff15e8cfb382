/**
 * What the doctor and its probes say to each other: lines of JSON on a local socket. Types only.
 *
 * A probe is in every process of the application. It tells facts and draws no conclusions: those are the
 * command's.
 */

import type { Place } from '../../../fulmar/src/launch/function-places.ts';

export type ProcessKind = 'main' | 'cluster worker' | 'forked' | 'worker thread';

export type { Place };

/**
 * How much an effect costs each request: `slow` leaves the short way, `some` is work that could be saved,
 * `little` is nearly nothing.
 */
export type Cost = 'little' | 'some' | 'slow';

/** Something that a handler did to a request or a reply. */
export interface Effect {
  readonly code: EffectCode;
  /** Which member, event or method, where that matters. */
  readonly detail: string;
}

export type EffectCode =
  | 'response-member-replaced'
  | 'request-member-replaced'
  | 'response-prototype-changed'
  | 'request-prototype-changed'
  | 'response-listener'
  | 'request-listener'
  | 'request-stream'
  | 'request-content-streamed'
  | 'request-content-inline'
  | 'socket-made'
  | 'reply-headers-read'
  | 'request-headers-made'
  | 'reply-streamed';

/** One function that runs for requests: middleware, a route's handler, a listener. */
export interface HandlerFacts {
  /** Unique in its process, equal in processes that run the same program. */
  readonly id: string;
  readonly name: string;
  readonly place?: Place;
  /** Requests of the doctor that reached it. */
  readonly hits: number;
  readonly effects: readonly Effect[];
}

export interface RouteFacts {
  readonly methods: readonly string[];
  /** With the paths of the routers above it; `…` where one could not be found. */
  readonly path: string;
  readonly matching: Matching;
  readonly handlers: readonly HandlerFacts[];
  /** It holds parameters or a pattern: only the user knows values that work. */
  readonly needsValues: boolean;
}

/** How a layer is found for a path. */
export interface Matching {
  readonly way: 'every path' | 'tree' | 'tree, then tested' | 'tested';
  /** Why it is not the tree alone. */
  readonly reason?: string;
}

export interface MiddlewareFacts extends HandlerFacts {
  readonly kind: 'middleware' | 'error handler' | 'router' | 'application';
  readonly path: string;
  readonly matching: Matching;
}

export interface ApplicationFacts {
  readonly id: string;
  readonly framework: 'Express' | 'Koa';
  /** `Fulmar` or `npm`: whose code it is. Of Koa the command knows it from the imports. */
  readonly implementation: string;
  /** Where it is mounted in another application. */
  readonly mountPath: string;
  readonly routes: readonly RouteFacts[];
  readonly middleware: readonly MiddlewareFacts[];
  /** Routers whose `stack` the application has read or replaced. */
  readonly exposedStacks: readonly string[];
  /** Settings that keep replies off the short way. */
  readonly settings: readonly string[];
}

export interface ServerFacts {
  readonly id: string;
  readonly host: 'Fulmar' | 'Node';
  readonly kind: 'http' | 'https' | 'http2' | 'tcp';
  /** `undefined`: it listens no more. */
  readonly address: { readonly host: string; readonly port: number } | { readonly path: string } | undefined;
  readonly listeners: readonly { readonly event: string; readonly names: readonly string[] }[];
  /** The request listeners that are no application of a known framework. */
  readonly handlers: readonly HandlerFacts[];
  /** The application that is its only `request` listener. */
  readonly application?: string;
  /** Messages are made with the application's own classes, so that no prototype is replaced. */
  readonly hasOwnClasses: boolean;
}

/** One request that the doctor sent, as the process saw it. */
export interface RequestFacts {
  readonly method: string;
  readonly target: string;
  readonly server: string;
  readonly way: ReplyWay;
  readonly status: number;
  /** In the order in which they began. */
  readonly handlers: readonly { readonly id: string; readonly name: string; readonly effects: readonly Effect[] }[];
}

/** How the reply went to the engine; `none`: it has not been given in full. */
export type ReplyWay = 'packed with engine ETag' | 'packed' | 'streamed' | 'none';

/** Somebody else's listener for a signal that ends a process. */
export interface SignalListenerFacts {
  readonly signal: 'SIGTERM' | 'SIGINT';
  readonly name: string;
  readonly place?: Place;
}

/** A file reads a private field of `req.socket` that holds nothing here. */
export interface PrivateReadFacts {
  readonly field: string;
  readonly file: string;
}

export interface ProcessFacts {
  readonly kind: ProcessKind;
  readonly pid: number;
  readonly script: string;
  readonly servers: readonly ServerFacts[];
  readonly applications: readonly ApplicationFacts[];
  readonly requests: readonly RequestFacts[];
  /** Native addons of the process, the engine's among them. */
  readonly addons: readonly string[];
  readonly signals: readonly SignalListenerFacts[];
  readonly privateReads: readonly PrivateReadFacts[];
}

export type FromProbe =
  | { readonly type: 'hello'; readonly kind: ProcessKind; readonly pid: number; readonly script: string }
  | { readonly type: 'listening'; readonly server: ServerFacts }
  | { readonly type: 'facts'; readonly facts: ProcessFacts };

export type ToProbe =
  | { readonly type: 'facts' }
  /** From now on handlers are watched. */
  | { readonly type: 'watch' };
