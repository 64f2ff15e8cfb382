// Writes the folders of routes of each scenario, one file per route, below `dist/<project>/routes`. Run by
// `npm run build`; writes below `dist` alone and never starts a server.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const counts = [10, 1000];

const answering = (value) => `export const GET = () => (${value});\n`;
const numbered = (count) => Array.from({ length: count }, (_, route) => [`file${route}.ts`, answering(`{ route: ${route} }`)]);

function writeProject(name, files) {
  const folder = join(here, 'dist', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'routes'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  for (const [file, text] of files) writeFileSync(join(folder, 'routes', file), text);
}

writeProject('hello-text', [['index.ts', answering("'Hello, World!'")]]);
writeProject('hello-json', [['index.ts', answering("{ message: 'Hello, World!' }")]]);
for (const count of counts) writeProject(`file-routes-${count}`, numbered(count));
