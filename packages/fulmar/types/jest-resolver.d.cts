/** jest's resolver of the preset, for a resolver that calls it. Types only. */

interface ResolverOptions {
  readonly basedir: string;
  readonly conditions?: readonly string[];
  readonly defaultResolver: (request: string, options: any) => string;
}
export function sync(request: string, options: ResolverOptions): string;
