/**
 * Runs SQL through psql, so that seeding and the expected replies need no driver and share nothing with the
 * contestants' driver. Used by database.mjs and by the harness's checks. Never shows the password in a
 * command line.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { findBinaries } from './binaries.mjs';

/** Longest time a statement may take: seeding takes about a second. */
const timeoutMs = 60_000;
const outputBytesMax = 64 * 1024 * 1024;

/**
 * Runs `sql` (or the statements of `file`) at `url`; returns the output, one line per row, columns separated
 * by `|`.
 */
export async function psql(url, { sql, file }) {
  const { username, password, hostname, port, pathname } = new URL(url);
  const env = {
    ...process.env,
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    PGCLIENTENCODING: 'UTF8',
    PGCONNECT_TIMEOUT: '5',
  };
  const what = file === undefined ? ['--command', sql] : ['--file', file];
  const args = ['--no-psqlrc', '--quiet', '--no-password', '--no-align', '--tuples-only', '--set=ON_ERROR_STOP=1', ...what];
  const options = { env, timeout: timeoutMs, maxBuffer: outputBytesMax };
  const { stdout } = await promisify(execFile)(join(findBinaries(), 'psql'), args, options);
  return stdout.replace(/\n$/, '');
}
