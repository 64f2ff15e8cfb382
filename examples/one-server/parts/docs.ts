/**
 * The document of OpenAPI, and a page that shows it. The page's files are those of the package `swagger-ui-dist`, which built
 * files and executables do not carry: there `/docs` says so, and the document is served all the same.
 */
import { createRequire } from 'node:module';
import type { App } from 'fulmar';
import { serveOpenapi } from 'fulmar/openapi';

const PATH = '/docs';
const MISSING = {
  title: 'No page here',
  status: 501,
  detail: 'The document is at /openapi.json. The page that shows it needs the package swagger-ui-dist, which is not found from here.',
};

export function addDocs(app: App): void {
  const hasPage = isInstalled('swagger-ui-dist/package.json');
  serveOpenapi(app, {
    info: { title: 'Station', version: '1.0.0', description: 'What is seen at the station.' },
    docs: hasPage && PATH,
  });
  if (!hasPage) app.get(PATH, { hidden: true }, (c) => c.status(MISSING.status).json(MISSING));
}

/** An executable has no main module to look from, and no packages. */
function isInstalled(id: string): boolean {
  try {
    createRequire(String(process.argv[1])).resolve(id);
    return true;
  } catch {
    return false;
  }
}
