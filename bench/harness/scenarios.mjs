/** Reads `scenarios/*.json` and makes the files that servers and checks need. Never talks to a server. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listItem, order, pageOf, summaryOf } from './documents.mjs';
import { benchDir } from './runtimes.mjs';

const scenariosDir = join(benchDir, 'scenarios');
const defaultVariants = [{ connections: 64 }];

/** All scenarios by name in the order of measurement. */
export function loadScenarios(folder = scenariosDir) {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length));
  const scenarios = names.map((name) => readScenario(folder, name));
  for (const { name, beside } of scenarios) {
    if (beside !== undefined && (beside === name || !names.includes(beside))) {
      throw new Error(`${join(folder, `${name}.json`)}: "beside" is the name of another scenario, and ${JSON.stringify(beside)} is none`);
    }
  }
  return new Map(scenarios.toSorted((a, b) => rank(a.name) - rank(b.name) || a.name.localeCompare(b.name)).map((s) => [s.name, s]));
}

const first = ['hello-text', 'hello-json', 'path-query', 'post-json', 'chain-3', 'chain-5', 'routes'];
const rank = (name) => (first.includes(name) ? first.indexOf(name) : first.length);

function readScenario(folder, name) {
  const file = join(folder, `${name}.json`);
  const read = JSON.parse(readFileSync(file, 'utf8'));
  if (typeof read.title !== 'string' || !Array.isArray(read.requests) || read.requests.length === 0) {
    throw new Error(`${file}: expected "title", a text, and "requests", a list that is not empty`);
  }
  return { env: {}, needs: [], also: [], variants: defaultVariants, ...read, name };
}

/**
 * The scenario as a contestant with a protocol of its own is asked it: the same values, with what its protocol puts
 * around them (`wire` of its `contestant.json`), and the statuses that it refuses input with.
 */
export function onWire({ wire }, scenario) {
  const around = wire?.[scenario.name];
  if (around === undefined) return scenario;
  const { content, reply, refused } = around;
  const within = ([before, behind], text) => (text === undefined ? {} : { body: before + text + behind });
  const asked = (item) => ({ ...item, ...within(content, item.body) });
  return {
    ...scenario,
    requests: scenario.requests.map((item) => ({ ...asked(item), expect: { ...item.expect, ...within(reply, item.expect.body) } })),
    also: scenario.also.map((item) => ({ ...asked(item), expect: { ...item.expect, status: refused } })),
  };
}

const kibibyte = 1024;
const listItems = 494;
const orders = 598;
const rows = 300;

/**
 * A folder with `10k.txt`, `1m.txt`, `data.json` (58 KB), `orders.json` (100 KB) and what must be made of the
 * last two, removed by `remove()`.
 */
export function makeFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-suite-'));
  const write = (name, text) => writeFileSync(join(folder, name), text);
  const line = 'Fulmar serves this line of text.';
  write('10k.txt', line.repeat((10 * kibibyte) / line.length));
  write('1m.txt', line.repeat((kibibyte * kibibyte) / line.length));
  const items = Array.from({ length: listItems }, (_, index) => listItem(index));
  write('data.json', JSON.stringify(items));
  write('page.html', pageOf('Stock', items.slice(0, rows)));
  const list = Array.from({ length: orders }, (_, index) => order(index));
  write('orders.json', JSON.stringify(list));
  write('orders-summary.json', JSON.stringify(summaryOf(list)));
  return {
    folder,
    env: { STATIC_DIR: folder, DATA_FILE: join(folder, 'data.json'), ORDERS_FILE: join(folder, 'orders.json') },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
