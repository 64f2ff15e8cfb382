/**
 * Raw records of a small run, made by hand so that every ratio, spread and noise floor in it can be checked
 * in one's head.
 */

/** Modules of `bench/report`, which are plain JavaScript. */
export function load(name: string): Promise<any> {
  return import(new URL(`../../bench/report/${name}`, import.meta.url).href);
}

export type Raw = Record<string, unknown>;

export const ours = 'express5@fulmar-node26';
export const base = 'express5@node26';
export const twin = `${ours}#2`;

/** A load record that is not void. */
export function loadRecord(fields: Raw): Raw {
  return {
    kind: 'load',
    scenario: 'hello-json',
    answered: 'js',
    connections: 64,
    rate: 1000,
    verified: 1000,
    errors: { total: 0 },
    latency_us: { mean: 1, p50: 1, p99: 2, p99_9: 3, max: 4 },
    little: 0.001,
    problem: null,
    ...fields,
  };
}

/** Rounds of one entrant: one record per CPU figure. */
export function rounds(entrant: string, cpus: readonly number[], fields: Raw = {}): Raw[] {
  return cpus.map((cpu_us, round) => loadRecord({ entrant, round, cpu_us, ...fields }));
}

export const run: Raw = {
  schema: 1,
  date: '2026-01-02T03:04:05.000Z',
  machine: { name: 'm', cpu: 'CPU <x>', cores: 2, memory_bytes: 8e9, kernel: 'Linux 6' },
  versions: { node26: '26.0.0', bun: '1.0.0' },
  commit: 'abc',
  command: 'npm run bench',
  plan: { name: 'full' },
  contestants: { express5: { title: 'Express 5', runtimes: ['node26'] }, elysia: { title: 'Elysia', runtimes: ['bun'] } },
  notMeasured: {},
  scenarios: { 'hello-json': { title: 'Hello, JSON', about: 'a | b' } },
  validation: null,
};

/** Ours 4 µs, Express 10 µs, the twin within 2 %, Elysia 20 % ahead. */
export const smallRun: Raw[] = [
  ...rounds(ours, [4, 4.1, 3.9, 4, 4]),
  ...rounds(base, [10, 10, 10, 10, 10]),
  ...rounds(twin, [4.04, 4.141, 3.861, 4, 4.08]),
  ...rounds('elysia@bun', [3.2, 3.28, 3.12, 3.2, 3.2]),
  ...rounds('floor@native', [2, 2, 2, 2, 2], { answered: 'native' }),
];
