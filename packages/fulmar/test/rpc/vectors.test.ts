/** The protocol as `docs/reference/rpc-vectors.json` has it: what comes of each request, over every way in. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { runInThisContext } from 'node:vm';
import { createApp } from '../../src/app/index.ts';
import { BINARY_TYPE } from '../../src/shape/binary/form.ts';
import { fromBinary, toBinary } from '../../src/shape/binary/values.ts';
import { fromWire, toWire } from '../../src/shape/wire-hints.ts';
import { type AppCase, defineCases } from '../app/case.ts';
import { makeApi } from './api.ts';

interface Vectors {
  readonly values: readonly {
    readonly name: string;
    readonly value: string;
    readonly json: unknown;
    readonly as?: unknown;
    readonly bytes: string;
  }[];
  readonly binary: readonly {
    readonly name: string;
    readonly method: string;
    readonly url: string;
    readonly accept?: string;
    readonly content?: unknown;
    readonly bytes?: string;
    readonly status: number;
    readonly reply?: unknown;
    readonly 'reply-bytes'?: string;
    readonly type?: string;
  }[];
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
const { values, requests, binary } = JSON.parse(readFileSync(file, 'utf8')) as Vectors;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

for (const { name, value: source, json, as, bytes } of values) {
  test(`${name} goes through bytes and comes back`, () => {
    const value: unknown = runInThisContext(`(${source})`);
    assert.equal(hex(toBinary(value)), bytes);
    assert.equal(inspect(fromBinary(Buffer.from(bytes, 'hex'))), inspect(value));
  });

  test(`${name} goes through JSON and comes back`, () => {
    // The texts are those of the repository's own file.
    const value: unknown = runInThisContext(`(${source})`);
    const wire = JSON.parse(JSON.stringify(toWire(value))) as { json: unknown; as?: unknown };
    assert.deepEqual(wire, as === undefined ? { json } : { json, as });
    // Invalid dates equal none.
    assert.equal(inspect(fromWire(wire.json, wire.as)), inspect(value));
  });
}

for (const one of binary) {
  test(`the binary form: ${one.name}`, async () => {
    const app = createApp();
    app.mount('/api', makeApi());
    const body = one.bytes === undefined ? JSON.stringify(one.content) : Buffer.from(one.bytes, 'hex');
    const response = await app.fetch(
      new Request(`http://localhost/api${one.url}`, {
        method: one.method,
        headers: {
          ...(one.accept === undefined ? {} : { Accept: one.accept }),
          ...(body === undefined ? {} : { 'Content-Type': one.bytes === undefined ? 'application/json' : BINARY_TYPE }),
        },
        body: body ?? null,
      }),
    );
    const content = new Uint8Array(await response.arrayBuffer());
    assert.equal(response.status, one.status);
    assert.equal(response.headers.get('content-type'), 'reply-bytes' in one ? BINARY_TYPE : 'application/json; charset=utf-8');
    if ('reply-bytes' in one) return assert.equal(hex(content), one['reply-bytes']);
    const reply = JSON.parse(new TextDecoder().decode(content)) as { error?: { type: string } };
    if (one.type !== undefined) assert.equal(reply.error?.type, one.type);
    else assert.deepEqual(reply, one.reply);
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
