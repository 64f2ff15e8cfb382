// The two greetings. Deepkit sends a text as HTML unless the reply names its type. Nothing here reads a
// request.
import { HttpRouterRegistry, Response } from '@deepkit/http';

export function text(router: HttpRouterRegistry) {
  router.get('/', () => new Response('Hello, World!', 'text/plain; charset=utf-8'));
}

export function json(router: HttpRouterRegistry) {
  router.get('/', () => ({ message: 'Hello, World!' }));
}
