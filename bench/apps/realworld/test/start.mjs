// Starts the API in a process of its own, on stock Node or through `fulmar run`, and speaks to it. Ends it by
// its pid.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { install } from '../../../../scripts/setup.mjs';

const folder = fileURLToPath(new URL('..', import.meta.url));
const fulmar = fileURLToPath(new URL('../../../../packages/fulmar/bin/fulmar.cjs', import.meta.url));

/** Installs the API's own packages when they are missing. */
export const prepare = () => install(folder);

/** `{ call(method, path, options), stop() }` of a started API. */
export async function start({ isFulmar = false, env = {} } = {}) {
  const args = isFulmar ? [fulmar, 'run', 'server.js'] : ['server.js'];
  const own = { ...process.env, PORT: '0', LOG: 'off', NODE_ENV: 'test', DATABASE_URL: '', ...env };
  const child = spawn(process.execPath, args, { cwd: folder, env: own, stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      const found = /RealWorld API on (\S+)/.exec(output);
      if (found !== null) resolve(found[1]);
    });
    child.once('exit', (code) => reject(new Error(`the API ended with ${code}: ${output}`)));
  });
  return { url, call: (method, path, options) => call(url + path, { method, ...options }), stop: () => stop(child) };
}

async function call(url, { method, body, token, headers = {} }) {
  const sent = new Headers(headers);
  if (token !== undefined) sent.set('authorization', `Token ${token}`);
  if (body !== undefined && !sent.has('content-type')) sent.set('content-type', 'application/json');
  const content = typeof body === 'object' ? JSON.stringify(body) : body;
  const response = await fetch(url, { method, headers: sent, body: content, signal: AbortSignal.timeout(10_000) });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  return code;
}
