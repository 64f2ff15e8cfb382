/**
 * What `fulmar dev` shows, of every server in the process: errors at the terminal and in the browser, `/_fulmar`, live
 * reload. A bundle of its own (`dist/dev.cjs`), loaded by that command alone, before the application; servers that
 * listen from then on are watched at the one place where their requests come in (`http/listen.ts`).
 */
import { readGlobal, removeGlobal, setGlobal } from '../host/globals.ts';
import { Inspecting } from './inspector.ts';
import type { Inspector, InspectorOptions } from './types.ts';

export type { EditorPlace, Inspector, InspectorOptions, OpenEditor, Output, RouteRow } from './types.ts';

/** @throws Error where the process has one */
export function startInspector(options: InspectorOptions): Inspector {
  if (readGlobal('fulmar.dev') !== undefined)
    throw new Error('This process has an inspector, and a second one was started: close the first.');
  const inspecting = new Inspecting(options);
  setGlobal('fulmar.dev', inspecting);
  return {
    reloaded: (files) => inspecting.reloaded(files),
    broken: (error) => inspecting.broken(error),
    mended: () => inspecting.mended(),
    uncaught: (error) => inspecting.uncaught(error),
    errorPage: (error) => inspecting.errorPage(error),
    close: () => {
      inspecting.close();
      if (readGlobal('fulmar.dev') === inspecting) removeGlobal('fulmar.dev');
    },
  };
}
