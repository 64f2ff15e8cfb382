/**
 * WynkJS's options of CORS as those of the `cors` package.
 */
import type { NestApplicationOptions } from '../application/options.ts';

type Allows = (origin: string) => boolean | Promise<boolean>;
type Callback = (error: Error | null, isAllowed?: boolean) => void;

/** A function that returns whether an origin is allowed calls nobody back. */
export function toCors(given: NestApplicationOptions['cors']): NestApplicationOptions['cors'] {
  if (typeof given !== 'object') return given;
  const { origin, preflight, ...rest } = given;
  const ofPreflight = preflight === false ? { preflightContinue: true } : {};
  if (typeof origin !== 'function' || origin.length > 1) return { ...rest, ...ofPreflight, ...(origin !== undefined && { origin }) };
  const isAllowed = async (asked: string | undefined): Promise<boolean> => asked !== undefined && (await (origin as Allows)(asked));
  const answer = async (asked: string | undefined, callback: Callback): Promise<void> => {
    let is = false;
    try {
      is = await isAllowed(asked);
    } catch (error) {
      return callback(error as Error);
    }
    callback(null, is);
  };
  return { ...rest, ...ofPreflight, origin: answer };
}
