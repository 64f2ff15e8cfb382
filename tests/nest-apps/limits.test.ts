/** @nestjs/throttler, @nestjs/cache-manager, @nestjs/terminus, @nestjs/axios. */
import { playNestApp } from './support/play.ts';

playNestApp({
  name: 'limits',
  native: true,
  // Terminus asks for them by names that it puts together.
  require: ['@nestjs/axios', 'axios'],
  async play({ ask }) {
    for (const path of ['', '', '', '', '/one', '/one', '/free']) await ask(`/limited${path}`);
    for (const path of ['page/1', 'page/1', 'page/2', 'keyed', 'keyed', 'key']) await ask(`/cached/${path}`);
    await ask('/cached', { method: 'DELETE' });
    for (const path of ['key', 'page/1']) await ask(`/cached/${path}`);
    for (const path of ['', '/down', '/itself', '/client']) await ask(`/health${path}`);
  },
});
