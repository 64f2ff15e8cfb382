/** The API that the vectors of the protocol are asked of. */
import { z } from 'zod';
import { middleware, mutation, query, rpc, rpcError, scoped } from '../../src/rpc/index.ts';

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
        touch: mutation({ params: [] }, () => undefined),
        all: query({ params: [{ type: 'integer' }] }, async function* (_c, count) {
          for (let at = 0; at < count; at += 1) yield { at: new Date(at) };
        }),
      },
      visits: scoped(remembered, { count: mutation({ params: [] }, () => 1) }),
    },
    { batchMax: 5 },
  );
