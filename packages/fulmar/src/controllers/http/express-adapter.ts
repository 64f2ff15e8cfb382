/**
 * `ExpressAdapter`, for main files that name it: `NestFactory.create(AppModule, new ExpressAdapter())`. It chooses
 * nothing: what serves is Fulmar, and requests and responses are Express's in any case.
 */
export class ExpressAdapter {
  /** @throws TypeError for an application of Express's */
  constructor(instance?: unknown) {
    if (instance !== undefined)
      throw new TypeError(
        'ExpressAdapter takes no application of Express: what serves is Fulmar. app.use(expressApp) puts the middleware and routes of one before controllers.',
      );
  }
}
