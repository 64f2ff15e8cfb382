/**
 * Writes the built file: the stub as text, the table of contents, and everything it carries, compressed, in a
 * comment at the end: Node reads all of the file at each start.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { platformTag } from '../../../fulmar/src/host/engine.ts';
import { type Bundled, MAIN } from './bundle.ts';
import { putInPlace } from './output.ts';
import type { Archive, ArchiveEntry } from '../../../fulmar/src/launch/built/types.ts';

/** Near the best ratio, in a tenth of the time. */
const QUALITY = 9;
const DIGEST_LETTERS = 32;

export interface FileInput {
  readonly out: string;
  readonly bundled: Bundled;
  /** Folder of our own bundles. */
  readonly dist: string;
  /** The addon, and the libraries of guests. */
  readonly binaries: readonly string[];
  readonly version: string;
  readonly sourcemap: boolean;
}

/** Returns the size of the file in bytes. */
export function writeBuiltFile({ out, bundled, dist, binaries, version, sourcemap }: FileInput): number {
  const contents: Uint8Array[] = [];
  const files: ArchiveEntry[] = [];
  const add = (name: string, content: Uint8Array, mtimeMs: number): void => {
    contents.push(content);
    files.push({ name, bytes: content.byteLength, mtimeMs });
  };
  for (const [name, code] of bundled.chunks) add(`code/${name}`, Buffer.from(code), 0);
  for (const name of bundled.own) add(`code/${name}`, withoutMap(readFileSync(join(dist, name), 'utf8')), 0);
  for (const { place, file, mtimeMs } of bundled.assets) add(`files/${place}`, readFileSync(file), mtimeMs);
  for (const file of binaries) add(`code/${basename(file)}`, readFileSync(file), 0);
  const content = Buffer.concat(contents);
  const table = {
    platform: platformTag(),
    main: MAIN,
    hasSourceMaps: sourcemap,
    entries: bundled.entries,
    files,
  };
  const digest = createHash('sha256').update(JSON.stringify(table)).update(content).digest('hex').slice(0, DIGEST_LETTERS);
  const text = toText({ archive: { ...table, digest }, content, stub: readFileSync(join(dist, 'build-stub.cjs'), 'utf8'), version });
  putInPlace(out, (temporary) => writeFileSync(temporary, text, { mode: 0o755 }));
  return Buffer.byteLength(text);
}

const withoutMap = (code: string): Buffer => Buffer.from(code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'));

/** Stands before everything else: what comes after it, an older Node reads and cannot run. */
const versionCheck = `const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(\`fulmar: this file needs Node 20.19 or later, and this is Node \${process.versions.node}. Install a newer one.\\n\`);
  process.exit(1);
}`;

interface Parts {
  readonly archive: Archive;
  readonly content: Buffer;
  readonly stub: string;
  readonly version: string;
}

function toText({ archive, content, stub, version }: Parts): string {
  const packed = brotliCompressSync(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength },
  });
  return `// Made by fulmar build ${version}. Run it with node.
${versionCheck}
const exports = {};
{
${withoutMap(stub).toString().trimEnd()}
}
await import(exports.start(import.meta.url, ${JSON.stringify(archive)}));
/*fulmar-files:${packed.toString('base64')}*/
`;
}
