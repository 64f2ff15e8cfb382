/**
 * Files as values of handlers: found below a root, with what their reply says. What `staticFiles()` and the
 * context's `file()` share; loaded with the first of them, because it needs a file system.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerFile, type FoundFile, typeOfFile } from '../web/static/answer-file.ts';
import { resolvePath } from '../web/static/file-path.ts';
import { findFile, firstOf } from '../web/static/find-file.ts';
import { type NormalOptions, normalizeOptions, type SendOptions } from '../web/static/send-options.ts';
import type { AnyContext } from './context.ts';
import { HttpError } from './http-error.ts';
import { Reply } from './reply-value.ts';

/** A file's path, relative to the working directory, or the URL of one. */
function toPath(given: string | URL): string {
  return path.resolve(typeof given === 'string' ? given : fileURLToPath(given));
}

/**
 * What a handler returns to answer with a file. `type`: instead of what follows from its name. @throws
 * HttpError 412, 416
 */
function reply(c: AnyContext, found: FoundFile, settings: NormalOptions, type: string = typeOfFile(found.file)): Reply | null {
  const isPlain = (c.statusCode !== 0 && c.statusCode !== 200) || (c.method !== 'GET' && c.method !== 'HEAD');
  const fields = { get: (name: string) => c.lines?.get(name), set: (name: string, value: string) => void c.header(name, value) };
  const { status, content } = answerFile(c.exchange, fields, found, { ...settings, isPlain });
  if (status === 412) throw new HttpError(412);
  if (status === 416) throw new HttpError(416, undefined, { headers: { 'Content-Range': c.lines?.get('content-range') ?? '' } });
  if (status !== 200) c.status(status);
  if (status !== 304) return new Reply(type, content);
  for (const name of ['Content-Type', 'Content-Encoding', 'Content-Language', 'Content-Range']) c.lines?.delete(name);
  return null;
}

/**
 * Answers with the file at `file`, which is below `options.root` where there is one, and contained in it.
 * @throws HttpError 400, 403, 404, 412, 416
 */
async function send(c: AnyContext, file: string, options: SendOptions = {}): Promise<Reply | null> {
  const settings = { ...normalizeOptions(options), index: [] };
  // Of the file system, not of a URL: what looks like an escape stays as it is.
  const resolved = resolvePath(encodeURIComponent(file), settings);
  if (typeof resolved === 'number') throw new HttpError(resolved);
  const found = await findFile(resolved, settings);
  if (found === undefined || found === 'folder') throw new HttpError(404);
  return reply(c, found, settings);
}

export default { findFile, firstOf, reply, resolvePath, send, settingsOf: normalizeOptions, toPath, typeOfFile };
