/** A server that has changed breaks the compile of its clients, where it concerns them and in words that say what has changed. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const server = `
import { mutation, query, rpc, rpcError } from 'fulmar/rpc';
export interface Bird { id: number; name: string; seen: Date }
declare const bird: Bird;
export const api = rpc({
  birds: {
    get: query((c, id: number) => (id > 0 ? bird : rpcError({ type: 'no-bird', status: 404 }))),
    save: mutation((c, given: Bird) => given.id),
  },
});
`;
const client = `
import { createClient, type CommonError } from 'fulmar/client';
import { swr } from 'fulmar/client/swr';
import { tanstack } from 'fulmar/client/tanstack';
import { typeErrors } from 'fulmar/client/type-errors';
import type { api } from './server';

const common = (error: CommonError): string => error.message;
const client = createClient<typeof api>('/api', { check: typeErrors<typeof api>('/api/~types').check });
export async function main(): Promise<string> {
  const [bird, error] = await client.query.birds.get(1);
  if (error !== undefined) return error.type === 'no-bird' ? 'none' : common(error);
  await client.orThrow.mutate.birds.save({ id: 2, name: 'auk', seen: new Date() });
  await client.pipe((api) => api.birds.get(1), (found, api) => api.birds.get(found.id));
  return bird.name + bird.seen.getTime();
}
export const kept = [tanstack(client).query.birds.get(1), swr(client).query.birds.get(1)] as const;
`;

interface Change {
  readonly name: string;
  /** In the text of the server: this becomes that. */
  readonly edit: readonly [from: string, to: string];
  /** What of it is told, of which line of the client. */
  readonly told: readonly (readonly [line: string, message: RegExp])[];
}

const GET = '.query.birds.get(1)';
const changes: readonly Change[] = [
  { name: 'nothing', edit: ['', ''], told: [] },
  { name: 'something else that is new', edit: ['save:', 'count: query((c) => 1),\n    save:'], told: [] },
  { name: 'a parameter that may be left out', edit: ['id: number) => (', 'id: number, year?: number) => ('], told: [] },
  {
    name: 'a procedure of another name',
    edit: ['get:', 'find:'],
    told: [
      [`client${GET}`, /^Property 'get' does not exist on type .*find: Procedure<"query"/],
      ['api.birds.get(1)', /^Property 'get' does not exist/],
      [`tanstack(client)${GET}`, /^Property 'get' does not exist/],
      [`swr(client)${GET}`, /^Property 'get' does not exist/],
    ],
  },
  {
    name: 'a query that changes something now',
    edit: ['get: query', 'get: mutation'],
    told: [[`client${GET}`, /^Property 'birds' does not exist/]],
  },
  {
    name: 'a parameter of another type',
    edit: ['id: number) => (id', 'id: string) => (+id'],
    told: [
      [`client${GET}`, /^Argument of type 'number' is not assignable to parameter of type 'string'\.$/],
      ['found.id', /^Argument of type .*number \| undefined.* is not assignable to parameter of type 'OrPart<string>'\.$/],
      [`tanstack(client)${GET}`, /^Argument of type 'number' is not assignable to parameter of type 'string'\.$/],
      [`swr(client)${GET}`, /^Argument of type 'number' is not assignable to parameter of type 'string'\.$/],
    ],
  },
  {
    name: 'a parameter more',
    edit: ['id: number) => (', 'id: number, year: number) => ('],
    told: [[`client${GET}`, /^Expected 2 arguments, but got 1\.$/]],
  },
  {
    name: 'a member that a parameter has to have now',
    edit: ['name: string;', 'name: string; weight: number;'],
    told: [['birds.save(', /^(?:Argument of type .* not assignable to parameter of type 'Bird'|Property 'weight' is missing)/]],
  },
  {
    name: 'a member of a result that is gone',
    edit: ['name: string;', 'species: string;'],
    told: [
      ['birds.save(', /'name' does not exist in type 'Bird'/],
      ['return bird.name', /^Property 'name' does not exist on type 'Bird'\.$/],
    ],
  },
  {
    name: 'a member of a result of another type',
    edit: ['seen: Date', 'seen: string'],
    told: [['bird.seen.getTime()', /^Property 'getTime' does not exist on type 'string'\.$/]],
  },
  {
    name: 'a result that may be nothing',
    edit: ['(id > 0 ? bird :', '(id > 1 ? bird : id > 0 ? undefined :'],
    told: [['return bird.name', /^'bird' is possibly 'undefined'\.$/]],
  },
  {
    name: 'an error that is new',
    edit: ['(id > 0 ? bird :', "(id > 0 ? bird : id < -9 ? rpcError({ type: 'extinct', data: { since: 1681 } }) :"],
    told: [['common(error)', /^Argument of type 'ClientError<"extinct", \{ since: number; \}> \| CommonError' is not assignable/]],
  },
  {
    name: 'an error that is gone',
    edit: ["rpcError({ type: 'no-bird', status: 404 })", 'bird'],
    told: [["=== 'no-bird'", /^This comparison appears to be unintentional because the types .* and '"no-bird"' have no overlap\.$/]],
  },
];

let folder = '';
/** Messages by the number of the change, each with the line of the client that it is told of. */
const messages = new Map<number, [line: string, message: string][]>();

before(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fulmar-changes-')));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(root, 'packages', 'fulmar'), join(folder, 'node_modules', 'fulmar'));
  const compilerOptions = {
    strict: true,
    module: 'preserve',
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.asynciterable'],
    noEmit: true,
    typeRoots: [join(root, 'node_modules', '@types')],
    types: ['node'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*/*.ts'] }));
  for (const [at, { edit }] of changes.entries()) {
    mkdirSync(join(folder, String(at)));
    writeFileSync(join(folder, String(at), 'server.ts'), server.replace(...edit));
    writeFileSync(join(folder, String(at), 'client.ts'), client);
  }
  const output = await new Promise<string>((resolve) => {
    const args = [join(root, 'node_modules', '.bin', 'tsc'), '-p', '.', '--pretty', 'false'];
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 24 }, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
  for (const line of output.split('\n').filter((one) => /^\S/.test(one))) {
    const [, at, number, message] = /^(\d+)\/client\.ts\((\d+),\d+\): error TS\d+: (.*)$/.exec(line) ?? [];
    if (at === undefined || message === undefined) throw new Error(`tsc says something else: ${line}`);
    const list = messages.get(Number(at)) ?? [];
    list.push([client.split('\n')[Number(number) - 1] ?? '', message]);
    messages.set(Number(at), list);
  }
});
after(() => rmSync(folder, { recursive: true, force: true }));

for (const [at, { name, edit, told }] of changes.entries()) {
  test(`${told.length === 0 ? 'takes' : 'refuses'} ${name}`, () => {
    assert.ok(server.includes(edit[0]));
    const found = messages.get(at) ?? [];
    if (told.length === 0) assert.deepEqual(found, []);
    for (const [line, message] of told)
      assert.ok(
        found.some((one) => one[0].includes(line) && message.test(one[1])),
        `${line} and ${message} are not in\n${found.map((one) => one.join('\n  ')).join('\n')}`,
      );
  });
}
