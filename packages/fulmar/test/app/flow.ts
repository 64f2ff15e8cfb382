/**
 * Several requests of one client that keeps its cookies, each with what must come: over a socket, through
 * `inject` and through `fetch`, with an app of its own each time.
 */
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { type App, type AppOptions, createApp } from '../../src/app/index.ts';
import { type AppCase, type Asked, check, toAsked, type Way, ways } from './case.ts';
import { serverOf } from './server.ts';

export interface FlowStep {
  readonly ask: Asked | string;
  readonly expect: AppCase['expect'];
  /** What is done with the client's cookies before it asks. */
  readonly before?: (jar: Map<string, string>) => void | Promise<void>;
}

export interface Flow {
  readonly name: string;
  readonly options?: AppOptions;
  readonly app: (app: App) => void;
  readonly steps: readonly FlowStep[];
}

/** Cookies by name, as they were set, without their attributes; one that has ended is gone. */
export class Jar extends Map<string, string> {
  take(lines: string | undefined): void {
    for (const line of (lines ?? '').split(/, (?=[^ ;,=]+=)/)) {
      const [pair = '', ...attributes] = line.split('; ');
      const at = pair.indexOf('=');
      if (at < 0) continue;
      if (attributes.includes('Max-Age=0')) this.delete(pair.slice(0, at));
      else this.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }

  header(): Readonly<Record<string, string>> {
    return this.size === 0 ? {} : { Cookie: [...this].map(([name, value]) => `${name}=${value}`).join('; ') };
  }
}

export function defineFlows(title: string, flows: readonly Flow[]): void {
  describe(title, () => {
    for (const flow of flows) {
      describe(flow.name, () => {
        for (const way of Object.keys(ways) as Way[]) it(way, () => play(flow, way));
      });
    }
  });
}

async function play({ options, app: define, steps }: Flow, way: Way): Promise<void> {
  const app = createApp({ logger: { error: () => {} }, ...options });
  define(app);
  const port = way === 'socket' ? ((await serverOf(app)).address() as AddressInfo).port : 0;
  try {
    const jar = new Jar();
    for (const { ask, expect, before } of steps) {
      await before?.(jar);
      const asked = toAsked(ask);
      const came = await ways[way](app, { ...asked, headers: { ...jar.header(), ...asked.headers } }, port);
      check(came, expect);
      jar.take(came.headers['set-cookie']);
    }
  } finally {
    await app.close();
  }
}
