/**
 * What is told of packages that Fulmar uses and does not bring along (`companion.ts`), where they cannot be
 * used. In bundles of their own: the start of an application does not load it.
 */
import satisfies from 'semver/functions/satisfies.js';
import { type CompanionName, manifestAbove } from './companion.ts';
import { CliError } from '../errors.ts';

/** It is not installed. `need`: who needs it, `fulmar build needs`. `bundle`: a file of our bundles. */
export function notInstalled(name: CompanionName, need: string, bundle: string): CliError {
  return toError(`${need} ${name}, which does not come with Fulmar and is not installed. ${adviceFor(name, bundle)}`);
}

/** It is installed in part, as without the optional packages that hold its binaries. */
export function notLoaded(name: CompanionName, file: string, cause: unknown): CliError {
  const [reason = ''] = String((cause as Error).message).split('\n', 1);
  const advice = 'Remove it and install it again, with its optional packages.';
  return toError(`${name} (${file}) does not load: ${reason.replace(/\.$/, '')}. ${advice}`, cause);
}

/**
 * An error where `version` is not among those that Fulmar is made for; pre-releases count by their order. One
 * without a version is taken.
 */
export function unsuitable(name: CompanionName, version: string, bundle: string): CliError | undefined {
  const range = rangeOf(name, bundle);
  if (version === '' || satisfies(version, range, { includePrerelease: true })) return undefined;
  return toError(`${name} ${version} is installed, and Fulmar needs ${range} of it. ${adviceFor(name, bundle)}`);
}

const toError = (message: string, cause?: unknown): CliError => new CliError('FULMAR_CLI_NOT_INSTALLED', message, { cause });

const adviceFor = (name: CompanionName, bundle: string): string => `Run: npm install -D "${name}@${rangeOf(name, bundle)}"`;

/**
 * Not the range of the peer dependency, which takes all versions: another one that nobody uses with Fulmar is
 * no reason not to install it.
 */
function rangeOf(name: CompanionName, bundle: string): string {
  return manifestAbove(bundle, 'fulmar')?.companions?.[name] ?? '*';
}
