/**
 * Equal work: asks a fresh server every request of its scenario and compares status, fields and content with
 * what the scenario says. Gives back the requests for the load generator, which then checks every reply
 * against the very bytes verified here.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { fill, request } from './client.mjs';
import { ContestantError } from './server.mjs';

const decoders = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync };
const shown = 300;

/**
 * `context`: `folder` of the files, `query(text, values)` for expectations that a database gives.
 * Returns the list for `--requests-file`. Throws a ContestantError of stage `verify`.
 */
export async function verify({ server, entrant, scenario, context }) {
  const list = [];
  for (const [index, item] of scenario.requests.entries()) {
    const reply = await ask({ server, entrant, scenario, item });
    await compare({ reply, item, context, where: `${entrant.id}, ${scenario.name}, ${item.method} ${fill(item.path)}` });
    list.push(toLoadRequest({ item, reply, file: join(context.folder, `${entrant.id.replaceAll(/[^\w]/g, '-')}-${index}.body`) }));
  }
  for (const item of scenario.also) {
    const reply = await ask({ server, entrant, scenario, item });
    await compare({ reply, item, context, where: `${entrant.id}, ${scenario.name}, ${item.method} ${fill(item.path)} (refusal)` });
  }
  return list;
}

async function ask({ server, entrant, scenario, item }) {
  try {
    return await request(server.port, item);
  } catch (error) {
    throw new ContestantError('verify', `${entrant.id}, ${scenario.name}: ${item.method} ${item.path}: ${error.message}`, server.output);
  }
}

async function compare({ reply, item, context, where }) {
  const { status, type, headers = {}, decoded } = item.expect;
  const refuse = (what, expected, found) => {
    throw new ContestantError('verify', `${where}: expected ${what} ${expected}, found ${found}`, reply.body.toString().slice(0, shown));
  };
  if (![status].flat().includes(reply.status)) refuse('status', [status].flat().join(' or '), reply.status);
  const mediaType = (reply.headers['content-type'] ?? '').split(';')[0].trim();
  if (type !== undefined && mediaType !== type) refuse('content-type', type, mediaType || 'none');
  for (const [name, value] of Object.entries(headers)) {
    if (reply.headers[name] !== value) refuse(name, value, reply.headers[name] ?? 'none');
  }
  if (decoded && decoders[reply.headers['content-encoding']] === undefined) {
    refuse('content-encoding', 'gzip', reply.headers['content-encoding'] ?? 'none');
  }
  const expected = await expectedBody(item, context);
  if (expected === undefined) return;
  const found = decoded ? decoders[reply.headers['content-encoding']](reply.body) : reply.body;
  if (!found.equals(expected)) refuse('content', excerpt(expected, found), excerpt(found, expected));
}

/** The bytes around the first difference. */
function excerpt(text, other) {
  let index = 0;
  while (index < text.length && text[index] === other[index]) index += 1;
  const from = Math.max(0, index - 40);
  return `${JSON.stringify(text.subarray(from, from + 160).toString())} (${text.length} bytes, differs at ${index})`;
}

async function expectedBody({ expect }, { folder, query }) {
  if (expect.body !== undefined) return Buffer.from(fill(expect.body));
  if (expect.bodyFile !== undefined) return readFileSync(join(folder, expect.bodyFile));
  if (expect.query !== undefined) return Buffer.from(JSON.stringify(await query(expect.query.text, expect.query.values)));
  return undefined;
}

/**
 * What the generator sends and expects; content that has no generated value in it is the verified reply's,
 * byte for byte.
 */
function toLoadRequest({ item, reply, file }) {
  const { method, path, headers = [], body, expect } = item;
  const fields = ['content-type', 'content-encoding', ...Object.keys(expect.headers ?? {})].filter((name) => name in reply.headers);
  const expected = { status: expect.status, headers: fields.map((name) => `${name}: ${reply.headers[name]}`) };
  if (expect.body?.includes('{{')) expected.body = expect.body;
  else if (expect.any === undefined) {
    writeFileSync(file, reply.body);
    expected.body_file = file;
  }
  return { method, path, headers, ...(body === undefined ? {} : { body }), expect: expected };
}
