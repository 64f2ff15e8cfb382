/** A project of a client and a server under Vite, for the tests of `fulmar/vite`, and its dev server on a port of its own. */
import { createServer, type InlineConfig, type ViteDevServer } from 'vite';
import fulmar from 'fulmar/vite';
import { createProject, type Project } from './project.ts';

export const server = `import { createApp } from 'fulmar';
import { rpc, query } from 'fulmar/rpc';
import { birds } from './birds';
import type { Bird } from './bird';

export const api = rpc({ first: query((c, least: number): Bird => ({ name: birds[0] ?? '', least })) }, { basePath: '/rpc' });
const app = createApp();
app.mount('/api', api);
app.get('/api/birds', () => birds);
app.get('/api/fail', () => {
  throw new Error('of the handler');
});
app.post('/api/upload', async (c) => ({ bytes: (await c.body.bytes()).length }));
app.get('/api/stream', async function* (c) {
  yield 'one;';
  await new Promise((resolve) => c.signal.addEventListener('abort', resolve));
  (globalThis as { left?: number }).left = 1;
});
app.websocket('/api/echo', { message: (socket, message) => void socket.send(\`\${birds[0]}: \${message}\`) });
export default app;
`;

export const files: Readonly<Record<string, string>> = {
  'index.html': '<!doctype html><div id="app"></div><script type="module" src="/src/main.ts"></script>\n',
  'src/main.ts':
    "import { validate } from 'fulmar/types';\nimport type { Bird } from '../server/bird';\ndocument.title = String(validate<Bird>({}));\n",
  'server/app.ts': server,
  'server/birds.ts': "export const birds = ['fulmar', 'petrel'];\n",
  'server/bird.ts': 'export interface Bird { name: string; least: number }\n',
};

export interface Running {
  readonly project: Project;
  readonly vite: ViteDevServer;
  readonly url: string;
  /** What Vite has printed as errors. */
  readonly errors: readonly string[];
  stop(): Promise<void>;
}

export function configOf(folder: string, more: InlineConfig = {}): InlineConfig {
  return { root: folder, configFile: false, logLevel: 'silent', plugins: [fulmar({ entry: 'server/app.ts' })], ...more };
}

export function addressOf({ httpServer }: ViteDevServer): string {
  const address = httpServer?.address();
  if (typeof address !== 'object' || address === null) throw new Error('the dev server does not listen');
  return `http://127.0.0.1:${address.port}`;
}

export async function startVite({ https }: { https?: { key: string; cert: string } } = {}): Promise<Running> {
  const project = createProject(files);
  const errors: string[] = [];
  const config = configOf(project.folder, { server: { port: 0, host: '127.0.0.1', ...(https !== undefined && { https }) } });
  const vite = await createServer(config);
  const { error } = vite.config.logger;
  vite.config.logger.error = (message, options) => {
    errors.push(message);
    error(message, options);
  };
  await vite.listen();
  const stop = async (): Promise<void> => {
    await vite.close();
    project.remove();
  };
  return { project, vite, url: addressOf(vite), errors, stop };
}
