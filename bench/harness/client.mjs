/**
 * One HTTP request on a connection of its own, for the checks before load. Never used while something is
 * measured.
 */
import { request as send } from 'node:http';

const defaultTimeoutMs = 10_000;

/** Field lines `Name: value` as an object. */
export function headersOf(lines = []) {
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]));
}

/**
 * Sends `{ method, path, headers, body }`; resolves to `{ status, headers, body }` with the raw bytes of the
 * content.
 */
export function request(port, { method = 'GET', path = '/', headers, body, timeoutMs = defaultTimeoutMs }) {
  const fields = headersOf(headers);
  const content = body === undefined ? undefined : Buffer.from(fill(body));
  if (content !== undefined) fields['Content-Length'] = content.length;
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path: fill(path), headers: fields, agent: false, timeout: timeoutMs };
    const outgoing = send(options, (reply) => {
      const chunks = [];
      reply.on('data', (chunk) => chunks.push(chunk));
      reply.on('error', reject);
      reply.on('end', () => resolve({ status: reply.statusCode, headers: reply.headers, body: Buffer.concat(chunks) }));
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no reply within ${timeoutMs} ms`)));
    outgoing.on('error', reject);
    outgoing.end(content);
  });
}

/** Puts one sample value where the load generator generates many. */
export function fill(text) {
  return text.replaceAll('{{id}}', '42');
}
