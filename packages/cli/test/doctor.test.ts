/**
 * Parts of `fulmar doctor` that need no application: its arguments, what it starts, how it reads imports and
 * effects.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { parseDoctorArguments } from '../src/doctor/arguments.ts';
import { costOf, describeEffects } from '../src/doctor/effects.ts';
import { findFaults, type FindingInput } from '../src/doctor/findings.ts';
import { ownerOf, packageOf, readImports } from '../src/doctor/imports.ts';
import { knownIncompatibilities, matchesVersion } from '../src/doctor/known-incompatibilities.ts';
import { paintPage } from '../src/doctor/text.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fulmar-doctor-test-')));
after(() => rmSync(folder, { recursive: true, force: true }));

function install(path: string, manifest: object): void {
  mkdirSync(join(folder, 'node_modules', path), { recursive: true });
  writeFileSync(join(folder, 'node_modules', path, 'package.json'), JSON.stringify(manifest));
}

describe('the arguments of fulmar doctor', () => {
  it('reads options before and after the file, and leaves what follows -- to the application', () => {
    const options = parseDoctorArguments(['--path', '/a', 'app.js', '-H', 'X-A: 1', '--routes=3', '--', '--port', '1']);
    assert.ok(options !== 'help');
    assert.deepEqual(
      [options.file, options.paths, options.headers, options.routes, options.args, options.method],
      ['app.js', ['/a'], ['X-A: 1'], 3, ['--port', '1'], 'GET'],
    );
  });

  it('posts content unless another method is named', () => {
    const options = parseDoctorArguments(['--path', '/a', '--body', '']);
    assert.ok(options !== 'help');
    assert.deepEqual([options.method, options.body], ['POST', '']);
  });

  const wrong: [string[], string][] = [
    [['--nothing'], 'FULMAR_CLI_UNKNOWN_OPTION'],
    [['--path'], 'FULMAR_CLI_MISSING_VALUE'],
    [['--path', 'a'], 'FULMAR_CLI_INVALID_VALUE'],
    [['--json=yes'], 'FULMAR_CLI_INVALID_VALUE'],
    [['--routes', '-1'], 'FULMAR_CLI_INVALID_VALUE'],
    [['--start-timeout', 'soon'], 'FULMAR_CLI_INVALID_VALUE'],
    [['-H', 'no header'], 'FULMAR_CLI_INVALID_VALUE'],
    [['a.js', 'b.js'], 'FULMAR_CLI_INVALID_VALUE'],
    [['--body', 'x'], 'FULMAR_CLI_INVALID_VALUE'],
    [['--path', '/a', '--no-requests'], 'FULMAR_CLI_INVALID_VALUE'],
  ];
  for (const [argv, code] of wrong) {
    it(`refuses ${argv.join(' ')}`, () => {
      assert.throws(() => parseDoctorArguments(argv), { code });
    });
  }
});

it('a page in colours has the same text, problems in red and what is slow in yellow', () => {
  const page = 'fulmar doctor: a.js\n\n  started  a\n\nProblems\n- one.\n\nWhat makes it slower\n- two.\n\n1 problem found.\n';
  const mark = (name: string) => (text: string) => `<${name}>${text}</>`;
  const painted = paintPage(page, { bold: mark('b'), dim: mark('d'), red: mark('r'), green: mark('g'), yellow: mark('y') });
  assert.equal(painted.replaceAll(/<\/?[a-z]?>/g, ''), page);
  assert.match(painted, /^<b>fulmar doctor: a\.js<\/>\n\n {2}started {2}a\n/);
  assert.match(painted, /\n<r>Problems<\/>\n- one\.\n\n<y>What makes it slower<\/>\n/);
  assert.match(painted, /\n<b>1 problem found\.<\/>\n$/);
});

describe('noted imports', () => {
  it('tell which other languages may be used', () => {
    const guestsOf = (specifier: string): readonly string[] =>
      readImports(`${JSON.stringify({ specifier, importer: '/app/a.js' })}\n`, '/own').guests;
    assert.deepEqual(guestsOf('./model.py?x'), ['python']);
    assert.deepEqual(guestsOf('../a/Model.java'), ['java']);
    assert.ok(guestsOf('fulmar/polyglot').includes('python') && guestsOf('fulmar/polyglot/global').includes('ruby'));
    assert.deepEqual([...guestsOf('./a.js'), ...guestsOf('fulmar/polyglots')], []);
  });

  it('become what leads to Fulmar, what stays and why, and the packages that are used', () => {
    install('express', { name: 'express', version: '5.3.0' });
    install('old', { name: 'old', version: '1.0.0' });
    install('old/node_modules/express', { name: 'express', version: '3.21.2' });
    const own = join(folder, 'own');
    const entry = join(folder, 'app.js');
    const old = join(folder, 'node_modules', 'old', 'index.js');
    const lines = [
      { specifier: 'express', importer: entry, target: join(own, 'express.cjs') },
      { specifier: 'node:http', importer: old, target: join(own, 'http.mjs') },
      { specifier: 'http', importer: entry, target: join(own, 'http.cjs') },
      { specifier: 'express', importer: old },
      { specifier: 'express/lib/router', importer: entry },
      { specifier: 'express/lib/request', importer: entry },
      { specifier: 'express/lib/utils.js', importer: entry },
      { specifier: 'node:https', importer: entry },
      { specifier: 'node:fs', importer: entry },
      { specifier: './routes.js', importer: entry },
      { specifier: 'node:http', importer: join(own, 'lib-http.cjs') },
    ];
    const { aliased, kept, packages } = readImports(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`, own);
    assert.deepEqual(
      aliased.map(({ specifier, leadsTo, found, importers }) => [specifier, leadsTo, found?.version, importers]),
      [
        ['express', 'fulmar/express', '5.3.0', ['application']],
        ['http', 'fulmar/http', undefined, ['old', 'application']],
      ],
    );
    assert.deepEqual(
      kept.map(({ specifier, found, importers }) => [specifier, found?.version, importers]),
      [
        ['express', '3.21.2', ['old']],
        ['express/lib/router', '5.3.0', ['application']],
        ['https', undefined, ['application']],
      ],
    );
    assert.match(kept[0]?.reason ?? '', /3\.21\.2 runs as it is/);
    assert.deepEqual(
      packages.map(({ name, version }) => `${name} ${version}`),
      ['express 5.3.0', 'express 3.21.2'],
    );
  });

  it('know packages from paths and from modules of Node', () => {
    const names = ['express', 'express/lib/x', '@a/b/c', './x', '/x', 'fs', 'node:fs', 'file:///x.js', '#inner', '..'].map(packageOf);
    assert.deepEqual(names, ['express', 'express', '@a/b', ...Array.from({ length: 7 }, () => undefined)]);
    const file = join(dirname(folder), 'node_modules', 'x', 'node_modules', '@s', 'y', 'index.js');
    assert.deepEqual([ownerOf(file), ownerOf('/app.js'), ownerOf(undefined)], ['@s/y', 'application', 'application']);
  });
});

describe('effects', () => {
  it('cost what keeps a reply off the short way', () => {
    const costs = ['end', 'writeHead', 'setHeader', 'send', 'write', 'on'].map((detail) =>
      costOf({ code: 'response-member-replaced', detail }),
    );
    assert.deepEqual(costs, ['slow', 'slow', 'slow', 'slow', 'some', 'some']);
    assert.equal(costOf({ code: 'response-listener', detail: 'finish' }), 'some');
    assert.equal(costOf({ code: 'response-listener', detail: 'pipe' }), 'little');
  });

  it('of one kind are told together', () => {
    const text = describeEffects([
      { code: 'response-member-replaced', detail: 'write' },
      { code: 'response-listener', detail: 'finish' },
      { code: 'response-member-replaced', detail: 'end' },
      { code: 'response-listener', detail: 'close' },
    ]);
    assert.equal(text, "replaces res.write, res.end; listens to res 'finish', 'close'");
  });
});

describe('known incompatibilities', () => {
  const base = { imports: { aliased: [], kept: [], packages: 1 }, guests: [], servers: [], applications: [], requests: [], end: undefined };
  const engine = { isLoaded: true, file: 'engine' };

  it('compare major versions', () => {
    const results = [
      ['1.2.3', '*'],
      [null, '*'],
      ['4.17.1', '<5'],
      ['5.0.0', '<5'],
      ['5.1.0', '>=5'],
      ['4.1.0', '4'],
      [null, '4'],
    ] as const;
    assert.deepEqual(
      results.map(([version, wanted]) => matchesVersion(version, wanted)),
      [true, true, true, false, true, true, false],
    );
  });

  it('are found among the packages that are used', () => {
    const find = (name: string): string[] => {
      const input = {
        ...base,
        engine,
        signals: [],
        privateReads: [],
        packages: [{ name, version: '4.0.2', folder: '/x' }],
      } as unknown as FindingInput;
      return findFaults(input).map(({ severity, code }) => `${severity} ${code}`);
    };
    assert.deepEqual(find('spdy'), ['note known-incompatibility']);
    assert.deepEqual(find('express-async-errors'), []);
  });

  it('say what happens and what to do', () => {
    for (const { packages, happens, advice, versions } of knownIncompatibilities) {
      assert.ok(packages.length > 0 && happens.length > 20 && advice.length > 20);
      assert.match(versions, /^(?:\*|(?:<|>=)?\d+)$/);
    }
  });
});
