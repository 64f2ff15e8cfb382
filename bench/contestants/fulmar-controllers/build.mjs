/**
 * The program of `nest-express`, as it is, with its imports changed: what Nest's migration page asks for. Files are
 * Nest's package for static files, which is not measured here. Writes `src` and `dist`, which are nobody's sources.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
const given = join(folder, '..', 'nest-express', 'src');
const src = join(folder, 'src');
const leftOut = ['files.ts'];
const nest = /'@nestjs\/(?:common|core|platform-express)'/g;

rmSync(src, { recursive: true, force: true });
mkdirSync(src);
for (const name of readdirSync(given)) {
  if (leftOut.includes(name)) continue;
  const text = readFileSync(join(given, name), 'utf8').replaceAll(nest, "'fulmar/controllers'");
  writeFileSync(join(src, name), text.replaceAll(/^.*import\('\.\/files\.js'\).*\n/gm, ''));
}
execFileSync(process.execPath, [join(folder, 'node_modules', 'typescript', 'bin', 'tsc')], { cwd: folder, stdio: 'inherit' });
