/** A9: names of middleware that Express 3 had. Reading one tells what to do instead. */

const names = [
  'bodyParser',
  'compress',
  'cookieSession',
  'session',
  'logger',
  'cookieParser',
  'favicon',
  'responseTime',
  'errorHandler',
  'timeout',
  'methodOverride',
  'vhost',
  'csrf',
  'directory',
  'limit',
  'multipart',
  'staticCache',
];

export function defineRemoved(express: object): void {
  for (const name of names) {
    Object.defineProperty(express, name, {
      configurable: true,
      get() {
        throw new Error(
          `Most middleware (like ${name}) is no longer bundled with Express and must be installed separately. Please see https://github.com/senchalabs/connect#middleware.`,
        );
      },
    });
  }
}
