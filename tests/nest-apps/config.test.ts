/** @nestjs/config: files, expansion, validation, namespaces; a start that fails says what is wrong. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { command, playNestApp } from './support/play.ts';
import { start } from './support/process.ts';

playNestApp({
  name: 'config',
  native: true,
  include: ['.env'],
  env: { APP_NAME: 'Shelf', DATABASE_HOST: 'db.of.the.test' },
  async play({ ask }) {
    for (const path of ['', '/missing/NAME', '/missing/APP_NAME', '/must/APP_URL', '/must/NAME']) await ask(`/shelf/config${path}`);
  },
});

it('does not start with an environment that is not valid, and names the variables', async () => {
  const entry = fileURLToPath(new URL('apps/config/main.ts', import.meta.url));
  const env = { DATABASE_PORT: 'no port', PAGE_SIZE: 'no number' };
  await assert.rejects(start(process.execPath, [command, 'run', entry], env), ({ message }: Error) => {
    assert.match(message, /"DATABASE_PORT" must be a number/);
    assert.match(message, /"PAGE_SIZE" must be a number/);
    return true;
  });
});
