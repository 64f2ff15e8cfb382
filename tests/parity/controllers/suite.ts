/**
 * The same application of classes under NestJS (on Express) and under `fulmar/controllers`: both listen, both get the
 * same requests, and status, field lines, content and what the application has noted are compared.
 *
 * A case is a function of a side's names, so that its source is one: `@n.Get()` is Nest's or ours.
 */
import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import * as nestCommon from '@nestjs/common';
import * as nestCore from '@nestjs/core';
import * as nestExpress from '@nestjs/platform-express';
import * as ours from 'fulmar/controllers';

/** The names that both have, with Nest's types. */
export type Side = typeof nestCommon & typeof nestCore & typeof nestExpress;
export type NestApp = nestCommon.INestApplication;

export interface Told {
  /** What happens, in order: compared. */
  note(...what: unknown[]): void;
}

export interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | object;
}

export interface ControllersCase {
  readonly name: string;
  /** A module, or with what is told to the application before it listens. */
  readonly app: (n: Side, told: Told) => unknown;
  readonly setup?: (app: NestApp, n: Side, told: Told) => void | Promise<void>;
  readonly options?: object;
  /** Paths are of GET. */
  readonly requests: readonly (string | Asked)[];
  /** Sent together, so that they are answered at the same time. */
  readonly together?: boolean;
  /** Field lines that differ, with the reason. */
  readonly masks?: Readonly<Record<string, string>>;
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** For every case, with the reason. */
const MASKS: Readonly<Record<string, string>> = {
  date: 'the time of the reply',
  'keep-alive': "seconds that a connection rests: the engine's default is its own",
};

const sides: Readonly<Record<'nest' | 'ours', Side>> = {
  nest: { ...nestCommon, ...nestCore, ...nestExpress },
  ours: ours as unknown as Side,
};

async function ask(port: number, given: string | Asked): Promise<Reply> {
  const { method = 'GET', path, headers = {}, body } = typeof given === 'string' ? { path: given } : given;
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const typed = typeof body === 'object' ? { 'content-type': 'application/json' } : {};
  const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) };
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host: '127.0.0.1', port, method, path, agent: false, headers: { ...typed, ...length, ...headers, connection: 'keep-alive' } },
      (response) => {
        const { socket } = response;
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.once('error', reject);
        response.once('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: { ...response.headers }, body: Buffer.concat(pieces).toString() });
          socket.destroy();
        });
      },
    );
    request.once('error', reject);
    request.end(text);
  });
}

interface Outcome {
  readonly replies: readonly Reply[];
  readonly notes: readonly unknown[];
  /** Of an application that does not start. */
  readonly failed: boolean;
}

async function play(side: Side, { app: define, setup, requests, options, together }: ControllersCase): Promise<Outcome> {
  const notes: unknown[] = [];
  const told: Told = { note: (...what) => void notes.push(what.length === 1 ? what[0] : what) };
  let app: NestApp;
  try {
    const module = await define(side, told);
    app = await side.NestFactory.create(module as never, { logger: false, abortOnError: false, ...options });
    await setup?.(app, side, told);
    await app.listen(0, '127.0.0.1');
  } catch (error) {
    if (process.env['SHOW_ERRORS'] !== undefined) console.error(error);
    return { replies: [], notes, failed: true };
  }
  const replies: Reply[] = [];
  try {
    const { port } = app.getHttpServer().address() as AddressInfo;
    if (together === true) replies.push(...(await Promise.all(requests.map((one) => ask(port, one)))));
    else for (const one of requests) replies.push(await ask(port, one));
  } finally {
    await app.close();
  }
  return { replies, notes, failed: false };
}

function masked({ status, headers, body }: Reply, masks: Readonly<Record<string, string>>): Reply {
  return { status, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !(name in masks))), body };
}

export function defineControllers(cases: readonly ControllersCase[]): void {
  for (const one of cases)
    test(one.name, async () => {
      const nest = await play(sides.nest, one);
      const own = await play(sides.ours, one);
      const masks = { ...MASKS, ...one.masks };
      const seen = ({ replies, ...rest }: Outcome): object => ({ ...rest, replies: replies.map((reply) => masked(reply, masks)) });
      assert.deepEqual(seen(own), seen(nest));
      // A case that tells nothing would compare nothing.
      assert.ok(nest.failed || nest.replies.length > 0 || nest.notes.length > 0);
    });
}
