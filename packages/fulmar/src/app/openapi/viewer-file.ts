/**
 * Files of the page that shows a document: those of `swagger-ui-dist`, a package that the application has. Read
 * once, when the page is first opened; needs Node's files. Gives no file but those of its list.
 */
import { readFileSync } from 'node:fs';
import { resolveFromApplication } from './application-package.ts';

const PACKAGE = 'swagger-ui-dist';
const PURPOSE = 'The page that shows an OpenAPI document is made by it';

export interface ViewerFile {
  readonly content: Uint8Array;
  /** The version of its package, as an entity tag. */
  readonly tag: string;
}

const kept = new Map<string, ViewerFile>();

/** @throws Error that says how to get the package, where it is missing */
export default function viewerFile(name: 'swagger-ui.css' | 'swagger-ui-bundle.js'): ViewerFile {
  const before = kept.get(name);
  if (before !== undefined) return before;
  const { version } = JSON.parse(readFileSync(resolveFromApplication(`${PACKAGE}/package.json`, PACKAGE, PURPOSE), 'utf8')) as {
    version: string;
  };
  const file = resolveFromApplication(`${PACKAGE}/${name}`, PACKAGE, PURPOSE);
  const found: ViewerFile = { content: readFileSync(file), tag: `"${name}-${version}"` };
  kept.set(name, found);
  return found;
}
