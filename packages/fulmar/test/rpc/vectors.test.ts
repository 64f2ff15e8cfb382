/** The protocol as `docs/reference/rpc-vectors.json` has it: what comes of each request, over every way in. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { runInThisContext } from 'node:vm';
import { fromWire, toWire } from '../../src/shape/wire-hints.ts';
import { type AppCase, defineCases } from '../app/case.ts';
import { makeApi } from './api.ts';

interface Vectors {
  readonly values: readonly { readonly name: string; readonly value: string; readonly json: unknown; readonly as?: unknown }[];
  readonly requests: readonly {
    readonly name: string;
    readonly method: string;
    readonly url: string;
    readonly content?: unknown;
    readonly text?: string;
    readonly contentType?: string;
    readonly status: number;
    readonly reply?: unknown;
    readonly type?: string;
    readonly 'text-reply'?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }[];
}

const file = new URL('../../../../docs/reference/rpc-vectors.json', import.meta.url);
const { values, requests } = JSON.parse(readFileSync(file, 'utf8')) as Vectors;

for (const { name, value: source, json, as } of values) {
  test(`${name} goes through JSON and comes back`, () => {
    // The texts are those of the repository's own file.
    const value: unknown = runInThisContext(`(${source})`);
    const wire = JSON.parse(JSON.stringify(toWire(value))) as { json: unknown; as?: unknown };
    assert.deepEqual(wire, as === undefined ? { json } : { json, as });
    // Invalid dates equal none.
    assert.equal(inspect(fromWire(wire.json, wire.as)), inspect(value));
  });
}

const toCase = (one: Vectors['requests'][number]): AppCase => {
  const body = one.text ?? (one.content === undefined ? undefined : JSON.stringify(one.content));
  return {
    name: one.name,
    app: (app) => app.mount('/api', makeApi()),
    ask: {
      method: one.method,
      url: `/api${one.url}`,
      headers: body === undefined ? {} : { 'Content-Type': one.contentType ?? 'application/json' },
      ...(body === undefined ? {} : { body }),
    },
    expect: {
      status: one.status,
      headers: { 'content-type': 'application/json; charset=utf-8', ...one.headers },
      ...(one.reply === undefined ? {} : { json: one.reply }),
      ...(one.type === undefined
        ? {}
        : { text: new RegExp(`^\\{"rpc":1,"error":\\{"type":"${one.type}","status":${one.status},"message":"`) }),
      ...(one['text-reply'] === undefined ? {} : { text: one['text-reply'] }),
    },
  };
};

defineCases('requests of the protocol', requests.map(toCase));
