/** What a command line means, and what is said about one that means nothing. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Command, parseArguments, type RunOptions } from '../src/arguments.ts';
import { toArguments } from '../src/run/reexec.ts';

const defaults: RunOptions = {
  kind: 'run',
  file: 'app.js',
  args: [],
  alias: true,
  native: false,
  polyglot: false,
  workers: undefined,
  watch: false,
  envFiles: [],
  verbose: false,
  drainTimeoutMs: undefined,
  nodeFlags: [],
};

const meanings: [line: string, expected: Command][] = [
  ['', { kind: 'help', topic: undefined }],
  ['help', { kind: 'help', topic: undefined }],
  ['--help', { kind: 'help', topic: undefined }],
  ['-h', { kind: 'help', topic: undefined }],
  ['help run', { kind: 'help', topic: 'run' }],
  ['run --help', { kind: 'help', topic: 'run' }],
  ['run -h app.js', { kind: 'help', topic: 'run' }],
  ['run --native app.js', { ...defaults, native: true }],
  ['help bench', { kind: 'help', topic: 'bench' }],
  ['routes app.js --json', { kind: 'routes', argv: ['app.js', '--json'] }],
  ['help routes', { kind: 'help', topic: 'routes' }],
  ['new birds --template app', { kind: 'new', argv: ['birds', '--template', 'app'] }],
  ['generate guard x', { kind: 'generate', argv: ['guard', 'x'] }],
  ['g guard x', { kind: 'generate', argv: ['guard', 'x'] }],
  ['help g', { kind: 'help', topic: 'generate' }],
  ['help info', { kind: 'help', topic: 'info' }],
  ['info --json', { kind: 'info', argv: ['--json'] }],
  ['bench app.js --json', { kind: 'bench', argv: ['app.js', '--json'] }],
  ['version', { kind: 'version' }],
  ['--version', { kind: 'version' }],
  ['-v', { kind: 'version' }],
  ['run', { ...defaults, file: undefined }],
  ['run --verbose', { ...defaults, file: undefined, verbose: true }],
  ['run app.js', defaults],
  ['run app.js --port 80 -p 81', { ...defaults, args: ['--port', '80', '-p', '81'] }],
  ['run -- app.js', defaults],
  ['run app.js --no-alias -w 2 x', { ...defaults, args: ['--no-alias', '-w', '2', 'x'] }],
  ['run app.js -- x', { ...defaults, args: ['--', 'x'] }],
  ['run --no-alias app.js', { ...defaults, alias: false }],
  ['run --workers 4 app.js', { ...defaults, workers: 4 }],
  ['run --workers=4 app.js', { ...defaults, workers: 4 }],
  ['run -w 4 app.js', { ...defaults, workers: 4 }],
  ['run -w4 app.js', { ...defaults, workers: 4 }],
  ['run -w 0 app.js', { ...defaults, workers: 'auto' }],
  ['run -w auto app.js', { ...defaults, workers: 'auto' }],
  ['run --watch --verbose app.js', { ...defaults, watch: true, verbose: true }],
  ['run --env-file a --env-file=b app.js', { ...defaults, envFiles: ['a', 'b'] }],
  ['run --drain-timeout 1.5 app.js', { ...defaults, drainTimeoutMs: 1_500 }],
  ['run --inspect=127.0.0.1:0 app.js', { ...defaults, nodeFlags: ['--inspect=127.0.0.1:0'] }],
  ['run --max-old-space-size=64 --expose-gc app.js', { ...defaults, nodeFlags: ['--max-old-space-size=64', '--expose-gc'] }],
  ['run --import ./a.mjs -r ./b.cjs app.js', { ...defaults, nodeFlags: ['--import', './a.mjs', '-r', './b.cjs'] }],
  ['run --import=./a.mjs app.js', { ...defaults, nodeFlags: ['--import=./a.mjs'] }],
];

const refusals: [line: string, code: string, message: RegExp][] = [
  ['rnu app.js', 'FULMAR_CLI_UNKNOWN_COMMAND', /unknown command "rnu". Did you mean "run"\?/],
  ['app.ts', 'FULMAR_CLI_UNKNOWN_COMMAND', /To run a file: fulmar run app.ts/],
  ['serve', 'FULMAR_CLI_UNKNOWN_COMMAND', /See `fulmar --help`/],
  ['help nothing', 'FULMAR_CLI_UNKNOWN_COMMAND', /unknown command "nothing"/],
  ['--halp', 'FULMAR_CLI_UNKNOWN_OPTION', /Did you mean --help\?/],
  ['run --port 80 app.js', 'FULMAR_CLI_UNKNOWN_OPTION', /^fulmar run has no --port: .*PORT=8080.*behind the file\.$/],
  ['run --port=80', 'FULMAR_CLI_UNKNOWN_OPTION', /^fulmar run has no --port: /],
  ['run -p 80 app.js', 'FULMAR_CLI_UNKNOWN_OPTION', /^fulmar run has no -p: /],
  ['run -p80 app.js', 'FULMAR_CLI_UNKNOWN_OPTION', /^fulmar run has no -p80: /],
  ['run --wrokers 2 app.js', 'FULMAR_CLI_UNKNOWN_OPTION', /unknown option --wrokers. Did you mean --workers\?/],
  ['run --no-alais app.js', 'FULMAR_CLI_UNKNOWN_OPTION', /Did you mean --no-alias\?/],
  ['run --bogus-option app.js', 'FULMAR_CLI_UNKNOWN_OPTION', /unknown option --bogus-option. See `fulmar help run`/],
  ['run --toString app.js', 'FULMAR_CLI_UNKNOWN_OPTION', /unknown option --toString/],
  ['run --workers', 'FULMAR_CLI_MISSING_VALUE', /--workers needs a number of processes/],
  ['run --workers= app.js', 'FULMAR_CLI_MISSING_VALUE', /--workers needs/],
  ['run -w --verbose app.js', 'FULMAR_CLI_MISSING_VALUE', /-w needs/],
  ['run --env-file', 'FULMAR_CLI_MISSING_VALUE', /--env-file needs a file/],
  ['run --import', 'FULMAR_CLI_MISSING_VALUE', /--import needs a value/],
  ['run -w two app.js', 'FULMAR_CLI_INVALID_VALUE', /whole number from 0 to 1024, or auto; got "two"/],
  ['run -w 1.5 app.js', 'FULMAR_CLI_INVALID_VALUE', /got "1.5"/],
  ['run -w 5000 app.js', 'FULMAR_CLI_INVALID_VALUE', /got "5000"/],
  ['run --drain-timeout soon app.js', 'FULMAR_CLI_INVALID_VALUE', /number of seconds, got "soon"/],
  ['run --watch=yes app.js', 'FULMAR_CLI_INVALID_VALUE', /--watch takes no value/],
];

const words = (line: string): string[] => line.split(' ').filter((word) => word !== '');

describe('the command line', () => {
  for (const [line, expected] of meanings) {
    it(`understands \`fulmar ${line}\``, () => assert.deepEqual(parseArguments(words(line)), expected));
  }
  for (const [line, code, message] of refusals) {
    it(`refuses \`fulmar ${line}\``, () => assert.throws(() => parseArguments(words(line)), { code, message }));
  }

  it('refuses a name that is empty, as a variable that is not set leaves it', () => {
    assert.throws(() => parseArguments(['run', '']), { code: 'FULMAR_CLI_MISSING_FILE', message: /the name of the file is empty/ });
  });

  it('means the same after it was written out for another process', () => {
    const options: RunOptions = {
      ...defaults,
      alias: false,
      workers: 3,
      verbose: true,
      envFiles: ['a b'],
      drainTimeoutMs: 500,
      args: ['-x', '--', 'y'],
    };
    assert.deepEqual(parseArguments(toArguments(options)), options);
    assert.deepEqual(parseArguments(toArguments({ ...options, workers: 'auto' })), { ...options, workers: 'auto' });
  });
});
