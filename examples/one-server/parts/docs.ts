/** The document of OpenAPI, and a page that shows it, made of the package `swagger-ui-dist`: built files carry its files. */
import type { App } from 'fulmar';
import { serveOpenapi } from 'fulmar/openapi';

export function addDocs(app: App): void {
  serveOpenapi(app, {
    info: { title: 'Station', version: '1.0.0', description: 'What is seen at the station.' },
    docs: '/docs',
  });
}
