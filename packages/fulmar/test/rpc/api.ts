/** The API that the vectors of the protocol are asked of. */
import { z } from 'zod';
import { file, middleware, mutation, query, rpc, rpcError, scoped, stream } from '../../src/rpc/index.ts';

const since = z.object({ since: z.date() });
const remembered = middleware({ values: since, results: since }, (call, next) => {
  call.addResults({ since: call.values.since });
  return next();
});

export const makeApi = () =>
  rpc(
    {
      users: {
        get: query({ params: [{ type: 'integer' }] }, (_c, id) =>
          id === 1
            ? { id, since: new Date(0) }
            : rpcError({ type: 'no-user', status: 404, publicMessage: 'There is no such user.', data: { id } }),
        ),
        list: query({ params: [{ type: 'integer' }] }, (_c, count) => Array.from({ length: count }, (_, at) => ({ id: at + 1 }))),
        names: query({ params: [{ type: 'array', items: { type: 'integer' } }] }, (_c, ids) => ids.join(', ').slice(0, 4)),
        touch: mutation({ params: [] }, () => undefined),
        all: query({ params: [{ type: 'integer' }] }, async function* (_c, count) {
          for (let at = 0; at < count; at += 1) yield { at: new Date(at) };
        }),
      },
      photos: {
        add: mutation({ params: [{ type: 'string' }, file()], upload: { fileSize: 1000 } }, async (_c, title, given) => [
          title,
          given.name,
          given.type,
          given.size,
          await given.text(),
        ]),
        get: query({ params: [] }, () => new File(['hi'], 'höhle.txt', { type: 'text/plain', lastModified: 0 })),
        first: mutation({ params: [stream({ type: 'integer' })] }, async (_c, numbers) => {
          let sum = 0;
          for await (const one of numbers) sum += one;
          return sum;
        }),
      },
      visits: scoped(remembered, { count: mutation({ params: [] }, () => 1) }),
    },
    { batchMax: 5, types: true },
  );
