import { createHash } from 'node:crypto';
import { EventEmitter, on } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { initTRPC, tracked, TRPCError } from '@trpc/server';
import { octetInputParser } from '@trpc/server/http';
import { z, ZodError } from 'zod';

const users = { ada: { name: 'Ada', role: 'admin' }, siri: { name: 'Sigríður', role: 'member' } };

export function createContext({ req, res, info }) {
  const [, token] = (req.headers.authorization ?? info?.connectionParams?.authorization ?? '').split(' ');
  if (token === 'broken') throw new Error('the context broke');
  return { user: users[token] ?? null, res, calls: info?.calls.length ?? 0 };
}

const t = initTRPC.context().create({
  sse: { ping: { enabled: true, intervalMs: 60_000 }, client: { reconnectAfterInactivityMs: 120_000 } },
  errorFormatter: ({ shape, error }) => {
    const { stack: _stack, ...data } = shape.data;
    return { ...shape, data: { ...data, zod: error.cause instanceof ZodError ? z.flattenError(error.cause) : null } };
  },
});

const logged = t.middleware(async ({ path, type, next }) => {
  const result = await next();
  console.log(`${type} ${path} ${result.ok ? 'ok' : result.error.code}`);
  return result;
});

const open = t.procedure.use(logged);
const member = open.use(({ ctx, next }) => {
  if (ctx.user === null) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'Who are you?' });
  return next({ ctx: { user: ctx.user } });
});
const admin = member.use(({ ctx, next }) => {
  if (ctx.user.role !== 'admin') throw new TRPCError({ code: 'FORBIDDEN', message: `${ctx.user.name} may not` });
  return next();
});

const events = new EventEmitter();
const notes = [
  { id: 1, text: 'First ☃', by: 'Ada' },
  { id: 2, text: '二番目', by: 'Sigríður' },
];
export const counts = { opened: 0, closed: 0 };

const noteInput = z.strictObject({
  text: z.string().trim().min(1, 'say something').max(100),
  tags: z.array(z.string().regex(/^\w+$/)).max(3).default([]),
  at: z.object({ lat: z.number().min(-90).max(90), lon: z.number() }).optional(),
});

const noteRouter = t.router({
  list: open
    .input(z.object({ search: z.string().default(''), limit: z.number().int().min(1).max(50).default(10) }).optional())
    .query(({ input }) => {
      const found = notes.filter(({ text }) => text.includes(input?.search ?? ''));
      return { total: found.length, items: found.slice(0, input?.limit) };
    }),
  byId: open.input(z.number().int()).query(({ input }) => {
    const note = notes.find(({ id }) => id === input);
    if (note === undefined) throw new TRPCError({ code: 'NOT_FOUND', message: `No note ${input}`, cause: new Error('looked everywhere') });
    return note;
  }),
  add: member.input(noteInput).mutation(({ input, ctx }) => {
    const note = { id: notes.length + 1, ...input, by: ctx.user.name };
    notes.push(note);
    events.emit('note', note);
    return note;
  }),
  clear: admin.mutation(() => ({ cleared: notes.splice(2).length })),
  added: open.input(z.object({ lastEventId: z.string().nullish() }).optional()).subscription(async function* ({ input, signal }) {
    const incoming = on(events, 'note', { signal });
    for (const note of notes.slice(Number(input?.lastEventId ?? notes.length))) yield tracked(String(note.id), note);
    for await (const [note] of incoming) yield tracked(String(note.id), note);
  }),
});

const describe = (bytes) => ({ size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });

const fileRouter = t.router({
  form: open.input(z.instanceof(FormData)).mutation(async ({ input }) => {
    const entries = await Promise.all(
      [...input].map(async ([name, value]) => [
        name,
        typeof value === 'string' ? value : { name: value.name, type: value.type, ...describe(Buffer.from(await value.arrayBuffer())) },
      ]),
    );
    return entries;
  }),
  octets: open.input(octetInputParser).mutation(async ({ input }) => {
    const pieces = [];
    for await (const piece of input) pieces.push(piece);
    return describe(Buffer.concat(pieces));
  }),
});

const streamRouter = t.router({
  numbers: open.input(z.object({ count: z.number(), failAt: z.number().optional() })).query(async function* ({ input }) {
    for (let at = 0; at < input.count; at += 1) {
      await pause(1);
      if (at === input.failAt) throw new TRPCError({ code: 'CONFLICT', message: 'the tide turned' });
      yield at;
    }
    return 'all told';
  }),
  deferred: open.query(() => ({
    now: 'fast',
    later: pause(10).then(() => 'slow ☃'),
    never: pause(5).then(() => Promise.reject(new Error('broke late'))),
  })),
  countdown: open.input(z.number()).subscription(async function* ({ input }) {
    for (let left = input; left >= 0; left -= 1) {
      await pause(1);
      yield { left };
    }
  }),
  endless: open.subscription(async function* ({ signal }) {
    counts.opened += 1;
    try {
      for (let at = 0; !signal.aborted; at += 1) {
        yield at;
        await pause(5);
      }
    } finally {
      counts.closed += 1;
    }
  }),
  counts: t.procedure.query(() => counts),
});

export const appRouter = t.router({
  note: noteRouter,
  file: fileRouter,
  stream: streamRouter,
  me: open.query(({ ctx }) => ({ user: ctx.user, calls: ctx.calls })),
  echo: open.input(z.unknown()).query(({ input }) => input ?? null),
  text: open.input(z.number()).query(({ input }) => 'ð'.repeat(input / 2)),
  header: open.input(z.string()).query(({ input, ctx }) => {
    ctx.res.setHeader('X-Said', encodeURIComponent(input));
    return 'said';
  }),
  fail: open.input(z.enum(['plainly', 'teapot', 'timeout', 'payload'])).query(({ input }) => {
    if (input === 'plainly') throw new Error('what the database said');
    const codes = { teapot: 'PRECONDITION_FAILED', timeout: 'TIMEOUT', payload: 'PAYLOAD_TOO_LARGE' };
    throw new TRPCError({ code: codes[input], message: `${input} ☃` });
  }),
  wrongOutput: open.output(z.object({ n: z.number() })).query(() => ({ n: 'no number' })),
});
