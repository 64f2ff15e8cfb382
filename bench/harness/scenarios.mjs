// Reads `scenarios/*.json` and makes the files that servers and checks need. Never talks to a server.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchDir } from './runtimes.mjs';

const scenariosDir = join(benchDir, 'scenarios');
const defaultVariants = [{ connections: 64 }];

/** All scenarios by name in the order of measurement. */
export function loadScenarios(folder = scenariosDir) {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length));
  const scenarios = names.map((name) => readScenario(folder, name));
  return new Map(scenarios.toSorted((a, b) => rank(a.name) - rank(b.name) || a.name.localeCompare(b.name)).map((s) => [s.name, s]));
}

const order = ['hello-text', 'hello-json', 'path-query', 'post-json', 'chain-3', 'chain-5', 'routes'];
const rank = (name) => (order.includes(name) ? order.indexOf(name) : order.length);

function readScenario(folder, name) {
  const file = join(folder, `${name}.json`);
  const read = JSON.parse(readFileSync(file, 'utf8'));
  if (typeof read.title !== 'string' || !Array.isArray(read.requests) || read.requests.length === 0) {
    throw new Error(`${file}: expected "title", a text, and "requests", a list that is not empty`);
  }
  return { env: {}, needs: [], also: [], variants: defaultVariants, ...read, name };
}

const kibibyte = 1024;
const listItems = 494;

/** A folder with `10k.txt`, `1m.txt` and `data.json` (58 KB), removed by `remove()`. */
export function makeFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-suite-'));
  const line = 'Fulmar serves this line of text.';
  writeFileSync(join(folder, '10k.txt'), line.repeat((10 * kibibyte) / line.length));
  writeFileSync(join(folder, '1m.txt'), line.repeat((kibibyte * kibibyte) / line.length));
  writeFileSync(join(folder, 'data.json'), JSON.stringify(Array.from({ length: listItems }, (_, index) => listItem(index))));
  return {
    folder,
    env: { STATIC_DIR: folder, DATA_FILE: join(folder, 'data.json') },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Varied enough that compression has work to do; the list is 58 KB long. */
function listItem(index) {
  const code = (index * 2_654_435_761) % 2 ** 32;
  return {
    id: index + 1,
    sku: code.toString(16).padStart(8, '0'),
    name: `Item ${(code % 9973) + 1} of series ${index % 17}`,
    price: (code % 100_000) / 100,
    stock: code % 211,
    tags: [`t${code % 31}`, `t${code % 37}`],
    active: index % 3 !== 0,
  };
}
