/**
 * The module that a build of the server begins with: the app, beside the files of the client, on a port. Text, because
 * the bundler is what reads it.
 */
export interface ServerEntry {
  /** The module that exports the app. */
  readonly file: string;
  readonly name: string;
  /** Where the app answers, and no page is given in its place. */
  readonly paths: readonly string[];
  /** What stands before the paths of the client's files. */
  readonly base: string;
  /** Files whose names change with their content, below the client's. */
  readonly assets: string;
  /** The client's files, from the built module on. */
  readonly client: string;
}

/** Of files whose names say what is in them. */
const YEAR_SECONDS = 365 * 24 * 60 * 60;

export function serverEntry({ file, name, paths, base, assets, client }: ServerEntry): string {
  const say = (value: unknown): string => JSON.stringify(value);
  const prefix = base.startsWith('/') ? base.replace(/\/+$/, '') : '';
  return `import { staticFiles } from 'fulmar/middleware';
import * as exported from ${say(file)};

const app = exported.default;
if (typeof app?.listen !== 'function' || typeof app.use !== 'function')
  throw new TypeError(${say(`${name} has no app as its default export: export default createApp() of 'fulmar'.`)});
const root = new URL(${say(client)}, import.meta.url);
app.use(staticFiles({ root: new URL(${say(`${assets}/`)}, root), prefix: ${say(`${prefix}/${assets}`)}, immutable: true, maxAge: ${YEAR_SECONDS}, index: false }));
const pages = staticFiles({ root, prefix: ${say(prefix === '' ? '/' : prefix)}, fallback: 'index.html' });
const isOfApp = (path) => ${say(paths)}.some((one) => path === one || path.startsWith(one + '/'));
app.use((c, next) => (isOfApp(c.pathname) ? next() : pages(c, next)));
const server = await app.listen();
console.log('listening on ' + server.url);
export default app;
`;
}
