/**
 * `npm run format`: rewrites every source file as the formatters want it. With paths as arguments, only those
 * (oxfmt).
 */
import { join } from 'node:path';
import process from 'node:process';
import { Failure, passThrough, root, runMain } from './lib/run.mjs';
import { setup } from './setup.mjs';

await runMain(async () => {
  await setup();
  const paths = process.argv.slice(2);
  const oxfmt = join(root, 'node_modules', '.bin', 'oxfmt');
  const codes = [await passThrough(process.execPath, [oxfmt, ...(paths.length > 0 ? paths : ['.'])])];
  if (paths.length === 0) codes.push(await passThrough('cargo', ['fmt', '--all']));
  if (codes.some((code) => code !== 0)) throw new Failure('formatting failed');
});
