/**
 * Counts instructions and allocations of the engine's Rust code under valgrind's callgrind: the same figure
 * on every run. The measured programs are Cargo examples (`budget_http1`, `budget_turn`); what surrounds
 * their measured function is not collected.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { cargoBuild } from '../../../scripts/lib/addon.mjs';
import { capture, Failure, firstLine } from '../../../scripts/lib/run.mjs';

const rounds = 1000;
/** `per`: by what the count is divided, so that a turn with 16 requests is told per request. */
const cases = [
  { subject: 'http1.head-hello', program: 'budget_http1', argument: 'head-hello', per: 1 },
  { subject: 'http1.head-browser', program: 'budget_http1', argument: 'head-browser', per: 1 },
  { subject: 'http1.reply', program: 'budget_http1', argument: 'reply', per: 1 },
  { subject: 'engine.turn-1', program: 'budget_turn', argument: '1', per: 1 },
  { subject: 'engine.turn-16', program: 'budget_turn', argument: '16', per: 16 },
];
/** Collecting starts and ends at these functions; `examples/budget_*.rs` have them. */
const measured = '*::measured_*';
const allocators = new Set(['malloc', 'calloc', 'realloc', 'posix_memalign', 'aligned_alloc']);

/** The gate of everything that callgrind counts. */
export function instructionsGate() {
  return {
    name: 'callgrind',
    ids: cases.flatMap(({ subject }) => [`${subject}.instructions`, `${subject}.mallocs`]),
    toolchain: toolchain(),
    unavailable: unavailable(),
    measure,
  };
}

/** Why nothing can be counted here; undefined where it can. */
export function unavailable() {
  if (firstLine('valgrind', ['--version']) !== undefined) return undefined;
  return process.platform === 'linux' ? 'valgrind is not installed: apt-get install -y valgrind' : `no valgrind on ${process.platform}`;
}

/**
 * What the counts depend on besides our code: the compiler, and the variants of memory functions that the
 * machine selects.
 */
export function toolchain() {
  const rustc = firstLine('rustc', ['--version'])?.split(' ')[1] ?? 'unknown';
  const glibc = process.platform === 'linux' ? process.report.getReport().header.glibcVersionRuntime : undefined;
  const vectors = hasAvx2() ? ' avx2' : '';
  return `rustc ${rustc}, ${process.arch}${vectors}, ${glibc === undefined ? 'no glibc' : `glibc ${glibc}`}`;
}

function hasAvx2() {
  try {
    return /^flags\s*:.*\bavx2\b/m.test(readFileSync('/proc/cpuinfo', 'utf8'));
  } catch {
    return false;
  }
}

async function measure() {
  const files = await buildPrograms();
  const values = new Map();
  for (const { subject, program, argument, per } of cases) {
    const { instructions, mallocs } = await count(files.get(program), [argument, String(rounds)]);
    values.set(`${subject}.instructions`, round(instructions / rounds / per));
    values.set(`${subject}.mallocs`, round(mallocs / rounds / per));
  }
  return values;
}

/** Builds the measured programs as the addon is built; returns their files by name. */
export async function buildPrograms() {
  const names = [...new Set(cases.map(({ program }) => program))];
  const built = await cargoBuild(['-p', 'fulmar-http1', '-p', 'fulmar-engine', ...names.flatMap((name) => ['--example', name])]);
  return new Map(
    names.map((name) => {
      const file = built.find(({ target, executable }) => target.name === name && executable)?.executable;
      if (file === undefined) throw new Failure(`cargo built no ${name}`);
      return [name, file];
    }),
  );
}

const round = (value) => Math.round(value * 10) / 10;

/** Runs `program` under callgrind; returns what was counted within `within`. */
export async function count(program, args, within = measured) {
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-budget-'));
  const file = join(folder, 'callgrind.out');
  try {
    const options = ['--tool=callgrind', `--toggle-collect=${within}`, `--callgrind-out-file=${file}`];
    const { code, output } = await capture('valgrind', [...options, program, ...args]);
    if (code !== 0) throw new Failure(`valgrind ended with ${code}:\n${output}`);
    const result = readCounts(readFileSync(file, 'utf8'));
    if (!(result.instructions > 0)) throw new Failure(`nothing was collected within ${within} of ${program}`);
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Reads callgrind's format: functions are numbered at their first mention, each `calls=` line belongs to the
 * `cfn=` above it.
 */
export function readCounts(text) {
  const instructions = Number(/^(?:summary|totals): (\d+)/m.exec(text)?.[1] ?? 0);
  const names = new Map();
  let callee = '';
  let mallocs = 0;
  for (const line of text.split('\n')) {
    const named = /^(c?)fn=\((\d+)\)(?: (.+))?$/.exec(line);
    if (named !== null) {
      const [, isCallee, id, name] = named;
      if (name !== undefined) names.set(id, name);
      if (isCallee !== '') callee = names.get(id) ?? '';
    } else if (line.startsWith('calls=') && allocators.has(callee)) {
      mallocs += Number(/^calls=(\d+)/.exec(line)[1]);
    }
  }
  return { instructions, mallocs };
}
