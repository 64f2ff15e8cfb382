/**
 * What is missing, damaged or of another machine is told in one line that says what to do, with an exit code
 * that is not 0.
 */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { npm } from './support/managers.ts';
import { engineName, nativeName, packed, type Packed, root, tag, version } from './support/packed.ts';
import { type Ended, fulmar, must, newProject, plainEnv, removeProjects, runNode } from './support/project.ts';
import { type Registry, startRegistry } from './support/registry.ts';

const server = `require('http').createServer((req, res) => res.end()).listen(0, '127.0.0.1', () => { console.log('running'); process.exit(); });`;
const files = {
  'package.json': { name: 'newcomer', private: true },
  'app.cjs': server,
  'own.cjs': server.replace('http', 'fulmar/http'),
  'app.ts': `const name: string = 'types'; console.log(name);`,
  'module.ts': `import { sep, type ParsedPath } from 'node:path'; const path = (given: ParsedPath): string => given.base + sep; console.log(typeof path);`,
  'enum.ts': `enum Bird { Wren } console.log(Bird.Wren);`,
  'decorated.ts': `const seal = (value: unknown): void => {};\n@seal\nclass Nest {}\nconsole.log(Nest.name);`,
  'view.tsx': `console.log(<p/>);`,
  'broken.ts': `const name: = 1;`,
};

let packages: Packed;
let registry: Registry;
let whole = '';
let folder = '';
before(async () => {
  packages = packed();
  registry = await startRegistry(packages);
  whole = newProject(files);
  await must(npm.install(whole, ['fulmar', nativeName], registry.url));
});
after(() => {
  registry.close();
  removeProjects();
});
beforeEach(() => {
  folder = newProject({});
  cpSync(whole, folder, { recursive: true });
});

const at = (...path: string[]): string => join(folder, 'node_modules', ...path);
const engineFile = (): string => at(engineName, `fulmar.${tag}.node`);
const isModern = Number.parseInt(process.versions.node, 10) >= 23;

/** One line, of ours, and an exit code that says so. */
function assertTold({ code, signal, stdout, stderr }: Ended, expected: RegExp): void {
  assert.deepEqual([code, signal, stdout], [1, null, '']);
  assert.match(stderr, expected);
  assert.match(stderr, /^fulmar: [^\n]+\n$/);
}

/** What the process believes to be on. */
const elsewhere = (fields: object): NodeJS.ProcessEnv => {
  writeFileSync(
    join(folder, 'elsewhere.cjs'),
    `for (const [name, value] of Object.entries(${JSON.stringify(fields)})) Object.defineProperty(process, name, { value });`,
  );
  return plainEnv({ NODE_OPTIONS: `--require ${join(folder, 'elsewhere.cjs')}` });
};

