/** Which Express answers for applications that bring version 4 of it. */
import { readFileSync } from 'node:fs';
import type { Engine } from './launch.ts';

interface Manifest {
  readonly exports: Readonly<Record<string, unknown>>;
}

const manifest = JSON.parse(readFileSync(new URL('../../../packages/fulmar/package.json', import.meta.url), 'utf8')) as Manifest;

/** Ours where the package has one; otherwise it is left in place. */
export const EXPRESS_4: Engine['express'] = './express4' in manifest.exports ? 'fulmar/express4' : 'express';
