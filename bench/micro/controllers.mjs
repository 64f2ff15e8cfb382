/**
 * Starts with 500 controllers and what rests then: the same classes under NestJS (on Express) and `fulmar/controllers`.
 *   node bench/micro/controllers.mjs [--node <program>] [--rounds <n>] [--count <controllers>]
 * Each start is a process of its own, in turns; medians. Each controller has four routes and a service of its own, which
 * is injected. Nest's packages are those of `bench/contestants/nest-express`, which `npm run bench` installs.
 *
 * CPU time of the process until it listens, wall time from its start until the first reply, RSS two seconds later.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';

const { values } = parseArgs({
  options: {
    node: { type: 'string', default: process.execPath },
    rounds: { type: 'string', default: '7' },
    count: { type: 'string', default: '500' },
  },
});
const nest = fileURLToPath(new URL('../contestants/nest-express/package.json', import.meta.url));
const root = fileURLToPath(new URL('../../package.json', import.meta.url));
if (!existsSync(fileURLToPath(new URL('../contestants/nest-express/node_modules', import.meta.url)))) {
  throw new Error('The packages of bench/contestants/nest-express are not installed: run npm ci in it.');
}
const REST_MS = 2000;

const program = `
const [side, count, from] = process.argv.slice(1);
const load = require('node:module').createRequire(from);
const n = side === 'nest' ? { ...load('@nestjs/common'), ...load('@nestjs/core') } : load('fulmar/controllers');
const controllers = [];
const providers = [];
for (let at = 0; at < Number(count); at += 1) {
  class Service { find(id) { return { at, id }; } }
  n.Injectable()(Service);
  class Controller { constructor(service) { this.service = service; } }
  const methods = { list() { return []; }, one(id) { return this.service.find(id); }, add(body) { return body; }, remove(id) { return id; } };
  const put = (name, ...decorators) => {
    const descriptor = { configurable: true, writable: true, value: methods[name] };
    Object.defineProperty(Controller.prototype, name, descriptor);
    for (const decorator of decorators) decorator(Controller.prototype, name, descriptor);
  };
  put('list', n.Get());
  put('one', n.Get(':id'));
  put('add', n.Post());
  put('remove', n.Delete(':id'));
  n.Param('id')(Controller.prototype, 'one', 0);
  n.Body()(Controller.prototype, 'add', 0);
  n.Param('id')(Controller.prototype, 'remove', 0);
  n.Inject(Service)(Controller, undefined, 0);
  n.Controller('things' + at)(Controller);
  controllers.push(Controller);
  providers.push(Service);
}
class App {}
n.Module({ controllers, providers })(App);
n.NestFactory.create(App, { logger: false }).then(async (app) => {
  await app.listen(0, '127.0.0.1');
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ port: app.getHttpServer().address().port, cpuMs: (user + system) / 1000 }));
});
`;

const rssKb = (pid) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);

async function measure(side) {
  const from = side === 'nest' ? nest : root;
  const started = performance.now();
  const child = spawn(values.node, ['-e', program, side, values.count, from], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const { port, cpuMs } = JSON.parse(line);
    const reply = await fetch(`http://127.0.0.1:${port}/things${Number(values.count) - 1}/7`);
    const body = await reply.json();
    if (body.id !== '7') throw new Error(`${side} answered ${JSON.stringify(body)}`);
    const wallMs = performance.now() - started;
    await wait(REST_MS);
    return { cpuMs, wallMs, rssMb: rssKb(child.pid) / 1024 };
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
const sides = { ours: [], nest: [] };
createRequire(root).resolve('fulmar/controllers');
for (let round = 0; round < Number(values.rounds); round += 1) {
  for (const [side, found] of Object.entries(sides)) found.push(await measure(side));
}
for (const key of ['cpuMs', 'wallMs', 'rssMb']) {
  const [ours, other] = [sides.ours, sides.nest].map((found) => median(found.map((one) => one[key])));
  console.log(
    `${key.padEnd(7)} fulmar ${ours.toFixed(1).padStart(7)}   nest ${other.toFixed(1).padStart(7)}   ratio ${(ours / other).toFixed(2)}`,
  );
}
