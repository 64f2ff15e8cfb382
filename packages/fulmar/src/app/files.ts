/**
 * Files as values of handlers: found below a root, with what their reply says. What `staticFiles()` and the
 * context's `file()` share; loaded with the first of them, because it needs a file system.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { create as createDisposition } from 'content-disposition';
import { answerFile, type FoundFile, typeOfFile } from '../web/static/answer-file.ts';
import { resolvePath } from '../web/static/file-path.ts';
import { findFile, firstOf } from '../web/static/find-file.ts';
import { type NormalOptions, normalizeOptions } from '../web/static/send-options.ts';
import type { AnyContext } from './context.ts';
import type { FileOptions } from './file-options.ts';
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
 * Answers with the file at `file`, which is below `options.root` where there is one, and contained in it. Without
 * one its folder is trusted: only its own name is looked at. @throws HttpError 400, 403, 404, 412, 416
 */
async function send(c: AnyContext, file: string | URL, { root, ...options }: FileOptions): Promise<Reply | null> {
  const settings: NormalOptions = { ...normalizeOptions(options), index: [], root: root === undefined ? null : toPath(root) };
  const isTrusted = settings.root === null && settings.dotfiles === 'ignore';
  const name = typeof file === 'string' ? file : fileURLToPath(file);
  // Of the file system, not of a URL: what looks like an escape stays as it is.
  const resolved = resolvePath(encodeURIComponent(name), isTrusted ? { ...settings, dotfiles: 'ignoreLast' } : settings);
  if (typeof resolved === 'number') throw new HttpError(resolved);
  const found = await findFile(resolved, settings);
  if (found === undefined || found === 'folder') throw new HttpError(404);
  return reply(c, found, settings);
}

/** The same as a file to be saved. The field is the last thing: an error is none. */
async function download(c: AnyContext, file: string | URL, options: FileOptions, name?: string): Promise<Reply | null> {
  const answer = await send(c, file, options);
  const given = name ?? path.basename(typeof file === 'string' ? file : fileURLToPath(file));
  if (c.lines?.has('content-disposition') !== true) c.header('Content-Disposition', createDisposition(given));
  return answer;
}

export default { download, findFile, firstOf, reply, resolvePath, send, settingsOf: normalizeOptions, toPath, typeOfFile };
