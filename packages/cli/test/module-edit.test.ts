/** A class is registered in a module: what is added, what stays, and what is not touched. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSync } from 'rolldown/utils';
import { type Parser, register } from '../src/generate/module-edit.ts';
import { Obstacle } from '../src/generate/module-syntax.ts';

const bird = { className: 'BirdController', from: './bird.controller', list: 'controllers' } as const;
const add = (text: string, what: Parameters<typeof register>[2] = bird, file = 'app.module.ts'): string =>
  register(text, file, what, parseSync as Parser);

const head = "import { Module } from 'fulmar/controllers';\n";
const added = "import { BirdController } from './bird.controller';\n";
const tail = '\nexport class AppModule {}\n';

describe('a class is added to a module', () => {
  /** What `@Module` is given, before and after. */
  const cases: [title: string, before: string, after: string][] = [
    ['without anything', '@Module()', '@Module({\n  controllers: [BirdController],\n})'],
    ['with an empty object', '@Module({})', '@Module({\n  controllers: [BirdController],\n})'],
    ['with an empty object over lines', '@Module({\n})', '@Module({\n  controllers: [BirdController],\n})'],
    ['with a comment in an empty object', '@Module({ /* later */ })', '@Module({\n  controllers: [BirdController], /* later */ })'],
    ['with an empty list', '@Module({ controllers: [] })', '@Module({ controllers: [BirdController] })'],
    ['with an empty list of blanks', '@Module({ controllers: [\n  ] })', '@Module({ controllers: [BirdController] })'],
    [
      'with a list that has a comment alone',
      '@Module({ controllers: [ // none yet\n  ] })',
      '@Module({ controllers: [BirdController // none yet\n  ] })',
    ],
    ['with a list on one line', '@Module({ controllers: [A] })', '@Module({ controllers: [A, BirdController] })'],
    ['with a comma at the end of one line', '@Module({ controllers: [A, B,] })', '@Module({ controllers: [A, B, BirdController,] })'],
    ['with a comment on one line', '@Module({ controllers: [A /* a, b */] })', '@Module({ controllers: [A, BirdController /* a, b */] })'],
    [
      'with a list over lines',
      '@Module({\n  controllers: [\n    A,\n    B,\n  ],\n})',
      '@Module({\n  controllers: [\n    A,\n    B,\n    BirdController,\n  ],\n})',
    ],
    [
      'with a list over lines without a comma',
      '@Module({\n  controllers: [\n    A,\n    B\n  ]\n})',
      '@Module({\n  controllers: [\n    A,\n    B,\n    BirdController\n  ]\n})',
    ],
    [
      'with comments beside entries',
      '@Module({\n  controllers: [\n    A, // first, of all\n    B, /* second */ // last\n    // more?\n  ],\n})',
      '@Module({\n  controllers: [\n    A, // first, of all\n    B, /* second */ // last\n    BirdController,\n    // more?\n  ],\n})',
    ],
    [
      'with a comment behind an entry without a comma',
      '@Module({\n  controllers: [\n    A // the, first\n  ],\n})',
      '@Module({\n  controllers: [\n    A, // the, first\n    BirdController\n  ],\n})',
    ],
    [
      'with a comment before the comma',
      '@Module({\n  controllers: [\n    A /* , */,\n  ],\n})',
      '@Module({\n  controllers: [\n    A /* , */,\n    BirdController,\n  ],\n})',
    ],
    ['with spread entries', '@Module({ controllers: [...all, A] })', '@Module({ controllers: [...all, A, BirdController] })'],
    ['with a spread entry at the end', '@Module({ controllers: [A, ...all] })', '@Module({ controllers: [A, ...all, BirdController] })'],
    [
      'with other lists alone',
      '@Module({ imports: [ForRoot({ a: [1] })] })',
      '@Module({ imports: [ForRoot({ a: [1] })], controllers: [BirdController] })',
    ],
    [
      'with other lists over lines',
      '@Module({\n  imports: [\n    ForRoot({\n      controllers: [1],\n    }),\n  ],\n})',
      '@Module({\n  imports: [\n    ForRoot({\n      controllers: [1],\n    }),\n  ],\n  controllers: [BirdController],\n})',
    ],
    [
      'with other lists over lines without a comma',
      '@Module({\n  providers: [A]\n})',
      '@Module({\n  providers: [A],\n  controllers: [BirdController]\n})',
    ],
    ['with a name in quotes', "@Module({ 'controllers': [A] })", "@Module({ 'controllers': [A, BirdController] })"],
    [
      'with a computed name beside it',
      '@Module({ [controllers]: [A], controllers: [] })',
      '@Module({ [controllers]: [A], controllers: [BirdController] })',
    ],
    [
      'with a spread before its list',
      '@Module({ ...common, controllers: [A] })',
      '@Module({ ...common, controllers: [A, BirdController] })',
    ],
    [
      'with what only types say',
      '@Module({ controllers: [A] as const } satisfies ModuleMetadata)',
      '@Module({ controllers: [A, BirdController] as const } satisfies ModuleMetadata)',
    ],
    ['with parentheses', '@Module(({ controllers: ([A]) }))', '@Module(({ controllers: ([A, BirdController]) }))'],
    [
      'with entries that are no names',
      "@Module({ controllers: [make('A'), class {}] })",
      "@Module({ controllers: [make('A'), class {}, BirdController] })",
    ],
    ['beside another decorator', '@Global()\n@Module({ controllers: [A] })', '@Global()\n@Module({ controllers: [A, BirdController] })'],
    ['with tabs', '@Module({\n\tproviders: [A],\n})', '@Module({\n\tproviders: [A],\n\tcontrollers: [BirdController],\n})'],
    [
      'behind signs that are two units long',
      '/* 🐦🐦 */ @Module({ controllers: [A /* 🐦 */, B] })',
      '/* 🐦🐦 */ @Module({ controllers: [A /* 🐦 */, B, BirdController] })',
    ],
  ];
  for (const [title, before, after] of cases) {
    it(title, () => {
      const text = head + before + tail;
      const changed = add(text);
      assert.equal(changed, head + added + after + tail);
      assert.equal(add(changed), changed, 'a second time');
    });
  }

  it('with Windows line ends, which stay', () => {
    const text = `${head}@Module({\n  providers: [\n    A,\n  ],\n})${tail}`.replaceAll('\n', '\r\n');
    const after = `${head}${added}@Module({\n  providers: [\n    A,\n  ],\n  controllers: [BirdController],\n})${tail}`;
    assert.equal(add(text), after.replaceAll('\n', '\r\n'));
    const empty = `${head}@Module({})${tail}`.replaceAll('\n', '\r\n');
    assert.equal(add(empty), `${head}${added}@Module({\n  controllers: [BirdController],\n})${tail}`.replaceAll('\n', '\r\n'));
  });

  it('with a byte order mark, which stays', () => {
    assert.equal(
      add(`\uFEFF${head}@Module({ controllers: [A] })${tail}`),
      `\uFEFF${head}${added}@Module({ controllers: [A, BirdController] })${tail}`,
    );
  });

  it('that is exported by default, with the decorator before or behind', () => {
    const written = [
      '@Module({ controllers: [] })\nexport default class AppModule {}',
      'export default @Module({ controllers: [] }) class {}',
      '@Module({ controllers: [] })\nexport default class {}',
      '@Module({ controllers: [] }) class AppModule {}',
    ];
    for (const text of written) assert.equal(add(head + text), head + added + text.replace('[]', '[BirdController]'));
  });

  it('that is called otherwise, or of a namespace', () => {
    const other =
      "import { Module as M } from '@nestjs/common';\n@M({ controllers: [] }) export class AppModule {}\n@Module({}) class Other {}";
    assert.match(add(other), /@M\(\{ controllers: \[BirdController\] \}\) .*\n@Module\(\{\}\) class Other/);
    const all = "import * as nest from 'fulmar/controllers';\n@nest.Module({ controllers: [] }) export class AppModule {}";
    assert.match(add(all), /@nest\.Module\(\{ controllers: \[BirdController\] \}\)/);
  });

  it('of several in a file, where one is named as the file', () => {
    const text = `${head}@Module({ controllers: [A] })\nclass InnerModule {}\n@Module({ controllers: [B] })\nexport class AppModule {}\n`;
    assert.equal(
      add(text),
      `${head}${added}@Module({ controllers: [A] })\nclass InnerModule {}\n@Module({ controllers: [B, BirdController] })\nexport class AppModule {}\n`,
    );
    assert.match(add(text, bird, 'inner.module.ts'), /\[A, BirdController\] \}\)\nclass InnerModule/);
  });

  it('that is indented', () => {
    assert.equal(
      add(`${head}  @Module({})\n  class A {}`),
      `${head}${added}  @Module({\n    controllers: [BirdController],\n  })\n  class A {}`,
    );
  });
});

