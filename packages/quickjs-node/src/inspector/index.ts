/**
 * `node:inspector`: there is no V8 to inspect; everything says so.
 */
import { coded } from '../shared/errors.ts';

function unavailable(): never {
  throw coded(
    Error,
    'ERR_INSPECTOR_NOT_AVAILABLE',
    'Inspector is not available on the native host: run the application on Node to debug or profile it',
  );
}

class Session {
  constructor() {
    unavailable();
  }
}

export default {
  open: unavailable,
  close: (): void => {},
  url: (): undefined => undefined,
  waitForDebugger: unavailable,
  console: globalThis.console,
  Session,
};
