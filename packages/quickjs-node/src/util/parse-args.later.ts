/**
 * `util.parseArgs`: Node's own parser as a package, with Node's classes of errors.
 */
import { parseArgs as parse } from '@pkgjs/parseargs';
import { coded, type CodedError } from '../shared/errors.ts';

export function parseArgs(config?: object): object {
  try {
    return parse(config);
  } catch (error) {
    const { code, message } = error as CodedError;
    throw typeof code === 'string' && code.startsWith('ERR_') ? coded(TypeError, code, message) : error;
  }
}
