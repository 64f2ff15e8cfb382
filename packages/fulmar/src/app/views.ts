/**
 * `c.render(view, data)`: the text of a view by the engine that the app was given. What the engine makes of it, and
 * what it keeps, is its own.
 */
import type { AnyContext } from './context.ts';
import { files } from './lazy.ts';
import { shown } from './checked-options.ts';

/** Makes the text of a view. */
export type RenderView = (view: string, data: Readonly<Record<string, unknown>>, c: AnyContext) => string | Promise<string>;

/** An engine that reads files, as `ejs.renderFile` does, and the folder that these are in. */
export interface ViewFolder {
  readonly engine: (file: string, data: Readonly<Record<string, unknown>>) => string | Promise<string>;
  readonly folder: string | URL;
  /** Of views that are named without theirs. Default: none. */
  readonly extension?: string;
}

export type Views = RenderView | ViewFolder;

export const whatViewsAre = 'a function (view, data, c) that gives text, or { engine, folder }';

export function isViews(value: unknown): boolean {
  if (typeof value === 'function') return true;
  if (typeof value !== 'object' || value === null) return false;
  const { engine, folder, extension = '' } = value as Partial<ViewFolder>;
  const isFolder = (typeof folder === 'string' && folder !== '') || folder instanceof URL;
  return (
    typeof engine === 'function' &&
    isFolder &&
    typeof extension === 'string' &&
    Object.keys(value).every((key) => key === 'engine' || key === 'folder' || key === 'extension')
  );
}

export function toRender(views: Views | undefined): RenderView | null {
  if (views === undefined) return null;
  if (typeof views === 'function') return views;
  const { engine, extension = '' } = views;
  const ending = extension === '' || extension.startsWith('.') ? extension : `.${extension}`;
  let folder: string | null = null;
  return (view, data) => {
    checkView(view);
    folder ??= files().toPath(views.folder);
    const name = view.slice(view.lastIndexOf('/') + 1);
    return engine(`${folder}/${view}${name.includes('.') ? '' : ending}`, data);
  };
}

/** A name may come from a request. */
function checkView(view: string): void {
  const isWithin = view !== '' && !/[\\\0]/.test(view) && !view.split('/').some((part) => part === '..' || part === '');
  if (!isWithin) throw new TypeError(`A view is a file's path within the folder of views, and this is ${shown(view)}.`);
}

/** @throws Error where the app was given no views, TypeError for a view that is no text */
export async function renderView(c: AnyContext, view: string, data: Readonly<Record<string, unknown>>): Promise<string> {
  const { render } = c.settings;
  if (render === null) throw new Error(`render() needs an engine for views: createApp({ views }), ${whatViewsAre}.`);
  if (typeof view !== 'string') throw new TypeError(`render() takes the name of a view, and this is ${shown(view)}.`);
  const text = await render(view, data, c);
  if (typeof text !== 'string') throw new TypeError(`The engine of views gives text, and of ${view} it gave ${shown(text)}.`);
  return text;
}
