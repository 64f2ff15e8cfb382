/** Our side of a suite, in a native child that has all its cases and runs them when asked, by number. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Outcome } from '../../parity/harness/case.ts';
import { sharedEnvironment } from '../../parity/harness/shared-state.ts';
import type { Remote } from '../../parity/harness/suite.ts';
import { folder } from '../harness/bundle.ts';
import { Conversation } from '../harness/conversation.ts';
import { LOOKUP, nativeHost, root } from '../harness/host.ts';
import { exceptionFor, suiteName } from './exceptions.ts';

const ALIVE_MS = 60_000;
let serial = 0;

/** A child that runs `text`, with `plan` and the port to ask at in front of it. */
export function converseWith(text: string, plan: Readonly<Record<string, unknown>>): Conversation {
  const host = nativeHost();
  return new Conversation({
    host: { ...host, env: { ...host.env, ...sharedEnvironment() } },
    cwd: root,
    file: (port) => {
      const path = join(folder(), `suite-${process.pid}-${(serial += 1)}.cjs`);
      const told = JSON.stringify({ ...plan, port });
      writeFileSync(path, `Object.defineProperty(globalThis, 'plan', { value: { ...${told}, lookup: ${LOOKUP} } });\n${text}`);
      return path;
    },
  });
}

/** What a case shows whose child has nothing to say. */
export function lostOutcome(reason: string): Outcome {
  return { replies: [], records: [], console: [], uncaught: [], setup: `the native child gives no outcome: ${reason}` };
}

/** The cases of one suite on the QuickJS host; the child is started by the first question. */
export class NativeRemote implements Remote {
  readonly #flavour: string | undefined;
  readonly #open: () => Promise<Conversation>;
  #conversation: Promise<Conversation> | undefined;
  #count = 0;
  #file = '';

  constructor(flavour: string | undefined, open: () => Promise<Conversation>) {
    this.#flavour = flavour;
    this.#open = open;
  }

  /** The file whose cases are announced next. */
  enter(file: string): void {
    this.#file = file;
  }

  add(): number {
    return this.#count++;
  }

  exception(name: string): string | undefined {
    return exceptionFor(suiteName(this.#file, this.#flavour), name);
  }

  async outcomeOf(index: number): Promise<Outcome> {
    // Neither the bundler nor the child keeps this process alive.
    const alive = setInterval(() => undefined, ALIVE_MS);
    try {
      this.#conversation ??= this.#open();
      const came = await (await this.#conversation).ask({ index });
      return 'lost' in came ? lostOutcome(came.lost) : (came.answer as Outcome);
    } finally {
      clearInterval(alive);
    }
  }
}
