/**
 * `serveOpenapi(app, options)`: the document of an app as routes of that app, as JSON, as YAML, and as a page. The
 * document is made with the first request for it, and anew when routes have been added since.
 */
import type { App } from '../app.ts';
import { type Check, checkOptions } from '../checked-options.ts';
import { routesOf } from '../registry/index.ts';
import { openapi } from './document.ts';
import { serveDocument, ServedDocument } from './document-routes.ts';
import { checkDocumentOptions, DOCUMENT_CHECKS, type OpenApiOptions } from './options.ts';

export interface ServeOpenApiOptions extends OpenApiOptions {
  /** Default: `/openapi.json`. */
  readonly json?: string;
  /** Default: `/openapi.yaml`. */
  readonly yaml?: string | false;
  /** Where the page is, which needs `swagger-ui-dist` among the application's packages. Default: no page. */
  readonly docs?: string | false;
}

const PATH = /^(?:\/[\w.~-]+)+$/;
const isPath = (value: unknown): boolean => typeof value === 'string' && PATH.test(value);
const PATH_OR_NOT: Check = [(value) => value === false || isPath(value), "a path of plain text, as '/docs', or false"];

/** The document's own options, to be handed on. */
function split(options: ServeOpenApiOptions): { document: OpenApiOptions; json: string; yaml: string | false; docs: string | false } {
  const checks = {
    ...DOCUMENT_CHECKS,
    json: [isPath, "a path of plain text, as '/openapi.json'"] as Check,
    yaml: PATH_OR_NOT,
    docs: PATH_OR_NOT,
  };
  checkOptions<ServeOpenApiOptions>('serveOpenapi', options, checks);
  const { json = '/openapi.json', yaml: asYaml = '/openapi.yaml', docs = false, ...document } = options;
  checkDocumentOptions('serveOpenapi', document);
  return { document, json, yaml: asYaml, docs };
}

/**
 * @throws TypeError for options that are none, and for paths that the app has routes for; Error where the page is
 *   wanted and its package is missing
 */
export function serveOpenapi(app: App, options: ServeOpenApiOptions): void {
  const { document, json, yaml: asYaml, docs } = split(options);
  const whole = outermost(app);
  // Files of routes that no request has needed yet are in the document, too.
  serveDocument(app, { json, yaml: asYaml, docs, load: () => whole.scope.loading(null) }, keeper(whole, document));
}

/** As a plugin and in a group it is given an app within the one that is meant, with none of its routes. */
function outermost(app: App): App {
  let { scope } = app;
  while (scope.origin !== null) scope = scope.origin.within;
  return (scope.face as App | null) ?? app;
}

function keeper(app: App, options: OpenApiOptions): () => ServedDocument {
  let made: ServedDocument | undefined;
  let routes = -1;
  return () => {
    const count = routesOf(app).length;
    if (made === undefined || count !== routes) made = new ServedDocument(openapi(app, options));
    routes = count;
    return made;
  };
}
