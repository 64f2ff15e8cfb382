/**
 * The QuickJS host's functions are as `ops.d.ts` and `more-ops.ts` describe them: the program is asked what
 * it has, by a boot module in place of its own. Names in both directions, and how many arguments a function
 * must have at least.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nativeHost } from '../native/harness/host.ts';
import { listFiles } from './imports.ts';
import { type Member, readInterfaces } from './interfaces.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Each object with functions, by its interface (`<interface>.<member>` for a type without a name), and how
 * JavaScript gets one.
 */
const objects: Readonly<Record<string, string>> = {
  Ops: 'ops',
  'OsOps.os': 'ops.os()',
  'OsOps.tty': 'ops.tty()',
  'ChildOps.children': 'ops.children()',
  'ZlibOps.zlib': 'ops.zlib()',
  CodecHandle: 'ops.zlib().open(1, [15, 6, 8, 0])',
  FileOperations: 'ops.fs()',
  'NetOps.net': 'ops.net',
  MoreCryptoOps: 'ops.crypto()',
  HttpParser: 'ops.httpParser(false, 8192, 100)',
  TlsConnection: 'ops.tlsConnection(true)',
};
/** What JavaScript gives the program. */
const given = ['LoopHooks'];

const described = readInterfaces(
  listFiles(join(root, 'packages'), '.ts')
    .filter((file) => /\/(?:ops\.d|more-ops)\.ts$/.test(file))
    .map((file) => readFileSync(file, 'utf8')),
);

const folder = mkdtempSync(join(tmpdir(), 'fulmar-ops-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Of each object: its members' names, with the `length` of functions, which is the number of arguments that
 * Rust asks for.
 */
function askProgram(): Readonly<Record<string, Readonly<Record<string, number | null>>>> {
  const entries = Object.entries(objects).map(([name, made]) => `${JSON.stringify(name)}: ${made}`);
  writeFileSync(
    join(folder, 'boot.cjs'),
    `exports.boot = (ops) => {
      const members = (object) => Object.fromEntries(Object.entries(object).map(([name, it]) => [name, typeof it === 'function' ? it.length : null]));
      const all = { ${entries.join(', ')} };
      ops.writeSync(1, JSON.stringify(Object.fromEntries(Object.entries(all).map(([name, object]) => [name, members(object)]))));
      ops.exit(0);
    };`,
  );
  const { command, args, env } = nativeHost();
  const text = execFileSync(command, [...args, 'nothing'], { encoding: 'utf8', env: { ...env, FULMAR_NATIVE_MODULES: folder } });
  return JSON.parse(text) as ReturnType<typeof askProgram>;
}

/** `name(arguments)` of functions, `name` of values. */
const listed = (members: Readonly<Record<string, number | null>>): string[] =>
  Object.entries(members).map(([name, required]) => (required === null ? name : `${name}(${required})`));

const found = askProgram();

for (const name of Object.keys(objects)) {
  test(`${name} has the functions that are described, and no others`, () => {
    const members: Readonly<Record<string, Member>> = described.members(name);
    assert.ok(Object.keys(members).length > 0, `${name} is not described: the reader is broken`);
    const says = listed(Object.fromEntries(Object.entries(members).map(([key, { required }]) => [key, required ?? null])));
    const has = listed(found[name] ?? {});
    assert.deepEqual(
      { missing: says.filter((one) => !has.includes(one)), undescribed: has.filter((one) => !says.includes(one)) },
      { missing: [], undescribed: [] },
    );
  });
}

test('every described object with functions is compared', () => {
  const known = new Set([...Object.keys(objects), ...given, ...described.parents('Ops')]);
  assert.deepEqual(
    described.withFunctions().filter((name) => !known.has(name)),
    [],
  );
});
