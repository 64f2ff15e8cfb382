/**
 * `serveOpenapi(app, options)`: the document of an app as routes of that app, as JSON, as YAML, and as a page. The
 * document is made with the first request for it, and anew when routes have been added since.
 */
import type { App } from '../app.ts';
import type { AnyContext } from '../context.ts';
import { viewerFile, yaml } from '../lazy.ts';
import { type Check, checkOptions } from '../checked-options.ts';
import { routesOf } from '../registry/index.ts';
import { openapi } from './document.ts';
import type { OpenApiDocument } from './document-types.ts';
import { checkDocumentOptions, DOCUMENT_CHECKS, type OpenApiOptions } from './options.ts';
import { pageOf, policyOf, START_SCRIPT } from './viewer-page.ts';

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
const HIDDEN = { hidden: true } as const;
const CSS = 'swagger-ui.css';
const CODE = 'swagger-ui-bundle.js';

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
  const current = keeper(outermost(app), document);
  const asJson = (c: AnyContext): unknown => c.send(current().json, 'application/json; charset=utf-8');
  // Where `fulmar routes --openapi` finds the document as it is served.
  app.get(json, HIDDEN, Object.assign(asJson, { openapi: () => current().json }));
  if (asYaml !== false) app.get(asYaml, HIDDEN, (c) => c.send(current().yaml, 'application/yaml; charset=utf-8'));
  if (docs !== false) addPage(app, docs, { json, document });
}

/** As a plugin and in a group it is given an app within the one that is meant, with none of its routes. */
function outermost(app: App): App {
  let { scope } = app;
  while (scope.origin !== null) scope = scope.origin.within;
  return (scope.face as App | null) ?? app;
}

class Made {
  readonly json: string;
  #yaml: string | undefined;

  constructor(document: OpenApiDocument) {
    this.json = JSON.stringify(document);
  }

  get yaml(): string {
    // Of its JSON: what an application gives may hold more than JSON has.
    return (this.#yaml ??= yaml()(JSON.parse(this.json) as object));
  }
}

function keeper(app: App, options: OpenApiOptions): () => Made {
  let made: Made | undefined;
  let routes = -1;
  return () => {
    const count = routesOf(app).length;
    if (made === undefined || count !== routes) made = new Made(openapi(app, options));
    routes = count;
    return made;
  };
}

function addPage(app: App, docs: string, { json, document }: { readonly json: string; readonly document: OpenApiOptions }): void {
  // Told here and not by a page without content.
  viewerFile()(CSS);
  const policy = policyOf((document.servers ?? []).map(({ url }) => url));
  app.get(docs, HIDDEN, (c) => {
    // As seen from the page: a proxy may have put a prefix before all of it.
    const depth = c.pathname.endsWith('/') ? docs.split('/').length - 1 : docs.split('/').length - 2;
    const up = depth === 0 ? './' : '../'.repeat(depth);
    return c.header('Content-Security-Policy', policy).html(pageOf(document.info.title, `${up}${docs.slice(1)}/`, up + json.slice(1)));
  });
  app.get(`${docs}/start.js`, HIDDEN, (c) => c.send(START_SCRIPT, 'text/javascript; charset=utf-8'));
  app.get(`${docs}/${CSS}`, HIDDEN, (c) => sendFile(c, CSS, 'text/css; charset=utf-8'));
  app.get(`${docs}/${CODE}`, HIDDEN, (c) => sendFile(c, CODE, 'text/javascript; charset=utf-8'));
}

/** A megabyte and a half, which a browser that has it asks for once more and is not sent. */
function sendFile(c: AnyContext, name: typeof CSS | typeof CODE, type: string): unknown {
  const { content, tag } = viewerFile()(name);
  c.header('ETag', tag).header('Cache-Control', 'no-cache');
  const known = (c.header('if-none-match') ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (known.includes(tag)) return c.status(304) && undefined;
  return c.send(content, type);
}
