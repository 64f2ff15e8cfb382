/** What the type checker knows of a server in its client, and what it refuses. Never run, checked with the sources. */
import { z } from 'zod';
import { type ClientError, createClient } from '../../../client/src/index.ts';
import { parts } from '../../../client/src/parts.ts';
import { file, mutation, procedures, query, rpc, rpcError, type RpcFailure, scoped, stream } from '../../src/rpc/index.ts';

type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
declare function same<One, Other>(is: Same<One, Other>): void;

interface User {
  id: number;
  name: string;
  since: Date;
}
declare const user: User;

const api = rpc({
  users: {
    get: query((_c, id: number) => (id === 1 ? user : rpcError({ type: 'no-user', status: 404, data: { id } }))),
    update: mutation(async (_c, given: User, notify?: boolean): Promise<User> => (notify === true ? given : user)),
    rename: (_c, id: number, name: string) => `${id} ${name}`,
    all: query(async function* (_c, count: number) {
      for (let at = 0; at < count; at += 1) yield user;
    }),
  },
  byZod: query({ params: [z.object({ id: z.number() })] }, (_c, { id }) => {
    same<typeof id, number>(true);
    return id;
  }),
  byJsonSchema: query({ params: [{ type: 'integer' }, { type: 'string' }] }, (_c, id, name) => {
    same<typeof id, number>(true);
    same<typeof name, string>(true);
    return { id, name };
  }),
  // A client sends what a schema takes, and leaves out what it fills in; the procedure has what the schema makes of it.
  converted: query({ params: [z.string().transform(Number), z.object({ size: z.number().default(20) }).optional()] }, (_c, id, page) => {
    same<typeof id, number>(true);
    same<typeof page, { size: number } | undefined>(true);
    return id;
  }),
  coerced: query({ params: [z.number().default(1), z.coerce.date()] }, (_c, page, since) => {
    same<typeof page, number>(true);
    same<typeof since, Date>(true);
    return since;
  }),
  returned: query({ params: [z.number()], returns: z.object({ name: z.string(), size: z.number().transform(String) }) }, async (_c, id) =>
    id === 1 ? { name: 'auk', size: 1, secret: true } : rpcError({ type: 'no-bird', status: 404 }),
  ),
  returnedEach: query({ params: [], returns: z.string().transform(Number) }, async function* () {
    yield '1';
  }),
  returnedJson: query({ params: [], returns: { type: 'object' } }, () => ({ id: 1 })),
  admin: scoped(async (_call, next) => next(), { wipe: mutation((_c) => true) }),
});

const uploads = rpc({
  photo: mutation(async (_c, id: number, file: File, ...more: Blob[]) => file.size + more.length + id),
  bySchema: mutation({ params: [file(), stream({ type: 'integer' })] }, async function* (_c, given, numbers) {
    same<typeof given, File>(true);
    for await (const one of numbers) {
      same<typeof one, number>(true);
      yield { one };
    }
  }),
  days: mutation(async (_c, days: AsyncIterable<Date>) => days),
  give: query((_c): File | RpcFailure<'gone'> => new File([], 'a')),
});

const client = createClient<typeof api>('https://birds.example/api');
const uploader = createClient<typeof uploads>('https://birds.example/api', { parts: parts({ streams: 'whole' }) });

