/** Where the sources of the bundles are. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = dirname(dirname(fileURLToPath(import.meta.url)));

/** What is published as `fulmar`. */
export const fulmarFolder = join(packages, 'fulmar');
export const fulmarSources = join(fulmarFolder, 'src');

/** The commands. */
export const cliSources = join(packages, 'cli', 'src');

/** Node's modules for QuickJS. */
export const nodeFolder = join(packages, 'quickjs-node');
export const nodeSources = join(nodeFolder, 'src');

/** Platforms with an adapter: folders of `adapters`, each an export of the package. */
export const adapters = ['bun', 'cloudflare', 'deno', 'gcf', 'lambda', 'netlify', 'vercel'];

/** What is published as `fulmar-compiler`. */
export const compilerFolder = join(packages, 'compiler');

/** What is published as `fulmar/client`. */
export const clientFolder = join(packages, 'client');
/** What few clients need: files of it, each an export of its own (`fulmar/client/swr`). */
export const clientParts = ['binary', 'parts', 'swr', 'tanstack', 'type-errors'];
