/**
 * supertest on both sides: `request(app)`, `request(server)`, agents with cookies, uploads, expectations that
 * fail. `request(app)` makes a server of its own from node:http, so it also shows our application on foreign
 * messages.
 */
import assert from 'node:assert/strict';
import { same } from '../support/compare.ts';
import type { Bench } from '../support/compare.ts';
import type { Application, Express, Failure, Handler, Next, Request, Response } from '../support/express-types.ts';
import { load } from '../support/load.ts';

interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: unknown;
  readonly text: string;
}
interface Probe extends Promise<Answer> {
  set(name: string, value: string): Probe;
  send(body: unknown): Probe;
  type(name: string): Probe;
  query(fields: object): Probe;
  field(name: string, value: string): Probe;
  attach(name: string, bytes: Buffer, filename: string): Probe;
  redirects(count: number): Probe;
  auth(name: string, password: string): Probe;
  expect(...expected: unknown[]): Probe;
}
type Agent = Record<'get' | 'post' | 'put' | 'delete' | 'head' | 'options', (path: string) => Probe>;
interface SuperTest {
  (app: unknown): Agent;
  agent(app: unknown): Agent;
}
const request = load<SuperTest>('supertest');
const cookieParser = load<() => Handler>('cookie-parser');
const multer = load<() => { single(name: string): Handler }>('multer');

function probed(express: Express): Application {
  const app = express();
  app.use(cookieParser());
  app.get('/', (req, res) => res.json({ query: req.query, cookies: req.cookies, ip: req.ip }));
  app.get('/set', (req, res) => res.cookie('seen', 'yes', { httpOnly: true }).redirect('/'));
  app.get('/clear', (req, res) => res.clearCookie('seen').send('cleared'));
  app.post('/echo', express.json(), express.urlencoded(), (req, res) => res.status(201).json(req.body));
  app.post('/upload', multer().single('file'), (req, res) =>
    res.json({ name: req.file?.originalname, size: req.file?.size, body: req.body }),
  );
  app.get('/auth', (req, res) => res.send(req.get('Authorization')));
  app.get('/binary', (req, res) => res.type('bin').send(Buffer.from([1, 2, 3])));
  app.get('/fail', () => {
    throw Object.assign(new Error('hidden'), { status: 503 });
  });
  app.use((error: Failure, req: Request, res: Response, _next: Next) =>
    res
      .status(error.status ?? 500)
      .type('text')
      .send(error.name),
  );
  return app;
}

async function walk(agent: Agent, note: (value: unknown) => void): Promise<void> {
  const keep = ({ status, headers, body, text }: Answer): void =>
    note({ status, headers: { ...headers, 'keep-alive': null, connection: null }, body, text: text ?? null });
  keep(
    await agent
      .get('/')
      .query({ a: '1', b: ['x', 'y'] })
      .expect(200)
      .expect('Content-Type', /json/),
  );
  keep(await agent.get('/set').redirects(1));
  keep(await agent.get('/set').expect(302).expect('Location', '/'));
  keep(await agent.get('/'));
  keep(await agent.get('/clear'));
  keep(await agent.get('/'));
  keep(
    await agent
      .post('/echo')
      .send({ json: [1, null] })
      .expect(201, { json: [1, null] }),
  );
  keep(await agent.post('/echo').type('form').send({ form: 'yes' }));
  keep(await agent.post('/echo').set('Content-Type', 'application/json').send('{broken'));
  keep(await agent.post('/upload').field('title', 'one').attach('file', Buffer.alloc(100_000), 'big.bin'));
  keep(await agent.get('/auth').auth('ada', 'x'));
  keep(await agent.get('/binary'));
  keep(await agent.head('/'));
  keep(await agent.options('/echo'));
  keep(await agent.put('/echo').expect(404));
  keep(await agent.get('/fail').expect(503));
}

const idle = async ({ client }: { client: { get(path: string): Promise<unknown> } }): Promise<void> => void (await client.get('/'));

for (const [name, open] of [
  ['request(app)', (_bench: Bench, app: Application) => request(app)],
  ['request.agent(app), which keeps cookies', (_bench: Bench, app: Application) => request.agent(app)],
  ['request(server)', ({ http }: Bench, app: Application) => request(http.createServer(app))],
  [
    'request.agent(server) on a server that listens',
    ({ http, after }: Bench, app: Application) => {
      const server = http.createServer(app).listen(0);
      after(() => server.close());
      return request.agent(server);
    },
  ],
] as const) {
  same(`drives the application through ${name}`, {
    build: async (bench) => {
      const app = probed(bench.express);
      await walk(open(bench, app), bench.note);
      return app;
    },
    talk: idle,
    check: (_replies, notes) => assert.equal(notes.length, 16),
  });
}

same('reports expectations that fail', {
  build: async ({ express, note }) => {
    const app = probed(express);
    for (const probe of [
      request(app).get('/').expect(201),
      request(app).get('/binary').expect('Content-Type', /json/),
      request(app).get('/fail').expect(503, 'other text'),
    ]) {
      note(
        await probe.then(
          () => 'passed',
          (error: Error) => error.message,
        ),
      );
    }
    return app;
  },
  talk: idle,
  check: (_replies, notes) => assert.equal(notes[0], 'expected 201 "Created", got 200 "OK"'),
});
