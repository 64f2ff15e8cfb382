/** An application with Java, built: sources, archives of class paths and an archive by itself come along. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { java } from '../../../packages/fulmar/src/polyglot/index.ts';
import { answersBuilt, appWith, forms, serverOf } from './built.ts';

const app = appWith({
  'com/acme/Greeter.java':
    'package com.acme;\npublic class Greeter { public static String greet(String who) { return Words.HELLO + who; } }\n',
  'com/acme/Words.java':
    'package com.acme;\npublic class Words {\n  static final String HELLO = read();\n  private static String read() {\n    try (var in = Words.class.getResourceAsStream("/hello.txt")) { return new String(in.readAllBytes()); }\n    catch (java.io.IOException error) { throw new java.io.UncheckedIOException(error); }\n  }\n}\n',
  'hello.txt': 'hello ',
  'java/Shout.java':
    'public class Shout { public static String shout(String who) { return com.acme.Greeter.greet(who).toUpperCase() + Mark.MARK; } }\n',
  'java/Mark.java': 'class Mark { static final String MARK = "!"; }\n',
  'server.js': serverOf(
    `import { java } from 'fulmar/polyglot';
     const byName = await java.import('com.acme.Greeter', { options: { classPath: ['./lib/greeter.jar', './lib/words.jar'] } });
     const all = await java.import('com.acme.Greeter', { options: { classPath: './lib/*' } });
     const shout = await java.import('./java/Shout.java', { options: { classPath: ['./lib/*'] } });
     const jar = await java.import('./lib/all.jar');
     const apart = java.isolated();`,
    `app.get('/name', () => byName.greet('name'));
     app.get('/all', () => all.greet('all'));
     app.get('/source', () => shout.shout('source'));
     app.get('/jar', () => jar.com.acme.Greeter.greet('jar'));
     app.get('/isolated', async () => (await apart.import('com.acme.Greeter', { options: { classPath: ['./lib/*'] } })).greet('you'));
     app.get('/isolated-source', async () => (await apart.import('./java/Shout.java', { options: { classPath: ['./lib/*'] } })).shout('you'));`,
  ),
});

const { problem } = await java.look();

describe('an application with Java', { skip: problem ?? false }, () => {
  before(() => {
    const run = (program: string, ...words: string[]): void => void execFileSync(program, words, { cwd: app });
    run('javac', '-d', 'classes', 'com/acme/Greeter.java', 'com/acme/Words.java');
    mkdirSync(join(app, 'lib'));
    run('jar', 'cf', 'lib/greeter.jar', '-C', 'classes', 'com/acme/Greeter.class');
    run('jar', 'cf', 'lib/words.jar', '-C', 'classes', 'com/acme/Words.class', 'hello.txt');
    run('jar', 'cf', 'lib/all.jar', '-C', 'classes', '.', 'hello.txt');
  });
  for (const [what, options] of forms)
    it(`is built into ${what}`, () =>
      answersBuilt(app, options, {
        '/name': 'hello name',
        '/all': 'hello all',
        '/source': 'HELLO SOURCE!',
        '/jar': 'hello jar',
        '/isolated': 'hello you',
        '/isolated-source': 'HELLO YOU!',
      }));
});
