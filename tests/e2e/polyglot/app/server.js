import { createApp } from 'fulmar';
import { python } from 'fulmar/polyglot';
import later from './python/later.py';

const model = await python.import('./python/model.py');

const app = createApp();
app.get('/model/:n', (c) => model.triple(Number(c.params.n)));
app.get('/where', () => model.where());
app.get('/later', () => later.greet('you'));
app.get('/fail', async () => {
  try {
    return await model.fail();
  } catch (error) {
    return { class: error.class, code: error.frames[0].code, file: error.frames[0].file.split('/').slice(-2).join('/') };
  }
});
app.get('/package', async () => (await python.import('./python/tools')).END);
app.get('/apart', async () => (await python.import('./python/apart')).late());
app.get('/isolated', async () => {
  try {
    const pool = python.isolated();
    const other = await pool.import('./python/later.py');
    const greeting = await other.greet('process');
    await pool.close();
    return greeting;
  } catch (error) {
    return error.message;
  }
});

const server = await app.listen({ port: 0, host: '127.0.0.1' });
console.log(`PORT ${new URL(server.url).port}`);
