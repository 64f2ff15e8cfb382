/**
 * `export const prerender` of a file of routes: which of its replies are made when the project is built. Judges what is said;
 * makes none.
 */
import type { FileRoute, PathPart } from '../files/file-route.ts';
import { RouteFileError } from '../files/route-file-error.ts';

/** Parameters of a path by their names; of the rest of a path its segments. */
export type PrerenderParams = Readonly<Record<string, string | readonly string[]>>;
/** For a path with parameters: which of them there are. */
export type PrerenderList = () => readonly PrerenderParams[] | Promise<readonly PrerenderParams[]>;
export type Prerender = boolean | PrerenderList;

interface Answering {
  readonly route: FileRoute;
  readonly routes: readonly { readonly method: string }[];
}

/** @throws what `fail` throws, for what cannot be made when the project is built */
export function prerenderOf(given: unknown, { route, routes }: Answering, fail: (problem: string) => never): Prerender | undefined {
  if (given === undefined || given === false) return given;
  if (given !== true && typeof given !== 'function') fail('prerender is true, or a function that returns a list of parameters');
  if (!routes.some(({ method }) => method === 'GET' || method === '*'))
    fail('has prerender, which makes replies of GET, and answers no GET');
  if (given === true && route.parts.some(({ kind }) => kind !== 'text'))
    fail("has prerender = true and parameters in its path: which ones, says a function, () => [{ id: '1' }]");
  return given as Prerender;
}

/** The segments of the path that `file` has with these parameters, as text. @throws RouteFileError */
export function segmentsWith({ parts, file }: FileRoute, params: PrerenderParams): string[] {
  const fail = (problem: string): never => {
    throw new RouteFileError(`prerender: ${problem}`, [file]);
  };
  if (typeof params !== 'object' || params === null) return fail('its list has objects of parameters, { name: value }');
  const one = (name: string): string => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined;
    return typeof value === 'string' && value !== '' ? value : fail(`expected a text for the parameter ${name}, found ${shown(value)}`);
  };
  return parts.flatMap((part) => segmentsOf(part, { params, one, fail }));
}

interface Reader {
  readonly params: PrerenderParams;
  readonly one: (name: string) => string;
  readonly fail: (problem: string) => never;
}

function segmentsOf(part: PathPart, { params, one, fail }: Reader): readonly string[] {
  switch (part.kind) {
    case 'text':
      return [part.text];
    case 'mixed':
      return [part.texts.map((text, at) => text + (part.names[at] === undefined ? '' : one(part.names[at]))).join('')];
    case 'parameter':
      return part.isOptional && params[part.name] === undefined ? [] : [one(part.name)];
    case 'rest': {
      const rest = Object.hasOwn(params, part.name) ? params[part.name] : undefined;
      if (Array.isArray(rest) && rest.length > 0 && rest.every((text) => typeof text === 'string' && text !== '')) return rest as string[];
      return fail(`expected a list of texts for the parameter ${part.name}, found ${shown(rest)}`);
    }
  }
}

const shown = (value: unknown): string => JSON.stringify(value) ?? String(value);
