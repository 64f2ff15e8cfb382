/**
 * A document as routes of an app, whoever has made it: as JSON, as YAML, and as a page that shows it.
 */
import type { App } from '../app.ts';
import type { AnyContext } from '../context.ts';
import { viewerFile, yaml } from '../lazy.ts';
import { pageOf, policyOf, START_SCRIPT } from './viewer-page.ts';

export interface DocumentPlaces {
  readonly json: string;
  readonly yaml: string | false;
  readonly docs: string | false;
  /** What has to be waited for before the document is made. */
  readonly load?: () => Promise<unknown> | null;
  /** Below `docs`, where the page is as well: `/`, `/index.html`. */
  readonly alsoAt?: readonly string[];
}

const HIDDEN = { hidden: true } as const;
const CSS = 'swagger-ui.css';
const CODE = 'swagger-ui-bundle.js';

export class ServedDocument {
  readonly json: string;
  readonly title: string;
  /** What its page may ask. */
  readonly servers: readonly string[];
  #yaml: string | undefined;

  constructor(document: { readonly info: { readonly title: string }; readonly servers?: readonly { readonly url: string }[] }) {
    this.json = JSON.stringify(document);
    this.title = document.info.title;
    this.servers = (document.servers ?? []).map(({ url }) => url);
  }

  get yaml(): string {
    // Of its JSON: what an application gives may hold more than JSON has.
    return (this.#yaml ??= yaml()(JSON.parse(this.json) as object));
  }
}

/** @throws TypeError for paths that the app has routes for; Error where the page is wanted and its package is missing */
export function serveDocument(app: App, places: DocumentPlaces, current: () => ServedDocument): void {
  const { json, yaml: asYaml, docs, load = () => null } = places;
  const loaded =
    (answer: (c: AnyContext) => unknown) =>
    (c: AnyContext): unknown =>
      load()?.then(() => answer(c)) ?? answer(c);
  const asJson = loaded((c) => c.send(current().json, 'application/json; charset=utf-8'));
  // Where `fulmar routes --openapi` finds the document as it is served.
  app.get(json, HIDDEN, Object.assign(asJson, { openapi: () => current().json }));
  if (asYaml !== false)
    app.get(
      asYaml,
      HIDDEN,
      loaded((c) => c.send(current().yaml, 'application/yaml; charset=utf-8')),
    );
  if (docs !== false) addPage(app, { ...places, docs }, current);
}

/** @throws Error where the package of the page is missing */
function addPage(app: App, { docs, json, alsoAt = [] }: DocumentPlaces & { readonly docs: string }, current: () => ServedDocument): void {
  // Told here and not by a page without content.
  viewerFile()(CSS);
  const base = docs === '/' ? '' : docs;
  const show = (c: AnyContext): unknown => {
    // As seen from the page: a proxy may have put a prefix before all of it.
    const depth = base.split('/').length - (/\/(?:index\.html)?$/.test(c.pathname) ? 1 : 2);
    const up = depth === 0 ? './' : '../'.repeat(depth);
    const { title, servers } = current();
    return c.header('Content-Security-Policy', policyOf(servers)).html(pageOf(title, up + `${base}/`.slice(1), up + json.slice(1)));
  };
  for (const path of new Set([docs, ...alsoAt.map((tail) => base + tail)])) app.get(path, HIDDEN, show);
  app.get(`${base}/start.js`, HIDDEN, (c) => c.send(START_SCRIPT, 'text/javascript; charset=utf-8'));
  app.get(`${base}/${CSS}`, HIDDEN, (c) => sendFile(c, CSS, 'text/css; charset=utf-8'));
  app.get(`${base}/${CODE}`, HIDDEN, (c) => sendFile(c, CODE, 'text/javascript; charset=utf-8'));
}

/** A megabyte and a half, which a browser that has it asks for once more and is not sent. */
function sendFile(c: AnyContext, name: typeof CSS | typeof CODE, type: string): unknown {
  const { content, tag } = viewerFile()(name);
  c.header('ETag', tag).header('Cache-Control', 'no-cache');
  const known = (c.header('if-none-match') ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (known.includes(tag)) return c.status(304) && undefined;
  return c.send(content, type);
}
