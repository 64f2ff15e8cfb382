/**
 * What requests need, as middleware tells it: a property `security` with security schemes by name, all of which
 * are needed. `basicAuth()` and `bearerAuth()` have one; an application's own may.
 */
import type { Middleware } from '../chain.ts';
import type { SecurityRequirement } from '../route-types.ts';
import type { SecurityScheme } from './document-types.ts';

export class SecuritySchemes {
  readonly #schemes = new Map<string, SecurityScheme>();

  constructor(given: Readonly<Record<string, SecurityScheme>> = {}) {
    for (const [name, scheme] of Object.entries(given)) this.#schemes.set(name, scheme);
  }

  /** The requirement of a route by its middleware; the schemes are in the document from now on. */
  needed(middleware: readonly Middleware[]): SecurityRequirement | undefined {
    const told = middleware.flatMap((one) =>
      Object.entries((one as { security?: Readonly<Record<string, SecurityScheme>> }).security ?? {}),
    );
    if (told.length === 0) return undefined;
    // Those that are given to openapi() say more.
    for (const [name, scheme] of told) if (!this.#schemes.has(name)) this.#schemes.set(name, scheme);
    return Object.fromEntries(told.map(([name]) => [name, []]));
  }

  /** @throws TypeError for a name that is no scheme */
  check(requirements: readonly SecurityRequirement[], where: string): void {
    for (const name of requirements.flatMap((one) => Object.keys(one))) {
      if (this.#schemes.has(name)) continue;
      const known = [...this.#schemes.keys()].join(', ') || 'none';
      throw new TypeError(
        `security of ${where} names ${name}, which is no security scheme: give it in securitySchemes. There are: ${known}.`,
      );
    }
  }

  toJSON(): Record<string, SecurityScheme> {
    return Object.fromEntries(this.#schemes);
  }
}
