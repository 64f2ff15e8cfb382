// Compiles the server into one executable, as the documentation of Bun and Elysia recommends for production.
import { execFileSync } from 'node:child_process';
import { binaryOf } from '../../harness/runtimes.mjs';

const options = ['--compile', '--minify-whitespace', '--minify-syntax', '--target', 'bun', '--outfile', 'dist/server'];
execFileSync(binaryOf('bun'), ['build', ...options, 'server.ts'], { stdio: 'inherit' });
