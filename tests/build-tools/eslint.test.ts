/** `fulmar-compiler/eslint` by ESLint's own RuleTester, with the parser that people have. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import * as parser from '@typescript-eslint/parser';
import { ESLint, RuleTester } from 'eslint';
import * as fulmar from 'fulmar-compiler/eslint';
import { createProject } from './project.ts';

RuleTester.describe = describe;
RuleTester.it = it;

const project = createProject({
  'src/bird.ts': 'export interface Bird { name: string; more: unknown }\nexport interface Nest { eggs: number }\n',
  'src/money.ts': `import { codec } from 'fulmar/types';
export class Money { constructor(readonly cents: number) {} plus() { return this; } }
codec('Money', Money, { encode: ({ cents }) => cents, decode: (cents: number) => new Money(cents) });
`,
});
after(() => project.remove());

const tester = new RuleTester({ languageOptions: { parser } });
const filename = project.path('src/main.ts');
const rpcHead = "import { query, rpc } from 'fulmar/rpc';\nimport type { Bird, Nest } from './bird';\n";
const appHead =
  "import { createApp } from 'fulmar';\nimport { schema } from 'fulmar/types';\nimport type { Bird, Nest } from './bird';\nconst app = createApp();\n";
const open = (message: string, line: number, column: number): object => ({ message, line, column });

tester.run('typed-routes', fulmar.rules['typed-routes'], {
  valid: [
    { filename, code: `${rpcHead}export const api = rpc({ get: query((c, id: number, nest?: Nest) => id) });` },
    {
      filename,
      code: `${rpcHead}export const api = rpc({ put: query((c, one: File, more: Blob[], days: AsyncIterable<Date>, last?: File) => 1) });`,
    },
    { filename, code: `${rpcHead}export const api = rpc({ get: query({ params: [{ type: 'number' }] }, (c, id: any) => id) });` },
    { filename, code: `${appHead}app.post('/a', { body: schema<Nest>() }, (c) => c.body.eggs);\napp.get('/b', (c) => c.query);` },
    {
      filename,
      code: `${rpcHead}export const api = rpc({ add: (c, photo: File, more?: Blob, numbers?: AsyncIterable<number>) => 1, all: query((c, ...of: File[]) => 1) });`,
    },
    {
      filename,
      code: `import { rpc } from 'fulmar/rpc';\nimport { Money } from './money';\nexport const api = rpc({ pay: (c, money: Money) => 1 });`,
    },
    { filename, code: `import { route } from 'fulmar/types';\nexport const a = route<{ body: { a: string }; response: any }>();` },
    { filename, code: 'const app = { body: { json: () => 1 } };\nexport const a = app.body.json();' },
    { filename: project.path('src/main.js'), code: 'export const a = 1;' },
    { filename: 'relative.ts', code: `${rpcHead}export const api = rpc({ get: query((c, id: any) => id) });` },
  ],
  invalid: [
    {
      filename,
      code: `${rpcHead}export const api = rpc({ birds: { get: query((c, id: any) => id), save: (c, bird: Bird) => 1 } });`,
      errors: [
        open('The parameter id of birds.get has any or unknown in it, of which nothing is checked. Name its type.', 3, 50),
        open('The parameter bird of birds.save has any or unknown in it, of which nothing is checked. Name its type.', 3, 77),
      ],
    },
    {
      filename,
      code: `${rpcHead}export const api = rpc({ watch: query((c, done: { told: () => void }) => 1) });`,
      errors: [open('The parameter done of watch cannot be checked: done.told is a function, which cannot be sent.', 3, 43)],
    },
    {
      filename,
      code: `${rpcHead}export const api = rpc({ put: query((c, birds: AsyncIterable<Bird>) => 1) });`,
      errors: [open('The parameter birds of put has any or unknown in it, of which nothing is checked. Name its type.', 3, 41)],
    },
    {
      filename,
      code: `${appHead}app.post('/a', { body: schema<Bird>() }, (c) => c.body.name);`,
      errors: [open('schema<Bird>() has any or unknown in it, of which nothing is checked. Name its type.', 5, 24)],
    },
    {
      filename,
      code: `${rpcHead}export const api = rpc({ sum: query((c, of: AsyncIterable<Bird>) => 1) });`,
      errors: [open('The parameter of of sum has any or unknown in it, of which nothing is checked. Name its type.', 3, 41)],
    },
    {
      filename,
      code: `import { route } from 'fulmar/types';\nexport const a = route<{ query: { a: any } }>();`,
      errors: [open('route<{ query: { a: any } }>() has any or unknown in it, of which nothing is checked. Name its type.', 2, 18)],
    },
    {
      filename,
      code: `${appHead}app.post('/a', async (c) => (await c.body.json<Nest>()).eggs);`,
      errors: [
        open(
          'This content is whatever a client sends, and no schema says what it may be. Give the route the type of its body: route<{ body: … }>().',
          5,
          36,
        ),
      ],
    },
  ],
});

const unreachable = (member: string, before: string, column: number): object =>
  open(`No value reaches ${member}: ${before} before it takes all that fits it. Put it first, or leave it out.`, 1, column);

tester.run('no-unreachable-union', fulmar.rules['no-unreachable-union'], {
  valid: [
    "import { Money } from './money';\nexport type A = Money | { cents: number };",
    "export type A = 'a' | 'b' | number | null | undefined;",
    'export type A = { a: string; b: number } | { a: string };',
    "export type A = { kind: 'a'; x?: string } | { kind: 'b' };",
    // A value of the second may have any `b`.
    'export type A = { a: string; b?: number } | { a: string };',
    'export type A = ((x: string) => void) | (() => void) | Promise<string>;',
    'export type A<T> = T | string | Partial<T>;',
    "import type { Email, MinLength, UnknownKeys } from 'fulmar/types';\nexport type A = Email | string;\nexport type B = (string & MinLength<3>) | (string & MinLength<2>);\nexport type C = ({ a: Email } & UnknownKeys<'reject'>) | { a: string };",
    'export interface Tree { left: Tree | Leaf }\nexport interface Leaf { leaf: string }',
  ].map((code) => ({ filename, code })),
  invalid: [
    { code: "export type A = string | 'a';", errors: [unreachable("'a'", 'string', 26)] },
    {
      code: 'export type A = number | 1 | string | `a${number}`;',
      errors: [unreachable('1', 'number', 26), unreachable('`a${number}`', 'string', 39)],
    },
    {
      code: 'export type A = { a: string } | { a: string; b: number };',
      errors: [unreachable('{ a: string; b: number }', '{ a: string }', 33)],
    },
    { code: "export type A = { a?: string }[] | { a: 'x' | 'y' }[];", errors: [unreachable("{ a: 'x' | 'y' }[]", '{ a?: string }[]', 36)] },
    { code: "import type { Email } from 'fulmar/types'; export type A = string | Email;", errors: [unreachable('Email', 'string', 69)] },
    {
      code: 'export type A = unknown | Date; export type B = Date | Date;',
      errors: [unreachable('Date', 'unknown', 27), unreachable('Date', 'Date', 56)],
    },
    {
      code: "export function f(x: import('./bird').Nest | { eggs: 1 | 2; warm: boolean }) { return x; }",
      errors: [unreachable('{ eggs: 1 | 2; warm: boolean }', "import('./bird').Nest", 46)],
    },
  ].map((one) => ({ filename, ...one })),
});

describe('the recommended configuration', () => {
  it('has both rules, in ESLint as it is run', async () => {
    project.write('src/api.ts', `${rpcHead}export const api = rpc({ get: query((c, id: any) => id) });\nexport type A = string | 'a';\n`);
    const eslint = new ESLint({
      cwd: project.folder,
      overrideConfigFile: true,
      overrideConfig: [{ files: ['**/*.ts'], languageOptions: { parser } }, fulmar.configs.recommended],
    });
    const [result] = await eslint.lintFiles(['src/api.ts']);
    assert.deepEqual(
      result?.messages.map(({ ruleId, line }) => [ruleId, line]),
      [
        ['fulmar/typed-routes', 3],
        ['fulmar/no-unreachable-union', 4],
      ],
    );
  });
});
