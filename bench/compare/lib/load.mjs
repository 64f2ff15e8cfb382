// The load generator: wrk on its own core, one command line for all contestants, its answer read back and judged.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { loadCore } from './process.mjs';

const run = promisify(execFile);
const connections = 64;

/** Runs wrk against `port` for `durationS`; returns replies, rate, latency, bytes and the reasons that void the run. */
export async function load({ port, scenario, durationS }) {
  const args = wrkArguments({ port, scenario, durationS });
  const { stdout } = await run('taskset', args, { encoding: 'utf8' });
  return readWrk(stdout);
}

export function wrkArguments({ port, scenario, durationS }) {
  const script = scenario.content === undefined ? [] : ['-s', scriptFor(scenario)];
  return [
    '-c',
    String(loadCore),
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${durationS}s`,
    '--latency',
    ...script,
    `http://127.0.0.1:${port}${scenario.path}`,
  ];
}

const scripts = new Map();

/** wrk sends anything but a GET only through a script; this one sets the request once and runs nothing per request. */
function scriptFor({ method, content }) {
  const key = `${method} ${content}`;
  if (!scripts.has(key)) {
    const folder = mkdtempSync(join(tmpdir(), 'fulmar-compare-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'request.lua');
    const lines = [
      `wrk.method = ${JSON.stringify(method)}`,
      'wrk.headers["Content-Type"] = "application/json"',
      `wrk.body = ${JSON.stringify(content)}`,
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
    scripts.set(key, file);
  }
  return scripts.get(key);
}

const units = { us: 1e-6, ms: 1e-3, s: 1, m: 60, B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };

function readWrk(text) {
  const total = /(\d+) requests in [\d.]+\w+, ([\d.]+)([KMG]?B) read/.exec(text);
  if (total === null) throw new Error(`wrk printed no result:\n${text}`);
  const mean = /Latency\s+([\d.]+)(us|ms|s|m)\b/.exec(text);
  const p99 = /99%\s+([\d.]+)(us|ms|s|m)\b/.exec(text);
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1] ?? 0);
  const meanS = mean === null ? 0 : Number(mean[1]) * units[mean[2]];
  return {
    replies: Number(total[1]),
    bytes: Number(total[2]) * units[total[3]],
    rate,
    meanS,
    p99S: p99 === null ? 0 : Number(p99[1]) * units[p99[2]],
    littleError: Math.abs(rate * meanS - connections) / connections,
    problem: /(Non-2xx or 3xx responses: \d+|Socket errors: .*)/.exec(text)?.[1],
  };
}
