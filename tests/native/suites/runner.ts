/**
 * Stands in for `node:test` in a child: collects tests and runs them one after the other, and says how each
 * ended.
 */
import { planOf, say } from '../harness/write.ts';
import type { Lookup } from '../harness/write.ts';

export interface RunnerPlan {
  readonly lookup: Lookup;
  /** Tests before this number have been run by another child. */
  readonly from: number;
}

type Body = (context: Context) => unknown;
type Hook = () => unknown;

interface Options {
  readonly skip?: boolean | string;
}

interface Suite {
  readonly name: string;
  readonly parent: Suite | undefined;
  readonly before: Hook[];
  readonly after: Hook[];
  readonly beforeEach: Hook[];
  readonly afterEach: Hook[];
  readonly entries: (Suite | Test)[];
  readonly skip: boolean;
}

interface Test {
  readonly name: string;
  readonly body: Body;
  readonly skip: boolean;
}

const newSuite = (name: string, parent: Suite | undefined, skip: boolean): Suite => ({
  name, parent, skip, before: [], after: [], beforeEach: [], afterEach: [], entries: [],
}); // prettier-ignore

const root = newSuite('', undefined, false);
let current = root;

/** What a test may use of its context. */
class Context {
  readonly #after: Hook[] = [];
  isSkipped = false;

  after(hook: Hook): void {
    this.#after.push(hook);
  }

  skip(): void {
    this.isSkipped = true;
  }

  diagnostic(): void {}

  /** There are none here: a test that asks for them is one that is skipped. */
  get mock(): never {
    this.isSkipped = true;
    throw new Error('mocks are not here');
  }

  async test(name: string, options: Options | Body, body?: Body): Promise<void> {
    const inner = new Context();
    try {
      await pick(options, body).body(inner);
    } catch (error) {
      throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    } finally {
      await inner.finish();
    }
  }

  async finish(): Promise<void> {
    for (const hook of this.#after) await hook();
  }
}

function pick(options: Options | Body | undefined, body?: Body): { readonly body: Body; readonly skip: boolean } {
  if (typeof options === 'function') return { body: options, skip: false };
  return { body: body ?? (() => undefined), skip: options?.skip !== undefined && options.skip !== false };
}

export function test(name: string, options?: Options | Body, body?: Body): Promise<void> {
  current.entries.push({ name, ...pick(options, body) });
  return Promise.resolve();
}

export const it: typeof test = test;

export function describe(name: string, options: Options | (() => void), body?: () => void): void {
  const { skip, body: run } = pick(options as Options, body as Body);
  const suite = newSuite(name, current, skip);
  current.entries.push(suite);
  current = suite;
  try {
    (run as () => void)();
  } finally {
    current = suite.parent ?? root;
  }
}

export const before = (hook: Hook): void => void current.before.push(hook);
export const after = (hook: Hook): void => void current.after.push(hook);
export const beforeEach = (hook: Hook): void => void current.beforeEach.push(hook);
export const afterEach = (hook: Hook): void => void current.afterEach.push(hook);

let index = 0;

/** Called by the entry, once the test file has been run. */
export async function runTests(): Promise<void> {
  await runSuite(root, []);
  say({ done: true });
}

async function runSuite(suite: Suite, path: readonly Suite[]): Promise<void> {
  const names = [...path, suite];
  let failed: unknown;
  try {
    if (!suite.skip) for (const hook of suite.before) await hook();
  } catch (error) {
    failed = error;
  }
  for (const entry of suite.entries) {
    if ('entries' in entry) await runSuite({ ...entry, skip: entry.skip || suite.skip }, names);
    else await runTest(entry, names, failed);
  }
  try {
    if (!suite.skip) for (const hook of suite.after) await hook();
  } catch (error) {
    say({ index: index++, name: `${nameOf(names, 'after')}`, error: describeError(error) });
  }
}

const nameOf = (suites: readonly Suite[], name: string): string =>
  [...suites.map((suite) => suite.name), name].filter((part) => part !== '').join(' › ');

async function runTest(entry: Test, suites: readonly Suite[], broken: unknown): Promise<void> {
  const number = index++;
  if (number < planOf<RunnerPlan>().from) return;
  const name = nameOf(suites, entry.name);
  if (entry.skip || suites.at(-1)?.skip === true) return say({ index: number, name, skipped: true });
  say({ index: number, name });
  const context = new Context();
  let error: unknown = broken;
  try {
    if (broken === undefined) {
      for (const suite of suites) for (const hook of suite.beforeEach) await hook();
      await entry.body(context);
    }
  } catch (thrown) {
    error = thrown ?? new Error('undefined was thrown');
  }
  try {
    await context.finish();
    for (const suite of suites) for (const hook of suite.afterEach) await hook();
  } catch (thrown) {
    error ??= thrown;
  }
  say({ index: number, name, ...(context.isSkipped ? { skipped: true } : { error: error === undefined ? null : describeError(error) }) });
}

function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ''}` : String(error);
}
