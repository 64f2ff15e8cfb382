import { fetch as theirs, FormData, Headers, MockAgent, Request, Response } from 'undici';
import { serve } from './serve.js';
// undici's own client needs WebAssembly: what is tried here is what else it is loaded for, and that the global `fetch` goes on beside it.
const http = process.env['TEST_ORIGIN'] ?? '';
const agent = new MockAgent();
agent.disableNetConnect();
agent.get('http://mocked').intercept({ path: '/a' }).reply(200, 'mocked').persist();
const all = (paths) => (app) => {
  for (const [path, work] of Object.entries(paths)) app.get(path, async (_req, res) => void res.json(await work()));
};
serve(
  all({
    '/global': async () => {
      const reply = await fetch(`${http}/bytes`);
      return [reply.status, (await reply.text()).length, await (await fetch(`${http}/redirect/2`)).text()];
    },
    '/mocked': async () => (await theirs('http://mocked/a', { dispatcher: agent })).text(),
    '/body': async () => {
      // Only the body is held.
      const { body } = await theirs('http://mocked/a', { dispatcher: agent });
      await new Promise((resolve) => setTimeout(resolve, 10));
      const parts = [];
      for await (const part of body) parts.push(part);
      return Buffer.concat(parts).toString();
    },
    '/unmocked': () => theirs('http://other/', { dispatcher: agent }).catch(({ message, cause }) => [message, cause.code]),
    '/classes': async () => {
      const form = new FormData();
      form.set('a', 'ü');
      const request = new Request('http://mocked/', { method: 'POST', headers: new Headers({ 'X-A': '1' }), body: 'text' });
      return [form.get('a'), request.headers.get('x-a'), await request.text(), await Response.json({ a: 1 }).json()];
    },
  }),
);
