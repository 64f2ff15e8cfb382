/**
 * One run of a published server: started by one runner on one Node, its conversation played through the
 * recorder, then ended.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client } from '../../e2e/support/client.ts';
import type { Mask } from '../../e2e/support/transcript.ts';
import { freePort } from '../../../packages/cli/src/free-port.ts';
import { hasEngine, residentMiB, runCommand, start, stop } from './process.ts';
import type { Start, Started } from './process.ts';
import { Recorder } from './recorder.ts';
import type { Place, Published, Talk } from './server.ts';
import { exchangeText, noteText, withoutRefusals, withoutTiming } from './transcript.ts';
import type { Step } from './transcript.ts';
import { readExchanges } from './wire.ts';

const FULMAR = process.env['FULMAR_TEST_BIN'] ?? fileURLToPath(new URL('../../../packages/fulmar/bin/fulmar.cjs', import.meta.url));
/** Long enough for what servers still do after their first answer; memory is looked at then. */
const IDLE_MS = 1_500;
/** A conversation that takes longer hangs. */
const TALK_MS_MAX = 100_000;
/** A reply that its client has not read to the end may still be on the wire. */
const SETTLE_MS = 30;

/** `register`: the very command of `node`, with `--import fulmar/register`. */
export type Runner = 'node' | 'fulmar' | 'register';

export interface Played {
  readonly steps: readonly Step[];
  readonly startMs: number;
  readonly idleMiB: number;
  /** After the conversation. */
  readonly usedMiB: number;
  readonly engine: boolean | undefined;
  /** Did it end by itself on SIGTERM? */
  readonly isEnded: boolean;
  readonly printed: string;
  /** What broke the conversation off. */
  readonly failure: string | undefined;
}

export interface Side {
  readonly runner: Runner;
  readonly node: string;
  /** `postgres://…` of an empty database. */
  readonly database?: string;
  /** The whole conversation; `false` for what the sample of `npm test` has time for. */
  readonly isThorough: boolean;
}

const OPTIONS: Readonly<Record<Runner, readonly string[]>> = {
  node: [],
  fulmar: [FULMAR, 'run'],
  register: ['--import', 'fulmar/register'],
};

function startOf(server: Published, place: Place, runner: Runner): Pick<Start, 'command' | 'env'> {
  const byEnvironment = runner === 'register' && server.isCommand === true;
  const options = byEnvironment ? [] : OPTIONS[runner];
  return {
    command: [place.node, ...options, join(place.folder, server.entry), ...(server.args?.(place) ?? [])],
    env: { PORT: String(place.port), ...server.env?.(place), ...(byEnvironment && { NODE_OPTIONS: OPTIONS.register.join(' ') }) },
  };
}

export const folderOf = ({ name, folder = name }: Published): string => fileURLToPath(new URL(`../${folder}/`, import.meta.url));

export async function play(server: Published, side: Side): Promise<Played> {
  const port = await freePort();
  const recorder = await Recorder.open(port);
  const place = await makePlace(server, side, port, recorder.port);
  await server.prepare?.(place);
  const begin = { ...startOf(server, place, side.runner), cwd: place.work, port, ready: server.ready ?? '/' };
  try {
    const started = await start(begin);
    try {
      return await converse({ server, place, recorder, started, isThorough: side.isThorough });
    } finally {
      await stop(started.child);
    }
  } finally {
    recorder.close();
  }
}

async function makePlace(server: Published, side: Side, port: number, front: number): Promise<Place> {
  const folder = folderOf(server);
  // The same path for each run: paths are part of what servers say.
  const work = join(folder, '.run');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  if (side.runner === 'register') installInto(work);
  if (existsSync(join(folder, 'app'))) cpSync(join(folder, 'app'), work, { recursive: true, preserveTimestamps: true });
  return { folder, work, port, url: `http://127.0.0.1:${front}`, node: side.node, database: side.database ?? '' };
}

/** Where Node looks for what `--import` names: as `npm install fulmar` has it. */
function installInto(work: string): void {
  mkdirSync(join(work, 'node_modules'));
  symlinkSync(dirname(dirname(FULMAR)), join(work, 'node_modules', 'fulmar'));
}

interface Conversation {
  readonly server: Published;
  readonly place: Place;
  readonly recorder: Recorder;
  readonly started: Started;
  readonly isThorough: boolean;
}

