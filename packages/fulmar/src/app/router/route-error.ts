/**
 * What is wrong with a route when it is added: its pattern cannot be read, or another route is alike. Thrown
 * while an application is set up, never by a request.
 */

/** Where a route was written, as `file:line`: text is made of it when it is told. */
export interface Placed {
  toString(): string;
}

export class RouteError extends Error {
  /** The pattern as it was written. */
  readonly path: string;
  /** Where the route was written, `file:line`, when that is known. */
  readonly place: string | undefined;

  constructor(message: string, path: string, place: Placed | undefined) {
    super(message);
    this.name = 'RouteError';
    this.path = path;
    this.place = place?.toString();
  }
}
