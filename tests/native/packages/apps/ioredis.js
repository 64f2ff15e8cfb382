import { Redis } from 'ioredis';
import { serve } from './serve.js';
const redis = new Redis({
  host: '127.0.0.1',
  port: Number(process.env['TEST_REDIS_PORT']),
  lazyConnect: true,
  maxRetriesPerRequest: 1,
});
serve((app) => {
  app.get(
    '/set',
    async (_req, res) => void res.json([await redis.set('key', 'välue', 'EX', 10), await redis.get('key'), await redis.getBuffer('key')]),
  );
  app.get('/pipeline', async (_req, res) => void res.json(await redis.pipeline().incr('n').incr('n').get('none').exec()));
  app.get(
    '/error',
    async (_req, res) =>
      void res.json(
        await redis.call('nonsense').catch((error) => ({
          name: error.name,
          message: error.message,
        })),
      ),
  );
  app.get(
    '/hash',
    async (_req, res) =>
      void res.json([
        await redis.hset('h', {
          a: '1',
          b: '2',
        }),
        await redis.hgetall('h'),
      ]),
  );
});
