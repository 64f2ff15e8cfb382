/** A `fetch` handler: a feed, in nothing but what the web has. An application of Hono would be mounted the same way. */
import type { Bird } from './birds.ts';

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export function createFeed(birds: () => readonly Bird[]): { fetch(request: Request): Response } {
  return {
    fetch(request) {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return new Response('Method Not Allowed\n', { status: 405, headers: { Allow: 'GET, HEAD' } });
      }
      const entries = birds().map(({ id, species, count, by }) => {
        return `  <entry><id>urn:bird:${id}</id><title>${escaped(`${count} × ${species}`)}</title><author><name>${escaped(by)}</name></author></entry>`;
      });
      const feed = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        '  <title>Station</title>',
        ...entries,
        '</feed>',
      ];
      return new Response(`${feed.join('\n')}\n`, { headers: { 'Content-Type': 'application/atom+xml; charset=utf-8' } });
    },
  };
}
