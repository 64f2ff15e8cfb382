/**
 * What the probe of `fulmar routes` writes and the command reads. Types only.
 */
import type { ListedRoute } from '../../../fulmar/src/app/registry/index.ts';

/** Why the probe has looked: a server wants to listen, nothing is left to do, the time is over, the process ends. */
export type Occasion = 'listening' | 'idle' | 'timeout' | 'exit';

export interface ProbeReport {
  readonly occasion: Occasion;
  /** Of `exit`. */
  readonly code: number;
  readonly routes: readonly ListedRoute[];
  /** A document of OpenAPI, as JSON, where it was asked for; an error's message where there is none. */
  readonly openapi?: { readonly text: string } | { readonly problem: string };
}
