/**
 * Carries out the Dockerfile of a project, and prints what its image is. A process of its own, because it
 * waits for its commands, which ask the registry of the process that started it.
 *   node --import ts-register.mjs image.ts <project> <node>
 */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { buildImage } from '../../guides/dockerfile.ts';

const [, , project = '', node = ''] = process.argv;
const path = join(project, '..', 'machine');
mkdirSync(path);
symlinkSync(node, join(path, 'node'));
console.log(JSON.stringify(buildImage(readFileSync(join(project, 'Dockerfile'), 'utf8'), project, { path, node })));
