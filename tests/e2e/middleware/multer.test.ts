/**
 * multer on both sides: memory and disk storage, fields and arrays, limits, filters, broken and unfinished
 * content.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { same } from '../support/compare.ts';
import type { Bench } from '../support/compare.ts';
import type { Application, Failure, Handler, Next, Request, Response } from '../support/express-types.ts';
import { load } from '../support/load.ts';
import { BOUNDARY, MULTIPART, toMultipart } from '../support/multipart.ts';

interface Upload {
  single(name: string): Handler;
  array(name: string, max?: number): Handler;
  fields(fields: readonly { name: string; maxCount?: number }[]): Handler;
  none(): Handler;
  any(): Handler;
}
interface Multer {
  (options?: object): Upload;
  memoryStorage(): object;
  diskStorage(options: object): object;
}
const multer = load<Multer>('multer');

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

function describe(req: Request): unknown {
  const list = Array.isArray(req.files) ? req.files : Object.values(req.files ?? {}).flat();
  const files = (req.file === undefined ? list : [req.file]).map(({ fieldname, originalname, encoding, mimetype, size, buffer }) => ({
    fieldname,
    originalname,
    encoding,
    mimetype,
    size,
    hash: buffer === undefined ? null : digest(buffer),
  }));
  return { body: req.body ?? null, files };
}

function uploads({ express }: Bench): Application {
  const app = express();
  const memory = multer({ storage: multer.memoryStorage(), limits: { fileSize: 300_000, fields: 3, fieldSize: 1000, parts: 6 } });
  app.post('/single', memory.single('photo'), (req, res) => res.json(describe(req)));
  app.post('/array', memory.array('photo', 2), (req, res) => res.json(describe(req)));
  app.post('/fields', memory.fields([{ name: 'a', maxCount: 1 }, { name: 'b' }]), (req, res) => res.json(describe(req)));
  app.post('/none', memory.none(), (req, res) => res.json(describe(req)));
  app.post('/any', memory.any(), (req, res) => res.json(describe(req)));
  const images = multer({
    fileFilter: (_req: Request, file: { mimetype: string }, done: (error: Error | null, take?: boolean) => void) =>
      file.mimetype === 'text/evil' ? done(new Error('evil file')) : done(null, file.mimetype.startsWith('image/')),
  });
  app.post('/images', images.any(), (req, res) => res.json(describe(req)));
  app.use((error: Failure, req: Request, res: Response, _next: Next) =>
    res.status(400).json({ name: error.name, code: error.code ?? null, message: error.message, field: error.field ?? null }),
  );
  return app;
}

const text = { name: 'title', value: 'Zwölf Möwen' };
const small = { name: 'photo', filename: 'möwe.png', type: 'image/png', value: Buffer.from([0, 1, 2, 255]) };
const large = { name: 'photo', filename: 'large.bin', type: 'application/octet-stream', value: Buffer.alloc(250_000, 'fulmar') };

same('takes one file, several files, named fields, no file and any file', {
  build: uploads,
  talk: async ({ client }) => {
    await client.post('/single', toMultipart([text, small]), MULTIPART);
    await client.post('/single', toMultipart([large, text]), MULTIPART);
    await client.post('/array', toMultipart([small, { ...small, filename: 'b.png' }, text]), MULTIPART);
    await client.post(
      '/fields',
      toMultipart([
        { ...small, name: 'a' },
        { ...small, name: 'b' },
        { name: 'x[y]', value: '1' },
      ]),
      MULTIPART,
    );
    await client.post('/none', toMultipart([text, { name: '__proto__', value: 'p' }, { name: 'list[]', value: '2' }]), MULTIPART);
    await client.post('/any', toMultipart([small, { ...small, name: 'other' }]), MULTIPART);
    await client.post('/single', 'a=1', { 'Content-Type': 'application/x-www-form-urlencoded' });
  },
  check: ([first, second]) => {
    assert.match(first?.content ?? '', /"size":4/);
    assert.match(second?.content ?? '', /"size":250000/);
  },
});

same('takes content that arrives in many pieces', {
  build: uploads,
  talk: async ({ client }) => {
    const whole = toMultipart([text, large, { name: 'end', value: 'here' }]);
    const pieces: Buffer[] = [];
    for (let at = 0; at < whole.length; at += 9973) pieces.push(whole.subarray(at, at + 9973));
    await client.send({ method: 'POST', path: '/single', headers: MULTIPART, pieces });
    const tiny = toMultipart([text, small]);
    await client.send({ method: 'POST', path: '/single', headers: MULTIPART, pieces: [...tiny].map((byte) => Buffer.from([byte])) });
  },
});

same('reports each limit with its code and field, and serves the next request', {
  build: uploads,
  talk: async ({ client }) => {
    await client.post('/single', toMultipart([{ ...small, value: Buffer.alloc(400_000) }]), MULTIPART);
    await client.post('/single', toMultipart([{ ...small, name: 'wrong' }]), MULTIPART);
    await client.post('/array', toMultipart([small, small, small]), MULTIPART);
    await client.post('/none', toMultipart([small]), MULTIPART);
    await client.post('/none', toMultipart([text, text, text, text]), MULTIPART);
    await client.post('/none', toMultipart([{ name: 'long', value: 'x'.repeat(2000) }]), MULTIPART);
    await client.post('/any', toMultipart(Array.from({ length: 8 }, (_, index) => ({ ...small, name: `f${index}` }))), MULTIPART);
    await client.post('/single', toMultipart([text, small]), MULTIPART);
  },
  check: ([tooLarge]) => assert.match(tooLarge?.content ?? '', /LIMIT_FILE_SIZE/),
});

same('reports broken content', {
  build: uploads,
  talk: async ({ client }) => {
    await client.post('/single', toMultipart([text, small], false), MULTIPART);
    await client.post('/single', 'no parts at all', MULTIPART);
    await client.post('/single', toMultipart([text]), { 'Content-Type': 'multipart/form-data' });
    await client.post('/none', toMultipart([{ name: '', value: 'x' }]), MULTIPART);
  },
});

same('skips files and fails on files as its filter says', {
  build: uploads,
  talk: async ({ client }) => {
    await client.post('/images', toMultipart([small, { ...small, name: 'doc', type: 'text/plain' }]), MULTIPART);
    await client.post('/images', toMultipart([small, { ...small, type: 'text/evil' }]), MULTIPART);
  },
});

same('stores on disk, and leaves nothing behind after a failure', {
  build: async ({ express, note, after }) => {
    const folder = await mkdtemp(join(tmpdir(), 'fulmar-multer-'));
    after(() => rm(folder, { recursive: true, force: true }));
    const app = express();
    const storage = multer.diskStorage({
      destination: folder,
      filename: (_req: Request, file: { originalname: string }, done: (error: null, name: string) => void) =>
        done(null, `kept-${file.originalname}`),
    });
    app.post('/', multer({ storage, limits: { fileSize: 300_000 } }).single('photo'), async (req, res) => {
      const bytes = await readFile(String(req.file?.path));
      res.json({ size: bytes.length, hash: digest(bytes) });
    });
    app.get('/', async (req, res) => res.json(await readdir(folder)));
    app.use((error: Failure, req: Request, res: Response, _next: Next) => {
      note(error.code);
      res.status(413).send(error.message);
    });
    return app;
  },
  talk: async ({ client }) => {
    await client.post('/', toMultipart([large]), MULTIPART);
    await client.post('/', toMultipart([{ ...large, filename: 'huge.bin', value: Buffer.alloc(900_000) }]), MULTIPART);
    await client.get('/');
  },
  check: (replies) => assert.equal(replies[2]?.content, '["kept-large.bin"]'),
});

same('fails the handler when the client leaves in the middle of a file', {
  build: ({ express, note }) => {
    const app = express();
    app.post('/', multer().single('photo'), (req, res) => res.send('never'));
    app.use((error: Failure, req: Request, res: Response, _next: Next) => {
      note(`${error.name}: ${error.message}`);
      res.end();
    });
    return app;
  },
  talk: async ({ port, server }) => {
    const closed = new Promise((resolve) => server.once('connection', (accepted: net.Socket) => accepted.once('close', resolve)));
    const content = toMultipart([small], false);
    const socket = net.connect(port, '127.0.0.1');
    const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: 100000\r\n\r\n`;
    await new Promise<void>((resolve) => socket.write(Buffer.concat([Buffer.from(head), content]), () => resolve()));
    socket.end();
    await closed;
    socket.destroy();
  },
  check: (_replies, notes) => assert.equal(notes.length, 1),
});
