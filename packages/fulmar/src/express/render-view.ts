/** `app.render`: from a name to the view that renders it. Loaded when first used. */
import type { Application, RenderCallback } from './application-types.ts';
import type { View, ViewOptions } from './view.ts';

/** Finds or makes the view and renders it. */
export function renderView(app: Application, name: string, renderOptions: Record<string, unknown>, done: RenderCallback): void {
  if (renderOptions.cache == null) renderOptions.cache = app.enabled('view cache');
  let view = (renderOptions.cache ? app.cache[name] : undefined) as View | undefined;
  if (!view) {
    const ViewClass = app.get('view') as new (name: string, options: ViewOptions) => View;
    view = new ViewClass(name, {
      defaultEngine: app.get('view engine') as string | undefined,
      root: app.get('views') as string | string[],
      engines: app.engines,
    });
    if (!view.path) {
      done(lookupError(name, view));
      return;
    }
    if (renderOptions.cache) app.cache[name] = view;
  }
  try {
    view.render(renderOptions, done);
  } catch (err) {
    done(err);
  }
}

function lookupError(name: string, view: View): Error {
  const { root } = view;
  const dirs =
    Array.isArray(root) && root.length > 1
      ? `directories "${root.slice(0, -1).join('", "')}" or "${root.at(-1)}"`
      : `directory "${String(root)}"`;
  return Object.assign(new Error(`Failed to lookup view "${name}" in views ${dirs}`), { view });
}
