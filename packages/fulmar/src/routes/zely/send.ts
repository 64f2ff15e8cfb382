/**
 * Values of Zely's handlers into a response of Node's, as Zely writes them: text as it is, everything else as JSON, and no
 * `Content-Type` but the one that was set.
 */
import { createReadStream, existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { typeOfName } from '../../web/media-types.ts';

/** What `response()` of Zely makes. */
interface ZelyResponse {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
}

/** Nothing for `undefined`, and where somebody has answered. @throws TypeError for what cannot be sent */
export function sendValue(response: ServerResponse, value: unknown, status?: number): void {
  if (response.writableEnded || value === undefined) return;
  if (isZelyResponse(value)) {
    for (const [name, field] of Object.entries(value.headers)) response.setHeader(name, field);
    return sendValue(response, value.body, value.status);
  }
  if (status !== undefined) response.statusCode = status;
  response.end(textOf(value));
}

function textOf(value: unknown): string | Uint8Array {
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError(`A ${typeof value} cannot be sent: return a text, an object, a number.`);
  return typeof value === 'object' ? JSON.stringify(value) : String(value as number);
}

/** By its members: bundles have copies of the class, under other names. */
const isZelyResponse = (value: unknown): value is ZelyResponse =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) !== Object.prototype &&
  Object.keys(value).toSorted().join() === 'body,headers,status';

/** To be saved. The path is the application's. @throws Error for one that is not there */
export function sendFile(response: ServerResponse, file: string): void {
  if (!existsSync(file)) throw new Error(`no such file or directory. ${file}`);
  response.setHeader('Content-Type', typeOfName(path.extname(file)));
  response.setHeader('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(path.basename(file))}`);
  createReadStream(file)
    .once('error', (error) => response.destroy(error))
    .pipe(response);
}
