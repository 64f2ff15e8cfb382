/** The forms in which the example of routes from files runs: from its folder. Starts them. */
import { fileURLToPath } from 'node:url';
import { FULMAR, launchFile, type Running } from '../support/launch.ts';

export const folder = fileURLToPath(new URL('../../../examples/routes-app', import.meta.url));

export interface Form {
  readonly name: string;
  /** Pages of `prerender` were made before it started. */
  readonly isBuilt: boolean;
  readonly start: () => Promise<Running>;
}

export const fromSources: Form = {
  name: 'fulmar run',
  isBuilt: false,
  start: () => launchFile([FULMAR, 'run'], { cwd: folder }),
};

export const forms: readonly Form[] = [fromSources];
