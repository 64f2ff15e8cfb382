/** The example of routes from files, in each form in which it runs: what its visitors do, its log, and its end. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Running } from '../support/launch.ts';
import { forms } from './forms.ts';
import { scenarios } from './scenarios.ts';
import { Listener } from './visitor.ts';

for (const form of forms) {
  describe(`routes-app as ${form.name}`, { timeout: 300_000 }, () => {
    let running: Running;
    before(async () => void (running = await form.start()));
    after(() => running?.stop());

    for (const { name, play } of scenarios) test(name, { timeout: 60_000 }, () => play(running.port, form));

    test('logs requests, and no query, cookie or password', () => {
      const { lines } = running;
      for (const line of [/^POST \/account 303 /, /^GET \/api\/sightings\/\d+ 404 /, /^POST \/api\/photos 413 /])
        assert.ok(
          lines.some((one) => line.test(one)),
          `${line} among\n${lines.join('\n')}`,
        );
      assert.deepEqual(
        lines.filter((line) => /kittiwake|logbook\.sid|species=|^ {4}at /.test(line)),
        [],
      );
    });

    test('at SIGTERM sockets are told with 1001, and it ends with 0', { timeout: 60_000 }, async () => {
      const listener = await Listener.connect(running.port, '');
      const ended = running.stop();
      assert.equal(await listener.closed, 1001);
      assert.deepEqual(await ended, { code: 0, signal: null });
    });
  });
}
