// Elysia on Bun, as its documentation starts: a handler that returns an object.
import { Elysia } from 'elysia';

const app = new Elysia().get('/', () => ({ hello: 'world' })).listen({ port: Number(process.env.PORT ?? 0), hostname: '127.0.0.1' });
console.log(`listening ${app.server?.port}`);
