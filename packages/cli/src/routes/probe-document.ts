/**
 * The document of OpenAPI of an application that was loaded to be looked at: as it serves it, else as `openapi()`
 * makes it of its first app, with what `package.json` says of it.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { FoundRoute } from '../../../fulmar/src/app/registry/index.ts';
import { knownApplications } from '../../../fulmar/src/host/applications.ts';
import type { ProbeReport } from './report-types.ts';

type OpenApi = typeof import('../../../fulmar/src/app/openapi/index.ts');

interface Described {
  describeRoutes?(): { readonly isPart: boolean; readonly routes: readonly unknown[] };
}

export function documentOf(routes: readonly FoundRoute[], found: ReadonlySet<object>, dist: string): NonNullable<ProbeReport['openapi']> {
  try {
    const served = routes.map(({ fn }) => (fn as { openapi?: () => string } | undefined)?.openapi).find((one) => typeof one === 'function');
    if (served !== undefined) return { text: served() };
    const apps = [...knownApplications(), ...found] as Described[];
    const app = apps.find((one) => typeof one.describeRoutes === 'function' && !one.describeRoutes().isPart);
    if (app === undefined)
      return { problem: 'it makes no app of fulmar; an Express or Koa application is mounted in one: createApp().mount(…)' };
    const { openapi } = createRequire(join(dist, 'x.cjs'))('./openapi.cjs') as OpenApi;
    return { text: JSON.stringify(openapi(app as never, { info: infoOf(process.cwd()) })) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function infoOf(folder: string): { title: string; version: string } {
  try {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: unknown; version?: unknown };
    return {
      title: typeof name === 'string' && name !== '' ? name : 'app',
      version: typeof version === 'string' && version !== '' ? version : '0.0.0',
    };
  } catch {
    return { title: 'app', version: '0.0.0' };
  }
}
