// docs/guide/deploy.md: each Dockerfile is carried out, the unit and the manifest are read, and what they start is asked and ended.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { DRAIN_TIMEOUT_MS_DEFAULT } from '../../packages/fulmar/src/cli/settings.ts';
import { nodeBinary } from '../e2e/cli/support.ts';
import { freePort } from '../../packages/fulmar/src/cli/free-port.ts';
import { buildImage, type Machine } from './dockerfile.ts';
import { packed } from '../packages/support/packed.ts';
import { readGuide, writeFiles } from './parse.ts';

const guide = readGuide('deploy.md');
/** A process must listen, and a drained one must have ended, within this. */
const PATIENCE_MS = 20_000;

const home = realpathSync(mkdtempSync(join(tmpdir(), 'fulmar-deploy-')));
const context = join(home, 'hello');
const machine: Machine = { path: join(home, 'bin'), node: nodeBinary };
const running = new Set<ChildProcess>();

interface Program {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Service {
  readonly child: ChildProcess;
  readonly url: string;
  readonly ended: Promise<unknown[]>;
}

before(() => {
  mkdirSync(context);
  mkdirSync(machine.path);
  symlinkSync(nodeBinary, join(machine.path, 'node'));
  writeFiles(guide, context);
  mkdirSync(join(context, 'vendor'));
  for (const tarball of packed().tarballs.values()) copyFileSync(tarball, join(context, 'vendor', basename(tarball)));
  execFileSync('sh', ['-ec', guide.command('install')], { cwd: context, stdio: 'pipe' });
});

after(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

describe('docs/guide/deploy.md', () => {
  for (const name of ['Dockerfile', 'Dockerfile.built', 'Dockerfile.native']) {
    it(`${name}: the container answers, and ends without losing a request`, { timeout: 240_000 }, async () => {
      const image = buildImage(guide.file(name), context, machine);
      assert.deepEqual(image.exposed, [3000]);
      assert.notEqual(image.user, 'root');
      await answersAndDrains(image);
    });
  }

  it('gives Kubernetes more time than the drain takes', () => {
    const deployment = parse(guide.file('deployment.yaml')) as Deployment;
    const { spec } = deployment.spec.template;
    const [container] = spec.containers;
    assert.ok(container !== undefined);
    assert.ok(spec.terminationGracePeriodSeconds > container.lifecycle.preStop.sleep.seconds + DRAIN_TIMEOUT_MS_DEFAULT / 1000);
    assert.deepEqual(deployment.spec.selector.matchLabels, deployment.spec.template.metadata.labels);
    assert.ok(guide.file('server.js').includes(`'${container.readinessProbe.httpGet.path}'`));
    assert.equal(container.readinessProbe.httpGet.port, container.ports[0]?.containerPort);
  });

  it('has a unit that systemd understands', (test) => {
    if (spawnSync('systemd-analyze', ['--version']).status !== 0) return test.skip('systemd-analyze is not installed');
    const unit = guide.file('hello.service').replaceAll('/usr/bin/node', process.execPath).replace('/srv/hello', context);
    const folder = mkdtempSync(join(home, 'unit-'));
    writeFiles({ files: new Map([['hello.service', unit]]) }, folder);
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', join(folder, 'hello.service')], { encoding: 'utf8' });
    const own = stderr.split('\n').filter((line) => line.includes('hello.service'));
    assert.deepEqual({ status, own }, { status: 0, own: [] }, stderr);
  });

  it('starts workers by the unit, which a reload renews without a gap and a stop drains', { timeout: 60_000 }, async () => {
    const [, line = ''] = /^ExecStart=\/usr\/bin\/node (.*)$/m.exec(guide.file('hello.service')) ?? [];
    assert.match(guide.file('hello.service'), /^ExecReload=\/bin\/kill -HUP \$MAINPID$/m);
    const service = await start({ command: [nodeBinary, ...line.split(' ')], cwd: context, env: { NODE_ENV: 'production' } });
    const workers = workersOf(service.child);
    assert.equal(workers.length, 2);
    const slow = await fetch(`${service.url}/slow`);
    service.child.kill('SIGHUP');
    const deadline = Date.now() + PATIENCE_MS;
    while (workersOf(service.child).some((pid) => workers.includes(pid))) {
      assert.ok(Date.now() < deadline, 'workers are not renewed');
      assert.equal((await fetch(service.url, { headers: { connection: 'close' } })).status, 200);
    }
    assert.equal(await slow.text(), 'working, done');
    await drains(service);
  });
});

interface Deployment {
  spec: {
    selector: { matchLabels: object };
    template: {
      metadata: { labels: object };
      spec: {
        terminationGracePeriodSeconds: number;
        containers: {
          ports: { containerPort: number }[];
          readinessProbe: { httpGet: { path: string; port: number } };
          lifecycle: { preStop: { sleep: { seconds: number } } };
        }[];
      };
    };
  };
}

const workersOf = ({ pid }: ChildProcess): string[] =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/);

/** Starts it as a container runtime does: no shell between, nothing of this process's options. */
async function start({ command, cwd, env }: Program): Promise<Service> {
  const port = await freePort();
  const [program = '', ...args] = command;
  const { PATH = '', HOME = '' } = process.env;
  const own = { PATH: `${machine.path}:${PATH}`, HOME, PORT: String(port), ...env };
  const child = spawn(program, args, { cwd, env: own, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'close').finally(() => running.delete(child));
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await isReady(url))) {
    assert.ok(
      child.exitCode === null && child.signalCode === null && Date.now() < deadline,
      `${command.join(' ')} does not listen\n${output}`,
    );
    await sleep(50);
  }
  return { child, url, ended };
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/ready`)).ok;
  } catch {
    return false;
  }
}

async function answersAndDrains(program: Program): Promise<void> {
  const service = await start(program);
  assert.deepEqual(await (await fetch(service.url)).json(), { hello: 'world' });
  await drains(service);
}

/** A reply that has begun at SIGTERM is completed; then the process ends with 0. */
async function drains({ child, url, ended }: Service): Promise<void> {
  const slow = await fetch(`${url}/slow`);
  child.kill('SIGTERM');
  assert.equal(await slow.text(), 'working, done');
  const slowest = sleep(PATIENCE_MS, 'still there', { ref: false });
  assert.deepEqual(await Promise.race([ended, slowest]), [0, null]);
  await assert.rejects(fetch(url));
}
