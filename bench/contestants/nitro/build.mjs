// Writes the project of each scenario, one file per route, below `dist/<project>/routes`, and has Nitro build it
// (`nitro build`, preset `node_server`). Run by `npm run build`; writes below `dist` alone and never starts a server.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const nitro = join(here, 'node_modules', 'nitro', 'dist', 'cli', 'index.mjs');
const counts = [10, 1000];

const config = `import { defineConfig } from 'nitro';

export default defineConfig({ serverDir: './', preset: 'node_server' });
`;
const answering = (value) => `import { defineHandler } from 'nitro';

export default defineHandler(() => (${value}));
`;
const numbered = (count) => Array.from({ length: count }, (_, route) => [`file${route}.get.ts`, answering(`{ route: ${route} }`)]);

function buildProject(name, files) {
  const folder = join(here, 'dist', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'routes'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(folder, 'nitro.config.mjs'), config);
  for (const [file, text] of files) writeFileSync(join(folder, 'routes', file), text);
  execFileSync(process.execPath, [nitro, 'build'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

buildProject('hello-text', [['index.get.ts', answering("'Hello, World!'")]]);
buildProject('hello-json', [['index.get.ts', answering("{ message: 'Hello, World!' }")]]);
for (const count of counts) buildProject(`file-routes-${count}`, numbered(count));