describe('the import of the class', () => {
  const module = '@Module({ controllers: [] })\nexport class AppModule {}\n';
  const done = module.replace('[]', '[BirdController]');
  const cases: [title: string, before: string, after: string][] = [
    [
      'has the quotes of the others',
      'import { Module } from "x";\n',
      'import { Module } from "x";\nimport { BirdController } from "./bird.controller";\n',
    ],
    [
      'has no semicolon where the others have none',
      "import { Module } from 'x'\n",
      "import { Module } from 'x'\nimport { BirdController } from './bird.controller'\n",
    ],
    ['comes behind the comment of the line', "import { Module } from 'x'; // of x\n\n", `import { Module } from 'x'; // of x\n${added}\n`],
    ['comes behind one over lines', "import {\n  Module,\n} from 'x';\n", `import {\n  Module,\n} from 'x';\n${added}`],
    [
      'comes behind the last before the module',
      `${head}const a = 1;\nimport b from 'b';\nrun();\n`,
      `${head}const a = 1;\nimport b from 'b';\n${added}run();\n`,
    ],
    [
      'comes between two on one line',
      "import { Module } from 'x'; run();\n",
      "import { Module } from 'x';\nimport { BirdController } from './bird.controller'; run();\n",
    ],
    ['comes first where there is none', '', added],
    ['comes first behind the line for the shell', '#!/usr/bin/env node\n', `#!/usr/bin/env node\n${added}`],
    [
      'is there already, with an extension',
      `${head}import { BirdController } from './bird.controller.js';\n`,
      `${head}import { BirdController } from './bird.controller.js';\n`,
    ],
  ];
  for (const [title, before, after] of cases) it(title, () => assert.equal(add(before + module), after + done));

  it('is all that is missing', () => {
    assert.equal(add(`${head}${done}`), `${head}${added}${done}`);
  });
});

