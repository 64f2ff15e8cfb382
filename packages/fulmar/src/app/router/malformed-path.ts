/**
 * A path whose route was found, but whose value for a parameter has percent-escapes that mean nothing ('%zz',
 * '%ff'): the peer's mistake.
 */

export class MalformedPath extends Error {
  /** The segment of the path, as it was sent. */
  readonly segment: string;

  constructor(segment: string) {
    super(`expected percent-escapes of UTF-8 in a path, found ${JSON.stringify(segment)}`);
    this.name = 'MalformedPath';
    this.segment = segment;
  }
}
