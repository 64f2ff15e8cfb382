/** Asks the whole application, on a port of the test's own. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type INestApplication, NestFactory } from 'fulmar/controllers';
import { AppModule } from '../src/app.module';

describe('the application', () => {
  let app: INestApplication;
  let url = '';

  before(async () => {
    app = await NestFactory.create(AppModule, { logger: false });
    await app.listen(0);
    url = await app.getUrl();
  });
  after(() => app.close());

  it('says that it is healthy', async () => {
    const reply = await fetch(`${url}/health`);
    assert.equal(reply.status, 200);
    assert.deepEqual(await reply.json(), { status: 'ok' });
  });

  it('says of a path that nothing is there', async () => {
    assert.equal((await fetch(`${url}/nothing`)).status, 404);
  });
});
