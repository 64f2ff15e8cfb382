/**
 * Makes the replies of files that say `export const prerender`, when their project is built: each is asked for once, without a
 * socket, with all that stands around it. Files that do not have the word in them are not loaded.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../../app/index.ts';
import type { FileRoute } from '../files/file-route.ts';
import { patternOf } from '../files/pattern.ts';
import { RouteFileError } from '../files/route-file-error.ts';
import type { RouteSource } from '../loading/source.ts';
import { declaredBy } from '../module/declared.ts';
import { type PrerenderParams, segmentsWith } from '../module/prerender.ts';
import type { ResolvedConfig } from './config-types.ts';
import { isAppPlugin } from './define-config.ts';
import { openResolved, partsOf } from './create-project.ts';

export interface WrittenPage {
  /** As the app's routes are written, below the prefix of the routes. */
  readonly path: string;
  /** Of the content. */
  readonly name: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** More are a list that was meant to be shorter. */
const PAGES_MAX = 10_000;
const TEXT_CHARS_MAX = 500;
/** What is of the connection, or of the moment, and what whoever serves the file says itself. */
const OWN_FIELDS = new Set([
  'accept-ranges',
  'connection',
  'content-length',
  'date',
  'etag',
  'keep-alive',
  'last-modified',
  'transfer-encoding',
]);

/** Writes contents into `folder`. @throws RouteFileError for a reply that is none to keep, with what it says */
export async function prerenderAll(config: ResolvedConfig, source: RouteSource, folder: string): Promise<WrittenPage[]> {
  const wished = await wishesOf(source);
  if (wished.length === 0) return [];
  if (wished.length > PAGES_MAX)
    throw new RouteFileError(`prerender: expected up to ${PAGES_MAX} replies, found ${wished.length}`, [(wished[0] as Wish).route.file]);
  const { app } = await openResolved({ ...config, plugins: config.plugins.map(asked) }, { ...partsOf(config), routes: () => source });
  const pages: WrittenPage[] = [];
  for (const [at, wish] of wished.entries()) pages.push(await pageOf(app, wish, { config, folder, name: String(at) }));
  return pages;
}

/** A plugin without the hooks that have been asked about these files. */
const asked = (plugin: object): object =>
  isAppPlugin(plugin) ? plugin : (Object.create(plugin, { routeFound: { value: undefined }, routes: { value: undefined } }) as object);

interface Wish {
  readonly route: FileRoute;
  readonly segments: readonly string[];
}

async function wishesOf(source: RouteSource): Promise<Wish[]> {
  const wishes: Wish[] = [];
  for (const route of source.files) {
    if (route.kind !== 'route' || !/\bprerender\b/.test(readFileSync(source.pathOf(route), 'utf8'))) continue;
    const { prerender } = declaredBy(await source.load(route), route, source.style);
    if (typeof prerender === 'function') {
      const list: unknown = await during(route, async () => prerender());
      if (!Array.isArray(list)) throw new RouteFileError('prerender: expected a list of parameters from its function', [route.file]);
      for (const params of list) wishes.push({ route, segments: segmentsWith(route, params as PrerenderParams) });
    } else if (prerender === true) wishes.push({ route, segments: segmentsWith(route, {}) });
  }
  return wishes;
}

async function pageOf(
  app: App,
  { route, segments }: Wish,
  { config, folder, name }: { config: ResolvedConfig; folder: string; name: string },
): Promise<WrittenPage> {
  const fail = (problem: string): never => {
    throw new RouteFileError(`prerender: ${problem}`, [route.file]);
  };
  const prefix = config.routes.prefix.replace(/\/+$/, '');
  const url = `${prefix}/${segments.map(encodeURIComponent).join('/')}`;
  const reply = await during(route, () => app.inject({ method: 'GET', url }));
  if (reply.status !== 200) {
    const text = reply.text.slice(0, TEXT_CHARS_MAX);
    fail(`GET ${url} was answered with ${reply.status}, and 200 is needed${text === '' ? '' : `: ${text}`}`);
  }
  if (reply.headers['set-cookie'] !== undefined)
    fail(`the reply to GET ${url} sets a cookie, which is for one client, and this is for all`);
  writeFileSync(join(folder, name), reply.bytes);
  return { path: patternOf(segments.map((text) => ({ kind: 'text', text }))), name, fields: fieldsOf(reply.headers) };
}

const fieldsOf = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      OWN_FIELDS.has(name) || value === undefined ? [] : [[name, [value].flat().join(', ')] as const],
    ),
  );

async function during<T>(route: FileRoute, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new RouteFileError(`prerender: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`, [route.file], {
      cause,
    });
  }
}
