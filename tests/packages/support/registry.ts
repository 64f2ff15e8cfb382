/**
 * A registry that has our tarballs, as if they were published, and asks the one that npm is set to for
 * everything else.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { type Packed, tag } from './packed.ts';

export interface Registry {
  readonly url: string;
  close(): void;
}

interface Published {
  readonly tarball: Buffer;
  readonly file: string;
  readonly manifest: { readonly name: string; readonly version: string };
}

export async function startRegistry({ tarballs }: Packed): Promise<Registry> {
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim().replace(/\/$/, '');
  const published = new Map([...tarballs].map(([name, file]) => [name, read(file)]));
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/').slice(1);
    const file = [...published.values()].find((one) => path === `tarballs/${one.file}`);
    const found = published.get(path);
    if (file !== undefined) response.end(file.tarball);
    else if (found !== undefined) response.setHeader('content-type', 'application/json').end(JSON.stringify(toDocument(found, server)));
    else void forward(`${upstream}${request.url}`, request.headers.accept ?? '*/*', response);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { url: urlOf(server), close: () => server.close().closeAllConnections() };
}

const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

function read(file: string): Published {
  const manifest = JSON.parse(execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' })) as Published['manifest'];
  return { tarball: readFileSync(file), file: basename(file), manifest };
}

function toDocument({ tarball, file, manifest }: Published, server: Server): object {
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const shasum = createHash('sha1').update(tarball).digest('hex');
  const dist = { tarball: `${urlOf(server)}tarballs/${file}`, integrity, shasum };
  const { name, version } = manifest;
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } }, time: {} };
}

async function forward(url: string, accept: string, response: ServerResponse): Promise<void> {
  try {
    const answer = await fetch(url, { headers: { accept } });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
    const bytes = Buffer.from(await answer.arrayBuffer());
    response.end(answer.headers.get('content-type')?.includes('json') === true ? withoutOtherPlatforms(bytes.toString()) : bytes);
  } catch (error) {
    response.writeHead(502).end(String(error));
  }
}

interface Document {
  readonly versions?: Record<string, { optionalDependencies?: Record<string, string> }>;
}

const platforms = /android|darwin|freebsd|linux|openharmony|wasm32|win32/;

/** With a C library in their name, or for all of them. */
const isOurs = (name: string): boolean => name.includes(tag) || name.endsWith(`${process.platform}-${process.arch}`);

/** A mirror may lack packages of other platforms, which Yarn looks up although it does not install them. */
function withoutOtherPlatforms(text: string): string {
  const document = JSON.parse(text) as Document;
  for (const { optionalDependencies = {} } of Object.values(document.versions ?? {})) {
    for (const name of Object.keys(optionalDependencies)) {
      if (platforms.test(name) && !isOurs(name)) delete optionalDependencies[name];
    }
  }
  return JSON.stringify(document);
}