describe('a module is left as it is, with the reason', () => {
  const cases: [title: string, module: string, reason: RegExp][] = [
    ['without the decorator', 'class AppModule {}', /no class in it has @Module/],
    ['with it on nothing but a member', 'class AppModule { @Module() a }', /no class in it has @Module/],
    ['with a decorator that is not called', '@Module class AppModule {}', /not called/],
    ['with a variable', '@Module(metadata) class AppModule {}', /not written there as an object/],
    ['with a call', '@Module(make({ controllers: [] })) class AppModule {}', /not written there as an object/],
    ['with a spread argument', '@Module(...all) class AppModule {}', /not written there as an object/],
    [
      'with a list that is a variable',
      '@Module({ controllers: all }) class AppModule {}',
      /its controllers are not written there as a list/,
    ],
    ['with a list in short', '@Module({ controllers }) class AppModule {}', /not written there as a list/],
    ['with a list that is made', '@Module({ controllers: [A].concat(b) }) class AppModule {}', /not written there as a list/],
    ['with a list by choice', '@Module({ controllers: dev ? [A] : [] }) class AppModule {}', /not written there as a list/],
    ['with a getter', '@Module({ get controllers() { return [] } }) class AppModule {}', /not written there as a list/],
    ['with a spread that may have the list', '@Module({ ...common }) class AppModule {}', /spread into it/],
    ['with a spread behind the list', '@Module({ controllers: [], ...common }) class AppModule {}', /spread into it/],
    ['with a list that ends with a gap', '@Module({ controllers: [A,,] }) class AppModule {}', /gap/],
    [
      'among several, none of which is named as the file',
      '@Module({}) class A {}\n@Module({}) export default class {}',
      /several modules \(A, one without a name\)/,
    ],
    ['that does not parse', '@Module({ controllers: [ }) class AppModule {}', /does not parse/],
    [
      'with another class of that name',
      "import { BirdController } from './other';\n@Module({}) class AppModule {}",
      /another BirdController/,
    ],
    ['with a class of that name in it', '@Module({}) class AppModule {}\nclass BirdController {}', /another BirdController/],
    ['with a constant of that name in it', 'export const BirdController = 1;\n@Module({}) class AppModule {}', /another BirdController/],
  ];
  for (const [title, module, reason] of cases) {
    it(title, () => {
      assert.throws(
        () => add(head + module),
        (error) => error instanceof Obstacle && reason.test(error.message),
      );
    });
  }
});