async function calls(): Promise<void> {
  const [found, error] = await client.query.users.get(1);
  if (error === undefined) same<typeof found, User>(true);
  else if (error.type === 'no-user') same<typeof error, ClientError<'no-user', { id: number }>>(true);
  const changed = await client.orThrow.mutate.users.update(user, true);
  same<typeof changed, User>(true);
  same<typeof renamed, string>(true);
  const renamed = await client.orThrow.mutate.users.rename(1, 'x');
  for await (const one of await client.orThrow.query.users.all(2)) same<typeof one, User>(true);
  same<boolean, Awaited<ReturnType<typeof client.orThrow.mutate.admin.wipe>>>(true);
  const [first, second] = await client.batch((plan) => {
    const one = plan.users.get(1);
    return [one, plan.users.rename(one.id, one.name)];
  });
  if (first[1] === undefined) same<(typeof first)[0], User>(true);
  if (second[1] === undefined) same<(typeof second)[0], string>(true);
  const [renamedTo, failed] = await client.pipe(
    (plan) => plan.users.get(1),
    (one, plan) => plan.users.rename(one.id, one.name),
  );
  if (failed === undefined) same<typeof renamedTo, string>(true);
  else if (failed.type === 'no-user') same<typeof failed, ClientError<'no-user', { id: number }>>(true);
  const updated = await client.orThrow.pipe(
    (plan) => plan.users.get(1),
    (one, plan) => plan.users.update({ id: one.id, name: 'x', since: one.since }, true),
  );
  same<typeof updated, User>(true);
  const [made, refused] = await client.query.returned(1);
  if (refused === undefined) same<typeof made, { name: string; size: string }>(true);
  else if (refused.type === 'no-bird') same<typeof refused.status, number>(true);
  for await (const item of await client.orThrow.query.returnedEach()) same<typeof item, number>(true);
  same<Awaited<ReturnType<typeof client.orThrow.query.returnedJson>>, { id: number }>(true);
}
void calls;

async function sent(blob: Blob, file: File, days: AsyncGenerator<Date>, web: ReadableStream<Date>): Promise<void> {
  const [size] = await uploader.mutate.photo(1, file, blob);
  same<typeof size, number | undefined>(true);
  for await (const item of await uploader.orThrow.mutate.bySchema(file, numbersOf())) same<typeof item, { one: number }>(true);
  await uploader.mutate.days(days);
  await uploader.mutate.days(web);
  const given = await uploader.orThrow.query.give();
  same<typeof given, File>(true);
  // @ts-expect-error a blob has no name
  await uploader.mutate.photo(1, blob);
  // @ts-expect-error items of another type
  await uploader.mutate.days(numbersOf());
  // @ts-expect-error a list is no stream
  await uploader.mutate.days([new Date()]);
}
async function* numbersOf(): AsyncGenerator<number, void, undefined> {
  yield 1;
}
void sent;

// @ts-expect-error a parameter of another type
void client.query.users.get('1');
// @ts-expect-error a parameter that is missing
void client.query.users.get();
// @ts-expect-error a parameter too many
void client.query.users.get(1, 2);
// @ts-expect-error a name that the server does not have
void client.query.users.fetch(1);
// @ts-expect-error a mutation is no query
void client.query.users.update(user);
// @ts-expect-error a query is no mutation
void client.mutate.users.get(1);
// @ts-expect-error a member that is missing
void client.mutate.users.update({ id: 1, name: 'x' });
// @ts-expect-error what a schema asks for
void client.query.byZod({ id: 'x' });
void client.query.converted('7');
void client.query.converted('7', {});
// @ts-expect-error what the procedure is given is not what the schema takes
void client.query.converted(7);
void client.query.coerced(undefined, '2026-11-25');
// @ts-expect-error a schema that takes anything may still want something
void client.query.coerced(1);
// @ts-expect-error a part of a result that is of another type
void client.batch((plan) => [plan.users.get(plan.users.get(1).name)]);

void client.pipe(
  (plan) => plan.users.get(1),
  // @ts-expect-error a part that the result does not have
  (one, plan) => plan.users.get(one.age),
);
void client.pipe(
  (plan) => plan.users.get(1),
  // @ts-expect-error a part of another type, deep in a parameter
  (one, plan) => plan.users.update({ id: one.name, name: 'x', since: one.since }),
);
void client.pipe(
  (plan) => plan.users.get(1),
  // @ts-expect-error a step that plans nothing
  (one) => one.id,
);

// A server that has changed breaks its client.
const changed = rpc({ users: { get: query((_c, id: string) => id) } });
// @ts-expect-error a parameter of another type than before
void createClient<typeof changed>('').query.users.get(1);
// @ts-expect-error a procedure that is gone
void createClient<typeof changed>('').mutate.users.update(user);

const own = procedures<{ readonly user: string }>();
rpc({ me: own.query((c) => c.user) }, { context: (c) => ({ user: c.header('x') ?? '' }) });
// @ts-expect-error a context that nobody makes
rpc({ me: own.query((c) => c.user) });
// @ts-expect-error a context of another type
rpc({ me: own.query((c) => c.user) }, { context: () => ({ user: 1 }) });
