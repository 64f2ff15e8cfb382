// Writes the projects of the scenarios `file-routes-…`: a folder of pages each, one file per route
// (`GET /file<N>`). Run by `npm run build`; writes below `dist` alone and never starts a server.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

// `res.json` of Zely sends no Content-Type by itself.
const page = (route) => `import { ZelyRequest, ZelyResponse } from 'zely';

export function get(req: ZelyRequest, res: ZelyResponse) {
  res.setHeader('Content-Type', 'application/json');
  res.json({ route: ${route} });
}
`;

function writeProject(count) {
  const folder = join(here, 'dist', `file-routes-${count}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'pages'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  for (let route = 0; route < count; route += 1) writeFileSync(join(folder, 'pages', `file${route}.ts`), page(route));
}

for (const count of [10, 1000]) writeProject(count);