async function converse({ server, place, recorder, started, isThorough }: Conversation): Promise<Played> {
  if (isThorough) await pause(IDLE_MS);
  const idleMiB = residentMiB(started.child);
  const engine = hasEngine(started.child);
  const log = new StepLog(recorder, place, server);
  let failure: string | undefined;
  const closers: (() => unknown)[] = [];
  try {
    await inTime(server.talk(talkOf({ place, recorder, log, closers, isThorough })));
  } catch (error) {
    failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  for (const close of closers.toReversed()) await close();
  await pause(SETTLE_MS);
  const steps = log.end();
  const usedMiB = residentMiB(started.child);
  const isEnded = await stop(started.child);
  return { steps, startMs: started.startMs, idleMiB, usedMiB, engine, isEnded, printed: started.printed(), failure };
}

/** Rejects when a client waits for what does not come. */
async function inTime(talk: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the conversation takes longer than ${TALK_MS_MAX} ms`)), TALK_MS_MAX);
  });
  await Promise.race([talk, late]).finally(() => clearTimeout(timer));
}

interface Ground {
  readonly place: Place;
  readonly recorder: Recorder;
  readonly log: StepLog;
  readonly closers: (() => unknown)[];
  readonly isThorough: boolean;
}

function talkOf({ place, recorder, log, closers, isThorough }: Ground): Talk {
  const client = new Client(recorder.port);
  closers.push(() => client.close());
  const require = createRequire(join(place.folder, 'package.json'));
  return {
    ...place,
    isThorough,
    client,
    note: (value) => log.note(value),
    after: (close) => void closers.push(close),
    step: async (name) => {
      await pause(SETTLE_MS);
      log.begin(name);
    },
    load: async <T>(name: string): Promise<T> => (await import(pathToFileURL(require.resolve(name)).href)) as T,
    run: (command, args, options) => runCommand(command, args, { cwd: place.work, ...options }),
  };
}

/**
 * Cuts what the recorder has into steps, by how many requests of each connection a step has seen the
 * beginning of.
 */
class StepLog {
  readonly #recorder: Recorder;
  readonly #server: Published;
  readonly #steps: Step[] = [];
  readonly #seen: number[] = [];
  readonly #masks: readonly Mask[];
  #name = 'start';
  #notes: string[] = [];

  constructor(recorder: Recorder, place: Place, server: Published) {
    this.#recorder = recorder;
    // Both have five digits, so that lengths are the same.
    this.#masks = [...(server.masks ?? []), { pattern: new RegExp(`\\b(?:${place.port}|${recorder.port})\\b`, 'g'), by: '<port>' }];
    this.#server = server;
  }

  note(value: unknown): void {
    this.#notes.push(noteText(value, this.#masks));
  }

  begin(name: string): void {
    this.#cut();
    this.#name = name;
  }

  end(): readonly Step[] {
    this.#cut();
    return this.#steps;
  }

  #cut(): void {
    const texts = this.#recorder.recorded().flatMap((recorded, index) => {
      const all = readExchanges(recorded);
      const fresh = all.slice(this.#seen[index] ?? 0);
      this.#seen[index] = all.length;
      return fresh.map((one) => exchangeText(one, this.#masks));
    });
    const replies = withoutTiming(withoutRefusals(texts, this.#server.refused), this.#server.timed);
    if (replies.length + this.#notes.length > 0) this.#steps.push({ name: this.#name, replies: replies.toSorted(), notes: this.#notes });
    this.#notes = [];
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Versions of what is installed. */
export function versionOf(server: Published): string {
  const file = join(folderOf(server), 'node_modules', server.shown, 'package.json');
  return (createRequire(file)(file) as { version: string }).version;
}

/** All servers, by the name of their folder: what its `server.ts` exports. */
export async function findServers(): Promise<readonly Published[]> {
  const here = fileURLToPath(new URL('../', import.meta.url));
  const names = readdirSync(here).filter((name) => name !== 'support' && existsSync(join(here, name, 'server.ts')));
  const loaded = names.map((name) => import(pathToFileURL(join(here, name, 'server.ts')).href) as Promise<Record<string, Published>>);
  return (await Promise.all(loaded)).flatMap((module) => Object.values(module));
}
