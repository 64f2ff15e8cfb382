/**
 * docs/guide/deploy.md: each Dockerfile is carried out, the unit and the manifest are read, and what they
 * start is asked and ended.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { DRAIN_TIMEOUT_MS_DEFAULT } from '../../packages/fulmar/src/launch/settings.ts';
import { nodeBinary } from '../e2e/cli/support.ts';
import { deployment, drains, guide, type Program, type Project, start, until, workersOf } from './deployment.ts';
import { buildImage } from './dockerfile.ts';
import { writeFiles } from './parse.ts';

const project = deployment();
const { context, home, machine } = project;

describe('docs/guide/deploy.md', () => {
  for (const name of ['Dockerfile', 'Dockerfile.built', 'Dockerfile.native']) {
    it(`${name}: the container answers, and ends without losing a request`, { timeout: 240_000 }, async () => {
      const image = buildImage(guide.file(name), context, machine);
      assert.deepEqual(image.exposed, [3000]);
      assert.notEqual(image.user, 'root');
      await answersAndDrains(project, image);
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
    const service = await start(project, { command: [nodeBinary, ...line.split(' ')], cwd: context, env: { NODE_ENV: 'production' } });
    const workers = workersOf(service.child);
    assert.equal(workers.length, 2);
    const slow = await fetch(`${service.url}/slow`);
    service.child.kill('SIGHUP');
    await until('workers are renewed', async () => {
      assert.equal((await fetch(service.url, { headers: { connection: 'close' } })).status, 200);
      return !workersOf(service.child).some((pid) => workers.includes(pid));
    });
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

async function answersAndDrains(project: Project, program: Program): Promise<void> {
  const service = await start(project, program);
  assert.deepEqual(await (await fetch(service.url)).json(), { hello: 'world' });
  await drains(service);
}
