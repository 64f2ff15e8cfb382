/** Errors of the command line: what is told in a line, and that the documentation knows all of them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { describeUncaught, launchErrorCodes, toSyntaxError } from '../../fulmar/src/launch/errors.ts';
import { CommandError, commandErrorCodes } from '../src/errors.ts';
import { benchHelp } from '../src/bench/help.ts';
import { generateHelp } from '../src/generate/help.ts';
import { runHelp } from '../src/help/texts.ts';
import { infoHelp } from '../src/info/help.ts';
import { newHelp } from '../src/new/help.ts';
import { polyglotHelp } from '../src/polyglot/help.ts';
import { routesHelp } from '../src/routes/help.ts';

const reference = readFileSync(new URL('../../../docs/reference/cli.md', import.meta.url), 'utf8');
const listen = (code: string, more: object) => Object.assign(new Error(`listen ${code}`), { code, syscall: 'listen', ...more });

describe('uncaught errors', () => {
  const cases: [title: string, error: unknown, told: RegExp | undefined][] = [
    ['a port in use', listen('EADDRINUSE', { port: 3000 }), /^port 3000 is in use\. .*lsof -i :3000/],
    [
      'a socket in use',
      listen('EADDRINUSE', { port: -1, address: '/run/app.sock' }),
      /^the socket \/run\/app\.sock is in use\. .*remove the file/,
    ],
    ['a privileged port', listen('EACCES', { port: 80 }), /^no permission to listen on port 80\. Use a port of 1024 or above\.$/],
    ['a socket without permission', listen('EACCES', { address: '/run/x' }), /^no permission to listen on the socket \/run\/x\.$/],
    [
      'an address of another machine',
      listen('EADDRNOTAVAIL', { port: 1, address: '203.0.113.1' }),
      /^the address 203\.0\.113\.1 is not one of this machine's/,
    ],
    ['another error of listening', listen('EMFILE', { port: 1 }), undefined],
    ['an error of ours', new CommandError('FULMAR_CLI_NOT_FOUND', 'cannot find x'), /^cannot find x$/],
    ['a source that does not parse', toSyntaxError('cannot compile x'), /^cannot compile x$/],
    ['an error from another thread, of which only the code is left', Object.assign(new Error('m'), { code: 'FULMAR_CLI_SYNTAX' }), /^m$/],
    ['an error of the application', new TypeError('own'), undefined],
    ['a connection refused', Object.assign(new Error(), { code: 'ECONNREFUSED', syscall: 'connect' }), undefined],
    ['something thrown that is no error', 'text', undefined],
  ];
  for (const [title, error, told] of cases) {
    it(`${told === undefined ? 'leave to Node' : 'tell in a line'}: ${title}`, () => {
      const text = describeUncaught(error);
      if (told === undefined) assert.equal(text, undefined);
      else assert.match(text ?? '', told);
    });
  }
});

const codes = readFileSync(new URL('../../../docs/guide/troubleshoot.md', import.meta.url), 'utf8');

describe('the documentation', () => {
  it('lists exactly the codes there are', () => {
    const listed = [...codes.matchAll(/^\| `(FULMAR_CLI_\w+)`/gm)].map((match) => match[1]);
    assert.deepEqual(listed.sort(), [...commandErrorCodes, ...launchErrorCodes].sort());
  });
  it('lists every option that the help lists', () => {
    for (const [option] of (runHelp + benchHelp + routesHelp + infoHelp + newHelp + generateHelp + polyglotHelp).matchAll(
      /--[a-z-]+(?= {2,}| <)/g,
    ))
      assert.ok(reference.includes(`\`${option}`) || reference.includes(`, \`${option}`), option);
  });
});
