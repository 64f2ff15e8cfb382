/** What is published is loaded by every Linux since glibc 2.28, and by images without libgcc_s. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { beyond, requirementsOf } from '../../scripts/lib/elf.mjs';
import { packed, type Packed, root, tag } from './support/packed.ts';
import { newProject, removeProjects } from './support/project.ts';

const isGnu = tag.endsWith('-gnu');
let packages: Packed;
before(() => void (packages = packed()));
after(removeProjects);

function unpack(tarball: string): string {
  const folder = newProject({});
  execFileSync('tar', ['-xzf', tarball, '-C', folder]);
  return join(folder, 'package');
}

it('asks for nothing beyond glibc 2.28', { skip: !isGnu && 'there is no such floor here' }, () => {
  const [engine, native] = [packages.engine, packages.native].map(unpack) as [string, string];
  const files = [join(engine, `fulmar.${tag}.node`), join(native, `fulmar-native-${tag}`), join(native, `fulmar-load-${tag}`)];
  for (const file of files) {
    const found = requirementsOf(file);
    assert.ok(found.versions.includes('GLIBC_2.17') || found.versions.includes('GLIBC_2.2.5'), 'the reader finds versions');
    assert.deepEqual(beyond('2.28', found), [], file);
  }
});

it('names no folder of the machine it was made on', { skip: !isGnu && 'it is made as in a checkout here' }, () => {
  const [engine, native] = [packages.engine, packages.native].map(unpack) as [string, string];
  for (const file of [join(engine, `fulmar.${tag}.node`), join(native, `fulmar-native-${tag}`), join(native, `fulmar-load-${tag}`)]) {
    const bytes = readFileSync(file);
    for (const folder of [root, homedir()]) assert.equal(bytes.indexOf(join(folder, '/')), -1, `${file} names ${folder}`);
  }
});

it('is read as objdump reads it', { skip: spawnSync('objdump', ['--version']).error !== undefined && 'there is no objdump' }, () => {
  for (const file of [process.execPath, join(unpack(packages.engine), `fulmar.${tag}.node`)]) {
    const text = execFileSync('objdump', ['-p', file], { encoding: 'utf8' });
    const { libraries, versions } = requirementsOf(file);
    assert.deepEqual(
      libraries,
      [...text.matchAll(/^ +NEEDED +(\S+)$/gm)].map((match) => match[1]),
    );
    assert.deepEqual(versions.toSorted(), [...text.matchAll(/^ +0x\w+ 0x\w+ \d+ (\S+)$/gm)].map((match) => match[1]).toSorted());
    assert.ok(libraries.length > 0 && versions.length > 0);
  }
});

it('is refused where it asks for more', () => {
  const asks = {
    libraries: ['libc.so.6', 'libgcc_s.so.1', 'libm.so.6'],
    versions: ['GLIBC_2.2.5', 'GLIBC_2.28', 'GLIBC_2.29', 'GLIBC_2.30', 'GCC_3.0'],
  };
  assert.deepEqual(beyond('2.28', asks), ['libgcc_s.so.1', 'GLIBC_2.29', 'GLIBC_2.30', 'GCC_3.0']);
});
