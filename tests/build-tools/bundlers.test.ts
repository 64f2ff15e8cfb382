/**
 * `fulmar-compiler/unplugin` with the bundlers as they are published: what they make runs where there is nothing of
 * Node's, maps lead back to the source, and what is wrong is an error of the bundler's own.
 */
import assert from 'node:assert/strict';
import { SourceMap } from 'node:module';
import { after, describe, it } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { bundlers } from './bundlers.ts';
import { createProject } from './project.ts';

const main = `import { parse, stringify, validate } from 'fulmar/types';
import type { Bird } from './bird.ts';

export const isBird = validate<Bird>;
export const bird = parse<Bird>('{"name":"fulmar","seen":"2026-11-25T10:00:00.000Z","more":1}');
export const again = stringify<Bird>(bird);
export function fail(): never {
  throw new Error('from here');
}
`;
const bird = 'export interface Bird { name: string; seen: Date }\n';

interface Made {
  bird: object;
  isBird(value: unknown): boolean;
  again: string;
  fail(): never;
}

/** Runs a script where there is JavaScript alone, as in a browser. */
const evaluate = (code: string): Made =>
  runInContext(`${code}\n;made`, createContext({ URL, TextEncoder, TextDecoder, atob, btoa, performance })) as Made;

for (const { name, bundle, refusal } of bundlers) {
  describe(name, () => {
    const project = createProject({ 'src/main.ts': main, 'src/bird.ts': bird });
    after(() => project.remove());

    it('makes validators, encoders and decoders of types, for a browser', async () => {
      const { code } = await bundle(project.folder);
      const made = evaluate(code);
      assert.equal(made.again, '{"name":"fulmar","seen":"2026-11-25T10:00:00.000Z"}');
      assert.deepEqual([made.isBird(made.bird), made.isBird({ name: 'a' })], [true, false]);
    });

    it('has a map that leads to the source as it was written', async () => {
      const { code, map } = await bundle(project.folder);
      const lines = code.split('\n');
      const at = lines.findIndex((line) => line.includes('new Error("from here")') || line.includes("new Error('from here')"));
      const found = new SourceMap(JSON.parse(map) as never).findEntry(at, lines[at]?.indexOf('new Error') ?? 0);
      assert.ok('originalLine' in found);
      assert.match(found.originalSource, /src\/main\.ts$/);
      assert.equal(found.originalLine, 7);
    });

    it('tells what cannot be compiled as an error of its own, with its place', async () => {
      const text = `import { validate } from 'fulmar/types';\nexport const a = /* é */ validate<{ run(): void }>(1);\nexport const b = validate<symbol>(1);\n`;
      const wrong = createProject({ 'src/main.ts': text });
      try {
        const error = await bundle(wrong.folder).then(
          () => assert.fail('was bundled'),
          (thrown: unknown) => thrown,
        );
        const { text: said, file, line, column } = refusal(error);
        assert.match(said, /run is a function, which cannot be sent/);
        assert.match(String(file), /src\/main\.ts$/);
        assert.deepEqual([line, column], [2, name === 'esbuild' ? 26 : 25]);
        assert.match(
          JSON.stringify([String(error), said, (error as { errors?: unknown }).errors]),
          /symbol is a symbol, which no other process knows/,
        );
      } finally {
        wrong.remove();
      }
    });

    it('leaves a source alone that imports nothing of it', async () => {
      const plain = createProject({
        'src/main.ts': "export const validate = <T>(value: T) => value;\nexport const again = validate<string>('a');\n",
      });
      try {
        assert.equal(evaluate((await bundle(plain.folder)).code).again, 'a');
      } finally {
        plain.remove();
      }
    });
  });
}