describe('the engine', () => {
  it('is whole in the folder that the other tests damage', async () => {
    assert.equal(await must(fulmar(folder, ['run', 'app.cjs'])), 'running\n');
    assert.equal(await must(runNode(['own.cjs'], folder)), 'running\n');
  });

  it('is said to be left out with the optional packages, with the package to install and the way without it', async () => {
    const bare = newProject(files);
    await must(npm.install(bare, ['fulmar', '--omit=optional'], registry.url));
    const ended = await fulmar(bare, ['run', 'app.cjs']);
    assertTold(ended, new RegExp(`${engineName} is not installed.*--omit=optional.*npm install ${engineName}@${version} .*--no-alias`));
    assert.equal(await must(fulmar(bare, ['run', '--no-alias', 'app.cjs'])), 'running\n');
    const built = await fulmar(bare, ['build', 'app.cjs']);
    assertTold(
      built,
      new RegExp(`the engine cannot be built in: .*${engineName} is not installed. Run: npm install ${engineName}@${version}`),
    );
  });

  it('is compared with its size before it is loaded', async () => {
    for (const bytes of [0, 100, 4_096, Math.floor(statSync(engineFile()).size / 2), statSync(engineFile()).size - 1].toSorted(
      (a, b) => b - a,
    )) {
      truncateSync(engineFile(), bytes);
      assertTold(
        await fulmar(folder, ['run', 'app.cjs']),
        new RegExp(`is damaged: it has ${bytes} bytes and should have \\d+\\. Remove .* and install again\\. .*--no-alias`),
      );
    }
    const { code, signal, stderr } = await runNode(['own.cjs'], folder);
    assert.deepEqual([code, signal], [1, null]);
    assert.match(stderr, /Error: Fulmar's engine could not be loaded: .* is damaged: it has 0 bytes/);
    assertTold(await fulmar(folder, ['build', 'app.cjs']), /is damaged: it has 0 bytes/);
  });

  it('is told to be damaged where it or what describes it is gone, empty or nonsense', async () => {
    const manifest = at(engineName, 'package.json');
    for (const text of ['{}', '{"main":"x.node"}', '{"main":"x.node","fulmar":{"bytes":{}}}']) {
      writeFileSync(manifest, text);
      assertTold(
        await fulmar(folder, ['run', 'app.cjs']),
        /is damaged or cannot be read \(.*package\.json does not say what its package holds\)/,
      );
    }
    for (const text of ['', '[', 'null']) {
      writeFileSync(manifest, text);
      assertTold(await fulmar(folder, ['run', 'app.cjs']), /engine could not be loaded: .*(?:damaged|not installed)/);
    }
    cpSync(join(whole, 'node_modules', engineName, 'package.json'), manifest);
    rmSync(engineFile());
    assertTold(await fulmar(folder, ['run', 'app.cjs']), /is damaged or cannot be read \(ENOENT.*\)\. Remove .* and install again/);
  });

  it('of another version is not taken', async () => {
    const manifest = at(engineName, 'package.json');
    const other = readFileSync(manifest, 'utf8').replace(`"version": "${version}"`, '"version": "0.0.1"');
    writeFileSync(manifest, other);
    const told = new RegExp(`is of version 0\\.0\\.1, and this is Fulmar ${version}`);
    assertTold(await fulmar(folder, ['run', 'app.cjs']), told);
    assertTold(await fulmar(folder, ['build', 'app.cjs']), told);
    assert.match((await fulmar(folder, ['info'])).stdout, told);
  });

  it('that is whole and does not load is told with the reason of the system', async () => {
    const bytes = readFileSync(engineFile());
    bytes.fill(0, 0, 16);
    writeFileSync(engineFile(), bytes);
    assertTold(await fulmar(folder, ['run', 'app.cjs']), /\.node does not load: .*(?:ELF|invalid|file)/);
  });

  it('is told not to exist for a platform that has none', async () => {
    for (const [fields, name] of [
      [{ platform: 'win32' }, `win32-${process.arch}`],
      [{ arch: 'riscv64' }, tag.replace(process.arch, 'riscv64')],
    ] as const) {
      const { code, stdout, stderr } = await fulmar(folder, ['run', 'app.cjs'], elsewhere(fields));
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(
        stderr,
        new RegExp(
          `^fulmar: Fulmar's engine could not be loaded: there is no build of it for ${name} yet\\. There is one for ${tag}\\. .*--no-alias.*\n$`,
        ),
      );
    }
  });
});

describe('an old Node', () => {
  it('is told by the command and by the modules that an application imports', async () => {
    const env = elsewhere({ version: 'v18.20.0', versions: { ...process.versions, node: '18.20.0' } });
    assertTold(await fulmar(folder, ['run', 'app.cjs'], env), /needs Node 20\.19 or later, and this is Node 18\.20\.0/);
    const old = elsewhere({ versions: { ...process.versions, node: '18.20.0' }, getBuiltinModule: null });
    for (const name of ['http', 'express', 'express4', 'koa', 'koa2']) {
      const { code, stderr } = await runNode(['--eval', `require('fulmar/${name}')`], folder, old);
      assert.equal(code, 1);
      assert.match(
        stderr,
        new RegExp(`\nError: fulmar/${name} needs Node 20\\.19 or later, and this is Node 18\\.20\\.0\\. Install a newer one\\.\n`),
      );
    }
  });
});

describe('the native host and the load generator', () => {
  it('are asked for with the package that has them', async () => {
    rmSync(at(nativeName), { recursive: true });
    const advice = `${nativeName} is not installed\\. Run: npm install -D ${nativeName}@${version}`;
    assertTold(await fulmar(folder, ['build', '--native', 'app.cjs']), new RegExp(`an executable needs the native runtime, .*: ${advice}`));
    assertTold(await fulmar(folder, ['bench', 'app.cjs']), new RegExp(`needs the load generator, .*: ${advice}`));
  });

  it('are compared with their sizes', async () => {
    for (const name of ['native', 'load']) truncateSync(at(nativeName, `fulmar-${name}-${tag}`), 8_192);
    assertTold(await fulmar(folder, ['build', '--native', 'app.cjs']), /is damaged: it has 8192 bytes.* Remove .* and install again/);
    assertTold(await fulmar(folder, ['bench', 'app.cjs']), /is damaged: it has 8192 bytes.* Remove .* and install again/);
  });
});

describe('what cannot be written', () => {
  it('is told with the folder to name', async () => {
    symlinkSync(join(root, 'node_modules/rolldown'), at('rolldown'));
    // Below a file: Node's cache of compiled code makes folders that are missing.
    const env = plainEnv({ TMPDIR: join(folder, 'file', 'nowhere') });
    writeFileSync(join(folder, 'file'), '');
    for (const args of [
      ['build', '--native', 'app.cjs'],
      ['doctor', 'app.cjs'],
      ['bench', 'app.cjs', '--no-wait'],
    ]) {
      const { code, stderr } = await fulmar(folder, args, env);
      assert.equal(code, 1, args.join(' '));
      assert.match(stderr, /(?:^|\n)fulmar: no folder for temporary files can be made \(ENOTDIR.*\)\. Name one .*: TMPDIR=<folder>\n$/);
    }
    assertTold(await fulmar(folder, ['build', 'app.cjs', '-o', join(folder, 'file', 'built.mjs')]), /cannot write .*built\.mjs/);
  });
});

describe('packages that do not come along', () => {
  it('are asked for by `fulmar build`', async () => {
    assertTold(await fulmar(folder, ['build', 'app.cjs']), /fulmar build needs rolldown, .* Run: npm install -D "rolldown@\^\d/);
  });

  for (const version of ['1.0.0-rc.1', '1.0.0', '2.0.0-beta.1', '2.0.0']) {
    it(`are told to be of a version that Fulmar is not made for: ${version}`, async () => {
      cpSync(join(root, 'node_modules/rolldown/package.json'), at('rolldown/package.json'));
      const manifest = JSON.parse(readFileSync(at('rolldown/package.json'), 'utf8')) as Record<string, unknown>;
      writeFileSync(at('rolldown/package.json'), JSON.stringify({ ...manifest, version, exports: './index.js' }));
      writeFileSync(at('rolldown/index.js'), '');
      const told = new RegExp(`rolldown ${version} is installed, and Fulmar needs \\^\\d.*npm install -D "rolldown@`);
      assertTold(await fulmar(folder, ['build', 'app.cjs']), told);
    });
  }

  it('are told to be there in part', async () => {
    for (const [name, args] of [
      ['rolldown', ['build', 'app.cjs']],
      ['oxc-transform', ['run', 'app.ts']],
    ] as const) {
      cpSync(join(root, 'node_modules', name), at(name), { recursive: true });
      const told = new RegExp(
        `${name} \\(.*\\) does not load: Cannot find .*\\. Remove it and install it again, with its optional packages\\.`,
      );
      assertTold(await fulmar(folder, args), told);
    }
  });

  const install = /npm install -D "oxc-transform@/;
  it('are asked for where Node cannot strip types', { skip: isModern && 'this Node can' }, async () => {
    assertTold(await fulmar(folder, ['run', 'app.ts']), /to compile app\.ts, Fulmar needs oxc-transform, .*npm install -D "oxc-transform@/);
  });

  it('are done without where it can', { skip: !isModern && 'this Node cannot' }, async () => {
    for (const [file, printed] of [
      ['app.ts', 'types\n'],
      ['module.ts', 'function\n'],
    ] as const) {
      const { code, stdout, stderr } = await fulmar(folder, ['run', file]);
      assert.deepEqual([code, stdout], [0, printed]);
      assert.match(stderr, /^fulmar: types are stripped by Node: .*oxc-transform/m);
    }
  });

  it('are asked for by what is more than types', async () => {
    for (const name of ['enum.ts', 'decorated.ts', 'view.tsx']) assertTold(withoutWarnings(await fulmar(folder, ['run', name])), install);
  });

  it('do not take for a decorator what begins a line of a text or a comment', { skip: !isModern && 'this Node cannot' }, async () => {
    const css = 'const css: string = `\n@media (min-width: 1px) {}\n`;\n/*\n   @param x\n*/\nconsole.log(css.length);\n';
    const decorated = 'const seal = (c: Function): void => {};\n@seal\nclass Sealed {}\n';
    writeFileSync(join(folder, 'css.ts'), css);
    writeFileSync(join(folder, 'decorated.ts'), decorated);
    const { code, stdout } = await fulmar(folder, ['run', 'css.ts']);
    assert.deepEqual([code, stdout], [0, '28\n']);
    assertTold(await fulmar(folder, ['run', 'decorated.ts']), /more than Node can strip \(decorators\)/);
  });

  it('are no excuse for sources that are broken', { skip: !isModern && 'this Node says that it needs them' }, async () => {
    assertTold(withoutWarnings(await fulmar(folder, ['run', 'broken.ts'])), /cannot compile .*broken\.ts: /);
  });
});

/** Node calls its function that strips types experimental. */
function withoutWarnings({ stderr, ...ended }: Ended): Ended {
  return { ...ended, stderr: stderr.replaceAll(/^\(node:.*\n|^\(Use `node --trace-warnings.*\n/gm, '') };
}
