/** The API that the vectors of the protocol are asked of. */
import { mutation, query, rpc, rpcError } from '../../src/rpc/index.ts';

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
    },
    { batchMax: 5, types: true },
  );
